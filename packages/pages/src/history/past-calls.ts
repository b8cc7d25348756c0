import { isObject, sameJson, textOf } from "../model/json.js";
import { metaOf, type Reply, statusOf } from "../model/reply.js";
import { sentCall } from "../model/sent-call.js";
import type { SharedCall } from "../model/share-link.js";
import { readKeptCall } from "./kept-call.js";

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
