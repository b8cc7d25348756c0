import type { TableModel } from "../model.js";
import { cellOf } from "./box.js";
import type { Budget } from "./budget.js";
import type { DuplicateRows, MergeableRows } from "./findings.js";
import { doMeet } from "./pairs.js";
import { united } from "./ranges.js";
import type { Space } from "./space.js";

/** What each row emits, as a text that is the same for rows that emit the same. */
export function outputKeys(model: TableModel): readonly string[] {
  return model.rows.map(({ computed, constants, forms }) =>
    computed.length === 0 ? JSON.stringify(constants) : `=${JSON.stringify(forms)}`,
  );
}

export function duplicatesOf(
  model: TableModel,
  space: Space,
  outputs: readonly string[],
): readonly DuplicateRows[] {
  const groups = grouped(
    rowsOf(space),
    (row) => `${space.sides.map(({ ids }) => ids[row]).join()};${outputs[row]}`,
  );
  return groups.map((rows) => ({ rules: rows.map((row) => idOf(model, row)) }));
}

/** Rows that some input meets. */
function rowsOf({ isEmpty }: Space): readonly number[] {
  return [...isEmpty.keys()].filter((row) => isEmpty[row] === false);
}

function grouped(rows: readonly number[], keyOf: (row: number) => string): readonly (readonly number[])[] {
  const groups = new Map<string, number[]>();
  for (const row of rows) {
    const key = keyOf(row);
    const known = groups.get(key);
    if (known === undefined) groups.set(key, [row]);
    else known.push(row);
  }
  return [...groups.values()].filter((group) => group.length > 1);
}

/** @returns `undefined` if the budget is spent */
export function mergeableOf(
  model: TableModel,
  space: Space,
  outputs: readonly string[],
  budget: Budget,
): readonly MergeableRows[] | undefined {
  const found: MergeableRows[] = [];
  for (const [at, side] of space.sides.entries()) {
    const others = space.sides.filter((_side, other) => other !== at);
    const rows = rowsOf(space).filter((row) => side.isOpen[row] === false);
    const keyOf = (row: number) => `${others.map(({ ids }) => ids[row]).join()};${outputs[row]}`;
    for (const group of grouped(rows, keyOf)) {
      // Of duplicates, one is enough.
      const different = group.filter(
        (row, place) => group.findIndex((other) => side.ids[other] === side.ids[row]) === place,
      );
      for (const run of runsOf(model, space, different, budget)) {
        const ranges = united(run.map((row) => side.ranges[row] ?? []));
        if (side.isTime && ranges.length > 2) continue;
        const rules = run.map((row) => idOf(model, row));
        const path = side.column.path.join(".");
        found.push(side.isTime ? { rules } : { rules, path, cell: cellOf(side, ranges) });
      }
      if (budget.isSpent) return undefined;
    }
  }
  return found;
}

/** Policies whose result may change if a row moves up over others that an input meets with it. */
const ordered: ReadonlySet<string> = new Set(["P", "F", "R", "O", "C"]);

/** Policies whose result changes if one row is hit in place of two. */
const counted: ReadonlySet<string> = new Set(["R", "O", "C", "C+", "C#"]);

/** Splits rows into those that can be one in the place of their first. */
function runsOf(
  { hitPolicy }: TableModel,
  space: Space,
  rows: readonly number[],
  budget: Budget,
): readonly (readonly number[])[] {
  if (!ordered.has(hitPolicy) && !counted.has(hitPolicy)) return rows.length > 1 ? [rows] : [];
  const runs: number[][] = [];
  for (const row of rows) {
    const fits = (run: readonly number[]): boolean => {
      const first = run[0] ?? row;
      if (!budget.spend((row - first + run.length) * space.sides.length)) return false;
      if (counted.has(hitPolicy) && run.some((other) => doMeet(space, row, other))) return false;
      if (!ordered.has(hitPolicy)) return true;
      for (let between = first + 1; between < row; between += 1)
        if (!run.includes(between) && doMeet(space, row, between)) return false;
      return true;
    };
    const last = runs.at(-1);
    if (last !== undefined && fits(last)) last.push(row);
    else runs.push([row]);
  }
  return runs.filter((run) => run.length > 1);
}

function idOf({ rows }: TableModel, row: number): string {
  return rows[row]?.id ?? "";
}
