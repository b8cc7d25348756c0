import { defineCommand, exitCodes } from "../command-line/command.js";
import { formatOption } from "../command-line/options.js";
import { writeLines } from "../command-line/output.js";
import { plural } from "../text/text.js";

export const lintCommand = defineCommand({
  name: "lint",
  summary: "Find clocks, randomness, I/O, mutation and waiting in rules",
  positionals: "<files…>",
  options: formatOption,
  examples: [
    ["decern lint src/decisions/", "Reads every rule, and the functions that rules call. Use it in CI."],
    ["decern lint decisions.ts --json", "Prints findings with their file, line, column and kind."],
  ],
  exits: {
    0: "rules only compute",
    1: "wrong usage, or a file that cannot be read",
    2: "a rule does something else; the output says what to do instead",
  },
  async run({ positionals, options }, io) {
    const { lintFiles } = await import("../lint/lint-files.js");
    const { advice } = await import("../lint/impure.js");
    const found = await lintFiles(positionals, io.cwd);
    const { files, rules, findings } = found;
    const lines = [
      ...findings.map(
        ({ file, line, column, kind, what, rule }) =>
          `${file}:${line}:${column}: ${kind}: ${what}, in ${rule}: ${advice[kind]}`,
      ),
      `${plural(rules, "rule")} in ${plural(files, "file")}, ${plural(findings.length, "finding")}`,
    ];
    await writeLines(io, options, found, lines);
    return findings.length === 0 ? exitCodes.ok : exitCodes.failed;
  },
});
