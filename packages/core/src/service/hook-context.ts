import { copyData, copyFew } from "../base/copy.js";
import { copyError, DecernError, ownError } from "../base/errors.js";
import { isRefusal, type Logger, neverThrowing, readable } from "../base/faults.js";
import { type Awaitable, isInstant, withDeadline } from "../base/time.js";
import type { Decision } from "../decision/decision.js";
import { copyOkResult, type OkResult } from "../decision/result.js";
import type { HookContext, Hooks } from "./hooks.js";
import { isRequestId, type RequestView, type SelectedBy } from "./request-view.js";

/** Follows the hooks of one evaluation. */
interface HookTraces {
  /** For a line of a log. */
  readonly ids: object;
  hook<T>(name: keyof Hooks, call: () => Awaitable<T>): Awaitable<T>;
}

/** What hooks and observers receive of a call. None gets this one: each gets a {@link HookContext} made of it. */
export interface Told {
  /** As `beforeEvaluate` names it. */
  readonly decisionId: string;
  /** What is evaluated, whatever hooks return. */
  readonly decision: Pick<Decision, "version">;
  readonly selectedBy: SelectedBy;
  readonly input: unknown;
  readonly profile: unknown;
  /** `undefined` where that is the decision's own. */
  readonly givenProfile: unknown;
  readonly requestId: string;
  readonly epochMs: number;
  readonly caller: string | undefined;
  readonly request: RequestView | undefined;
  /** Absent without a trace. */
  readonly traces?: HookTraces | undefined;
}

/** The profile for later hooks and for observers. A decision's own is frozen to its last level, and needs no copy. */
function profileOf({ profile, givenProfile }: Told): LazyCopy {
  // Not frozen where it holds dates, maps, sets or bytes.
  return new LazyCopy(profile, givenProfile === undefined && Object.isFrozen(profile));
}

/** A context that belongs to one hook or observer: writing to it, however deep, reaches no other. */
export function createContext(
  told: Told,
  input = new LazyCopy(told.input),
  profile = profileOf(told),
): HookContext {
  return new ContextCopy(told, input, profile);
}

class ContextCopy implements HookContext {
  readonly decisionId: string;
  readonly decisionVersion: string;
  readonly selectedBy: SelectedBy;
  declare readonly input: unknown;
  declare readonly profile: unknown;
  readonly requestId: string;
  readonly timestamp: Date;
  declare readonly caller?: string;
  declare readonly request?: RequestView;
  readonly #input: LazyCopy;
  readonly #profile: LazyCopy;

  constructor(told: Told, input: LazyCopy, profile: LazyCopy) {
    this.decisionId = told.decisionId;
    this.decisionVersion = told.decision.version;
    this.selectedBy = told.selectedBy;
    this.requestId = told.requestId;
    this.timestamp = new Date(told.epochMs);
    this.#input = input;
    this.#profile = profile;
    // Not there at all without a caller.
    if (told.caller !== undefined) this.caller = told.caller;
    if (told.request !== undefined) this.request = told.request;
    // Own properties, so that a spread and JSON have them too.
    if (input.isMade) this.input = input.value;
    else Object.defineProperty(this, "input", ContextCopy.#lazyInput);
    if (profile.isMade) this.profile = profile.value;
    else Object.defineProperty(this, "profile", ContextCopy.#lazyProfile);
  }

  // The same functions for every context: with functions of its own each would be of another shape, which costs the
  // engine ten times as much.
  static readonly #lazyInput = ContextCopy.#lazy("input", (context) => context.#input);
  static readonly #lazyProfile = ContextCopy.#lazy("profile", (context) => context.#profile);

  static #lazy(
    name: "input" | "profile",
    copyOf: (context: ContextCopy) => LazyCopy,
  ): PropertyDescriptor & ThisType<ContextCopy> {
    return {
      enumerable: true,
      configurable: true,
      get() {
        return copyOf(this).value;
      },
      set(value: unknown) {
        Object.defineProperty(this, name, { value, writable: true, enumerable: true, configurable: true });
      },
    };
  }
}

/** Calls `beforeEvaluate`, with copies of its own. */
export function callBefore(hooks: Hooks, told: Told, profile: LazyCopy): unknown {
  const context = createContext(told, new LazyCopy(told.input), profile);
  const { traces } = told;
  if (traces === undefined) return hooks.beforeEvaluate?.(context);
  return traces.hook("beforeEvaluate", () => hooks.beforeEvaluate?.(context));
}

/** Calls `afterEvaluate`, with copies of its own. */
export function callAfter(hooks: Hooks, told: Told, result: OkResult): unknown {
  const context = createContext(told);
  const copy = copyOkResult(result);
  const { traces } = told;
  if (traces === undefined) return hooks.afterEvaluate?.(context, copy);
  return traces.hook("afterEvaluate", () => hooks.afterEvaluate?.(context, copy));
}

/**
 * Reads what `beforeEvaluate` returned.
 *
 * @param toldProfile - the profile that the hook got a copy of
 * @returns the call as the hook wants it: it changes neither the caller nor which version is evaluated
 * @throws DecernError `EVALUATION_FAILED` when the returned value makes no sense: using half of it would decide something
 *   that was not asked for
 */
export function readPatch(
  told: Told,
  toldProfile: unknown,
  patch: unknown,
): Pick<Told, "decisionId" | "input" | "profile" | "requestId" | "epochMs"> {
  if (typeof patch !== "object" || patch === null || Array.isArray(patch)) {
    throw nonsense("something that is not an object");
  }
  const decisionId = "decisionId" in patch ? patch.decisionId : told.decisionId;
  const input = "input" in patch ? patch.input : told.input;
  const profile = "profile" in patch ? patch.profile : toldProfile;
  const requestId = "requestId" in patch ? patch.requestId : told.requestId;
  const epochMs = "timestamp" in patch ? instantOf(patch.timestamp) : told.epochMs;
  if (typeof decisionId !== "string") throw nonsense("a decisionId that is not a string");
  if (typeof requestId !== "string" || !isRequestId(requestId))
    throw nonsense("a requestId that is not valid");
  return { decisionId, input, profile, requestId, epochMs };
}

/** Taken out of the date, which the hook may change later. */
function instantOf(timestamp: unknown): number {
  const epochMs = timestamp instanceof Date ? timestamp.getTime() : Number.NaN;
  if (!isInstant(epochMs)) throw nonsense("a timestamp that is not a valid date");
  return epochMs;
}

function nonsense(what: string): DecernError {
  return new DecernError("EVALUATION_FAILED", { detail: `beforeEvaluate returned ${what}` });
}

/** Tells the log and `onError` about errors. */
export class FaultReporter {
  /** It never throws. */
  readonly logger: Required<Logger>;
  readonly #hooks: Hooks | undefined;
  readonly #timeoutMs: number;

  constructor(logger: Logger, hooks: Hooks | undefined, timeoutMs: number) {
    this.logger = neverThrowing(logger);
    this.#hooks = hooks;
    this.#timeoutMs = timeoutMs;
  }

  /** Logs what was thrown and gives it to `onError`, whose own failure changes nothing. */
  async report(told: Told, thrown: unknown): Promise<void> {
    const error = readable(thrown);
    const mine = ownError(error);
    this.logFault(told, error);
    const hooks = this.#hooks;
    const onError = hooks?.onError;
    if (onError === undefined) return;
    const own = mine === undefined ? error : copyError(mine);
    const shown = mine?.cause === undefined ? own : mine.cause;
    try {
      const call = () => onError.call(hooks, createContext(told), shown);
      const { traces } = told;
      await withDeadline("onError", this.#timeoutMs, () =>
        traces === undefined ? call() : traces.hook("onError", call),
      );
    } catch (failure) {
      this.log(told, readable(failure), "onError failed");
    }
  }

  /** Logs an error. A refusal concerns only the caller, and is not logged. */
  logFault(told: Told, error: unknown): void {
    const mine = ownError(error);
    // The decision log reports its outage itself, once. A line for each call would bury everything else.
    if (mine?.code === "RECORD_UNAVAILABLE") return;
    if (mine === undefined || !isRefusal(mine)) this.log(told, error, "Evaluation failed");
  }

  log({ decisionId, requestId, traces }: Told, error: unknown, message: string): void {
    const mine = ownError(error);
    const err = mine === undefined ? error : copyError(mine);
    this.logger.error({ err, decisionId, requestId, ...traces?.ids }, message);
  }
}

/**
 * A copy of plain data. It is made when somebody reads it, or immediately where that is cheaper. Class instances and functions are
 * in it as they are.
 */
export class LazyCopy {
  readonly original: unknown;
  #copy: unknown;
  #made: boolean;

  /** @param isShared - whether it can be handed over as it is */
  constructor(original: unknown, isShared = false) {
    this.original = original;
    if (isShared || (typeof original !== "object" && typeof original !== "function")) {
      this.#copy = original;
      this.#made = true;
    } else {
      // A few objects and lists cost no more than to prepare a copy for later, unless they are frozen.
      this.#copy = original === null ? null : Object.isFrozen(original) ? undefined : copyFew(original);
      this.#made = this.#copy !== undefined;
    }
  }

  /** Whether there is nothing left to copy. */
  get isMade(): boolean {
    return this.#made;
  }

  get value(): unknown {
    if (!this.#made) {
      this.#copy = copyData(this.original);
      this.#made = true;
    }
    return this.#copy;
  }

  /** Tells whether a value is this copy, without making one. */
  is(value: unknown): boolean {
    return this.#made && value === this.#copy;
  }
}
