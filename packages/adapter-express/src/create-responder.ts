import { asThrowable, errorBody, type RequestHandler, respond, tableReply } from "@decern/core/host";
import type { Request } from "express";
import type { DecisionRequestHandler } from "./decision-request-handler.js";
import { ExpressExchange } from "./express-exchange.js";
import type { DecisionMiddlewareOptions } from "./options.js";
import { createBodyReader } from "./read-body.js";

/** Makes the middleware that reads a request, and replies to it with a decision. */
export function createResponder<Output>(
  handler: RequestHandler<Request, Output>,
  options: Pick<DecisionMiddlewareOptions<Output, unknown>, "inputMapper" | "onResult" | "bodyLimit">,
): DecisionRequestHandler {
  const { inputMapper, onResult, bodyLimit = 1_048_576 } = options;
  const readBody = createBodyReader(bodyLimit, inputMapper === undefined);
  return (request, response, next) => {
    const exchange = new ExpressExchange(request, response, next);
    readBody(request, response, (problem, failure) => {
      if (failure !== undefined) {
        exchange.fail(asThrowable(failure), exchange.requestId);
      } else if (problem !== undefined) {
        const refusal = tableReply(problem);
        exchange.write(refusal.status, errorBody(refusal), exchange.requestId);
      } else {
        respond(handler, request, exchange, exchange.callback(onResult));
      }
    });
  };
}
