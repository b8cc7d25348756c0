import type { ErrorCode, Result } from "@decern/core";
import { asThrowable, type RequestHandler } from "@decern/core/host";
import type { Request, Response } from "express";
import type { DecisionRequestHandler } from "../decision-request-handler.js";
import { createBodyReader } from "../request/read-body.js";
import { ExpressExchange } from "./express-exchange.js";

interface ResponderOptions<Output> {
  /** Whether an `inputMapper` reads the request, so that the body may be anything. */
  readonly hasInputMapper: boolean;
  readonly onResult?: ((result: Result<Output>, request: Request, response: Response) => unknown) | undefined;
  readonly bodyLimit: number | undefined;
}

/**
 * Makes the middleware that reads a request's body and replies with a decision.
 *
 * @param find - finds the handler of a request, or the code of the reply when there is none
 */
export function createResponder<Output>(
  find: (request: Pick<Request, "path">) => RequestHandler<Request, Output> | ErrorCode,
  { hasInputMapper, onResult, bodyLimit = 1_048_576 }: ResponderOptions<Output>,
): DecisionRequestHandler {
  const readBody = createBodyReader(bodyLimit, !hasInputMapper);
  return (request, response, next) => {
    const exchange = new ExpressExchange(request, response, next);
    const handler = find(request);
    if (typeof handler === "string") return exchange.refuse(handler);
    readBody(request, response, (problem, failure) => {
      if (failure !== undefined) {
        exchange.fail(asThrowable(failure), exchange.requestId);
      } else if (problem !== undefined) {
        exchange.refuse(problem);
      } else {
        handler.respond(request, exchange, exchange.callback(onResult));
      }
    });
  };
}
