#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# When the text of the utility has colours, and where, on a tree of files in place of the
# kernel's; and its help and versions. Prints TAP.
#
# shellcheck disable=SC2119,SC2154 # the arguments of tree may be left out

set -euo pipefail

# shellcheck source=test/unit/utility_leases
. "$(dirname -- "${BASH_SOURCE[0]}")/utility_leases"

escape=$'\033'
head="$escape\\[1m"
alert="$escape\\[1;31m"
notice="$escape\\[33m"
policy="$escape\\[36m"
end="$escape\\[0m"

# terminal [OPTION...]: as run, but on a terminal; variables of its own are in $set.
terminal() {
	local words
	code=0
	# shellcheck disable=SC2086 # words
	printf -v words '%q ' env "SCHEDFLIP_SYSROOT=$root" TERM=xterm ${set:-} \
		"$work/schedflip" "$@"
	script -qec "$words" /dev/null </dev/null >"$work/out" 2>"$work/err" || code=$?
}

colored() {
	prints "$1" "$escape\\["
}

plain() {
	prints_not "$1" "$escape\\["
}

test_when() {
	tree jitter
	says ''
	run
	plain "auto: not into a file"
	run --color always
	colored "always: into a file"
	run --color=always show
	colored "always: before the command"
	terminal
	colored "auto: on a terminal"
	terminal --color auto
	colored "auto: said in words"
	terminal --color never
	plain "never: on a terminal"
	set='NO_COLOR=1' terminal
	plain "NO_COLOR"
	set='NO_COLOR=' terminal
	colored "NO_COLOR that is empty"
	set='NO_COLOR=1' terminal --color always
	colored "NO_COLOR, but always"
	set='TERM=dumb' terminal
	plain "a dumb terminal"
	terminal -j --color always
	plain "JSON never"
	run show --color sometimes
	expect "a word that is none" 2 \
		'schedflip: no color "sometimes"; known: auto always never'
	run -j show --color sometimes
	json "a word that is none, JSON" 2
}

# Without what colours it, the text is the same to the byte.
test_same() {
	local words
	tree jitter
	says 'hooks=off off_reason=sysrq lease=pending lease_id=1 lease_left_ms=9000'
	for words in show check 'sim windows --windows 10' 'sim trap --period 4 --calls 1000'; do
		# shellcheck disable=SC2086 # words
		run $words --color never
		cp "$work/out" "$work/plain"
		# shellcheck disable=SC2086 # words
		run $words --color always
		colored "$words: has colours"
		sed -i "s/$escape\\[[0-9;]*m//g" "$work/out"
		check "$words: and the same text" cmp "$work/out" "$work/plain"
	done
}

test_where() {
	state='burst=spread slowpath=random cost=bump' tree jitter
	says 'hooks=off off_reason=sysrq trips=1 trip_reason=too-deep'
	run --color always
	prints "OFF" "^${alert}OFF$end by sysrq"
	prints "the last tripwire" "^${notice}last$end tripwire"
	prints "heads" "${head}NEWIDLE"
	prints "a policy" "${policy}jitter"
	prints "the slow path's" "${policy}random"
	prints "burst's" "${policy}spread"
	prints "cost's" "${policy}bump"
	tree
	says 'hooks=dead lease=pending lease_id=1 lease_left_ms=9000'
	run --color always
	prints "DEAD" "^${alert}DEAD$end: "
	prints "a lease" "^${notice}lease$end: "
	prints_not "stock has none" "${policy}"
	says 'hooks=detached'
	run --color always
	prints "DETACHED" "^${alert}DETACHED$end: "
	run check --color always
	prints "check: missing" "${alert}missing"
}

# A table without colours is in columns, with the domains under their CPU.
test_tree() {
	tree jitter stagger
	run
	prints "a CPU" '^CPU 0 *$'
	check "its domains" grep -Eq '^(├─|\|-)0 SMT +jitter' "$work/out"
	check "the last of them" grep -Eq '^(└─|`-)1 MC +jitter' "$work/out"
}

test_help() {
	local words
	run help
	expect "help" 0 ''
	prints "help: a command" '^  set  *set the policy of domains$'
	cp "$work/out" "$work/first"
	run --help
	check "--help is the same" cmp "$work/out" "$work/first"
	run help set
	expect "help set" 0 ''
	cp "$work/out" "$work/first"
	run set --help
	check "set --help is the same" cmp "$work/out" "$work/first"
	run help nonsense
	expect "help of what is no command" 2
	run report --help
	expect "help needs no argument" 0 ''
	run set --help --nonsense --hooks
	expect "help is not refused for what follows" 0 ''
	run set --nonsense --help
	expect "but for what comes before" 2
	run set --usage
	prints "usage" '^Usage: schedflip set '
	for words in 'help -j' '-j help' 'help set -j' '-j help set' 'set --help --json' \
		'-j --help'; do
		# shellcheck disable=SC2086 # words
		run $words
		json "$words" 0
		prints "$words: has set" '"command": "set"'
	done
	run -j help nonsense
	json "help of what is no command, JSON" 2
}

# refused TEXT: it is not what show -j may print.
refused() {
	mkdir -p "$work/bad"
	printf '%s\n' -j >"$work/bad/1.args"
	echo "$1" >"$work/bad/1.json"
	! "$top/test/schema" "$work/bad"
}

# The check of all JSON, which every script ends in, is one.
test_schemas() {
	local error='"message": "no", "exit_code": 1' name
	run help
	sed -n 's/^  \([a-z]*\)  .*/\1/p' "$work/out" >"$work/names"
	while read -r name; do
		check "$name has a schema" test -s "$top/docs/schema/$name.json"
	done <"$work/names"
	check "what is no JSON is told" refused '{'
	check "and what has no key" refused '{"schema_version": 1}'
	check "and another version" refused "{\"schema_version\": 2, \"error\": {$error}}"
	check "and one key more" refused "{\"schema_version\": 1, \"error\": {$error}, \"x\": 1}"
	check "and NaN" refused "{\"schema_version\": 1, \"error\": {\"message\": NaN}}"
	check "and no more" eval "! refused '{\"schema_version\": 1, \"error\": {$error}}'"
}

test_version() {
	tree
	rm -r "$root/sys/module/schedflip"
	run --version
	expect "version" 0 ''
	prints "version: of the utility" '^schedflip 0.1, ABI 1$'
	prints "version: no module" '^module: not loaded$'
	run -V -j
	json "version: JSON" 0
	prints "version: no module in the JSON" '"module_version": null'
	tree
	rm "$debugfs/version"
	run --version
	prints "version: a module of which nothing is known" '^module: unknown$'
	echo 0.9 >"$root/sys/module/schedflip/version"
	run -V
	prints "version: of the module" '^module: 0.9$'
	run report -V -j
	json "version: of a command" 0
	prints "version: of the module in the JSON" '"module_version": "0.9"'
}

test_when
test_same
test_where
still
test_tree
test_help
test_schemas
test_version
schemas
echo "1..$number"
