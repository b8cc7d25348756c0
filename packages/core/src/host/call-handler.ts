import { type Awaitable, ignoreRejection, isThenable } from "../awaitable.js";
import { settleWithin, withDeadline } from "../deadline.js";
import type { Decision } from "../definition/decision.js";
import { DecernError } from "../errors.js";
import type { EvaluationPipeline } from "../evaluation/evaluation-pipeline.js";
import type { Result } from "../program/result.js";
import { type CallOrigin, type ChosenCall, unknownOrigin } from "./chosen-call.js";
import {
  copyingReplyEncoder,
  type DecisionReply,
  type ReplyEncoder,
  replyEncoder,
} from "./decision-reply.js";
import type { Exchange } from "./exchange.js";
import { asThrowable, maskedError } from "./host-error.js";
import { replyTogether } from "./reply-together.js";
import { writeReply } from "./write-reply.js";

/** How a host's request becomes a call. */
export interface CallReader<Request, Output> {
  /** The decision's input. */
  readonly input: (request: Request) => unknown;
  /** Who asks. */
  readonly origin: (request: Request) => CallOrigin;
  /** Which version and which profile evaluate it. */
  readonly choose: (request: Request, input: unknown, origin: CallOrigin) => Awaitable<ChosenCall<Output>>;
  /** Whether `choose` does not need the input. It then runs while the input is still being read. @default false */
  readonly ignoresInput?: boolean | undefined;
}

/** Runs before the reply; its failure is the host's fault. */
type OnResult<Output> = (result: Result<Output>) => unknown;

/** A host-neutral request handler: each host adds only how to read a request and how to write a reply. */
export interface RequestHandler<Request, Output> {
  /** Evaluates a request. It never throws. */
  handle(
    request: Request,
    requestId: string,
    onResult?: OnResult<Output> | undefined,
  ): Awaitable<DecisionReply<Output>>;
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

/** What a handler is asked. */
interface Asked<Request, Output> {
  readonly request: Request;
  readonly requestId: string;
  readonly onResult: OnResult<Output> | undefined;
}

class CallHandler<Request, Output> implements RequestHandler<Request, Output> {
  readonly #pipeline: EvaluationPipeline;
  readonly #decision: Decision<unknown, Output>;
  readonly #reader: CallReader<Request, Output>;
  readonly #encoder: ReplyEncoder;

  constructor(
    pipeline: EvaluationPipeline,
    decision: Decision<unknown, Output>,
    reader: CallReader<Request, Output>,
    encoder: ReplyEncoder,
  ) {
    this.#pipeline = pipeline;
    this.#decision = decision;
    this.#reader = reader;
    this.#encoder = encoder;
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
    const asked = { request, requestId, onResult };
    let read: unknown;
    let input: unknown;
    let origin = unknownOrigin;
    let chosen: Awaitable<ChosenCall<Output>>;
    try {
      origin = this.#reader.origin(request);
      read = this.#reader.input(request);
      if (isThenable(read)) {
        if (this.#reader.ignoresInput !== true) return this.#chooseLater(asked, origin, read);
        chosen = this.#reader.choose(request, undefined, origin);
        return this.#evaluateBoth(asked, origin, read, chosen);
      }
      input = read;
      chosen = this.#reader.choose(request, input, origin);
    } catch (thrown) {
      ignoreRejection(read);
      return this.#failBefore(asked, origin, input, thrown);
    }
    if (isThenable(chosen)) return this.#evaluateLater(asked, origin, input, chosen);
    return this.#evaluate(asked, origin, input, chosen);
  }

  async #chooseLater(
    asked: Asked<Request, Output>,
    origin: CallOrigin,
    promised: PromiseLike<unknown>,
  ): Promise<DecisionReply<Output>> {
    let input: unknown;
    try {
      input = await settleWithin("inputMapper", this.#pipeline.hookTimeoutMs, promised);
      const chosen = this.#reader.choose(asked.request, input, origin);
      return await this.#evaluateLater(asked, origin, input, chosen);
    } catch (thrown) {
      return this.#failBefore(asked, origin, input, thrown);
    }
  }

  /** Waits for both, with one time limit. */
  async #evaluateBoth(
    asked: Asked<Request, Output>,
    origin: CallOrigin,
    read: PromiseLike<unknown>,
    choosing: Awaitable<ChosenCall<Output>>,
  ): Promise<DecisionReply<Output>> {
    let both: readonly [unknown, ChosenCall<Output>];
    try {
      const promised = Promise.all([read, choosing]);
      both = await settleWithin("inputMapper or profileResolver", this.#pipeline.hookTimeoutMs, promised);
    } catch (thrown) {
      return this.#failBefore(asked, origin, undefined, thrown);
    }
    return this.#evaluate(asked, origin, both[0], both[1]);
  }

  async #evaluateLater(
    asked: Asked<Request, Output>,
    origin: CallOrigin,
    input: unknown,
    promised: Awaitable<ChosenCall<Output>>,
  ): Promise<DecisionReply<Output>> {
    let chosen: ChosenCall<Output>;
    try {
      chosen = isThenable(promised)
        ? await settleWithin("profileResolver", this.#pipeline.hookTimeoutMs, promised)
        : promised;
    } catch (thrown) {
      return this.#failBefore(asked, origin, input, thrown);
    }
    return this.#evaluate(asked, origin, input, chosen);
  }

  #evaluate(
    asked: Asked<Request, Output>,
    origin: CallOrigin,
    input: unknown,
    chosen: ChosenCall<Output>,
  ): Awaitable<DecisionReply<Output>> {
    const { requestId, onResult } = asked;
    const { decision, profile, profileFrom, profiles, selectedBy, headers, shadow } = chosen;
    const { caller, request, traceparent } = origin;
    const from = { requestId, caller, request, traceparent };
    const call = { input, profile, ...from, profileFrom, profiles, selectedBy, headers, shadow };
    const encoder = onResult === undefined ? this.#encoder : copyingReplyEncoder;
    const reply = this.#pipeline.evaluate<Output, DecisionReply<Output>>(decision, call, encoder);
    if (onResult === undefined) return reply;
    return isThenable(reply)
      ? reply.then((settled) => this.#tell(settled, origin, input, onResult))
      : this.#tell(reply, origin, input, onResult);
  }

  /** Gives the host's callback its result. */
  #tell(
    reply: DecisionReply<Output>,
    origin: CallOrigin,
    input: unknown,
    onResult: OnResult<Output>,
  ): Awaitable<DecisionReply<Output>> {
    const { result } = reply;
    if (result === undefined) return reply;
    // Read before the callback, which may write to its result.
    const epochMs = Date.parse(result.meta.evaluatedAt);
    const failed = (thrown: unknown) => this.#failAfter(reply, origin, input, epochMs, thrown);
    try {
      const returned = withDeadline("onResult or onDeny", this.#pipeline.hookTimeoutMs, () =>
        onResult(result),
      );
      return isThenable(returned) ? returned.then(() => reply, failed) : reply;
    } catch (thrown) {
      return failed(thrown);
    }
  }

  /** Nothing was evaluated. */
  async #failBefore(
    { requestId }: Asked<Request, Output>,
    { caller, request, traceparent }: CallOrigin,
    input: unknown,
    thrown: unknown,
  ): Promise<DecisionReply<Output>> {
    const call = { input, requestId, caller, request, traceparent };
    const reply = await this.#pipeline.fail<Output, DecisionReply<Output>>(
      this.#decision,
      call,
      thrown,
      replyEncoder,
    );
    // Not a failure of a callback: every host replies to it in the same way.
    if (thrown instanceof DecernError && thrown.code === "PROFILES_NOT_LOADED") return reply;
    return { ...reply, hostError: { thrown: maskedError(thrown) } };
  }

  /** Evaluated and counted already: logged and given to `onError`, and not counted again. */
  async #failAfter(
    reply: DecisionReply<Output>,
    { caller, request }: CallOrigin,
    input: unknown,
    epochMs: number,
    thrown: unknown,
  ): Promise<DecisionReply<Output>> {
    const decisionId = this.#decision.id;
    const { requestId } = reply;
    const told = { decisionId, input, profile: undefined, requestId, epochMs, caller, request };
    await this.#pipeline.report(told, thrown);
    return { ...reply, hostError: { thrown: maskedError(thrown) } };
  }
}
