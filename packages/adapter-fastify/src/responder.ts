import type { ErrorCode, Result } from "@decern/core";
import { Handler, isUtf8Type, type Service, type Target } from "@decern/core/host";
import type { FastifyReply, FastifyRequest, RouteGenericInterface } from "fastify";
import { type Done, FastifyExchange } from "./exchange.js";
import { isNotUtf8, type Reading } from "./request.js";

const jsonType = /^\s*application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i;

interface ResponderOptions<Route extends RouteGenericInterface> {
  readonly reading: Reading<Route>;
  /** Whether an `inputMapper` reads the request, so that the body may be anything. */
  readonly hasInputMapper: boolean;
  readonly onResult?:
    | ((result: Result, request: FastifyRequest<Route>, reply: FastifyReply<Route>) => unknown)
    | undefined;
}

/** Replies to one request with a decision. */
type Responder<Route extends RouteGenericInterface> = (
  request: FastifyRequest<Route>,
  reply: FastifyReply<Route>,
  done?: Done | undefined,
) => void;

/**
 * Makes the function that replies to requests with a decision.
 *
 * @param handlerOf - the handler of a request
 * @param find - finds what a request names, or the code of the reply when that is nothing
 */
export function createResponder<Route extends RouteGenericInterface>(
  handlerOf: (request: FastifyRequest<Route>) => Handler<FastifyRequest<Route>>,
  find: (request: FastifyRequest<Route>) => Target | ErrorCode,
  { reading, hasInputMapper, onResult }: ResponderOptions<Route>,
): Responder<Route> {
  return (request, reply, done) => {
    const exchange = new FastifyExchange(request, reply, reading, "handler", done);
    const target = find(request);
    if (typeof target === "string") {
      exchange.refuse(target);
    } else if (!hasInputMapper && request.body !== undefined && !isJson(request.headers["content-type"])) {
      exchange.refuse("UNSUPPORTED_MEDIA_TYPE");
    } else if (isNotUtf8(request)) {
      exchange.refuse("INVALID_JSON");
    } else {
      handlerOf(request).respond(exchange, target, exchange.callback(onResult));
    }
  };
}

/** Whether a content type is JSON in UTF-8. */
export function isJson(type: string | undefined): boolean {
  return type === "application/json" || (type !== undefined && jsonType.test(type) && isUtf8Type(type));
}

/**
 * The handler of a service for the host of each request. A handler or hook learns which host it serves, and so the default log,
 * with its first request.
 */
export function handlerPerHost<Route extends RouteGenericInterface>(
  service: Service<FastifyRequest<Route>>,
): (request: FastifyRequest<Route>) => Handler<FastifyRequest<Route>> {
  const made = new WeakMap<object, Handler<FastifyRequest<Route>>>();
  return ({ server: { log } }) => {
    let handler = made.get(log);
    if (handler === undefined) {
      handler = new Handler(service.under(log));
      made.set(log, handler);
    }
    return handler;
  };
}
