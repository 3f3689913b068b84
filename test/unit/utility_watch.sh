#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Runs watch without a screen on a tree of files in place of the kernel's; prints TAP.
# On a terminal it is driven by utility_watch.c.
#
# shellcheck disable=SC2034,SC2154 # state and select are for the tree, which sets the rest

set -euo pipefail

# shellcheck source=test/unit/utility_tree
. "$(dirname -- "${BASH_SOURCE[0]}")/utility_tree"

# counts CALLS ATTEMPTS [FILTER]: in the lines of state that match; in one step, as from the
# kernel
counts() {
	sed "/${3:-.}/{s/calls=[0-9]*/calls=$1/;s/attempts=[0-9]*/attempts=$2/
		s/skipped=[0-9]*/skipped=$(($1 - $2))/}" "$debugfs/state" >"$work/state"
	mv "$work/state" "$debugfs/state"
}

# lines_of NUMBER REGEX: so many lines of the output match
lines_of() {
	local bad=0
	[ "$(grep -Ec -- "$2" "$work/out")" = "$1" ] || bad=1
	result "$bad" "$3"
}

# begin OPTION...: in the background
begin() {
	SCHEDFLIP_SYSROOT=$root "$work/schedflip" watch -i 0.2 "$@" >"$work/out" \
		2>"$work/err" &
	watching=$!
}

# until_line REGEX [COUNT]: so many lines are there, or it has taken too long
until_line() {
	local tries=100
	until [ "$(grep -Ec -- "$1" "$work/out")" -ge "${2:-1}" ] || [ "$tries" = 0 ]; do
		tries=$((tries - 1))
		sleep 0.1
	done
}

# end [SIGNAL]
end() {
	kill -s "${1:-TERM}" "$watching"
	code=0
	wait "$watching" || code=$?
}

test_plain() {
	state='slowpath=random' tree jitter
	run watch -i 0.1 -n 2
	expect "plain: ends after two intervals" 0 ''
	lines_of 1 '^TIME  *DOMAIN  *CPUS  *NEWIDLE  *CALLS\[/s\]' "plain: one head"
	lines_of 4 '^..:..:.. (SMT|MC)  *2 jitter  *0\.0  *0\.0  *-  *-  *31\.0' \
		"plain: a line a level and interval"
	run watch -i 0.1 -n 1 --cpu 1 --domain MC
	expect "plain: filtered" 0 ''
	lines_of 1 '^..:..:.. MC  *1 ' "plain: one CPU of one level"
	lines_of 0 ' SMT ' "plain: and of no other"
}

test_rates() {
	tree
	begin
	until_line ' MC '
	counts 14000 6000
	until_line ' 50\.0  *0\.0  *31\.0 ' 2
	lines_of 2 '(SMT|MC)  *2 stock  *[0-9]{5,}\.[0-9]  *[0-9]{5,}\.[0-9]  *50\.0  *0\.0' \
		"rates: of two CPUs"
	counts 10 5
	until_line ' -  *-  *-  *-  *31\.0 ' 2
	lines_of 2 '(SMT|MC)  *2 stock  *-  *-  *-  *-  *31\.0 ' "rates: counters went back"
	counts 20 10 cpu=1
	end
	expect "rates: ends by SIGTERM" 0 ''
	prints_not "rates: none is negative" '-[0-9]|nan|inf'
}

test_changes() {
	tree
	begin
	until_line ' MC '
	sed -i 's/newidle=stock/newidle=dice/' "$debugfs/state"
	until_line '^#'
	prints "changes: a flip" '^# ..:..:.. newidle stock -> dice on SMT MC (4 domains)$'
	rm -r "$root/sys/module/schedflip"
	until_line 'waiting for it$'
	prints "changes: the module goes" "^# ..:..:.. the module is not loaded; load it: \
schedflip load; waiting for it$"
	lines_of 1 'waiting for it$' "changes: it is told once"
	mkdir -p "$root/sys/module/schedflip"
	until_line 'the module is back$'
	prints "changes: the module comes" '^# ..:..:.. the module is back$'
	end INT
	expect "changes: ends by Ctrl-C" 0 ''
}

test_json() {
	tree dice
	run watch -j -i 0.1 -n 2
	expect "JSON" 0 ''
	lines_of 2 '^\{"schema_version":1,.*\}$' "JSON: one object a line"
	sed -n 1p "$work/out" >"$work/first"
	cp "$work/first" "$work/out"
	json "JSON: the line is an object" 0
	prints "JSON: rates are real numbers" '"calls_per_s":0\.0,"attempts_per_s":0\.0,'
	prints "JSON: 0 of 0 is null" '"skip_percent":null,"hit_rate_percent":null,'
	prints "JSON: the real interval" '"interval_s":0\.[1-9]'
	prints "JSON: the levels" '"name":"SMT",.*"cpus":2,.*"name":"MC",.*"newidle":"dice"'
	prints "JSON: no trouble" '"trouble":null,'
	begin -j
	until_line 'schema_version'
	rm -r "$root/sys/module/schedflip"
	until_line '"trouble":"'
	end
	expect "JSON: without the module" 0 ''
	prints "JSON: the module goes" '"interval_s":null,.*"trouble":"the module is not loaded'
	prints "JSON: it is told" '"changes":\["the module is gone"\],"domains":\[\]'
}

test_refused() {
	local words
	tree
	for words in '-i 0.01' '-i 3601' '-i -1' '-i x' '-n 0' '-n x'; do
		# shellcheck disable=SC2086 # option and value
		run watch $words
		expect "watch $words" 2
	done
	run watch -i 0
	expect "a bad interval" 2 \
		'schedflip: no interval "0"; allowed: 0.1 to 3600 seconds'
	run watch -n 0
	expect "a bad count" 2 \
		'schedflip: no number of intervals "0"; allowed: 1 and more'
	run watch -d NUMA
	expect "no such domain" 1 'schedflip: no domain "NUMA"; known: SMT MC'
	rm -r "$root/sys/module/schedflip"
	run watch
	expect "not loaded" 1 'schedflip: the module is not loaded; load it: schedflip load'
	run watch -j
	json "not loaded, JSON" 1
}

test_output() {
	tree
	code=0
	SCHEDFLIP_SYSROOT=$root timeout 20 "$work/schedflip" watch -i 0.1 >/dev/full \
		2>"$work/err" || code=$?
	expect "full output" 1
	code=0
	SCHEDFLIP_SYSROOT=$root timeout 20 "$work/schedflip" watch -j -i 0.1 2>"$work/err" |
		head -n 1 >"$work/out" || code=$?
	expect "a reader that has seen enough" 1
	lines_of 1 schema_version "it has seen it"
}

# A terminal on which nothing can be drawn gets lines.
test_dumb() {
	local term why
	tree
	if ! command -v script >/dev/null; then
		result 0 "dumb terminals # SKIP needs script"
		return
	fi
	for term in dumb nonesuch; do
		code=0
		SCHEDFLIP_SYSROOT=$root TERM=$term script -qec "$work/schedflip watch -i 0.1 -n 1" \
			/dev/null </dev/null >"$work/out" 2>"$work/err" || code=$?
		expect "TERM=$term" 0
		lines_of 1 ' MC  *2 stock ' "TERM=$term: lines"
		why='cannot be moved'
		[ $term = dumb ] || why='not known to ncurses; set TERM'
		prints "TERM=$term: says so" "^schedflip: .*$why; printing lines"
	done
}

test_plain
test_rates
test_changes
test_json
test_refused
test_output
test_dumb
echo "1..$number"
