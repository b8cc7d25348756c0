import type { RequestAccess } from "@decern/core/host";
import type { FastifyRequest } from "fastify";

/** Reads Fastify's request as its callers sent it, before `rewriteUrl`. */
export const requestAccess: RequestAccess<Pick<FastifyRequest, "method" | "originalUrl" | "raw" | "ip">> = {
  method: (request) => request.method,
  url: (request) => request.originalUrl,
  headers: (request) => request.raw.headers,
  ip: (request) => request.ip,
};
