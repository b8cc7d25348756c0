import {
  type Awaitable,
  ignoreRejection,
  isThenable,
  settleWithin,
  withDeadline,
} from "../base/awaitable.js";
import { DecernError } from "../base/errors.js";
import { asThrowable, maskedError } from "../base/thrown.js";
import type { Decision } from "../decision/decision.js";
import type { Result } from "../decision/result.js";
import {
  type CallOrigin,
  type CallReader,
  type Choice,
  plainChoice,
  unknownOrigin,
} from "../service/call.js";
import type { Form, Run } from "../service/run.js";
import type { Runner } from "../service/runner.js";
import type { Exchange } from "./exchange.js";
import { type DecisionReply, envelope, envelopeAndCopy, replyOf, writeReply } from "./reply.js";
import { replyTogether } from "./reply-together.js";

/** Runs before the reply; its failure is the host's error. */
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
 * @param form - writes the result of a call that has no `onResult`. @default the envelope
 */
export function createCallHandler<Request, Output>(
  runner: Runner,
  decision: Decision<unknown, Output>,
  reader: CallReader<Request, Output>,
  form: Form = envelope,
): RequestHandler<Request, Output> {
  return new CallHandler(runner, decision, reader, form);
}

class CallHandler<Request, Output> implements RequestHandler<Request, Output> {
  readonly #runner: Runner;
  readonly #reader: CallReader<Request, Output>;
  readonly #form: Form;
  /** For calls that fail before anything is chosen. */
  readonly #unchosen: Choice<Output>;

  constructor(
    runner: Runner,
    decision: Decision<unknown, Output>,
    reader: CallReader<Request, Output>,
    form: Form,
  ) {
    this.#runner = runner;
    this.#reader = reader;
    this.#form = form;
    this.#unchosen = plainChoice(decision, reader.selectedBy);
  }

  respond(request: Request, exchange: Exchange<Output>, onResult?: OnResult<Output> | undefined): void {
    const fail = (thrown: unknown): void => exchange.fail(asThrowable(thrown), exchange.requestId);
    const write = (run: Run<Output>): void => {
      exchange.onDecided(run.told ?? run.result);
      replyTogether(() => writeReply(run, exchange), fail);
    };
    try {
      const run = this.#run(request, exchange.requestId, onResult);
      if (isThenable(run)) run.then(write).then(undefined, fail);
      else write(run);
    } catch (thrown) {
      fail(thrown);
    }
  }

  handle(
    request: Request,
    requestId: string,
    onResult?: OnResult<Output> | undefined,
  ): Awaitable<DecisionReply<Output>> {
    const run = this.#run(request, requestId, onResult);
    return isThenable(run) ? run.then(replyOf) : replyOf(run);
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
      const choice = this.#reader.choose(request, undefined, origin);
      if (isThenable(choice)) return one;
      return (input) => {
        const run = this.#runner.run(origin, choice, input, requestId, this.#form);
        return isThenable(run) ? run.then(replyOf) : replyOf(run);
      };
    } catch {
      // It fails for each input, and is counted and reported as often.
      return one;
    }
  }

  /** It never throws. What the host's callbacks throw is counted, reported and kept in the run. */
  #run(request: Request, requestId: string, onResult: OnResult<Output> | undefined): Awaitable<Run<Output>> {
    let origin = unknownOrigin;
    let read: unknown;
    let input: unknown;
    let promised: PromiseLike<unknown> | undefined;
    let choice: Awaitable<Choice<Output>> | undefined;
    try {
      origin = this.#reader.origin(request);
      read = this.#reader.input(request);
      // Looked at one time: what a host's callback returned may be another thing next time, or throw.
      if (isThenable(read)) promised = read;
      else input = read;
      if (promised === undefined || this.#reader.ignoresInput === true)
        choice = this.#reader.choose(request, input, origin);
    } catch (thrown) {
      ignoreRejection(read);
      return this.#failed(origin, input, requestId, thrown);
    }
    if (promised !== undefined || choice === undefined || isThenable(choice))
      return this.#runLater(request, requestId, onResult, origin, input, promised, choice);
    return this.#runChosen(origin, choice, input, requestId, onResult);
  }

  /**
   * Waits for the input, then for the choice; for both with one time limit where the choice does not need the input.
   *
   * @param read - the input, unless `promised` gives it
   */
  async #runLater(
    request: Request,
    requestId: string,
    onResult: OnResult<Output> | undefined,
    origin: CallOrigin,
    read: unknown,
    promised: PromiseLike<unknown> | undefined,
    choosing: Awaitable<Choice<Output>> | undefined,
  ): Promise<Run<Output>> {
    const { hookTimeoutMs } = this.#runner;
    let input = read;
    let choice: Choice<Output>;
    try {
      if (promised !== undefined && choosing !== undefined) {
        const both = Promise.all([promised, choosing]);
        [input, choice] = await settleWithin("inputMapper or profileResolver", hookTimeoutMs, both);
      } else {
        if (promised !== undefined) input = await settleWithin("inputMapper", hookTimeoutMs, promised);
        const chosen = choosing ?? this.#reader.choose(request, input, origin);
        choice = isThenable(chosen) ? await settleWithin("profileResolver", hookTimeoutMs, chosen) : chosen;
      }
    } catch (thrown) {
      return this.#failed(origin, input, requestId, thrown);
    }
    return this.#runChosen(origin, choice, input, requestId, onResult);
  }

  #runChosen(
    origin: CallOrigin,
    choice: Choice<Output>,
    input: unknown,
    requestId: string,
    onResult: OnResult<Output> | undefined,
  ): Awaitable<Run<Output>> {
    const form = onResult === undefined ? this.#form : envelopeAndCopy;
    const run = this.#runner.run(origin, choice, input, requestId, form);
    if (onResult === undefined) return run;
    return isThenable(run) ? run.then((ended) => this.#tell(ended, onResult)) : this.#tell(run, onResult);
  }

  /** Gives `onResult` its copy of the result. Its failure is reported, and not counted again. */
  #tell(run: Run<Output>, onResult: OnResult<Output>): Awaitable<Run<Output>> {
    const { told } = run;
    if (told === undefined) return run;
    const failed = async (thrown: unknown): Promise<Run<Output>> => {
      await this.#runner.report(run, thrown);
      run.hostError = { thrown: maskedError(thrown) };
      return run;
    };
    try {
      const returned = withDeadline("onResult or onDeny", this.#runner.hookTimeoutMs, () => onResult(told));
      return isThenable(returned) ? returned.then(() => run, failed) : run;
    } catch (thrown) {
      return failed(thrown);
    }
  }

  /** Nothing was evaluated, since a callback failed. */
  async #failed(
    origin: CallOrigin,
    input: unknown,
    requestId: string,
    thrown: unknown,
  ): Promise<Run<Output>> {
    const run = await this.#runner.fail(origin, this.#unchosen, input, requestId, thrown);
    // Not a failure of a callback: every host replies to it in the same way.
    if (thrown instanceof DecernError && thrown.code === "PROFILES_NOT_LOADED") return run;
    run.hostError = { thrown: maskedError(thrown) };
    return run;
  }
}
