import type { JsonSchema } from "@decern/core";

/** The values of a number or a date that are tried, each with its place: neighbours are one apart. */
export interface Grid {
  readonly step: number;
  readonly lowest: number;
  readonly highest: number;
  /** The place of the value that the field has, which may lie between two others. */
  readonly origin: number;
  /** Places worth a look. */
  readonly hints: readonly number[];
  /** Where the parts begin within which nothing changes, in ascending order. Absent where that isn't known. */
  readonly parts?: readonly number[];
  valueAt(place: number): unknown;
}

/** Beyond, places could not be distinguished. */
const maxPlaces = 2 ** 50;

const maxDigits = 9;

/**
 * The values of a number: the integers, the multiples that the schema asks for, or else those with two decimals, or as many as
 * its value and its bounds have. Where a schema sets no bound, a thousand times the value is far enough.
 *
 * @param hints - numbers that rules may compare with
 * @returns `undefined` for a number too large to tell from its neighbours
 */
export function numberGrid(value: number, node: JsonSchema, hints: readonly number[]): Grid | undefined {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = node;
  const above = numberOf(exclusiveMinimum);
  const below = numberOf(exclusiveMaximum);
  const bounds = [numberOf(minimum), numberOf(maximum), above, below].filter((bound) => bound !== undefined);
  const isInteger = node["type"] === "integer";
  const asked = numberOf(multipleOf);
  const digits = Math.min(maxDigits, Math.max(2, ...[value, ...bounds].map(fractionDigits)));
  const step = asked !== undefined && asked > 0 ? asked : isInteger ? 1 : 10 ** -digits;
  const decimals = Math.min(20, Math.max(fractionDigits(step), 0));
  const reach = Math.max(1, Math.abs(value), ...hints.map(Math.abs)) * 1000;
  const from = Math.max(numberOf(minimum) ?? above ?? -reach, above ?? -Infinity);
  const to = Math.min(numberOf(maximum) ?? below ?? reach, below ?? Infinity);
  const lowest = Math.ceil(roundedPlace(from / step)) + (isPlace(above, from, step) ? 1 : 0);
  const highest = Math.floor(roundedPlace(to / step)) - (isPlace(below, to, step) ? 1 : 0);
  if (!(Math.max(Math.abs(lowest), Math.abs(highest)) <= maxPlaces) || lowest > highest) return undefined;
  return {
    step,
    lowest,
    highest,
    origin: roundedPlace(value / step),
    hints: hints.map((hint) => Math.round(hint / step)),
    // Decimal arithmetic: 3 times 0.1 is 0.3. A negative zero would become zero in JSON.
    valueAt: (place) => Number((place * step).toFixed(decimals)) + 0,
  };
}

const dayMs = 86_400_000;

/** A century and a half each way. */
const dateReach = 55_000;

/** The days around a date. */
export function dateGrid(value: string): Grid | undefined {
  const origin = Date.parse(`${value}T00:00:00Z`) / dayMs;
  if (!/^\d{4}-\d\d-\d\d$/.test(value) || !Number.isInteger(origin)) return undefined;
  const clamp = (day: number): number => Math.min(Math.max(day, firstDay), lastDay);
  return {
    step: 1,
    lowest: clamp(origin - dateReach),
    highest: clamp(origin + dateReach),
    origin,
    hints: [],
    valueAt: (place) => new Date(place * dayMs).toISOString().slice(0, 10),
  };
}

/** Those with a year of four digits. */
const firstDay = Date.parse("0000-01-01T00:00:00Z") / dayMs;

const lastDay = Date.parse("9999-12-31T00:00:00Z") / dayMs;

function numberOf(value: unknown): number | undefined {
  return typeof value === "number" && Number.isFinite(value) ? value : undefined;
}

/** Division leaves 0.3 / 0.1 a little short of three. */
function roundedPlace(place: number): number {
  const rounded = Math.round(place);
  return Math.abs(place - rounded) <= Math.abs(place) * 1e-12 ? rounded : place;
}

function isPlace(exclusive: number | undefined, bound: number, step: number): boolean {
  return exclusive === bound && Number.isInteger(roundedPlace(bound / step));
}

function fractionDigits(value: number): number {
  const [, fraction = "", exponent = "0"] = /^[^.e]*(?:\.(\d+))?(?:e(.+))?$/.exec(String(value)) ?? [];
  return Math.max(0, fraction.length - Number(exponent));
}

/**
 * A grid with the parts that thresholds make of it: each threshold's own place, if it has one, and what lies between two.
 *
 * @param thresholds - in ascending order, as values of the field
 */
export function withParts(grid: Grid, thresholds: readonly unknown[]): Grid {
  const parts = [grid.lowest];
  for (const threshold of thresholds) {
    const at = firstFrom(grid, threshold);
    if (at === undefined) return grid;
    for (const place of grid.valueAt(at) === threshold ? [at, at + 1] : [at])
      if (place > (parts.at(-1) ?? place) && place <= grid.highest) parts.push(place);
  }
  return { ...grid, parts };
}

/**
 * The first place whose value isn't below a threshold, or one behind the last.
 *
 * @returns `undefined` for a threshold that values of the grid can't be compared with
 */
function firstFrom(grid: Grid, threshold: unknown): number | undefined {
  let [low, high] = [grid.lowest, grid.highest + 1];
  while (low < high) {
    const middle = low + Math.floor((high - low) / 2);
    const isBelow = isLess(grid.valueAt(middle), threshold);
    if (isBelow === undefined) return undefined;
    if (isBelow) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Of numbers and of dates, which are texts of one length. */
function isLess(one: unknown, other: unknown): boolean | undefined {
  if (typeof one === "number" && typeof other === "number") return one < other;
  return typeof one === "string" && typeof other === "string" ? one < other : undefined;
}
