export type { Candidate, ReplayDifference, ReplayOptions, ReplaySource } from "./options.js";
export { replay } from "./replay.js";
export {
  type FormatOptions,
  formatReport,
  type ReportFormat,
  reportFormats,
} from "./report/format-report.js";
export type {
  CallOutcome,
  Comparison,
  DecisionComparison,
  LabelRow,
  LabelTables,
  MatrixCell,
  NumberShift,
  Reason,
  ReplayExample,
  ReplayReport,
  ShadowComparison,
  Tally,
  Unreadable,
  Verdict,
  VersionCount,
} from "./report/replay-report.js";
