import { STATUS_CODES } from "node:http";
import type { ErrorCode } from "@decern/core";
import { errorBody, requestIdFrom, tableReply } from "@decern/core/host";
import { JSON_TYPE } from "../replies/send.js";

/** Writes a reply of the error table as HTTP text, for a request that has no response object. It ends its connection. */
export function rawReply(code: ErrorCode, headers: Readonly<Record<string, string>>): string {
  const reply = tableReply(code);
  const body = errorBody(reply);
  const lines = {
    ...headers,
    "x-request-id": requestIdFrom(undefined),
    "content-type": JSON_TYPE,
    "content-length": String(Buffer.byteLength(body)),
    connection: "close",
  };
  const head = Object.entries(lines).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${reply.status} ${STATUS_CODES[reply.status]}\r\n${head.join("")}\r\n${body}`;
}
