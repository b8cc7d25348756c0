import { type Awaitable, isThenable, withDeadline } from "../base/awaitable.js";
import { DecernError } from "../base/errors.js";
import { maskedError } from "../base/thrown.js";
import type { Decision } from "../decision/decision.js";
import type { Result } from "../decision/result.js";
import type { CallOrigin } from "../service/call.js";
import type { EvaluationPipeline } from "../service/pipeline.js";
import type { SelectedBy } from "../service/request-view.js";
import { type Exchange, handOver } from "./exchange.js";
import { type DecisionReply, replyEncoder } from "./reply.js";

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

/** Ends an exchange with a reply, unless the host's other code has ended it. */
export function writeReply<Output>(reply: DecisionReply<Output>, exchange: Exchange<Output>): void {
  const { status, body, requestId, headers, hostError, afterwards } = reply;
  if (hostError !== undefined && exchange.handsOverHostErrors) {
    handOver(hostError.thrown, requestId, exchange);
  } else if (exchange.hasBegun()) {
    exchange.leave();
  } else {
    exchange.write(status, body, requestId, headers);
  }
  if (afterwards === undefined) return;
  if (exchange.whenWritten === undefined) setImmediate(afterwards);
  else exchange.whenWritten(afterwards);
}

// Kept from before anybody's test puts a fake in its place, under which no reply would leave. Browsers have none, and no host.
const afterThisTurn = globalThis.setImmediate;

/** A reply that comes so many milliseconds after the one before it is not made to wait: that would cost more than it saves. */
const apartMs = 0.25;

let lastMs = Number.NEGATIVE_INFINITY;

/**
 * Writes a reply. Where replies follow one another closely, it is written when the event loop has read and evaluated all
 * that had arrived, so that those of one turn leave one after another: docs/adr/0006 says why. A reply that is alone, and
 * one whose evaluation took its time, is written at once.
 *
 * @param fail - gets what `write` throws, which may be in nobody's `try` any more
 */
export function replyTogether(write: () => void, fail: (thrown: unknown) => void): void {
  const guarded = (): void => {
    try {
      write();
    } catch (thrown) {
      fail(thrown);
    }
    lastMs = performance.now();
  };
  const nowMs = performance.now();
  if (nowMs - lastMs > apartMs) {
    guarded();
  } else {
    lastMs = nowMs;
    afterThisTurn(guarded);
  }
}
