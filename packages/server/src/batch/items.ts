import { type Awaitable, DecernError } from "@decern/core";
import { errorBody, type ItemReply, type Many, parseJsonText, toErrorReply } from "@decern/core/host";
import { hasForbiddenKey, isThenable } from "@decern/core/tools";
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

/**
 * Makes a function that evaluates the inputs of one request. Whatever fails is the reply to that input, and to no other.
 *
 * @param inputOf - reads the input of an item. It may throw
 * @param onFault - told of what is the service's fault, except the faults of evaluations, which have been reported
 */
export function itemEvaluator<Item>(
  many: Many<unknown>,
  inputOf: (item: Item) => unknown,
  onFault: (error: unknown) => void,
): (item: Item) => Awaitable<ItemReply> {
  const fail = (thrown: unknown): ItemReply => {
    const reply = toErrorReply(thrown);
    if (reply.status >= 500) onFault(thrown);
    return { body: errorBody(reply), afterwards: undefined };
  };
  return (item) => {
    try {
      const reply = many.evaluate(inputOf(item));
      return isThenable(reply) ? reply.then(undefined, fail) : reply;
    } catch (thrown) {
      return fail(thrown);
    }
  };
}
