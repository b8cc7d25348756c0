import type { RequestAccess } from "@decern/core/host";
import type { Request } from "express";

/** Reads Express's request as its callers sent it: routers shorten `url`. */
export const requestAccess: RequestAccess<Request> = {
  method: (request) => request.method,
  url: (request) => request.originalUrl,
  headers: (request) => request.headers,
  ip: (request) => request.ip,
};
