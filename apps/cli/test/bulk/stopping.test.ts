import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { describe, expect, it } from "vitest";
import { moduleFile, program, temporaryFolder } from "../data/support.js";
import { decernProcess } from "../support/decern.js";

const module = moduleFile("hostile");

function partsIn(folder: string): readonly string[] {
  return readdirSync(folder)
    .filter((name) => /^part-\d+\.ndjson$/.test(name))
    .sort();
}

function outputOf(folder: string): string {
  return partsIn(folder)
    .map((name) => readFileSync(join(folder, name), "utf8"))
    .join("");
}

describe("decern bulk, stopped", () => {
  const outputs: string[] = [];
  const manifests: string[] = [];

  it.each([
    ["SIGINT", 130],
    ["SIGTERM", 143],
  ] as const)(
    "%s ends it with %d, even in an evaluation that does not end, and it goes on",
    async (signal, code) => {
      const cwd = temporaryFolder();
      const line = `{"filler":"${"x".repeat(1000)}"}\n`;
      // Four parts of a MiB. The rule holds in the third.
      writeFileSync(join(cwd, "in.ndjson"), `${line.repeat(2500)}{"act":"hold"}\n${line.repeat(1500)}`);
      const args = ["in.ndjson", "out", "--part-size", "1", "--now", "2026-03-01", "--threads", "1"];
      const env = { ...process.env, RELEASE: join(cwd, "never") };
      const child = spawn(process.execPath, [program, "bulk", module, "hostile", ...args], {
        cwd,
        env,
        stdio: "pipe",
      });
      const [stdout, stderr, ended] = [text(child.stdout), text(child.stderr), once(child, "exit")];
      // The thread takes the third part once one of the first two is done.
      await expect.poll(() => child.exitCode !== null || existsSync(`${env.RELEASE}.held`)).toBe(true);
      child.kill(signal);
      expect(await ended).toEqual([code, null]);
      expect(await stdout).toBe("");
      expect(await stderr).toMatch(
        /^decern: stopped with \d of 4 parts done; run the same command to continue\n$/,
      );
      // Neither half files nor a lock.
      expect(
        readdirSync(join(cwd, "out")).filter((name) => !/^part-\d+\.ndjson$|^manifest\.json$/.test(name)),
      ).toEqual([]);

      const run = (...more: readonly string[]) =>
        decernProcess(["bulk", module, "hostile", ...more], { cwd, env: { RELEASE: cwd } });
      const [, , ...rest] = args;
      const again = await run("in.ndjson", "out", ...rest);
      expect(again).toMatchObject({ code: 0, stderr: "" });
      expect(again.stdout).toMatch(
        /^4,001 inputs: OK 4,001\n4 parts in .*, \d of them from an earlier run\n$/,
      );
      outputs.push(outputOf(join(cwd, "out")));
      manifests.push(readFileSync(join(cwd, "out/manifest.json"), "utf8"));
    },
  );

  it("and gone on, writes what it would have written undisturbed", () => {
    const result = { status: "OK", data: { is: "answered" }, matchedRule: "any" };
    const whole = Array.from(
      { length: 4001 },
      (_, index) => `${JSON.stringify({ line: index + 1, ...result })}\n`,
    ).join("");
    expect(outputs).toEqual([whole, whole]);
    expect(manifests[0]).toBe(manifests[1]);
  });

  it.each([
    ["ends the process", "exit", /has ended with code 0; did it call process\.exit\?\n$/],
    ["fills the memory", "fill", /^decern: A thread failed: [^\n]*memory[^\n]*\n$/],
    ["leaves a promise that rejects", "throw", /^decern: A thread failed: nobody waits for this\n$/],
  ])("fails, and says why, where a rule %s", async (_, act, message) => {
    const cwd = temporaryFolder();
    writeFileSync(join(cwd, "in.ndjson"), `{"act":"${act}"}\n`);
    const env = { NODE_OPTIONS: "--max-old-space-size=48" };
    const ended = await decernProcess(["bulk", module, "hostile", "in.ndjson", "out"], { cwd, env });
    expect(ended).toMatchObject({ code: 1, stdout: "" });
    expect(ended.stderr).toMatch(message);
    expect(readdirSync(join(cwd, "out"))).toEqual(["manifest.json"]);
  });

  it("does not report success where a rule ends a filter", async () => {
    const ended = await decernProcess(["bulk", module, "hostile", "--stdin"], {
      input: '{}\n{"act":"exit"}\n{}\n',
    });
    expect(ended).toMatchObject({
      code: 1,
      stderr: "decern: the module ended the process before the command was done\n",
    });
  });
});
