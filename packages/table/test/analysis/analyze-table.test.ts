import { DecernError, defineDecision, withProfile } from "@decern/core";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { analyzeTable, readTable, type TableDocument, tableContract } from "../../src/index.js";

const contract = tableContract({
  id: "fee",
  inputSchema: z.object({
    customer: z.object({ name: z.string().min(3), since: z.iso.date() }),
    parcel: z.object({ kg: z.number().min(0).max(30), zone: z.enum(["home", "away"]).optional() }).optional(),
    note: z.string().regex(/^[A-Z]{3}$/),
  }),
  outputSchema: z.object({ fee: z.number(), carrier: z.enum(["post", "air", "sea"]) }),
  profileSchema: z.object({ heavy: z.number().default(20) }),
});

type Rows = readonly (readonly [string, string, ...(string | number)[]])[];

/** Rows of weight, zone, fee and carrier. */
function tableOf(rows: Rows, parts: Partial<TableDocument> = {}, times: Record<string, object> = {}) {
  return readTable(contract, {
    name: "fee.json",
    document: {
      table: "fee",
      version: "1",
      hitPolicy: "U",
      inputs: [{ path: "parcel.kg" }, { path: "parcel.zone" }],
      outputs: [{ path: "fee" }, { path: "carrier" }],
      rules: rows.map(([kg, zone, ...outputs], at) => ({
        id: `r${at + 1}`,
        if: [kg, zone],
        ...Object.fromEntries([["then", outputs]]),
        ...times[`r${at + 1}`],
      })),
      ...parts,
    },
  });
}

describe("analyzeTable", () => {
  it("gives an input to try for each gap, complete with what the schema requires beside the columns", () => {
    const { gaps } = analyzeTable(
      tableOf([
        ["< 10", "-", 1, '"post"'],
        [">= 10", '"home"', 2, '"post"'],
      ]),
    );
    expect(gaps.map(({ box }) => box)).toEqual([
      [">= 10", '"away", null'],
      ["null", "-"],
    ]);
    for (const { witness } of gaps) expect(contract.inputSchema.safeParse(witness).error).toBeUndefined();
  });

  it("is empty for a table that has a row for each input", () => {
    const complete = tableOf([
      ["< 10, null", "-", 1, '"post"'],
      [">= 10", '"home"', 2, '"air"'],
      [">= 10", 'not("home")', 3, '"sea"'],
    ]);
    expect(analyzeTable(complete)).toEqual({
      overlaps: [],
      gaps: [],
      masked: [],
      duplicates: [],
      unreachable: [],
      mergeable: [],
      undecided: [],
    });
  });

  it("takes the profile that is given, else that of the decision", () => {
    const table = tableOf([
      ["< profile.heavy", "-", 1, '"post"'],
      [">= 20, null", "-", 2, '"post"'],
    ]);
    expect(analyzeTable(table).gaps).toEqual([]);
    expect(analyzeTable(table).overlaps).toEqual([]);
    expect(analyzeTable(table, { profile: { heavy: 12 } }).gaps.map(({ box }) => box[0])).toEqual([
      "[12..20)",
    ]);
    expect(analyzeTable(withProfile(table, { heavy: 25 })).overlaps).toMatchObject([
      { rules: ["r1", "r2"], isError: true, witness: { parcel: { kg: 20 } } },
    ]);
  });

  it("takes time as a further dimension", () => {
    const rows: Rows = [
      ["-", "-", 1, '"post"'],
      ["-", "-", 2, '"post"'],
    ];
    const { gaps, overlaps } = analyzeTable(
      tableOf(rows, {}, { r1: { until: "2026-01-01T00:00:00Z" }, r2: { from: "2026-01-01T01:00:00Z" } }),
    );
    expect(overlaps).toEqual([]);
    expect(gaps).toMatchObject([
      {
        box: ["-", "-"],
        from: "2026-01-01T00:00:00Z",
        until: "2026-01-01T01:00:00Z",
        now: "2026-01-01T00:00:00Z",
      },
    ]);
  });

  it("has a gap for each time without a break", () => {
    const rows: Rows = [
      ["< 10, null", "-", 1, '"post"'],
      ["-", "-", 2, '"post"'],
    ];
    const { gaps } = analyzeTable(
      tableOf(rows, { hitPolicy: "F" }, { r2: { from: "2026-01-01", until: "2026-02-01" } }),
    );
    expect(gaps).toMatchObject([
      { box: [">= 10", "-"], until: "2026-01-01T00:00:00Z" },
      { box: [">= 10", "-"], from: "2026-02-01T00:00:00Z", now: "2026-02-01T00:00:00Z" },
    ]);
    expect(gaps).toHaveLength(2);
  });

  it("writes cells that a row can have: without null, where the schema has none", () => {
    const names = tableContract({ ...contract, inputSchema: z.object({ name: z.string() }) });
    const read = (cell: string) =>
      readTable(names, {
        name: "fee.json",
        document: {
          table: "fee",
          version: "1",
          hitPolicy: "U",
          inputs: [{ path: "name" }],
          outputs: [{ path: "fee" }, { path: "carrier" }],
          rules: [{ id: "r1", if: [cell], then: [1, "post"] }],
        },
      });
    const [gap] = analyzeTable(read("a, b")).gaps;
    const [cell = ""] = gap?.box ?? [];
    expect(analyzeTable(read(cell)).gaps).toMatchObject([{ box: ['"a", "b"'] }]);
  });

  it.each(["F", "A"] as const)("doesn't call rows of %s apart where an input decides", (hitPolicy) => {
    const { overlaps, undecided } = analyzeTable(
      tableOf(
        [
          ["< input.parcel.kg", "-", 1, '"post"'],
          ["> 5", "-", 1, '"post"'],
        ],
        { hitPolicy },
      ),
    );
    expect(overlaps).toEqual([]);
    expect(undecided.find(({ part }) => part === "overlaps")?.rules).toEqual(["r1", "r2"]);
  });

  it("lists listed outputs that no row returns, rows of which one is enough, and rows that could be one", () => {
    const found = analyzeTable(
      tableOf(
        [
          ["< 10", "-", 1, '"post"'],
          ["< 10", "-", 1, '"post"'],
          ["[10..20)", "-", 1, '"post"'],
          [">= 20", '"home"', 2, '"air"'],
        ],
        { hitPolicy: "A" },
      ),
    );
    expect(found.unreachable).toEqual([{ path: "carrier", value: "sea" }]);
    expect(found.duplicates).toEqual([{ rules: ["r1", "r2"] }]);
    expect(found.mergeable).toEqual([{ rules: ["r1", "r3"], path: "parcel.kg", cell: "< 20" }]);
    expect(found.overlaps).toMatchObject([{ rules: ["r1", "r2"], isError: false }]);
  });

  it("calculations in one output column leave the others decided, also those of the default", () => {
    const found = analyzeTable(
      tableOf([["< 10", "-", "1 + input.parcel.kg", '"post"']], {
        default: ["2 * input.parcel.kg", '"air"'],
      }),
    );
    expect(found.unreachable).toEqual([{ path: "carrier", value: "sea" }]);
    expect(found.undecided).toEqual([]);
  });

  it("says what it can't decide: conditions on other members of the input, inputs that no sample passes, a spent budget", () => {
    const referring = tableOf([
      ["> 10", "-", 1, '"post"'],
      ["< input.parcel.kg", "-", 2, '"post"'],
    ]);
    const { undecided, overlaps, gaps } = analyzeTable(referring);
    expect(undecided.map(({ part, rules }) => [part, rules])).toEqual([
      ["overlaps", ["r1", "r2"]],
      ["gaps", ["r2"]],
    ]);
    expect(overlaps).toEqual([]);
    expect(gaps).toEqual([]);
    const small = analyzeTable(
      tableOf([
        ["< 10", "-", 1, '"post"'],
        [">= 10", '"home"', 2, '"air"'],
      ]),
      { budget: 1 },
    );
    expect(small.undecided.map(({ part }) => part)).toContain("gaps");
  });

  it("refuses what is no table, and a profile that breaks its schema", () => {
    const { inputSchema, outputSchema, profileSchema } = contract;
    const rules = [{ id: "a", when: () => true, emit: () => ({ fee: 1, carrier: "air" as const }) }];
    const other = defineDecision({ id: "o", version: "1", inputSchema, outputSchema, profileSchema, rules });
    expect(() => analyzeTable(other)).toThrow(DecernError);
    const table = tableOf([["-", "-", 1, '"post"']]);
    expect(() => analyzeTable(table, { profile: { heavy: "x" } })).toThrow(DecernError);
    expect(() => analyzeTable(table, { limit: 0 })).toThrow(DecernError);
  });
});
