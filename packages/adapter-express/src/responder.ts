import type { ErrorCode, Logger, Result } from "@decern/core";
import { asThrowable, type Handler, type MountedRoute, type Target, tableReply } from "@decern/core/host";
import { neverThrowing, readable } from "@decern/core/tools";
import type { Request, Response } from "express";
import { ExpressExchange } from "./exchange.js";
import type { DecisionRequestHandler } from "./options.js";
import { createBodyReader, type FeaturePath, type Reading, requestIdOf } from "./request.js";

interface ResponderOptions {
  readonly reading: Reading;
  /** Whether an `inputMapper` reads the request, so that the body may be anything. */
  readonly hasInputMapper: boolean;
  readonly onResult?: ((result: Result, request: Request, response: Response) => unknown) | undefined;
  readonly bodyLimit: number | undefined;
}

/**
 * Makes the middleware that reads a request's body and replies with a decision.
 *
 * @param find - finds what a path names, or the code of the reply when that is nothing
 */
export function createResponder(
  handler: Handler<Request>,
  find: (request: Pick<Request, "path">) => Target | ErrorCode,
  { reading, hasInputMapper, onResult, bodyLimit = 1_048_576 }: ResponderOptions,
): DecisionRequestHandler {
  const readBody = createBodyReader(bodyLimit, !hasInputMapper);
  return (request, response, next) => {
    const exchange = new ExpressExchange(request, response, next, reading);
    const target = find(request);
    if (typeof target === "string") return exchange.refuse(target);
    readBody(request, response, (problem, failure) => {
      if (failure !== undefined) {
        exchange.fail(asThrowable(failure), exchange.requestId);
      } else if (problem !== undefined) {
        exchange.refuse(problem);
      } else {
        handler.respond(exchange, target, exchange.callback(onResult));
      }
    });
  };
}

interface FeatureOptions {
  readonly reading: Reading;
  readonly logger: Logger;
  readonly bodyLimit: number | undefined;
  /** What the path has for the route's parameter. @default the route has none */
  readonly restOf?: ((request: Pick<Request, "path">) => string | undefined) | undefined;
  /** Of a route below a decision: what the path names. */
  readonly find?: ((request: Pick<Request, "path">) => Target | ErrorCode) | undefined;
}

/** Makes the middleware that serves one route of a feature. */
export function createFeatureResponder(
  route: MountedRoute,
  { reading, logger, bodyLimit = 1_048_576, restOf, find }: FeatureOptions,
): DecisionRequestHandler {
  const safe = neverThrowing(logger);
  const readBody = createBodyReader(bodyLimit, true);
  return (request, response, next) => {
    const requestId = requestIdOf(request, response);
    const { headers } = request;
    const rest = restOf?.(request);
    const fail = (thrown: unknown): void => next(asThrowable(thrown));
    const refuse = (code: ErrorCode): void =>
      write(response, route.refuse(tableReply(code), { requestId, headers, rest }));
    const target = find?.(request);
    if (typeof target === "string") return refuse(target);
    readBody(request, response, (problem, failure) => {
      if (failure !== undefined) return fail(failure);
      if (problem !== undefined) return refuse(problem);
      const body: unknown = route.method === "GET" ? undefined : request.body;
      const received = {
        requestId,
        headers,
        body,
        rest,
        source: request,
        origin: () => reading.origin(request),
        isGone: () => response.closed,
        asked: target && { target, input: body, sent: undefined },
      };
      route
        .answer(received, (thrown) => {
          safe.error({ err: readable(thrown), requestId, facade: route.feature }, "Facade failed");
        })
        .then((answer) => write(response, answer))
        .catch(fail);
    });
  };
}

/** Makes the middleware that refuses the methods which no route with a path takes. */
export function refuseMethods(route: MountedRoute, path: FeaturePath, allow: string): DecisionRequestHandler {
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

function write(
  response: Response,
  { status, body, headers, afterwards }: ReturnType<MountedRoute["refuse"]>,
): void {
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
  if (headers["content-type"] === undefined)
    response.setHeader("content-type", "application/json; charset=utf-8");
  response.setHeader("content-length", Buffer.byteLength(body));
  response.end(body);
}
