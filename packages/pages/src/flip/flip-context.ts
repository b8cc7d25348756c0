import type { Explanation } from "@decern/core/host";
import { createContext } from "preact";
import type { SharedCall } from "../model/share-link.js";

/** What would change the answer to a call. */
interface Explained {
  readonly call: SharedCall;
  readonly explanation: Explanation;
}

/** What the fields and the panel show of an explanation. */
export interface FlipState {
  /** Of the last call that was explained. */
  readonly explained: Explained | undefined;
  /** Whether the form has changed since. */
  readonly stale: boolean;
}

interface FlipScopeValue extends FlipState {
  readonly show: (state: FlipState) => void;
}

export const FlipContext = createContext<FlipScopeValue>({
  explained: undefined,
  stale: false,
  show: () => {},
});
