import type { LogicContext } from "@decern/core";
import { calculate } from "@decern/core/tools";
import { assemble, type HitPolicy } from "../document/document.js";
import type { TableModel } from "../model.js";
import type { Matches } from "./matcher.js";

/** What a table returns for an input. */
interface Outcome {
  readonly emitted: unknown;
  /** The rows that make the result, in its order. */
  readonly rows: readonly number[];
}

/** A hit policy: which of the rows that an input meets decide, and what the result is. */
export type Policy = (
  matches: Matches,
  input: unknown,
  profile: unknown,
  context: LogicContext,
) => Outcome | undefined;

/** What the policies are called, for people. */
export const policyNames: Readonly<Record<HitPolicy, string>> = {
  U: "unique",
  A: "any",
  P: "priority",
  F: "first",
  R: "rule order",
  O: "output order",
  C: "collect",
  "C+": "sum",
  "C<": "least",
  "C>": "greatest",
  "C#": "count",
};

/** A row that was hit, with what it emits. */
interface Hit {
  readonly row: number;
  readonly values: readonly unknown[];
}

/** @throws Error naming the rows, where an input meets rows that the policy doesn't allow together */
export function policyOf(model: TableModel, outputs: Outputs): Policy {
  const { rows, hitPolicy } = model;
  const hit = (row: number, input: unknown, profile: unknown, context: LogicContext): Hit => ({
    row,
    values: rows[row]?.emit(input, profile, context) ?? [],
  });
  const idOf = (row: number): string => JSON.stringify(rows[row]?.id ?? "");
  const one = ({ row, values }: Hit): Outcome => ({ emitted: outputs.object(values), rows: [row] });
  const all =
    (result: (hits: readonly Hit[]) => unknown, order?: (one: Hit, other: Hit) => number): Policy =>
    (matches, input, profile, context) => {
      const hits: Hit[] = [];
      for (let row = matches.next(); row !== -1; row = matches.next())
        hits.push(hit(row, input, profile, context));
      if (hits.length === 0) return undefined;
      // Sorting is stable: rows of the same priority stay in table order.
      if (order !== undefined) hits.sort(order);
      return { emitted: result(hits), rows: hits.map(({ row }) => row) };
    };
  const byPriority = (one: Hit, other: Hit): number => outputs.compare(one.values, other.values);
  const list = (hits: readonly Hit[]): unknown => hits.map(({ values }) => outputs.object(values));
  const aggregate = (of: (numbers: readonly number[]) => number): Policy =>
    all((hits) => outputs.object([of(hits.map(({ row, values }) => numberOf(values[0], idOf(row))))]));
  const reads: RowReads = { hit, one, idOf };
  switch (hitPolicy) {
    case "F":
      return (matches, input, profile, context) => {
        const row = matches.next();
        return row === -1 ? undefined : one(hit(row, input, profile, context));
      };
    case "U":
      return uniqueRow(reads);
    case "A":
      return agreeingRows(reads, outputs);
    case "P":
      return bestRow(reads, outputs);
    case "R":
    case "C":
      return all(list);
    case "O":
      return all(list, byPriority);
    case "C+":
      return aggregate((numbers) => numbers.reduce((sum, number) => calculate("+", sum, number), 0));
    case "C<":
      return aggregate((numbers) => numbers.reduce((least, number) => Math.min(least, number), Infinity));
    case "C>":
      return aggregate((numbers) => numbers.reduce((most, number) => Math.max(most, number), -Infinity));
    case "C#":
      return all((hits) => outputs.object([hits.length]));
  }
}

/** How a policy reads the rows of one table. */
interface RowReads {
  readonly hit: (row: number, input: unknown, profile: unknown, context: LogicContext) => Hit;
  readonly one: (hit: Hit) => Outcome;
  readonly idOf: (row: number) => string;
}

function uniqueRow({ hit, one, idOf }: RowReads): Policy {
  return (matches, input, profile, context) => {
    const row = matches.next();
    if (row === -1) return undefined;
    const second = matches.next();
    if (second !== -1)
      throw new Error(`Rows ${idOf(row)} and ${idOf(second)} both match, but policy U allows only one`);
    return one(hit(row, input, profile, context));
  };
}

function agreeingRows({ hit, idOf }: RowReads, outputs: Outputs): Policy {
  return (matches, input, profile, context) => {
    const row = matches.next();
    if (row === -1) return undefined;
    const first = hit(row, input, profile, context);
    const hits = [row];
    for (let next = matches.next(); next !== -1; next = matches.next()) {
      const { values } = hit(next, input, profile, context);
      if (!areSame(first.values, values))
        throw new Error(
          `Rows ${idOf(row)} and ${idOf(next)} both match with different outputs, but policy A allows only one result`,
        );
      hits.push(next);
    }
    return { emitted: outputs.object(first.values), rows: hits };
  };
}

function bestRow({ hit, one }: RowReads, outputs: Outputs): Policy {
  return (matches, input, profile, context) => {
    let best: Hit | undefined;
    for (let row = matches.next(); row !== -1; row = matches.next()) {
      const next = hit(row, input, profile, context);
      if (best === undefined || outputs.compare(next.values, best.values) < 0) best = next;
    }
    return best === undefined ? undefined : one(best);
  };
}

/** Whether two rows emit the same. Cells are scalars. */
function areSame(one: readonly unknown[], other: readonly unknown[]): boolean {
  return one.length === other.length && one.every((value, place) => value === other[place]);
}

function numberOf(value: unknown, id: string): number {
  if (typeof value === "number") return value;
  throw new Error(
    `Row ${id} emits ${value === null ? "null" : `a ${typeof value}`}, which can't be aggregated`,
  );
}

/** Puts the values of output cells where their columns say. */
export class Outputs {
  readonly #paths: readonly (readonly string[])[];
  /** Per column, the places of values that a priority names, highest first. */
  readonly #priorities: readonly (ReadonlyMap<unknown, number> | undefined)[];

  constructor({ document }: TableModel) {
    this.#paths = document.outputs.map(({ path }) => path.split("."));
    this.#priorities = document.outputs.map(({ priority }) =>
      priority === undefined ? undefined : new Map(priority.map((value, place) => [value, place])),
    );
  }

  /** A new object: callers can write to results. */
  object(values: readonly unknown[]): unknown {
    return assemble(this.#paths, values);
  }

  /** Compares two rows' values by priority, as `sort` does. What no priority names comes last. */
  compare(one: readonly unknown[], other: readonly unknown[]): number {
    for (const [place, priority] of this.#priorities.entries()) {
      if (priority === undefined) continue;
      const difference =
        (priority.get(one[place]) ?? priority.size) - (priority.get(other[place]) ?? priority.size);
      if (difference !== 0) return difference;
    }
    return 0;
  }
}
