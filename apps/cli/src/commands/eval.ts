import { type Command, CommandError, type CommandIo, exitCodes } from "../command-line/command.js";
import { readJson } from "../command-line/files.js";
import { decisionOptions, instant } from "../command-line/options.js";
import { writeText } from "../command-line/output.js";

const invalid = 3;

const fault = 4;

export const evalCommand: Command = {
  name: "eval",
  summary: "Evaluate a decision once and print its envelope as JSON",
  positionals: "<module> <id>",
  counts: [2, 2],
  options: {
    input: {
      value: "<file>",
      short: "i",
      description: "JSON file with the input, - for standard input (default: -)",
    },
    ...decisionOptions,
    now: {
      value: "<time>",
      description: "time of the evaluation, such as 2026-03-01T12:00:00Z (default: now)",
    },
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
  async run(call, io) {
    const {
      positionals: [path = "", id = ""],
      value,
    } = call;
    const now = instant(call, "now") ?? new Date();
    const { loadModule } = await import("../module/load-module.js");
    const { evaluateOnce } = await import("../module/decision-work.js");
    const { givenProfiles, withProfiles } = await import("../module/profile-file.js");
    const profiles = await givenProfiles(call, io);
    const module = withProfiles(await loadModule(path, io.cwd), profiles);
    const input = await readJson(inputFile(value("input"), io), io);
    const version = value("version");
    const profileName = value("profile-name");
    const evaluated = evaluateOnce(module, { id, version, profileName, input, now });
    if (evaluated.fault !== undefined) {
      await writeText(io.stderr, `decern: ${evaluated.fault}\n`);
      return fault;
    }
    await writeText(io.stdout, `${JSON.stringify(evaluated.envelope, undefined, 2)}\n`);
    return evaluated.isValid ? exitCodes.ok : invalid;
  },
};

function inputFile(given: string | undefined, { stdin }: CommandIo): string {
  if (given !== undefined) return given;
  // Otherwise, it isn't visible that the program waits for what is typed.
  if ("isTTY" in stdin && stdin.isTTY === true) {
    throw new CommandError("no input: pass a file with --input, or pipe it to standard input");
  }
  return "-";
}
