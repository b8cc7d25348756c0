import { DecernError } from "../errors.js";
import { isInstant } from "../evaluation/clock.js";
import { isRequestId } from "../evaluation/request-id.js";
import type { Told } from "./hook-context.js";

/**
 * Applies what `beforeEvaluate` answered. The same comes back when it answered nothing.
 *
 * @throws DecernError `EVALUATION_FAILED` when the answer makes no sense: going on with half of it would decide something
 *   that nobody asked for
 */
export function applyPatch(told: Told, patch: unknown): Told {
  if (patch === undefined || patch === null) return told;
  if (typeof patch !== "object" || Array.isArray(patch)) throw nonsense("no object");
  const decisionId = "decisionId" in patch ? patch.decisionId : told.decisionId;
  const input = "input" in patch ? patch.input : told.input;
  const profile = "profile" in patch ? patch.profile : told.profile;
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
