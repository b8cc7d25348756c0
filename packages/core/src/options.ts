export {
  type Checked,
  checkedOptions,
  feature,
  type Kind,
  kinds,
  type OptionRule,
  type OptionsOf,
  oneAtMost,
  option,
  type RowsOf,
  readOptions,
  requiredOption,
} from "./base/options.js";
export { decisionKind } from "./service/evaluator-options.js";
