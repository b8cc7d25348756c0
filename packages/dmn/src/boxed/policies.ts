import { builtIns } from "../builtins/all.js";
import type { Test } from "../feel/compile-tests.js";
import type { Frame } from "../feel/scope.js";
import type { Aggregation, TableBox } from "../model/model.js";
import { equals } from "../values/compare.js";
import type { FeelValue } from "../values/value.js";

/** A row that matches, with its results. */
export interface Matched {
  readonly row: number;
  readonly outputs: readonly FeelValue[];
}

interface Decided {
  readonly value: FeelValue;
  /** The rows that decided, in the order of the result. */
  readonly rows: readonly number[];
  /** Why there is no value. */
  readonly problem?: string;
}

/** What a hit policy makes of the rows that match. */
export interface Policy {
  /** Rows after the first match don't matter. */
  readonly isFirst: boolean;
  readonly isList: boolean;
  /** The result if no row matches. */
  readonly ofNothing: FeelValue;
  decide(matched: readonly Matched[], frame: Frame): Decided;
  /** The outputs of one row as one value. */
  combine(outputs: readonly FeelValue[]): FeelValue;
}

const aggregators: Readonly<Record<Exclude<Aggregation, "COUNT">, string>> = {
  SUM: "sum",
  MIN: "min",
  MAX: "max",
};

export function policyOf(box: TableBox, priorities: readonly (readonly Test[])[]): Policy {
  const names = box.outputs.map(({ name }) => name);
  const combine = (outputs: readonly FeelValue[]): FeelValue =>
    names.length === 1
      ? (outputs[0] ?? null)
      : new Map(names.map((name, index) => [name, outputs[index] ?? null]));
  const isList = ["COLLECT", "RULE ORDER", "OUTPUT ORDER"].includes(box.hitPolicy);
  const one = ({ row, outputs }: Matched): Decided => ({ value: combine(outputs), rows: [row] });
  const all = (matched: readonly Matched[]): Decided => ({
    value: matched.map(({ outputs }) => combine(outputs)),
    rows: matched.map(({ row }) => row),
  });
  const parts = { isFirst: box.hitPolicy === "FIRST", isList, ofNothing: null, combine };
  switch (box.hitPolicy) {
    case "UNIQUE":
      return {
        ...parts,
        decide: ([first, second]) =>
          first === undefined || second !== undefined
            ? { value: null, rows: [], problem: "more than one row matches, and the policy is UNIQUE" }
            : one(first),
      };
    case "FIRST":
      return {
        ...parts,
        decide: ([first]) => (first === undefined ? { value: null, rows: [] } : one(first)),
      };
    case "ANY":
      return { ...parts, decide: (matched, frame) => any(matched, combine, frame) };
    case "PRIORITY":
      return {
        ...parts,
        decide(matched, frame) {
          const [first] = byPriority(matched, priorities, frame);
          return first === undefined ? { value: null, rows: [] } : one(first);
        },
      };
    case "OUTPUT ORDER":
      return { ...parts, decide: (matched, frame) => all(byPriority(matched, priorities, frame)) };
    case "RULE ORDER":
      return { ...parts, decide: all };
    case "COLLECT": {
      const { aggregation } = box;
      if (aggregation === undefined) return { ...parts, decide: all };
      return {
        ...parts,
        ofNothing: aggregation === "COUNT" ? 0 : null,
        decide: (matched, frame) => ({
          ...all(matched),
          value: aggregated(matched, aggregation, combine, frame),
        }),
      };
    }
  }
}

function any(matched: readonly Matched[], combine: Policy["combine"], frame: Frame): Decided {
  const values = matched.map(({ outputs }) => combine(outputs));
  const [first = null] = values;
  if (values.every((value) => equals(value, first, frame.run) === true))
    return { value: first, rows: matched.map(({ row }) => row) };
  return { value: null, rows: [], problem: "rows with different results match, and the policy is ANY" };
}

function byPriority(
  matched: readonly Matched[],
  priorities: readonly (readonly Test[])[],
  frame: Frame,
): readonly Matched[] {
  const ranked = matched.map((each) => ({
    each,
    ranks: each.outputs.map((output, column) => {
      const rank = (priorities[column] ?? []).findIndex((test) => test(output, frame) === true);
      return rank < 0 ? Number.POSITIVE_INFINITY : rank;
    }),
  }));
  ranked.sort((a, b) => {
    for (const [column, rank] of a.ranks.entries()) {
      const other = b.ranks[column] ?? rank;
      if (rank !== other) return rank < other ? -1 : 1;
    }
    return 0;
  });
  return ranked.map(({ each }) => each);
}

function aggregated(
  matched: readonly Matched[],
  aggregation: Aggregation,
  combine: Policy["combine"],
  frame: Frame,
): FeelValue {
  const values = matched.map(({ outputs }) => combine(outputs));
  if (aggregation === "COUNT") return values.length;
  return builtIns.get(aggregators[aggregation])?.call([values], frame.run) ?? null;
}
