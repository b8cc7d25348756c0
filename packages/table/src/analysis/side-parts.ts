import type { Box } from "./box.js";
import type { Budget } from "./budget.js";
import { common, contains, meet } from "./ranges.js";
import type { Space } from "./space.js";

/** Whether a row has all of a box along a side. */
export function spans({ sides }: Space, row: number, side: number, box: Box): boolean {
  const own = sides[side]?.ranges[row] ?? [];
  const all = box[side] ?? [];
  if (own.length === 2 && all.length === 2)
    return (own[0] ?? 0) <= (all[0] ?? 0) && (all[1] ?? 0) <= (own[1] ?? 0);
  return contains(own, all);
}

/** A part of a side: the rows that have it, and its ranges. */
export type SidePart = readonly [rows: readonly number[], ranges: number[]];

/** The parts of a box along a side, each with the rows that have it. Ends early when the budget is spent. */
export function partsOf(
  { sides }: Space,
  box: Box,
  rows: readonly number[],
  side: number,
  budget: Budget,
): readonly SidePart[] {
  const own = box[side] ?? [];
  /** By the place where it changes, the rows that begin or end there. */
  const turns = new Map<number, number[]>();
  const note = (place: number, row: number): void => {
    const known = turns.get(place);
    if (known === undefined) turns.set(place, [row]);
    else known.push(row);
  };
  for (const [at, row] of rows.entries()) {
    const ranges = common(sides[side]?.ranges[row] ?? [], own);
    for (let pair = 0; pair < ranges.length; pair += 2) {
      note(ranges[pair] ?? 0, at);
      note((ranges[pair + 1] ?? 0) + 1, at);
    }
  }
  const cuts = new Set(turns.keys());
  for (let pair = 0; pair < own.length; pair += 2) cuts.add(own[pair] ?? 0).add((own[pair + 1] ?? 0) + 1);
  const sorted = [...cuts].sort((one, other) => one - other);
  const isIn = new Array<boolean>(rows.length).fill(false);
  const parts = new Map<string, SidePart>();
  for (const [at, from] of sorted.entries()) {
    for (const row of turns.get(from) ?? []) isIn[row] = !isIn[row];
    const to = (sorted[at + 1] ?? from) - 1;
    if (!meet(own, [from, to])) continue;
    if (!budget.spend(rows.length)) break;
    const part = rows.filter((_row, place) => isIn[place]);
    const key = part.join();
    const known = parts.get(key);
    if (known === undefined) parts.set(key, [part, [from, to]]);
    else if (known[1].at(-1) === from - 1) known[1][known[1].length - 1] = to;
    else known[1].push(from, to);
  }
  return [...parts.values()];
}
