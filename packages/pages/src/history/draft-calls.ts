import { useEffect, useRef } from "preact/hooks";
import { hasDraft } from "../model/draft.js";
import { sameJson } from "../model/json.js";
import type { SharedCall } from "../model/share-link.js";
import { readKeptCall } from "./kept-call.js";
import { sessionStore } from "./session-store.js";

/** Typing must not wait for the disk. */
const pauseMs = 300;

function keyOf(id: string, version: string | undefined): string {
  return `draft ${id} ${version ?? ""}`;
}

/** The call that was in the form when it was left. */
export function draftOf(id: string, version: string | undefined): SharedCall | undefined {
  return readKeptCall(sessionStore.read(keyOf(id, version)));
}

/**
 * Keeps the call in the form. While a field has text that is no value, the call before it stays kept.
 *
 * @param untouched - what the form starts with, which is not worth keeping
 */
export function useDraft(
  id: string,
  version: string | undefined,
  call: SharedCall,
  untouched: SharedCall | undefined,
): void {
  const latest = useRef(call);
  if (!hasDraft(call)) latest.current = call;
  const keep = () => {
    const { input, profile, profileName } = untouched ?? { input: undefined };
    const isUntouched = sameJson(latest.current, { input, profile, profileName });
    sessionStore.write(keyOf(id, version), isUntouched ? undefined : latest.current);
  };
  useEffect(() => {
    const timer = setTimeout(keep, pauseMs);
    return () => clearTimeout(timer);
  }, [call]);
  useEffect(() => {
    addEventListener("pagehide", keep);
    return () => {
      removeEventListener("pagehide", keep);
      keep();
    };
  }, []);
}
