export type {
  DuplicateRows,
  MaskedRow,
  TableAnalysis,
  TableGap,
  TableOverlap,
  Undecided,
  UnreachableOutput,
} from "./analysis/findings.js";
export type { TableContract } from "./contract/contract.js";
export {
  type HitPolicy,
  hitPolicies,
  type InputCell,
  type OutputCell,
  type TableDocument,
  type TableProblem,
  type TableRow,
} from "./document/document.js";
export { type OpenTable, openTable, type TableMarks } from "./open-table.js";
export { isSameResult, type TableCall, type TableResult, tableEvaluator } from "./table-result.js";
export { type TableForm, writeTable } from "./write-table.js";
