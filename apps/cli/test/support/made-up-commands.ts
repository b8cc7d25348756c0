import type { Command } from "../../src/command-line/command.js";

const exits = { 0: "done", 1: "wrong use" };

/** One command with every kind of option, and a group of two. Each writes what it was called with. */
export const madeUpCommands: readonly Command[] = [
  {
    name: "brew",
    summary: "Make a drink",
    positionals: "<drink> <cups…>",
    counts: [1, 3],
    options: {
      strength: { value: "<number>", short: "s", description: "how strong; it's [1] to 5: strong" },
      size: { value: "<size>", choices: ["small", "large"], description: "how much" },
      recipe: { value: "<file>", description: "what to follow" },
      with: { value: "<extra>", multiple: true, description: "what to add" },
      hot: { description: "warm it" },
    },
    examples: [["decern brew tea --strength 3", "Makes tea."]],
    exits,
    async run(call, { stdout }) {
      const { positionals } = call;
      const [strength, size, hot] = [call.value("strength"), call.value("size"), call.flag("hot")];
      stdout.write(JSON.stringify({ positionals, strength, size, hot, with: call.values("with") }));
      return 0;
    },
  },
  {
    name: "tap open",
    summary: "Let water run",
    positionals: "",
    counts: [0, 0],
    options: { fully: { description: "as far as it goes" } },
    examples: [["decern tap open --fully", "Opens the tap."]],
    exits,
    run: async () => 2,
  },
  {
    name: "tap close",
    summary: "Stop it",
    positionals: "slowly|fast",
    counts: [1, 1],
    options: {},
    examples: [["decern tap close fast", "Closes the tap."]],
    exits,
    async run() {
      throw new Error("the tap is\n  - rusty\n  - stuck");
    },
  },
];
