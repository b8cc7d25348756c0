import { asThrowable } from "@decern/core";
import type { NextFunction, Response } from "express";

/** Gives what was thrown to the host's error handling; a reply that is complete needs none. */
export function passOn(thrown: unknown, requestId: string, response: Response, next: NextFunction): void {
  if (response.writableEnded) return;
  if (!response.headersSent) response.setHeader("x-request-id", requestId);
  next(asThrowable(thrown));
}
