import {
  type Awaitable,
  ignoreRejection,
  isThenable,
  settleWithin,
  withDeadline,
} from "../base/awaitable.js";
import { asThrowable, maskedError } from "../base/thrown.js";
import type { Result } from "../decision/result.js";
import { type Choice, type Origin, unknownOrigin } from "../service/call.js";
import type { Target } from "../service/catalogue.js";
import type { Form, Run } from "../service/run.js";
import type { Service } from "../service/service.js";
import type { Exchange, HostRequest } from "./exchange.js";
import { envelope, envelopeAndCopy, Replies, traced } from "./reply.js";

/** Runs before the reply; its failure is the host's fault. */
export type OnResult = (result: Result) => unknown;

/**
 * What every route, middleware, handler, hook and facade of a host does with a request. Each adds only how to read it and how to
 * write the reply. Nothing is awaited where nothing is asynchronous.
 *
 * @typeParam Source - the framework's request
 */
export class Handler<Source> {
  readonly #service: Service<Source>;
  readonly #form: Form;
  readonly #replies: Replies;

  /**
   * @param form - writes the result of a call that has no `onResult`. @default the envelope
   * @param replies - of the host. @default those of this handler alone
   */
  constructor(service: Service<Source>, form: Form = envelope, replies: Replies = new Replies()) {
    this.#service = service;
    this.#form = form;
    this.#replies = replies;
  }

  /** Another handler of the same host, which also writes what rules evaluated. @param service - @default the same */
  tracing(service: Service<Source> = this.#service): Handler<Source> {
    return new Handler(service, traced, this.#replies);
  }

  /**
   * Evaluates a request and replies to it.
   *
   * @param target - what its path names
   * @param onResult - the host's callback, which may reply itself
   */
  respond(exchange: Exchange<Source>, target: Target, onResult?: OnResult | undefined): void {
    try {
      const run = this.run(exchange, target, onResult);
      if (isThenable(run)) this.#respondLater(exchange, run);
      else this.#replies.write(run, exchange);
    } catch (thrown) {
      exchange.fail(asThrowable(thrown), exchange.requestId);
    }
  }

  #respondLater(exchange: Exchange<Source>, running: PromiseLike<Run>): void {
    running
      .then((run) => this.#replies.write(run, exchange))
      .then(undefined, (thrown) => exchange.fail(asThrowable(thrown), exchange.requestId));
  }

  /** Evaluates a request. It never throws: what callbacks of the host throw is counted, reported and kept in the run. */
  run(request: HostRequest<Source>, target: Target, onResult?: OnResult | undefined): Awaitable<Run> {
    const form = onResult === undefined ? this.#form : envelopeAndCopy;
    const run = this.#run(request, target, form);
    if (onResult === undefined) return run;
    return isThenable(run) ? run.then((ended) => this.#tell(ended, onResult)) : this.#tell(run, onResult);
  }

  #run(request: HostRequest<Source>, target: Target, form: Form): Awaitable<Run> {
    const { requestId } = request;
    let origin = unknownOrigin;
    let input: unknown;
    try {
      origin = request.origin();
      input = request.input();
      // Looked at once: what a host's callback returned may be another thing next time, or throw.
      if (isThenable(input)) return this.#runLater(request, target, form, origin, input);
    } catch (thrown) {
      ignoreRejection(input);
      return this.#service.fail({ target, origin, requestId }, undefined, thrown);
    }
    const asked = { target, origin, requestId, sent: request.sent?.(), source: request.source };
    return this.#service.run(asked, input, form);
  }

  /** Waits for the input, then for the choice; for both with one time limit where the choice does not need the input. */
  async #runLater(
    request: HostRequest<Source>,
    target: Target,
    form: Form,
    origin: Origin,
    reading: PromiseLike<unknown>,
  ): Promise<Run> {
    const { requestId, source } = request;
    const { runner, chooser } = this.#service;
    const sent = request.sent?.();
    let input: unknown;
    let choice: Choice | undefined;
    try {
      if (chooser.ignoresInput) {
        const both = Promise.all([reading, chooser.choose(target, origin, undefined, sent, source)]);
        [input, choice] = await settleWithin("inputMapper or profileResolver", runner.hookTimeoutMs, both);
      } else {
        input = await settleWithin("inputMapper", runner.hookTimeoutMs, reading);
      }
    } catch (thrown) {
      ignoreRejection(reading);
      return this.#service.fail({ target, origin, requestId }, undefined, thrown);
    }
    if (choice !== undefined) return runner.run(origin, choice, input, requestId, form);
    return this.#service.run({ target, origin, requestId, sent, source }, input, form);
  }

  /** Gives `onResult` its copy of the result. Its failure is reported, and not counted again. */
  #tell(run: Run, onResult: OnResult): Awaitable<Run> {
    const { told } = run;
    if (told === undefined) return run;
    const { runner } = this.#service;
    const failed = async (thrown: unknown): Promise<Run> => {
      await runner.report(run, thrown);
      run.hostError = { thrown: maskedError(thrown) };
      return run;
    };
    try {
      const returned = withDeadline("onResult or onDeny", runner.hookTimeoutMs, () => onResult(told));
      return isThenable(returned) ? returned.then(() => run, failed) : run;
    } catch (thrown) {
      return failed(thrown);
    }
  }
}
