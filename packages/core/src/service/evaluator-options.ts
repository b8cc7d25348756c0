import type { Clock } from "../base/clock.js";
import { DecernError } from "../base/errors.js";
import type { Logger } from "../base/logger.js";
import { feature, type OptionKind, type OptionTable, optionKinds, wrongOptions } from "../base/options.js";
import type { DecisionLog } from "./decision-log.js";
import type { EvaluationObserver, Hooks } from "./hooks.js";

/** What everything that runs evaluations takes. */
export interface EvaluatorOptions {
  readonly hooks?: Hooks | undefined;
  readonly observers?: readonly EvaluationObserver[] | undefined;
  /** @default the machine's clock */
  readonly clock?: Clock | undefined;
  /** Called with every error. With `false`, nothing is logged. @default writes to standard error */
  readonly logger?: Logger | false | undefined;
  /** How long a hook or callback may take, in milliseconds. @default 5000 */
  readonly hookTimeoutMs?: number | undefined;
  /** Keeps a record of every evaluation: what `decisionLog` of `@decern/decision-log` returned. @default none */
  readonly log?: DecisionLog | undefined;
}

/** What hosts take as `log`. */
const logKind: OptionKind = (value, path) =>
  typeof value === "object" && value !== null && Reflect.get(value, feature) === "decision-log"
    ? []
    : [{ path, message: "must be built with decisionLog() of @decern/decision-log" }];

const { callback, either, group, listOf, wholeNumber, withMethods } = optionKinds;

const hooks = group<Hooks>({ beforeEvaluate: callback, afterEvaluate: callback, onError: callback });

const observer = either("has no onEvaluated; from metrics(), pass its observer", withMethods("onEvaluated"));

const reportsErrors = withMethods("error");

const optionalLevels = ["warn", "info"] as const;

const logger: OptionKind = (value, path) => {
  if (value === false) return [];
  if (typeof value !== "object" || value === null) return reportsErrors(value, path);
  const given = optionalLevels.filter((level) => Reflect.get(value, level) !== undefined);
  return withMethods("error", ...given)(value, path);
};

/** The kinds of {@link EvaluatorOptions}, which every host takes in addition to its own. */
export const evaluatorOptionKinds: OptionTable<EvaluatorOptions> = {
  hooks,
  observers: listOf(observer),
  clock: withMethods("now", "monotonic"),
  logger,
  hookTimeoutMs: wholeNumber,
  log: logKind,
};

/**
 * Refuses evaluator options of a wrong kind, such as hooks and observers that would never be called. Each host checks its
 * other options itself.
 *
 * @throws DecernError `INVALID_OPTIONS` with every problem
 */
export function checkEvaluatorOptions(options: EvaluatorOptions): void {
  const problems = wrongOptions(options, evaluatorOptionKinds);
  if (problems.length > 0) throw new DecernError("INVALID_OPTIONS", { problems });
}
