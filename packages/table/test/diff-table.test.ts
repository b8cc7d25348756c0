import { DecernError } from "@decern/core";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { analyzeTable, diffTables, readTable, type TableDocument, tableContract } from "../src/index.js";

const contract = tableContract({
  id: "fee",
  inputSchema: z.object({
    zone: z.enum(["home", "abroad"]),
    weightKg: z.number().min(0).max(30),
    limitKg: z.number().min(0).max(30).default(10),
  }),
  outputSchema: z.object({ fee: z.number(), carrier: z.string().optional() }),
  profileSchema: z.object({ limit: z.number().default(20) }),
});

const shipping: TableDocument = {
  table: "fee",
  version: "1.0.0",
  hitPolicy: "F",
  inputs: [{ path: "zone", label: "Zone" }, { path: "weightKg" }],
  outputs: [{ path: "fee" }, { path: "carrier" }],
  rules: [
    { id: "light", if: ["home", "<= 2"], then: [4.5, "post"] },
    { id: "heavy", if: ["home", "> 2"], then: ["4.5 + 0.5 * input.weightKg", "post"] },
    { id: "abroad", if: ["abroad", "-"], then: [20, "air"], note: "Until the new contract" },
  ],
};

const tableOf = (document: TableDocument) => readTable(contract, { name: "fee.json", document });

function diffOf(edit: (rules: TableDocument["rules"]) => Partial<TableDocument>, from = shipping) {
  return diffTables(tableOf(from), tableOf({ ...from, ...edit(from.rules) }));
}

const nothing = { added: [], removed: [], changed: [], moved: [], metadata: [], results: [], undecided: [] };

describe("diffTables", () => {
  it("finds nothing between a table and itself, whatever the order of its columns", () => {
    expect(diffOf(() => ({}))).toEqual(nothing);
    const turned = diffOf((rules) => ({
      inputs: shipping.inputs.toReversed(),
      outputs: shipping.outputs.toReversed(),
      rules: rules.map((row) => ({ ...row, if: row.if.toReversed(), then: row.then.toReversed() })),
    }));
    expect(turned).toEqual({
      ...nothing,
      metadata: [
        { name: "inputs", before: ["zone", "weightKg"], after: ["weightKg", "zone"] },
        { name: "outputs", before: ["fee", "carrier"], after: ["carrier", "fee"] },
      ],
    });
  });

  it("says that there may be others, where an input decides which rows are met, or decide", () => {
    const rated = (
      hitPolicy: "F" | "P",
      rows: readonly (readonly [string, number | string])[],
    ): TableDocument => ({
      ...shipping,
      hitPolicy,
      outputs: [{ path: "fee", ...(hitPolicy === "P" ? { priority: [1, 2] } : {}) }],
      rules: rows.map(([cell, fee], at) => ({ id: `r${at + 1}`, if: ["-", cell], then: [fee] })),
    });
    const met = diffTables(
      tableOf(
        rated("F", [
          ["> input.limitKg", 1],
          ["-", 2],
        ]),
      ),
      tableOf(
        rated("F", [
          ["> input.limitKg", 3],
          ["-", 4],
        ]),
      ),
    );
    // Inputs beyond their limits differ, and those within.
    expect(met.results).toHaveLength(1);
    expect(met.undecided).toMatchObject([{ rules: ["r1", "r2"] }]);
    const decide = diffTables(
      tableOf(
        rated("P", [
          ["-", "input.limitKg"],
          ["-", "input.weightKg"],
        ]),
      ),
      tableOf(
        rated("P", [
          ["-", "input.limitKg + 1"],
          ["-", "input.weightKg + 1"],
        ]),
      ),
    );
    expect(decide.results).toHaveLength(1);
    expect(decide.undecided).toMatchObject([{ rules: ["r1", "r2"] }]);
  });

  it("names rows and cells, with inputs whose result differs", () => {
    const { results, ...found } = diffOf(([light, heavy, abroad]) => ({
      version: "1.1.0",
      rules: [
        { id: "free", if: ["home", "<= 1"], then: [0, "post"] },
        ...(light ? [light] : []),
        ...(abroad ? [{ ...abroad, then: [22, ""], note: "New contract", from: "2026-01-01" }] : []),
        ...(heavy ? [{ ...heavy, if: ["home", "(2..20]"] }] : []),
      ],
    }));
    expect(found).toEqual({
      added: ["free"],
      removed: [],
      changed: [
        {
          rule: "abroad",
          cells: [
            { name: "→ fee", before: 20, after: 22 },
            { name: "→ carrier", before: "air" },
            { name: "from", after: "2026-01-01" },
            { name: "note", before: "Until the new contract", after: "New contract" },
          ],
        },
        { rule: "heavy", cells: [{ name: "weightKg", before: "> 2", after: "(2..20]" }] },
      ],
      moved: ["heavy"],
      metadata: [{ name: "version", before: "1.0.0", after: "1.1.0" }],
      undecided: [],
    });
    const pairs = results.map(({ before, after }) => [before.rules, before.data, after.rules, after.data]);
    expect(pairs).toEqual(
      expect.arrayContaining([
        [["light"], { fee: 4.5, carrier: "post" }, ["free"], { fee: 0, carrier: "post" }],
        [["abroad"], { fee: 20, carrier: "air" }, ["abroad"], { fee: 22 }],
        [["abroad"], { fee: 20, carrier: "air" }, [], undefined],
        [["heavy"], expect.objectContaining({ carrier: "post" }), [], undefined],
      ]),
    );
    expect(results).toHaveLength(4);
    const expired = results.find(
      ({ before, after }) => before.rules[0] === "abroad" && after.rules.length === 0,
    );
    expect(Date.parse(expired?.now ?? "")).toBeLessThan(Date.parse("2026-01-01"));
    expect(expired?.after).toEqual({ status: "NO_MATCH", rules: [] });
  });

  it("takes rows that only have other ids, or write the same in another way, for the same", () => {
    const { results, undecided, added, changed } = diffOf((rules) => ({
      rules: rules.map((row, at) =>
        at === 0 ? { ...row, if: ["home", "not(> 2)"] } : { ...row, id: `${row.id}-2` },
      ),
    }));
    expect({ results, undecided }).toEqual({ results: [], undecided: [] });
    expect(added).toEqual(["heavy-2", "abroad-2"]);
    expect(changed.map(({ rule }) => rule)).toEqual(["light"]);
  });

  it("shows the message of a table that fails", () => {
    const computed = (version: string, rows: readonly string[]): TableDocument => ({
      ...shipping,
      version,
      hitPolicy: "A",
      rules: rows.map((cell, at) => ({ id: `r${at + 1}`, if: ["-", "-"], then: [cell, ""] })),
    });
    const { results } = diffTables(
      tableOf(computed("1", ["1 + input.weightKg"])),
      tableOf(computed("2", ["1 + input.weightKg", "2 + input.weightKg"])),
    );
    expect(results).toMatchObject([
      {
        before: { status: "OK", rules: ["r1"] },
        after: { status: "ERROR", rules: [], message: expect.stringContaining('Rows "r1" and "r2"') },
      },
    ]);
  });

  it("says what it could not decide, and does not take it for the same", () => {
    const withCondition = (cell: string, fee: string | number): TableDocument => ({
      ...shipping,
      rules: [
        { id: "over", if: ["-", cell], then: [fee, ""] },
        { id: "others", if: ["-", "-"], then: [1, ""] },
      ],
    });
    // They differ where both fields are equal, and the analysis does not compare fields with one another.
    const open = diffTables(
      tableOf(withCondition("> input.limitKg", 1)),
      tableOf(withCondition(">= input.limitKg", 1)),
    );
    expect(open.results).toEqual([]);
    expect(open.undecided).toMatchObject([
      { rules: ["over", "others"], message: expect.stringContaining("refer to the input") },
    ]);
    const computed = diffTables(
      tableOf(withCondition("> 5", "input.limitKg * 2")),
      tableOf(withCondition("> 5", "input.limitKg + input.limitKg")),
    );
    expect(computed.results).toEqual([]);
    expect(computed.undecided).toMatchObject([
      { rules: ["over"], message: expect.stringContaining("depends on the input") },
    ]);
    const spent = diffTables(tableOf(shipping), tableOf({ ...shipping, hitPolicy: "U", default: [1, ""] }), {
      budget: 1,
    });
    expect(spent.undecided).toEqual([{ message: "The budget of the analysis is spent" }]);
  });

  it("ends with what is undecided, where no input passes validation, however many rows overlap", () => {
    let tries = 0;
    const impossible = tableContract({
      ...contract,
      inputSchema: contract.inputSchema.refine(
        () => {
          tries += 1;
          return false;
        },
        { when: () => true },
      ),
    });
    const rules = Array.from({ length: 60 }, (_, at) => ({
      id: `r${at}`,
      if: ["-", `[${at / 10}..${30 - at / 10}]`],
      then: [at, "post"],
    }));
    const read = (own: TableDocument["rules"], version: string) =>
      readTable(impossible, { name: "fee.json", document: { ...shipping, version, rules: own } });
    const before = read(rules, "1");
    const changed = rules.map((row) => ({ ...row, then: [row.then[0] ?? 0, "air"] }));
    const spent = "The budget of the analysis is spent";
    const { results, undecided } = diffTables(before, read(changed, "2"), { budget: 100_000 });
    expect(tries).toBeLessThan(1100);
    expect(results).toEqual([]);
    expect(undecided.at(-1)).toEqual({ message: spent });
    tries = 0;
    const analysis = analyzeTable(before, { budget: 100_000, limit: 1 });
    expect(tries).toBeLessThan(1200);
    expect(analysis.overlaps).toEqual([]);
    expect(analysis.undecided).toContainEqual({ part: "overlaps", message: spent });
  });

  it.each([
    ["input.limitKg + 1", "1+input.limitKg"],
    ["2 * input.weightKg", "(input.weightKg * 2.0)"],
    ["input.limitKg * (1 + 2)", "3 * input.limitKg"],
    ["min(input.limitKg, input.weightKg, 5)", "min(5, input.weightKg, input.limitKg)"],
    ["round(input.weightKg / 3)", "round(input.weightKg / 3, 0)"],
    ["input.weightKg + input.limitKg * 2", "2 * input.limitKg + input.weightKg"],
  ])("takes %s and %s for the same", (one, other) => {
    const computed = (cell: string) =>
      tableOf({ ...shipping, rules: [{ id: "a", if: ["-", "-"], then: [cell, ""] }], default: [cell, ""] });
    expect(diffTables(computed(one), computed(other))).toMatchObject({ results: [], undecided: [] });
  });

  it.each([
    // 15 digits are kept of each step, so that it matters which two are added first.
    ["input.weightKg + (input.limitKg + 1)", "(input.weightKg + input.limitKg) + 1"],
    ["input.weightKg - input.limitKg", "input.limitKg - input.weightKg"],
    ["input.weightKg / (input.limitKg + 1)", "(input.limitKg + 1) / (input.weightKg + 1)"],
    ["floor(input.weightKg)", "ceiling(input.weightKg)"],
  ])("does not take %s and %s for the same", (one, other) => {
    const computed = (cell: string) =>
      tableOf({ ...shipping, rules: [{ id: "a", if: ["-", "-"], then: [cell, ""] }] });
    const { results, undecided } = diffTables(computed(one), computed(other));
    expect(results.length + undecided.length).toBeGreaterThan(0);
  });

  it("counts on the profile: a reference to it is decided", () => {
    const limited = (cell: string) =>
      tableOf({ ...shipping, rules: [{ id: "a", if: ["-", cell], then: ["profile.limit", ""] }] });
    const [one, other] = [limited("<= profile.limit"), limited("<= 20")];
    expect(diffTables(one, other)).toMatchObject({ results: [], undecided: [] });
    expect(diffTables(one, other, { profile: { limit: 25 } }).results).toMatchObject([
      { before: { rules: ["a"] }, after: { rules: [], status: "NO_MATCH" } },
    ]);
  });

  it("lists as many as the limit, and says so", () => {
    const many = (by: number): TableDocument => ({
      ...shipping,
      hitPolicy: "U",
      rules: Array.from({ length: 50 }, (_row, at) => ({
        id: `r${at}`,
        if: ["-", `[${at / 2}..${at / 2 + 0.5})`],
        then: [at + by, ""],
      })),
    });
    const all = diffTables(tableOf(many(0)), tableOf(many(1)));
    expect(all.results).toHaveLength(50);
    expect(all.undecided).toEqual([]);
    const some = diffTables(tableOf(many(0)), tableOf(many(1)), { limit: 10 });
    expect(some.results).toHaveLength(10);
    expect(some.undecided).toHaveLength(1);
  });

  it("refuses tables of different contracts", () => {
    const other = readTable(
      { ...contract, inputSchema: z.object({ ...contract.inputSchema.shape }) },
      { name: "fee.json", document: shipping },
    );
    expect(() => diffTables(tableOf(shipping), other)).toThrow(DecernError);
  });
});
