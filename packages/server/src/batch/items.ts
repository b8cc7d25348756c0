import { type Awaitable, DecernError } from "@decern/core";
import {
  type CallOrigin,
  type DecisionReader,
  errorBody,
  type ItemReply,
  parseJsonText,
  type RequestHandler,
  type SentProfile,
  toErrorReply,
} from "@decern/core/host";
import { type Catalogue, hasForbiddenKey, isThenable } from "@decern/core/tools";
import { isRecord } from "../base/values.js";
import type { CallBody } from "../request/body.js";

/** The body of a batch in JSON. */
export class BatchBody {
  /** Everything but the inputs. */
  readonly rest: CallBody;
  readonly inputs: readonly unknown[];
  readonly #isSuspicious: boolean;

  constructor(rest: CallBody, inputs: readonly unknown[], isSuspicious: boolean) {
    this.rest = rest;
    this.inputs = inputs;
    this.#isSuspicious = isSuspicious;
  }

  /**
   * Reads a body. A forbidden key in an input is that input's affair.
   *
   * @returns `undefined` where there are no inputs
   * @throws DecernError `INVALID_JSON`, or `FORBIDDEN_KEY` for a key elsewhere
   */
  static parse(text: string): BatchBody | undefined {
    const { value, isSuspicious } = parseJsonText(text);
    const { inputs, ...rest } = isRecord(value) ? value : {};
    if (isSuspicious && hasForbiddenKey(Array.isArray(inputs) ? rest : value)) {
      throw new DecernError("FORBIDDEN_KEY");
    }
    return Array.isArray(inputs) ? new BatchBody(rest, inputs, isSuspicious) : undefined;
  }

  /** @throws DecernError `FORBIDDEN_KEY` */
  check(input: unknown): void {
    if (this.#isSuspicious && hasForbiddenKey(input)) throw new DecernError("FORBIDDEN_KEY");
  }
}

/** One of the calls of a request. They share all but the input. */
export interface BatchCall {
  readonly input: unknown;
  readonly sent: SentProfile | undefined;
  readonly origin: CallOrigin;
  /** The set that was in use when the request came: no reply mixes two. */
  readonly profiles: Catalogue["profiles"];
}

/** How core reads a {@link BatchCall}. */
export const batchReader: DecisionReader<BatchCall> = {
  input: ({ input }) => input,
  origin: ({ origin }) => origin,
  sent: ({ sent }) => sent,
  profiles: ({ profiles }) => profiles,
};

/** How the inputs of one request are evaluated. */
interface ItemOptions<Item> {
  readonly handler: RequestHandler<BatchCall, unknown>;
  readonly requestId: string;
  /** What all calls of the request share. */
  readonly shared: Omit<BatchCall, "input">;
  /** Reads the input of an item. It may throw. */
  readonly inputOf: (item: Item) => unknown;
  /** Called with what is the service's error, except the errors of evaluations, which have been reported. */
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
