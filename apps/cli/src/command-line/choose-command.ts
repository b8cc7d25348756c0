import { closest } from "./closest.js";
import { type Command, CommandError } from "./command.js";

/** A command and what stands behind its name, or the commands of a group such as `log`. */
export type Choice =
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

function firstWords(commands: readonly Command[]): readonly string[] {
  return [...new Set(commands.map(({ name }) => name.split(" ")[0] ?? name))];
}

function unknownCommand(typed: string, names: readonly string[]): CommandError {
  const near = closest(typed, names);
  const hint = near === undefined ? '"decern --help" lists all commands' : `did you mean "${near}"?`;
  return new CommandError(`unknown command "${typed}"; ${hint}`);
}
