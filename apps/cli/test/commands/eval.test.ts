import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, it } from "vitest";
import { decern, decernProcess } from "../support/decern.js";

const module = fileURLToPath(new URL("../support/loans.mjs", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "decern-eval-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function file(name: string, content: unknown): string {
  writeFileSync(join(folder, name), typeof content === "string" ? content : JSON.stringify(content));
  return name;
}

const run = (args: readonly string[], input = "") =>
  decern(["eval", module, ...args], { cwd: folder, input });

const small = file("small.json", { amount: 500 });
const noon = "2026-03-01T12:00:00Z";

describe("decern eval", () => {
  it("prints the envelope of an input in a file, and nothing else", async () => {
    const { code, stdout, stderr } = await run(["loan", "--input", small, "--now", noon]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(JSON.parse(stdout)).toEqual({
      status: "OK",
      data: { granted: true, month: "2026-03" },
      meta: {
        decisionId: "loan",
        decisionVersion: "1.0.0",
        evaluatedAt: "2026-03-01T12:00:00.000Z",
        matchedRule: "small",
        explanation: "At most 1000",
        evaluatedRules: [{ ruleId: "small", matched: true, explanation: "At most 1000" }],
      },
    });
    // The same call, byte for byte.
    expect((await run(["loan", "-i", small, "--now", noon])).stdout).toBe(stdout);
    expect(stdout).toMatch(/\}\n$/);
  });

  it("reads an input from standard input", async () => {
    for (const args of [["loan"], ["loan", "--input", "-"]]) {
      const { code, stdout } = await run(args, '{"amount": 500}');
      expect({ code, status: JSON.parse(stdout).status }).toEqual({ code: 0, status: "OK" });
    }
  });

  it("uses the profiles of the module, also those of decisions that are used, and one from a file instead", async () => {
    const rule = async (...args: readonly string[]): Promise<unknown> =>
      JSON.parse((await run(["loan", ...args, "-i", file("middle.json", { amount: 900 })])).stdout).meta
        ?.matchedRule;
    expect(await rule()).toBe("small");
    expect(await rule("--profiles", file("strict.json", { loan: { most: 100 } }))).toBe(undefined);
    const { stdout } = await run(["with-loan"], '{"amount": 900}');
    expect(JSON.parse(stdout).data).toEqual({ loan: "OK" });
  });

  it("evaluates the default version of a server, or the one that is asked for", async () => {
    const version = async (...args: readonly string[]): Promise<unknown> =>
      JSON.parse((await run(["loan", ...args, "-i", small])).stdout).meta.decisionVersion;
    expect(await version()).toBe("1.0.0");
    expect(await version("--version", "2.0.0")).toBe("2.0.0");
  });

  it("exits with 0 for NO_MATCH", async () => {
    const { code, stdout } = await run(["loan"], '{"amount": 5000}');
    expect({ code, status: JSON.parse(stdout).status }).toEqual({ code: 0, status: "NO_MATCH" });
  });

  it("exits with 3 for an invalid input, and prints why", async () => {
    const input = await run(["loan"], '{"amount": "a lot"}');
    expect({ code: input.code, stderr: input.stderr }).toEqual({ code: 3, stderr: "" });
    expect(JSON.parse(input.stdout)).toMatchObject({
      status: "INVALID_INPUT",
      errors: [{ path: "/amount" }],
    });
  });

  it("chooses the profile of the version, and a named one, in a file for all decisions", async () => {
    const profiles = file("all.json", {
      loan: { most: 1 },
      "loan@2.0.0": { most: 500 },
      "loan#none": { most: 0 },
      "loan#all": { most: 9999 },
      "loan@2.0.0#all": { most: 9999 },
    });
    const most = async (...args: readonly string[]): Promise<unknown> => {
      const { stdout } = await run(["loan", "-i", small, "-p", profiles, ...args]);
      return JSON.parse(stdout).meta.explanation;
    };
    expect(await most()).toBe("No rule matched");
    expect(await most("--version", "2.0.0")).toBe("At most 500");
    expect(await most("--profile-name", "all")).toBe("At most 9999");
    expect(await most("--version", "2.0.0", "--profile-name", "none")).toBe("No rule matched");
  });

  it("exits with 4 when the decision fails, and says why on standard error", async () => {
    const { code, stdout, stderr } = await run(["broken"], "{}");
    expect({ code, stdout }).toEqual({ code: 4, stdout: "" });
    expect(stderr).toMatch(/^decern: [^\n]*Evaluation failed[^\n]*the rate table is gone\n$/);
  });

  it("keeps what the module prints out of the envelope, and does not wait for what it left open", async () => {
    const { stdout, stderr } = await decernProcess(["eval", module, "chatty"], { cwd: folder, input: "{}" });
    expect(JSON.parse(stdout)).toMatchObject({ status: "OK" });
    expect(stderr).toBe("thinking\n");
  });

  it.each([
    ["an unknown decision", ["laon", "-i", small], /no decision "laon"; did you mean loan\?$/],
    [
      "an unknown version",
      ["loan", "-i", small, "--version", "3"],
      /loan has no version 3, only 1\.0\.0, 2\.0\.0$/,
    ],
    ["no such file", ["loan", "-i", "none.json"], /^decern: cannot read none\.json \(ENOENT\)$/],
    ["no JSON", ["loan", "-i", file("text.json", "amount: 5")], /^decern: text\.json is not valid JSON: /],
    ["an empty file", ["loan", "-i", file("empty.json", "")], /^decern: empty\.json is empty$/],
    ["an empty standard input", ["loan"], /^decern: standard input is empty$/],
    [
      "a profile that is no JSON",
      ["loan", "-i", small, "-p", "text.json"],
      /^decern: text\.json is not valid JSON: /,
    ],
    [
      "a profile that breaks its schema",
      ["loan", "-i", small, "-p", file("wrong.json", { loan: { most: "all" } })],
      /^decern: wrong\.json: \/loan\/most: /,
    ],
    [
      "an unknown name of a profile",
      ["loan", "-i", small, "--profile-name", "lax"],
      /--profile-name needs a profile "loan#lax", and there is none$/,
    ],
    [
      "a wrong time",
      ["loan", "-i", small, "--now", "tomorrow"],
      /--now must be a day such as .*, not "tomorrow"$/,
    ],
    [
      "a time without a zone",
      ["loan", "-i", small, "--now", "2026-03-01T12:00"],
      /--now must be a day such as /,
    ],
    [
      "a file that steers a terminal",
      ["loan", "-i", file("steer.json", "\u001b[2J")],
      /not valid JSON: .*\\u001b/,
    ],
    ["no id", [], /^decern: decern eval needs <id>; /],
  ])("exits with 1 for %s, with one sentence", async (_what, args, sentence) => {
    const { code, stdout, stderr } = await run(args);
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(stderr).toMatch(/^[^\n]+\n$/);
    expect(stderr.trimEnd()).toMatch(sentence);
  });
});
