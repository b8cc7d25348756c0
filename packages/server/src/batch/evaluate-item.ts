import type { Awaitable } from "@decern/core";
import { errorBody, type ItemReply, type RequestHandler, toErrorReply } from "@decern/core/host";
import { isThenable } from "@decern/core/tools";
import type { BatchCall } from "./batch-call.js";

/** How the inputs of one request are evaluated. */
export interface ItemOptions<Item> {
  readonly handler: RequestHandler<BatchCall, unknown>;
  readonly requestId: string;
  /** What all calls of the request share. */
  readonly shared: Omit<BatchCall, "input">;
  /** Reads the input of an item. It may throw. */
  readonly inputOf: (item: Item) => unknown;
  /** Told of what is the service's fault, except the faults of evaluations, which have been reported. */
  readonly onFault: (error: unknown) => void;
}

/** Makes a function that evaluates the inputs of one request. Whatever fails is the reply to that input, and to no other. */
export function itemEvaluator<Item>({ handler, requestId, shared, inputOf, onFault }: ItemOptions<Item>) {
  const { sent, origin, profiles } = shared;
  const evaluate = handler.handleMany((input) => ({ input, sent, origin, profiles }), requestId);
  const fail = (thrown: unknown): ItemReply => {
    const reply = toErrorReply(thrown);
    if (reply.status >= 500) onFault(thrown);
    return { body: errorBody(reply), afterwards: undefined };
  };
  return (item: Item): Awaitable<ItemReply> => {
    try {
      const reply = evaluate(inputOf(item));
      return isThenable(reply) ? reply.then(undefined, fail) : reply;
    } catch (thrown) {
      return fail(thrown);
    }
  };
}
