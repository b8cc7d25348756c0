import type { CommandCall, CommandOption } from "../command-line/command.js";

/** For commands that write text for people or JSON for programs. */
export const formatOption = {
  format: { value: "<format>", choices: ["text", "json"], description: "form of the output (default: text)" },
} as const satisfies Readonly<Record<string, CommandOption>>;

export function isJson(call: CommandCall): boolean {
  return call.value("format") === "json";
}

export function jsonText(value: unknown): string {
  return `${JSON.stringify(value, undefined, 2)}\n`;
}
