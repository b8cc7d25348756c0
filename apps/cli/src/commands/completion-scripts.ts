import type { Command, CommandOption } from "../command-line/command.js";
import { optionsOf } from "../command-line/parse-call.js";

/** What may follow an option or stand in a place: one of some words, a file, or something that only the user knows. */
type Completed = readonly string[] | "file" | "nothing";

function completedBy({ value, choices }: CommandOption): Completed {
  if (choices !== undefined) return choices;
  return value !== undefined && /^<(file|folder|module)>$/.test(value) ? "file" : "nothing";
}

/** What the arguments of a command are completed with, such as `bash|zsh|fish`, or files. */
function completedArguments({ positionals }: Command): Completed {
  if (positionals.includes("|")) return positionals.split("|");
  return positionals === "" ? "nothing" : "file";
}

/** One first word of a command line: a command, or a group such as `log`. */
interface FirstWord {
  readonly word: string;
  readonly summary: string;
  /** Empty for a command. */
  readonly members: readonly Command[];
}

function firstWords(commands: readonly Command[]): readonly FirstWord[] {
  const words = [...new Set(commands.map(({ name }) => name.split(" ")[0] ?? name))];
  return words.map((word) => {
    const members = commands.filter(({ name }) => name.startsWith(`${word} `));
    const own = commands.find(({ name }) => name === word);
    const names = members.map(({ name }) => lastWord(name)).join(", ");
    return { word, summary: own?.summary ?? `Commands: ${names}`, members };
  });
}

function lastWord(name: string): string {
  return name.split(" ").at(-1) ?? name;
}

/** A word for any POSIX shell and for zsh, whatever it contains. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

/** A script that completes command lines in bash. */
export function bashCompletion(commands: readonly Command[]): string {
  const firsts = firstWords(commands);
  const groups = firsts.filter(({ members }) => members.length > 0);
  return `# Completion of decern for bash. To have it in every shell, add to ~/.bashrc:
#   eval "$(decern completion bash)"
_decern() {
  local current=\${COMP_WORDS[COMP_CWORD]} previous=\${COMP_WORDS[COMP_CWORD-1]} command=\${COMP_WORDS[1]} place=1
  COMPREPLY=()
  # bash makes a word of the sign in --format=json.
  if [[ $current == "=" ]]; then
    current=""
  elif [[ $previous == "=" ]]; then
    previous=\${COMP_WORDS[COMP_CWORD-2]}
  fi
  if (( COMP_CWORD == 1 )); then
    _decern_words ${quoted([...firsts.map(({ word }) => word), "help", "--help", "--version"].join(" "))}
    return
  fi
  case $command in
${groups.map((group) => `    ${group.word}) place=2 ;;`).join("\n")}
  esac
  if (( place == 2 )); then
    if (( COMP_CWORD == 2 )); then
      case $command in
${groups.map(({ word, members }) => `        ${word}) _decern_words ${quoted(members.map(({ name }) => lastWord(name)).join(" "))} ;;`).join("\n")}
      esac
      return
    fi
    command="$command \${COMP_WORDS[2]}"
  fi
  case $command in
${commands.map(commandCase).join("\n")}
  esac
}
# The bash of macOS is 3.2: it has neither mapfile nor compopt.
_decern_words() { COMPREPLY=($(compgen -W "$1" -- "$current")); }
_decern_files() {
  local IFS=$'\\n'
  compopt -o filenames 2>/dev/null
  COMPREPLY=($(compgen -f -- "$current"))
}
complete -F _decern decern
`;
}

function commandCase(command: Command): string {
  const options = Object.entries(optionsOf(command));
  const names = options.flatMap(([name, option]) => namesOf(name, option)).join(" ");
  const values = options
    .filter(([, { value }]) => value !== undefined)
    .map(
      ([name, option]) =>
        `        ${namesOf(name, option).join("|")}) ${reply(completedBy(option))} return ;;`,
    );
  return `    ${quoted(command.name)})
      case $previous in
${values.join("\n")}
      esac
      if [[ $current == -* ]]; then
        _decern_words ${quoted(names)}
      else
        ${reply(completedArguments(command))}
      fi
      ;;`;
}

function namesOf(name: string, { short }: CommandOption): readonly string[] {
  return short === undefined ? [`--${name}`] : [`-${short}`, `--${name}`];
}

function reply(completed: Completed): string {
  if (completed === "nothing") return ":;";
  return completed === "file" ? "_decern_files;" : `_decern_words ${quoted(completed.join(" "))};`;
}

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
${commands.map(zshCommandCase).join("\n")}
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

function zshCommandCase(command: Command): string {
  const specs = Object.entries(optionsOf(command)).flatMap(([name, option]) => specsOf(name, option));
  return `    ${quoted(command.name)})
      _arguments -s -S \\
${[...specs, `'*:argument:${action(completedArguments(command))}'`].map((spec) => `        ${spec}`).join(" \\\n")}
      ;;`;
}

function specsOf(name: string, option: CommandOption): readonly string[] {
  const { value, description, multiple } = option;
  const names = namesOf(name, option);
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

/** A script that completes command lines in fish. */
export function fishCompletion(commands: readonly Command[]): string {
  const firsts = firstWords(commands);
  const lines = [
    ...firsts.map(({ word, summary }) => fishLine("__decern_words 0", ["-a", word, "-d", summary])),
    ...firsts.flatMap(({ word, members }) =>
      members.map(({ name, summary }) =>
        fishLine(`__decern_words 1 ${word}`, ["-a", lastWord(name), "-d", summary]),
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
  const files = completed === "file" ? [fishLine(condition, ["-F"])] : [];
  const words = typeof completed === "string" ? [] : [fishLine(condition, ["-a", completed.join(" ")])];
  const options = Object.entries(optionsOf(command)).map(([name, option]) =>
    fishLine(condition, ["-l", name, ...optionArguments(option), "-d", option.description]),
  );
  return [...files, ...words, ...options];
}

function optionArguments(option: CommandOption): readonly string[] {
  const { short, value } = option;
  const names = short === undefined ? [] : ["-s", short];
  const completed = completedBy(option);
  if (value === undefined) return names;
  if (typeof completed === "string") return [...names, ...(completed === "file" ? ["-r", "-F"] : ["-x"])];
  return [...names, "-x", "-a", completed.join(" ")];
}

function fishLine(condition: string, parts: readonly string[]): string {
  return ["complete -c decern -n", fishWord(condition), ...parts.map(fishWord)].join(" ");
}

function fishWord(part: string): string {
  if (/^-?[\w-]+$/.test(part)) return part;
  return `'${part.replaceAll(/[\\']/g, (sign) => `\\${sign}`)}'`;
}
