import { DecernError, ERRORS, type ErrorCode } from "../errors.js";
import type { ResultStatus } from "../program/result.js";

/** The HTTP status of each envelope. */
export const RESULT_HTTP_STATUS = {
  OK: 200,
  NO_MATCH: 200,
  INVALID_INPUT: 400,
  INVALID_PROFILE: 400,
} as const satisfies Record<ResultStatus, number>;

/** What a caller is told of an error. */
export interface ErrorReply {
  readonly status: number;
  readonly code: string;
  readonly message: string;
}

const codePattern = /^[A-Z][A-Z0-9_]{0,63}$/;

/**
 * Turns any error into what may leave: the one place where faults are masked. A message of ours goes out as the table
 * has it, never with its detail, unless it is about a row of a file; a hook's refusal (4xx) goes out with its own message and code.
 */
export function toErrorReply(error: unknown): ErrorReply {
  try {
    return read(error);
  } catch {
    // What cannot be read says nothing.
    return tableReply("INTERNAL_ERROR");
  }
}

function read(error: unknown): ErrorReply {
  if (!(error instanceof DecernError) || !Object.hasOwn(ERRORS, error.code))
    return tableReply("INTERNAL_ERROR");
  const { code, cause, statusCode } = error;
  const table = tableReply(code);
  const status = isErrorStatus(statusCode) ? statusCode : table.status;
  // Its detail is about the row, whose sender must find what is wrong with it.
  if (code === "INVALID_ROW") return { ...table, message: error.message };
  if (code !== "EVALUATION_ABORTED") return { ...table, status };
  const saidCode = typeof cause === "object" && cause !== null && "code" in cause ? cause.code : undefined;
  // Not `instanceof Error`: an error of another realm, such as a test runner's, is none here.
  const said = typeof cause === "object" && cause !== null && "message" in cause ? cause.message : undefined;
  return {
    status,
    code: typeof saidCode === "string" && codePattern.test(saidCode) ? saidCode : code,
    message: typeof said === "string" && said !== "" ? said : table.message,
  };
}

/** An error is never answered as a success. */
function isErrorStatus(status: unknown): status is number {
  return typeof status === "number" && Number.isInteger(status) && status >= 400 && status <= 599;
}

/** The reply that the error table has for a code. */
export function tableReply(code: ErrorCode, detail?: string): ErrorReply {
  const { status, message } = ERRORS[code];
  return { status, code, message: detail === undefined ? message : `${message}: ${detail}` };
}

/** The body of an error reply, as JSON text. */
export function errorBody(reply: ErrorReply): string {
  return JSON.stringify({ error: reply.message, code: reply.code });
}
