import type { TableAnalysis, TableDocument, TableGap, TableRow } from "@decern/table/browser";
import type { GridColumn } from "./columns.js";

/** One thing that the analysis found, as a sentence: what stands between backticks is code. */
export interface Finding {
  readonly kind: "gap" | "overlap" | "masked" | "duplicate" | "unreachable" | "mergeable" | "undecided";
  readonly text: string;
  /** Whether the policy forbids it. */
  readonly isError?: boolean;
  /** An input that shows it. */
  readonly witness?: unknown;
  /** Ids of rows that it is about. */
  readonly rules?: readonly string[];
  /** The place of the gap among the gaps. */
  readonly gap?: number;
}

const partNames = {
  overlaps: "overlaps",
  gaps: "gaps",
  masked: "rows that never decide",
  unreachable: "values that no row returns",
  mergeable: "rows that could be one",
} as const;

/** Everything that an analysis found, the most important first. */
export function findingsOf(
  analysis: TableAnalysis,
  document: TableDocument,
  columns: readonly GridColumn[],
): readonly Finding[] {
  const { gaps, masked, duplicates, unreachable, mergeable, undecided } = analysis;
  const overlaps = overlapsOf(analysis, document);
  return [
    ...overlaps.filter(({ isError }) => isError),
    ...gaps.map((found, gap): Finding => {
      const text = `No row for ${gapText(found, columns)}.`;
      return { kind: "gap", text, witness: found.witness, gap };
    }),
    ...masked.map(({ rule, by }): Finding => {
      const why = by.length === 0 ? "no input meets it" : `whatever meets it goes to ${rowNames(by)}`;
      return { kind: "masked", text: `Row \`${rule}\` never decides: ${why}.`, rules: [rule, ...by] };
    }),
    ...duplicates.map(
      ({ rules }): Finding => ({ kind: "duplicate", text: `${named(rules)} are the same.`, rules }),
    ),
    ...undecided.map(({ part, rules, message }): Finding => {
      const of = rules === undefined ? "" : ` of ${rowNames(rules)}`;
      const text = `Not decided: ${partNames[part]}${of}. ${message}.`;
      return { kind: "undecided", text, ...(rules === undefined ? {} : { rules }) };
    }),
    ...unreachable.map(
      ({ path, value }): Finding => ({
        kind: "unreachable",
        text: `No row returns \`${value}\` as ${path}.`,
      }),
    ),
    ...mergeable.map(({ rules, path, cell }): Finding => {
      const result = path === undefined || cell === undefined ? "" : `, with \`${cell}\` as ${path}`;
      return { kind: "mergeable", text: `${named(rules)} could be one${result}.`, rules };
    }),
    // Where the policy allows overlaps, they are how the table is meant.
    ...overlaps.filter(({ isError }) => !isError),
  ];
}

function overlapsOf({ overlaps }: TableAnalysis, document: TableDocument): readonly Finding[] {
  return overlaps.map(({ rules, isError, witness, now }) => {
    const isTimed = document.rules.some((row) => rules.includes(row.id) && isLimited(row));
    const instant = isTimed && now !== undefined ? ` at ${now}` : "";
    const forbidden = isError ? `, which policy ${document.hitPolicy} forbids` : "";
    const text = `${named(rules)} match together${instant}${forbidden}.`;
    return { kind: "overlap", text, isError, witness, rules };
  });
}

function isLimited({ from, until }: Pick<TableRow, "from" | "until">): boolean {
  return from !== undefined || until !== undefined;
}

const mostNamed = 5;

function named(rules: readonly string[]): string {
  return rowNames(rules).replace(/^r/, "R");
}

function rowNames(rules: readonly string[]): string {
  const names = rules.slice(0, mostNamed).map((id) => `\`${id}\``);
  const more = rules.length - names.length;
  const list = more > 0 ? [...names, `${more} more`] : names;
  const last = list.at(-1) ?? "";
  if (list.length < 2) return `row ${last}`;
  return `rows ${list.slice(0, -1).join(", ")} and ${last}`;
}

function gapText({ box, from, until }: TableGap, columns: readonly GridColumn[]): string {
  const parts = columns.flatMap(({ kind, place, label }) => {
    const cell = kind === "input" ? (box[place] ?? "-") : "-";
    return cell === "-" ? [] : [`${label} \`${cell}\``];
  });
  const time = [
    from === undefined ? [] : [`from ${from}`],
    until === undefined ? [] : [`until ${until}`],
  ].flat();
  return [...(parts.length === 0 ? ["any input"] : parts), ...time].join(", ");
}

/** What was proven about the whole table: only what was decided. */
export function provenOf(analysis: TableAnalysis, document: TableDocument): string | undefined {
  const { overlaps, gaps, undecided } = analysis;
  const isDecided = (part: "gaps" | "overlaps") => !undecided.some((one) => one.part === part);
  const isComplete = gaps.length === 0 && isDecided("gaps") && document.default === undefined;
  const isUnique = overlaps.length === 0 && isDecided("overlaps");
  if (isComplete && isUnique) return "Every input that the schemas allow meets exactly one row.";
  if (isComplete) return "Every input that the schemas allow meets a row.";
  return isUnique ? "No input that the schemas allow meets two rows." : undefined;
}

/** What the findings amount to, such as "1 gap, 2 overlaps". */
export function countsOf(findings: readonly Finding[]): string {
  const count = (kind: Finding["kind"], one: string, many: string): readonly string[] => {
    const found = findings.filter((finding) => finding.kind === kind).length;
    return found === 0 ? [] : [`${found} ${found === 1 ? one : many}`];
  };
  return [
    ...count("gap", "gap", "gaps"),
    ...count("overlap", "overlap", "overlaps"),
    ...count("masked", "row that never decides", "rows that never decide"),
    ...count("duplicate", "duplicate", "duplicates"),
    ...count("unreachable", "value that no row returns", "values that no row returns"),
    ...count("mergeable", "hint to merge rows", "hints to merge rows"),
    ...count("undecided", "part not decided", "parts not decided"),
  ].join(", ");
}
