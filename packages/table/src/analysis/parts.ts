import type { Ranges } from "../engine/axis.js";
import type { Budget } from "./budget.js";
import { common } from "./ranges.js";
import type { Side } from "./space.js";

/** Places of a side that the same rows cover. */
export interface Part {
  readonly rows: readonly number[];
  /** Of the rows, whatever their order. */
  readonly hash: string;
  readonly ranges: number[];
}

/**
 * The parts of a box along a side, each with the rows that cover it, fewest first.
 *
 * @param box - its places on that side
 * @returns `undefined` if the budget is spent
 */
export function partsOf(
  { ranges }: Side,
  box: Ranges,
  rows: readonly number[],
  budget: Budget,
): readonly Part[] | undefined {
  const begin = new Map<number, number[]>();
  const end = new Map<number, number[]>();
  for (const row of rows) {
    const own = common(ranges[row] ?? [], box);
    for (let pair = 0; pair < own.length; pair += 2) {
      note(begin, own[pair] ?? 0, row);
      note(end, (own[pair + 1] ?? 0) + 1, row);
    }
  }
  const cuts = new Set([...begin.keys(), ...end.keys()]);
  for (let pair = 0; pair < box.length; pair += 2) cuts.add(box[pair] ?? 0).add((box[pair + 1] ?? 0) + 1);
  const sorted = Int32Array.from(cuts).sort();
  const active = new Set<number>();
  let [high, low] = [0, 0];
  const turn = (row: number): void => {
    high ^= mixed(row, 0x9e37_79b1);
    low ^= mixed(row, 0x85eb_ca77);
  };
  const parts = new Map<string, Part>();
  for (const [at, from] of sorted.entries()) {
    for (const row of end.get(from) ?? []) if (active.delete(row)) turn(row);
    for (const row of begin.get(from) ?? []) {
      active.add(row);
      turn(row);
    }
    const to = (sorted[at + 1] ?? from) - 1;
    const [first, last] = common(box, [from, to]);
    if (first === undefined || last === undefined) continue;
    if (!budget.spend(active.size + 1)) return undefined;
    const hash = `${high},${low}`;
    const part = parts.get(hash);
    if (part === undefined || part.rows.length !== active.size || !part.rows.every((row) => active.has(row)))
      // With rows of an equal hash, it stays apart under a key of its own.
      parts.set(part === undefined ? hash : `${hash},${from}`, {
        rows: [...active],
        hash,
        ranges: [first, last],
      });
    else if (part.ranges.at(-1) === first - 1) part.ranges[part.ranges.length - 1] = last;
    else part.ranges.push(first, last);
  }
  return [...parts.values()].sort((one, other) => one.rows.length - other.rows.length);
}

function note(map: Map<number, number[]>, place: number, row: number): void {
  const known = map.get(place);
  if (known === undefined) map.set(place, [row]);
  else known.push(row);
}

function mixed(row: number, factor: number): number {
  let hash = Math.imul(row + 1, factor);
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b_3c6d);
  return hash ^ (hash >>> 13);
}
