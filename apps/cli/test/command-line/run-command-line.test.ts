import { describe, expect, it } from "vitest";
import type { CommandIo } from "../../src/command-line/command.js";
import { StopRequest } from "../../src/command-line/command.js";
import { runCommandLine } from "../../src/command-line/run-command-line.js";
import { madeUpCommands } from "../support/made-up-commands.js";
import { memoryIo } from "../support/memory-io.js";

async function run(line: string | readonly string[], own: Partial<CommandIo> = {}) {
  const io = memoryIo(own);
  const args = typeof line === "string" ? line.split(" ").filter((word) => word !== "") : line;
  const code = await runCommandLine(madeUpCommands, args, io);
  return { code, ...(await io.read()) };
}

async function called(line: string): Promise<unknown> {
  const { code, stdout, stderr } = await run(line);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  return JSON.parse(stdout);
}

describe("a command line", () => {
  it("gives a command its arguments and options, in any order", async () => {
    const expected = { positionals: ["tea", "two"], strength: "3", size: "large", hot: true, with: [] };
    for (const line of [
      "brew tea two --strength 3 --size large --hot",
      "brew --hot --strength=3 tea --size=large two",
      "brew -s 3 tea --hot --size large -- two",
      "brew -s3 tea two --size large --hot",
    ]) {
      expect(await called(line), line).toEqual(expected);
    }
  });

  it("takes repeated options where they are allowed, a dash as a value, and what follows two dashes as it is", async () => {
    expect(await called("brew tea --with milk --with -")).toMatchObject({ with: ["milk", "-"] });
    expect(await called("brew -- --hot")).toMatchObject({ positionals: ["--hot"], hot: false });
    expect(await called("brew tea --strength=-1")).toMatchObject({ strength: "-1" });
  });

  it.each([
    ["brew tea --streng 3", "unknown option --streng; did you mean --strength?"],
    ["brew tea -x", 'unknown option -x; "decern brew --help" lists what there is'],
    ["brew tea --__proto__ 3", 'unknown option --__proto__; "decern brew --help" lists what there is'],
    ["brew tea --constructor", 'unknown option --constructor; "decern brew --help" lists what there is'],
    ["brew tea --strength", "--strength needs a value: --strength <number>"],
    ["brew tea --strength=", "--strength needs a value: --strength <number>"],
    ["brew tea --strength --hot", "--strength needs a value: --strength <number>"],
    ["brew tea --size huge", '--size must be small or large, not "huge"'],
    ["brew tea --size small --size large", "--size was given twice"],
    ["brew tea --hot=yes", "--hot takes no value"],
    ["brew", 'decern brew needs <drink>; "decern brew --help" shows how'],
    ["brew a b c d", 'unexpected argument "d"; "decern brew --help" shows how'],
    ["tap close", 'decern tap close needs slowly|fast; "decern tap close --help" shows how'],
    ["brwe tea", 'unknown command "brwe"; did you mean "brew"?'],
    ["toast", 'unknown command "toast"; "decern --help" lists all commands'],
    ["tap opne", 'unknown command "tap opne"; did you mean "tap open"?'],
    ["--hot brew", 'unknown option --hot; put options after the command, as in "decern eval --help"'],
    ["help toast", 'unknown command "toast"; "decern --help" lists all commands'],
  ])("%s: one sentence on standard error, and exit code 1", async (line, sentence) => {
    expect(await run(line)).toEqual({ code: 1, stdout: "", stderr: `decern: ${sentence}\n` });
  });

  it("ends with the exit code of its command", async () => {
    expect(await run("tap open")).toEqual({ code: 2, stdout: "", stderr: "" });
  });

  it("makes a sentence of what a command throws, and shows where only when asked", async () => {
    const sentence = "decern: the tap is: rusty; stuck\n";
    expect(await run("tap close fast")).toEqual({ code: 1, stdout: "", stderr: sentence });
    const { stderr } = await run("tap close fast", { env: { DECERN_DEBUG: "1" } });
    expect(stderr).toMatch(/^decern: .*\nError: the tap.*made-up-commands/s);
  });

  it("ends as a shell expects it when it was asked to stop", async () => {
    const codes = (["SIGINT", "SIGTERM"] as const).map(async (signal) => {
      const io = memoryIo();
      const stopping = {
        ...madeUpCommands[1],
        run: () => Promise.reject(new StopRequest(signal)),
      } as (typeof madeUpCommands)[number];
      const code = await runCommandLine([stopping], ["tap", "open"], io);
      return [code, (await io.read()).stderr];
    });
    expect(await Promise.all(codes)).toEqual([
      [130, ""],
      [143, ""],
    ]);
  });
});

describe("help", () => {
  it.each(["--help", "-h", "help"])("%s lists every command on standard output", async (line) => {
    const { code, stdout, stderr } = await run(line);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    for (const { name, summary } of madeUpCommands) {
      expect(stdout).toMatch(new RegExp(`^ {2}${name} +${summary}$`, "m"));
    }
  });

  it("comes on standard error, with exit code 1, where no command is named", async () => {
    const { stdout: all } = await run("--help");
    expect(await run("")).toEqual({ code: 1, stdout: "", stderr: all });
    const { stdout: group } = await run("tap --help");
    expect(await run("tap")).toEqual({ code: 1, stdout: "", stderr: group });
    expect(group).toContain("tap open");
    expect(group).not.toContain("brew");
  });

  it.each(["brew --help", "brew -h", "help brew", "brew --strength 9 --unknown --help", "brew tea -h"])(
    "%s shows examples, options and exit codes of a command",
    async (line) => {
      const { code, stdout, stderr } = await run(line);
      expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
      const at = ["Make a drink.", "decern brew <drink>", "decern brew tea --strength 3", "Makes tea."].map(
        (part) => stdout.indexOf(part),
      );
      expect(at.every((place) => place >= 0)).toBe(true);
      expect(at).toEqual([...at].sort((a, b) => a - b));
      expect(stdout).toMatch(/-s, --strength <number> /);
      expect(stdout).toMatch(/--size <size> +how much: small, large/);
      expect(stdout).toMatch(/--with <extra> .*\(may be repeated\)/);
      expect(stdout).toMatch(/ {2}1 {2}wrong use/);
    },
  );

  it("does not ask for help with what follows two dashes", async () => {
    expect(await called("brew -- --help")).toMatchObject({ positionals: ["--help"] });
  });

  it.each([60, 80, 200])("fits a terminal of %i columns", async (columns) => {
    const { stdout } = await run("brew --help", { columns });
    for (const line of stdout.split("\n")) expect(line.length).toBeLessThanOrEqual(columns);
  });

  it("is bold only where there are colours", async () => {
    const bold = "\u001b[";
    expect((await run("--help")).stdout).not.toContain(bold);
    const { stdout } = await run("--help", { hasColor: true });
    expect(stdout).toContain(`${bold}1mCommands${bold}22m`);
  });
});
