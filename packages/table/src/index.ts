export type {
  DuplicateRows,
  MaskedRow,
  MergeableRows,
  TableAnalysis,
  TableGap,
  TableOverlap,
  Undecided,
  UnreachableOutput,
} from "./analysis/findings.js";
export { type AnalyzeOptions, analyzeTable } from "./analyze-table.js";
export type { TableContract } from "./contract/contract.js";
export { defineTable, type TableDefinition } from "./define-table.js";
export {
  type ChangedPart,
  type ChangedResult,
  type ChangedRow,
  diffTables,
  type TableDiff,
} from "./diff-table.js";
export type {
  HitPolicy,
  InputCell,
  InputColumn,
  OutputCell,
  OutputColumn,
  Place,
  TableDocument,
  TableProblem,
  TableRow,
} from "./document/document.js";
export { placeText } from "./document/problems.js";
export type { TableSource } from "./files/read-file.js";
export {
  type CheckedTable,
  checkTable,
  type ReadTableDocument,
  readTable,
  readTableDocument,
  type TableDecision,
  tableIds,
} from "./read-table.js";
export { tableContract, type WatchedContract } from "./table-contract.js";
export type { TableResult } from "./table-result.js";
export {
  type NewTableOptions,
  newTable,
  type TableForm,
  type WriteTableOptions,
  writeTable,
} from "./write-table.js";
