import { readFileSync } from "node:fs";
import { DecernError } from "@decern/core";
import { describe, expect, it } from "vitest";
import { commandHelp } from "../../src/command-line/help.js";
import { chooseCommand, parseCall } from "../../src/command-line/parse-call.js";
import { runCommandLine } from "../../src/command-line/run-command-line.js";
import { allCommands } from "../../src/commands/all-commands.js";
import { memoryIo } from "../support/memory-io.js";

/** The calls of `decern` in a line of a shell, without their redirections. */
function callsIn(line: string): readonly (readonly string[])[] {
  return line
    .split(/[|;]|&&|\$\(|\)"/)
    .map((part) =>
      part
        .replace(/[<>].*$/, "")
        .replace(/^\s*(\w+=\S+ +)*/, "")
        .trim(),
    )
    .filter((part) => part.startsWith("decern "))
    .map((part) =>
      [...part.matchAll(/'([^']*)'|"([^"]*)"|(\S+)/g)].map((found) => found[1] ?? found[2] ?? found[3] ?? ""),
    )
    .map((words) => words.slice(1));
}

const readme = readFileSync(new URL("../../README.md", import.meta.url), "utf8");

describe.each(allCommands.map((command) => [command.name, command] as const))(
  "decern %s",
  (name, command) => {
    it("teaches with examples that it understands", () => {
      expect(command.examples.length).toBeGreaterThan(0);
      for (const [line, what] of command.examples) {
        const calls = callsIn(line);
        expect(calls.length, line).toBeGreaterThan(0);
        for (const words of calls) {
          const choice = chooseCommand(allCommands, words);
          if (!("command" in choice)) throw new Error(`${line} calls no command`);
          expect(parseCall(choice.command, choice.args), line).not.toBe("help");
        }
        expect(what).toMatch(/^[A-Z].*\.$/);
      }
      expect(command.examples.some(([line]) => line.includes(`decern ${name}`))).toBe(true);
    });

    it("speaks as the others do", () => {
      expect(command.summary).toMatch(/^[A-Z].*[^.]$/);
      for (const [option, { description, short }] of Object.entries(command.options)) {
        expect(option).toMatch(/^[a-z]+(-[a-z]+)*$/);
        expect(["h", "help"]).not.toContain(option);
        expect(short).not.toBe("h");
        expect(description, option).not.toMatch(/\.$/);
      }
      expect(Object.keys(command.exits)).toEqual(expect.arrayContaining(["0", "1"]));
      if (command.options["format"]?.choices?.includes("json"))
        expect(command.options).toHaveProperty("json");
    });

    it("fits a terminal of 80 columns, but for what is to be copied", () => {
      const help = commandHelp(command, { columns: 80, hasColor: false });
      const copied = command.examples.map(([line]) => `  ${line}`);
      const long = help.split("\n").filter((line) => line.length > 80 && !copied.includes(line));
      expect(long.filter((line) => !line.startsWith("Usage"))).toEqual([]);
    });

    it("speaks of its own options and not of those of a library", async () => {
      const names = Object.keys(command.options);
      const camel = (option: string) => option.replaceAll(/-./g, (part) => part.slice(1).toUpperCase());
      const problems = [
        ...names.map((option) => ({ path: `/${camel(option)}`, message: "is required" })),
        { path: "/made/up", message: "is wrong" },
      ];
      const refusing = {
        ...command,
        positionals: "",
        run: async () => {
          throw new DecernError("INVALID_OPTIONS", { detail: "bulkFile", problems });
        },
      };
      const required = Object.entries(command.options).filter(([, option]) => option.required);
      const line = [...name.split(" "), ...required.flatMap(([option]) => [`--${option}`, "given"])];
      const io = memoryIo();
      expect(await runCommandLine([refusing], line, io)).toBe(1);
      const said = [...names.map((option) => `--${option} is required`), "/made/up: is wrong"];
      expect((await io.read()).stderr).toBe(`decern: ${said.join("; ")}\n`);
    });

    it("is described in the README", () => {
      expect(readme).toContain(`decern ${name}`);
    });
  },
);
