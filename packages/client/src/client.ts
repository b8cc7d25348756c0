import type { Decision, InferInput, InferOutput, ProfileInput, Result } from "@decern/core";
import type { BatchItem } from "./batch-item.js";
import type { CallOptions, SendOptions } from "./call-options.js";

/** Evaluates one decision of a service. */
export interface DecisionCall<
  Input = unknown,
  Output = unknown,
  Profile = unknown,
  RuleId extends string = string,
> {
  /**
   * Evaluates one input.
   *
   * @returns the envelope: also `NO_MATCH`, `INVALID_INPUT` and `INVALID_PROFILE` are results
   * @throws DecernClientError for everything else
   */
  (input: ProfileInput<Input>, options?: CallOptions<Profile>): Promise<Result<Output, RuleId>>;

  /**
   * Evaluates several inputs in one request: by default, a service takes up to 1,000.
   *
   * @returns an item for each input, in their order
   * @throws DecernClientError where the request as a whole has no reply
   */
  batch(
    inputs: readonly ProfileInput<Input>[],
    options?: CallOptions<Profile>,
  ): Promise<readonly BatchItem<Output, RuleId>[]>;

  /**
   * Evaluates any number of inputs with the service's profile, as NDJSON in requests of up to 1,000 inputs. Takes inputs
   * no faster than the items are taken from it.
   *
   * @returns an item for each input, in their order
   * @throws DecernClientError when a request has no reply, after all items of the requests before it
   */
  stream(
    inputs: Iterable<ProfileInput<Input>> | AsyncIterable<ProfileInput<Input>>,
    options?: SendOptions,
  ): AsyncGenerator<BatchItem<Output, RuleId>, void, undefined>;
}

/** The types of one decision. Where several versions share an id, each is a union of theirs. */
interface Types<D extends Decision> {
  readonly input: InferInput<D["inputSchema"]>;
  readonly output: InferOutput<D["outputSchema"]>;
  readonly profile: InferInput<D["profileSchema"]>;
  readonly ruleId: D["ruleIds"][number];
}

/** The types of decisions by id. JavaScript asks objects for `then` and `toJSON` unasked: they cannot be ids here. */
type TypesById<D extends Decision> = {
  readonly [One in D as Exclude<One["id"], "then" | "toJSON">]: Types<One>;
};

/**
 * A function for each decision, under its id.
 *
 * @typeParam Decisions - `typeof decisions`, the list that is given to `createServer`
 */
export type Client<Decisions extends readonly Decision[]> = CallsOf<TypesById<Decisions[number]>>;

// A property of a mapped type is resolved when it is used: an editor pays for the decisions that a file calls.
type CallsOf<Entries extends Readonly<Record<string, Types<Decision>>>> = {
  readonly [Id in keyof Entries]: DecisionCall<
    Entries[Id]["input"],
    Entries[Id]["output"],
    Entries[Id]["profile"],
    Entries[Id]["ruleId"]
  >;
};
