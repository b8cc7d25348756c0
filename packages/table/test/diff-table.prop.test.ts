// @module-tag one-node
import { type Decision, evaluate } from "@decern/core";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { checkTable, diffTables, type HitPolicy, tableContract } from "../src/index.js";

const inputSchema = z.object({
  whole: z.number().int().min(0).max(3),
  real: z.number().min(0).lt(4),
  kind: z.enum(["a", "b", "c"]).optional(),
});

const profileSchema = z.object({ limit: z.number() });
const item = z.object({ out: z.number().nullable() });
const one = tableContract({ id: "one", inputSchema, outputSchema: item, profileSchema });
const list = tableContract({ id: "one", inputSchema, outputSchema: z.array(item), profileSchema });
const profile = { limit: 2 };

/** Something of all that the conditions below tell apart. */
const inputs = [0, 1, 2, 3].flatMap((whole) =>
  [0, 0.5, 1, 1.5, 2, 2.5, 3, 3.5].flatMap((real) =>
    [{ kind: "a" }, { kind: "b" }, { kind: "c" }, {}].map((kind) => ({ whole, real, ...kind })),
  ),
);

const end = fc.integer({ min: 0, max: 3 });
const number = fc.oneof(
  fc.constant("-"),
  end.map((at) => `<= ${at}`),
  end.map((at) => `> ${at}`),
  end.map((at) => `not(${at})`),
  fc.constant("< profile.limit"),
);
const kind = fc.constantFrom("-", "a", "b, c", "null", "not(a)", "not(null)");
const out = fc.constantFrom("1", "2", "1 + 1", "profile.limit");
const row = fc.record({ if: fc.tuple(number, number, kind), then: fc.tuple(out) });
type Row = Readonly<{ id: string; if: readonly string[]; then: readonly string[] }>;

const named = (prefix: string) => (rows: readonly Omit<Row, "id">[]) =>
  rows.map((each, at): Row => ({ id: `${prefix}${at}`, ...each }));
const rows = fc.array(row, { minLength: 1, maxLength: 5 }).map(named("r"));

/** Rows, and what an analyst made of them. */
const edits = fc
  .tuple(rows, fc.array(row, { maxLength: 2 }).map(named("n")), fc.array(fc.nat(9), { maxLength: 3 }), rows)
  .map(([old, added, places, others]) => {
    const edited = [...old];
    for (const [turn, place] of places.entries()) {
      const at = place % (edited.length || 1);
      const [taken] = edited.splice(at, 1);
      if (taken === undefined || turn === 2) continue;
      // The first is changed, the second moved.
      const other = others[place % others.length];
      edited.splice(turn === 0 ? at : 0, 0, turn === 0 && other ? { ...other, id: taken.id } : taken);
    }
    const after = [...edited, ...added];
    return { before: old, after: after.length === 0 ? old : after };
  });

const fallbacks = fc.constantFrom(undefined, ["1"], ["2"]);

function tableOf(
  hitPolicy: HitPolicy,
  rules: readonly Row[],
  otherwise?: readonly string[],
): Decision | undefined {
  const outputs = [{ path: "out", ...("PO".includes(hitPolicy) ? { priority: [2, 1] } : {}) }];
  const paths = ["whole", "real", "kind"].map((path) => ({ path }));
  const table = { table: "one", version: "1", hitPolicy, inputs: paths, outputs, rules };
  const document = { ...table, ...(otherwise === undefined ? {} : { default: otherwise }) };
  return checkTable("ROC".includes(hitPolicy) ? list : one, { name: "t.json", document }).decision;
}

function resultOf(
  decision: Decision,
  input: unknown,
): { readonly data: unknown; readonly rules: readonly string[] } {
  try {
    const result = evaluate(decision, input, profile);
    const traces = "evaluatedRules" in result.meta ? result.meta.evaluatedRules : [];
    return {
      data: "data" in result ? result.data : result.status,
      rules: traces.filter(({ matched }) => matched).map(({ ruleId }) => ruleId),
    };
  } catch {
    return { data: "failed", rules: [] };
  }
}

function judge(before: Decision, after: Decision): void {
  const expected = new Set<string>();
  for (const input of inputs) {
    const [old, now] = [resultOf(before, input), resultOf(after, input)];
    if (JSON.stringify(old.data) !== JSON.stringify(now.data))
      expected.add(JSON.stringify([old.rules, now.rules]));
  }
  const { results, undecided } = diffTables(before, after, { profile, limit: 10_000 });
  expect(undecided).toEqual([]);
  expect(new Set(results.map((each) => JSON.stringify([each.before.rules, each.after.rules])))).toEqual(
    expected,
  );
  expect(results).toHaveLength(expected.size);
  for (const { input, ...told } of results)
    for (const [decision, { data, status, rules }] of [
      [before, told.before],
      [after, told.after],
    ] as const)
      expect(resultOf(decision, input)).toEqual({
        data: status === "OK" ? data : status === "ERROR" ? "failed" : status,
        rules,
      });
}

const policies: readonly (readonly HitPolicy[])[] = [
  ["U", "A", "P", "F", "C+", "C<", "C>", "C#"],
  ["R", "O", "C"],
];

/** Set DECERN_PROP_RUNS for more. */
const runs = Number(process.env["DECERN_PROP_RUNS"] ?? 60);

describe("diffTables, judged by all inputs", () => {
  it.each(policies.flat())("finds what an edit of a table of %s changes, and nothing else", (policy) => {
    fc.assert(
      fc.property(edits, fallbacks, fallbacks, ({ before, after }, one, other) => {
        const [old, now] = [tableOf(policy, before, one), tableOf(policy, after, other)];
        fc.pre(old !== undefined && now !== undefined);
        judge(old, now);
      }),
      { numRuns: runs },
    );
  });

  it("finds what another hit policy changes", () => {
    const pairs = policies.map((kind) => fc.tuple(fc.constantFrom(...kind), fc.constantFrom(...kind)));
    fc.assert(
      fc.property(edits, fc.oneof(...pairs), fallbacks, ({ before, after }, [one, other], otherwise) => {
        const [old, now] = [tableOf(one, before, otherwise), tableOf(other, after, otherwise)];
        fc.pre(old !== undefined && now !== undefined);
        judge(old, now);
      }),
      { numRuns: 4 * runs },
    );
  });
});
