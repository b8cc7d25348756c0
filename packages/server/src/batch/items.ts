import { type Awaitable, DecernError } from "@decern/core";
import { errorBody, hasForbiddenKey, type Many, parseJsonText, toErrorReply } from "@decern/core/host";
import { isJsonObject } from "@decern/core/schema";
import { isThenable } from "@decern/core/tools";
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
  static parse(bytes: Uint8Array): BatchBody | undefined {
    const { value, isSuspicious } = parseJsonText(bytes);
    const { inputs, ...rest } = isJsonObject(value) ? value : {};
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

/** What came of one input. */
export type ItemReply = Awaited<ReturnType<Many<unknown>["evaluate"]>>;

/**
 * Makes a function that evaluates the inputs of one request. Whatever fails is the reply to that input, and to no other.
 *
 * @param inputOf - reads the input of an item. It may throw
 * @param onFault - gets the service's errors, except those of evaluations, which have been reported
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
