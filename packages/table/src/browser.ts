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
export type { HitPolicy, InputCell, OutputCell, TableDocument, TableRow } from "./document/document.js";
export { type MarkedCall, type OpenTable, openTable, type TableMarks } from "./open-table.js";
