import { type Awaitable, ignoreRejection, isThenable, withDeadline } from "../awaitable.js";
import type { Decision } from "../definition/decision.js";
import { DecernError } from "../errors.js";
import type { EvaluationPipeline } from "../evaluation/evaluation-pipeline.js";
import type { Result } from "../program/result.js";
import { copyingReplyEncoder, type DecisionReply, replyEncoder } from "./decision-reply.js";
import { maskedError } from "./masked-error.js";

/** How a host's request becomes a call. */
export interface RequestReader<Request> {
  /** The decision's input. */
  readonly input: (request: Request) => unknown;
  /** The profile of this request; absent where the decision's default profile serves. */
  readonly profile?: ((request: Request) => unknown) | undefined;
  /**
   * Who gives the profile. Where that is the host, `undefined` means `{}`, and a profile that breaks its schema is a fault;
   * where it is the caller, `undefined` takes the default. @default host
   */
  readonly profileFrom?: "caller" | "host" | undefined;
}

/** Runs before the reply; its failure is the host's fault. */
type OnResult<Output> = (result: Result<Output>) => unknown;

/** A host-neutral request handler: each host adds only how to read a request and how to write a reply. It never throws. */
export type RequestHandler<Request, Output> = (
  request: Request,
  requestId: string,
  onResult?: OnResult<Output> | undefined,
) => Awaitable<DecisionReply<Output>>;

/** Makes the handler of one decision. Nothing is awaited where nothing is asynchronous. */
export function createRequestHandler<Request, Output>(
  pipeline: EvaluationPipeline,
  decision: Decision<unknown, Output>,
  reader: RequestReader<Request>,
): RequestHandler<Request, Output> {
  const handler = new DecisionHandler(pipeline, decision, reader);
  return (request, requestId, onResult) => handler.handle(request, requestId, onResult);
}

class DecisionHandler<Request, Output> {
  readonly #pipeline: EvaluationPipeline;
  readonly #decision: Decision<unknown, Output>;
  readonly #reader: RequestReader<Request>;
  readonly #profileFrom: "caller" | "host";

  constructor(
    pipeline: EvaluationPipeline,
    decision: Decision<unknown, Output>,
    reader: RequestReader<Request>,
  ) {
    this.#pipeline = pipeline;
    this.#decision = decision;
    this.#reader = reader;
    this.#profileFrom = reader.profile === undefined ? "caller" : (reader.profileFrom ?? "host");
  }

  handle(
    request: Request,
    requestId: string,
    onResult: OnResult<Output> | undefined,
  ): Awaitable<DecisionReply<Output>> {
    let input: unknown;
    let profile: unknown;
    let known: unknown;
    let isLater: boolean;
    try {
      input = this.#reader.input(request);
      isLater = isThenable(input);
      known = isLater ? undefined : input;
      profile = this.#reader.profile?.(request);
      isLater ||= isThenable(profile);
    } catch (thrown) {
      ignoreRejection(input);
      return this.#failBefore(requestId, known, thrown);
    }
    if (!isLater) return this.#evaluate(input, profile, requestId, onResult);
    return this.#readLater(input, profile, requestId, onResult, known);
  }

  async #readLater(
    input: unknown,
    profile: unknown,
    requestId: string,
    onResult: OnResult<Output> | undefined,
    known: unknown,
  ): Promise<DecisionReply<Output>> {
    let read: readonly [unknown, unknown];
    try {
      read = await this.#within("inputMapper or profileResolver", () => Promise.all([input, profile]));
    } catch (thrown) {
      return this.#failBefore(requestId, known, thrown);
    }
    return this.#evaluate(read[0], read[1], requestId, onResult);
  }

  #evaluate(
    input: unknown,
    read: unknown,
    requestId: string,
    onResult: OnResult<Output> | undefined,
  ): Awaitable<DecisionReply<Output>> {
    const profileFrom = this.#profileFrom;
    const profile = read === undefined && profileFrom === "host" ? {} : read;
    const call = { input, profile, requestId, profileFrom };
    if (onResult === undefined) {
      return this.#pipeline.evaluate<Output, DecisionReply<Output>>(this.#decision, call, replyEncoder);
    }
    const reply = this.#pipeline.evaluate<Output, DecisionReply<Output>>(
      this.#decision,
      call,
      copyingReplyEncoder,
    );
    return isThenable(reply)
      ? reply.then((settled) => this.#tell(settled, input, onResult))
      : this.#tell(reply, input, onResult);
  }

  /** Gives the host's callback its result. */
  #tell(
    reply: DecisionReply<Output>,
    input: unknown,
    onResult: OnResult<Output>,
  ): Awaitable<DecisionReply<Output>> {
    const { result } = reply;
    if (result === undefined) return reply;
    // Read before the callback, which may write to its result.
    const epochMs = Date.parse(result.meta.evaluatedAt);
    const failed = (thrown: unknown) => this.#failAfter(reply, input, epochMs, thrown);
    try {
      const returned = this.#within("onResult or onDeny", () => onResult(result));
      return isThenable(returned) ? returned.then(() => reply, failed) : reply;
    } catch (thrown) {
      return failed(thrown);
    }
  }

  /** Nothing was evaluated. */
  async #failBefore(requestId: string, input: unknown, thrown: unknown): Promise<DecisionReply<Output>> {
    const reply = await this.#pipeline.fail<Output, DecisionReply<Output>>(
      this.#decision,
      { input, requestId },
      thrown,
      replyEncoder,
    );
    return { ...reply, hostError: { thrown: maskedError(thrown) } };
  }

  /** Evaluated and counted already: logged and given to `onError`, and not counted again. */
  async #failAfter(
    reply: DecisionReply<Output>,
    input: unknown,
    epochMs: number,
    thrown: unknown,
  ): Promise<DecisionReply<Output>> {
    const decisionId = this.#decision.id;
    const { requestId } = reply;
    await this.#pipeline.report({ decisionId, input, profile: undefined, requestId, epochMs }, thrown);
    return { ...reply, hostError: { thrown: maskedError(thrown) } };
  }

  #within<T>(name: string, work: () => Awaitable<T>): Awaitable<T> {
    const timeoutMs = this.#pipeline.hookTimeoutMs;
    return withDeadline(work, timeoutMs, () => {
      return new DecernError("HOOK_TIMEOUT", { detail: `${name} did not settle within ${timeoutMs} ms` });
    });
  }
}
