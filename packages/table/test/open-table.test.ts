import { evaluate, withProfile } from "@decern/core";
import { program } from "@decern/core/tools";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { type OpenTable, openTable, type TableDocument, tableEvaluator } from "../src/browser.js";
import { readTable, tableContract } from "../src/index.js";

const contract = tableContract({
  id: "fee",
  inputSchema: z.object({
    score: z.number().optional(),
    country: z.string().default("DE"),
    day: z.iso.date().optional(),
    limit: z.number().optional(),
  }),
  outputSchema: z.object({ fee: z.number() }),
  profileSchema: z.object({ low: z.number().default(620), none: z.number().optional() }),
});

type Row = readonly [score: string | null, country: string, day: string];

function documentOf(
  rows: readonly Row[],
  parts: Partial<TableDocument> = {},
  times: object = {},
): TableDocument {
  return {
    table: "fee",
    version: "1",
    hitPolicy: "F",
    inputs: [{ path: "score" }, { path: "country" }, { path: "day" }],
    outputs: [{ path: "fee" }],
    rules: rows.map((cells, at) => ({ id: `r${at + 1}`, if: cells, then: [at], ...(at === 0 ? times : {}) })),
    ...parts,
  };
}

const content = (document: unknown) => ({ hash: "", mediaType: "", document });

function opened(document: TableDocument): OpenTable {
  const table = openTable(contract, content(document));
  if ("problems" in table) throw new Error(table.problems[0]?.message);
  return table;
}

/** Why the cells of one row are not met. */
function whys(row: Row, input: object): readonly (string | undefined)[] {
  const { columns } = opened(documentOf([row])).mark({ input, profile: {}, nowMs: 0 });
  return row.map((cell, at) => columns[at]?.get(cell));
}

describe("the marks of cells", () => {
  it.each([
    [">= 620", { score: 601 }, "601 < 620"],
    ["> 620", { score: 620 }, "620 ≤ 620"],
    ["<= 5", { score: 5.5 }, "5.5 > 5"],
    ["< 5", { score: 5 }, "5 ≥ 5"],
    ["5", { score: 6 }, "6 ≠ 5"],
    ["!= 5", { score: 5 }, "5 = 5"],
    ["[1..5]", { score: 0 }, "0 < 1"],
    ["(1..5]", { score: 1 }, "1 ≤ 1"],
    ["(1..5]", { score: 6 }, "6 > 5"],
    ["[1..5)", { score: 5 }, "5 ≥ 5"],
    ["1, 2", { score: 3 }, "3 is none of these"],
    ["not(1, 2)", { score: 2 }, "2 is excluded"],
    ["> 5", {}, "no value"],
    [null, { score: 3 }, "3 is a value"],
    ["not(null)", {}, "no value"],
    [">= profile.low", { score: 601 }, "601 < 620 (profile.low)"],
    ["< input.limit", { score: 7, limit: 6 }, "7 ≥ 6 (input.limit)"],
    ["< profile.none", { score: 7 }, "7 is compared with profile.none, which has no value"],
    ["[1..profile.none]", { score: 7 }, "7 is compared with profile.none, which has no value"],
  ] as const)("says why %j is not met", (cell, input, why) => {
    expect(whys([cell, "-", "-"], input)).toEqual([why, "", ""]);
  });

  it("writes dates as inputs have them, and compares what validation returns", () => {
    expect(whys(["-", "FR", "> 2026-03-31"], { day: "2026-03-30" })).toEqual([
      "",
      "DE ≠ FR",
      "2026-03-30 ≤ 2026-03-31",
    ]);
  });

  it("tells which rows decide, which are only met, and which are not in force", () => {
    const table = opened(
      documentOf(
        [
          ["-", "-", "-"],
          ["> 1", "-", "-"],
          ["> 0", "-", "-"],
        ],
        {},
        { from: "2026-01-01" },
      ),
    );
    const before = { input: { score: 2 }, profile: {}, nowMs: Date.parse("2025-12-31T23:59:59.999Z") };
    expect(table.mark(before)).toMatchObject({ decide: ["r2"], met: ["r2", "r3"], notInForce: ["r1"] });
    const after = { ...before, nowMs: before.nowMs + 1 };
    expect(table.mark(after)).toMatchObject({ decide: ["r1"], met: ["r1", "r2", "r3"], notInForce: [] });
  });

  it("shows the rows that a policy refuses together", () => {
    const rows = [
      ["> profile.low", "-", "-"],
      ["> 1", "-", "-"],
    ] as const;
    const marks = opened(documentOf(rows, { hitPolicy: "U" })).mark({
      input: { score: 2 },
      profile: { low: 0 },
      nowMs: 0,
    });
    expect(marks).toMatchObject({ decide: undefined, met: ["r1", "r2"] });
  });

  it("are those of the engine: a row is met if all of its cells are, on random tables", () => {
    const cells = fc.constantFrom("-", "> 1", "<= 2", "[1..3)", "not(2)", "null", ">= profile.low", "1, 3");
    const countries = fc.constantFrom("-", "DE", "not(DE, FR)", "FR, IT");
    const row = fc.tuple(cells, countries, fc.constant("-")) satisfies fc.Arbitrary<Row>;
    const inputs = fc.record(
      { score: fc.constantFrom(0, 1, 2, 3, 4), country: fc.constantFrom("DE", "FR", "IT", "US") },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(fc.array(row, { minLength: 1, maxLength: 40 }), inputs, (rows, input) => {
        const document = documentOf(rows);
        const profile = { low: 2 };
        const { columns, decide, met } = opened(document).mark({ input, profile, nowMs: 0 });
        const byCells = document.rules.filter(({ if: own }) =>
          own.every((cell, at) => columns[at]?.get(cell) === ""),
        );
        expect(met).toEqual(byCells.map(({ id }) => id));
        const decision = withProfile(readTable(contract, { name: "fee", document }), profile);
        const result = evaluate(decision, input);
        expect(decide).toEqual(result.status === "OK" ? [result.meta.matchedRule] : []);
      }),
    );
  });
});

it("analyzes a table under a profile", () => {
  const table = opened(
    documentOf([
      ["< profile.low", "-", "-"],
      [">= 10", "-", "-"],
      ["null", "-", "-"],
    ]),
  );
  expect(table.analyze({ low: 10 }).gaps).toEqual([]);
  expect(table.analyze({ low: 8 }).gaps.map(({ box }) => box)).toEqual([["[8..10)", "-", "-"]]);
});

it("opens what a decision was made of", () => {
  const decision = readTable(contract, { name: "fee", document: documentOf([["> 1", "-", "-"]]) });
  const made = decision[program].content;
  expect(made && "problems" in openTable(contract, made)).toBe(false);
});

it("says why a document does not keep to its contract", () => {
  const wrong = documentOf([["> x", "-", "-"]]);
  expect(openTable(contract, content(wrong))).toMatchObject({
    problems: [{ severity: "error", path: "/rules/0/if/0" }],
  });
  expect(openTable(contract, content(3))).toMatchObject({ problems: [{ path: "" }] });
});

it("evaluates calls and writes the content as the decision of the same cells does", () => {
  const document = documentOf([
    [">= profile.low", "-", "-"],
    ["null", "DE, FR", "-"],
  ]);
  const decision = readTable(contract, { name: "fee", document });
  const table = opened(document);
  expect(table.content).toEqual(decision[program].content);
  for (const input of [{ score: 700 }, { country: "FR" }, { country: "IT" }, { score: "x" }]) {
    const result = evaluate(decision, input as unknown, {});
    const rule = result.status === "OK" ? [result.meta.matchedRule] : [];
    expect(tableEvaluator(contract, table)({ input, profile: {}, nowMs: 0 })).toEqual({
      status: result.status,
      ...("data" in result ? { data: result.data } : {}),
      rules: rule,
    });
  }
});
