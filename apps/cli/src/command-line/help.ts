import type { Command, CommandIo, CommandOption } from "./command.js";
import { optionsOf } from "./parse-call.js";

/** Breaks a text into lines between words. A word that is longer than a line stays whole. */
function wrap(text: string, width: number): readonly string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(" ")) {
    const longer = line === "" ? word : `${line} ${word}`;
    if (longer.length <= width || line === "") line = longer;
    else {
      lines.push(line);
      line = word;
    }
  }
  return [...lines, line];
}

type Terminal = Pick<CommandIo, "columns" | "hasColor">;

/** The width of the terminal, within what is readable. */
function widthOf({ columns = 80 }: Terminal): number {
  return Math.min(Math.max(columns, 40), 100);
}

/** What `decern --help` prints, or, with the commands of a group, what `decern log --help` prints. */
export function commandsHelp(commands: readonly Command[], terminal: Terminal, group?: string): string {
  const name = group === undefined ? "decern" : `decern ${group}`;
  const start = group === undefined ? ["Serve, test and safely change business decisions.", ""] : [];
  const first = commands[0]?.name ?? "";
  return text([
    ...start,
    `${heading("Usage", terminal)}  ${name} <command> [arguments]`,
    "",
    heading("Commands", terminal),
    ...table(
      commands.map((command) => [command.name, command.summary]),
      terminal,
    ),
    "",
    `"decern ${first} --help" shows examples and options of a command.`,
    ...(group === undefined ? ['"decern --version" prints the version.'] : []),
  ]);
}

/** What `decern <command> --help` prints: examples first. */
export function commandHelp(command: Command, terminal: Terminal): string {
  const { name, summary, positionals, examples, exits } = command;
  const width = widthOf(terminal);
  const options = Object.entries(optionsOf(command));
  return text([
    ...wrap(`${summary}.`, width),
    "",
    `${heading("Usage", terminal)}  ${["decern", name, positionals, "[options]"].filter((part) => part !== "").join(" ")}`,
    "",
    heading("Examples", terminal),
    ...examples.flatMap(([line, what]) => [
      `  ${line}`,
      ...wrap(what, width - 6).map((part) => `      ${part}`),
    ]),
    "",
    heading("Options", terminal),
    ...table(
      options.map(([option, about]) => [nameOf(option, about), descriptionOf(about)]),
      terminal,
    ),
    "",
    heading("Exit codes", terminal),
    ...table(Object.entries(exits), terminal),
  ]);
}

function heading(words: string, { hasColor }: Terminal): string {
  return hasColor ? `\u001b[1m${words}\u001b[22m` : words;
}

function nameOf(option: string, { short, value }: CommandOption): string {
  const names = short === undefined ? `--${option}` : `-${short}, --${option}`;
  return value === undefined ? names : `${names} ${value}`;
}

function descriptionOf({ description, choices, multiple }: CommandOption): string {
  const allowed = choices === undefined ? "" : `: ${choices.join(", ")}`;
  return `${description}${allowed}${multiple === true ? " (may be repeated)" : ""}`;
}

/** Two columns; a first column that is too wide gets a line of its own. */
function table(rows: readonly (readonly [string, string])[], terminal: Terminal): readonly string[] {
  const widest = Math.max(...rows.map(([left]) => left.length));
  const left = Math.min(widest, 28);
  const indent = " ".repeat(left + 4);
  return rows.flatMap(([name, words]) => {
    const [first = "", ...more] = wrap(words, Math.max(widthOf(terminal) - left - 4, 20));
    const start =
      name.length > left ? [`  ${name}`, `${indent}${first}`] : [`  ${name.padEnd(left)}  ${first}`];
    return [...start, ...more.map((line) => `${indent}${line}`)];
  });
}

function text(lines: readonly string[]): string {
  return `${lines.join("\n")}\n`;
}
