import type { CommandOption } from "../command-line/command.js";

const emits = ["compact", "envelope"] as const;

export const emitOption: CommandOption = {
  value: "<form>",
  choices: emits,
  description: "form of the results (default: compact)",
};

/** @param text - one of the choices, if any */
export function emitOf(text: string | undefined): (typeof emits)[number] | undefined {
  return emits.find((form) => form === text);
}
