import type { ErrorCode, EvaluatorOptions, Result } from "@decern/core";
import { isUtf8Type, type RequestHandler, Runner } from "@decern/core/host";
import type { FastifyReply, FastifyRequest, RouteGenericInterface } from "fastify";
import { type Done, FastifyExchange } from "./exchange.js";
import { isNotUtf8 } from "./request.js";

const jsonType = /^\s*application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i;

interface ResponderOptions<Output, Route extends RouteGenericInterface> {
  /** Whether an `inputMapper` reads the request, so that the body may be anything. */
  readonly hasInputMapper: boolean;
  readonly onResult?:
    | ((result: Result<Output>, request: FastifyRequest<Route>, reply: FastifyReply<Route>) => unknown)
    | undefined;
}

/** Replies to one request with a decision. */
type Responder<Route extends RouteGenericInterface> = (
  request: FastifyRequest<Route>,
  reply: FastifyReply<Route>,
  done: Done,
) => void;

/**
 * Makes the function that replies to requests with a decision.
 *
 * @param find - finds the handler of a request, or the code of the reply when there is none
 */
export function createResponder<Output, Route extends RouteGenericInterface>(
  find: (request: FastifyRequest<Route>) => RequestHandler<FastifyRequest<Route>, Output> | ErrorCode,
  { hasInputMapper, onResult }: ResponderOptions<Output, Route>,
): Responder<Route> {
  return (request, reply, done) => {
    const exchange = new FastifyExchange(request, reply, "handler", done);
    const handler = find(request);
    if (typeof handler === "string") {
      exchange.refuse(handler);
    } else if (!hasInputMapper && request.body !== undefined && !isJson(request.headers["content-type"])) {
      exchange.refuse("UNSUPPORTED_MEDIA_TYPE");
    } else if (isNotUtf8(request)) {
      exchange.refuse("INVALID_JSON");
    } else {
      handler.respond(request, exchange, exchange.callback(onResult));
    }
  };
}

/** Whether a content type is JSON in UTF-8. */
export function isJson(type: string | undefined): boolean {
  return type === "application/json" || (type !== undefined && jsonType.test(type) && isUtf8Type(type));
}

/**
 * Makes something once for each host. A handler or hook learns which host it serves, and so the default log, at its first
 * request. `make` also runs immediately, so that wrong options fail at registration.
 */
export function perHost<T>(
  options: EvaluatorOptions,
  make: (runner: Runner) => T,
): (request: Pick<FastifyRequest, "server">) => T {
  const own = make(new Runner(options));
  if (options.logger !== undefined) return () => own;
  const made = new WeakMap<object, T>();
  return ({ server: { log } }) => {
    let known = made.get(log);
    if (known === undefined) {
      known = make(new Runner({ ...options, logger: log }));
      made.set(log, known);
    }
    return known;
  };
}
