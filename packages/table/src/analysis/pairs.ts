import { lowestBit } from "../engine/buckets.js";
import type { Budget } from "./budget.js";
import { meet, type Space } from "./space.js";

/** Rows are compared in blocks, which bounds the memory. */
const block = 4096;

/**
 * Finds all pairs of rows that an input may meet together.
 *
 * @param order - rows, each once
 * @param visit - gets a row and those before it in the order that overlap it, in that order. It returns whether to go on
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
      keepBegun(order, rows, left, low, high);
      dropEnded(order, rows, left, low, high);
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

/** Of each row, keeps those that begin before it ends. Of several ranges, only the two ends are looked at here. */
function keepBegun(
  order: readonly number[],
  rows: readonly number[],
  left: readonly Uint32Array[],
  low: (row: number) => number,
  high: (row: number) => number,
): void {
  const begun = new Uint32Array((order.length + 31) >>> 5);
  const places = [...order.keys()].sort((one, other) => low(order[one] ?? 0) - low(order[other] ?? 0));
  let next = 0;
  for (const at of [...rows.keys()].sort((one, other) => high(rows[one] ?? 0) - high(rows[other] ?? 0))) {
    const end = high(rows[at] ?? 0);
    for (; next < places.length && low(order[places[next] ?? 0] ?? 0) <= end; next += 1)
      set(begun, places[next] ?? 0);
    const own = left[at];
    if (own !== undefined)
      for (let word = 0; word < own.length; word += 1) own[word] = (own[word] ?? 0) & (begun[word] ?? 0);
  }
}

/** Of each row, drops those that end before it begins. */
function dropEnded(
  order: readonly number[],
  rows: readonly number[],
  left: readonly Uint32Array[],
  low: (row: number) => number,
  high: (row: number) => number,
): void {
  const ended = new Uint32Array((order.length + 31) >>> 5);
  const places = [...order.keys()].sort((one, other) => high(order[one] ?? 0) - high(order[other] ?? 0));
  let next = 0;
  for (const at of [...rows.keys()].sort((one, other) => low(rows[one] ?? 0) - low(rows[other] ?? 0))) {
    const begin = low(rows[at] ?? 0);
    for (; next < places.length && high(order[places[next] ?? 0] ?? 0) < begin; next += 1)
      set(ended, places[next] ?? 0);
    const own = left[at];
    if (own !== undefined)
      for (let word = 0; word < own.length; word += 1) own[word] = (own[word] ?? 0) & ~(ended[word] ?? 0);
  }
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
