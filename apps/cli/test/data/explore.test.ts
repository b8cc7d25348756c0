import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { decern } from "../support/decern.js";
import { moduleFile, temporaryFolder } from "./support.js";

const explore = (module: string, ...args: readonly string[]) =>
  decern(["explore", moduleFile(module), "--runs", "2000", ...args]);

it("0: shows a witness of every rule, overlaps and gaps", async () => {
  const { code, stdout, stderr } = await explore("same", "loan", "--min-coverage", "100%");
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  expect(stdout).toMatch(/^loan 1\.0\.0: 2 of 2 rules reached with [\d,]+ valid inputs, seed 1\n/);
  expect(stdout).toMatch(/\n {2}large, decided \d+\n {4}\{"amount":\d+\}\n/);
  expect(stdout).toMatch(/\n {2}small, large \(with a different output\)\n {4}\{"amount":\d+\}\n/);
  expect(stdout).toMatch(/\nNo rule matches\n {2}\{"amount":\d+\}\n/);
});

it("2: a rule that decides nothing is below --min-coverage, and the output says why", async () => {
  const { code, stdout, stderr } = await explore("shadowed", "--min-coverage", "60%");
  expect(code).toBe(2);
  expect(stderr).toBe("decern: shadowed 1.0.0 reached 50% of its rules, and 60% is required\n");
  expect(stdout).toMatch(/\n {2}never: matched \d+, but an earlier rule decided: any\n/);
  expect((await explore("shadowed", "--min-coverage", "50%")).code).toBe(0);
  expect((await explore("shadowed")).code).toBe(0);
});

it("prints everything as JSON, and the same for the same seed", async () => {
  const args = ["--format", "json", "--seed", "7"];
  const [first, second] = await Promise.all([
    explore("next-version", ...args),
    explore("next-version", ...args),
  ]);
  expect(second).toEqual(first);
  const found = JSON.parse(first.stdout);
  expect(found).toMatchObject([
    { decisionId: "loan", decisionVersion: "1.0.0", seed: 7, coverage: 1 },
    { decisionId: "loan", decisionVersion: "1.1.0", seed: 7, coverage: 1 },
  ]);
  const [, next] = JSON.parse(first.stdout);
  const one = await explore("next-version", "loan@1.1.0", ...args);
  expect(JSON.parse(one.stdout)).toEqual([next]);
});

it("--profiles replaces that of the module", async () => {
  const file = join(temporaryFolder(), "profile.json");
  // Nothing is large: the first rule takes it all.
  writeFileSync(file, '{"loan": {"small": 5000}}');
  const { code, stdout } = await explore("same", "loan", "--profiles", file, "--min-coverage", "100%");
  expect(code).toBe(2);
  expect(stdout).toMatch(/\n {2}large: matched \d+, but an earlier rule decided: small\n/);
});

it.each([
  [[], /^decern explore needs <module>/],
  [["nowhere.ts"], /^cannot find nowhere\.ts/],
  [["MODULE", "loann"], /^the module has no decision "loann"; did you mean loan\?$/],
  [["MODULE", "loan@9.0.0"], /^loan has no version 9\.0\.0, only 1\.0\.0$/],
  [["MODULE", "--min-coverage", "1"], /^--min-coverage must be a percentage/],
  [["MODULE", "--seed", "x"], /^--seed must be a whole number/],
  [["MODULE", "loan", "--profiles", "nowhere.json"], /^cannot read nowhere\.json/],
])("1: decern explore %j", async (words, message) => {
  const ended = await decern([
    "explore",
    ...words.map((word) => (word === "MODULE" ? moduleFile("same") : word)),
  ]);
  expect(ended).toMatchObject({ code: 1, stdout: "" });
  const [line = "", ...rest] = ended.stderr.split("\n");
  expect(rest).toEqual([""]);
  expect(line.replace(/^decern: /, "")).toMatch(message);
});
