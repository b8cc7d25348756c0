import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { sameJson } from "../json/values.js";
import { hasDraft, type SharedCall } from "../model/call.js";
import type { Reply } from "../model/reply.js";
import { sessionStore } from "../parts/browser.js";
import { QuietButton } from "../parts/controls.js";
import { keptAs, type PastCall, readKeptCall, useHistory } from "./past-calls.js";

interface HistoryPanelProps {
  readonly past: readonly PastCall[];
  readonly onRestore: (call: SharedCall) => void;
}

/** The calls that were evaluated in this tab, each of which can be put into the form again. */
export function HistoryPanel({ past, onRestore }: HistoryPanelProps) {
  if (past.length === 0) return <p class="field-description">Nothing was evaluated in this tab yet.</p>;
  return (
    <section class="history" aria-label="History">
      <ol>
        {past.map(({ call, ended, at }) => (
          <li key={at + ended}>
            <QuietButton onClick={() => onRestore(call)}>
              <time dateTime={at}>{new Date(at).toLocaleTimeString("en-GB")}</time>
              <code>{ended}</code>
              <span class="history-input">{JSON.stringify(call.input)}</span>
            </QuietButton>
          </li>
        ))}
      </ol>
      <p class="field-description">Kept in this tab until you close it. Never sent.</p>
    </section>
  );
}

/** Typing must not wait for the disk. */
const pauseMs = 1000;

/** One for all versions: what was written for one of them comes along to the next. */
function keyOf(id: string): string {
  return keptAs(`draft ${id}`);
}

/** The call that was in the form when it was left. */
export function draftOf(id: string): SharedCall | undefined {
  return readKeptCall(sessionStore.read(keyOf(id)));
}

/**
 * Keeps the call in the form. While a field has text that isn't a value, the call before it stays kept.
 *
 * @param untouched - what the form starts with, which is not worth keeping
 */
function useDraft(id: string, call: SharedCall, untouched: SharedCall | undefined): void {
  const latest = useRef(call);
  if (!hasDraft(call)) latest.current = call;
  const keep = () => {
    const { input, profile, profileName } = untouched ?? { input: undefined };
    const isUntouched = sameJson(latest.current, { input, profile, profileName });
    sessionStore.write(keyOf(id), isUntouched ? undefined : latest.current);
  };
  useEffect(() => {
    const timer = setTimeout(keep, pauseMs);
    return () => clearTimeout(timer);
  }, [call]);
  // Before anybody can have typed: an effect would wait for the page to be painted.
  useLayoutEffect(() => {
    addEventListener("pagehide", keep);
    // Capturing, so before the page shows what the new address asks for, which may be this draft.
    addEventListener("hashchange", keep, true);
    return () => {
      removeEventListener("pagehide", keep);
      removeEventListener("hashchange", keep, true);
      keep();
    };
  }, []);
}

const maxSteps = 30;

/** What was changed together: the whole call, which profile applies, or the profile's fields, one after another. */
type Change = "call" | "profile" | "profile-fields";

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
function useUndo(now: SharedCall, restore: (call: SharedCall) => void): Undo {
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
  useDraft(id, call, untouched);
  const past = useHistory(id, version, reply);
  const { remember, undo } = useUndo(call, restore);
  const start = (next: SharedCall) => {
    remember("call", call);
    restore(next);
  };
  return { past, start, remember: (change) => remember(change, call), undo };
}
