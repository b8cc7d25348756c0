import { clip, code, fenced, fitting, folded, indentedJson, type Part, plain, table } from "./markdown.js";
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
import {
  allowance,
  compared,
  count,
  counted,
  headline,
  instant,
  standing,
  unreadableLines,
  whatWasRead,
} from "./words.js";

const mostReasons = 15;

const mostQuiet = 20;

const mostTransitions = 12;

const mostNumbers = 12;

const mostLabels = 30;

const mostChanges = 12;

const mostMasked = 10;

const longestInput = 2_000;

/** The report for a comment on a pull request: what changes in a table, the rest folded. */
export function markdownReport(report: ReplayReport, title: string): string {
  const all = sections(report);
  const decisions = all.filter(({ kind }) => kind === undefined);
  const parts: readonly Part[] = [
    { rank: 0, text: summary(report, title) },
    ...decisions.filter(isTouched).flatMap((section) => sectionParts(section, 1)),
    ...quiet(decisions.filter((section) => !isTouched(section))),
    ...all.flatMap((section) => (section.kind === undefined ? [] : sectionParts(section, 4))),
    ...leftOutParts(leftOut(report)),
    ...unreadable(report),
  ];
  return fitting(parts);
}

function summary(report: ReplayReport, title: string): string {
  const mark = { within: "✅", beyond: "❌", unproven: "⚠️" }[standing(report)];
  return [
    `### ${mark} ${plain(title)}: ${headline(report.counts)}`,
    "",
    `**${allowance(report)}.** ${whatWasRead(report).join(", ")}.`,
  ].join("\n");
}

function isTouched({ changed, comparison: { counts, explainedDifferently } }: Section): boolean {
  return changed.length > 0 || counts.changed + counts.failed + explainedDifferently > 0;
}

/** Decisions without a changed result. */
function quiet(all: readonly Section[]): readonly Part[] {
  const same = all.flatMap(({ comparison: { decisionId, counts } }) =>
    compared(counts) === 0 ? [] : `${code(decisionId)} (${counted(compared(counts), "result")})`,
  );
  if (same.length === 0) return [];
  const rest = same.length - mostQuiet;
  const names = [...same.slice(0, mostQuiet), ...(rest > 0 ? [counted(rest, "more decision")] : [])];
  return [{ rank: 2, text: `Unchanged: ${names.join(", ")}.` }];
}

/** What changes for one decision. Tables come before examples where there is not room for all. */
function sectionParts(section: Section, rank: number): readonly Part[] {
  const { kind, comparison, note, versions, changed } = section;
  const { decisionId, explainedDifferently, numbers, labels } = comparison;
  const name = `${kind === undefined ? "" : `${kind} of `}${code(decisionId)} ${plain(versions)}`;
  const head = [
    `#### ${name}: ${section.headline}`,
    ...(note === undefined ? [] : [note]),
    ...(changed.length === 0 ? [] : [transitionTable(changed)]),
  ];
  const explained = `${counted(explainedDifferently, "unchanged result")} with a different explanation.`;
  const moved = `How ${counted(numbers.length, "number")} of the output moved`;
  const details = [
    ...(explainedDifferently === 0 ? [] : [explained]),
    ...changed.slice(0, mostTransitions).flatMap(examplesOf),
    ...(numbers.length === 0 ? [] : [foldedTable(numberTable(numbers), mostNumbers, moved)]),
    ...(labels === undefined ? [] : [foldedTable(labelTable(labels), mostLabels)]),
  ];
  return [{ rank, text: head.join("\n\n") }, ...details.map((text) => ({ rank: rank + 1, text }))];
}

function transitionTable(cells: readonly MatrixCell[]): string {
  const rows = cells
    .slice(0, mostTransitions)
    .map((cell) => [
      count(cell.changed),
      code(cell.from),
      isSameOutcome(cell) ? "the same rule, a different output" : code(cell.to),
      inBrief(cell),
    ]);
  const rest = cells.slice(mostTransitions);
  const more = rest.reduce((sum, { changed }) => sum + changed, 0);
  if (rest.length > 0) rows.push([count(more), counted(rest.length, "more transition"), "", ""]);
  return table(["Records", "From", "To", "For example"], ["right", "left", "left", "left"], rows);
}

/** The places of the smallest example. */
function inBrief({ examples: [example] }: MatrixCell): string {
  if (example === undefined) return "";
  const { first, more } = exampleChanges(example, 2);
  const shown = first.map(
    ({ place, before, after }) => `${code(place, 60)} ${code(before, 60)} → ${code(after, 60)}`,
  );
  return [...shown, ...(more === 0 ? [] : [`and ${more} more`])].join("<br>");
}

function examplesOf(cell: MatrixCell): readonly string[] {
  const { examples, from, to } = cell;
  if (examples.length === 0) return [];
  const name = isSameOutcome(cell) ? `${code(from)}, a different output` : `${code(from)} → ${code(to)}`;
  return [folded(`${counted(examples.length, "example")}: ${name}`, examples.map(exampleText).join("\n\n"))];
}

/** What differs in a table, and the input. */
function exampleText(example: ReplayExample): string {
  const { recordId, recordedAt, caller, input, masked } = example;
  const { first, more, because } = exampleChanges(example, mostChanges);
  const rows = first.map(({ place, before, after }) => [code(place), code(before), code(after)]);
  if (more > 0) rows.push([`and ${more} more`, "", ""]);
  if (because !== undefined) rows.push(["because", reason(because.before), reason(because.after)]);
  const hidden = masked.slice(0, mostMasked).map((pointer) => code(pointer));
  return [
    [code(recordId), instant(recordedAt), ...(caller === undefined ? [] : [code(caller)])].join(", "),
    table(["", "Before", "After"], ["left", "left", "left"], rows),
    ...(input === undefined ? [] : [fenced(clip(indentedJson(input), longestInput), "json")]),
    ...(hidden.length === 0 ? [] : [`Masked: ${hidden.join(", ")}`]),
  ].join("\n\n");
}

function reason(explanation: string): string {
  return explanation === "" ? "" : code(explanation, longestReason);
}

const longestReason = 400;

function leftOutParts(reasons: Table | undefined): readonly Part[] {
  if (reasons === undefined) return [];
  const text = reasons.rows.length === 0 ? reasons.title : foldedTable(reasons, mostReasons);
  return [{ rank: 3, text }];
}

function unreadable(report: ReplayReport): readonly Part[] {
  const [head, ...lines] = unreadableLines(report);
  if (head === undefined) return [];
  return [{ rank: 3, text: folded(head, lines.map((line) => `- ${code(line)}`).join("\n")) }];
}

/** The first rows of a table, which opens with a click. */
function foldedTable({ title, columns, rows }: Table, most: number, name = title): string {
  const heads = columns.map(({ head, data }) => (data === "all" ? code(head) : head));
  const cells = rows
    .slice(0, most)
    .map((row) => row.map((text, index) => (columns[index]?.data !== undefined ? code(text, 240) : text)));
  const aligns = columns.map(({ align }) => align ?? "left");
  return folded(name, table(heads, aligns, cells));
}
