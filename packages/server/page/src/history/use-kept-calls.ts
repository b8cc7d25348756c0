import type { Reply } from "../model/reply.js";
import type { SharedCall } from "../model/share-link.js";
import { useDraft } from "./draft-calls.js";
import type { PastCall } from "./past-calls.js";
import { useHistory } from "./use-history.js";
import { useUndo } from "./use-undo.js";

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
  /** Takes the last start back. Undefined where there is none. */
  readonly undo: (() => void) | undefined;
}

/** Keeps what is in the form, what was, and what was evaluated. */
export function useKeptCalls({ id, version, call, untouched, reply, restore }: KeptCallsOptions): KeptCalls {
  useDraft(id, version, call, untouched);
  const past = useHistory(id, version, reply);
  const { remember, undo } = useUndo(restore);
  const start = (next: SharedCall) => {
    remember(call);
    restore(next);
  };
  return { past, start, undo };
}
