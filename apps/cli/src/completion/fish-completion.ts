import type { Command, CommandOption } from "../command-line/command.js";
import { optionsOf } from "../command-line/parse-call.js";
import { completedArguments, completedBy, firstWords, lastWord } from "./words.js";

/** A script that completes command lines in fish. */
export function fishCompletion(commands: readonly Command[]): string {
  const firsts = firstWords(commands);
  const lines = [
    ...firsts.map(({ word, summary }) => line("__decern_words 0", ["-a", word, "-d", summary])),
    ...firsts.flatMap(({ word, members }) =>
      members.map(({ name, summary }) =>
        line(`__decern_words 1 ${word}`, ["-a", lastWord(name), "-d", summary]),
      ),
    ),
    ...commands.flatMap(commandLines),
  ];
  return `# Completion of decern for fish. To have it in every shell:
#   decern completion fish > ~/.config/fish/completions/decern.fish
# The words so far begin with those given, and, where the number is not "any", there are no more of them.
function __decern_words
    set -l words (commandline -opc)
    set -e words[1]
    set -l given $argv[2..-1]
    test $argv[1] = any; or test (count $words) -eq $argv[1]; or return 1
    set -l count (count $given)
    test $count -eq 0; or test "$words[1..$count]" = "$given"
end
complete -c decern -f
${lines.join("\n")}
`;
}

function commandLines(command: Command): readonly string[] {
  const condition = `__decern_words any ${command.name}`;
  const completed = completedArguments(command);
  const files = completed === "file" ? [line(condition, ["-F"])] : [];
  const words =
    completed === "file" || completed === "nothing" ? [] : [line(condition, ["-a", completed.join(" ")])];
  const options = Object.entries(optionsOf(command)).map(([name, option]) =>
    line(condition, ["-l", name, ...optionArguments(option), "-d", option.description]),
  );
  return [...files, ...words, ...options];
}

function optionArguments(option: CommandOption): readonly string[] {
  const { short, value } = option;
  const names = short === undefined ? [] : ["-s", short];
  if (value === undefined) return names;
  const completed = completedBy(option);
  if (completed === "file") return [...names, "-r", "-F"];
  return completed === "nothing" ? [...names, "-x"] : [...names, "-x", "-a", completed.join(" ")];
}

function line(condition: string, parts: readonly string[]): string {
  return ["complete -c decern -n", quoted(condition), ...parts.map(quoteValue)].join(" ");
}

function quoteValue(part: string): string {
  return /^-?[\w-]+$/.test(part) ? part : quoted(part);
}

function quoted(text: string): string {
  return `'${text.replaceAll(/[\\']/g, (sign) => `\\${sign}`)}'`;
}
