import { isInstant, isRequestId } from "../base/clock.js";
import { LazyCopy } from "../base/copy.js";
import { DecernError } from "../base/errors.js";
import type { Decision } from "../decision/decision.js";
import { copyOkResult, type OkResult } from "../decision/result.js";
import type { HookContext, Hooks } from "./hooks.js";
import type { RequestView, SelectedBy } from "./request-view.js";
import type { Traces } from "./traces.js";

/** What hooks and observers receive of a call. None gets this one: each gets a {@link HookContext} made of it. */
export interface Told {
  /** As `beforeEvaluate` names it. */
  readonly decisionId: string;
  /** What is evaluated, whatever hooks return. */
  readonly decision: Pick<Decision, "version">;
  readonly selectedBy: SelectedBy;
  readonly input: unknown;
  readonly profile: unknown;
  readonly requestId: string;
  readonly epochMs: number;
  readonly caller: string | undefined;
  readonly request: RequestView | undefined;
  /** Absent without a trace. */
  readonly traces?: Traces | undefined;
}

/** A context that belongs to one hook or observer: writing to it, however deep, reaches no other. */
export function createContext(
  told: Told,
  input = new LazyCopy(told.input),
  profile = new LazyCopy(told.profile),
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
  static readonly #lazyInput: PropertyDescriptor & ThisType<ContextCopy> = {
    enumerable: true,
    configurable: true,
    get() {
      return this.#input.value;
    },
    set(value: unknown) {
      Object.defineProperty(this, "input", ownProperty(value));
    },
  };

  static readonly #lazyProfile: PropertyDescriptor & ThisType<ContextCopy> = {
    enumerable: true,
    configurable: true,
    get() {
      return this.#profile.value;
    },
    set(value: unknown) {
      Object.defineProperty(this, "profile", ownProperty(value));
    },
  };
}

function ownProperty(value: unknown): PropertyDescriptor {
  return { value, writable: true, enumerable: true, configurable: true };
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

/** What a hook may change: not the caller, and not which version is evaluated. */
type Patched = Pick<Told, "decisionId" | "input" | "profile" | "requestId" | "epochMs">;

/**
 * Reads what `beforeEvaluate` returned.
 *
 * @param toldProfile - the profile that the hook got a copy of
 * @returns the call as the hook wants it
 * @throws DecernError `EVALUATION_FAILED` when the returned value makes no sense: using half of it would decide something
 *   that was not asked for
 */
export function readPatch(told: Told, toldProfile: unknown, patch: unknown): Patched {
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
