import type { Ranges } from "../engine/axis.js";
import { common, countOf, meet, minus } from "./ranges.js";
import type { Space } from "./space.js";

/** A box in the space of inputs: the places of each side. */
export type Box = readonly Ranges[];

export function boxOf({ sides }: Space, row: number): Box {
  return sides.map(({ ranges }) => ranges[row] ?? []);
}

/** All inputs that the schema allows. */
export function wholeBox({ sides }: Space): Box {
  return sides.map(({ classes }) => (classes.length === 0 ? [] : [0, classes.length - 1]));
}

/** How many combinations of places a box has, about. */
export function sizeOf(box: Box): number {
  return box.reduce((product, ranges) => product * countOf(ranges), 1);
}

/** The exact product. */
export function volume(counts: readonly number[]): bigint {
  let product = 1;
  for (const count of counts) product *= count;
  // Each product of whole numbers below it is exact.
  if (product <= Number.MAX_SAFE_INTEGER) return BigInt(product);
  return counts.reduce((exact, count) => exact * BigInt(count), 1n);
}

/** What the first box has beyond the second, in disjoint boxes. */
export function without(box: Box, other: Box): readonly Box[] {
  const pieces: Box[] = [];
  let rest = box;
  for (const [side, ranges] of box.entries()) {
    const outside = minus(ranges, other[side] ?? []);
    if (outside.length > 0) pieces.push(rest.with(side, outside));
    rest = rest.with(side, common(ranges, other[side] ?? []));
  }
  return pieces;
}

/** Those of the ranges that have something of others. */
export function piecesOf(ranges: Ranges, own: Ranges): Ranges {
  const found: number[] = [];
  for (let at = 0; at < ranges.length; at += 2) {
    const range = ranges.slice(at, at + 2);
    if (meet(range, own)) found.push(...range);
  }
  return found;
}

/** By the places where they begin. */
export function inOrder(one: Box, other: Box): number {
  for (const [side, ranges] of one.entries()) {
    const difference = (ranges[0] ?? 0) - (other[side]?.[0] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}
