import { changes, clip, indentedJson, isSameOutcome, transitions, visible } from "./changes.js";
import { count, counted, difference, figure, instant, share } from "./headline.js";
import type { Comparison, LabelTables, MatrixCell, NumberShift, ReplayExample } from "./replay-report.js";

/** What can begin emphasis, a link, HTML, a mention, a formula, an emoji or the next cell of a table, inside a line. */
const special = /[&<>"'\\`*_~[\]|@#:$!^{}=]|(?<=www)\./gi;

/** Makes a text mean nothing but itself inside a line of Markdown: a character reference is never syntax. */
export function plain(text: string): string {
  return visible(text).replaceAll(special, (character) => `&#${character.charCodeAt(0)};`);
}

/** A text from a record. GitHub makes no mentions and no references inside `code`. */
export function code(text: string, most = 160): string {
  return `<code>${plain(clip(text, most))}</code>`;
}

/** A block of code that nothing inside can end. */
export function fenced(text: string, language: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = "`".repeat(longest + 1);
  return `${fence}${language}\n${text}\n${fence}`;
}

/** A table. Cells are Markdown already. */
export function table(
  heads: readonly string[],
  aligns: readonly ("left" | "right")[],
  rows: readonly (readonly string[])[],
): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(" | ")} |`;
  return [
    line(heads),
    line(aligns.map((align) => (align === "right" ? "--:" : "---"))),
    ...rows.map(line),
  ].join("\n");
}

/** A part that opens with a click. `summary` is HTML. */
export function folded(summary: string, content: string): string {
  return `<details><summary>${summary}</summary>\n\n${content}\n\n</details>`;
}

const mostChanges = 12;

const longestInput = 2_000;

/** The examples of a cell: what differs in a table, and the input. */
function examplesOf({ examples }: MatrixCell): string {
  return examples.map(one).join("\n\n");
}

function one(example: ReplayExample): string {
  const { recordId, recordedAt, caller, before, after, input, masked } = example;
  const found = changes(example);
  const rows = found
    .slice(0, mostChanges)
    .map(({ place, before: was, after: is }) => [code(place), code(was), code(is)]);
  const more = found.length > mostChanges ? [[`and ${found.length - mostChanges} more`, "", ""]] : [];
  const hasReason = (before.explanation ?? "") !== "" || (after.explanation ?? "") !== "";
  const why = hasReason ? [["because", because(before.explanation), because(after.explanation)]] : [];
  return [
    [code(recordId), instant(recordedAt), ...(caller === undefined ? [] : [code(caller)])].join(", "),
    table(["", "Before", "After"], ["left", "left", "left"], [...rows, ...more, ...why]),
    ...(input === undefined ? [] : [fenced(clip(indentedJson(input), longestInput), "json")]),
    ...(masked.length === 0
      ? []
      : [
          `Masked: ${masked
            .slice(0, 10)
            .map((pointer) => code(pointer))
            .join(", ")}`,
        ]),
  ].join("\n\n");
}

function because(explanation: string | undefined): string {
  return explanation === undefined || explanation === "" ? "" : code(explanation, 400);
}

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

/** One part of a document: the higher its rank, the sooner it is left out. */
export interface Part {
  readonly rank: number;
  readonly text: string;
}

/** Joins the parts that fit into `room` characters, in order, the important ones first. Says how many are missing. */
export function fitting(parts: readonly Part[], room: number): string {
  const note = (missing: number): string =>
    `_${missing === 1 ? "One more part does" : `${missing} more parts do`} not fit into a comment._`;
  let left = room - note(parts.length).length - 4;
  const chosen = new Set<Part>();
  for (const part of parts.toSorted((a, b) => a.rank - b.rank)) {
    if (part.text.length + 2 > left) continue;
    chosen.add(part);
    left -= part.text.length + 2;
  }
  const missing = parts.length - chosen.size;
  const texts = parts.filter((part) => chosen.has(part)).map(({ text }) => text);
  return `${[...texts, ...(missing === 0 ? [] : [note(missing)])].join("\n\n")}\n`;
}
