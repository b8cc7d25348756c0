import type { Response } from "express";
import type { ReplyWatch } from "./watch-reply.js";

/** Writes a reply of ours, unless somebody has replied or the client has gone. */
export function writeReply(
  response: Response,
  watch: ReplyWatch,
  status: number,
  body: string,
  requestId: string,
): void {
  if (watch.hasBegun() || response.destroyed) return;
  response.statusCode = status;
  response.setHeader("x-request-id", requestId);
  response.setHeader("content-type", "application/json; charset=utf-8");
  response.setHeader("content-length", Buffer.byteLength(body));
  response.end(body);
}
