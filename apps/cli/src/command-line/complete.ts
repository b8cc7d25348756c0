import type { Command, CommandOption } from "./command.js";
import { firstWords, optionsOf } from "./parse-call.js";

/** What shells put before the words of a line, so that one table completes in all of them. */
export const completeWord = "__complete";

/** A word that completes a line, and what it means. */
type Candidate = readonly [word: string, meaning: string];

const files = ":files";

/**
 * Completes a command line.
 *
 * @param words - those behind `decern`, up to the one that is being typed, which may be empty
 * @returns lines of a word, a tab and its meaning; or only `:files` if the name of a file belongs there
 */
export function completions(commands: readonly Command[], words: readonly string[]): string {
  // bash makes words of the parts of `--format=json`, and completes the last one.
  const typed = words.at(-1) === "=" ? "" : (words.at(-1) ?? "");
  const before = words.slice(0, -1).filter((word) => word !== "=");
  const [, option, value] = /^(--[^=]+)=(.*)$/s.exec(typed) ?? [];
  const found =
    option === undefined
      ? candidates(commands, before, typed)
      : candidates(commands, [...before, option], value ?? "");
  if (found === files) return `${files}\n`;
  const start = option === undefined ? "" : `${option}=`;
  return found
    .map(([word, meaning]) => [start + word, meaning] as const)
    .filter(([word]) => word.startsWith(typed))
    .map(([word, meaning]) => `${word}\t${meaning}\n`)
    .join("");
}

function candidates(
  commands: readonly Command[],
  before: readonly string[],
  typed: string,
): readonly Candidate[] | typeof files {
  const [first, ...more] = before;
  if (first === undefined)
    return [...wordsOf(commands), ["help", "Show help"], ["--help", ""], ["--version", ""]];
  if (first === "help") return more.length === 0 ? wordsOf(commands) : membersOf(commands, more);
  const command = commands.find(({ name }) => `${before.join(" ")} `.startsWith(`${name} `));
  if (command === undefined) return membersOf(commands, before);
  const options = Object.entries(optionsOf(command));
  const last = before.at(-1) ?? "";
  const [, asked] = options.find(([name, option]) => namesOf(name, option).includes(last)) ?? [];
  if (asked?.value !== undefined) return valuesOf(asked);
  if (typed.startsWith("-")) return optionNames(options, before);
  const { positionals } = command;
  if (positionals.includes("|")) return positionals.split("|").map((word) => [word, ""]);
  return positionals === "" ? [] : files;
}

/** Commands, and groups with the names of their members. */
function wordsOf(commands: readonly Command[]): readonly Candidate[] {
  return firstWords(commands).map((word) => {
    const own = commands.find(({ name }) => name === word);
    const members = membersOf(commands, [word]).map(([name]) => name);
    return [word, own?.summary ?? `Commands: ${members.join(", ")}`];
  });
}

function membersOf(commands: readonly Command[], [group, ...more]: readonly string[]): readonly Candidate[] {
  if (more.length > 0) return [];
  const members = commands.filter(({ name }) => name.startsWith(`${group} `));
  return members.map(({ name, summary }) => [name.split(" ").at(-1) ?? name, summary]);
}

function namesOf(name: string, { short }: CommandOption): readonly string[] {
  return short === undefined ? [`--${name}`] : [`--${name}`, `-${short}`];
}

function valuesOf({ value = "", choices }: CommandOption): readonly Candidate[] | typeof files {
  if (choices !== undefined) return choices.map((choice) => [choice, ""]);
  return /^[<[](file|folder|module)[>\]]$/.test(value) ? files : [];
}

function optionNames(
  options: readonly (readonly [string, CommandOption])[],
  before: readonly string[],
): readonly Candidate[] {
  const given = new Set(before.map((word) => word.replace(/=.*$/s, "")));
  return options
    .filter(
      ([name, option]) => option.multiple === true || !namesOf(name, option).some((own) => given.has(own)),
    )
    .flatMap(([name, option]) => namesOf(name, option).map((own): Candidate => [own, option.description]));
}
