import { type Command, CommandError, defineCommand, exitCodes } from "../command-line/command.js";
import { completeWord } from "../command-line/complete.js";
import { writeText } from "../command-line/output.js";

const scripts: ReadonlyMap<string, string> = new Map([
  [
    "bash",
    `# Completion of decern for bash. To have it in every shell, add to ~/.bashrc:
#   eval "$(decern completion bash)"
# The bash of macOS is 3.2: it has neither mapfile nor compopt.
_decern() {
  local IFS=$'\\n' current=\${COMP_WORDS[COMP_CWORD]}
  COMPREPLY=($("\${COMP_WORDS[0]}" ${completeWord} "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null | cut -f 1))
  if [[ \${COMPREPLY[0]} == :files ]]; then
    compopt -o filenames 2>/dev/null
    COMPREPLY=($(compgen -f -- "\${current#=}"))
  fi
}
complete -F _decern decern
`,
  ],
  [
    "zsh",
    `# Completion of decern for zsh. To have it in every shell, add to ~/.zshrc, below compinit:
#   eval "$(decern completion zsh)"
_decern() {
  local -a found
  found=("\${(@f)$("\${words[1]}" ${completeWord} "\${(@)words[2,CURRENT]}" 2>/dev/null)}")
  if [[ $found[1] == :files ]]; then
    compset -P '--*='
    _files
    return
  fi
  # A colon divides a word from its meaning.
  found=("\${(@)found//:/\\\\:}")
  found=("\${(@)found/$'\\t'/:}")
  _describe command found
}
compdef _decern decern
`,
  ],
  [
    "fish",
    `# Completion of decern for fish. To have it in every shell:
#   decern completion fish > ~/.config/fish/completions/decern.fish
function __decern_complete
    set -l word (commandline -ct)
    set -l words (commandline -opc) "$word"
    set -l found ($words[1] ${completeWord} $words[2..-1] 2>/dev/null)
    if test "$found" = :files
        set -l start (string match -r -- '^--[^=]+=' "$word")
        printf "$start%s\\n" (__fish_complete_path (string replace -- "$start" '' "$word"))
    else
        printf '%s\\n' $found
    end
end
complete -c decern -f -a '(__decern_complete)'
`,
  ],
]);

export const completionCommand: Command = defineCommand({
  name: "completion",
  summary: "Print a completion script for your shell",
  positionals: [...scripts.keys()].join("|"),
  options: {},
  examples: [
    ['eval "$(decern completion bash)"', "Completes in this shell; in ~/.bashrc, in every shell."],
    ['eval "$(decern completion zsh)"', "The same for zsh, in ~/.zshrc below compinit."],
    ["decern completion fish > ~/.config/fish/completions/decern.fish", "The same for fish."],
  ],
  exits: { 0: "printed", 1: "wrong usage" },
  async run({ positionals: [shell = ""] }, { stdout }) {
    const script = scripts.get(shell);
    if (script === undefined) {
      const known = [...scripts.keys()].join(", ");
      throw new CommandError(`completion is not available for "${shell}", only for ${known}`);
    }
    await writeText(stdout, script);
    return exitCodes.ok;
  },
});
