# Prints what zsh offers for the last word of a line. Arguments: the script of completions, the line.
# Completion in zsh works only in its line editor, and that only in a terminal: this starts one, and types.
# No dump of compinit (-D): zsh would move it over whatever file it is told to write, and as root over a device as well.
zmodload zsh/zpty
zpty asked zsh -f -i
zpty -w asked "PROMPT=; stty -echo; autoload -Uz compinit; compinit -u -D; source ${(q)1}"
offered=$(mktemp)
zpty -w asked "OFFERED=${(q)offered}; bindkey '^I' complete-word"
zpty -w asked '
# Every match goes through compadd: this one notes them first. With -O, -A or -D nothing is offered yet.
compadd() {
  if [[ " ${(j: :)@[1,(i)--]} " != *" -[OAD] "* ]]; then
    local -a found
    builtin compadd -A found "$@"
    print -rl -- "${found[@]}" >> $OFFERED
  fi
  builtin compadd "$@"
}
_note_end() { print -r -- "<end>" >> $OFFERED; }
comppostfuncs=(_note_end)
'
zpty -w -n asked "$2"$'\t'
until [[ "$(<$offered)" == *"<end>"* ]]; do sleep 0.05; done
zpty -d asked
grep -v '^<end>$' $offered
rm -f $offered
