import { useEffect, useState } from "preact/hooks";
import type { Reply } from "../model/reply.js";
import { type PastCall, pastCallOf, readPastCalls, withCall } from "./past-calls.js";
import { sessionStore } from "./session-store.js";

/** While somebody drags a slider, no answer lasts this long. */
const settledMs = 1200;

/** The calls of one decision that were evaluated in this tab, newest first. */
export function useHistory(
  id: string,
  version: string | undefined,
  reply: Reply | undefined,
): readonly PastCall[] {
  const key = `history ${id} ${version ?? ""}`;
  const [past, setPast] = useState<readonly PastCall[]>(() => readPastCalls(sessionStore.read(key)));
  useEffect(() => {
    if (reply === undefined || reply.httpStatus === 0) return;
    const entry = pastCallOf(reply, new Date().toISOString());
    const timer = setTimeout(() => {
      setPast((before) => {
        const after = withCall(before, entry);
        sessionStore.write(key, after);
        return after;
      });
    }, settledMs);
    return () => clearTimeout(timer);
  }, [key, reply]);
  return past;
}
