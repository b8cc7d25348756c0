import { type Clock, systemClock } from "../base/clock.js";
import { isJsonObject } from "../base/json-schema.js";
import { type Kind, kinds, type OptionsOf, option } from "../base/options.js";

const sampleMs = 20;

/** Decides whether there is room for one more request. */
export class LoadGate {
  /** Value of the `Retry-After` header. */
  readonly retryAfter: string;
  readonly #maxConcurrent: number;
  readonly #maxDelayMs: number;
  readonly #clock: Clock;
  readonly #timer: NodeJS.Timeout;
  readonly #inside = new Set<object>();
  #sampledAt: number;
  #delayMs = 0;

  constructor(options: OverloadOptions, clock: Clock = systemClock) {
    this.retryAfter = String(options.retryAfterSeconds ?? 1);
    this.#maxConcurrent = options.maxConcurrent ?? Number.POSITIVE_INFINITY;
    this.#maxDelayMs = options.maxEventLoopDelayMs ?? Number.POSITIVE_INFINITY;
    this.#clock = clock;
    this.#sampledAt = clock.monotonic();
    this.#timer = setInterval(() => this.#sample(), sampleMs);
    this.#timer.unref();
  }

  /** Lets a request in if there is room. Every request that got in must leave. */
  enter(request: object): boolean {
    if (this.#inside.size >= this.#maxConcurrent || this.isLate()) return false;
    this.#inside.add(request);
    return true;
  }

  /** Whether a request is inside. */
  has(request: object): boolean {
    return this.#inside.has(request);
  }

  /** Frees the place of a request. Leaving twice, or without having entered, does nothing. */
  leave(request: object): void {
    this.#inside.delete(request);
  }

  /** Whether the event loop is late. An overdue sample counts before its timer fires. */
  isLate(): boolean {
    const overdueMs = this.#clock.monotonic() - this.#sampledAt - sampleMs;
    return Math.max(this.#delayMs, overdueMs) > this.#maxDelayMs;
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  #sample(): void {
    const now = this.#clock.monotonic();
    const late = Math.max(0, now - this.#sampledAt - sampleMs);
    // Fades over a few samples: one good sample between two bad ones is not a recovery.
    this.#delayMs = Math.max(late, this.#delayMs * 0.7);
    this.#sampledAt = now;
  }
}

const overloadRows = {
  /** Maximum number of evaluations at a time. @default no limit */
  maxConcurrent: option(kinds.wholeNumber),
  /** Maximum delay of the event loop, in milliseconds. @default no limit */
  maxEventLoopDelayMs: option(kinds.wholeNumber),
  /** Value of `Retry-After`, in seconds. @default 1 */
  retryAfterSeconds: option(kinds.wholeNumber),
} as const;

/** When to refuse requests instead of letting queues grow. */
export interface OverloadOptions extends OptionsOf<typeof overloadRows> {}

const group = kinds.group(overloadRows);

/** At least one of these has to be given. */
const limits = ["maxConcurrent", "maxEventLoopDelayMs"] as const;

/** The kind of {@link OverloadOptions}. */
export const overloadKind: Kind<OverloadOptions> = (value, path) => {
  const problems = group(value, path);
  if (!isJsonObject(value) || limits.some((limit) => value[limit] !== undefined)) return problems;
  return [...problems, { path, message: `needs ${limits.join(" or ")}` }];
};
