import { execFile } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { moduleFile, program, temporaryFolder } from "../data/support.js";
import { decernProcess } from "../support/decern.js";

const run = promisify(execFile);
const terminal = fileURLToPath(new URL("../data/on-a-terminal.py", import.meta.url));
const guide = fileURLToPath(new URL("../../../../docs/bulk.md", import.meta.url));
const loans = (count: number): string =>
  Array.from({ length: count }, (_, n) => `{"amount":${(n * 37) % 7000}}\n`).join("");

describe("decern bulk --stdin", () => {
  it("runs several at a time under split and xargs, with the commands of the guide", async () => {
    const [, commands = ""] = /```sh\n(split [\s\S]*?)```/.exec(readFileSync(guide, "utf8")) ?? [];
    expect(commands).toContain("xargs -P");
    const cwd = temporaryFolder();
    writeFileSync(join(cwd, "loans.ndjson"), loans(3500));
    // The guide's commands, with smaller files, and with this command in place of the installed one.
    const script = commands
      .replace("--lines=100000", "--lines=1000")
      .replace("-P 4", "-P 2")
      .replace("npx decern bulk decisions.ts loan-approval", `"$NODE" "$PROGRAM" bulk "$MODULE" loan`);
    expect(script).toMatch(/1000[\s\S]*-P 2[\s\S]*PROGRAM/);
    const env = { ...process.env, NODE: process.execPath, PROGRAM: program, MODULE: moduleFile("same") };
    await run("sh", ["-ec", script], { cwd, env });
    const decided = readdirSync(cwd)
      .filter((name) => name.startsWith("decided-"))
      .toSorted();
    expect(decided).toHaveLength(4);
    const parts = decided.map((name) => readFileSync(join(cwd, name), "utf8"));
    const alone = await decernProcess(["bulk", moduleFile("same"), "loan", "--stdin"], {
      input: loans(3500),
    });
    expect(alone).toMatchObject({ code: 0, stderr: "" });
    const linesOf = (text: string): string[] => text.split("\n").slice(0, -1);
    // Each process counts the lines of its own input.
    const counted = parts.flatMap((part, index) =>
      linesOf(part).map((line) => line.replace(/(?<="line":)\d+/, (own) => `${index * 1000 + Number(own)}`)),
    );
    expect(counted).toEqual(linesOf(alone.stdout));
  });
});

describe("the progress of decern bulk", () => {
  it.each([80, 40])(
    "fits a terminal of %d columns, with the time that is left, and is gone at the end",
    async (columns) => {
      const cwd = temporaryFolder();
      // A rule that takes its time, long enough for a rate, and more than is read at once.
      const line = `{"act":"rest","filler":"${"x".repeat(4000)}"}\n`;
      writeFileSync(join(cwd, "in.ndjson"), line.repeat(300));
      const args = ["bulk", moduleFile("hostile"), "hostile", "in.ndjson", "out", "--threads", "1"];
      const env = { ...process.env, COLUMNS: `${columns}` };
      const { stdout } = await run("python3", [terminal, process.execPath, program, ...args], { cwd, env });
      const ended = JSON.parse(stdout);
      expect(ended).toMatchObject({ code: 0, stdout: expect.stringMatching(/^300 inputs: OK 300\n/) });
      const shown: string[] = ended.stderr.split("\r\u001b[2K");
      expect(shown.at(-1)).toBe("");
      for (const line of shown) expect(line.length).toBeLessThan(columns);
      const full = /^\[#*-*\] \d+% \d+ inputs, \d+ a second, \d+:\d\d left$/;
      const narrow = /^\[#*-*\] \d+% (?:\d+ inputs, )?\d+:\d\d left$/;
      expect(shown.filter((line) => (columns === 80 ? full : narrow).test(line))).not.toEqual([]);
      // The bar grows and never shrinks.
      const lengths = shown.flatMap((line) =>
        line.includes("inputs") || line.includes("left") ? [line.split("#").length] : [],
      );
      expect(lengths).toEqual(lengths.toSorted((a, b) => a - b));
    },
  );

  it("is not shown where standard error is no terminal", async () => {
    const cwd = temporaryFolder();
    writeFileSync(join(cwd, "in.ndjson"), loans(10));
    const ended = await decernProcess(["bulk", moduleFile("same"), "loan", "in.ndjson", "out"], { cwd });
    expect(ended).toMatchObject({ code: 0, stderr: "" });
  });
});

describe("decern bulk on a disk that is full", () => {
  it("fails, gives back what it began, and goes on once there is room", async ({ skip, onTestFinished }) => {
    const cwd = temporaryFolder();
    const disk = join(cwd, "disk");
    mkdirSync(disk);
    try {
      await run("mount", ["-t", "tmpfs", "-o", "size=2m", "tmpfs", disk]);
    } catch {
      skip("this process may not mount a file system of its own");
    }
    onTestFinished(async () => void (await run("umount", ["-l", disk])));
    writeFileSync(join(cwd, "in.ndjson"), loans(60_000));
    const job = (output: string) =>
      decernProcess(
        ["bulk", moduleFile("same"), "loan", "in.ndjson", output, "--part-size", "1", "--now", "2026-03-01"],
        { cwd },
      );
    const full = await job("disk/out");
    expect(full).toMatchObject({
      code: 1,
      stdout: "",
      stderr: expect.stringMatching(/^decern: [^\n]*ENOSPC[^\n]*\n$/),
    });
    expect(
      readdirSync(join(disk, "out")).filter((name) => name.endsWith(".tmp") || name.endsWith(".lock")),
    ).toEqual([]);
    await run("mount", ["-o", "remount,size=64m", disk]);
    const after = await job("disk/out");
    expect(after).toMatchObject({ code: 0, stderr: "" });
    expect((await job("whole")).code).toBe(0);
    for (const name of readdirSync(join(cwd, "whole"))) {
      expect(readFileSync(join(disk, "out", name)).equals(readFileSync(join(cwd, "whole", name))), name).toBe(
        true,
      );
    }
  });
});
