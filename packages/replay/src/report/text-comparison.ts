import { changes, clip, inlineJson, isSameOutcome, transitions, visible } from "./changes.js";
import { count, counted, difference, figure, instant, share, signedCount } from "./headline.js";
import type { Comparison, LabelTables, MatrixCell, NumberShift, ReplayExample } from "./replay-report.js";
import { columns, fit, padEnd, padStart, type Terminal, table, wrap } from "./text-layout.js";

/** Most places of a result, and most characters of an input. */
const mostChanges = 8;

const longestInput = 480;

const longestValue = 160;

const indent = "    ";

/** One record that changed: where, why, and the input. */
export function exampleLines(example: ReplayExample, terminal: Terminal): readonly string[] {
  const { recordId, recordedAt, caller, before, after, input, masked } = example;
  const head = [recordId, instant(recordedAt), caller].filter((part) => part !== undefined).map(visible);
  const found = changes(example);
  const shown = found.slice(0, mostChanges).map(({ place, before: was, after: is }) => ({
    place,
    text: `${clip(was, longestValue)} → ${clip(is, longestValue)}`,
  }));
  const rows = [
    ...shown,
    ...(found.length > mostChanges
      ? [{ place: "", text: `and ${found.length - mostChanges} more places` }]
      : []),
    ...because("was", before.explanation),
    ...because("now", after.explanation),
    ...(input === undefined ? [] : [{ place: "input", text: clip(inlineJson(input), longestInput) }]),
    ...(masked.length === 0 ? [] : [{ place: "masked", text: visible(masked.join(", ")) }]),
  ];
  const nameWidth = Math.min(24, Math.max(...rows.map(({ place }) => columns(place)), 0)) + 2;
  return [
    ...wrap(head.join("  "), terminal.width - 2).map((line) => `  ${terminal.dim(line)}`),
    ...rows.flatMap(({ place, text }) => {
      const isWide = columns(place) >= nameWidth;
      const lines = wrapJson(text, Math.max(20, terminal.width - indent.length - nameWidth));
      const first = isWide ? wrap(place, terminal.width - indent.length).map((line) => indent + line) : [];
      return [
        ...first,
        ...lines.map((line, index) => indent + padEnd(index === 0 && !isWide ? place : "", nameWidth) + line),
      ];
    }),
  ];
}

/** Keeps the name of a member and its value on one line. No text here has a NUL: it would have been made visible. */
function wrapJson(text: string, width: number): readonly string[] {
  return wrap(text.replaceAll('": ', '":\u0000'), width).map((line) => line.replaceAll("\u0000", " "));
}

function because(name: string, explanation: string | undefined): readonly { place: string; text: string }[] {
  return explanation === undefined || explanation === ""
    ? []
    : [{ place: name, text: clip(visible(explanation), longestInput) }];
}

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
