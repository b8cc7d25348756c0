import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { describe, expect, it, onTestFinished } from "vitest";
import { jsonLines, moduleFile, program, temporaryFolder } from "../data/support.js";
import { decernProcess } from "../support/decern.js";

const module = moduleFile("hostile");
const answer = { status: "OK", data: { is: "answered" }, matchedRule: "any" };

/** A filter whose rule holds at `{"act":"hold"}`, for ever. */
function startFilter() {
  const env = { ...process.env, RELEASE: join(temporaryFolder(), "never") };
  const child = spawn(process.execPath, [program, "bulk", module, "hostile", "--stdin"], {
    env,
    stdio: "pipe",
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  child.stdin.on("error", () => {});
  return { child, isHeld: () => expect.poll(() => existsSync(`${env.RELEASE}.held`)).toBe(true) };
}

describe("decern bulk --stdin, stopped", () => {
  it.each([
    ["SIGINT", 130],
    ["SIGTERM", 143],
  ] as const)(
    "%s ends it with %d in an evaluation that does not end, with whole lines",
    async (signal, code) => {
      const { child, isHeld } = startFilter();
      const [stdout, stderr, ended] = [text(child.stdout), text(child.stderr), once(child, "exit")];
      child.stdin.write("{}\n{}\n");
      await once(child.stdout, "data");
      child.stdin.write('{"act":"hold"}\n{}\n');
      await isHeld();
      child.kill(signal);
      expect(await ended).toEqual([code, null]);
      expect(jsonLines(await stdout)).toEqual([
        { line: 1, ...answer },
        { line: 2, ...answer },
      ]);
      expect(await stderr).toBe("");
    },
  );

  it("writes whole lines where its reader is slow", async () => {
    const { child } = startFilter();
    const ended = once(child, "exit");
    // Results of more bytes than a pipe holds.
    child.stdin.write("{}\n".repeat(20_000));
    await once(child.stdout, "readable");
    child.kill("SIGTERM");
    const stdout = await text(child.stdout);
    expect(await ended).toEqual([143, null]);
    expect(stdout).toMatch(/\}\n$/);
    for (const [index, result] of jsonLines(stdout).entries()) {
      expect(result).toEqual({ line: index + 1, ...answer });
    }
  });
});

describe("decern bulk --stdin, where a rule misbehaves", () => {
  it.each([
    ["ends the process", "exit", /^decern: the module ended the process before the command was done\n$/],
    ["fills the memory", "fill", /^(?:(?!decern:)[^\n]*\n)*decern: [^\n]*memory[^\n]*\n$/],
    ["leaves a promise that rejects", "throw", /^decern: nobody waits for this\n$/],
  ])("fails, and says why, where it %s", async (_, act, message) => {
    const env = { NODE_OPTIONS: "--max-old-space-size=48" };
    const input = `{}\n{"act":"${act}"}\n`;
    const ended = await decernProcess(["bulk", module, "hostile", "--stdin"], { input, env });
    expect(ended.code).toBe(1);
    expect(ended.stderr).toMatch(message);
  });

  it("says which line failed, and all that it says arrives", async () => {
    const ended = await decernProcess(["bulk", module, "hostile", "--stdin"], {
      input: '{}\n{"act":"none"}\n',
    });
    expect(ended.code).toBe(2);
    expect(ended.stderr).toMatch(
      /^decern: The decision failed for a line \(line 2\): [^\n]*\ndecern: OK 1, ERROR 1\n$/,
    );
  });
});
