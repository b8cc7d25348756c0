import type { Decision, ErrorCode, InferInput, InferOutput, ProfileInput, Result } from "@decern/core";

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

/** In place of an envelope: evaluating this input failed, and that of the others did not. */
export interface BatchFailure {
  readonly status?: undefined;
  readonly error: string;
  readonly code: ErrorCode | (string & {});
}

/** The outcome of one of several inputs. */
export type BatchItem<Output = unknown, RuleId extends string = string> =
  | Result<Output, RuleId>
  | BatchFailure;

/** Options of one call, whatever it sends. */
export interface SendOptions {
  /** Of several versions of a decision, the one to use. By default the service chooses. */
  readonly version?: string | undefined;
  /** Ends the call with the code `ABORTED`. */
  readonly signal?: AbortSignal | undefined;
  /** Sent as `x-request-id`: 1 to 128 of `A-Z a-z 0-9 . _ -`. By default the service chooses one. */
  readonly requestId?: string | undefined;
  /** Replaces the client's `timeoutMs`. */
  readonly timeoutMs?: number | undefined;
  /** Replaces the client's `retries`. */
  readonly retries?: number | undefined;
}

/** Options of one call. A service takes a profile or the name of one, and may forbid either. */
export type CallOptions<Profile = unknown> = SendOptions &
  (
    | {
        /** Used instead of the service's profile. */
        readonly profile?: ProfileInput<Profile> | undefined;
        readonly profileName?: undefined;
      }
    | {
        readonly profile?: undefined;
        /** One of the profiles that the service offers in `callerProfiles`. */
        readonly profileName: string;
      }
  );

/** Headers by name. */
type HeaderValues = Readonly<Record<string, string>>;

/** Options of {@link createClient}. */
export interface ClientOptions {
  /**
   * Base URL; in browsers also a path, such as `/api`.
   *
   * Without `/decisions`.
   */
  readonly url: string | URL;
  /**
   * Headers, or a function that returns them.
   *
   * Sent with every request. The function is called before each attempt and can be asynchronous.
   * @default none
   */
  readonly headers?: HeaderValues | (() => HeaderValues | Promise<HeaderValues>) | undefined;
  /** Per call, in milliseconds, retries included; or `Infinity`. @default 10000 */
  readonly timeoutMs?: number | undefined;
  /** After a failed connection, 429, 502, 503 or 504. @default 2 */
  readonly retries?: number | undefined;
  /**
   * Largest response.
   *
   * In bytes, as `fetch` decompresses it. A larger one ends the call with `UNEXPECTED_REPLY`.
   *
   * @default 67108864
   */
  readonly maxReplyBytes?: number | undefined;
  /** Sends requests. @default `globalThis.fetch` */
  readonly fetch?: ((url: string, init: RequestInit) => Promise<Response>) | undefined;
}
