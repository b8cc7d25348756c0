import type { Clock } from "../base/clock.js";
import { DecernError, type Problem } from "../base/errors.js";
import type { Logger } from "../base/logger.js";
import {
  feature,
  type OptionKind,
  type OptionTable,
  optionKinds,
  optionProblems,
  wrongOptions,
} from "../base/options.js";
import { isDecision } from "../decision/decision.js";
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

const decision: OptionKind = (value, path) =>
  isDecision(value) ? [] : [{ path, message: "is not a decision; make it with defineDecision" }];

/** What everything that evaluates one decision for a host takes. */
interface DecisionOptions extends EvaluatorOptions {
  readonly decision: unknown;
  readonly profile?: unknown;
  readonly profileResolver?: unknown;
  readonly inputMapper?: unknown;
  readonly caller?: unknown;
}

/** The kinds of the options of everything that evaluates one decision for a host; each adds its own. */
export const decisionOptionKinds: OptionTable<DecisionOptions> = {
  decision,
  // Its schema judges it, once the decision is known to be one.
  profile: optionKinds.anything,
  profileResolver: callback,
  inputMapper: callback,
  caller: callback,
  ...evaluatorOptionKinds,
};

/**
 * Finds what is wrong with the options of what evaluates one decision for a host, apart from the decision and its profile.
 *
 * @param kinds - of every option: {@link decisionOptionKinds} and the host's own
 * @param required - names of the host's own options that have to be given
 */
export function decisionProblems(
  options: unknown,
  kinds: Readonly<Record<string, OptionKind>>,
  required: readonly string[] = [],
): readonly Problem[] {
  return optionProblems(options, {
    kinds,
    required: ["decision", ...required],
    exclusive: [["profile", "profileResolver"]],
  });
}

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
