import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { runCommandLine } from "../../src/command-line/run-command-line.js";
import { allCommands } from "../../src/commands/all-commands.js";
import { memoryIo } from "../support/memory-io.js";

const folder = mkdtempSync(join(tmpdir(), "decern-completion-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
writeFileSync(join(folder, "recipe one.md"), "");
writeFileSync(join(folder, "recipe.txt"), "");

const run = promisify(execFile);
const path = (name: string): string => fileURLToPath(new URL(`../${name}`, import.meta.url));

/** Makes a `decern` that shells find first on their PATH. */
function program(name: string, ...args: readonly string[]): string {
  const bin = join(folder, name);
  mkdirSync(bin);
  const line = [process.execPath, ...args].map((word) => `'${word}'`).join(" ");
  writeFileSync(join(bin, "decern"), `#!/bin/sh\nexec ${line} "$@"\n`, { mode: 0o755 });
  return bin;
}

const madeUp = program("made-up", "--import", import.meta.resolve("tsx"), path("support/made-up-decern.ts"));
const own = program("own", path("../dist/main.js"));

/** Asks a real shell what it offers for the last word of a line. */
type Asks = (bin: string, script: string, line: string) => Promise<readonly string[]>;

const asks =
  (file: string, ...args: readonly string[]): Asks =>
  async (bin, script, line) => {
    const env = { PATH: `${bin}:${process.env["PATH"]}`, HOME: folder, TERM: "xterm", LC_ALL: "C" };
    const { stdout } = await run(file, [...args, script, line], { cwd: folder, env });
    // zsh adds a word more than once.
    const words = new Set(stdout.split("\n").map((line) => (line.split("\t")[0] ?? "").trim()));
    return [...words].filter((word) => word !== "").sort();
  };

const shells: readonly (readonly [string, Asks])[] = [
  ["bash", asks("bash", "--norc", path("support/ask-bash.sh"))],
  ["zsh", asks("zsh", "-f", path("support/ask-zsh.sh"))],
  ["fish", asks("fish", "--no-config", "-c", "source $argv[1]; complete -C $argv[2]")],
];

describe.each(shells)("%s", (shell, ask) => {
  const script = join(folder, `script.${shell}`);
  const offers = (line: string): Promise<readonly string[]> => ask(madeUp, script, line);

  beforeAll(async () => {
    const io = memoryIo();
    expect(await runCommandLine(allCommands, ["completion", shell], io)).toBe(0);
    writeFileSync(script, (await io.read()).stdout);
  });

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
    const names = allCommands.map(({ name }) => name.split(" ")[0] ?? "");
    expect(await ask(own, script, "decern ")).toEqual(expect.arrayContaining(names));
    expect(await ask(own, script, "decern completion f")).toEqual(["fish"]);
    for (const { name, options } of allCommands) {
      const [option] = Object.keys(options);
      if (option === undefined) continue;
      expect(await ask(own, script, `decern ${name} --${option}`), name).toContain(`--${option}`);
    }
  });
});
