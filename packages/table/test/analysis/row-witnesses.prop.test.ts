// @module-tag one-node
import type { BoundLogic } from "@decern/core";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { rowWitnesses } from "../../src/analysis/row-witnesses.js";
import type { HitPolicy } from "../../src/document/document.js";
import { logicOf } from "../../src/engine/logic.js";
import { conditions } from "../engine/arbitraries.js";
import {
  any,
  between,
  column,
  is,
  isNull,
  modelOf,
  not,
  type RowParts,
  reference,
  when,
} from "../support/models.js";

const inputSchema = z.object({
  whole: z.number().int().min(0).max(3),
  real: z.number().min(0).lt(4),
  of: z.object({ kind: z.enum(["a", "b", "c", "d"]).nullable(), flag: z.boolean() }),
});

const members = ["a", "b", "c", "d"];

const columns = [
  column("whole", {
    isInteger: true,
    minimum: { value: 0, isClosed: true },
    maximum: { value: 3, isClosed: true },
  }),
  column("real", { minimum: { value: 0, isClosed: true }, maximum: { value: 4, isClosed: false } }),
  column("of.kind", { type: "text", members, isNullable: true }),
  column("of.flag", { type: "boolean" }),
];

const profile = { limit: 2, word: "b", flag: true };

/** Something of all that conditions can tell apart. */
const inputs = [0, 1, 2, 3].flatMap((whole) =>
  [0, 0.5, 1, 1.5, 2, 2.5, 3, 3.5].flatMap((real) =>
    [...members, null].flatMap((kind) => [true, false].map((flag) => ({ whole, real, of: { kind, flag } }))),
  ),
);

const now = new Date("2026-05-05T00:00:00Z");
const context = { now, requestId: "", caller: undefined };

const rowsArb: fc.Arbitrary<readonly RowParts[]> = fc.array(
  fc.record(
    {
      if: fc.tuple(
        ...columns.map(({ type }) =>
          fc.oneof({ weight: 1, arbitrary: fc.constant(any) }, { weight: 2, arbitrary: conditions(type) }),
        ),
      ),
      out: fc.tuple(fc.constantFrom("x", "y", "z")),
      fromMs: fc.constantFrom(now.getTime(), now.getTime() + 1),
      untilMs: fc.constant(now.getTime() + 2),
    },
    { requiredKeys: ["if", "out"] },
  ),
  { minLength: 1, maxLength: 7 },
);

function tableOf(policy: HitPolicy, rows: readonly RowParts[]) {
  const model = modelOf(policy, columns, rows, { outputs: [{ path: "out", priority: ["y", "x"] }] });
  const logic = logicOf(model, { hash: "", mediaType: "", document: {} }).bind(profile);
  return { logic, witnesses: [...rowWitnesses(model, inputSchema, profile, now, logic)] };
}

const decimal = (value: number): number => Number(value.toFixed(2));

function decisive(logic: BoundLogic, all: readonly unknown[]): ReadonlySet<string> {
  const ids = all.map((input) => logic.decide(input, context)?.hits[0]?.ruleId ?? "none");
  return new Set(ids);
}

describe("witnesses of rows", () => {
  it.each(["F", "P"] as const)(
    "%s: has one that each row decides which decides any input, and one for none",
    (policy) => {
      fc.assert(
        fc.property(rowsArb, (rows) => {
          const { logic, witnesses } = tableOf(policy, rows);
          for (const input of witnesses) expect(inputSchema.safeParse(input).success).toBe(true);
          expect(decisive(logic, witnesses)).toEqual(decisive(logic, inputs));
        }),
        { numRuns: 1000 },
      );
    },
  );

  it("C: has one that each row is hit by, if any input hits it", () => {
    fc.assert(
      fc.property(rowsArb, (rows) => {
        const { logic, witnesses } = tableOf("C", rows);
        const hit = (all: readonly unknown[]) =>
          new Set(all.flatMap((input) => logic.hits(input, context).map(({ ruleId }) => ruleId)));
        expect(hit(witnesses)).toEqual(hit(inputs));
      }),
      { numRuns: 1000 },
    );
  });

  it("tells a table from one with a bound moved by the smallest step, or a text left out", () => {
    const number = fc.integer({ min: 1, max: 19 }).map((tenths) => tenths / 10);
    const cellArb = fc.record({
      low: number,
      length: fc.integer({ min: 1, max: 20 }),
      isClosed: fc.boolean(),
      kinds: fc.subarray(members, { minLength: 2, maxLength: 3 }),
      flag: fc.boolean(),
    });
    const moves = ["low", "high", "close", "kind"] as const;
    fc.assert(
      fc.property(
        fc.array(cellArb, { minLength: 1, maxLength: 5 }),
        fc.nat(),
        fc.constantFrom(...moves),
        (cells, at, move) => {
          const rowOf = ({ low, length, isClosed, kinds, flag }: (typeof cells)[number]): RowParts => ({
            if: [
              any,
              when(between("[", low, decimal(low + length / 10), isClosed ? "]" : ")")),
              when(...kinds.map((kind) => is("=", kind))),
              when(is("=", flag)),
            ],
            out: [`${low} ${length}`],
          });
          const moved = cells.map((cell, index) => {
            if (index !== at % cells.length) return cell;
            if (move === "low") return { ...cell, low: decimal(cell.low + 0.01), length: cell.length - 0.1 };
            if (move === "high") return { ...cell, length: cell.length + 0.1 };
            return move === "close"
              ? { ...cell, isClosed: !cell.isClosed }
              : { ...cell, kinds: cell.kinds.slice(1) };
          });
          const { logic, witnesses } = tableOf("C", cells.map(rowOf));
          // What the first row emits says where it lies, and stays.
          const changed = tableOf(
            "C",
            moved.map((cell, index) => ({ ...rowOf(cell), out: rowOf(cells[index] ?? cell).out })),
          );
          const told = (of: BoundLogic) => witnesses.map((input) => of.decide(input, context)?.emitted);
          expect(told(changed.logic)).not.toEqual(told(logic));
        },
      ),
      { numRuns: 1000 },
    );
  });

  it("finds inputs for conditions that refer to others, and none for rows that aren't in force", () => {
    const rows: readonly RowParts[] = [
      { if: [when(is(">", reference("input", "real"))), any, any, any], out: ["x"] },
      { if: [any, any, when(isNull), any], out: ["y"], fromMs: now.getTime() + 1 },
      { if: [any, any, not(isNull), when(is("=", true))], out: ["z"], untilMs: now.getTime() + 1 },
    ];
    const { logic, witnesses } = tableOf("C", rows);
    const hit = witnesses.flatMap((input) => logic.hits(input, context).map(({ ruleId }) => ruleId));
    expect(new Set(hit)).toEqual(new Set(["r1", "r3"]));
  });
});
