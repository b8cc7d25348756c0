import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { createEvaluator } from "@decern/core";
import { decisionLog, ndjsonFiles } from "@decern/decision-log";
import { readTable } from "@decern/table";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../data/support.js";
import { fee } from "../support/contracts.mjs";
import { decern } from "../support/decern.js";
import { contracts, feeTable } from "../support/fee-tables.js";

const before = ["light;home;<= 2;4.5;post;", "heavy;home;> 2;7;post;", "abroad;abroad;-;20;air;Until May"];
const after = ["light;home;<= 2;4.5;post;", "heavy;home;> 2;8;post;", "far;abroad;-;20;air;Until May"];

function site() {
  const folder = temporaryFolder();
  const file = (name: string, lines: readonly string[], version?: string) => {
    writeFileSync(join(folder, name), feeTable(lines, version));
    return name;
  };
  const diff = (...args: readonly string[]) =>
    decern(["table", "diff", ...args, "--contract", contracts], { cwd: folder });
  return { folder, file, diff };
}

describe("decern table diff", () => {
  it("0: says that no input has another result, for a table and itself", async () => {
    const { file, diff } = site();
    expect(await diff(file("a.csv", before), file("b.csv", before))).toEqual({
      code: 0,
      stdout: "no input has another result\n",
      stderr: "",
    });
  });

  it("2: names what was edited, with an input for each pair of rows that makes a difference", async () => {
    const { file, diff } = site();
    const { code, stdout, stderr } = await diff(file("a.csv", before), file("b.csv", after, "1.1.0"));
    expect({ code, stderr }).toEqual({ code: 2, stderr: "" });
    expect(stdout.split("\n").slice(0, -2)).toEqual([
      'changed: version from "1.0.0" to "1.1.0"',
      'removed: row "abroad"',
      'added: row "far"',
      'changed: row "heavy", → fee from 7 to 8',
    ]);
    expect(stdout).toMatch(
      /^result: \{"zone":"home","weightKg":[^}]+\} had \{"fee":7,"carrier":"post"\} by row "heavy", and has \{"fee":8,"carrier":"post"\} by row "heavy"$/m,
    );
  });

  it("2: a note or an id alone changes no result", async () => {
    const { file, diff } = site();
    const renamed = before.map((line) => line.replace("abroad;", "far;").replace("May", "June"));
    const { code, stdout } = await diff(file("a.csv", before), file("b.csv", renamed));
    expect({ code, stdout }).toEqual({
      code: 2,
      stdout: 'removed: row "abroad"\nadded: row "far"\nno input has another result\n',
    });
  });

  it("prints JSON, and compares with the profiles of a file", async () => {
    const { folder, file, diff } = site();
    writeFileSync(join(folder, "profiles.json"), JSON.stringify({ fee: { limit: 25 } }));
    const [one, other] = ["a;-;<= profile.limit;1;post;", "a;-;<= 20;1;post;"];
    const names = [file("a.csv", [one]), file("b.csv", [other])];
    expect((await diff(...names)).stdout).toMatch(/no input has another result/);
    const { code, stdout } = await diff(...names, "--json", "--profiles", "profiles.json");
    expect(code).toBe(2);
    expect(JSON.parse(stdout)).toEqual({
      table: "fee",
      added: [],
      removed: [],
      moved: [],
      metadata: [],
      changed: [{ rule: "a", cells: [{ name: "weightKg", before: "<= profile.limit", after: "<= 20" }] }],
      results: [
        {
          input: expect.objectContaining({ weightKg: expect.any(Number) }),
          before: { status: "OK", data: { fee: 1, carrier: "post" }, rules: ["a"] },
          after: { status: "NO_MATCH", rules: [] },
        },
      ],
      undecided: [],
    });
  });

  it("1: shows the problems of either table", async () => {
    const { file, diff } = site();
    const { code, stdout, stderr } = await diff(file("a.csv", before), file("b.csv", ["x;mars;-;1;post;"]));
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(stderr).toMatch(/^decern: b\.csv, row 5, column B: "mars"/);
    expect(await diff("a.csv", "none.csv")).toMatchObject({
      code: 1,
      stderr: "decern: cannot read none.csv (ENOENT)\n",
    });
  });

  it("counts the records whose result would change, and apart those that only another row decides", async () => {
    const { folder, file, diff } = site();
    const log = decisionLog({ store: ndjsonFiles(join(folder, "records")), durable: "reply" });
    const evaluator = createEvaluator({ log });
    const table = readTable(fee, { name: "a.csv", bytes: Buffer.from(feeTable(before)) });
    const inputs = [
      { zone: "home", weightKg: 1 },
      { zone: "home", weightKg: 3 },
      { zone: "home", weightKg: 4 },
      { zone: "abroad", weightKg: 5 },
    ] as const;
    for (const input of inputs) await evaluator.evaluate(table, { input });
    await log.close();
    const names = [file("a.csv", before), file("b.csv", after, "1.1.0")];
    const { code, stdout, stderr } = await diff(...names, "--log", "records");
    expect({ code, stderr }).toEqual({ code: 2, stderr: "" });
    expect(stdout.split("\n").filter((line) => line.startsWith("log:"))).toEqual([
      "log: 2 of 4 records would have another result",
      "log: 1 would have the same result by another row",
    ]);
    const found = await diff(...names, "--log", "records", "--rule", "heavy", "--json");
    expect(JSON.parse(found.stdout).log).toEqual({
      changed: 2,
      onlyRow: 0,
      failed: 0,
      unchanged: 0,
      notReproducible: 0,
      inconclusive: 0,
      skipped: 0,
      reasons: [],
    });
    expect(await diff(...names, "--log", "nowhere")).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('no records at "nowhere"'),
    });
  });
});
