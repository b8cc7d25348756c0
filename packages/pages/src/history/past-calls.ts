import { useEffect, useState } from "preact/hooks";
import { isObject, sameJson, textOf } from "../json/values.js";
import { type SharedCall, sentCall } from "../model/call.js";
import { metaOf, type Reply, statusOf } from "../model/reply.js";
import { sessionStore } from "../parts/browser.js";

/** Reads a call that was kept as JSON. */
export function readKeptCall(value: unknown): SharedCall | undefined {
  if (!isObject(value) || !Object.hasOwn(value, "input")) return undefined;
  const { input, profile, profileName } = value;
  return {
    input,
    ...(profile === undefined ? {} : { profile }),
    ...(typeof profileName === "string" ? { profileName } : {}),
  };
}

/** A call that was evaluated, and how it ended. */
export interface PastCall {
  readonly call: SharedCall;
  /** The rule that matched, else the status. */
  readonly ended: string;
  /** ISO 8601, UTC. */
  readonly at: string;
}

const maxCalls = 12;

/** A history with one more call at its start. The same call is in it once. */
export function withCall(past: readonly PastCall[], call: PastCall): readonly PastCall[] {
  return [call, ...past.filter((one) => !sameJson(one.call, call.call))].slice(0, maxCalls);
}

/** @param at - of the evaluation, if the reply does not tell */
export function pastCallOf(reply: Reply, at: string): PastCall {
  const meta = metaOf(reply);
  return {
    call: sentCall(reply),
    ended: textOf(meta, "matchedRule") ?? statusOf(reply).replaceAll("_", " "),
    at: textOf(meta, "evaluatedAt") ?? at,
  };
}

/** Reads a history that was kept as JSON. */
export function readPastCalls(kept: unknown): readonly PastCall[] {
  if (!Array.isArray(kept)) return [];
  const list: readonly unknown[] = kept;
  return list.flatMap((entry): PastCall[] => {
    if (!isObject(entry)) return [];
    const call = readKeptCall(entry["call"]);
    const ended = textOf(entry, "ended");
    const at = textOf(entry, "at");
    return call === undefined || ended === undefined || at === undefined ? [] : [{ call, ended, at }];
  });
}

/** What a value is kept as: several services may share an origin, each behind its own prefix. */
export function keptAs(key: string): string {
  return `decern ${location.pathname} ${key}`;
}

/** While somebody drags a slider, no result lasts this long. */
const settledMs = 1200;

/** The calls of one decision that were evaluated in this tab, newest first. */
export function useHistory(
  id: string,
  version: string | undefined,
  reply: Reply | undefined,
): readonly PastCall[] {
  const key = keptAs(`history ${id} ${version ?? ""}`);
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
