import type { IncomingMessage } from "node:http";
import { promisify } from "node:util";
import { gunzip, gunzipSync, inflate } from "node:zlib";
import { DecernError, type ErrorCode, type ErrorReply, type Identity, type Logger } from "@decern/core";
import { createOriginReader, isUtf8Type, parseJsonText, toErrorReply } from "@decern/core/host";
import { isJsonObject } from "@decern/core/schema";
import { neverThrowing, readable } from "@decern/core/tools";
import { BatchRefusal, type Headers } from "../protocols/protocol.js";

const inflaters = new Map([
  ["gzip", promisify(gunzip)],
  ["x-gzip", promisify(gunzip)],
  ["deflate", promisify(inflate)],
]);

/** The JSON of a body. */
interface ReadBody {
  readonly body: unknown;
  /** Whether the body may have a forbidden key. */
  readonly isSuspicious: boolean;
}

/**
 * Reads the body of a request. Snowflake compresses what it sends to some proxies, and not all of them inflate it again.
 *
 * @param limit - in bytes, also for what a compressed body inflates to
 * @throws DecernError `BODY_TOO_LARGE`, `UNSUPPORTED_MEDIA_TYPE`, `INVALID_JSON`, or `BAD_REQUEST` for a body that broke off
 */
export async function readBody(request: IncomingMessage, limit: number): Promise<ReadBody> {
  checkCharset(request.headers["content-type"]);
  if (request.readableEnded || request.readableDidRead) return readParsed(request);
  if (Number(request.headers["content-length"]) > limit) throw new DecernError("BODY_TOO_LARGE");
  return parse(await inflated(await bytesOf(request, limit), request.headers["content-encoding"], limit));
}

/** @throws BatchRefusal for a body that is not UTF-8 by its content type */
function checkCharset(contentType: string | undefined): void {
  if (!isUtf8Type(contentType)) throw new BatchRefusal("UNSUPPORTED_MEDIA_TYPE", "send it as UTF-8");
}

/** Parses the text of a body. */
function parse(sent: Buffer | string): ReadBody {
  const { value, isSuspicious } = parseJsonText(sent);
  return { body: value, isSuspicious };
}

/** The host has read the body. Cloud Functions keep its bytes alongside what they made of it. */
function readParsed(request: IncomingMessage): ReadBody {
  const bytes: unknown = Reflect.get(request, "rawBody");
  if (Buffer.isBuffer(bytes)) return parse(bytes);
  const body: unknown = Reflect.get(request, "body");
  if (Buffer.isBuffer(body) || typeof body === "string") return parse(body);
  if (body === undefined) throw new DecernError("INVALID_JSON");
  return { body, isSuspicious: true };
}

function bytesOf(request: IncomingMessage, limit: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    request.on("data", (chunk: Buffer) => {
      size += chunk.length;
      if (size <= limit) chunks.push(chunk);
      else {
        chunks.length = 0;
        reject(new DecernError("BODY_TOO_LARGE"));
      }
    });
    request.on("end", () => resolve(Buffer.concat(chunks)));
    for (const event of ["error", "close"]) request.on(event, () => reject(new DecernError("BAD_REQUEST")));
  });
}

async function inflated(bytes: Buffer, encoding: string | undefined, limit: number): Promise<Buffer> {
  const name = encoding?.trim().toLowerCase() ?? "identity";
  if (name === "identity" || name === "") return bytes;
  const inflater = inflaters.get(name);
  if (inflater === undefined)
    throw new BatchRefusal("UNSUPPORTED_MEDIA_TYPE", "send it uncompressed, or as gzip or deflate");
  try {
    return await inflater(bytes, { maxOutputLength: limit });
  } catch (error) {
    const isTooLarge = error instanceof Error && "code" in error && error.code === "ERR_BUFFER_TOO_LARGE";
    if (isTooLarge) throw new DecernError("BODY_TOO_LARGE");
    throw new BatchRefusal("BAD_REQUEST", `the body is not ${name}`);
  }
}

/** An HTTP request, whichever framework received it. */
export interface ArrivedRequest {
  readonly raw: IncomingMessage;
  /** Path and query, as the caller sent them. */
  readonly url: string;
  /** The address of the caller, as the framework's proxy settings see it. */
  readonly ip: string | undefined;
  /** Set once it is admitted. */
  identity: Identity | undefined;
}

/** Tells which request asks. */
export const originOf = createOriginReader<ArrivedRequest>(
  {
    method: ({ raw }) => raw.method ?? "POST",
    url: ({ url }) => url,
    headers: ({ raw }) => raw.headers,
    ip: ({ ip }) => ip,
    identity: ({ identity }) => identity,
  },
  ({ identity }) => identity?.caller,
);

/** Makes the function that says why a request as a whole is rejected, and logs what is the host's error. */
export function failureReader(given: Logger): (thrown: unknown) => ErrorReply {
  const logger = neverThrowing(given);
  return (thrown) => {
    if (thrown instanceof BatchRefusal) return thrown.reply;
    const reply = toErrorReply(asRefusal(thrown));
    if (reply.status >= 500 || ownFaults.has(reply.code))
      logger.error({ err: readable(thrown) }, "A request of a warehouse failed");
    return reply;
  };
}

/** Errors of the host, whatever their status: engines must not ask again. */
const ownFaults: ReadonlySet<string> = new Set<ErrorCode>(["INVALID_HOST_PROFILE", "INTERNAL_ERROR"]);

/** A callback refuses a request with an error that carries a 4xx status. */
function asRefusal(thrown: unknown): unknown {
  if (thrown instanceof DecernError) return thrown;
  const cause = readable(thrown);
  const statusCode =
    typeof cause === "object" && cause !== null && "statusCode" in cause ? cause.statusCode : undefined;
  return typeof statusCode === "number" && statusCode >= 400 && statusCode <= 499
    ? new DecernError("EVALUATION_ABORTED", { statusCode, cause })
    : thrown;
}

/** What an event of API Gateway brings. */
interface GatewayRequest {
  readonly text: string | Uint8Array;
  readonly headers: Headers;
}

/** The most bytes of an inflated body: as many as over HTTP. */
const maxInflated = 16 * 1024 * 1024;

/**
 * Reads the event of API Gateway with Lambda proxy integration.
 *
 * @throws BatchRefusal
 */
export function gatewayRequest(event: unknown): GatewayRequest {
  if (!isJsonObject(event) || typeof event["body"] !== "string")
    throw new BatchRefusal(
      "BAD_REQUEST",
      "the event has no body: API Gateway needs Lambda proxy integration",
    );
  const { body, isBase64Encoded, headers } = event;
  const named = isJsonObject(headers) ? Object.entries(headers) : [];
  const texts = named.flatMap(([name, value]) =>
    typeof value === "string" ? [[name.toLowerCase(), value] as const] : [],
  );
  const found = new Map(texts);
  checkCharset(found.get("content-type"));
  const text = isBase64Encoded === true ? textOf(Buffer.from(body, "base64")) : body;
  return { text, headers: Object.fromEntries(found) };
}

/**
 * API Gateway inflates bodies where `minimumCompressionSize` is set, and passes them on as they are elsewhere. The header says
 * gzip in both cases, and JSON never begins as gzip does.
 */
function textOf(bytes: Buffer): Buffer {
  return bytes[0] === 0x1f && bytes[1] === 0x8b ? unzipped(bytes) : bytes;
}

function unzipped(bytes: Buffer): Buffer {
  try {
    return gunzipSync(bytes, { maxOutputLength: maxInflated });
  } catch (error) {
    const isTooLarge = error instanceof Error && "code" in error && error.code === "ERR_BUFFER_TOO_LARGE";
    throw isTooLarge
      ? new BatchRefusal("BODY_TOO_LARGE")
      : new BatchRefusal("BAD_REQUEST", "the body is not gzip");
  }
}
