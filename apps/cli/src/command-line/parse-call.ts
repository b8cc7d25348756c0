import { parseArgs } from "node:util";
import { closest } from "../text/text.js";
import { type Command, type CommandCall, CommandError, type CommandOption, type Options } from "./command.js";
import { flag } from "./options.js";

const help: CommandOption = { ...flag("print this help"), short: "h" };

export function optionsOf(command: Command): Options {
  return { ...command.options, help };
}

/**
 * Reads what stands behind the name of a command.
 *
 * @returns `help` where the user asks for help, whatever else is wrong
 * @throws CommandError for an unknown option, a value that is missing or not allowed, and too few or too many arguments
 */
export function parseCall(command: Command, args: readonly string[]): CommandCall | "help" {
  const options = optionsOf(command);
  const { tokens } = parseArgs({
    args: [...args],
    options: parseOptions(options),
    // Our messages are better than those of a strict parse.
    strict: false,
    allowPositionals: true,
    tokens: true,
  });
  if (tokens.some((token) => token.kind === "option" && token.name === "help")) return "help";
  const given = new Map<string, string[]>();
  const positionals: string[] = [];
  /** Arguments that can be the values of options before them. */
  const candidates: { readonly values: string[]; readonly index: number }[] = [];
  for (const [index, token] of tokens.entries()) {
    if (token.kind === "positional") positionals.push(token.value);
    if (token.kind !== "option") continue;
    const option = Object.hasOwn(options, token.name) ? options[token.name] : undefined;
    if (option === undefined) throw unknownOption(command, token.rawName, Object.keys(options));
    const isRepeated = given.has(token.name) && option.multiple !== true;
    if (isRepeated) throw new CommandError(`--${token.name} was given twice`);
    const values = given.get(token.name) ?? [];
    values.push(checkedValue(token, option));
    given.set(token.name, values);
    const next = tokens[index + 1];
    const isFree = isOptional(option) && token.value === undefined && next?.kind === "positional";
    if (isFree) candidates.push({ values, index: positionals.length });
  }
  // `--csv results.csv`, where the value may be left out, is an option and an argument unless that would be one too many. From the
  // last one, because each that is taken moves those behind it.
  for (const { values, index } of candidates.reverse()) {
    if (positionals.length > mostPositionals(command)) values.splice(0, 1, ...positionals.splice(index, 1));
  }
  checkCount(command, positionals);
  const values = Object.entries(command.options).map(([name, option]) => {
    const own = given.get(name) ?? [];
    if (option.required === true && own.length === 0) {
      throw new CommandError(`decern ${command.name} needs --${name} ${option.value}; ${howTo(command)}`);
    }
    return [name, option.read(own, name)] as const;
  });
  return { positionals, options: Object.fromEntries(values) };
}

function howTo({ name }: Command): string {
  return `"decern ${name} --help" shows how`;
}

type ParseOptions = NonNullable<NonNullable<Parameters<typeof parseArgs>[0]>["options"]>;

function parseOptions(options: Options): ParseOptions {
  const entries = Object.entries(options).map(([name, option]) => {
    const { value, short } = option;
    const type = value === undefined || isOptional(option) ? ("boolean" as const) : ("string" as const);
    return [name, { type, multiple: true, ...(short === undefined ? {} : { short }) }] as const;
  });
  return Object.fromEntries(entries);
}

/** Whether an option's value may be left out. */
function isOptional({ value }: CommandOption): boolean {
  return value?.startsWith("[") === true;
}

interface OptionToken {
  readonly name: string;
  readonly value: string | undefined;
  readonly inlineValue: boolean | undefined;
}

/** The value of an option; empty for a flag. */
function checkedValue({ name, value, inlineValue }: OptionToken, option: CommandOption): string {
  if (option.value === undefined) {
    if (value !== undefined) throw new CommandError(`--${name} takes no value`);
    return "";
  }
  if (isOptional(option) && value === undefined) return "";
  // In `--input --now`, the value was forgotten. A single dash stands for standard input.
  const isForgotten = inlineValue !== true && value !== undefined && /^-./.test(value);
  if (value === undefined || value === "" || isForgotten) {
    throw new CommandError(`--${name} needs a value: --${name} ${option.value}`);
  }
  if (option.choices !== undefined && !option.choices.includes(value)) {
    throw new CommandError(`--${name} must be ${anyOf(option.choices)}, not "${value}"`);
  }
  return value;
}

function anyOf(words: readonly string[]): string {
  const last = words.at(-1) ?? "";
  return words.length < 2 ? last : `${words.slice(0, -1).join(", ")} or ${last}`;
}

function unknownOption(command: Command, typed: string, names: readonly string[]): CommandError {
  const near = closest(typed.replace(/^-+/, ""), names);
  const hint =
    near === undefined ? `"decern ${command.name} --help" lists what there is` : `did you mean --${near}?`;
  return new CommandError(`unknown option ${typed}; ${hint}`);
}

function placesOf({ positionals }: Command): readonly string[] {
  return positionals.split(" ").filter((place) => place !== "");
}

function mostPositionals(command: Command): number {
  return command.positionals.includes("…") ? Number.POSITIVE_INFINITY : placesOf(command).length;
}

/** `[input]` may be left out, and of `<records…>` there may be more. */
function checkCount(command: Command, given: readonly string[]): void {
  const places = placesOf(command);
  const missing = places.filter((place) => !place.startsWith("["))[given.length];
  if (missing !== undefined) {
    throw new CommandError(`decern ${command.name} needs ${missing}; ${howTo(command)}`);
  }
  if (given.length > mostPositionals(command)) {
    throw new CommandError(`unexpected argument "${given[places.length]}"; ${howTo(command)}`);
  }
}

/** A command and what stands behind its name, or the commands of a group such as `log`. */
type Choice =
  | { readonly command: Command; readonly args: readonly string[] }
  | { readonly group: string; readonly commands: readonly Command[] };

/**
 * Finds the command that is called.
 *
 * @throws CommandError when there is none of that name
 */
export function chooseCommand(commands: readonly Command[], args: readonly string[]): Choice {
  const [first = "", second = ""] = args;
  const single = commands.find(({ name }) => name === first);
  if (single !== undefined) return { command: single, args: args.slice(1) };
  const members = commands.filter(({ name }) => name.startsWith(`${first} `));
  if (members.length === 0) throw unknownCommand(first, firstWords(commands));
  const member = members.find(({ name }) => name === `${first} ${second}`);
  if (member !== undefined) return { command: member, args: args.slice(2) };
  if (second === "" || second.startsWith("-")) return { group: first, commands: members };
  throw unknownCommand(
    `${first} ${second}`,
    members.map(({ name }) => name),
  );
}

/** Commands and groups, such as `log`. */
export function firstWords(commands: readonly Command[]): readonly string[] {
  return [...new Set(commands.map(({ name }) => name.split(" ")[0] ?? name))];
}

function unknownCommand(typed: string, names: readonly string[]): CommandError {
  const near = closest(typed, names);
  const hint = near === undefined ? '"decern --help" lists all commands' : `did you mean "${near}"?`;
  return new CommandError(`unknown command "${typed}"; ${hint}`);
}
