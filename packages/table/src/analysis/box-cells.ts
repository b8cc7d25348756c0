import type { Column, Scalar } from "../cells/condition.js";
import { isOrdered } from "../cells/scalar.js";
import type { Axis, Ranges } from "../engine/axis.js";
import { rawValue } from "../engine/field-value.js";
import type { TableModel } from "../model.js";
import type { Box } from "./box.js";
import type { TableGap } from "./findings.js";
import { countOf } from "./ranges.js";
import { intervalOf, type Side, type Space } from "./space.js";

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

function namedCell({ marks, foreign }: Axis, { members, type }: Column, own: readonly number[]): string {
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
  return `not(${[...without, ...(hasNull ? [] : ["null"])].join(", ")})`;
}
