import type { Command, CommandOption } from "../command-line/command.js";

/** What may follow an option or stand in a place: one of some words, a file, or something that only the user knows. */
export type Completed = readonly string[] | "file" | "nothing";

export function completedBy({ value, choices }: CommandOption): Completed {
  if (choices !== undefined) return choices;
  return value !== undefined && /^<(file|folder|module)>$/.test(value) ? "file" : "nothing";
}

/** What the arguments of a command are completed with, such as `bash|zsh|fish`, or files. */
export function completedArguments({ positionals }: Command): Completed {
  if (positionals.includes("|")) return positionals.split("|");
  return positionals === "" ? "nothing" : "file";
}

/** One first word of a command line: a command, or a group such as `log`. */
export interface FirstWord {
  readonly word: string;
  readonly summary: string;
  /** Empty for a command. */
  readonly members: readonly Command[];
}

export function firstWords(commands: readonly Command[]): readonly FirstWord[] {
  const words = [...new Set(commands.map(({ name }) => name.split(" ")[0] ?? name))];
  return words.map((word) => {
    const members = commands.filter(({ name }) => name.startsWith(`${word} `));
    const own = commands.find(({ name }) => name === word);
    const names = members.map(({ name }) => lastWord(name)).join(", ");
    return { word, summary: own?.summary ?? `Commands: ${names}`, members };
  });
}

export function lastWord(name: string): string {
  return name.split(" ").at(-1) ?? name;
}

/** A word for any POSIX shell and for zsh, whatever it contains. */
export function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
