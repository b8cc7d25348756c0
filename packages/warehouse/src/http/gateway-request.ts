import { gunzipSync } from "node:zlib";
import { isJsonObject } from "@decern/core/schema";
import { BatchRefusal, type Headers } from "../protocols/protocol.js";
import { checkCharset } from "./read-body.js";

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
  return bytes[0] === 0x1f && bytes[1] === 0x8b ? inflated(bytes) : bytes;
}

function inflated(bytes: Buffer): Buffer {
  try {
    return gunzipSync(bytes, { maxOutputLength: maxInflated });
  } catch (error) {
    const isTooLarge = error instanceof Error && "code" in error && error.code === "ERR_BUFFER_TOO_LARGE";
    throw isTooLarge
      ? new BatchRefusal("BODY_TOO_LARGE")
      : new BatchRefusal("BAD_REQUEST", "the body is not gzip");
  }
}
