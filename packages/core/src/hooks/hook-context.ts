import { LazyCopy } from "../copies/lazy-copy.js";
import type { HookContext } from "./hooks.js";

/** What hooks and observers are told of a call. Nobody gets this one: each gets a {@link HookContext} made of it. */
export interface Told {
  readonly decisionId: string;
  readonly input: unknown;
  readonly profile: unknown;
  readonly requestId: string;
  readonly epochMs: number;
}

/** A context that belongs to one hook or observer: writing to it, however deep, reaches nobody else. */
export function createContext(
  told: Told,
  input = new LazyCopy(told.input),
  profile = new LazyCopy(told.profile),
): HookContext {
  const own: { input?: unknown; profile?: unknown } = {};
  return {
    decisionId: told.decisionId,
    get input() {
      return "input" in own ? own.input : input.value;
    },
    set input(value: unknown) {
      own.input = value;
    },
    get profile() {
      return "profile" in own ? own.profile : profile.value;
    },
    set profile(value: unknown) {
      own.profile = value;
    },
    requestId: told.requestId,
    timestamp: new Date(told.epochMs),
  };
}
