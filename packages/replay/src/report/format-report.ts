import { checkOptions, type OptionTable, optionKinds } from "@decern/core/tools";
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

/** How a report is written. */
export interface FormatOptions {
  /** Columns of the terminal, for `text`; at least 60 are used. 0 means unknown. @default 80 */
  readonly width?: number | undefined;
  /** Whether the terminal shows colours, for `text`. @default false */
  readonly color?: boolean | undefined;
  /**
   * Leaves the inputs of the examples out, where readers may not see them, and what quotes inputs: explanations and messages of errors.
   *
   * @default false
   */
  readonly omitInputs?: boolean | undefined;
  /** The heading, such as the name of a pull request. @default "Replay" */
  readonly title?: string | undefined;
}

const kinds: OptionTable<FormatOptions & { readonly format: ReportFormat }> = {
  // Some terminals have 0 columns.
  width: (value, path) => (value === 0 ? [] : optionKinds.wholeNumber(value, path)),
  color: optionKinds.flag,
  omitInputs: optionKinds.flag,
  title: optionKinds.nonEmptyText,
  format: (value, path) =>
    reportFormats.some((format) => format === value)
      ? []
      : [{ path, message: `must be one of ${reportFormats.join(", ")}` }],
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
  checkOptions("formatReport", { ...options, format }, { kinds });
  const { width, color = false, omitInputs = false, title = "Replay" } = options;
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
