import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, it } from "vitest";
import { decern, decernProcess } from "../support/decern.js";

const module = fileURLToPath(new URL("../support/loans.mjs", import.meta.url));
const feesModule = fileURLToPath(new URL("../data/modules/fees.mjs", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "decern-profiles-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function file(name: string, content: unknown): string {
  writeFileSync(join(folder, name), typeof content === "string" ? content : JSON.stringify(content));
  return name;
}

const check = (name: string, ...args: readonly string[]) =>
  decern(["profiles", "check", name, "--against", module, ...args], { cwd: folder });

async function found(content: unknown) {
  const { code, stdout, stderr } = await check(file("p.json", content), "--json");
  expect(stderr).toBe("");
  return { code, ...JSON.parse(stdout) };
}

const shape = '{ "loan": { "most": … } }';

describe("decern profiles check", () => {
  it("0: accepts every kind of key, plain and with a revision", async () => {
    const profiles = { loan: { most: 5 }, "loan@2.0.0": { most: 6 }, "loan@2.0.0#strict": { most: 1 } };
    const valid = { code: 0, problems: [], warnings: [] };
    expect(await found(profiles)).toEqual(valid);
    expect(await found({ revision: "r1", activateAt: "2030-01-01T00:00:00Z", profiles })).toEqual(valid);
    expect(await check(file("p.json", profiles))).toEqual({
      code: 0,
      stdout: "p.json: 3 profiles, valid\n",
      stderr: "",
    });
  });

  it("2: lists every problem with its path in the file", async () => {
    const profiles = { loan: { most: "x" }, "loan#strict": {}, "loan@9": { most: 1 }, lona: {} };
    const paths = ["/loan#strict/most", "/loan/most", "/loan@9", "/lona"];
    const pathsOf = ({ problems }: { problems: { path: string }[] }) =>
      problems.map(({ path }) => path).sort();
    const plain = await found(profiles);
    expect({ code: plain.code, pathsOf: pathsOf(plain) }).toEqual({ code: 2, pathsOf: paths });
    const withRevision = await found({ revision: "r1", profiles });
    expect(pathsOf(withRevision)).toEqual(paths.map((path) => `/profiles${path}`));
    const { code, stdout } = await check(file("p.json", profiles));
    expect({
      code,
      length: stdout.split("\n").length,
      endsWith: stdout.endsWith("p.json: 4 problems\n"),
    }).toEqual({ code: 2, length: 6, endsWith: true });
  });

  it("warns of keys that the schema ignores, and of no others", async () => {
    const loan = { most: 5, mots: 3 };
    const { code, problems, warnings } = await found({ loan });
    expect({ code, problems }).toEqual({ code: 0, problems: [] });
    expect(warnings).toEqual([
      { path: "/loan/mots", message: expect.stringMatching(/ignored.*did you mean most\?$/) },
    ]);
  });

  it("looks for ignored keys in objects, lists, alternatives and records", async () => {
    const fees = {
      bands: [
        { upTo: 1, fee: 2 },
        { upTo: 2, fe: 3 },
      ],
      by: { anything: { rate: 1, rat: 2 } },
      either: { b: 1, c: 2 },
      open: { a: 1, whatever: 2 },
    };
    const name = file("p.json", { fees });
    const { stdout } = await decern(
      ["profiles", "check", name, "--against", feesModule, "--format", "json"],
      { cwd: folder },
    );
    const { problems, warnings } = JSON.parse(stdout);
    expect(problems).toEqual([]);
    expect(warnings.map(({ path }: { path: string }) => path)).toEqual([
      "/fees/bands/1/fe",
      "/fees/by/anything/rat",
      "/fees/either/c",
    ]);
  });

  it("names the decision that was meant, if the only id has a typing mistake", async () => {
    const { code, problems } = await found({ "laon#strict": { most: 5 } });
    expect({ code, message: problems[0]?.message }).toEqual({
      code: 2,
      message: 'has a profile for "laon#strict", which is not a decision of the module; did you mean loan?',
    });
  });

  it.each([
    ["check", ["profiles", "check", "bare.json", "--against", module], 2],
    ["eval", ["eval", module, "loan", "-p", "bare.json"], 1],
    ["explore", ["explore", module, "loan", "-p", "bare.json"], 1],
    ["bulk", ["bulk", module, "loan", "--stdin", "-p", "bare.json"], 1],
    ["serve", ["serve", module, "--port", "0", "-p", "bare.json"], 1],
    ["replay", ["replay", "-", "--against", module, "-p", "bare.json"], 1],
  ])(
    "%s shows the right shape to whoever gives a profile without its decision",
    async (_name, args, code) => {
      file("bare.json", { most: 5 });
      const ended = await decernProcess(args, { cwd: folder, input: "{}" });
      expect(ended.code).toBe(code);
      expect(ended.stdout + ended.stderr).toContain(shape);
    },
  );

  it.each([
    ["a file that is missing", ["none.json", "--against", module], /^decern: cannot read none\.json/],
    ["no JSON", ["text.json", "--against", module], /^decern: text\.json is not valid JSON/],
    ["a list", ["list.json", "--against", module], /must hold a JSON object of profiles by decision id/],
    ["no module", ["text.json"], /needs --against <module>/],
  ])("1: %s", async (_what, args, sentence) => {
    file("text.json", "most: 5");
    file("list.json", []);
    const { code, stdout, stderr } = await decern(["profiles", "check", ...args], { cwd: folder });
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(stderr).toMatch(sentence);
  });
});
