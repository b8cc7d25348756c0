import { DecernError } from "./errors.js";
import type { HookContext } from "./hooks.js";
import { isRequestId } from "./request-id.js";

/**
 * Applies what `beforeEvaluate` answered. The same context comes back when it answered nothing.
 *
 * @throws DecernError `EVALUATION_FAILED` when the answer makes no sense: going on with half of it would decide something
 *   that nobody asked for
 */
export function applyPatch(context: HookContext, patch: unknown): HookContext {
  if (patch === undefined || patch === null) return context;
  if (typeof patch !== "object" || Array.isArray(patch)) throw nonsense("no object");
  const patched = {
    decisionId: "decisionId" in patch ? patch.decisionId : context.decisionId,
    input: "input" in patch ? patch.input : context.input,
    profile: "profile" in patch ? patch.profile : context.profile,
    requestId: "requestId" in patch ? patch.requestId : context.requestId,
    timestamp: "timestamp" in patch ? patch.timestamp : context.timestamp,
  };
  const { decisionId, requestId, timestamp } = patched;
  if (typeof decisionId !== "string") throw nonsense("a decisionId that is no string");
  if (typeof requestId !== "string" || !isRequestId(requestId))
    throw nonsense("a requestId that is not valid");
  if (!(timestamp instanceof Date) || Number.isNaN(timestamp.getTime()))
    throw nonsense("a timestamp that is no date");
  return { ...patched, decisionId, requestId, timestamp };
}

function nonsense(what: string): DecernError {
  return new DecernError("EVALUATION_FAILED", { detail: `beforeEvaluate answered ${what}` });
}
