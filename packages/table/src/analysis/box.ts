import type { Column, Scalar } from "../cells/condition.js";
import { isOrdered } from "../cells/scalar.js";
import type { Axis, Ranges } from "../engine/axis.js";
import { rawValue } from "../engine/field-value.js";
import type { TableModel } from "../model.js";
import type { TableGap } from "./findings.js";
import { common, countOf, meet, minus } from "./ranges.js";
import { intervalOf, type Side, type Space } from "./space.js";

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

/** A box for each time without a break: a gap has one beginning and one end. */
export function spellsOf({ sides }: Space, box: Box): readonly Box[] {
  const time = sides.findIndex(({ isTime }) => isTime);
  const ranges = box[time] ?? [];
  if (ranges.length <= 2) return [box];
  return ranges.flatMap((from, at) => (at % 2 === 0 ? [box.with(time, [from, ranges[at + 1] ?? from])] : []));
}

/** A box as the cells of a row, and when it is there. */
export function gapCells(
  { columns }: TableModel,
  { sides }: Space,
  box: Box,
): Pick<TableGap, "box" | "from" | "until"> {
  const cells = new Map(sides.map((side, at) => [side.column.path.join("."), cellOf(side, box[at] ?? [])]));
  const paths = columns.map(({ path }) => path.join("."));
  // Of two columns with one path, the first has it all.
  const own = paths.map((path, at) => (paths.indexOf(path) === at ? (cells.get(path) ?? "-") : "-"));
  const time = sides.findIndex(({ isTime }) => isTime);
  const side = sides[time];
  if (side === undefined) return { box: own };
  const ranges = box[time] ?? [];
  const { low } = intervalOf(side.axis, side.classes[ranges[0] ?? 0] ?? 0);
  const { high } = intervalOf(side.axis, side.classes[ranges[1] ?? 0] ?? 0);
  const text = (value: number) => String(rawValue("date-time", value));
  return {
    box: own,
    ...(low === -Infinity ? {} : { from: text(low) }),
    ...(high === Infinity ? {} : { until: text(high) }),
  };
}

/** A condition that the values of some places meet, and no others that the schema allows, as it would stand in a cell. */
export function cellOf(side: Side, ranges: Ranges): string {
  const { classes, axis, column } = side;
  if (countOf(ranges) === classes.length) return "-";
  return isOrdered(column.type)
    ? orderedCell(side, ranges)
    : namedCell(axis, column, classesIn(side, ranges));
}

function classesIn({ classes }: Side, ranges: Ranges): readonly number[] {
  const own: number[] = [];
  for (let at = 0; at < ranges.length; at += 2)
    own.push(...classes.slice(ranges[at], (ranges[at + 1] ?? 0) + 1));
  return own;
}

function orderedCell({ classes, axis, column }: Side, ranges: Ranges): string {
  const tests: string[] = [];
  let hasNull = false;
  for (let at = 0; at < ranges.length; at += 2) {
    const places = [ranges[at] ?? 0, ranges[at + 1] ?? 0] as const;
    const [first = 0, last = 0] = places.map((place) => classes[place] ?? 0);
    const isNullLast = last > axis.foreign;
    hasNull ||= isNullLast;
    const end = isNullLast ? (classes[places[1] - 1] ?? 0) : last;
    if (first > axis.foreign) continue;
    tests.push(intervalText(axis, column, first, end));
  }
  return [...tests, ...(hasNull ? ["null"] : [])].join(", ");
}

function intervalText(axis: Axis, column: Column, first: number, last: number): string {
  const { low, isLowClosed } = intervalOf(axis, first);
  const { high, isHighClosed } = intervalOf(axis, last);
  const text = (value: number): string => String(rawValue(column.type, value));
  if (low === high) return text(low);
  if (low === -Infinity)
    return high === Infinity ? "not(null)" : `${isHighClosed ? "<=" : "<"} ${text(high)}`;
  if (high === Infinity) return `${isLowClosed ? ">=" : ">"} ${text(low)}`;
  return `${isLowClosed ? "[" : "("}${text(low)}..${text(high)}${isHighClosed ? "]" : ")"}`;
}

function namedCell(
  { marks, foreign }: Axis,
  { members, type, isNullable }: Column,
  own: readonly number[],
): string {
  const other = foreign - 1;
  const hasNull = own.includes(foreign + 1);
  const texts = (values: readonly Scalar[]) => values.map((value) => JSON.stringify(value));
  const listed = own.flatMap((place) => marks[place] ?? []);
  if (!own.includes(other)) return [...texts(listed), ...(hasNull ? ["null"] : [])].join(", ");
  const all = members ?? (type === "boolean" ? [false, true] : undefined);
  if (all !== undefined) {
    const unnamed = all.filter((member) => !marks.includes(member));
    return [...texts([...listed, ...unnamed]), ...(hasNull ? ["null"] : [])].join(", ");
  }
  const without = texts(marks.filter((_mark, place) => !own.includes(place)));
  return `not(${[...without, ...(hasNull || !isNullable ? [] : ["null"])].join(", ")})`;
}
