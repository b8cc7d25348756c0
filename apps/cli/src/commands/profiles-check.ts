import { defineCommand, exitCodes } from "../command-line/command.js";
import { formatOption, required } from "../command-line/options.js";
import { writeLines } from "../command-line/output.js";
import { plural } from "../text/text.js";

export const profilesCheckCommand = defineCommand({
  name: "profiles check",
  summary: "Check a file of profiles before a service loads it",
  positionals: "<file>",
  options: {
    against: required("<module>", "module with the decisions (required)"),
    ...formatOption,
  },
  examples: [
    [
      "decern profiles check profiles.json --against decisions.ts",
      "Prints every problem with its path, and warns of keys that the schema ignores. Use it in CI.",
    ],
  ],
  exits: {
    0: "a server would accept the file; there may be warnings",
    1: "wrong usage, or a file or module that cannot be read",
    2: "a server would reject the file; the output says why",
  },
  async run({ positionals: [path = ""], options }, io) {
    const { loadModule } = await import("../module/load-module.js");
    const { checkProfileFile, problemText, readProfileFile } = await import("../module/profile-file.js");
    const module = await loadModule(options.against, io.cwd);
    const file = await readProfileFile(path, io);
    const found = checkProfileFile(module, file);
    const { problems, warnings } = found;
    const count = plural(Object.keys(file.profiles).length, "profile");
    const lines = [
      ...problems.map((problem) => problemText(problem)),
      ...warnings.map((warning) => `warning: ${problemText(warning)}`),
      problems.length === 0
        ? `${file.name}: ${count}, valid`
        : `${file.name}: ${plural(problems.length, "problem")}`,
    ];
    await writeLines(io, options, found, lines);
    return problems.length === 0 ? exitCodes.ok : exitCodes.failed;
  },
});
