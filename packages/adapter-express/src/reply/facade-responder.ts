import type { Logger } from "@decern/core";
import {
  type AnsweredRequest,
  asThrowable,
  type MountedRoute,
  type ReceivedRequest,
  tableReply,
} from "@decern/core/host";
import { neverThrowing, readable } from "@decern/core/tools";
import type { Request, Response } from "express";
import type { DecisionRequestHandler } from "../decision-request-handler.js";
import type { FacadePath } from "../request/facade-path.js";
import { createBodyReader } from "../request/read-body.js";
import { requestIdOf } from "../request/request-id.js";

interface FacadeOptions {
  readonly path: FacadePath;
  readonly origin: (request: Request) => ReturnType<ReceivedRequest["origin"]>;
  readonly logger: Logger;
  readonly bodyLimit: number | undefined;
}

/** Makes the middleware that serves one route of a facade. */
export function createFacadeResponder(
  route: MountedRoute,
  { path, origin, logger, bodyLimit = 1_048_576 }: FacadeOptions,
): DecisionRequestHandler {
  const safe = neverThrowing(logger);
  const readBody = createBodyReader(bodyLimit, true);
  return (request, response, next) => {
    const requestId = requestIdOf(request, response);
    const { headers } = request;
    const rest = path.restOf(request.path);
    const fail = (thrown: unknown): void => next(asThrowable(thrown));
    readBody(request, response, (problem, failure) => {
      if (failure !== undefined) return fail(failure);
      if (problem !== undefined) {
        return write(response, route.refuse(tableReply(problem), { requestId, headers, rest }));
      }
      const body: unknown = route.method === "GET" ? undefined : request.body;
      const received = { requestId, headers, body, rest, origin: () => origin(request) };
      route
        .answer(received, (thrown) => {
          safe.error({ err: readable(thrown), requestId, facade: route.facade }, "Facade failed");
        })
        .then((answer) => write(response, answer))
        .catch(fail);
    });
  };
}

/** Makes the middleware that refuses the methods which no route with a path takes. */
export function refuseMethods(route: MountedRoute, path: FacadePath, allow: string): DecisionRequestHandler {
  return (request, response, next) => {
    // Cross-origin requests ask with it what they may send.
    if (request.method === "OPTIONS") return next();
    const requestId = requestIdOf(request, response);
    const rest = path.restOf(request.path);
    const refusal = route.refuse(tableReply("METHOD_NOT_ALLOWED"), {
      requestId,
      headers: request.headers,
      rest,
    });
    write(response.setHeader("allow", allow), refusal);
  };
}

function write(response: Response, { status, body, headers, afterwards }: AnsweredRequest): void {
  if (response.closed) setImmediate(afterwards);
  else response.once("close", afterwards);
  // Somebody else has replied, or the client has gone.
  if (response.headersSent || response.destroyed) return;
  response.statusCode = status;
  for (const [name, value] of Object.entries(headers)) {
    // The host may have links of its own.
    if (name === "link") response.append(name, value);
    else response.setHeader(name, value);
  }
  if (!response.hasHeader("cache-control")) response.setHeader("cache-control", "no-store");
  if (body === undefined) {
    response.end();
    return;
  }
  response.setHeader("content-type", "application/json; charset=utf-8");
  response.setHeader("content-length", Buffer.byteLength(body));
  response.end(body);
}
