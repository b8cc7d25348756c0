import { DecernError } from "../errors.js";
import { isInstant } from "../evaluation/clock.js";
import { isRequestId } from "../evaluation/request-id.js";
import type { Told } from "./hook-context.js";

/**
 * Reads what `beforeEvaluate` returned.
 *
 * @param toldProfile - the one that the hook was told
 * @returns the call as the hook wants it; `undefined` when it returned nothing
 * @throws DecernError `EVALUATION_FAILED` when the answer makes no sense: going on with half of it would decide something
 *   that nobody asked for
 */
export function applyPatch(told: Told, toldProfile: unknown, patch: unknown): Told | undefined {
  if (patch === undefined || patch === null) return undefined;
  if (typeof patch !== "object" || Array.isArray(patch)) throw nonsense("no object");
  const decisionId = "decisionId" in patch ? patch.decisionId : told.decisionId;
  const input = "input" in patch ? patch.input : told.input;
  const profile = "profile" in patch ? patch.profile : toldProfile;
  const requestId = "requestId" in patch ? patch.requestId : told.requestId;
  const epochMs = "timestamp" in patch ? instantOf(patch.timestamp) : told.epochMs;
  if (typeof decisionId !== "string") throw nonsense("a decisionId that is no string");
  if (typeof requestId !== "string" || !isRequestId(requestId))
    throw nonsense("a requestId that is not valid");
  return { decisionId, input, profile, requestId, epochMs };
}

/** Taken out of the date, which the hook may change later. */
function instantOf(timestamp: unknown): number {
  const epochMs = timestamp instanceof Date ? timestamp.getTime() : Number.NaN;
  if (!isInstant(epochMs)) throw nonsense("a timestamp that is no date");
  return epochMs;
}

function nonsense(what: string): DecernError {
  return new DecernError("EVALUATION_FAILED", { detail: `beforeEvaluate answered ${what}` });
}
