export { feature, kinds } from "./base/kinds.js";
export {
  type Checked,
  checkedOptions,
  type Kind,
  type OptionRule,
  type OptionsOf,
  oneAtMost,
  option,
  type RowsOf,
  readOptions,
  requiredOption,
} from "./base/options.js";
export { decisionKind } from "./service/evaluator-options.js";
