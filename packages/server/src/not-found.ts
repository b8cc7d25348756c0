import { tableReply } from "@decern/core";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { sendError } from "./send.js";

const methods = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"] as const;

/** Makes the answer to requests that no route takes: 405 where the path takes other methods, else 404. */
export function createNotFoundHandler(app: FastifyInstance) {
  return function handleNotFound(request: FastifyRequest, reply: FastifyReply): void {
    const path = request.url.split("?", 1)[0] ?? "";
    const allowed = methods.filter((method) => takes(app, method, path));
    // A route that takes the method has called for this itself: it has no such file.
    if (allowed.length === 0 || allowed.some((method) => method === request.method)) {
      sendError(reply, tableReply("ROUTE_NOT_FOUND"));
    } else {
      reply.header("allow", allowed.join(", "));
      sendError(reply, tableReply("METHOD_NOT_ALLOWED"));
    }
  };
}

function takes(app: FastifyInstance, method: (typeof methods)[number], path: string): boolean {
  const route = app.findRoute({ method, url: path });
  // `/decisions/` is no path of a decision whose id is empty.
  return route !== null && !Object.values(route.params).includes("");
}
