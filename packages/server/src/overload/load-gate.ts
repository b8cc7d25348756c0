import type { Clock } from "@decern/core";
import type { OverloadOptions } from "./overload.js";

const sampleMs = 20;

/** Tells whether there is room for one more request. */
export class LoadGate {
  readonly retryAfterSeconds: number;
  readonly #maxConcurrent: number;
  readonly #maxDelayMs: number;
  readonly #clock: Clock;
  readonly #timer: NodeJS.Timeout;
  #running = 0;
  #sampledAt: number;
  #delayMs = 0;

  constructor(options: OverloadOptions, clock: Clock) {
    this.retryAfterSeconds = options.retryAfterSeconds ?? 1;
    this.#maxConcurrent = options.maxConcurrent ?? Number.POSITIVE_INFINITY;
    this.#maxDelayMs = options.maxEventLoopDelayMs ?? Number.POSITIVE_INFINITY;
    this.#clock = clock;
    this.#sampledAt = clock.monotonic();
    this.#timer = setInterval(() => this.#sample(), sampleMs);
    this.#timer.unref();
  }

  /** Takes a request in, or not. What was taken in has to leave. */
  enter(): boolean {
    if (this.#running >= this.#maxConcurrent || this.isLate()) return false;
    this.#running += 1;
    return true;
  }

  leave(): void {
    this.#running -= 1;
  }

  /** Whether the event loop is. What is overdue counts before the timer says so. */
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
    // Fades over a few samples: a single good one between two bad ones is no recovery.
    this.#delayMs = Math.max(late, this.#delayMs * 0.7);
    this.#sampledAt = now;
  }
}
