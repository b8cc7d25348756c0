import { type DecernError, type ErrorCode, errorBody, toErrorReply } from "../base/errors.js";
import { maskedError } from "../base/thrown.js";
import { program, type UsedEvaluation } from "../decision/decision.js";
import { copyResult, type Result } from "../decision/result.js";
import { RESULT_HTTP_STATUS } from "../decision/told.js";
import type { Evaluation } from "../service/evaluation.js";

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

/** About how many characters of evaluations one trace has. A decision may pass all of a large input on a thousand times. */
const maxCharacters = 1_000_000;

/**
 * Writes `{ envelope, used }`: the envelope, and every evaluation that rules made of other decisions. A trace that is too
 * long ends early and says `truncated`.
 */
export const tracingReplyEncoder = {
  ...replyEncoder,
  result<Output>(result: Result<Output>, evaluation: Evaluation): DecisionReply<Output> {
    const reply = replyEncoder.result(result, evaluation);
    const trace = new TraceText();
    const used = trace.list(evaluation.used);
    const end = trace.isTruncated ? `,"truncated":true}` : "}";
    return { ...reply, body: `{"envelope":${reply.body},"used":${used}${end}` };
  },
} as const satisfies ReplyEncoder;

class TraceText {
  #left = maxCharacters;
  isTruncated = false;

  list(used: readonly UsedEvaluation[]): string {
    const entries: string[] = [];
    for (const one of used) {
      if (this.#left <= 0) {
        this.isTruncated = true;
        break;
      }
      entries.push(this.#entry(one));
    }
    return `[${entries.join()}]`;
  }

  #entry({ decision, input, result, used }: UsedEvaluation): string {
    const names = `"decisionId":${JSON.stringify(decision.id)},"version":${JSON.stringify(decision.version)}`;
    const own = `{${names},"input":${inputText(input)},"envelope":${envelopeText(decision[program], result)}`;
    this.#left -= own.length;
    return `${own},"used":${this.list(used)}}`;
  }
}

/** Rules may pass anything on. What JSON cannot carry must not fail a call that has succeeded. */
function inputText(input: unknown): string {
  try {
    return JSON.stringify(input) ?? "null";
  } catch {
    return "null";
  }
}

function envelopeText(writer: UsedEvaluation["decision"][typeof program], result: Result): string {
  try {
    return writer.stringify(result);
  } catch {
    // `data` has no JSON form, and nobody sends it: only the decision that used it is replied.
    const { status, meta } = result;
    return JSON.stringify({ status, meta });
  }
}
