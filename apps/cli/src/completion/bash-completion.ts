import type { Command, CommandOption } from "../command-line/command.js";
import { optionsOf } from "../command-line/parse-call.js";
import { type Completed, completedArguments, completedBy, firstWords, lastWord, quoted } from "./words.js";

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
