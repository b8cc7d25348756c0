import { type Awaitable, isThenable } from "../awaitable.js";
import type { Result } from "../program/result.js";
import type { DecisionReply } from "./decision-reply.js";
import type { Exchange } from "./exchange.js";
import { replyTogether } from "./reply-together.js";
import type { RequestHandler } from "./request-handler.js";
import { asThrowable } from "./throwable.js";

/**
 * Replies to a request with a decision: what every route, middleware and handler does.
 *
 * @param onResult - the host's callback, which may reply itself
 */
export function respond<Request, Output>(
  handler: RequestHandler<Request, Output>,
  request: Request,
  exchange: Exchange<Output>,
  onResult?: ((result: Result<Output>) => unknown) | undefined,
): void {
  const fail = (thrown: unknown): void => exchange.fail(asThrowable(thrown), exchange.requestId);
  const write = (reply: DecisionReply<Output>): void => {
    exchange.onDecided(reply.result);
    replyTogether(() => writeReply(reply, exchange), fail);
  };
  let reply: Awaitable<DecisionReply<Output>>;
  try {
    reply = handler(request, exchange.requestId, onResult);
    if (!isThenable(reply)) return write(reply);
  } catch (thrown) {
    return fail(thrown);
  }
  reply.then(write).then(undefined, fail);
}

function writeReply<Output>(reply: DecisionReply<Output>, exchange: Exchange<Output>): void {
  const { status, body, requestId, hostError } = reply;
  if (hostError !== undefined && exchange.handsOverHostErrors) {
    handOver(hostError.thrown, requestId, exchange);
  } else if (exchange.hasBegun()) {
    exchange.leave();
  } else {
    exchange.write(status, body, requestId);
  }
}

/** A reply that is on its way may still need the host's error handling, to be cut off; one that is complete needs none. */
export function handOver(thrown: unknown, requestId: string, exchange: Exchange<never>): void {
  if (exchange.hasEnded()) exchange.leave();
  else exchange.fail(asThrowable(thrown), requestId);
}
