import type { Hooks } from "../hooks/hooks.js";
import { type OptionTable, optionKinds } from "../options/option-kinds.js";
import type { EvaluatorOptions } from "./evaluator-options.js";

const { callback, either, group, listOf, wholeNumber, withMethods } = optionKinds;

const hooks = group<Hooks>({ beforeEvaluate: callback, afterEvaluate: callback, onError: callback });

const observer = either(
  "has no onEvaluated; of what metrics() built, give its observer",
  withMethods("onEvaluated"),
);

/** The kinds of {@link EvaluatorOptions}, which every host takes beside its own. */
export const evaluatorOptionKinds: OptionTable<EvaluatorOptions> = {
  hooks,
  observers: listOf(observer),
  clock: withMethods("now", "monotonic"),
  logger: withMethods("error"),
  hookTimeoutMs: wholeNumber,
};
