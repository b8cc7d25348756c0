import { asThrowable } from "@decern/core/host";
import type { NextFunction, Response } from "express";
import type { ReplyWatch } from "./watch-reply.js";

/** Gives what was thrown to the host's error handling; a reply that is complete needs none. */
export function passOn(
  thrown: unknown,
  requestId: string,
  response: Response,
  watch: ReplyWatch,
  next: NextFunction,
): void {
  if (watch.hasEnded()) return;
  if (!response.headersSent) response.setHeader("x-request-id", requestId);
  next(asThrowable(thrown));
}
