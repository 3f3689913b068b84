#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# The man pages have all that there is, nothing else, and print without a warning; make
# install puts them, and the completion, where they are looked for. Prints TAP.
#
# shellcheck disable=SC2016,SC2119 # a script in quotes; the arguments of tree may be left out

set -euo pipefail

# shellcheck source=test/unit/utility_tree
. "$(dirname -- "${BASH_SOURCE[0]}")/utility_tree"

dest=$work/dest

# check NAME COMMAND...: it succeeds.
check() {
	local name=$1 bad=0
	shift
	"$@" >"$work/out" 2>"$work/err" || bad=1
	result "$bad" "$name"
}

# page NAME: as text, in lines that are not cut.
page() {
	MANWIDTH=1000 MANPAGER=cat LC_ALL=C man --nh --nj -l "$dest/usr/share/man/$1" |
		sed 's/.\x08//g'
}

# clean FILE: groff has nothing to say of the page.
clean() {
	[ -z "$(LC_ALL=C.UTF-8 man --warnings=w -Tutf8 -Z -l "$1" 2>&1 >"$work/null")" ]
}

# options_of COMMAND: by its --help.
options_of() {
	run "$1" --help
	sed -n 's/^\(  -., \|      \)\(--[a-z-]*\)\(=.*\|  .*\|\)$/\1\2/p' "$work/out" |
		sed 's/^ *//'
}

# section COMMAND: the part of schedflip(8) that is about it.
section() {
	sed -n "/^   schedflip $1\\b/,/^   schedflip \\|^[A-Z]/p" "$work/page" | sed '1b; $d'
}

# Each option has an item of its own, and each item that looks like one is one.
test_options() {
	local command option text
	run --help
	sed -n 's/^  \([a-z]*\)  .*/\1/p' "$work/out" >"$work/commands"
	result "$([ "$(wc -l <"$work/commands")" -ge 15 ] && echo 0 || echo 1)" \
		"--help has commands"
	sed -n '/^OPTIONS OF ALL/,/^COMMANDS/p' "$work/page" >"$work/common"
	while read -r command; do
		section "$command" >"$work/section"
		check "$command is in schedflip(8)" grep -q . "$work/section"
		[ "$command" != help ] || continue
		options_of "$command" >"$work/options"
		while read -r option; do
			text="^       \\(.*; \\)\\?$option\\b"
			if ! grep -q -- "$text" "$work/section" "$work/common"; then
				echo "$option"
			fi
		done <"$work/options" >"$work/lacking"
		check "$command: all its options" test ! -s "$work/lacking"
		grep -o -- '^       .*--[a-z-]*' "$work/section" | grep -v '^        ' |
			grep -o -- '--[a-z-]*' | sort -u >"$work/told" || true
		grep -o -- '--[a-z-]*' "$work/options" | sort -u >"$work/known"
		check "$command: no other" test -z "$(comm -23 "$work/told" "$work/known")"
	done <"$work/commands"
}

# Kinds and values are those of the parser, as it completes them.
test_kinds() {
	local kind value
	section set >"$work/section"
	run complete set ''
	tr -d = <"$work/out" >"$work/kinds"
	while read -r kind; do
		run complete set "$kind="
		cp "$work/out" "$work/values"
		check "set $kind" grep -q "^       $kind=" "$work/section"
		while read -r value; do
			check "set $value" grep -Eq "^       $kind=(.*\\|)?${value#*=}(\\||\$)" \
				"$work/section"
		done <"$work/values"
	done <"$work/kinds"
}

# The names of the table $1 of the module's files.
files_of() {
	sed -n "/^static const struct sf_file $1\\[\\]/,/^}/p" "$top"/module/*.c |
		sed -n 's/^\t{ "\([a-z_]*\)".*/\1/p'
}

# told_in FROM TO: names that items between these headings have.
told_in() {
	sed -n "/^$1/,/^$2/p" "$work/page" | grep '^       [a-z]' | tr ',' '\n' |
		tr -d ' ' | grep -x '[a-z_]*' | sort
}

same() {
	diff <(echo "$1" | sort) <(echo "$2")
}

test_files() {
	local parameters
	check "the files at the top" same "$(files_of sf_files)" "$(told_in 'FILES AT' 'FILES OF')"
	check "the files of a domain" same "$(files_of sf_domain_files)" \
		"$(told_in 'FILES OF' MODULE)"
	parameters=$(grep -rhoE '^module_param(_cb|_named)?\([a-z_]+' "$top/module" | sed 's/.*(//')
	check "the module's parameters" same "$parameters" "$(told_in MODULE ERRORS)"
	grep -oE '\bE[A-Z]{3,}\b' "$top/docs/debugfs.md" | sort -u >"$work/errors"
	while read -r name; do
		check "$name" grep -q "^       $name\$" "$work/page"
	done <"$work/errors"
}

check "make install" make -s -C "$top/userspace" "O=$(dirname -- "$SCHEDFLIP")" \
	"DESTDIR=$dest" PREFIX=/usr install
for name in man8/schedflip.8 man5/schedflip-debugfs.5; do
	check "$name prints without a warning" clean "$dest/usr/share/man/$name"
done
printf '.TH bad 1\n.nonsense\n' >"$work/bad.1"
check "a bad page would not" eval '! clean "$work/bad.1"'
check "completion of bash" bash -c '. "$1" && complete -p schedflip' bash \
	"$dest/usr/share/bash-completion/completions/schedflip"
check "completion of zsh" grep -qx '#compdef schedflip' \
	"$dest/usr/share/zsh/site-functions/_schedflip"
tree
page man8/schedflip.8 >"$work/page"
test_options
test_kinds
page man5/schedflip-debugfs.5 >"$work/page"
test_files
echo "1..$number"
