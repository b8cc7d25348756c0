import { useState } from "preact/hooks";
import type { SharedCall } from "../model/share-link.js";

const maxSteps = 30;

/** What was changed at once: the whole call, which profile applies, or the profile's fields, one after another. */
export type Change = "call" | "profile" | "profile-fields";

interface Step {
  readonly change: Change;
  /** The call before the change. */
  readonly before: SharedCall;
}

interface Undo {
  /** Keeps the call that is about to change. */
  readonly remember: (change: Change, before: SharedCall) => void;
  /** Takes the last change back. Undefined while there is none. */
  readonly undo: (() => void) | undefined;
}

/**
 * Takes back what replaces a whole call (an example, Clear, a call of the history), and changes of the profile. What was typed
 * into the input since stays when a change of the profile is taken back.
 *
 * @param now - the call in the form
 */
export function useUndo(now: SharedCall, restore: (call: SharedCall) => void): Undo {
  const [steps, setSteps] = useState<readonly Step[]>([]);
  const last = steps.at(-1);
  return {
    remember: (change, before) =>
      setSteps((kept) =>
        // Keystrokes in a row are one change.
        change === "profile-fields" && kept.at(-1)?.change === change
          ? kept
          : [...kept, { change, before }].slice(-maxSteps),
      ),
    undo:
      last === undefined
        ? undefined
        : () => {
            setSteps((kept) => kept.slice(0, -1));
            restore(last.change === "call" ? last.before : { ...last.before, input: now.input });
          },
  };
}
