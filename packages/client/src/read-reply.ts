import type { ErrorCode, Result } from "@decern/core";
import type { BatchItem } from "./client.js";

/** Why there is no usable reply from the service. */
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

/** A reply's body, where it is an object of JSON. */
type Body = Readonly<Record<string, unknown>>;

/** The HTTP status of each envelope. */
const statuses = { OK: 200, NO_MATCH: 200, INVALID_INPUT: 400, INVALID_PROFILE: 400 };

/**
 * Reads the text of a reply.
 *
 * @throws DecernClientError for one that is too large, before all of it is in memory
 */
export async function textOf(response: Response, maxBytes: number): Promise<string> {
  const reader = response.body?.getReader();
  // A `fetch` of the caller's may have no streams.
  if (reader === undefined) return response.text();
  const decoder = new TextDecoder();
  let text = "";
  let size = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return text + decoder.decode();
    size += value.length;
    if (size > maxBytes) {
      void reader.cancel().catch(() => {});
      throw unexpected(response, `The reply has more than ${maxBytes} bytes`);
    }
    text += decoder.decode(value, { stream: true });
  }
}

/**
 * @returns the envelope of a reply
 * @throws DecernClientError where there is none
 */
export function readEnvelope(response: Response, text: string): Result {
  const body = parse(text);
  if (isEnvelope(body) && statuses[body.status] === response.status) return body;
  throw failure(response, body);
}

/** Reads the reply to a batch. */
export function readBatch(response: Response, text: string, count: number): readonly BatchItem[] {
  const body = parse(text);
  const { results } = body;
  if (response.ok && isItems(results, count)) return results;
  throw failure(response, body);
}

/** Reads a reply in NDJSON, which ends with the number of its items, since one that was cut looks complete. */
export function readLines(response: Response, text: string, count: number): readonly BatchItem[] {
  // A page, such as a proxy's to sign in: to send the request again would not help.
  if (!response.ok || /^[^{]/.test(text)) throw failure(response, parse(text));
  const items = text.trimEnd().split("\n").map(parse);
  const { done, count: counted } = items.pop() ?? {};
  if (done !== true || counted !== count || items.length !== count) throw new Error("The reply was cut off");
  if (isItems(items, count)) return items;
  throw failure(response, {});
}

/** What a proxy replies may be no JSON, and is then as good as nothing. */
function parse(text: string): Body {
  try {
    return Object(JSON.parse(text));
  } catch {
    return {};
  }
}

// The service has checked the outputs. A second check would need the schemas here.
function isEnvelope(body: unknown): body is Result {
  const { status, meta }: Body = Object(body);
  return (
    typeof status === "string" && Object.hasOwn(statuses, status) && typeof meta === "object" && meta !== null
  );
}

function isItems(results: unknown, count: number): results is readonly BatchItem[] {
  return Array.isArray(results) && results.length === count && results.every(isItem);
}

function isItem(item: unknown): boolean {
  const { status, code, error }: Body = Object(item);
  return isEnvelope(item) || (status === undefined && typeof code === "string" && typeof error === "string");
}

function failure(response: Response, { error, code }: Body): DecernClientError {
  const message = typeof error === "string" ? error : `HTTP ${response.status} without a Decern reply`;
  return unexpected(response, message, typeof code === "string" ? code : undefined);
}

/** The error of a reply that is not used. */
export function unexpected(
  { status, headers }: Response,
  message: string,
  code = "UNEXPECTED_REPLY",
): DecernClientError {
  return new DecernClientError(code, message, {
    // A browser has none for a redirect.
    status: status || undefined,
    requestId: headers.get("x-request-id") ?? undefined,
    retryAfterMs: milliseconds(headers.get("retry-after")),
  });
}

/** `Retry-After` has seconds or a date. */
function milliseconds(header: string | null): number | undefined {
  if (header === null) return undefined;
  const wait = /^\d+$/.test(header) ? Number(header) * 1000 : Date.parse(header) - Date.now();
  return Number.isNaN(wait) ? undefined : Math.max(wait, 0);
}
