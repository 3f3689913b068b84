# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# Completion of schedflip for bash. What may follow is known by the program itself.

# The words up to the cursor; bash has cut them at = and :, too.
_schedflip_words() {
	local i word joined=''
	words=()
	for ((i = 1; i <= COMP_CWORD; i++)); do
		word=${COMP_WORDS[i]}
		if [[ $joined || $word == [=:]* ]] && ((${#words[@]})); then
			words[-1]+=$word
		else
			words+=("$word")
		fi
		joined=''
		[[ $word != [=:]* ]] || joined=1
	done
}

_schedflip() {
	local candidate last head='' IFS=$'\n'
	local -a words
	COMPREPLY=()
	_schedflip_words
	last=${words[-1]}
	# Only what follows the last = is replaced.
	[[ $last == *=* && $COMP_WORDBREAKS == *=* ]] && head=${last%=*}=
	while IFS= read -r candidate; do
		case $candidate in
		'<files>') compopt -o default ;;
		'<command>') _schedflip_command "$last" ;;
		*=)
			compopt -o nospace
			COMPREPLY+=("${candidate#"$head"}")
			;;
		*) COMPREPLY+=("${candidate#"$head"}") ;;
		esac
	done < <("${COMP_WORDS[0]}" complete "${words[@]}" 2>/dev/null)
}

# The name of a command first, files behind it.
_schedflip_command() {
	local before=${COMP_WORDS[COMP_CWORD - 1]} candidate
	compopt -o default
	[[ $before == -- || $before == ab || $before == record ]] || return 0
	while IFS= read -r candidate; do
		COMPREPLY+=("$candidate")
	done < <(compgen -c -- "$1")
}

complete -F _schedflip schedflip
