import type {
  CallOutcome,
  Comparison,
  MatrixCell,
  ReplayExample,
  ReplayReport,
} from "../report/replay-report.js";

/**
 * A report whose examples have neither inputs nor what quotes them: explanations and messages of errors. The answers themselves
 * and the ids of records stay.
 */
export function withoutInputs(report: ReplayReport): ReplayReport {
  return {
    ...report,
    decisions: report.decisions.map(bareComparison),
    defaults: report.defaults.map(bareComparison),
    shadows: report.shadows.map(bareComparison),
  };
}

function bareComparison<Kind extends Comparison>(comparison: Kind): Kind {
  return { ...comparison, matrix: comparison.matrix.map(bareCell) };
}

function bareCell(cell: MatrixCell): MatrixCell {
  return { ...cell, examples: cell.examples.map(bareExample) };
}

function bareExample({ before, after, ...example }: ReplayExample): ReplayExample {
  return { ...example, input: undefined, before: bareOutcome(before), after: bareOutcome(after) };
}

function bareOutcome({ outcome, version, data, error }: CallOutcome): CallOutcome {
  return {
    outcome,
    version,
    ...(data === undefined ? {} : { data }),
    ...(error === undefined ? {} : { error: { code: error.code, message: "" } }),
  };
}
