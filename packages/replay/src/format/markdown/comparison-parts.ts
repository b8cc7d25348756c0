import type { Comparison, LabelTables, MatrixCell, NumberShift } from "../../report/replay-report.js";
import { changes } from "../changes.js";
import { count, counted, difference, figure, share } from "../figures.js";
import { isSameOutcome, transitions } from "../transitions.js";
import { examplesOf } from "./example-markdown.js";
import type { Part } from "./fitting.js";
import { code, folded, table } from "./markdown-text.js";

const mostTransitions = 12;
const mostNumbers = 12;
const mostLabels = 30;

/** What changes for one decision. Tables come before examples where there is not room for all. */
export function comparisonParts(comparison: Comparison, heading: string, rank: number): readonly Part[] {
  const cells = transitions(comparison);
  const explained = comparison.explainedDifferently;
  return [
    { rank, text: [heading, ...(cells.length === 0 ? [] : [transitionTable(cells)])].join("\n\n") },
    ...(explained === 0
      ? []
      : [
          { rank: rank + 1, text: `${counted(explained, "unchanged result")} with a different explanation.` },
        ]),
    ...cells.slice(0, mostTransitions).flatMap((cell) => examplePart(cell, rank + 1)),
    ...(comparison.numbers.length === 0 ? [] : [numberPart(comparison.numbers, rank + 1)]),
    ...(comparison.labels === undefined ? [] : [labelPart(comparison.labels, rank + 1)]),
  ];
}

function transitionTable(cells: readonly MatrixCell[]): string {
  const shown = cells.slice(0, mostTransitions);
  const rows = shown.map((cell) => [
    count(cell.changed),
    code(cell.from),
    isSameOutcome(cell) ? "the same rule, a different output" : code(cell.to),
    inBrief(cell),
  ]);
  const rest = cells.length - shown.length;
  const more = cells.slice(mostTransitions).reduce((sum, { changed }) => sum + changed, 0);
  return table(
    ["Records", "From", "To", "For example"],
    ["right", "left", "left", "left"],
    rest === 0 ? rows : [...rows, [count(more), `${counted(rest, "more transition")}`, "", ""]],
  );
}

/** The places of the smallest example. */
function inBrief({ examples: [example] }: MatrixCell): string {
  if (example === undefined) return "";
  const found = changes(example);
  const shown = found
    .slice(0, 2)
    .map(({ place, before, after }) => `${code(place, 60)} ${code(before, 60)} → ${code(after, 60)}`);
  const rest = found.length - shown.length;
  return [...shown, ...(rest === 0 ? [] : [`and ${rest} more`])].join("<br>");
}

function examplePart(cell: MatrixCell, rank: number): readonly Part[] {
  if (cell.examples.length === 0) return [];
  const name = isSameOutcome(cell)
    ? `${code(cell.from)}, a different output`
    : `${code(cell.from)} → ${code(cell.to)}`;
  const summary = `${counted(cell.examples.length, "example")}: ${name}`;
  return [{ rank, text: folded(summary, examplesOf(cell)) }];
}

function numberPart(numbers: readonly NumberShift[], rank: number): Part {
  const rows = numbers
    .slice(0, mostNumbers)
    .map(({ pointer, count: differs, meanBefore, meanAfter, quantiles }) => [
      code(pointer),
      count(differs),
      `${figure(meanBefore)} → ${figure(meanAfter)}`,
      difference(quantiles.p05),
      difference(quantiles.p50),
      difference(quantiles.p95),
    ]);
  const text = table(
    ["Number", "Differs", "Mean", "Difference: p5", "Median", "p95"],
    ["left", "right", "left", "right", "right", "right"],
    rows,
  );
  return { rank, text: folded(`How ${counted(numbers.length, "number")} of the output moved`, text) };
}

function labelPart(labels: LabelTables, rank: number): Part {
  const { agreementBefore, agreementAfter, rows } = labels;
  const text = table(
    [code(labels.label), code(labels.prediction), "Before", "After"],
    ["left", "left", "right", "right"],
    rows
      .slice(0, mostLabels)
      .map(({ label, prediction, before, after }) => [
        code(label),
        code(prediction),
        count(before),
        count(after),
      ]),
  );
  const agreement =
    agreementBefore === undefined || agreementAfter === undefined
      ? ""
      : `: agrees in ${share(agreementBefore)} → ${share(agreementAfter)}`;
  return { rank, text: folded(`Against what is known to be true${agreement}`, text) };
}
