import { randomOrder } from "./random-order.js";

/** W4: a decision table. A shipment is in one zone, of one kind, and in one band of weight and of value: one row each. */
export interface Shipment {
  readonly zone: string;
  readonly kind: string;
  readonly weightKg: number;
  readonly value: number;
  readonly express: boolean;
  readonly member: boolean;
}

/** One row, as all contestants have it: from `low` until before `high`. */
export interface FeeRow {
  readonly id: string;
  readonly zone: string;
  readonly kind: string;
  readonly weight: readonly [low: number, high: number];
  readonly value: readonly [low: number, high: number];
  readonly fee: number;
}

const kinds = ["letter", "parcel", "pallet", "cold", "fragile"];
const bands = 10;

/** @param count - a multiple of 500 */
export function feeRows(count: number): readonly FeeRow[] {
  const rows: FeeRow[] = [];
  for (let zone = 0; zone < count / (kinds.length * bands * bands); zone += 1)
    for (const kind of kinds)
      for (let weight = 0; weight < bands; weight += 1)
        for (let value = 0; value < bands; value += 1)
          rows.push({
            id: `row-${rows.length + 1}`,
            zone: `zone-${zone}`,
            kind,
            weight: [weight * 3, weight * 3 + 3],
            value: [value * 100, value * 100 + 100],
            fee: rows.length / 4,
          });
  return rows;
}

/** An input that each row takes, in random order. */
export function shipments(rows: readonly FeeRow[], count: number): readonly Shipment[] {
  const order = randomOrder(rows);
  return Array.from({ length: count }, (_shipment, index) => {
    const row = order[index % order.length];
    if (row === undefined) throw new RangeError("no rows");
    const { zone, kind, weight, value } = row;
    return {
      zone,
      kind,
      weightKg: weight[0] + 1.5,
      value: value[0] + 12.5,
      express: index % 2 === 0,
      member: index % 3 === 0,
    };
  });
}
