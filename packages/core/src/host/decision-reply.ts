import { copyResult } from "../copies/copy-result.js";
import { program } from "../definition/decision.js";
import type { DecernError, ErrorCode } from "../errors.js";
import type { Evaluation } from "../evaluation/evaluation.js";
import type { Result } from "../program/result.js";
import { maskedError } from "./host-error.js";
import { errorBody, RESULT_HTTP_STATUS, toErrorReply } from "./outcome-table.js";

/** What a host writes as its reply. */
export interface DecisionReply<Output = unknown> {
  readonly status: number;
  /** JSON text. */
  readonly body: string;
  /** To be sent as `x-request-id`. */
  readonly requestId: string;
  /** Further headers, such as those of a deprecated version. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** To be run once the reply is written: it must not delay it. */
  readonly afterwards: (() => void) | undefined;
  /** Absent on a fault. */
  readonly result: Result<Output> | undefined;
  /** The fault; absent where there is a result. */
  readonly error: DecernError | undefined;
  /** Set when the host's own callback failed: to be given to the host's error handling instead of being sent. */
  readonly hostError: { readonly thrown: unknown } | undefined;
}

/** Encodes what an evaluation ended with as a reply over HTTP. */
export interface ReplyEncoder {
  readonly takesRequests: boolean;
  result<Output>(result: Result<Output>, evaluation: Evaluation): DecisionReply<Output>;
  fault(error: DecernError, evaluation: Evaluation): DecisionReply<never>;
}

/** Writes the envelope. */
export const replyEncoder = {
  takesRequests: true,
  result<Output>(result: Result<Output>, evaluation: Evaluation): DecisionReply<Output> {
    return {
      status: RESULT_HTTP_STATUS[result.status],
      body: evaluation.decision[program].stringify(result),
      requestId: evaluation.requestId,
      headers: headersOf(evaluation),
      afterwards: evaluation.afterwards,
      result,
      error: undefined,
      hostError: undefined,
    };
  },
  fault(error: DecernError, evaluation: Evaluation): DecisionReply<never> {
    const reply = toErrorReply(error);
    const isHosts = error.code === "INVALID_HOST_PROFILE" || error.code === "INTERNAL_ERROR";
    const hostError = isHosts
      ? { thrown: error.cause === undefined ? maskedError(error) : error.cause }
      : undefined;
    return {
      status: reply.status,
      body: errorBody(reply),
      requestId: evaluation.requestId,
      headers: headersOf(evaluation, error.code),
      afterwards: undefined,
      result: undefined,
      error,
      hostError,
    };
  },
} as const satisfies ReplyEncoder;

/** Faults that pass by themselves. */
const passing: ReadonlySet<ErrorCode> = new Set(["PROFILES_NOT_LOADED", "RECORD_UNAVAILABLE"]);

/** The version's headers, the id of the record, and when to try again. */
function headersOf({ call, ticket }: Evaluation, code?: ErrorCode): DecisionReply["headers"] {
  const isPassing = code !== undefined && passing.has(code);
  const recordId = ticket?.recordId;
  if (recordId === undefined && !isPassing) return call.headers;
  return {
    ...call.headers,
    ...(recordId === undefined ? {} : { "decern-record-id": recordId }),
    ...(isPassing ? { "retry-after": "1" } : {}),
  };
}

/** As {@link replyEncoder}, with a result that nobody else has: for a host's callbacks, which may write to it. */
export const copyingReplyEncoder = {
  ...replyEncoder,
  result<Output>(result: Result<Output>, evaluation: Evaluation): DecisionReply<Output> {
    return { ...replyEncoder.result(result, evaluation), result: copyResult(result) };
  },
} as const satisfies ReplyEncoder;
