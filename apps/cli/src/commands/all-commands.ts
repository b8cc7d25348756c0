import { type Command, CommandError, exitCodes } from "../command-line/command.js";
import { writeText } from "../command-line/output.js";
import { bulkCommand } from "./bulk.js";
import { evalCommand } from "./eval.js";
import { exploreCommand } from "./explore.js";
import { lockCommand } from "./lock.js";
import { logEraseCommand, logFindCommand, logShowCommand, logStatsCommand, logVerifyCommand } from "./log.js";
import { profilesCheckCommand } from "./profiles-check.js";
import { replayCommand } from "./replay.js";
import { openapiCommand, serveCommand } from "./serve.js";
import { workerCommand } from "./worker.js";

const shells = ["bash", "zsh", "fish"] as const;

/** @param allCommands - what is completed; called late, because the list contains this command */
function completionCommand(allCommands: () => readonly Command[]): Command {
  return {
    name: "completion",
    summary: "Print a completion script for your shell",
    positionals: shells.join("|"),
    counts: [1, 1],
    options: {},
    examples: [
      ['eval "$(decern completion bash)"', "Completes in this shell; in ~/.bashrc, in every shell."],
      ['eval "$(decern completion zsh)"', "The same for zsh, in ~/.zshrc below compinit."],
      ["decern completion fish > ~/.config/fish/completions/decern.fish", "The same for fish."],
    ],
    exits: { 0: "printed", 1: "wrong usage" },
    async run({ positionals: [shell = ""] }, { stdout }) {
      await writeText(stdout, await scriptFor(shell, allCommands()));
      return exitCodes.ok;
    },
  };
}

async function scriptFor(shell: string, commands: readonly Command[]): Promise<string> {
  const { bashCompletion, fishCompletion, zshCompletion } = await import("./completion-scripts.js");
  switch (shell) {
    case "bash":
      return bashCompletion(commands);
    case "zsh":
      return zshCompletion(commands);
    case "fish":
      return fishCompletion(commands);
    default:
      throw new CommandError(`completion is not available for "${shell}", only for ${shells.join(", ")}`);
  }
}

/** Every command, in the order in which help lists them. */
export const allCommands: readonly Command[] = [
  serveCommand,
  workerCommand,
  evalCommand,
  bulkCommand,
  profilesCheckCommand,
  replayCommand,
  lockCommand,
  exploreCommand,
  logFindCommand,
  logShowCommand,
  logVerifyCommand,
  logEraseCommand,
  logStatsCommand,
  openapiCommand,
  completionCommand(() => allCommands),
];
