import type { HitPolicy, InputCell, OutputCell, TableDocument, TableMarks } from "@decern/table/browser";
import { evaluatedRungs, metaOf, type Reply, statusOf } from "../model/reply.js";

/** What the hit policies mean. */
export const policyTexts: Readonly<Record<HitPolicy, string>> = {
  U: "exactly one row may match, and it decides",
  A: "several rows may match, with the same result",
  P: "of the rows that match, the one with the highest priority decides",
  F: "the first row that matches decides",
  R: "all rows that match, in the order of the table",
  O: "all rows that match, by priority",
  C: "all rows that match",
  "C+": "the sum over all rows that match",
  "C<": "the least value of all rows that match",
  "C>": "the greatest value of all rows that match",
  "C#": "the number of rows that match",
};

/** The id that the default has in results. */
export const defaultId = "default";

/** How a row looks to the call on screen: it decides, it is met but does not decide, it is not met, or that is not known. */
export type RowState = "decides" | "also" | "out-of-force" | "missed" | "unknown";

/** The rows of a table next to the result of a call. */
export interface MarkedRows {
  readonly marks: TableMarks;
  readonly decides: ReadonlySet<string>;
  readonly met: ReadonlySet<string>;
  readonly notInForce: ReadonlySet<string>;
}

/** Why there is nothing to mark with a reply: the service did not look at any row. */
export function canMark(reply: Reply | undefined): reply is Reply {
  return reply !== undefined && ["OK", "NO_MATCH", "EVALUATION_FAILED"].includes(statusOf(reply));
}

/**
 * Puts marks next to the reply that they are for.
 *
 * @returns `undefined` if the two contradict each other: the service changes inputs in ways that its schemas do not tell
 */
export function markedRows(marks: TableMarks, reply: Reply): MarkedRows | undefined {
  const status = statusOf(reply);
  const decided = evaluatedRungs(reply.body).flatMap(({ id, state }) => (state === "hit" ? [id] : []));
  if (status !== "EVALUATION_FAILED" && marks.decide?.join("\n") !== decided.join("\n")) return undefined;
  return {
    marks,
    decides: new Set(decided),
    met: new Set(marks.met),
    notInForce: new Set(marks.notInForce),
  };
}

/** The instant of a call, which says which rows are in force. */
export function instantOf(reply: Reply): number {
  const evaluatedAt = metaOf(reply)["evaluatedAt"];
  const instant = typeof evaluatedAt === "string" ? Date.parse(evaluatedAt) : Number.NaN;
  return Number.isNaN(instant) ? Date.now() : instant;
}

export function stateOf(id: string, marked: MarkedRows | undefined): RowState {
  if (marked === undefined) return "unknown";
  if (marked.decides.has(id)) return "decides";
  if (marked.met.has(id)) return "also";
  return marked.notInForce.has(id) ? "out-of-force" : "missed";
}

/** Why a cell is not met; `""` if it is, and `undefined` if that is not known. */
export function markOf(
  marked: MarkedRows | undefined,
  column: number,
  cell: InputCell | undefined,
): string | undefined {
  return cell === undefined ? undefined : marked?.marks.columns[column]?.get(cell);
}

/** How many cells of a row are not met. */
export function missesOf(cells: readonly InputCell[], marked: MarkedRows | undefined): number {
  let misses = 0;
  for (let column = 0; column < cells.length; column += 1) {
    const cell = cells[column];
    if (cell !== undefined && (markOf(marked, column, cell) ?? "") !== "") misses += 1;
  }
  return misses;
}

/** The places of the rows that fewest cells keep from being met, for a call that meets none. */
export function closestRows({ rules }: TableDocument, marked: MarkedRows, most: number): readonly number[] {
  const counted = rules.map(({ if: cells, id }, row) => ({
    row,
    misses: missesOf(cells, marked) + (marked.notInForce.has(id) ? 1 : 0),
  }));
  const least = counted.reduce((low, { misses }) => Math.min(low, misses), Number.POSITIVE_INFINITY);
  return counted
    .filter(({ misses }) => misses === least && least > 0)
    .map(({ row }) => row)
    .slice(0, most);
}

/** A cell as people read it. */
export function conditionText(cell: InputCell | undefined): string {
  if (cell === undefined || cell === "-" || cell === "") return "any";
  return cell === null ? "null" : String(cell);
}

export function outputText(cell: OutputCell | undefined): string {
  return cell === undefined || cell === "" ? "–" : String(cell);
}

/** When a row is in force; `undefined` for always. */
export function forceText({
  from,
  until,
}: {
  readonly from?: string | undefined;
  readonly until?: string | undefined;
}) {
  if (from === undefined) return until === undefined ? undefined : `until ${until}`;
  return until === undefined ? `from ${from}` : `from ${from} until ${until}`;
}
