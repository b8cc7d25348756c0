import { type Awaitable, isThenable } from "../awaitable.js";
import { withDeadline } from "../deadline.js";
import type { Decision } from "../definition/decision.js";
import { DecernError } from "../errors.js";
import type { EvaluationPipeline } from "../evaluation/evaluation-pipeline.js";
import type { Result } from "../program/result.js";
import type { SelectedBy } from "../records/decision-record.js";
import type { CallOrigin } from "./chosen-call.js";
import { type DecisionReply, replyEncoder } from "./decision-reply.js";
import { maskedError } from "./host-error.js";

/** Runs before the reply; its failure is the host's fault. */
export type OnResult<Output> = (result: Result<Output>) => unknown;

/** What a handler is asked. */
export interface Asked<Request, Output> {
  readonly request: Request;
  readonly requestId: string;
  readonly onResult: OnResult<Output> | undefined;
  origin: CallOrigin;
  selectedBy: SelectedBy | undefined;
}

/** What the callbacks of a host do to a call: their failures are the host's. */
export class HostCallbacks<Request, Output> {
  readonly #pipeline: EvaluationPipeline;
  readonly #decision: Decision<unknown, Output>;

  constructor(pipeline: EvaluationPipeline, decision: Decision<unknown, Output>) {
    this.#pipeline = pipeline;
    this.#decision = decision;
  }

  /**
   * Gives `onResult` its result: a copy, which it may write to.
   *
   * @param decision - the one that was evaluated
   */
  tell(
    reply: DecisionReply<Output>,
    asked: Asked<Request, Output>,
    decision: Decision<unknown, Output>,
    input: unknown,
    onResult: OnResult<Output>,
  ): Awaitable<DecisionReply<Output>> {
    const { result } = reply;
    if (result === undefined) return reply;
    // Read before the callback, which may write to its result.
    const epochMs = Date.parse(result.meta.evaluatedAt);
    const failed = (thrown: unknown) => this.#failAfter(reply, asked, decision, input, epochMs, thrown);
    try {
      const returned = withDeadline("onResult or onDeny", this.#pipeline.hookTimeoutMs, () =>
        onResult(result),
      );
      return isThenable(returned) ? returned.then(() => reply, failed) : reply;
    } catch (thrown) {
      return failed(thrown);
    }
  }

  /** Replies to a call of which nothing was evaluated, since a callback failed. */
  async failed(
    asked: Asked<Request, Output>,
    input: unknown,
    thrown: unknown,
  ): Promise<DecisionReply<Output>> {
    const { requestId, origin, selectedBy } = asked;
    const { caller, request, traceparent } = origin;
    const call = { input, requestId, caller, request, traceparent, selectedBy };
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
    { origin: { caller, request }, selectedBy = "default" }: Asked<Request, Output>,
    decision: Decision<unknown, Output>,
    input: unknown,
    epochMs: number,
    thrown: unknown,
  ): Promise<DecisionReply<Output>> {
    const { requestId } = reply;
    const evaluated = { decisionId: decision.id, decision, selectedBy };
    const told = { ...evaluated, input, profile: undefined, requestId, epochMs, caller, request };
    await this.#pipeline.report(told, thrown);
    return { ...reply, hostError: { thrown: maskedError(thrown) } };
  }
}
