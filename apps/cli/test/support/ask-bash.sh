# Prints what bash offers for the last word of a line. Arguments: the script of completions, the line.
source "$1"
COMP_LINE=$2
# As readline splits it: the sign in --format=json is a word of its own.
read -ra COMP_WORDS <<<"${COMP_LINE//=/ = }"
[[ $COMP_LINE == *" " || $COMP_LINE == *"=" ]] && COMP_WORDS+=("")
COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
COMP_POINT=${#COMP_LINE}
[[ $(complete -p decern) == *"-F _decern decern" ]] || exit 1
_decern decern "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD - 1]}"
printf '%s\n' "${COMPREPLY[@]}"
