import type { ProfileOverride } from "@decern/core";
import { errorBody, type HostedDecision, type SentProfile, tableReply } from "@decern/core/host";
import { isRecord } from "../is-record.js";
import { refuseProfile, sentProfile } from "./sent-profile.js";

/** What a body asks for. */
export interface AskedEvaluation {
  readonly input: unknown;
  readonly sent: SentProfile | undefined;
}

/** Why a body is refused. */
interface RefusedBody {
  readonly refusal: { readonly status: number; readonly body: string };
}

const missingInput: RefusedBody = {
  refusal: { status: 400, body: JSON.stringify({ error: tableReply("MISSING_INPUT").message }) },
};

/** Reads the body of a request to evaluate a decision, or says why it is refused. */
export function readEvaluationBody(
  body: unknown,
  hosted: HostedDecision,
  profileOverride: ProfileOverride,
): AskedEvaluation | RefusedBody {
  if (!isRecord(body) || !Object.hasOwn(body, "input")) return missingInput;
  const refusal = refuseProfile(body, hosted, profileOverride);
  if (refusal !== undefined) return { refusal: { status: refusal.status, body: errorBody(refusal) } };
  return { input: body["input"], sent: sentProfile(body) };
}
