import { DecernError } from "../errors.js";
import type { Hooks } from "../hooks/hooks.js";
import { type OptionKind, type OptionTable, optionKinds, wrongOptions } from "../options/option-kinds.js";
import { logKind } from "../records/log-kind.js";
import type { EvaluatorOptions } from "./evaluator-options.js";

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

/** The kinds of {@link EvaluatorOptions}, which every host takes beside its own. */
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
