import { type Awaitable, ignoreRejection, isThenable, settleWithin } from "../base/awaitable.js";
import { asThrowable } from "../base/thrown.js";
import type { Decision } from "../decision/decision.js";
import {
  type CallOrigin,
  type CallReader,
  type ChosenCall,
  type HostCall,
  unknownOrigin,
} from "../service/call.js";
import type { EvaluationPipeline } from "../service/pipeline.js";
import type { Exchange } from "./exchange.js";
import { type Asked, HostCallbacks, type OnResult, replyTogether, writeReply } from "./host-callbacks.js";
import { copyingReplyEncoder, type DecisionReply, type ReplyEncoder, replyEncoder } from "./reply.js";

/** A host-neutral request handler: each host adds only how to read a request and how to write a reply. */
export interface RequestHandler<Request, Output> {
  /** Evaluates a request. It never throws. */
  handle(
    request: Request,
    requestId: string,
    onResult?: OnResult<Output> | undefined,
  ): Awaitable<DecisionReply<Output>>;
  /**
   * Prepares the evaluation of many inputs of one request: what does not depend on the input is done once.
   *
   * @param requestOf - makes the request for one input
   * @returns what {@link handle} returns for each of them. It never throws
   */
  handleMany(
    requestOf: (input: unknown) => Request,
    requestId: string,
  ): (input: unknown) => Awaitable<DecisionReply<Output>>;
  /**
   * Replies to a request: what every route, middleware and handler does.
   *
   * @param onResult - the host's callback, which may reply itself
   */
  respond(request: Request, exchange: Exchange<Output>, onResult?: OnResult<Output> | undefined): void;
}

/**
 * Makes the handler of one decision. Nothing is awaited where nothing is asynchronous.
 *
 * @param decision - reported where a call fails before its version is chosen
 * @param encoder - writes the reply to a call that has no `onResult`. @default one that writes the envelope
 */
export function createCallHandler<Request, Output>(
  pipeline: EvaluationPipeline,
  decision: Decision<unknown, Output>,
  reader: CallReader<Request, Output>,
  encoder: ReplyEncoder = replyEncoder,
): RequestHandler<Request, Output> {
  return new CallHandler(pipeline, decision, reader, encoder);
}

class CallHandler<Request, Output> implements RequestHandler<Request, Output> {
  readonly #pipeline: EvaluationPipeline;
  readonly #reader: CallReader<Request, Output>;
  readonly #encoder: ReplyEncoder;
  readonly #callbacks: HostCallbacks<Request, Output>;

  constructor(
    pipeline: EvaluationPipeline,
    decision: Decision<unknown, Output>,
    reader: CallReader<Request, Output>,
    encoder: ReplyEncoder,
  ) {
    this.#pipeline = pipeline;
    this.#reader = reader;
    this.#encoder = encoder;
    this.#callbacks = new HostCallbacks(pipeline, decision);
  }

  respond(request: Request, exchange: Exchange<Output>, onResult?: OnResult<Output> | undefined): void {
    const fail = (thrown: unknown): void => exchange.fail(asThrowable(thrown), exchange.requestId);
    const write = (reply: DecisionReply<Output>): void => {
      exchange.onDecided(reply.result);
      replyTogether(() => writeReply(reply, exchange), fail);
    };
    try {
      const reply = this.handle(request, exchange.requestId, onResult);
      if (isThenable(reply)) reply.then(write).then(undefined, fail);
      else write(reply);
    } catch (thrown) {
      fail(thrown);
    }
  }

  handle(
    request: Request,
    requestId: string,
    onResult?: OnResult<Output> | undefined,
  ): Awaitable<DecisionReply<Output>> {
    const asked: Asked<Request, Output> = {
      request,
      requestId,
      onResult,
      origin: unknownOrigin,
      selectedBy: this.#reader.selectedBy,
    };
    let read: unknown;
    let input: unknown;
    let promised: PromiseLike<unknown> | undefined;
    let chosen: Awaitable<ChosenCall<Output>> | undefined;
    try {
      asked.origin = this.#reader.origin(request);
      read = this.#reader.input(request);
      // Asked once: what a host's callback returned may answer differently, or throw.
      if (isThenable(read)) promised = read;
      else input = read;
      if (promised === undefined || this.#reader.ignoresInput === true)
        chosen = this.#reader.choose(request, input, asked.origin);
    } catch (thrown) {
      ignoreRejection(read);
      return this.#callbacks.failed(asked, input, thrown);
    }
    if (promised !== undefined || chosen === undefined || isThenable(chosen))
      return this.#evaluateLater(asked, input, promised, chosen);
    return this.#evaluate(asked, input, chosen);
  }

  handleMany(
    requestOf: (input: unknown) => Request,
    requestId: string,
  ): (input: unknown) => Awaitable<DecisionReply<Output>> {
    const one = (input: unknown) => this.handle(requestOf(input), requestId);
    if (this.#reader.isSteady !== true) return one;
    try {
      const request = requestOf(undefined);
      const origin = this.#reader.origin(request);
      const chosen = this.#reader.choose(request, undefined, origin);
      if (isThenable(chosen)) return one;
      const { decision } = chosen;
      const call = this.#callOf(origin, requestId, undefined, chosen);
      return (input) =>
        this.#pipeline.evaluate<Output, DecisionReply<Output>>(decision, call, this.#encoder, input);
    } catch {
      // It fails for each input, and is counted and reported as often.
      return one;
    }
  }

  /**
   * Waits for the input, then for the choice; for both with one time limit where the choice does not need the input.
   *
   * @param read - the input, unless `promised` gives it
   */
  async #evaluateLater(
    asked: Asked<Request, Output>,
    read: unknown,
    promised: PromiseLike<unknown> | undefined,
    choosing: Awaitable<ChosenCall<Output>> | undefined,
  ): Promise<DecisionReply<Output>> {
    const { hookTimeoutMs } = this.#pipeline;
    let input = read;
    let chosen: ChosenCall<Output>;
    try {
      if (promised !== undefined && choosing !== undefined) {
        const both = Promise.all([promised, choosing]);
        [input, chosen] = await settleWithin("inputMapper or profileResolver", hookTimeoutMs, both);
      } else {
        if (promised !== undefined) input = await settleWithin("inputMapper", hookTimeoutMs, promised);
        const choice = choosing ?? this.#reader.choose(asked.request, input, asked.origin);
        chosen = isThenable(choice) ? await settleWithin("profileResolver", hookTimeoutMs, choice) : choice;
      }
    } catch (thrown) {
      return this.#callbacks.failed(asked, input, thrown);
    }
    return this.#evaluate(asked, input, chosen);
  }

  #evaluate(
    asked: Asked<Request, Output>,
    input: unknown,
    chosen: ChosenCall<Output>,
  ): Awaitable<DecisionReply<Output>> {
    const { requestId, onResult, origin } = asked;
    asked.selectedBy = chosen.selectedBy ?? asked.selectedBy;
    const call = this.#callOf(origin, requestId, input, chosen);
    const encoder = onResult === undefined ? this.#encoder : copyingReplyEncoder;
    const reply = this.#pipeline.evaluate<Output, DecisionReply<Output>>(chosen.decision, call, encoder);
    if (onResult === undefined) return reply;
    const { decision } = chosen;
    return isThenable(reply)
      ? reply.then((settled) => this.#callbacks.tell(settled, asked, decision, input, onResult))
      : this.#callbacks.tell(reply, asked, decision, input, onResult);
  }

  /** Field by field: spreading objects costs more. */
  #callOf(
    { caller, request, traceparent }: CallOrigin,
    requestId: string,
    input: unknown,
    { profile, profileFrom, sharesProfile, profiles, headers, shadow, selectedBy }: ChosenCall<Output>,
  ): HostCall {
    return {
      input,
      profile,
      requestId,
      caller,
      request,
      traceparent,
      selectedBy: selectedBy ?? this.#reader.selectedBy,
      profileFrom,
      sharesProfile,
      profiles,
      headers,
      shadow,
    };
  }
}

/** How a request becomes a call of one decision. */
export interface RequestReader<Request> {
  readonly input: (request: Request) => unknown;
  /** Who asks. @default nobody was asked */
  readonly origin?: ((request: Request) => CallOrigin) | undefined;
  /** The host's profile for this request. Absent where the decision's default profile serves. */
  readonly profile?: ((request: Request) => unknown) | undefined;
}

/** Makes the handler of a host that evaluates one decision, the same for every call. */
export function createRequestHandler<Request, Output>(
  pipeline: EvaluationPipeline,
  decision: Decision<unknown, Output>,
  { input, origin = () => unknownOrigin, profile }: RequestReader<Request>,
): RequestHandler<Request, Output> {
  const rest = { decision, profiles: undefined, headers: undefined, shadow: undefined } as const;
  const standard: ChosenCall<Output> = { ...rest, profile: undefined, profileFrom: "caller" };
  // A resolver that returns nothing means `{}`, not the default.
  const resolved = (value: unknown): ChosenCall<Output> => ({
    ...rest,
    profile: value === undefined ? {} : value,
    profileFrom: "host",
  });
  const choose = (request: Request): Awaitable<ChosenCall<Output>> => {
    if (profile === undefined) return standard;
    const value = profile(request);
    return isThenable(value) ? Promise.resolve(value).then(resolved) : resolved(value);
  };
  return createCallHandler(pipeline, decision, { input, origin, choose, ignoresInput: true });
}
