import type { Hooks } from "../hooks/hooks.js";
import { type OptionKind, type OptionTable, optionKinds } from "../options/option-kinds.js";
import type { EvaluatorOptions } from "./evaluator-options.js";

const { callback, either, group, listOf, wholeNumber, withMethods } = optionKinds;

const hooks = group<Hooks>({ beforeEvaluate: callback, afterEvaluate: callback, onError: callback });

const observer = either(
  "has no onEvaluated; of what metrics() built, give its observer",
  withMethods("onEvaluated"),
);

const reportsErrors = withMethods("error");
const alsoWarns = withMethods("error", "warn");
const logger: OptionKind = (value, path) =>
  typeof value === "object" && value !== null && "warn" in value && value.warn !== undefined
    ? alsoWarns(value, path)
    : reportsErrors(value, path);

/** The kinds of {@link EvaluatorOptions}, which every host takes beside its own. */
export const evaluatorOptionKinds: OptionTable<EvaluatorOptions> = {
  hooks,
  observers: listOf(observer),
  clock: withMethods("now", "monotonic"),
  logger,
  hookTimeoutMs: wholeNumber,
};
