import { isSameJson } from "@decern/core/tools";
import type { HitPolicy, TableDocument, TableRow } from "../document/document.js";
import type { ModelRow, TableModel } from "../model.js";

/** Two tables of one contract, and where they can differ. */
export interface ComparedTables {
  readonly before: TableModel;
  readonly after: TableModel;
  /** Ids of the rows of each whose conditions, outputs or place differ from those of the other. */
  readonly beforeRows: ReadonlySet<string>;
  readonly afterRows: ReadonlySet<string>;
  /**
   * What a different hit policy, or order of priorities, has an effect on: `none` where they are the same, `several` if only inputs
   * that meet several rows have another result.
   */
  readonly policyAffects: "none" | "several" | "all";
  readonly isDefaultSame: boolean;
}

/** Policies whose result is made in the same way of one row. */
const kinds: readonly (readonly HitPolicy[])[] = [
  ["U", "A", "P", "F"],
  ["R", "O", "C"],
  ["C+", "C<", "C>"],
];

/** Policies whose result does not depend on the order of rows. */
const unordered: ReadonlySet<HitPolicy> = new Set(["U", "A", "C<", "C>", "C#"]);

/** Says where tables can differ, by their documents alone. */
export function comparedTables(before: TableModel, after: TableModel): ComparedTables {
  const [one, other] = [before.document, after.document];
  const isOrdered = !unordered.has(one.hitPolicy) || !unordered.has(other.hitPolicy);
  const pairs = pairsOf(one, other);
  const kept = isOrdered ? inSameOrder(pairs) : pairs;
  const isSamePolicy =
    one.hitPolicy === other.hitPolicy && isSameJson(prioritiesOf(one), prioritiesOf(other));
  const isSameKind =
    one.hitPolicy === other.hitPolicy ||
    kinds.some((kind) => kind.includes(one.hitPolicy) && kind.includes(other.hitPolicy));
  const unpaired = (rules: readonly TableRow[], places: ReadonlySet<number>) =>
    new Set(rules.flatMap(({ id }, place) => (places.has(place) ? [] : [id])));
  return {
    before,
    after,
    beforeRows: unpaired(one.rules, new Set(kept.map(([place]) => place))),
    afterRows: unpaired(other.rules, new Set(kept.map(([, place]) => place))),
    policyAffects: isSamePolicy ? "none" : isSameKind ? "several" : "all",
    isDefaultSame: isSameJson(defaultOf(one), defaultOf(other)),
  };
}

function prioritiesOf({ outputs }: TableDocument): unknown {
  return outputs.flatMap(({ path, priority }) => (priority === undefined ? [] : [{ path, priority }]));
}

function defaultOf({ outputs, default: cells }: TableDocument): unknown {
  return cells === undefined
    ? null
    : Object.fromEntries(outputs.map(({ path }, at) => [path, cells[at] ?? ""]));
}

/** The places of rows that do the same: those of one id at first, and then others. */
function pairsOf(one: TableDocument, other: TableDocument): readonly (readonly [number, number])[] {
  const effects = other.rules.map((row) => effectOf(other, row));
  const free = new Set(effects.keys());
  const placeOf = new Map(other.rules.map(({ id }, place) => [id, place]));
  const pairs: [number, number][] = [];
  const left: (readonly [number, string])[] = [];
  for (const [place, row] of one.rules.entries()) {
    const effect = effectOf(one, row);
    const same = placeOf.get(row.id);
    if (same !== undefined && effects[same] === effect && free.delete(same)) pairs.push([place, same]);
    else left.push([place, effect]);
  }
  const byEffect = new Map<string, number[]>();
  for (const place of free) {
    const effect = effects[place] ?? "";
    byEffect.set(effect, [...(byEffect.get(effect) ?? []), place]);
  }
  for (const [place, effect] of left) {
    const same = byEffect.get(effect)?.shift();
    if (same !== undefined) pairs.push([place, same]);
  }
  return pairs;
}

/** A text that is the same for rows with the same conditions and outputs, whatever the order of columns. */
function effectOf(
  { inputs, outputs }: TableDocument,
  { if: conditions, then, from, until }: TableRow,
): string {
  const cells = [
    ...inputs.flatMap(({ path }, at) => (conditions[at] === "-" ? [] : [["if", path, conditions[at]]])),
    ...outputs.flatMap(({ path }, at) => (then[at] === "" ? [] : [["then", path, then[at]]])),
  ].map((cell) => JSON.stringify(cell));
  return [...cells.sort(), from ?? "", until ?? ""].join();
}

/** Most of the pairs, such that both tables have them in the same order: a longest increasing subsequence. */
export function inSameOrder(
  pairs: readonly (readonly [number, number])[],
): readonly (readonly [number, number])[] {
  const sorted = pairs.toSorted(([one], [other]) => one - other);
  /** By length, less one: the pair that a sequence of it ends with, as early in the other table as possible. */
  const ends: number[] = [];
  const previous: number[] = [];
  const placeOf = (at: number | undefined): number => sorted[at ?? -1]?.[1] ?? -1;
  for (const at of sorted.keys()) {
    let [low, high] = [0, ends.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (placeOf(ends[middle]) < placeOf(at)) low = middle + 1;
      else high = middle;
    }
    previous[at] = ends[low - 1] ?? -1;
    ends[low] = at;
  }
  const kept: (readonly [number, number])[] = [];
  for (let at = ends.at(-1) ?? -1; at >= 0; at = previous[at] ?? -1) kept.push(sorted[at] ?? [-1, -1]);
  return kept.reverse();
}

/** One table with the columns of two, whose rows ask nothing of the other's. */
export function joinedModel(before: TableModel, after: TableModel): TableModel {
  const any = (length: number) => Array.from({ length }, () => ({ kind: "any" }) as const);
  const padded = (row: ModelRow, ahead: number, behind: number): ModelRow => ({
    ...row,
    conditions: [...any(ahead), ...row.conditions, ...any(behind)],
  });
  const [own, others] = [before.columns, after.columns];
  return {
    ...before,
    columns: [...own, ...others],
    rows: [
      ...before.rows.map((row) => padded(row, 0, others.length)),
      ...after.rows.map((row) => padded(row, own.length, 0)),
    ],
  };
}
