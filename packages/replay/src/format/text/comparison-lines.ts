import type { Comparison, LabelTables, MatrixCell, NumberShift } from "../../report/replay-report.js";
import { count, counted, difference, figure, share, signedCount } from "../figures.js";
import { isSameOutcome, transitions } from "../transitions.js";
import { visible } from "../visible.js";
import { columns, fit, padStart, wrap } from "./columns.js";
import { exampleLines } from "./example-lines.js";
import { table } from "./table.js";
import type { Terminal } from "./terminal.js";

/** Most transitions in a list. */
const mostTransitions = 20;
const barWidth = 16;

/**
 * Everything about one decision, behind its heading.
 *
 * @param mostWithExamples - of how many transitions an example is shown
 */
export function comparisonLines(
  comparison: Comparison,
  terminal: Terminal,
  mostWithExamples = 5,
): readonly string[] {
  const changed = transitions(comparison);
  return [
    ...transitionLines(changed, terminal),
    ...(comparison.explainedDifferently === 0
      ? []
      : ["", `${counted(comparison.explainedDifferently, "unchanged result")} with a different explanation`]),
    ...shiftLines(comparison.numbers, terminal),
    ...(comparison.labels === undefined ? [] : labelLines(comparison.labels, terminal)),
    ...changed.slice(0, mostWithExamples).flatMap((cell) => cellLines(cell, terminal)),
  ];
}

/** Such as `OK/prime → NO_MATCH`. */
function transitionName(cell: MatrixCell): string {
  return isSameOutcome(cell)
    ? `${visible(cell.from)}, a different output`
    : `${visible(cell.from)} → ${visible(cell.to)}`;
}

function transitionLines(cells: readonly MatrixCell[], terminal: Terminal): readonly string[] {
  if (cells.length === 0) return [];
  const most = Math.max(...cells.map(({ changed }) => changed));
  const figures = Math.max(7, ...cells.map(({ changed }) => columns(count(changed))));
  const room = terminal.width - figures - barWidth - 6;
  const shown = cells.slice(0, mostTransitions);
  const names = shown.map((cell) => fit(transitionName(cell), room));
  const widest = Math.max(...names.map(columns));
  const rest = cells.length - shown.length;
  return [
    "",
    ...shown.map((cell, index) => {
      const name = names[index] ?? "";
      const gap = " ".repeat(widest - columns(name) + 2);
      return `  ${padStart(count(cell.changed), figures)}  ${name}${gap}${terminal.attention(bar(cell.changed / most))}`;
    }),
    ...(rest === 0 ? [] : [terminal.dim(`  and ${counted(rest, "more transition")}`)]),
  ];
}

/** Eighths of a column, so that a small share still shows. */
function bar(part: number): string {
  const eighths = Math.max(1, Math.round(part * barWidth * 8));
  return "█".repeat(Math.floor(eighths / 8)) + ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"][eighths % 8];
}

function shiftLines(numbers: readonly NumberShift[], terminal: Terminal): readonly string[] {
  if (numbers.length === 0) return [];
  const rows = numbers.map(({ pointer, count: differs, meanBefore, meanAfter, quantiles }) => [
    visible(pointer),
    count(differs),
    `${figure(meanBefore)} → ${figure(meanAfter)}`,
    difference(quantiles.p05),
    difference(quantiles.p50),
    difference(quantiles.p95),
  ]);
  const lines = table(
    [
      { head: "number", align: "left", canShrink: true },
      { head: "differs", align: "right" },
      { head: "mean", align: "left", canShrink: true },
      { head: "p5 diff", align: "right" },
      { head: "median", align: "right" },
      { head: "p95 diff", align: "right" },
    ],
    rows,
    terminal.width - 2,
  );
  return ["", ...tableLines(lines, terminal)];
}

function labelLines(labels: LabelTables, terminal: Terminal): readonly string[] {
  const { agreementBefore, agreementAfter, rows } = labels;
  const agreement =
    agreementBefore === undefined || agreementAfter === undefined
      ? ""
      : `: agrees in ${share(agreementBefore)} → ${share(agreementAfter)}`;
  const lines = table(
    [
      { head: visible(labels.label), align: "left", canShrink: true },
      { head: visible(labels.prediction), align: "left", canShrink: true },
      { head: "before", align: "right" },
      { head: "after", align: "right" },
      { head: "", align: "right" },
    ],
    rows.map(({ label, prediction, before, after }) => [
      visible(label),
      visible(prediction),
      count(before),
      count(after),
      after === before ? "" : signedCount(after - before),
    ]),
    terminal.width - 2,
  );
  return [
    "",
    fit(`Against what is known to be true${agreement}`, terminal.width),
    ...tableLines(lines, terminal),
  ];
}

function tableLines([heads = "", ...rows]: readonly string[], terminal: Terminal): readonly string[] {
  return [`  ${terminal.dim(heads)}`, ...rows.map((line) => `  ${line}`)];
}

function cellLines(cell: MatrixCell, terminal: Terminal): readonly string[] {
  if (cell.examples.length === 0) return [];
  const [smallest, ...others] = cell.examples;
  const also = others.map(({ recordId }) => visible(recordId)).join(", ");
  return [
    "",
    ...wrap(`For example: ${transitionName(cell)}`, terminal.width).map(terminal.bold),
    ...(smallest === undefined ? [] : exampleLines(smallest, terminal)),
    ...(also === ""
      ? []
      : wrap(`also ${also}`, terminal.width - 4).map((line) => terminal.dim(`    ${line}`))),
  ];
}
