import { DecernError } from "../base/errors.js";
import type { Logger } from "../base/faults.js";
import { checkedOptions } from "../base/options.js";
import { type Awaitable, isThenable, systemClock } from "../base/time.js";
import type { Decision } from "../decision/decision.js";
import { checkDecision } from "../decision/describe.js";
import type { Call } from "../decision/evaluate.js";
import type { InputFor, ProfileFor } from "../decision/ports.js";
import type { Result } from "../decision/result.js";
import type { Catalogue } from "./catalogue.js";
import { type Chooser, unchosen } from "./choice.js";
import { type EvaluatorOptions, evaluatorRows } from "./evaluator-options.js";
import type { MissingCode, Target } from "./generation.js";
import type { EvaluationObserver } from "./hooks.js";
import { type Origin, unknownOrigin } from "./request-view.js";
import type { Choice, EvaluationCall, Run, SentProfile } from "./run.js";
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
    return this.catalogue.find();
  }

  /** Loads no more profiles. Those in use stay. */
  stop(): Promise<void> {
    return this.catalogue.loads.stop();
  }
}

/** Evaluates decisions with hooks and observers. */
export interface Evaluator {
  /**
   * Evaluates one call.
   *
   * @returns the envelope; immediately when there are no hooks, else a promise. `await` takes both.
   * @throws DecernError (or rejects with it) on an error: `EVALUATION_FAILED`, `EVALUATION_ABORTED`, `HOOK_TIMEOUT`
   */
  evaluate<Input, Output, Profile, GivenInput, GivenProfile, RuleId extends string>(
    decision: Decision<Input, Output, Profile, string, RuleId>,
    call: EvaluationCall & {
      /** As `evaluate` takes it: checked by TypeScript unless its type is `unknown`. */
      readonly input: InputFor<NoInfer<Input>, GivenInput>;
      readonly profile?: ProfileFor<NoInfer<Profile>, GivenProfile> | undefined;
    },
  ): Awaitable<Result<Output, RuleId>>;
}

/**
 * Makes an evaluator for use in process; hosts bring their own.
 *
 * @throws DecernError `INVALID_OPTIONS` with every option that is unknown or of a wrong kind
 *
 * @example
 * ```ts
 * const evaluator = createEvaluator({ hooks: { afterEvaluate: (context, result) => audit(context.requestId, result) } });
 * const result = await evaluator.evaluate(loanApproval, { input, profile });
 * ```
 */
export function createEvaluator(options: EvaluatorOptions = {}): Evaluator {
  const runner = new Runner(checkedOptions("createEvaluator", options, evaluatorRows));
  function evaluate<Output, RuleId extends string>(
    decision: Decision<unknown, Output, unknown, string, RuleId>,
    call: EvaluationCall,
  ): Awaitable<Result<Output, RuleId>>;
  // Apart from the signature above: a program does not tell the ids of its rules.
  function evaluate<Output>(
    decision: Decision<unknown, Output>,
    call: EvaluationCall,
  ): Awaitable<Result<Output>> {
    checkDecision(decision);
    if (typeof call !== "object" || call === null) {
      const detail = "evaluate: the call must be an object with an input";
      throw new DecernError("INVALID_OPTIONS", { detail });
    }
    const { input, profile, requestId, caller } = call;
    const origin = caller === undefined ? unknownOrigin : { ...unknownOrigin, caller };
    // Field by field: spreading objects costs as much as a small evaluation.
    const choice: Choice<Output> = {
      decision,
      profile,
      profileFrom: call.profileFrom ?? "caller",
      sharesProfile: false,
      profiles: undefined,
      selectedBy: "default",
      headers: undefined,
      shadow: undefined,
    };
    const run = runner.run(origin, choice, input, requestId);
    return isThenable(run) ? run.then(resultOf) : resultOf(run);
  }
  return { evaluate };
}

function resultOf<Output>({ result, error }: Run<Output>): Result<Output> {
  if (result === undefined) throw error;
  return result;
}
