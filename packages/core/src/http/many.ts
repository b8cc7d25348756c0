import { type Awaitable, isThenable } from "../base/awaitable.js";
import type { Choice } from "../service/call.js";
import type { Form, Run } from "../service/run.js";
import type { Asked, Service } from "../service/service.js";
import { contentOf, envelope } from "./reply.js";

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
    this.#choice = service.chooser.isSteady(asked.target) ? this.#choose() : undefined;
  }

  /** It never throws. */
  evaluate(input: unknown): Awaitable<ItemReply> {
    const run = this.#run(input);
    return isThenable(run) ? run.then(itemReplyOf) : itemReplyOf(run);
  }

  #run(input: unknown): Awaitable<Run> {
    if (this.#choice === undefined) return this.#service.run(this.#asked, input, this.#form);
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
