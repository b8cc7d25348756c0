import { DecernError } from "../errors.js";
import { isInstant } from "../evaluation/clock.js";
import { isRequestId } from "../evaluation/request-id.js";
import type { Told } from "./hook-context.js";

/** What a hook may change: not who asks, and not which version is evaluated. */
type Patched = Pick<Told, "decisionId" | "input" | "profile" | "requestId" | "epochMs">;

/**
 * Reads what `beforeEvaluate` returned.
 *
 * @param toldProfile - the profile that the hook got a copy of
 * @returns the call as the hook wants it
 * @throws DecernError `EVALUATION_FAILED` when the returned value makes no sense: using half of it would decide something
 *   that nobody asked for
 */
export function readPatch(told: Told, toldProfile: unknown, patch: unknown): Patched {
  if (typeof patch !== "object" || patch === null || Array.isArray(patch)) {
    throw nonsense("something that is not an object");
  }
  const decisionId = "decisionId" in patch ? patch.decisionId : told.decisionId;
  const input = "input" in patch ? patch.input : told.input;
  const profile = "profile" in patch ? patch.profile : toldProfile;
  const requestId = "requestId" in patch ? patch.requestId : told.requestId;
  const epochMs = "timestamp" in patch ? instantOf(patch.timestamp) : told.epochMs;
  if (typeof decisionId !== "string") throw nonsense("a decisionId that is not a string");
  if (typeof requestId !== "string" || !isRequestId(requestId))
    throw nonsense("a requestId that is not valid");
  return { decisionId, input, profile, requestId, epochMs };
}

/** Taken out of the date, which the hook may change later. */
function instantOf(timestamp: unknown): number {
  const epochMs = timestamp instanceof Date ? timestamp.getTime() : Number.NaN;
  if (!isInstant(epochMs)) throw nonsense("a timestamp that is not a valid date");
  return epochMs;
}

function nonsense(what: string): DecernError {
  return new DecernError("EVALUATION_FAILED", { detail: `beforeEvaluate returned ${what}` });
}
