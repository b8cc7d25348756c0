import type { Column, Condition, Scalar, ValueSet } from "../cells/condition.js";
import { isOrdered } from "../cells/scalar.js";
import { type Axis, axisOf, type Ranges, rangesOf } from "../engine/axis.js";
import { type Dimension, dimensionsOf } from "../engine/dimensions.js";
import { valueSetOf } from "../engine/value-set.js";
import type { TableConditions } from "../model.js";
import { type End, sampleIn } from "./domain.js";
import { common, placed } from "./ranges.js";

/** One direction of the space of inputs: a field, or the instant of the call. */
export interface Side {
  readonly column: Column;
  readonly isTime: boolean;
  readonly axis: Axis;
  /** Classes of the axis that the schema allows, in order. What follows counts places in it, from 0. */
  readonly classes: readonly number[];
  /** The place of a class of the axis, where the schema allows it. */
  readonly placeOf: ReadonlyMap<number, number>;
  /** Per row: the places that meet all of its conditions for this field. */
  readonly ranges: readonly Ranges[];
  /** Per row: rows with the same number have the same conditions. */
  readonly ids: Int32Array;
  /** Per row: whether the input decides where the limits of its condition are. Its ranges are then all places. */
  readonly isOpen: readonly boolean[];
}

/** A table as boxes in the space of the inputs that its schema allows, under one profile. */
export interface Space {
  readonly sides: readonly Side[];
  readonly size: number;
  /** Rows that no input meets. */
  readonly isEmpty: readonly boolean[];
  /** Rows with a condition that is open. */
  readonly isOpen: readonly boolean[];
}

export function spaceOf(model: TableConditions, profile: unknown): Space {
  const byPath = new Map<string, Dimension[]>();
  for (const dimension of dimensionsOf(model)) {
    const key = dimension.isTime ? "" : JSON.stringify(dimension.column.path);
    byPath.set(key, [...(byPath.get(key) ?? []), dimension]);
  }
  const sides = [...byPath.values()].map((dimensions) => sideOf(dimensions, profile));
  const rows = model.rows.map((_row, row) => row);
  return {
    sides,
    size: rows.length,
    isEmpty: rows.map((row) => sides.some(({ ranges }) => ranges[row]?.length === 0)),
    isOpen: rows.map((row) => sides.some(({ isOpen }) => isOpen[row] === true)),
  };
}

/** @param dimensions - columns of one path: a row must meet its conditions in all of them */
function sideOf(dimensions: readonly Dimension[], profile: unknown): Side {
  const [first] = dimensions;
  if (first === undefined) throw new Error("A side has a dimension");
  const { column, isTime, conditions } = first;
  const known = new Map<string, ValueSet | undefined>();
  const setOf = (condition: Condition, key: string): ValueSet | undefined => {
    if (!known.has(key)) known.set(key, valueSetOf(condition, column, profile));
    return known.get(key);
  };
  const keys = dimensions.map((dimension) => dimension.conditions.map(keyOf));
  for (const [at, dimension] of dimensions.entries())
    for (const [row, condition] of dimension.conditions.entries()) setOf(condition, keys[at]?.[row] ?? "");
  const axis = axisOf(
    column,
    [...known.values()].filter((set) => set !== undefined),
  );
  const classes = allowedClasses(column, axis);
  const placeOf = new Map(classes.map((own, place) => [own, place]));
  const all: Ranges = classes.length === 0 ? [] : [0, classes.length - 1];
  const ids = new Map<string, number>();
  const idOf = (id: string): number => {
    const known = ids.get(id);
    if (known !== undefined) return known;
    ids.set(id, ids.size);
    return ids.size - 1;
  };
  const shapes = new Map<string, Shape>();
  const shapeOf = (condition: Condition, key: string): Shape => {
    const shape = shapes.get(key);
    if (shape !== undefined) return shape;
    const set = condition.kind === "any" ? undefined : setOf(condition, key);
    const isOpen = condition.kind !== "any" && set === undefined;
    const own = set === undefined ? all : placed(rangesOf(axis, condition, set), classes);
    const made = { ranges: own, isOpen, id: idOf(`${own.join()}${isOpen ? key : ""}`) };
    shapes.set(key, made);
    return made;
  };
  const rows = conditions.map((_condition, row): Shape => {
    const [only, ...others] = dimensions.map((dimension, at) =>
      shapeOf(dimension.conditions[row] ?? { kind: "any" }, keys[at]?.[row] ?? ""),
    );
    if (only === undefined || others.length === 0) return only ?? { ranges: all, isOpen: false, id: 0 };
    return others.reduce((one, other) => {
      const ranges = common(one.ranges, other.ranges);
      const isOpen = one.isOpen || other.isOpen;
      return { ranges, isOpen, id: idOf(`${ranges.join()}${isOpen ? `${one.id} ${other.id}` : ""}`) };
    }, only);
  });
  const ranges = rows.map((row) => row.ranges);
  const isOpen = rows.map((row) => row.isOpen);
  const numbers = Int32Array.from(rows, ({ id }) => id);
  return { column, isTime, axis, classes, placeOf, ranges, ids: numbers, isOpen };
}

/** What one condition, or all of one field, come to. */
interface Shape {
  readonly ranges: Ranges;
  readonly isOpen: boolean;
  /** The same for those with the same ranges, unless they are open. */
  readonly id: number;
}

/** The same for conditions that are the same. */
function keyOf(condition: Condition): string {
  if (condition.kind === "any") return "";
  const [only] = condition.tests;
  // Most conditions are one test with literals, and writing those is most of the work of reading a table.
  if (condition.tests.length === 1 && !condition.isNegated && only !== undefined && only.kind !== "null") {
    const ends = only.kind === "interval" ? [only.low, only.high] : [only.endpoint];
    const [low, high] = ends.map((end) => (end.kind === "literal" ? end.value : undefined));
    if (only.kind === "interval" && typeof low === "number" && typeof high === "number")
      return `${only.isLowClosed ? "[" : "("}${low} ${high}${only.isHighClosed ? "]" : ")"}`;
    if (only.kind === "compare" && typeof low === "number") return `${only.operator}${low}`;
  }
  return JSON.stringify([condition.isNegated, condition.tests]);
}

/** The classes that have a value which the schema allows, `null` last. */
function allowedClasses(column: Column, axis: Axis): readonly number[] {
  const classes: number[] = [];
  for (let own = 0; own < axis.foreign; own += 1)
    if (valueIn(column, axis, own) !== undefined) classes.push(own);
  if (column.isNullable) classes.push(axis.foreign + 1);
  return classes;
}

/** Stands for a text that no condition names, of which the schema doesn't list the texts. */
export const otherText: unique symbol = Symbol("other text");

/**
 * A value of a class that the schema allows; `undefined` if there is none.
 *
 * @param near - of an ordered column: the end of the class that it is next to
 */
export function valueIn(
  column: Column,
  axis: Axis,
  own: number,
  near?: End,
): Scalar | null | typeof otherText | undefined {
  const { marks, foreign } = axis;
  if (own > foreign) return null;
  if (isOrdered(column.type)) return sampleIn(intervalOf(axis, own), column, near);
  const members = column.members ?? (column.type === "boolean" ? [false, true] : undefined);
  const mark = marks[own];
  if (mark !== undefined) return members === undefined || members.includes(mark) ? mark : undefined;
  return members === undefined ? otherText : members.find((member) => !marks.includes(member));
}

/** What one class of an ordered column covers. */
export function intervalOf({ marks }: Axis, own: number) {
  const end = (place: number): number => Number(marks[place]);
  const at = own >>> 1;
  if (own % 2 === 1) return { low: end(at), isLowClosed: true, high: end(at), isHighClosed: true };
  return {
    low: at === 0 ? -Infinity : end(at - 1),
    isLowClosed: false,
    high: at === marks.length ? Infinity : end(at),
    isHighClosed: false,
  };
}
