import type { Decision } from "@decern/core";
import { tableReply } from "@decern/core/host";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { decisionNotFound } from "./decision-not-found.js";
import { sendError } from "./send.js";

const methods = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"] as const;

type Params = Readonly<Record<string, string | undefined>>;

/**
 * Replies 404 or 405 to requests for what does not exist, decisions included. This happens before the body is read, and
 * after every `onRequest` hook, so callers have been authenticated.
 */
export function refuseUnknown(app: FastifyInstance, catalogue: ReadonlyMap<string, Decision>): void {
  const handleNotFound = createNotFoundHandler(app, catalogue);
  // For routes that call `reply.callNotFound()`.
  app.setNotFoundHandler(handleNotFound);
  app.addHook<{ Params: Params }>("preParsing", function refuse(request, reply, _payload, done) {
    if (request.is404) {
      handleNotFound(request, reply);
      return;
    }
    const id = evaluatedId(request);
    if (id === undefined || catalogue.has(id)) done();
    else decisionNotFound(reply, id);
  });
}

/** The id in the path of `POST /decisions/:id`. */
function evaluatedId(request: FastifyRequest<{ Params: Params }>): string | undefined {
  // In this order: Fastify makes `routeOptions` anew each time it is read.
  if (request.method !== "POST" || request.params["id"] === undefined) return undefined;
  return request.routeOptions.url === "/decisions/:id" ? request.params["id"] : undefined;
}

/** 404 if the path names a decision that does not exist, 405 if the path accepts other methods, else 404. */
function createNotFoundHandler(app: FastifyInstance, catalogue: ReadonlyMap<string, Decision>) {
  return function handleNotFound(request: FastifyRequest, reply: FastifyReply): void {
    const path = request.url.split("?", 1)[0] ?? "";
    const allowed = methods.filter((method) => paramsOf(app, method, path) !== undefined);
    const [first] = allowed;
    // If a route accepts the method, that route itself called `callNotFound`: it has no such file.
    if (first === undefined || allowed.some((method) => method === request.method)) {
      sendError(reply, tableReply("ROUTE_NOT_FOUND"));
      return;
    }
    const id = path.startsWith("/decisions/") ? paramsOf(app, first, path)?.["id"] : undefined;
    if (id !== undefined && !catalogue.has(id)) {
      decisionNotFound(reply, id);
      return;
    }
    reply.header("allow", allowed.join(", "));
    sendError(reply, tableReply("METHOD_NOT_ALLOWED"));
  };
}

/** The parameters of the route that matches a path, or `undefined` if none does. */
function paramsOf(app: FastifyInstance, method: (typeof methods)[number], path: string): Params | undefined {
  const params = app.findRoute({ method, url: path })?.params;
  // `/decisions/` does not name a decision with an empty id.
  return params === undefined || Object.values(params).includes("") ? undefined : params;
}
