import type { LogicContext, LogicDecision } from "@decern/core";
import { describe, expect, it } from "vitest";
import type { HitPolicy, OutputCell } from "../../src/document/document.js";
import { logicOf } from "../../src/engine/logic.js";
import { any, column, is, isNull, modelOf, not, type RowParts, reference, when } from "../support/models.js";

const context: LogicContext = { now: new Date("2026-03-01T00:00:00Z"), requestId: "1", caller: undefined };
const content = { hash: "", mediaType: "application/json", document: {} };

/** Rows of one column `n`: at least 1, at least 2, at least 3. */
function rowsWith(...outputs: readonly (readonly OutputCell[])[]): readonly RowParts[] {
  return outputs.map((out, place) => ({ if: [when(is(">=", place + 1))], out }));
}

function decide(
  policy: HitPolicy,
  rows: readonly RowParts[],
  input: unknown,
  parts: Parameters<typeof modelOf>[3] = {},
  profile: unknown = {},
): LogicDecision | undefined {
  const model = modelOf(policy, [column("n", { isNullable: true })], rows, parts);
  return logicOf(model, content).bind(profile).decide(input, context);
}

function hitsOf(decision: LogicDecision | undefined): readonly string[] | undefined {
  return decision?.hits.map(({ ruleId }) => ruleId);
}

describe("hit policies", () => {
  const rows = rowsWith([10], [30], [20]);
  const priority = { outputs: [{ path: "out", priority: [20, 30] }] };

  it.each([
    ["F", 3, { out: 10 }, ["r1"]],
    ["P", 3, { out: 20 }, ["r3"]],
    ["P", 2, { out: 30 }, ["r2"]],
    ["R", 3, [{ out: 10 }, { out: 30 }, { out: 20 }], ["r1", "r2", "r3"]],
    ["C", 2, [{ out: 10 }, { out: 30 }], ["r1", "r2"]],
    ["O", 3, [{ out: 20 }, { out: 30 }, { out: 10 }], ["r3", "r2", "r1"]],
    ["C+", 3, { out: 60 }, ["r1", "r2", "r3"]],
    ["C<", 3, { out: 10 }, ["r1", "r2", "r3"]],
    ["C>", 3, { out: 30 }, ["r1", "r2", "r3"]],
    ["C#", 2, { out: 2 }, ["r1", "r2"]],
    ["U", 1, { out: 10 }, ["r1"]],
    ["A", 1, { out: 10 }, ["r1"]],
  ] as const)("%s with n = %d returns %j", (policy, n, emitted, hits) => {
    const decision = decide(policy, rows, { n }, priority);
    expect(decision?.emitted).toEqual(emitted);
    expect(hitsOf(decision)).toEqual(hits);
    expect(decide(policy, rows, { n: 0 }, priority)).toBeUndefined();
  });

  it("U fails with the ids of two rows that match", () => {
    expect(() => decide("U", rows, { n: 2 })).toThrow(
      new Error('Rows "r1" and "r2" both match, but policy U allows only one'),
    );
  });

  it("A takes rows with the same outputs, and fails with the ids of two with different ones", () => {
    const same = rowsWith([1, "a"], [1, "a"], [1, "b"]);
    const outputs = [{ path: "x" }, { path: "y" }];
    const decision = decide("A", same, { n: 2 }, { outputs });
    expect(decision?.emitted).toEqual({ x: 1, y: "a" });
    expect(hitsOf(decision)).toEqual(["r1", "r2"]);
    expect(() => decide("A", same, { n: 3 }, { outputs })).toThrow('Rows "r1" and "r3" both match');
  });

  it("P and O keep table order among rows of one priority, and put what has none last", () => {
    const outputs = [
      { path: "x", priority: ["high", "low"] },
      { path: "y", priority: [2, 1] },
    ];
    const list = rowsWith(["other", 2], ["low", 1], ["low", 2], ["high", 1], ["low", 2]);
    expect(hitsOf(decide("O", list, { n: 5 }, { outputs }))).toEqual(["r4", "r3", "r5", "r2", "r1"]);
    expect(hitsOf(decide("P", list, { n: 3 }, { outputs }))).toEqual(["r3"]);
  });

  it("sums decimals as decimals, and refuses to aggregate anything but numbers", () => {
    expect(decide("C+", rowsWith([0.1], [0.2]), { n: 2 })?.emitted).toEqual({ out: 0.3 });
    expect(() => decide("C+", rowsWith([1], ["a"]), { n: 2 })).toThrow('Row "r2" emits a string');
    expect(() => decide("C>", rowsWith([null]), { n: 2 })).toThrow('Row "r1" emits null');
  });

  it("returns the default under its own id if no row matches, in a list where the policy returns one", () => {
    for (const policy of ["U", "A", "P", "F", "C+", "C<", "C>", "C#"] as const) {
      const decision = decide(policy, rows, { n: 0 }, { default: [7] });
      expect(decision?.emitted).toEqual({ out: 7 });
      expect(decision?.hits).toEqual([
        { ruleId: "default", explanation: "No row matches, so the default applies" },
      ]);
    }
    for (const policy of ["R", "O", "C"] as const)
      expect(decide(policy, rows, { n: 0 }, { default: [7] })?.emitted).toEqual([{ out: 7 }]);
    expect(hitsOf(decide("F", rows, { n: 1 }, { default: [7] }))).toEqual(["r1"]);
  });

  it("names policy and rows, at most ten of them", () => {
    expect(decide("F", rows, { n: 3 })?.explanation).toBe('Policy F (first): row "r1"');
    expect(decide("C#", rows, { n: 3 })?.explanation).toBe('Policy C# (count): rows "r1", "r2", "r3"');
    const many = rowsWith(...Array.from({ length: 12 }, () => [1]));
    expect(decide("C", many, { n: 12 })?.explanation).toMatch(
      /^Policy C \(collect\): rows "r1", .*"r10" and 2 more$/,
    );
    expect(decide("F", rows, { n: 3 })?.hits).toEqual([{ ruleId: "r1", explanation: 'Row "r1" matches' }]);
  });
});

describe("a table", () => {
  it("has every row that an input meets as hit, whatever decides, else the default", () => {
    const model = modelOf("F", [column("n")], rowsWith([1], [2], [3]), { default: [0] });
    const bound = logicOf(model, content).bind({});
    expect(bound.hits({ n: 2 }, context).map(({ ruleId }) => ruleId)).toEqual(["r1", "r2"]);
    expect(bound.hits({ n: 0 }, context).map(({ ruleId }) => ruleId)).toEqual(["default"]);
    expect(logicOf(model, content).rules.map(({ id }) => id)).toEqual(["r1", "r2", "r3", "default"]);
  });

  it("takes rows as in force from one instant until before another", () => {
    const fromMs = context.now.getTime();
    const at = (row: Partial<RowParts>) => decide("F", [{ if: [any], out: [1], ...row }], { n: 1 });
    expect(at({ fromMs })).toBeDefined();
    expect(at({ fromMs: fromMs + 1 })).toBeUndefined();
    expect(at({ untilMs: fromMs })).toBeUndefined();
    expect(at({ fromMs: fromMs - 1, untilMs: fromMs + 1 })).toBeDefined();
  });

  it("compares with the profile and with other members of the input", () => {
    const rows = [
      { if: [when(is("<", reference("profile", "limits.low")))], out: [1] },
      { if: [when(is("=", reference("input", "other.n")))], out: [2] },
    ];
    const with10 = { limits: { low: 10 } };
    expect(hitsOf(decide("F", rows, { n: 9 }, {}, with10))).toEqual(["r1"]);
    expect(hitsOf(decide("F", rows, { n: 10, other: { n: 10 } }, {}, with10))).toEqual(["r2"]);
    expect(decide("F", rows, { n: 10, other: {} }, {}, with10)).toBeUndefined();
    expect(decide("F", rows, { n: 9 }, {}, {})).toBeUndefined();
  });

  it("takes an absent value as meeting -, null and not(…) without null, and nothing else", () => {
    const met = (condition: RowParts["if"][number]) =>
      [{}, { n: null }, { n: undefined }].map(
        (input) => decide("F", [{ if: [condition], out: [1] }], input) !== undefined,
      );
    expect(met(any)).toEqual([true, true, true]);
    expect(met(when(isNull))).toEqual([true, true, true]);
    expect(met(not(is("=", 1)))).toEqual([true, true, true]);
    expect(met(not(isNull, is("=", 1)))).toEqual([false, false, false]);
    expect(met(when(is("!=", 1)))).toEqual([false, false, false]);
    expect(met(when(is("<=", 1)))).toEqual([false, false, false]);
  });

  it("reads own members only, and writes to nothing", () => {
    const rows = [{ if: [when(isNull)], out: [1] }];
    expect(decide("F", rows, Object.create({ n: 1 }))).toBeDefined();
    const model = modelOf("F", [column("__proto__.n")], [{ if: [when(is("=", 1))], out: [1] }]);
    const bound = logicOf(model, content).bind({});
    expect(bound.decide(JSON.parse('{"__proto__":{"n":1}}'), context)).toBeDefined();
    expect(bound.decide({}, context)).toBeUndefined();
    const emitted = decide("F", rows, {}, { outputs: [{ path: "__proto__.n" }] })?.emitted;
    expect(JSON.stringify(emitted)).toBe('{"__proto__":{"n":1}}');
    const inherited = decide("F", rows, {}, { outputs: [{ path: "constructor.polluted" }] })?.emitted;
    expect(inherited).toEqual({ constructor: { polluted: 1 } });
    expect(Object).not.toHaveProperty("polluted");
    expect(decide("F", rowsWith([1]), Object.freeze({ n: 1 }))).toBeDefined();
  });

  it("makes a new object for each call, of nested paths", () => {
    const rows = [{ if: [any], out: [1, 2, 3] }];
    const outputs = [{ path: "a.b" }, { path: "a.c" }, { path: "d" }];
    const model = modelOf("F", [column("n")], rows, { outputs });
    const bound = logicOf(model, content).bind({});
    const [one, other] = [1, 2].map(() => bound.decide({}, context)?.emitted);
    expect(one).toEqual({ a: { b: 1, c: 2 }, d: 3 });
    expect(other).not.toBe(one);
  });
});

describe("thresholds", () => {
  it("are the ends of a column under a profile, complete if nothing else depends on the field", () => {
    const columns = [
      column("n"),
      column("day", { type: "date" }),
      column("of.zone", { type: "text" }),
      column("m"),
    ];
    const rows = [
      { if: [when(is("<", 10)), when(is(">=", 20_000)), when(is("=", "a")), any], out: [1] },
      {
        if: [when(is(">", reference("profile", "max"))), any, any, when(is("<", reference("input", "n")))],
        out: [1],
      },
    ];
    const bound = logicOf(modelOf("F", columns, rows), content).bind({ max: 4 });
    expect(bound.thresholds).toEqual([
      { path: "/n", values: [4, 10], isComplete: false },
      { path: "/day", values: ["2024-10-04"], isComplete: true },
      { path: "/of/zone", values: ["a"], isComplete: true },
      { path: "/m", values: [], isComplete: false },
    ]);
    const rowsOfTwo = [{ if: [any, any], out: [1], emit: () => [1] }];
    const computed = modelOf("F", columns.slice(1, 3), rowsOfTwo, { reads: [["of", "zone"]] });
    expect(logicOf(computed, content).bind({}).thresholds).toEqual([
      { path: "/day", values: [], isComplete: true },
      { path: "/of/zone", values: [], isComplete: false },
    ]);
  });
});
