import type { HarnessExchange } from "./driver.js";
import { fault } from "./hooks.js";
import type { Journal } from "./journal.js";

/** The states that other code of a host may have left a reply in. */
export const replyStates = ["fresh", "begun", "ended", "broken"] as const;

/** Notes how an exchange ended, and resolves `ended` then. */
export function exchangeFor(
  journal: Journal,
  { hands, state }: { readonly hands: boolean; readonly state: (typeof replyStates)[number] },
): HarnessExchange & { readonly ended: Promise<void>; readonly start: (work: () => void) => void } {
  let resolve = (): void => {};
  const ended = new Promise<void>((done) => {
    resolve = done;
  });
  const end = (what: string, ...seen: readonly unknown[]): void => {
    journal.note(what, ...seen);
    resolve();
  };
  return {
    ended,
    /** What a host throws at once, its framework catches. */
    start: (work) => {
      try {
        work();
      } catch (thrown) {
        end("thrown", thrown);
      }
    },
    requestId: "given-1",
    handsOverHostErrors: hands,
    onDecided: (result) => journal.note("onDecided", result),
    hasBegun: () => state === "begun" || state === "ended",
    hasEnded: () => state === "ended",
    write: (...what) => {
      if (state === "broken") throw fault("write");
      end("write", ...what);
    },
    whenWritten: (run) => {
      journal.note("whenWritten");
      setImmediate(run);
    },
    leave: () => end("leave"),
    fail: (error, requestId) => end("fail", error, requestId),
    pass: (requestId, headers) => end("pass", requestId, headers),
  };
}
