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
  // Faults while serving: masked, logged, given to `onError`.
  EVALUATION_FAILED: { owner: "decision", status: 500, message: "Evaluation failed" },
  INVALID_HOST_PROFILE: { owner: "host", status: 500, message: "Evaluation failed" },
  RECORD_UNAVAILABLE: { owner: "host", status: 503, message: "The decision cannot be recorded" },
  PROFILES_NOT_LOADED: { owner: "host", status: 503, message: "Profiles could not be loaded" },
  HOOK_TIMEOUT: { owner: "host", status: 503, message: "A hook did not finish in time" },
  INTERNAL_ERROR: { owner: "host", status: 500, message: "Internal server error" },
  SERVER_CLOSING: { owner: "host", status: 503, message: "Server is closing" },
  OVERLOADED: { owner: "host", status: 503, message: "Server is overloaded" },
  // The caller.
  EVALUATION_ABORTED: { owner: "caller", status: 400, message: "Evaluation refused" },
  MISSING_INPUT: { owner: "caller", status: 400, message: "Missing 'input' in request body" },
  MISSING_INPUTS: { owner: "caller", status: 400, message: "Missing 'inputs', a list, in request body" },
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
  /** HTTP status that a host answers with. */
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
