import { tableReply } from "@decern/core/host";
import type { Catalogue } from "@decern/core/tools";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { missingDecision, type PathParams } from "../requests/missing-decision.js";
import { sendError } from "./send.js";

const methods = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"] as const;

/**
 * Makes the reply to requests that match no route: 404 or 410 if the path names a decision or version that
 * is not there, 405 if the path
 * accepts other methods, else 404.
 */
export function createNotFoundHandler(app: FastifyInstance, catalogue: Catalogue) {
  return function handleNotFound(request: FastifyRequest, reply: FastifyReply): void {
    const path = request.url.split("?", 1)[0] ?? "";
    const allowed = methodsOf(app, path);
    const [first] = allowed;
    // If a route accepts the method, that route itself called `callNotFound`: it has no such file.
    if (first === undefined || allowed.some((method) => method === request.method)) {
      sendError(reply, tableReply("ROUTE_NOT_FOUND"));
      return;
    }
    const params = path.startsWith("/decisions/") ? paramsOf(app, first, path) : undefined;
    const missing = params?.["id"] === undefined ? undefined : missingDecision(catalogue, params);
    if (missing !== undefined) {
      sendError(reply, missing);
      return;
    }
    reply.header("allow", allowed.join(", "));
    sendError(reply, tableReply("METHOD_NOT_ALLOWED"));
  };
}

/** The methods that the routes of a path accept. */
export function methodsOf(app: FastifyInstance, path: string): (typeof methods)[number][] {
  return methods.filter((method) => paramsOf(app, method, path) !== undefined);
}

/** The parameters of the route that matches a path, or `undefined` if none does. */
function paramsOf(
  app: FastifyInstance,
  method: (typeof methods)[number],
  path: string,
): PathParams | undefined {
  const params = app.findRoute({ method, url: path })?.params;
  // `/decisions/` does not name a decision with an empty id.
  return params === undefined || Object.values(params).includes("") ? undefined : params;
}
