import { systemClock } from "../base/clock.js";
import type { Logger } from "../base/logger.js";
import type { Call } from "../decision/evaluate.js";
import type { Catalogue } from "./catalogue.js";
import { type Chooser, unchosen } from "./choice.js";
import type { EvaluatorOptions } from "./evaluator-options.js";
import type { MissingCode, Target } from "./generation.js";
import type { EvaluationObserver } from "./hooks.js";
import type { Origin } from "./request-view.js";
import type { Choice, Run, SentProfile } from "./run.js";
import { Runner } from "./runner.js";

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

/** What evaluates the calls of one host: the decisions and profiles in use, how each call chooses, and the steps of an evaluation. */
export class Service<Source = unknown> {
  readonly catalogue: Catalogue;
  readonly chooser: Chooser<Source>;
  readonly runner: Runner;
  readonly logger: Logger;
  readonly observers: readonly EvaluationObserver[];
  readonly #options: EvaluatorOptions;

  /** @param shadows - whether calls are evaluated by their candidates too */
  constructor(
    catalogue: Catalogue,
    chooser: Chooser<Source>,
    options: EvaluatorOptions,
    logger: Logger,
    shadows = true,
  ) {
    this.catalogue = catalogue;
    this.chooser = chooser;
    this.logger = logger;
    this.observers = options.observers ?? [];
    this.#options = options;
    const { hooks, observers, clock, hookTimeoutMs, log } = options;
    this.runner = new Runner({ hooks, observers, clock, logger, hookTimeoutMs, log }, shadows);
  }

  /**
   * The same, for evaluations that are not counted, recorded, compared or observed. Only `beforeEvaluate` runs, which may refuse
   * them.
   */
  unseen(): Service<Source> {
    const { hooks, clock, hookTimeoutMs } = this.#options;
    const beforeEvaluate = hooks?.beforeEvaluate?.bind(hooks);
    const seen = beforeEvaluate === undefined ? undefined : { beforeEvaluate };
    const options = { hooks: seen, clock, hookTimeoutMs };
    return new Service(this.catalogue, this.chooser, options, this.logger, false);
  }

  /** The same under the log of a framework, which some hosts learn with their first request. The host's own log wins. */
  under(logger: Logger): Service<Source> {
    if (this.#options.logger !== undefined) return this;
    return new Service(this.catalogue, this.chooser, this.#options, logger);
  }

  /** A call as it would be evaluated, for what evaluates it without hooks and records. */
  callFor(
    { decision, profile, profiles }: Choice,
    { caller }: Origin,
    input: unknown,
    requestId: string,
  ): Call {
    const { clock = systemClock } = this.#options;
    return { decision, input, profile, profiles, epochMs: clock.now(), requestId, caller };
  }

  /** Counts and reports a call that failed before its version and profile were chosen. */
  fail(
    { target, origin, requestId }: Pick<Asked<Source>, "target" | "origin" | "requestId">,
    input: unknown,
    thrown: unknown,
  ): Promise<Run> {
    return this.runner.fail(origin, unchosen(target), input, requestId, thrown);
  }

  /** What a service of one decision evaluates. */
  get only(): Target | MissingCode {
    return this.catalogue.current.only;
  }

  /** Loads no more profiles. Those in use stay. */
  stop(): Promise<void> {
    return this.catalogue.stop();
  }
}
