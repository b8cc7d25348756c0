import { deepFreeze } from "../base/copy.js";
import { asThrowable, maskedError } from "../base/faults.js";
import { type Awaitable, ignoreRejection, isThenable, settleWithin, withDeadline } from "../base/time.js";
import type { Result } from "../decision/result.js";
import type { Target } from "../service/generation.js";
import { type Origin, unknownOrigin } from "../service/request-view.js";
import type { Choice, Form, Run } from "../service/run.js";
import type { Asked, Service } from "../service/service.js";
import {
  contentOf,
  type Exchange,
  envelope,
  envelopeAndCopy,
  type HostRequest,
  Replies,
  traced,
} from "./reply.js";

/** Runs before the reply; its failure is the host's error. */
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
      // Read a single time: what a host's callback returned may be something else next time, or throw.
      if (isThenable(input)) return this.#runLater(request, target, form, origin, input);
    } catch (thrown) {
      ignoreRejection(input);
      return this.#service.fail({ target, origin, requestId }, undefined, thrown);
    }
    const asked = { target, origin, requestId, sent: request.sent?.(), source: request.source };
    return chooseAndRun(this.#service, asked, input, form, target.chosenAtMs);
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
    if (choice !== undefined) return runner.run(origin, choice, input, requestId, form, target.chosenAtMs);
    const asked = { target, origin, requestId, sent, source };
    return chooseAndRun(this.#service, asked, input, form, target.chosenAtMs);
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

/** It never throws: what callbacks of the host throw is counted, reported and kept in the run. */
function chooseAndRun<Source>(
  service: Service<Source>,
  asked: Asked<Source>,
  input: unknown,
  form: Form,
  chosenAtMs?: number | undefined,
): Awaitable<Run> {
  const { target, origin, requestId, sent, source } = asked;
  let choice: Awaitable<Choice>;
  try {
    choice = service.chooser.choose(target, origin, input, sent, source);
    if (isThenable(choice)) return runOnceChosen(service, asked, input, form, choice, chosenAtMs);
  } catch (thrown) {
    return service.fail(asked, input, thrown);
  }
  return service.runner.run(origin, choice, input, requestId, form, chosenAtMs);
}

async function runOnceChosen<Source>(
  service: Service<Source>,
  asked: Asked<Source>,
  input: unknown,
  form: Form,
  choosing: PromiseLike<Choice>,
  chosenAtMs: number | undefined,
): Promise<Run> {
  const { runner } = service;
  let choice: Choice;
  try {
    choice = await settleWithin("profileResolver", runner.hookTimeoutMs, choosing);
  } catch (thrown) {
    return service.fail(asked, input, thrown);
  }
  return runner.run(asked.origin, choice, input, asked.requestId, form, chosenAtMs);
}

/** What came of one input of many: JSON text, and what to run once it is written. */
export interface ItemReply {
  readonly body: string;
  readonly afterwards: (() => void) | undefined;
}

/** Evaluates many inputs of one request: what does not depend on the input is chosen once. */
export class Many<Source> {
  readonly #service: Service<Source>;
  readonly #asked: Asked<Source>;
  readonly #form: Form;
  /** `undefined` where it depends on the input, or failed: then it fails for each, and is counted and reported as often. */
  readonly #choice: Choice | undefined;

  /** @param form - @default the envelope */
  constructor(service: Service<Source>, asked: Asked<Source>, form: Form = envelope) {
    this.#service = service;
    this.#asked = asked;
    this.#form = form;
    // One input's rules must not change it for the next.
    if (asked.sent !== undefined) deepFreeze(asked.sent.profile);
    this.#choice = service.chooser.isSteady(asked.target) ? this.#choose() : undefined;
  }

  /** It never throws. */
  evaluate(input: unknown): Awaitable<ItemReply> {
    const run = this.#run(input);
    return isThenable(run) ? run.then(itemReplyOf) : itemReplyOf(run);
  }

  #run(input: unknown): Awaitable<Run> {
    if (this.#choice === undefined) return chooseAndRun(this.#service, this.#asked, input, this.#form);
    const { origin, requestId } = this.#asked;
    return this.#service.runner.run(origin, this.#choice, input, requestId, this.#form);
  }

  #choose(): Choice | undefined {
    const { target, origin, sent, source } = this.#asked;
    try {
      const choice = this.#service.chooser.choose(target, origin, undefined, sent, source);
      return isThenable(choice) ? undefined : choice;
    } catch {
      return undefined;
    }
  }
}

function itemReplyOf(run: Run): ItemReply {
  const { afterwards } = run;
  return { body: contentOf(run).body, afterwards };
}
