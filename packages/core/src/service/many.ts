import { type Awaitable, isThenable, settleWithin } from "../base/awaitable.js";
import type { Choice, Origin, SentProfile } from "./call.js";
import type { Target } from "./catalogue.js";
import { unchosen } from "./choice.js";
import type { Form, Run } from "./run.js";
import type { Service } from "./service.js";

/**
 * What all calls of a request share.
 *
 * @typeParam Source - the framework's request
 */
export interface Asked<Source> {
  readonly target: Target;
  readonly origin: Origin;
  readonly requestId: string;
  readonly sent: SentProfile | undefined;
  readonly source: Source;
}

/** Chooses, then runs. It never throws: what callbacks of the host throw is counted, reported and kept in the run. */
export function runChosen<Source>(
  service: Service<Source>,
  asked: Asked<Source>,
  input: unknown,
  form: Form,
): Awaitable<Run> {
  const { runner } = service;
  const { target, origin, requestId } = asked;
  let choice: Awaitable<Choice>;
  try {
    choice = service.chooser.choose(target, origin, input, asked.sent, asked.source);
    if (isThenable(choice)) return runLater(service, asked, input, form, choice);
  } catch (thrown) {
    return runner.fail(origin, unchosen(target), input, requestId, thrown);
  }
  return runner.run(origin, choice, input, requestId, form);
}

async function runLater<Source>(
  { runner }: Service<Source>,
  { target, origin, requestId }: Asked<Source>,
  input: unknown,
  form: Form,
  choosing: PromiseLike<Choice>,
): Promise<Run> {
  let choice: Choice;
  try {
    choice = await settleWithin("profileResolver", runner.hookTimeoutMs, choosing);
  } catch (thrown) {
    return runner.fail(origin, unchosen(target), input, requestId, thrown);
  }
  return runner.run(origin, choice, input, requestId, form);
}

/** Evaluates many inputs of one request: what does not depend on the input is chosen once. */
export class Many<Source> {
  readonly #service: Service<Source>;
  readonly #asked: Asked<Source>;
  readonly #form: Form;
  /** `undefined` where it depends on the input, or failed: then it fails for each, and is counted and reported as often. */
  readonly #choice: Choice | undefined;

  constructor(service: Service<Source>, asked: Asked<Source>, form: Form) {
    this.#service = service;
    this.#asked = asked;
    this.#form = form;
    this.#choice = service.chooser.isSteady(asked.target) ? this.#choose() : undefined;
  }

  /** It never throws. */
  evaluate(input: unknown): Awaitable<Run> {
    if (this.#choice === undefined) return runChosen(this.#service, this.#asked, input, this.#form);
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
