// @module-tag one-node
import type { BoundLogic, Schema } from "@decern/core";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { analyzeModel, forbiddenOverlaps } from "../../src/analysis/analyze.js";
import { collidingRows, comparedTable } from "../../src/analysis/colliding-rows.js";
import type { TableAnalysis } from "../../src/analysis/findings.js";
import type { Condition } from "../../src/cells/condition.js";
import { parseCondition } from "../../src/cells/parse-condition.js";
import { valueAt } from "../../src/cells/scalar.js";
import type { HitPolicy, OutputCell } from "../../src/document/document.js";
import { fieldValue } from "../../src/engine/field-value.js";
import { logicOf } from "../../src/engine/logic.js";
import { meetsOf } from "../../src/engine/meets.js";
import type { TableModel } from "../../src/model.js";
import { conditions } from "./../engine/arbitraries.js";
import { column, modelOf, type RowParts } from "../support/models.js";

const inputSchema = z.object({
  whole: z.number().int().min(0).max(3),
  real: z.number().min(0).lt(4),
  of: z.object({ kind: z.enum(["a", "b", "c", "d"]).nullable(), flag: z.boolean() }),
});

const outputSchema = z.object({ out: z.enum(["x", "y", "z"]) });

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

const cells = columns.map(({ type }) => conditions(type));

const anyOr = (cell: fc.Arbitrary<Condition>) =>
  fc.oneof({ weight: 1, arbitrary: fc.constant<Condition>({ kind: "any" }) }, { weight: 2, arbitrary: cell });

const rows: fc.Arbitrary<RowParts> = fc.record({
  if: fc.tuple(...cells.map(anyOr)),
  out: fc.tuple(fc.constantFrom<OutputCell>("x", "y", "z")),
});

const tables = fc.array(rows, { minLength: 1, maxLength: 7 });

const priority = { outputs: [{ path: "out", priority: ["y", "x"] }] };

function analyze(model: TableModel, schema: Schema = inputSchema): TableAnalysis {
  return analyzeModel(model, { inputSchema: schema, outputSchema }, { profile, budget: 1e7, limit: 10_000 });
}

/** Whether an input meets all of a row's conditions. */
function meetsAll(conditions: readonly Condition[]): (input: unknown) => boolean {
  const cells = columns.map((own, place) => ({
    own,
    meets: meetsOf(conditions[place] ?? { kind: "any" }, own),
  }));
  return (input) =>
    cells.every(({ own, meets }) => meets(fieldValue(own.type, valueAt(input, own.path)), input, profile));
}

const noReferences = { typeOf: () => undefined };

function isInBox(box: readonly string[]): (input: unknown) => boolean {
  return meetsAll(box.map((cell, place) => parseCondition(cell, columns[place] ?? column(""), noReferences)));
}

const context = { now: new Date(0), requestId: "", caller: undefined };

function boundOf(model: TableModel): BoundLogic {
  return logicOf(model, { hash: "", mediaType: "", document: {} }).bind(profile);
}

/** Pairs of rows that meet one of the inputs together. */
function overlapsOf(list: readonly RowParts[]): ReadonlyMap<string, boolean> {
  const found = new Map<string, boolean>();
  const rows = list.map((row) => meetsAll(row.if));
  for (const input of inputs) {
    const hit = rows.flatMap((meets, place) => (meets(input) ? [place] : []));
    for (const [at, one] of hit.entries())
      for (const other of hit.slice(at + 1))
        found.set(`r${one + 1} r${other + 1}`, list[one]?.out[0] !== list[other]?.out[0]);
  }
  return found;
}

function rowOf(list: readonly RowParts[], id: string): RowParts {
  const row = list[Number(id.slice(1)) - 1];
  if (row === undefined) throw new Error(`No row ${id}`);
  return row;
}

/** Tables per property. */
/** Set DECERN_PROP_RUNS for more. */
const runs = Number(process.env["DECERN_PROP_RUNS"] ?? 500);

describe("analysis, judged by all inputs", () => {
  it("finds the gaps: boxes that are disjoint, cover what no row covers and nothing else", () => {
    fc.assert(
      fc.property(tables, (list) => {
        const { gaps, undecided } = analyze(modelOf("C", columns, list));
        expect(undecided.filter(({ part }) => part !== "unreachable")).toEqual([]);
        const rows = list.map((row) => meetsAll(row.if));
        const boxes = gaps.map(({ box }) => isInBox(box));
        const wrong = inputs.filter(
          (input) =>
            boxes.filter((has) => has(input)).length !== (rows.some((meets) => meets(input)) ? 0 : 1),
        );
        expect(wrong).toEqual([]);
        for (const [at, { witness }] of gaps.entries()) {
          expect(inputSchema.safeParse(witness).success).toBe(true);
          expect(boxes[at]?.(witness)).toBe(true);
          expect(rows.some((meets) => meets(witness))).toBe(false);
        }
      }),
      { numRuns: runs },
    );
  });

  it.each(["U", "A", "F"] as const)("finds the overlaps of %s, with the errors among them", (policy) => {
    fc.assert(
      fc.property(tables, (list) => {
        const { overlaps } = analyze(modelOf(policy, columns, list));
        const expected = overlapsOf(list);
        expect(new Set(overlaps.map(({ rules }) => rules.join(" ")))).toEqual(new Set(expected.keys()));
        expect(overlaps).toHaveLength(expected.size);
        for (const { rules, isError, witness } of overlaps) {
          const differ = expected.get(rules.join(" "));
          expect(isError).toBe(policy === "U" || (policy === "A" && differ));
          expect(inputSchema.safeParse(witness).success).toBe(true);
          for (const id of rules) expect(meetsAll(rowOf(list, id).if)(witness)).toBe(true);
        }
      }),
      { numRuns: runs },
    );
  });

  it.each(["U", "A"] as const)(
    "finds the rows of %s that must not be met together, without a profile",
    (policy) => {
      fc.assert(
        fc.property(tables, (list) => {
          const model = modelOf(policy, columns, list);
          const limits = { budget: 1e7, limit: 10_000 };
          const forbidden = forbiddenOverlaps(model, { inputSchema, outputSchema }, limits);
          const ids = new Set(forbidden.flatMap(({ rules }) => rules));
          const found = collidingRows(structuredClone(comparedTable(model)));
          expect(found.map((row) => `r${row + 1}`)).toEqual([...ids].sort());
        }),
        { numRuns: runs },
      );
    },
  );

  it.each(["F", "P"] as const)("finds the rows of %s that never decide", (policy) => {
    fc.assert(
      fc.property(tables, (list) => {
        const model = modelOf(policy, columns, list, priority);
        const bound = boundOf(model);
        const deciding = new Set(inputs.map((input) => bound.decide(input, context)?.hits[0]?.ruleId));
        const never = list.map((_row, place) => `r${place + 1}`).filter((id) => !deciding.has(id));
        const { masked } = analyze(model);
        expect(masked.map(({ rule }) => rule).sort()).toEqual(never);
        for (const { rule, by } of masked) {
          const own = inputs.filter(meetsAll(rowOf(list, rule).if));
          expect(by.length > 0).toBe(own.length > 0);
          const others = by.map((id) => meetsAll(rowOf(list, id).if));
          expect(own.filter((input) => !others.some((meets) => meets(input)))).toEqual([]);
        }
      }),
      { numRuns: runs },
    );
  });

  it.each(["U", "F", "P", "R", "C", "O", "A"] as const satisfies readonly HitPolicy[])(
    "finds rows of %s that can be one: the table returns the same afterwards",
    (policy) => {
      fc.assert(
        fc.property(tables, (list) => {
          const model = modelOf(policy, columns, list, priority);
          const emit = (of: BoundLogic, input: unknown): unknown => {
            try {
              return of.decide(input, context)?.emitted;
            } catch {
              return "error";
            }
          };
          const own = boundOf(model);
          for (const { rules, path, cell } of analyze(model).mergeable) {
            const places = rules.map((id) => Number(id.slice(1)) - 1);
            const at = columns.findIndex((own) => own.path.join(".") === path);
            const condition = parseCondition(cell ?? "", columns[at] ?? column(""), noReferences);
            const merged = list.flatMap((row, place) => {
              if (place === places[0]) return [{ ...row, if: row.if.with(at, condition) }];
              return places.includes(place) ? [] : [row];
            });
            const after = boundOf(modelOf(policy, columns, merged, priority));
            // Two rows that overlap are an error of U before, and none afterwards.
            const valid = inputs.filter((input) => emit(own, input) !== "error");
            expect(valid.map((input) => emit(after, input))).toEqual(valid.map((input) => emit(own, input)));
          }
        }),
        { numRuns: 100 },
      );
    },
  );
});
