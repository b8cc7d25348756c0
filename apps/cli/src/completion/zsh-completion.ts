import type { Command, CommandOption } from "../command-line/command.js";
import { optionsOf } from "../command-line/parse-call.js";
import { type Completed, completedArguments, completedBy, firstWords, lastWord, quoted } from "./words.js";

/** A script that completes command lines in zsh. */
export function zshCompletion(commands: readonly Command[]): string {
  const firsts = firstWords(commands);
  const groups = firsts.filter(({ members }) => members.length > 0);
  return `# Completion of decern for zsh. To have it in every shell, add to ~/.zshrc, below compinit:
#   eval "$(decern completion zsh)"
_decern() {
  local command=$words[2] skip=1
  local -a names
  if (( CURRENT == 2 )); then
    names=(
${described(firsts.map(({ word, summary }) => [word, summary]))}
    )
    _describe command names
    return
  fi
  case $command in
${groups
  .map(
    ({ word, members }) => `    ${word})
      if (( CURRENT == 3 )); then
        names=(
${described(members.map(({ name, summary }) => [lastWord(name), summary]))}
        )
        _describe command names
        return
      fi
      command="$command $words[3]" skip=2
      ;;`,
  )
  .join("\n")}
  esac
  # What follows is completed as if the command were a program of its own.
  words=("\${(@)words[1+skip,-1]}")
  (( CURRENT -= skip ))
  case $command in
${commands.map(commandCase).join("\n")}
  esac
}
compdef _decern decern
`;
}

function described(rows: readonly (readonly [string, string])[]): string {
  return rows
    .map(([name, summary]) => `      ${quoted(`${name}:${summary.replaceAll(":", "\\:")}`)}`)
    .join("\n");
}

function commandCase(command: Command): string {
  const specs = Object.entries(optionsOf(command)).flatMap(([name, option]) => specsOf(name, option));
  const rest = `'*:argument:${action(completedArguments(command))}'`;
  return `    ${quoted(command.name)})
      _arguments -s -S \\
${[...specs, rest].map((spec) => `        ${spec}`).join(" \\\n")}
      ;;`;
}

function specsOf(name: string, option: CommandOption): readonly string[] {
  const { short, value, description, multiple } = option;
  const names = short === undefined ? [`--${name}`] : [`-${short}`, `--${name}`];
  const words = description.replaceAll(/[[\]:\\]/g, (sign) => `\\${sign}`);
  const before = multiple === true ? "*" : names.length > 1 ? `(${names.join(" ")})` : "";
  return names.map((one) => {
    const sign = value === undefined ? "" : one.startsWith("--") ? "=" : "+";
    const message =
      value === undefined ? "" : `:${value.replaceAll(/[<>:]/g, "")}:${action(completedBy(option))}`;
    return quoted(`${before}${one}${sign}[${words}]${message}`);
  });
}

function action(completed: Completed): string {
  if (completed === "nothing") return " ";
  return completed === "file" ? "_files" : `(${completed.join(" ")})`;
}
