import { DecernError, errorBody, type Problem, tableReply } from "../base/errors.js";
import { asThrowable, maskedError } from "../base/faults.js";
import { isJsonObject } from "../base/json.js";
import type { JsonSchema } from "../base/json-schema.js";
import { kinds } from "../base/kinds.js";
import { type Kind, type OptionsOf, option } from "../base/options.js";
import { type Awaitable, type Clock, ignoreRejection, isThenable, systemClock } from "../base/time.js";
import type { Decision } from "../decision/decision.js";
import { toJsonSchema } from "../decision/describe.js";
import type { Result } from "../decision/result.js";
import type { MissingCode, Target } from "../service/generation.js";
import type { Run } from "../service/run.js";
import type { Handler, OnResult } from "./handler.js";
import { type GuardedExchange, handOver, headersOf, hostErrorOf } from "./reply.js";

/** Names under which an output may say yes or no. */
const verdictNames = ["allowed", "allow", "granted", "permitted", "approved"] as const;

/**
 * Whether a result clearly allows access. Everything else denies: a status but `OK`, an output that does not say yes, an
 * `isDenied` that returns anything but `false`.
 *
 * @param isDenied - @default reads `allowed`, `allow`, `granted`, `permitted` and `approved`
 * @throws what `isDenied` throws
 */
export function allows(result: Result, isDenied: ((result: Result) => unknown) | undefined): boolean {
  const denied = (isDenied ?? saysNo)(result);
  // An asynchronous callback must not end the process.
  ignoreRejection(denied);
  return denied === false;
}

/** Finds out whether a decision can allow and deny: its output needs a boolean that says so, or the host an `isDenied`. */
export function verdictProblems({ id, outputSchema }: Decision, isDenied: unknown): readonly Problem[] {
  if (isDenied !== undefined || hasVerdict(toJsonSchema(outputSchema, "output"))) return [];
  const message = `is required: the output of decision "${id}" has no boolean ${verdictNames.join(", ")}`;
  return [{ path: "/isDenied", message }];
}

/**
 * Lets a request through when a decision clearly allows it, and replies to it or fails otherwise: what every guard does. It fails
 * closed: an error, a callback that fails and whatever isn't a clear yes deny.
 *
 * @param target - the decision that is asked, or why there is none
 * @param onDeny - the host's callback, which may reply itself
 */
export function guard<Source>(
  handler: Pick<Handler<Source>, "run">,
  exchange: GuardedExchange<Source>,
  target: Target | MissingCode,
  isDenied: ((result: Result) => unknown) | undefined,
  onDeny?: OnResult | undefined,
): void {
  let allowed = false;
  // As `onResult` it is the host's callback: what it throws is reported once, and denies. `result` is a copy of its
  // own, and whether it allows is settled before `onDeny` sees it.
  const judge = (result: Result): unknown => {
    allowed = allows(result, isDenied);
    if (allowed) return undefined;
    exchange.onDecided(result);
    return onDeny?.(result);
  };
  const fail = (thrown: unknown): void => exchange.fail(asThrowable(thrown), exchange.requestId);
  if (typeof target === "string")
    return handOver(maskedError(new DecernError(target)), exchange.requestId, exchange);
  let run: Awaitable<Run>;
  try {
    run = handler.run(exchange, target, judge);
  } catch (thrown) {
    return fail(thrown);
  }
  if (isThenable(run)) run.then((ended) => act(ended, allowed, exchange)).then(undefined, fail);
  else act(run, allowed, exchange);
}

function act(run: Run, allowed: boolean, exchange: GuardedExchange): void {
  const { requestId, error } = run;
  const headers = headersOf(run);
  const hostError = hostErrorOf(run);
  // Where a callback failed, no code gets a result.
  const result = hostError === undefined ? (run.told ?? run.result) : undefined;
  exchange.onDecided(result);
  if (result === undefined) {
    // Masked: the host's error handling may send what it gets.
    handOver(hostError === undefined ? maskedError(error) : hostError.thrown, requestId, exchange);
  } else if (exchange.hasBegun()) {
    // Other code has replied instead of the handler.
    exchange.leave();
  } else if (allowed) {
    exchange.pass(requestId, headers);
  } else {
    const denial = tableReply("ACCESS_DENIED");
    exchange.write(denial.status, errorBody(denial), requestId, headers);
  }
}

function saysNo(result: Result): boolean {
  if (result.status !== "OK" || !isJsonObject(result.data)) return true;
  let yes = false;
  for (const name of verdictNames) {
    if (!Object.hasOwn(result.data, name)) continue;
    if (result.data[name] !== true) return true;
    yes = true;
  }
  return !yes;
}

function hasVerdict(schema: JsonSchema, root = schema, depth = 0): boolean {
  if (depth > 8) return false;
  const { properties, $ref } = schema;
  if (isJsonObject(properties)) {
    for (const name of verdictNames) {
      const property = Object.hasOwn(properties, name) ? properties[name] : undefined;
      if (
        isJsonObject(property) &&
        (property["type"] === "boolean" || typeof property["const"] === "boolean")
      )
        return true;
    }
  }
  for (const keyword of ["anyOf", "oneOf", "allOf"]) {
    const branches = schema[keyword];
    if (
      Array.isArray(branches) &&
      branches.some((branch) => isJsonObject(branch) && hasVerdict(branch, root, depth + 1))
    ) {
      return true;
    }
  }
  const target = typeof $ref === "string" ? resolveRef(root, $ref) : undefined;
  return target !== undefined && hasVerdict(target, root, depth + 1);
}

function resolveRef(root: JsonSchema, ref: string): JsonSchema | undefined {
  const definitions = root["$defs"] ?? root["definitions"];
  const name = ref.split("/").at(-1) ?? "";
  const target =
    isJsonObject(definitions) && Object.hasOwn(definitions, name) ? definitions[name] : undefined;
  return isJsonObject(target) ? target : undefined;
}

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
