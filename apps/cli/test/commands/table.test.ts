import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, describe, expect, it } from "vitest";
import { decern } from "../support/decern.js";
import { contracts, feeTable } from "../support/fee-tables.js";

const folder = mkdtempSync(join(tmpdir(), "decern-table-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const run = (...args: readonly string[]) => decern(["table", ...args], { cwd: folder });

const table = (rows: readonly string[], policy = "U") => feeTable(rows, "1.0.0", policy);

const complete = [
  "light;home;<= 2;4.5;post;",
  "heavy;home;> 2;7;post;Above two kilograms",
  "abroad;abroad;-;20;air;",
];

function file(name: string, content: string): string {
  writeFileSync(join(folder, name), content);
  return name;
}

describe("decern table check", () => {
  it("0: says what is complete and valid", async () => {
    const ended = await run("check", file("fee.csv", table(complete)), "--contract", contracts);
    expect(ended).toEqual({ code: 0, stdout: 'fee.csv: table "fee" is valid\n', stderr: "" });
  });

  it("0: shows gaps, and warns of missing ids", async () => {
    const name = file("gaps.csv", table([";home;<= 2;4.5;post;", "r2;abroad;-;20;air;"]));
    const { code, stdout } = await run("check", name, "--contract", contracts);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^warning: gaps\.csv, row 5, column A: .*called "row-1"/m);
    expect(stdout).toMatch(/^gap: no row for .*home.*; for example \{.*"zone":"home"/m);
  });

  it("1: says why a file can't be read, whatever contracts there are to choose from", async () => {
    const bytes = Buffer.from(table(["r1;home;-;4;P\u00f6st;"]), "latin1");
    writeFileSync(join(folder, "latin.csv"), bytes);
    const ended = await run("check", "latin.csv", "--contract", contracts);
    expect(ended).toEqual({
      code: 1,
      stdout: "",
      stderr: 'decern: latin.csv: is not UTF-8; save it as "CSV UTF-8"\n',
    });
  });

  it("0: says when gaps are there", async () => {
    const rows = ["a;-;-;4.5;post;2027-01-01", "b;home;-;5;post;"];
    const name = file("timed.csv", table(rows, "F").replace(";note", ";from"));
    expect((await run("check", name, "--contract", contracts)).stdout).toContain(
      'gap: no row for "abroad" | - until 2027-01-01T00:00:00Z; for example {',
    );
  });

  it("1: shows every error with its place, and overlaps", async () => {
    const wrong = file("wrong.csv", table(["r1;mars;12,5;4;post;", "r2;home;-;a;post;"]));
    const { code, stdout } = await run("check", wrong, "--contract", contracts);
    expect(code).toBe(1);
    expect(stdout.split("\n").map((line) => line.slice(0, line.indexOf(": ")))).toEqual([
      "wrong.csv, row 5, column B",
      "wrong.csv, row 5, column C",
      "wrong.csv, row 6, column D",
      "wrong.csv",
      "",
    ]);
    const overlap = file("overlap.csv", table([...complete, "again;home;1;9;post;"]));
    const overlapping = await run("check", overlap, "--contract", contracts);
    expect(overlapping.code).toBe(1);
    expect(overlapping.stdout).toMatch(/^overlap\.csv, row 8: the rows "light" and "again" overlap/m);
  });

  it("takes contracts whose schemas are functions", async () => {
    file(
      "functions.mjs",
      `import { fee } from ${JSON.stringify(pathToFileURL(contracts).href)};
      const callable = (schema) => Object.assign(() => {}, { "~standard": schema["~standard"] });
      const { inputSchema, outputSchema, profileSchema } = fee;
      const schemas = { inputSchema, outputSchema, profileSchema };
      export const callables = { ...fee, ...Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, callable(schema)])) };`,
    );
    const ended = await run("check", file("fee.csv", table(complete)), "--contract", "functions.mjs");
    expect(ended).toEqual({ code: 0, stdout: 'fee.csv: table "fee" is valid\n', stderr: "" });
  });

  it("prints JSON", async () => {
    const wrong = file("wrong.csv", table(["r1;mars;1;4;post;"]));
    const { code, stdout } = await run("check", wrong, "--contract", contracts, "--json");
    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toEqual([
      {
        table: "fee",
        problems: [
          {
            severity: "error",
            path: "/rules/0/if/0",
            message: expect.stringContaining('"mars"'),
            place: { file: "wrong.csv", row: 5, column: "B" },
          },
        ],
      },
    ]);
    const gaps = file("gaps.csv", table(["r2;abroad;-;20;air;"]));
    const found = JSON.parse((await run("check", gaps, "--contract", contracts, "--json")).stdout);
    expect(found[0].analysis.gaps[0]).toMatchObject({ box: expect.any(Array), witness: { zone: "home" } });
  });

  it("analyses with the profiles of a file", async () => {
    const name = file("limit.csv", table(["a;-;<= profile.limit;1;post;", "b;-;> 20;2;post;"]));
    const check = async (limit: number) => {
      file("profiles.json", JSON.stringify({ fee: { limit } }));
      return run("check", name, "--contract", contracts, "--profiles", "profiles.json");
    };
    expect((await check(20)).stdout).toBe('limit.csv: table "fee" is valid\n');
    expect((await check(10)).stdout).toMatch(/^gap: /m);
    const overlapping = await check(25);
    expect(overlapping.code).toBe(1);
    expect(overlapping.stdout).toMatch(/^error: rows "a", "b" overlap/m);
  });

  it("takes a profile from the module, and says where one is missing or wrong", async () => {
    const strict = new URL("../support/strict-contract.mjs", import.meta.url).href;
    file(
      "with.mjs",
      `export { fee } from ${JSON.stringify(strict)}; export const profiles = { fee: { limit: 20 } };`,
    );
    file("without.mjs", `export { fee } from ${JSON.stringify(strict)};`);
    const name = file("limit.csv", table(["a;-;<= profile.limit;1;post;", "b;-;> 20;2;post;"]));
    const check = (...args: readonly string[]) => run("check", name, "--contract", ...args);
    expect((await check("with.mjs")).stdout).toBe('limit.csv: table "fee" is valid\n');
    const missing = await check("without.mjs");
    expect(missing.code).toBe(1);
    expect(missing.stderr).toMatch(/the table "fee" needs a profile, in --profiles or .*: \/limit: /);
    file("profiles.json", JSON.stringify({ fee: { limit: "much" } }));
    const wrong = await check("with.mjs", "--profiles", "profiles.json");
    expect(wrong).toMatchObject({ code: 1, stdout: "" });
    expect(wrong.stderr).toMatch(/the profile of "fee" is invalid: \/limit: /);
  });

  it.each([
    ["a file that is missing", ["check", "none.csv", "--contract", contracts], /cannot read none\.csv/],
    ["a module without contracts", ["check", "fee.csv", "--contract", "empty.mjs"], /exports no contract/],
    [
      "a table of another contract",
      ["check", "other.csv", "--contract", contracts],
      /no contract "feee"; did you mean fee\?/,
    ],
    ["no module", ["check", "fee.csv"], /needs --contract <module>/],
    ["a form that is unknown", ["convert", "fee.csv", "fee.txt"], /must end in \.json, \.csv or \.xlsx/],
    ["several contracts", ["new", "x.xlsx", "--contract", contracts], /name a table.*fee, carriers/],
  ])("1: %s", async (_what, args, sentence) => {
    file("fee.csv", table(complete));
    file("empty.mjs", "export const a = 1;");
    file("other.csv", table(complete).replace("table;fee", "table;feee"));
    const { code, stdout, stderr } = await run(...args);
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(stderr).toMatch(sentence);
  });
});

describe("decern table convert", () => {
  it("turns each form into each, and back into the same", async () => {
    file("start.csv", table(complete));
    const steps = ["start.csv", "a.json", "b.xlsx", "c.csv", "d.xlsx", "e.json"];
    for (const [index, from] of steps.slice(0, -1).entries()) {
      const { code, stderr } = await run("convert", from, steps[index + 1] ?? "", "--contract", contracts);
      expect({ code, stderr }).toEqual({
        code: 0,
        stderr: `decern: ${steps[index + 1]}: table "fee", 3 rows\n`,
      });
    }
    const [first, last] = ["a.json", "e.json"].map((name) => readFileSync(join(folder, name), "utf8"));
    expect(last).toBe(first);
    expect(JSON.parse(first ?? "").rules[1]).toEqual({
      id: "heavy",
      if: ["home", "> 2"],
      then: [7, "post"],
      note: "Above two kilograms",
    });
  });

  it("needs no contract, and checks cells with one", async () => {
    file("cells.csv", table(["r1;mars;-;4;post;"]));
    expect((await run("convert", "cells.csv", "cells.json")).code).toBe(0);
    const refused = await run("convert", "cells.csv", "never.json", "--contract", contracts);
    expect(refused.code).toBe(1);
    expect(refused.stderr).toMatch(/cells\.csv, row 5, column B: "mars"/);
    const semicolons = await run("convert", "cells.json", "cells2.csv", "--delimiter", "semicolon");
    expect(semicolons.code).toBe(0);
    expect(readFileSync(join(folder, "cells2.csv"), "utf8")).toContain("rule;zone;weightKg");
  });
});

describe("decern table new", () => {
  it("writes a workbook that is complete but for its rows, and replaces no file", async () => {
    const made = await run("new", "new.xlsx", "--contract", contracts, "--table", "fee");
    expect(made).toEqual({
      code: 0,
      stdout: "",
      stderr: 'decern: new.xlsx: table "fee", ready for its first row\n',
    });
    const { code, stdout } = await run("check", "new.xlsx", "--contract", contracts);
    expect({ code, stdout }).toEqual({
      code: 1,
      stdout: 'new.xlsx, sheet "fee", /rules: has no row\nnew.xlsx: table "fee" has 1 error\n',
    });
    expect((await run("new", "new.xlsx", "--contract", contracts, "--table", "fee")).stderr).toBe(
      "decern: new.xlsx exists\n",
    );
    const list = await run("new", "list.json", "--contract", contracts, "--table", "carriers");
    expect(list.code).toBe(0);
    expect(JSON.parse(readFileSync(join(folder, "list.json"), "utf8"))).toEqual({
      table: "carriers",
      version: "1.0.0",
      hitPolicy: "C",
      inputs: [{ path: "zone" }],
      outputs: [{ path: "carrier" }],
      rules: [],
    });
  });
});
