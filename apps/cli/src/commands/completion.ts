import { type Command, CommandError, exitCodes } from "../command-line/command.js";
import { writeText } from "../command-line/write-text.js";

const shells = ["bash", "zsh", "fish"] as const;

/** @param allCommands - what is completed; called late, because the list contains this command */
export function completionCommand(allCommands: () => readonly Command[]): Command {
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
  switch (shell) {
    case "bash":
      return (await import("../completion/bash-completion.js")).bashCompletion(commands);
    case "zsh":
      return (await import("../completion/zsh-completion.js")).zshCompletion(commands);
    case "fish":
      return (await import("../completion/fish-completion.js")).fishCompletion(commands);
    default:
      throw new CommandError(`completion is not available for "${shell}", only for ${shells.join(", ")}`);
  }
}
