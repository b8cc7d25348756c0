import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, describe, expect, it } from "vitest";
import { allCommands } from "../../src/commands/all-commands.js";
import { bashCompletion, fishCompletion, zshCompletion } from "../../src/commands/completion-scripts.js";
import { madeUpCommands } from "../support/made-up-commands.js";

const folder = mkdtempSync(join(tmpdir(), "decern-completion-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
writeFileSync(join(folder, "recipe one.md"), "");
writeFileSync(join(folder, "recipe.txt"), "");

const run = promisify(execFile);
const env = { PATH: process.env["PATH"], HOME: folder, TERM: "xterm", LC_ALL: "C" };
const asker = (name: string): string => fileURLToPath(new URL(`../support/${name}`, import.meta.url));

/** Asks a real shell what it offers for the last word of a line. */
type Asks = (script: string, line: string) => Promise<readonly string[]>;

async function linesOf(file: string, args: readonly string[]): Promise<readonly string[]> {
  const { stdout } = await run(file, [...args], { cwd: folder, env });
  return stdout.split("\n").filter((line) => line !== "");
}

const shells: readonly (readonly [string, (commands: typeof allCommands) => string, Asks])[] = [
  ["bash", bashCompletion, (script, line) => linesOf("bash", ["--norc", asker("ask-bash.sh"), script, line])],
  ["zsh", zshCompletion, (script, line) => linesOf("zsh", ["-f", asker("ask-zsh.sh"), script, line])],
  [
    "fish",
    fishCompletion,
    async (script, line) => {
      const offered = await linesOf("fish", [
        "--no-config",
        "-c",
        "source $argv[1]; complete -C $argv[2]",
        script,
        line,
      ]);
      return offered.map((text) => text.split("\t")[0] ?? "");
    },
  ],
];

describe.each(shells)("%s", (shell, completion, ask) => {
  const made = join(folder, `made-up.${shell}`);
  writeFileSync(made, completion(madeUpCommands));
  const offers = async (line: string): Promise<readonly string[]> =>
    [...new Set(await ask(made, line))].map((word) => word.trim()).sort();

  it("completes commands, and those of a group", async () => {
    expect(await offers("decern br")).toEqual(["brew"]);
    expect(await offers("decern ")).toEqual(expect.arrayContaining(["brew", "tap"]));
    expect(await offers("decern tap ")).toEqual(["close", "open"]);
    expect(await offers("decern tap op")).toEqual(["open"]);
  });

  it("completes the options of the command, and of no other", async () => {
    expect(await offers("decern brew --s")).toEqual(["--size", "--strength"]);
    expect(await offers("decern tap open --f")).toEqual(["--fully"]);
    expect(await offers("decern tap close --f")).toEqual([]);
    expect(await offers("decern brew tea --hot --r")).toEqual(["--recipe"]);
  });

  it("completes the values of an option", async () => {
    expect(await offers("decern brew --size ")).toEqual(["large", "small"]);
    expect(await offers("decern brew tea --size la")).toEqual(["large"]);
    expect((await offers("decern brew --size=la")).map((word) => word.replace(/^--size=/, ""))).toEqual([
      "large",
    ]);
    expect(await offers("decern brew --strength ")).toEqual([]);
  });

  it("completes files where a file belongs, also with blanks", async () => {
    const names = (await offers("decern brew --recipe rec")).map((name) => name.replaceAll("\\", ""));
    expect(names.sort()).toEqual(["recipe one.md", "recipe.txt"]);
  });

  it("completes arguments that are one of some words", async () => {
    expect(await offers("decern tap close ")).toEqual(expect.arrayContaining(["fast", "slowly"]));
  });

  it("knows every command of decern", async () => {
    const script = join(folder, `own.${shell}`);
    writeFileSync(script, completion(allCommands));
    const names = allCommands.map(({ name }) => name.split(" ")[0] ?? "");
    const offered = (await ask(script, "decern ")).map((word) => word.trim());
    expect(offered).toEqual(expect.arrayContaining(names));
    expect((await ask(script, "decern completion f")).map((word) => word.trim())).toEqual(["fish"]);
    for (const { name, options } of allCommands) {
      const [option] = Object.keys(options);
      if (option === undefined) continue;
      const words = (await ask(script, `decern ${name} --${option}`)).map((word) => word.trim());
      expect(words, name).toContain(`--${option}`);
    }
  });
});
