import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { decernProcess } from "../support/decern.js";

const folder = mkdtempSync(join(tmpdir(), "decern-lint-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const rule = (when: string) => `export const rule = { id: "late", when: ${when}, emit: () => ({}) };\n`;
writeFileSync(join(folder, "clean.ts"), rule("(input) => input.days > 3"));
writeFileSync(join(folder, "late.ts"), rule("() => Date.now() > 3"));

const lint = (...args: readonly string[]) => decernProcess(["lint", ...args], { cwd: folder });

describe("decern lint", () => {
  it("0: says what it has read", async () => {
    const stdout = "1 rule in 1 file, 0 findings\n";
    expect(await lint("clean.ts")).toEqual({ code: 0, stdout, stderr: "" });
  });

  it("2: shows where, what and what to do instead", async () => {
    expect(await lint(".")).toEqual({
      code: 2,
      stdout:
        'late.ts:1:47: clock: Date.now, in when of rule "late": read the time from context.now\n' +
        "2 rules in 2 files, 1 finding\n",
      stderr: "",
    });
  });

  it("prints JSON", async () => {
    const { code, stdout } = await lint("late.ts", "--json");
    expect(code).toBe(2);
    expect(JSON.parse(stdout)).toEqual({
      files: 1,
      rules: 1,
      findings: [
        {
          file: "late.ts",
          line: 1,
          column: 47,
          kind: "clock",
          what: "Date.now",
          rule: 'when of rule "late"',
        },
      ],
    });
  });

  it("1: names what it can't find", async () => {
    const stderr = "decern: cannot find none.ts\n";
    expect(await lint("none.ts")).toEqual({ code: 1, stdout: "", stderr });
  });
});
