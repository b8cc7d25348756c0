import { isRequestId, requestIdFrom } from "@decern/core/host";
import type { Request, Response } from "express";

/** The request's id: the caller's if it is valid, else the one an earlier decision gave this request, else a new one. */
export function requestIdOf(request: Request, response: Response): string {
  const incoming = request.headers["x-request-id"];
  if (typeof incoming === "string" && isRequestId(incoming)) return incoming;
  return requestIdFrom(response.getHeader("x-request-id"));
}
