import type { HitPolicy } from "../document/document.js";
import { unbound } from "../engine/value-set.js";
import type { TableConditions, TableModel } from "../model.js";
import { Budget } from "./budget.js";
import { visitOverlaps } from "./pairs.js";
import { outputKeys } from "./same-rows.js";
import { spaceOf } from "./space.js";

/** A table without its functions, so that a thread can be given it. */
export interface ComparedTable extends TableConditions {
  readonly hitPolicy: HitPolicy;
  /** Of `A`: what each row emits, as a text; `undefined` where that depends on the call. */
  readonly outputs: readonly (string | undefined)[];
}

export function comparedTable(model: TableModel): ComparedTable {
  const { hitPolicy, columns, rows } = model;
  const keys = hitPolicy === "A" ? outputKeys(model) : [];
  return {
    hitPolicy,
    columns,
    rows: rows.map(({ conditions, fromMs, untilMs }) => ({ conditions, fromMs, untilMs })),
    outputs: keys.map((key, row) => (rows[row]?.computed.length === 0 ? key : undefined)),
  };
}

/** Steps of some nanoseconds: a few seconds. */
const budget = 100_000_000;

/** Few enough to look for inputs that meet two of them while calls are evaluated. */
const mostRows = 200;

/**
 * Finds rows that an input meets together although the policy forbids it, unless validation rejects all such inputs.
 *
 * @returns places of up to about 200 rows, in order
 */
export function collidingRows(table: ComparedTable): readonly number[] {
  const { hitPolicy, outputs, rows } = table;
  const space = spaceOf(table, unbound);
  const isCertain = (row: number): boolean => space.isOpen[row] === false;
  const collide = (row: number, other: number): boolean => {
    if (!isCertain(row) || !isCertain(other)) return false;
    const [own, others] = [outputs[row], outputs[other]];
    return hitPolicy === "U" || (own !== undefined && others !== undefined && own !== others);
  };
  const found = new Set<number>();
  visitOverlaps(space, [...rows.keys()], new Budget(budget), (row, earlier) => {
    for (const other of earlier) if (found.size < mostRows && collide(row, other)) found.add(other).add(row);
    return found.size < mostRows;
  });
  return [...found].sort((one, other) => one - other);
}
