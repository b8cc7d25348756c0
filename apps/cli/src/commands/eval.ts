import { CommandError, type CommandIo, defineCommand, exitCodes } from "../command-line/command.js";
import { readJson } from "../command-line/files.js";
import { decisionOptions, instant, text } from "../command-line/options.js";
import { jsonText, writeText } from "../command-line/output.js";

const invalid = 3;

const fault = 4;

export const evalCommand = defineCommand({
  name: "eval",
  summary: "Evaluate a decision once and print its envelope as JSON",
  positionals: "<module> <id>",
  options: {
    input: text("<file>", "JSON file with the input, - for standard input (default: -)", { short: "i" }),
    ...decisionOptions,
    now: instant("time of the evaluation, such as 2026-03-01T12:00:00Z (default: now)"),
  },
  examples: [
    ["decern eval decisions.ts loan-approval --input loan.json", "Evaluates the input in a file."],
    [
      "echo '{\"amount\": 5000}' | decern eval decisions.ts loan-approval",
      "Evaluates the input from standard input.",
    ],
    [
      "decern eval decisions.ts loan-approval -i loan.json --version 2.0.0 --now 2027-01-01",
      "Shows what version 2.0.0 returns at New Year.",
    ],
  ],
  exits: {
    0: "evaluated: OK or NO_MATCH",
    1: "wrong usage, or a module or file that cannot be read",
    3: "the input or the profile is invalid; the envelope says why",
    4: "the decision failed; the reason is on standard error",
  },
  async run({ positionals: [path = "", id = ""], options }, io) {
    const { now = new Date(), version, "profile-name": profileName } = options;
    const { loadModule } = await import("../module/load-module.js");
    const { evaluateOnce } = await import("../module/decision-work.js");
    const { givenProfiles, withProfiles } = await import("../module/profile-file.js");
    const profiles = await givenProfiles(options, io);
    const module = withProfiles(await loadModule(path, io.cwd), profiles);
    const input = await readJson(inputFile(options.input, io), io);
    const evaluated = evaluateOnce(module, { id, version, profileName, input, now });
    if (evaluated.fault !== undefined) {
      await writeText(io.stderr, `decern: ${evaluated.fault}\n`);
      return fault;
    }
    await writeText(io.stdout, jsonText(evaluated.envelope));
    return evaluated.isValid ? exitCodes.ok : invalid;
  },
});

function inputFile(given: string | undefined, { stdin }: CommandIo): string {
  if (given !== undefined) return given;
  // The user would not see that the program waits.
  if ("isTTY" in stdin && stdin.isTTY === true) {
    throw new CommandError("no input: pass a file with --input, or pipe it to standard input");
  }
  return "-";
}
