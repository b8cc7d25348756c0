/** Every error of Decern: who owns it, its HTTP status where it has one, and the text a caller sees. */
export const ERRORS = {
  // The author of a decision, or who wires a host: thrown at definition or start.
  INVALID_DECISION: { owner: "decision", status: 500, message: "Invalid decision" },
  INVALID_OPTIONS: { owner: "host", status: 500, message: "Invalid options" },
  ADDRESS_IN_USE: { owner: "host", status: 500, message: "Port already in use" },
  CLOSE_FAILED: { owner: "host", status: 500, message: "Server did not close cleanly" },
  // For the user who starts a job over a file.
  JOB_CHANGED: { owner: "host", status: 500, message: "The job has changed since it was started" },
  JOB_RUNNING: { owner: "host", status: 500, message: "The job is running in another process" },
  // Errors while serving: masked, logged, given to `onError`.
  EVALUATION_FAILED: { owner: "decision", status: 500, message: "Evaluation failed" },
  INVALID_HOST_PROFILE: { owner: "host", status: 500, message: "Evaluation failed" },
  RECORD_UNAVAILABLE: { owner: "host", status: 503, message: "The decision cannot be recorded" },
  PROFILES_NOT_LOADED: { owner: "host", status: 503, message: "Profiles could not be loaded" },
  DECISIONS_NOT_LOADED: { owner: "host", status: 503, message: "Decisions could not be loaded" },
  HOOK_TIMEOUT: { owner: "host", status: 503, message: "A hook did not finish in time" },
  INTERNAL_ERROR: { owner: "host", status: 500, message: "Internal server error" },
  SERVER_CLOSING: { owner: "host", status: 503, message: "Server is closing" },
  OVERLOADED: { owner: "host", status: 503, message: "Server is overloaded" },
  // The caller.
  EVALUATION_ABORTED: { owner: "caller", status: 400, message: "Evaluation refused" },
  MISSING_INPUT: { owner: "caller", status: 400, message: "Missing 'input' in request body" },
  MISSING_INPUTS: { owner: "caller", status: 400, message: "The request body must have a list 'inputs'" },
  BATCH_TOO_LARGE: { owner: "caller", status: 400, message: "Too many inputs" },
  INVALID_JSON: { owner: "caller", status: 400, message: "Request body is not valid JSON" },
  INVALID_ROW: { owner: "caller", status: 400, message: "The row cannot be read" },
  FORBIDDEN_KEY: { owner: "caller", status: 400, message: "Request body has a forbidden key" },
  BAD_REQUEST: { owner: "caller", status: 400, message: "Bad request" },
  UNAUTHORIZED: { owner: "caller", status: 401, message: "Authentication required" },
  ACCESS_DENIED: { owner: "caller", status: 403, message: "Access denied" },
  PROFILE_OVERRIDE_FORBIDDEN: {
    owner: "caller",
    status: 403,
    message: "This server does not accept a 'profile' in the request body",
  },
  PROFILE_NOT_OFFERED: {
    owner: "caller",
    status: 403,
    message: "This server does not offer a profile of that name",
  },
  DECISION_NOT_FOUND: { owner: "caller", status: 404, message: "Decision not found" },
  VERSION_NOT_FOUND: { owner: "caller", status: 404, message: "Version not found" },
  RECORD_NOT_FOUND: { owner: "caller", status: 404, message: "Record not found" },
  ROUTE_NOT_FOUND: { owner: "caller", status: 404, message: "Route not found" },
  METHOD_NOT_ALLOWED: { owner: "caller", status: 405, message: "Method not allowed" },
  REQUEST_TIMEOUT: { owner: "caller", status: 408, message: "Request took too long to arrive" },
  RECORD_INCOMPLETE: {
    owner: "caller",
    status: 409,
    message: "The record lacks the data to evaluate it again",
  },
  VERSION_RETIRED: { owner: "caller", status: 410, message: "Version retired" },
  BODY_TOO_LARGE: { owner: "caller", status: 413, message: "Request body is too large" },
  URI_TOO_LONG: { owner: "caller", status: 414, message: "Request URL is too long" },
  UNSUPPORTED_MEDIA_TYPE: { owner: "caller", status: 415, message: "Request body must be JSON" },
  INVALID_DRAFT: { owner: "caller", status: 422, message: "The draft breaks its contract" },
  HEADERS_TOO_LARGE: { owner: "caller", status: 431, message: "Request headers are too large" },
} as const;

/** A stable code of {@link ERRORS}. */
export type ErrorCode = keyof typeof ERRORS;

/** One thing that is wrong with a definition or with options. */
export interface Problem {
  /** Where, as a JSON Pointer into what was given; empty for the whole. */
  readonly path: string;
  readonly message: string;
}

export interface DecernErrorOptions {
  /** For the log, never for the caller. */
  readonly detail?: string;
  readonly problems?: readonly Problem[];
  readonly statusCode?: number;
  readonly cause?: unknown;
}

const brand: unique symbol = Symbol.for("decern.error");

/**
 * Every error that Decern throws. `instanceof` holds across two copies of this package.
 *
 * @see docs/errors.md for each code, its owner and what to do about it
 */
export class DecernError extends Error {
  override readonly name = "DecernError";
  readonly code: ErrorCode;
  /** HTTP status that a host responds with. */
  readonly statusCode: number;
  /** What is wrong, one entry each; empty where the message says it all. */
  readonly problems: readonly Problem[];
  readonly [brand] = true;

  constructor(code: ErrorCode, options: DecernErrorOptions = {}) {
    const { detail, problems = [] } = options;
    const list = problems
      .map(({ path, message }) => `\n  - ${path === "" ? "" : `${path}: `}${message}`)
      .join("");
    super(
      `${ERRORS[code].message}${detail === undefined ? "" : `: ${detail}`}${list}`,
      "cause" in options ? { cause: options.cause } : undefined,
    );
    this.code = code;
    this.statusCode = options.statusCode ?? ERRORS[code].status;
    this.problems = problems;
  }

  static override readonly [Symbol.hasInstance]: (value: unknown) => boolean = isInstance;
}

function isInstance(this: unknown, value: unknown): boolean {
  // Subclasses inherit this method, and have no brand of their own.
  if (this !== DecernError) return Function.prototype[Symbol.hasInstance].call(this, value);
  if (typeof value !== "object" || value === null) return false;
  try {
    return brand in value;
  } catch {
    // An unreadable proxy is not a DecernError.
    return false;
  }
}

/** What a caller learns of an error. */
export interface ErrorReply {
  readonly status: number;
  readonly code: string;
  readonly message: string;
}

const codePattern = /^[A-Z][A-Z0-9_]{0,63}$/;

/**
 * Turns any error into what may leave: the one place where errors are masked. A message of ours goes out as the table
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

/** An error never becomes a success. */
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

/** Copies an error of ours for somebody who watches. Its cause is the very thing that was thrown. */
export function copyError(error: DecernError): DecernError {
  const { code, statusCode, problems, message, stack } = error;
  const copy = new DecernError(code, {
    statusCode,
    problems: problems.map((problem) => ({ ...problem })),
    ...("cause" in error ? { cause: error.cause } : {}),
  });
  copy.message = message;
  if (stack !== undefined) copy.stack = stack;
  return copy;
}

/** What was thrown, if it is an error of ours that this version of the package knows. */
export function ownError(thrown: unknown): DecernError | undefined {
  return thrown instanceof DecernError && Object.hasOwn(ERRORS, thrown.code) ? thrown : undefined;
}
