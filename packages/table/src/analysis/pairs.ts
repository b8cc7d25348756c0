import { lowestBit } from "../engine/buckets.js";
import { Outputs } from "../engine/policies.js";
import type { TableModel } from "../model.js";
import type { Budget } from "./budget.js";
import { meet } from "./ranges.js";
import type { Space } from "./space.js";

/** Rows are compared in blocks, which bounds the memory. */
const block = 4096;

/**
 * The rows in the order in which they decide, of policies where one decides over others.
 *
 * @returns `undefined` if that depends on the input
 */
export function decidingOrder(model: TableModel): readonly number[] | undefined {
  const { rows, hitPolicy } = model;
  const order = [...rows.keys()];
  if (hitPolicy !== "P") return order;
  if (rows.some((row) => row.computed.length > 0)) return undefined;
  const outputs = new Outputs(model);
  const values = rows.map(({ constants }) => constants);
  return order.sort((one, other) => outputs.compare(values[one] ?? [], values[other] ?? []));
}

/**
 * Finds all pairs of rows that an input may meet together.
 *
 * @param order - rows, each once
 * @param visit - gets a row and those before it in the order that overlap it, in that order. It returns whether to continue
 * @returns whether the budget lasted
 */
export function visitOverlaps(
  space: Space,
  order: readonly number[],
  budget: Budget,
  visit: (row: number, earlier: readonly number[]) => boolean,
): boolean {
  const words = (order.length + 31) >>> 5;
  for (let start = 0; start < order.length; start += block) {
    const rows = order.slice(start, start + block);
    const left = rows.map((_row, at) => firstBits(words, start + at));
    for (const { ranges } of space.sides) {
      if (!budget.spend(((rows.length * words) >>> 2) + 1)) return false;
      const low = (row: number): number => ranges[row]?.[0] ?? 1;
      const high = (row: number): number => ranges[row]?.at(-1) ?? 0;
      dropBefore(order, rows, left, low, high);
      // From the other end, so what begins after a row is before it.
      dropBefore(
        order,
        rows,
        left,
        (row) => -high(row),
        (row) => -low(row),
      );
    }
    for (const [at, row] of rows.entries()) {
      const earlier = placesIn(left[at] ?? new Uint32Array()).map((place) => order[place] ?? 0);
      if (!budget.spend(earlier.length * space.sides.length)) return false;
      if (
        !visit(
          row,
          earlier.filter((other) => doMeet(space, row, other)),
        )
      )
        return true;
    }
  }
  return true;
}

/** Whether an input may meet two rows. */
export function doMeet({ sides, isEmpty }: Space, row: number, other: number): boolean {
  if (isEmpty[row] === true || isEmpty[other] === true) return false;
  return sides.every(({ ranges }) => meet(ranges[row] ?? [], ranges[other] ?? []));
}

/** So many ones. */
function firstBits(words: number, count: number): Uint32Array {
  const bits = new Uint32Array(words);
  bits.fill(0xffff_ffff, 0, count >>> 5);
  if ((count & 31) !== 0) bits[count >>> 5] = 2 ** (count & 31) - 1;
  return bits;
}

/**
 * Of each row, takes away those that are wholly before it, or wholly behind it. Of several ranges, only the two ends are looked at
 * here.
 *
 * @param beginOf - and `endOf`: of a row. What lies behind is what lies before with both turned round
 */
function dropBefore(
  order: readonly number[],
  rows: readonly number[],
  left: readonly Uint32Array[],
  beginOf: (row: number) => number,
  endOf: (row: number) => number,
): void {
  const before = new Uint32Array((order.length + 31) >>> 5);
  const places = sortedBy([...order.keys()], (place) => endOf(order[place] ?? 0));
  let next = 0;
  for (const at of sortedBy([...rows.keys()], (place) => beginOf(rows[place] ?? 0))) {
    const begin = beginOf(rows[at] ?? 0);
    for (; next < places.length && endOf(order[places[next] ?? 0] ?? 0) < begin; next += 1)
      set(before, places[next] ?? 0);
    const own = left[at];
    if (own !== undefined)
      for (let word = 0; word < own.length; word += 1) own[word] = (own[word] ?? 0) & ~(before[word] ?? 0);
  }
}

function sortedBy(places: number[], keyOf: (place: number) => number): readonly number[] {
  return places.sort((one, other) => keyOf(one) - keyOf(other));
}

function set(bits: Uint32Array, place: number): void {
  bits[place >>> 5] = (bits[place >>> 5] ?? 0) | (1 << (place & 31));
}

function placesIn(bits: Uint32Array): number[] {
  const places: number[] = [];
  for (let word = 0; word < bits.length; word += 1)
    for (let rest = bits[word] ?? 0; rest !== 0; rest &= rest - 1) places.push(word * 32 + lowestBit(rest));
  return places;
}
