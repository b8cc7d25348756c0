import { code, fitting, type Part, table } from "@decern/replay/markdown";
import type { ChangedPart, TableDiff, TableDocument, TableResult, TableRow } from "@decern/table";
import { countsOf, json, type ReplayedLog } from "./show-table.js";
import { plural } from "./text.js";

/** More of a kind are counted. */
const mostShown = 20;

/** How two tables differ, for a comment on a pull request, whose page can't show what changes in a workbook. */
export function tableDiffMarkdown(
  before: TableDocument,
  after: TableDocument,
  diff: TableDiff,
  log: ReplayedLog | undefined,
): string {
  const { added, removed, moved, results, undecided } = diff;
  const texts = [
    edits(diff),
    rows("Added", after, added),
    rows("Removed", before, removed),
    moved.length === 0 ? "" : `Moved: ${listed(moved)}`,
    first(["Input", "Before", "After"], results, "input whose result changes", ({ input, now, ...ends }) => [
      `${code(json(input), longest)}${now === undefined ? "" : ` at ${now}`}`,
      endText(ends.before),
      endText(ends.after),
    ]),
    first(["Not decided", "Because"], undecided, "undecided part", ({ rules, message }) => [
      rules === undefined ? "" : `Where an input meets ${rowNames(rules)}`,
      code(message, longest),
    ]),
    first(["Records", "Not compared, or failed"], reasonsOf(log), "reason", ({ records, reason }) => [
      String(records),
      code(reason, longest),
    ]),
  ];
  const parts: readonly Part[] = [heading(after, diff, log), ...texts].flatMap((text, rank) =>
    text === "" ? [] : [{ rank, text }],
  );
  return fitting(parts);
}

/** Longer values are cut. */
const longest = 400;

function heading({ table: id }: TableDocument, diff: TableDiff, log: ReplayedLog | undefined): string {
  const { added, removed, changed, moved, metadata, results, undecided } = diff;
  const edited = Object.entries({ changed, added, removed, moved }).flatMap(([what, { length }]) =>
    length === 0 ? [] : [`${plural(length, "row")} ${what}`],
  );
  const rest = metadata.length === 0 ? "nothing changed" : "no row changed";
  const facts = [
    ...(log === undefined ? [] : logText(log)),
    ...(results.length === 0 && undecided.length === 0 ? ["No input has another result."] : []),
    ...(undecided.length === 0 ? [] : ["More inputs than those below may have another result."]),
  ];
  const title = `### Table ${code(id)}: ${edited.length === 0 ? rest : edited.join(", ")}`;
  return [title, ...(facts.length === 0 ? [] : [facts.join(" ")])].join("\n\n");
}

function logText(log: ReplayedLog): readonly string[] {
  const { different, compared, onlyRow, failed, unknown } = countsOf(log);
  return [
    `**${different} of ${plural(compared, "recorded result")} would change.**`,
    ...(failed === 0 ? [] : [`Of them, ${failed} would fail.`]),
    ...(onlyRow === 0 ? [] : [`${onlyRow} would be the same by another row.`]),
    ...(unknown === 0 ? [] : [`${plural(unknown, "record")} could not be compared.`]),
  ];
}

function reasonsOf(log: ReplayedLog | undefined): ReplayedLog["reasons"] {
  return log?.reasons.filter(({ verdict }) => verdict !== "skipped") ?? [];
}

/** What was edited in rows that both tables have, and apart from rows. */
function edits({ changed, metadata }: TableDiff): string {
  const all: readonly { readonly rule?: string; readonly part: ChangedPart }[] = [
    ...metadata.map((part) => ({ part })),
    ...changed.flatMap(({ rule, cells }) => cells.map((part) => ({ rule, part }))),
  ];
  return first(["Row", "Cell", "Before", "After"], all, "edit", ({ rule, part }) => [
    rule === undefined ? "" : code(rule),
    code(part.name),
    cell(part.before),
    cell(part.after),
  ]);
}

/** Whole rows, under the headings of their table. */
function rows(what: string, { inputs, outputs, rules }: TableDocument, ids: readonly string[]): string {
  const own = rules.filter(({ id }) => ids.includes(id));
  const others = (["note", "from", "until"] as const).filter((name) => own.some((row) => row[name]));
  const columns = [...inputs.map(({ path }) => path), ...outputs.map(({ path }) => `→ ${path}`), ...others];
  const cells = (row: TableRow) => [...row.if, ...row.then, ...others.map((name) => row[name])].map(cell);
  return first([what, ...columns.map((name) => code(name))], own, "row", (row) => [
    code(row.id),
    ...cells(row),
  ]);
}

/** The first items as a table; the others are counted below. */
function first<Item>(
  heads: readonly string[],
  items: readonly Item[],
  noun: string,
  row: (item: Item) => readonly string[],
): string {
  if (items.length === 0) return "";
  const shown = table(
    heads,
    heads.map(() => "left"),
    items.slice(0, mostShown).map(row),
  );
  const others = items.length - mostShown;
  return others > 0 ? `${shown}\n\n… and ${plural(others, `more ${noun}`)}` : shown;
}

/** As a sheet shows it. */
function cell(value: unknown): string {
  if (value === undefined || value === "") return "";
  return code(typeof value === "string" ? value : json(value), longest);
}

function endText({ status, data, rules, message }: TableResult): string {
  if (status === "NO_MATCH") return "no row";
  const what = status === "OK" ? code(json(data), longest) : code(message ?? status, longest);
  return rules.length === 0 ? what : `${what} by ${rowNames(rules)}`;
}

function rowNames(rules: readonly string[]): string {
  return `${rules.length === 1 ? "row" : "rows"} ${listed(rules)}`;
}

function listed(rules: readonly string[]): string {
  const shown = rules.slice(0, mostShown).map((id) => code(id));
  return `${shown.join(", ")}${rules.length > shown.length ? ` and ${rules.length - shown.length} more` : ""}`;
}
