import { useState } from "preact/hooks";
import type { SharedCall } from "../model/share-link.js";

const maxSteps = 30;

interface Undo {
  /** Keeps the call that is about to be replaced. */
  readonly remember: (call: SharedCall) => void;
  /** Takes the last one back. Undefined while there is none. */
  readonly undo: (() => void) | undefined;
}

/** Takes back what replaces a whole call: an example, Clear, a call of the history. */
export function useUndo(restore: (call: SharedCall) => void): Undo {
  const [steps, setSteps] = useState<readonly SharedCall[]>([]);
  const last = steps.at(-1);
  return {
    remember: (call) => setSteps((before) => [...before, call].slice(-maxSteps)),
    undo:
      last === undefined
        ? undefined
        : () => {
            setSteps((before) => before.slice(0, -1));
            restore(last);
          },
  };
}
