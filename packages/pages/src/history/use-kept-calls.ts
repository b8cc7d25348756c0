import type { Reply } from "../model/reply.js";
import type { SharedCall } from "../model/share-link.js";
import { useDraft } from "./draft-calls.js";
import type { PastCall } from "./past-calls.js";
import { useHistory } from "./use-history.js";
import { type Change, useUndo } from "./use-undo.js";

interface KeptCallsOptions {
  readonly id: string;
  readonly version: string | undefined;
  /** The call in the form. */
  readonly call: SharedCall;
  /** What the form starts with. */
  readonly untouched: SharedCall | undefined;
  readonly reply: Reply | undefined;
  /** Puts a call into the form. */
  readonly restore: (call: SharedCall) => void;
}

interface KeptCalls {
  readonly past: readonly PastCall[];
  /** Puts a call into the form, which can be taken back. */
  readonly start: (call: SharedCall) => void;
  /** To be called before another change that can be taken back. */
  readonly remember: (change: Change) => void;
  /** Takes the last of these changes back. Undefined where there is none. */
  readonly undo: (() => void) | undefined;
}

/** Keeps what is in the form, what was, and what was evaluated. */
export function useKeptCalls({ id, version, call, untouched, reply, restore }: KeptCallsOptions): KeptCalls {
  useDraft(id, version, call, untouched);
  const past = useHistory(id, version, reply);
  const { remember, undo } = useUndo(call, restore);
  const start = (next: SharedCall) => {
    remember("call", call);
    restore(next);
  };
  return { past, start, remember: (change) => remember(change, call), undo };
}
