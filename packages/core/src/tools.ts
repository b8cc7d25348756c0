export { ignoreRejection, isThenable, runInSlices, withDeadline } from "./base/awaitable.js";
export { canonicalForm, canonicalJson, canonicalParsed, equalsJson } from "./base/canonical-json.js";
export { systemClock } from "./base/clock.js";
export { copyData, deepFreeze, mergePatch } from "./base/copy.js";
export {
  calculate,
  modulo,
  numberText,
  type Operator,
  power,
  type Rounding,
  roundTo,
  toResult,
} from "./base/decimal.js";
export { FileLock, hasCode, syncDirectory } from "./base/disk.js";
export { jsonProblems } from "./base/json-data.js";
export { hasForbiddenKey, jsonSize, parseJsonBody } from "./base/json-text.js";
export { consoleLogger, neverThrowing } from "./base/logger.js";
export {
  type Checked,
  checkedOptions,
  feature,
  type Kind,
  kindOf,
  kinds,
  type Option,
  type OptionRows,
  type OptionRule,
  type OptionsOf,
  oneAtMost,
  option,
  optionWith,
  type RowsOf,
  readOptions,
  requiredOption,
} from "./base/options.js";
export { type PatternChoices, TextPattern } from "./base/text-pattern.js";
export { readable } from "./base/thrown.js";
export { isDecision, program, whyNoDecision } from "./decision/decision.js";
export { withDocument } from "./decision/define-decision.js";
export { bindProfile, defaultProfile, usedBy, withInputView } from "./decision/describe.js";
export { compactText } from "./decision/envelope-text.js";
export { type Call, evaluateCall, type Outcome, probe } from "./decision/evaluate.js";
export type { ProbedRule } from "./decision/result.js";
export { isSameJson, isSameOutcome, outcomeOf, type ToldOutcome } from "./decision/told.js";
export { missingProfile } from "./service/catalogue-problems.js";
export { decisionKind } from "./service/evaluator-options.js";
export { createGeneration, type Generation } from "./service/generation.js";
export {
  decisionSourceOf,
  profileSource,
  profileSourceOf,
} from "./service/generation-source.js";
export { parseProfileKey } from "./service/profiles.js";
export {
  isRecord,
  lacksOwnProfile,
  profilePointer,
  recordProblem,
  withOwnProfile,
} from "./service/records.js";
