import { LazyCopy } from "../copies/lazy-copy.js";
import type { Decision } from "../definition/decision.js";
import type { HookContext } from "./hooks.js";
import type { RequestView, SelectedBy } from "./request-view.js";
import type { Traces } from "./traces.js";

/** What hooks and observers are told of a call. Nobody gets this one: each gets a {@link HookContext} made of it. */
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
  /** Absent where nobody traces. */
  readonly traces?: Traces | undefined;
}

/** A context that belongs to one hook or observer: writing to it, however deep, reaches nobody else. */
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
    // Not there at all where nobody was asked.
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
