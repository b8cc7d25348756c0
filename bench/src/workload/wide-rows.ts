import { randomOf } from "./random-order.js";

/** Six numbers between 0 and 1. */
export type Measures = Readonly<Record<Measure, number>>;

type Measure = (typeof measures)[number];

export const measures = ["length", "width", "height", "weight", "value", "distance"] as const;

/** A row of a table whose cells are intervals that many inputs meet: from `low` until before `high`. */
export interface WideRow {
  readonly id: string;
  readonly bounds: Readonly<Record<Measure, readonly [low: number, high: number]>>;
  readonly fee: number;
}

/** Each interval has between a tenth and a half of all values, so that an input meets about one row in a thousand, if any. */
export function wideRows(count: number): readonly WideRow[] {
  const random = randomOf();
  return Array.from({ length: count }, (_row, index) => ({
    id: `row-${index + 1}`,
    bounds: measured(() => {
      const share = 0.1 + 0.4 * random();
      const low = random() * (1 - share);
      return [low, low + share] as const;
    }),
    fee: index / 4,
  }));
}

/** Inputs that each meet a row, which isn't always the first that they meet. */
export function measuresIn(rows: readonly WideRow[], count: number): readonly Measures[] {
  const random = randomOf();
  return Array.from({ length: count }, () => {
    const row = rows[Math.floor(random() * rows.length)];
    if (row === undefined) throw new RangeError("no rows");
    return measured((measure) => {
      const [low, high] = row.bounds[measure];
      return low + random() * (high - low);
    });
  });
}

export function firstMet(rows: readonly WideRow[], input: Measures): WideRow | undefined {
  return rows.find(({ bounds }) =>
    measures.every((measure) => {
      const [low, high] = bounds[measure];
      return low <= input[measure] && input[measure] < high;
    }),
  );
}

function measured<Value>(of: (measure: Measure) => Value): Readonly<Record<Measure, Value>> {
  const [length, width, height, weight, value, distance] = measures;
  return {
    length: of(length),
    width: of(width),
    height: of(height),
    weight: of(weight),
    value: of(value),
    distance: of(distance),
  };
}
