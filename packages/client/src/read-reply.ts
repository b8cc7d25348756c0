import type { Result } from "@decern/core";
import type { BatchItem } from "./batch-item.js";
import { DecernClientError } from "./decern-client-error.js";

/** A reply's body, where it is an object of JSON. */
type Body = Readonly<Record<string, unknown>>;

/**
 * @returns the envelope of a reply
 * @throws DecernClientError where there is none
 */
export async function readEnvelope(response: Response): Promise<Result> {
  const body = parse(await response.text());
  if (isEnvelope(body)) return body;
  throw failure(response, body);
}

/** Reads the reply to a batch. */
export async function readBatch(response: Response, count: number): Promise<readonly BatchItem[]> {
  const body = parse(await response.text());
  const { results } = body;
  if (response.ok && isItems(results) && results.length === count) return results;
  throw failure(response, body);
}

/** Reads a reply in NDJSON, which ends with the number of its items, since one that was cut looks complete. */
export async function readLines(response: Response, count: number): Promise<readonly BatchItem[]> {
  const text = await response.text();
  // A page, such as a proxy's to sign in: to send the request again would not help.
  if (!response.ok || /^[^{]/.test(text)) throw failure(response, parse(text));
  const items = text.trimEnd().split("\n").map(parse);
  const { done, count: counted } = items.pop() ?? {};
  if (done === true && counted === count && isItems(items) && items.length === count) return items;
  throw new Error("The reply was cut off");
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
function isEnvelope(body: object): body is Result {
  return "status" in body && typeof body.status === "string" && "meta" in body;
}

function isItems(results: unknown): results is readonly BatchItem[] {
  return Array.isArray(results);
}

function failure({ status, headers }: Response, { error, code }: Body): DecernClientError {
  return new DecernClientError(
    typeof code === "string" ? code : "UNEXPECTED_REPLY",
    typeof error === "string" ? error : `HTTP ${status} without a Decern reply`,
    {
      status,
      requestId: headers.get("x-request-id") ?? undefined,
      retryAfterMs: milliseconds(headers.get("retry-after")),
    },
  );
}

/** `Retry-After` has seconds or a date. */
function milliseconds(header: string | null): number | undefined {
  if (header === null) return undefined;
  const wait = /^\d+$/.test(header) ? Number(header) * 1000 : Date.parse(header) - Date.now();
  return Number.isNaN(wait) ? undefined : Math.max(wait, 0);
}
