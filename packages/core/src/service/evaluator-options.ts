import { type Clock, systemClock } from "../base/clock.js";
import type { Logger } from "../base/logger.js";
import {
  type Kind,
  kinds,
  type OptionRule,
  type OptionsOf,
  oneAtMost,
  option,
  requiredOption,
} from "../base/options.js";
import { type Decision, isDecision, whyNoDecision } from "../decision/decision.js";
import type { DecisionLog } from "./decision-log.js";
import { type DecisionSource, sourceOf } from "./generation-source.js";
import type { EvaluationObserver, Hooks } from "./hooks.js";

const hooks: Kind<Hooks> = kinds.group({
  beforeEvaluate: option(kinds.callback<NonNullable<Hooks["beforeEvaluate"]>>()),
  afterEvaluate: option(kinds.callback<NonNullable<Hooks["afterEvaluate"]>>()),
  onError: option(kinds.callback<NonNullable<Hooks["onError"]>>()),
});

const observer = kinds.either(
  "has no onEvaluated; from metrics(), pass its observer",
  kinds.withMethods<EvaluationObserver>("onEvaluated"),
);

const logger: Kind<Logger | false> = (value, path) => (value === false ? [] : kinds.logger(value, path));

/** What everything that runs evaluations takes. */
export const evaluatorRows = {
  hooks: option(hooks),
  observers: option(kinds.listOf<EvaluationObserver>(observer)),
  /** @default the machine's clock */
  clock: option<Clock>(kinds.clock, systemClock),
  /** Called with every error. With `false`, nothing is logged. @default writes to standard error */
  logger: option(logger),
  /** How long a hook or callback may take, in milliseconds. @default 5000 */
  hookTimeoutMs: option(kinds.wholeNumber),
  /** Keeps a record of every evaluation: what `decisionLog` of `@decern/decision-log` returned. @default none */
  log: option(
    kinds.built<DecisionLog>("decision-log", "must be built with decisionLog() of @decern/decision-log"),
  ),
} as const;

/** What everything that runs evaluations takes. */
export interface EvaluatorOptions extends OptionsOf<typeof evaluatorRows> {}

/** The kind of a decision. */
export const decisionKind: Kind<Decision> = (value, path) =>
  isDecision(value) ? [] : [{ path, message: whyNoDecision(value) }];

const oneDecisionKind: Kind<Decision | DecisionSource> = (value, path) =>
  sourceOf("decision-source", value) === undefined ? decisionKind(value, path) : [];

/** What everything that evaluates one decision for a host takes; each adds its own, and its types. */
export const decisionRows = {
  decision: requiredOption(oneDecisionKind),
  // Its schema judges it, once the decision is known to be one.
  profile: option(kinds.anything<never>()),
  profileResolver: option(kinds.callback<never>()),
  inputMapper: option(kinds.callback<never>()),
  caller: option(kinds.callback<never>()),
  ...evaluatorRows,
} as const;

/** A profile is fixed, or resolved for each request. */
export const oneProfile: OptionRule = oneAtMost("profile", "profileResolver");
