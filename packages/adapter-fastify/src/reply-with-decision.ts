import { errorBody, type RequestHandler, respond, tableReply } from "@decern/core/host";
import type { FastifyReply, FastifyRequest } from "fastify";
import { type Done, FastifyExchange } from "./fastify-exchange.js";
import type { DecisionHandlerOptions } from "./options.js";

const jsonType = /^\s*application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i;

/** Replies to a request with a decision. */
export function replyWithDecision<Output>(
  handler: RequestHandler<FastifyRequest, Output>,
  { inputMapper, onResult }: Pick<DecisionHandlerOptions<Output, unknown>, "inputMapper" | "onResult">,
  request: FastifyRequest,
  reply: FastifyReply,
  done: Done,
): void {
  const exchange = new FastifyExchange(request, reply, "handler", done);
  if (inputMapper === undefined && request.body !== undefined && !isJson(request)) {
    const refusal = tableReply("UNSUPPORTED_MEDIA_TYPE");
    exchange.write(refusal.status, errorBody(refusal), exchange.requestId);
  } else {
    respond(handler, request, exchange, exchange.callback(onResult));
  }
}

function isJson({ headers }: FastifyRequest): boolean {
  const type = headers["content-type"];
  return type === "application/json" || (type !== undefined && jsonType.test(type));
}
