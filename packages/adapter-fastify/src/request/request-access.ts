import type { RequestAccess } from "@decern/core/host";
import type { FastifyRequest } from "fastify";

/** Reads Fastify's request as its router does, after `rewriteUrl`. */
export const requestAccess: RequestAccess<Pick<FastifyRequest, "method" | "url" | "raw" | "ip">> = {
  method: (request) => request.method,
  url: (request) => request.url,
  headers: (request) => request.raw.headers,
  ip: (request) => request.ip,
};
