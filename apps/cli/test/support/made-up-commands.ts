import { type Command, defineCommand } from "../../src/command-line/command.js";
import { choice, flag, text, texts } from "../../src/command-line/options.js";

const exits = { 0: "done", 1: "wrong use" };

/** One command with every kind of option, and a group of two. Each writes what it was called with. */
export const madeUpCommands: readonly Command[] = [
  defineCommand({
    name: "brew",
    summary: "Make a drink",
    positionals: "<drink> [cups] [more]",
    options: {
      strength: text("<number>", "how strong; it's [1] to 5: strong", { short: "s" }),
      size: choice("<size>", ["small", "large"], "how much"),
      recipe: text("<file>", "what to follow"),
      with: texts("<extra>", "what to add"),
      hot: flag("warm it"),
    },
    examples: [["decern brew tea --strength 3", "Makes tea."]],
    exits,
    async run({ positionals, options: { strength, size, hot, with: extras } }, { stdout }) {
      stdout.write(JSON.stringify({ positionals, strength, size, hot, with: extras }));
      return 0;
    },
  }),
  {
    name: "tap open",
    summary: "Let water run",
    positionals: "",
    options: { fully: flag("as far as it goes") },
    examples: [["decern tap open --fully", "Opens the tap."]],
    exits,
    run: async () => 2,
  },
  {
    name: "tap close",
    summary: "Stop it",
    positionals: "slowly|fast",
    options: {},
    examples: [["decern tap close fast", "Closes the tap."]],
    exits,
    async run() {
      throw new Error("the tap is\n  - rusty\n  - stuck");
    },
  },
];
