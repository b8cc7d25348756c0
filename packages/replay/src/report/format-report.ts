import { checkedOptions, kinds, type OptionsOf, option, requiredOption } from "@decern/core/options";
import { htmlReport } from "./html-report.js";
import { junitReport } from "./junit-report.js";
import { markdownReport } from "./markdown-report.js";
import type { CallOutcome, Comparison, MatrixCell, ReplayExample, ReplayReport } from "./replay-report.js";
import { terminal } from "./text-layout.js";
import { textReport } from "./text-report.js";

/**
 * A report whose examples have neither inputs nor what quotes them: explanations and messages of errors. The results themselves
 * and the ids of records stay.
 */
function withoutInputs(report: ReplayReport): ReplayReport {
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

/** The forms in which a report can be written. */
export const reportFormats = ["text", "json", "markdown", "junit", "html"] as const;

export type ReportFormat = (typeof reportFormats)[number];

const rows = {
  /** Columns of the terminal, for `text`; at least 60 are used. 0 means unknown. @default 80 */
  width: option<number>(
    // Some terminals have 0 columns.
    (value, path) => (value === 0 ? [] : kinds.wholeNumber(value, path)),
    80,
  ),
  /** Whether the terminal shows colours, for `text`. @default false */
  color: option(kinds.flag, false),
  /**
   * Leaves the inputs of the examples out, where readers may not see them, and what quotes inputs: explanations and messages of errors.
   *
   * @default false
   */
  omitInputs: option(kinds.flag, false),
  /** What was compared, for headings, such as a pull request. @default "Replay" */
  title: option(kinds.nonEmptyText, "Replay"),
};

/** How a report is written. */
export interface FormatOptions extends OptionsOf<typeof rows> {}

const allRows = {
  ...rows,
  format: requiredOption(
    kinds.that<ReportFormat>(
      (value) => reportFormats.some((format) => format === value),
      `must be one of ${reportFormats.join(", ")}`,
    ),
  ),
};

/** Narrower ones break what must stay in a line. */
const leastWidth = 60;

const usualWidth = 80;

/**
 * Writes a report, with a line break at its end.
 *
 * @returns text of the format: `html` is a whole page without scripts, `markdown` fits into a comment on GitHub
 * @throws DecernError `INVALID_OPTIONS` for another format, and for unknown or wrong options
 *
 * @example
 * ```ts
 * process.stdout.write(formatReport(report, "text", { width: process.stdout.columns }));
 * ```
 */
export function formatReport(
  report: ReplayReport,
  format: ReportFormat,
  options: FormatOptions = {},
): string {
  const { width, color, omitInputs, title } = checkedOptions("formatReport", { ...options, format }, allRows);
  const shown = omitInputs ? withoutInputs(report) : report;
  switch (format) {
    case "text":
      return textReport(shown, title, terminal(Math.max(leastWidth, width || usualWidth), color));
    case "json":
      return `${JSON.stringify(shown, null, 2)}\n`;
    case "markdown":
      return markdownReport(shown, title);
    case "junit":
      return junitReport(shown, title);
    case "html":
      return htmlReport(shown, title);
  }
}
