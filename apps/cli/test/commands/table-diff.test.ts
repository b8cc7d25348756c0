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

/** The cells of each line of Markdown, as a reader sees them; code is in backquotes. */
function cellsOf(markdown: string): readonly (readonly string[])[] {
  return markdown.split("\n").map((line) =>
    line
      .replace(/^\| (.*) \|$/, "$1")
      .split(" | ")
      .map((cell) =>
        cell
          .replaceAll(/<\/?code>/g, "`")
          .replaceAll(/&#(\d+);/g, (_, code) => String.fromCharCode(code))
          .trim(),
      ),
  );
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

  it("writes a comment on a pull request: edits, whole rows that come and go, and inputs", async () => {
    const { file, diff } = site();
    const names = [file("a.csv", before), file("b.csv", after, "1.1.0")];
    const { code, stdout } = await diff(...names, "--format", "markdown");
    expect(code).toBe(2);
    const lines = cellsOf(stdout);
    expect(lines[0]).toEqual(["### Table `fee`: 1 row changed, 1 row added, 1 row removed"]);
    expect(lines).toContainEqual(["", "`version`", "`1.0.0`", "`1.1.0`"]);
    expect(lines).toContainEqual(["`heavy`", "`→ fee`", "`7`", "`8`"]);
    const columns = ["`zone`", "`weightKg`", "`→ fee`", "`→ carrier`", "`note`"];
    const cells = ["`abroad`", "`-`", "`20`", "`air`", "`Until May`"];
    for (const [what, row] of [
      ["Added", "`far`"],
      ["Removed", "`abroad`"],
    ] as const)
      expect(lines).toEqual(
        expect.arrayContaining([
          [what, ...columns],
          [row, ...cells],
        ]),
      );
    expect(lines).toContainEqual([
      expect.stringMatching(/^`\{"zone":"home","weightKg":.*\}`$/),
      '`{"fee":7,"carrier":"post"}` by row `heavy`',
      '`{"fee":8,"carrier":"post"}` by row `heavy`',
    ]);
    expect((await diff("a.csv", "a.csv", "--format", "markdown")).stdout).toBe(
      "### Table <code>fee</code>: nothing changed\n\nNo input has another result.\n",
    );
  });

  it("counts what a comment has no room for, and means no Markdown by what a table says", async () => {
    const { file, diff } = site();
    const rows = (note: string) =>
      Array.from({ length: 60 }, (_, row) => `row-${row};home;${row / 2};1;post;${note}`);
    const hostile = `"</code> | <script>alert(1)</script> @everyone [a](b) ${"`*_~".repeat(200)}"`;
    const names = [file("a.csv", rows("")), file("b.csv", rows(hostile))];
    const { stdout } = await diff(...names, "--format", "markdown");
    expect(stdout).toMatch(/^… and 40 more edits$/m);
    expect(stdout.length).toBeLessThan(60_000);
    expect(stdout.replaceAll(/<\/?code>/g, "")).not.toMatch(/[<@[`*~]/);
    expect(cellsOf(stdout).filter(([row]) => row?.startsWith("`row-"))).toEqual(
      Array.from({ length: 20 }, (_, row) => [`\`row-${row}\``, "`note`", "", expect.stringMatching(/…`$/)]),
    );
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
    const comment = await diff(...names, "--log", "records", "--format", "markdown");
    expect(comment.stdout.split("\n")[2]).toBe(
      "**2 of 4 recorded results would change.** 1 would be the same by another row.",
    );
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
