import { quoted } from "./show-analysis.js";
import { grouped, plural } from "./text.js";

/** How often records hit each row of a table. */
export interface Coverage {
  readonly version: string;
  readonly contentHash: string | undefined;
  /** Results of this very content, also for other decisions that used the table, and in shadows. */
  readonly evaluations: number;
  /** In the order of the table; the default comes last. */
  readonly rows: readonly RowHits[];
  /** Evaluations that hit no row. */
  readonly withoutRow: number;
  /** Evaluations whose record only has the first of the rows, because the rest was erased or masked. */
  readonly onlyFirst: number;
  /** Evaluations whose record stands for others that weren't kept. */
  readonly sampled: number;
  /** Evaluations by other contents of this id, the most frequent first. */
  readonly others: readonly OtherContent[];
}

export interface RowHits {
  readonly rule: string;
  readonly hits: number;
  /** ISO 8601 instant of the newest. */
  readonly last?: string;
}

/** What else was evaluated under the table's id. */
export interface OtherContent {
  readonly version: string;
  /** Absent for a decision of rules. */
  readonly contentHash?: string;
  readonly evaluations: number;
  /** ISO 8601 instants. */
  readonly first: string;
  readonly last: string;
}

/** The hits of each row, for people: what nothing met comes last, in a sentence. */
export function showCoverage({ since, ...found }: Coverage & { readonly since: string }): readonly string[] {
  const { version, contentHash = "none", evaluations, rows, withoutRow, onlyFirst, sampled, others } = found;
  const width = Math.max(...rows.map(({ hits }) => grouped(hits).length));
  const never = rows.filter(({ hits }) => hits === 0).map(({ rule }) => rule);
  return [
    `version ${version}, content ${contentHash}: ${plural(evaluations, "evaluation")} since ${since}`,
    ...(evaluations === 0
      ? []
      : rows.map(({ rule, hits, last }) => {
          const when = last === undefined ? "" : `, last ${last}`;
          return `${grouped(hits).padStart(width)}  ${JSON.stringify(rule)}${when}`;
        })),
    ...(evaluations > 0 && never.length > 0
      ? [`no input met ${never.length === 1 ? "row" : "rows"} ${quoted(never)}`]
      : []),
    ...(withoutRow > 0 ? [`${plural(withoutRow, "evaluation")} hit no row`] : []),
    ...(onlyFirst > 0
      ? [
          `${plural(onlyFirst, "evaluation")} count for one row only, because the record does not have the others`,
        ]
      : []),
    ...(sampled > 0 ? [`${plural(sampled, "evaluation")} stand for others that were not recorded`] : []),
    ...others.map(
      (other) =>
        `not counted: ${plural(other.evaluations, "evaluation")} by version ${other.version}, content ${other.contentHash ?? "none"}, from ${other.first} to ${other.last}`,
    ),
  ];
}
