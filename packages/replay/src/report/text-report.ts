import { clip, inlineJson, visible } from "./markdown.js";
import type { MatrixCell, ReplayExample, ReplayReport } from "./replay-report.js";
import {
  exampleChanges,
  isSameOutcome,
  labelTable,
  leftOut,
  numberTable,
  type Section,
  sections,
  type Table,
} from "./sections.js";
import { columns, fit, padEnd, padStart, type Terminal, table, wrap } from "./text-layout.js";
import {
  allowance,
  count,
  counted,
  headline,
  instant,
  standing,
  unreadableLines,
  whatWasRead,
} from "./words.js";

/** The report for a terminal: first what changes, then from what to what, then examples. */
export function textReport(report: ReplayReport, title: string, terminal: Terminal): string {
  const lines = [
    ...summary(report, title, terminal),
    ...sections(report).flatMap((section) => sectionLines(section, terminal)),
    ...leftOutLines(leftOut(report), terminal),
    ...unreadable(report, terminal),
  ];
  return `${lines.join("\n")}\n`;
}

function summary(report: ReplayReport, title: string, terminal: Terminal): readonly string[] {
  const marks = {
    within: ["✓", terminal.good],
    beyond: ["✗", terminal.bad],
    unproven: ["⚠", terminal.attention],
  } as const;
  const [mark, tint] = marks[standing(report)];
  return [
    ...wrap(visible(title), terminal.width).map(terminal.bold),
    ...wrap(`${mark} ${headline(report.counts)}`, terminal.width).map((line) => terminal.bold(tint(line))),
    ...wrap(allowance(report), terminal.width - 2).map((line) => `  ${line}`),
    ...wrap(whatWasRead(report).join(", "), terminal.width - 2).map((line) => terminal.dim(`  ${line}`)),
  ];
}

function sectionLines(section: Section, terminal: Terminal): readonly string[] {
  const { kind, comparison, note, versions, changed } = section;
  const { explainedDifferently, numbers, labels } = comparison;
  const id = visible(comparison.decisionId);
  return [
    "",
    heading(terminal, kind === undefined ? id : `${kind} of ${id}`, visible(versions)),
    ...wrap(note === undefined ? section.headline : `${section.headline}. ${note}`, terminal.width),
    ...transitionLines(changed, terminal),
    ...(explainedDifferently === 0
      ? []
      : ["", `${counted(explainedDifferently, "unchanged result")} with a different explanation`]),
    ...(numbers.length === 0 ? [] : ["", ...tableLines(numberTable(numbers), terminal)]),
    ...(labels === undefined ? [] : labelLines(labelTable(labels), terminal)),
    ...changed
      .slice(0, kind === undefined ? mostCells : mostCellsBeside)
      .flatMap((cell) => cellLines(cell, terminal)),
  ];
}

function heading(terminal: Terminal, name: string, detail: string): string {
  const [first = "", ...others] = wrap(`${name}  ${detail}`, terminal.width);
  return [terminal.bold(first), ...others].join("\n");
}

function labelLines(labels: Table, terminal: Terminal): readonly string[] {
  return ["", fit(labels.title, terminal.width), ...tableLines(labels, terminal)];
}

function tableLines({ columns: heads, rows }: Table, terminal: Terminal): readonly string[] {
  const [first = "", ...others] = table(
    heads.map(({ head, align, data }) => ({
      head: data === "all" ? visible(head) : head.toLowerCase(),
      align: align ?? "left",
      canShrink: align === undefined,
    })),
    rows.map((row) => row.map((text, index) => (heads[index]?.data !== undefined ? visible(text) : text))),
    terminal.width - 2,
  );
  return [`  ${terminal.dim(first)}`, ...others.map((line) => `  ${line}`)];
}

/** A list whose last column is wrapped. */
function leftOutLines(reasons: Table | undefined, terminal: Terminal): readonly string[] {
  if (reasons === undefined) return [];
  const { title, rows } = reasons;
  const figures = Math.max(...rows.map(([records = ""]) => records.length), 7);
  const names = Math.max(...rows.map(([, verdict = ""]) => verdict.length), 0);
  const start = figures + names + 6;
  return [
    "",
    ...wrap(title, terminal.width).map(terminal.bold),
    ...rows.flatMap(([records = "", verdict = "", decisionId, reason]) => {
      const [first = "", ...others] = wrap(visible(`${decisionId}: ${reason}`), terminal.width - start);
      const head = `  ${records.padStart(figures)}  ${verdict.padEnd(names)}  `;
      return [head + first, ...others.map((line) => " ".repeat(start) + line)];
    }),
  ];
}

function unreadable(report: ReplayReport, terminal: Terminal): readonly string[] {
  const [head, ...lines] = unreadableLines(report);
  if (head === undefined) return [];
  return [
    "",
    ...wrap(head, terminal.width).map(terminal.bold),
    ...lines.flatMap((line) => wrap(visible(line), terminal.width - 2).map((part) => `  ${part}`)),
  ];
}

/** Of how many transitions an example is shown. */
const mostCells = 5;

const mostCellsBeside = 2;

/** Most transitions in a list. */
const mostTransitions = 20;

const barWidth = 16;

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

/** Most places of a result, and most characters of an input. */
const mostChanges = 8;

const longestInput = 480;

const longestValue = 160;

const indent = "    ";

/** One record that changed: where, why, and the input. */
export function exampleLines(example: ReplayExample, terminal: Terminal): readonly string[] {
  const { recordId, recordedAt, caller, input, masked } = example;
  const head = [recordId, instant(recordedAt), caller].filter((part) => part !== undefined).map(visible);
  const { first: shown, more, because } = exampleChanges(example, mostChanges);
  const rows = [
    ...shown.map(({ place, before, after }) => ({
      place,
      text: `${clip(before, longestValue)} → ${clip(after, longestValue)}`,
    })),
    ...(more > 0 ? [{ place: "", text: `and ${more} more places` }] : []),
    ...explained("was", because?.before),
    ...explained("now", because?.after),
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

function explained(
  place: string,
  explanation: string | undefined,
): readonly { place: string; text: string }[] {
  return explanation === undefined || explanation === ""
    ? []
    : [{ place, text: clip(visible(explanation), longestInput) }];
}
