import { type Decision, evaluate } from "@decern/core";
import { readTable, tableContract } from "@decern/table";
import { checkLock, explore, updateLock } from "@decern/testing";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { z } from "zod";

const contract = tableContract({
  id: "fee",
  inputSchema: z.object({
    zone: z.enum(["home", "near", "far"]),
    weight: z.number().min(0),
    pieces: z.int().min(1).max(500),
  }),
  outputSchema: z.object({ fee: z.number() }),
  profileSchema: z.object({ heavy: z.number().default(31.5) }),
});

type HitPolicy = "F" | "C+";

interface Row {
  readonly zone: string;
  readonly weight: string;
  readonly pieces: string;
}

function tableOf(rows: readonly Row[], hitPolicy: HitPolicy = "F"): Decision {
  const document = {
    table: "fee",
    version: "1",
    hitPolicy,
    inputs: ["zone", "weight", "pieces"].map((path) => ({ path })),
    outputs: [{ path: "fee" }],
    rules: rows.map(({ zone, weight, pieces }, index) => ({
      id: `row-${index + 1}`,
      if: [zone, weight, pieces],
      then: [index + 1],
    })),
  };
  return readTable(contract, { name: "fee.json", document });
}

const weights = ["-", "< 2", "[2..5)", "[5..12.75]", "> 12.75", "> profile.heavy"];
const pieces = ["-", "1", "<= 20", "(20..100]", "> 100", "not(7, 8)"];

const rowsArb = fc.array(
  fc.record({
    zone: fc.constantFrom("-", "home", "near", "far", "home, far"),
    weight: fc.constantFrom(...weights),
    pieces: fc.constantFrom(...pieces),
  }),
  { minLength: 1, maxLength: 8 },
);

/** A value on either side of all that conditions name, and those themselves. */
const inputs = ["home", "near", "far"].flatMap((zone) =>
  [0, 1.99, 2, 4, 5, 6, 12.75, 12.76, 31.5, 31.51].flatMap((weight) =>
    [1, 6, 7, 8, 20, 21, 100, 101].map((count) => ({ zone, weight, pieces: count })),
  ),
);

function rulesOf(decision: Decision, all: readonly unknown[]): ReadonlySet<string> {
  return new Set(
    all.flatMap((input) => {
      const result = evaluate(decision, input);
      if (result.status !== "OK") return [result.status];
      return result.meta.evaluatedRules.map(({ ruleId }) => ruleId);
    }),
  );
}

function lockOf(decision: Decision, runs?: number) {
  const { lock } = updateLock({ decisions: [decision] }, undefined, runs === undefined ? {} : { runs });
  if (lock === undefined) throw new Error("nothing was locked");
  return lock;
}

describe("a lock of a table", () => {
  it("has an input for each row that decides any, and for what no row meets", () => {
    fc.assert(
      fc.property(rowsArb, (rows) => {
        const decision = tableOf(rows);
        const locked = lockOf(decision).decisions["fee"]?.inputs ?? [];
        expect(rulesOf(decision, locked)).toEqual(rulesOf(decision, inputs));
      }),
      { numRuns: 50 },
    );
  });

  it("fails when any bound moves so far that a result changes", () => {
    const moved: Readonly<Record<string, string>> = {
      "< 2": "<= 2",
      "[2..5)": "[2..5.01)",
      "[5..12.75]": "[5..12.75)",
      "> 12.75": "> 12.74",
      "> profile.heavy": ">= profile.heavy",
      "1": "2",
      "<= 20": "<= 21",
      "(20..100]": "(21..100]",
      "> 100": "> 99",
      "not(7, 8)": "not(7)",
    };
    const fine = ["home", "near", "far"].flatMap((zone) =>
      [0, 1.99, 2, 4.99, 5, 5.005, 5.01, 12.74, 12.745, 12.75, 12.76, 31.5, 31.51].flatMap((weight) =>
        [1, 2, 3, 7, 8, 9, 20, 21, 22, 99, 100, 101].map((count) => ({ zone, weight, pieces: count })),
      ),
    );
    fc.assert(
      fc.property(rowsArb, fc.nat(), fc.constantFrom("weight", "pieces"), (rows, at, column) => {
        const changed = rows.map((row, index) =>
          index === at % rows.length ? { ...row, [column]: moved[row[column]] ?? row[column] } : row,
        );
        // Each hit counts: no row hides another.
        const [before, after] = [tableOf(rows, "C+"), tableOf(changed, "C+")];
        const told = (decision: Decision) => fine.map((input) => JSON.stringify(dataOf(decision, input)));
        const isChanged = told(before).join() !== told(after).join();
        expect(checkLock({ decisions: [after] }, lockOf(before)).differences.length).toBe(isChanged ? 1 : 0);
      }),
      { numRuns: 100 },
    );
  });

  it("takes a row each of a thousand, and both sides of each end", () => {
    const rows = Array.from({ length: 1000 }, (_row, index) => ({
      zone: ["home", "near", "far"][index % 3] ?? "",
      weight: `[${index}..${index + 3})`,
      pieces: index % 2 === 0 ? "<= 20" : "> 20",
    }));
    const decision = tableOf(rows);
    const locked = lockOf(decision).decisions["fee"]?.inputs ?? [];
    expect(rulesOf(decision, locked).size).toBe(1001);
    const weightsOf = new Set(locked.map((input) => contract.inputSchema.parse(input).weight));
    for (let end = 1; end < 1000; end += 1)
      expect([weightsOf.has(end - 0.01), weightsOf.has(end)]).toEqual([true, true]);
  });
});

function dataOf(decision: Decision, input: unknown): unknown {
  const result = evaluate(decision, input);
  return result.status === "OK" ? result.data : result.status;
}

describe("explore on a table", () => {
  it("reaches each row that decides any input, and what no row meets", () => {
    fc.assert(
      fc.property(rowsArb, fc.constantFrom<HitPolicy>("F", "C+"), (rows, policy) => {
        const decision = tableOf(rows, policy);
        const found = explore(decision, { runs: 1000 });
        const expected = rulesOf(decision, inputs);
        const reached = found.rules.flatMap(({ ruleId, witness }) => (witness === undefined ? [] : [ruleId]));
        expect(new Set(reached)).toEqual(new Set([...expected].filter((id) => id !== "NO_MATCH")));
        expect(found.noMatch !== undefined).toBe(expected.has("NO_MATCH"));
        for (const { ruleId, witness } of found.rules)
          if (witness !== undefined) expect(rulesOf(decision, [witness.input])).toContain(ruleId);
      }),
      { numRuns: 25 },
    );
  });

  it("finds what lies between rows with narrow conditions", () => {
    const narrow = Array.from({ length: 40 }, (_row, index) => ({
      zone: ["home", "near", "far"][index % 3] ?? "",
      weight: `[${index * 7.31}..${index * 7.31 + 0.01})`,
      pieces: `${index * 11 + 3}`,
    }));
    const { coverage, noMatch } = explore(tableOf(narrow), { runs: 3000 });
    expect(coverage).toBe(1);
    expect(noMatch).toBeDefined();
  });
});
