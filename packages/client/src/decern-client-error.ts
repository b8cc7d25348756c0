import type { ErrorCode } from "@decern/core";

/** Why there is no reply of the service, or none that can be used. */
export type ClientErrorCode = "ABORTED" | "NETWORK_ERROR" | "TIMEOUT" | "UNEXPECTED_REPLY";

/** What is known of a failed call. */
export interface DecernClientErrorDetails {
  /** HTTP status; absent without a reply. */
  readonly status?: number | undefined;
  /** The `x-request-id` of the reply, or the one that was sent. */
  readonly requestId?: string | undefined;
  /** What `Retry-After` asks for, in milliseconds. */
  readonly retryAfterMs?: number | undefined;
  readonly cause?: unknown;
}

const brand: unique symbol = Symbol.for("decern.client-error");

/** A call that got no envelope. `instanceof` holds across two copies of this package. */
export class DecernClientError extends Error {
  override readonly name = "DecernClientError";
  /** The code of the service's reply, which may be one of its hooks, or a {@link ClientErrorCode}. */
  readonly code: ErrorCode | ClientErrorCode | (string & {});
  readonly status: number | undefined;
  readonly requestId: string | undefined;
  readonly retryAfterMs: number | undefined;
  readonly [brand] = true;

  constructor(code: DecernClientError["code"], message: string, details: DecernClientErrorDetails = {}) {
    super(message, { cause: details.cause });
    this.code = code;
    this.status = details.status;
    this.requestId = details.requestId;
    this.retryAfterMs = details.retryAfterMs;
  }

  static override [Symbol.hasInstance](value: unknown): boolean {
    return typeof value === "object" && value !== null && brand in value;
  }
}
