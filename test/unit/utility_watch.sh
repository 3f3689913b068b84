#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Runs watch without a screen on a tree of files in place of the kernel's; prints TAP.
# On a terminal it is driven by utility_watch.c.
#
# shellcheck disable=SC2034,SC2154 # state and select are for the tree, which sets the rest

set -euo pipefail

# shellcheck source=test/unit/utility_leases
. "$(dirname -- "${BASH_SOURCE[0]}")/utility_leases"

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

# begin OPTION...: in the background; nobody is to wait for what an earlier one printed
begin() {
	: >"$work/out"
	SCHEDFLIP_SYSROOT=$root "$work/schedflip" watch -i 0.2 "$@" >"$work/out" \
		2>"$work/err" &
	watching=$!
}

# colored REGEX: a screen of one interval, on a terminal with colours, has what matches;
# options are in $option, variables of the environment in $set
colored() {
	local words
	code=0
	# shellcheck disable=SC2086 # words
	printf -v words '%q ' env "SCHEDFLIP_SYSROOT=$root" TERM=xterm ${set:-} \
		"$work/schedflip" watch -i 0.1 -n 1 ${option:-}
	script -qec "$words" /dev/null </dev/null >"$work/out" 2>"$work/err" || code=$?
	[ "$code" = 0 ] && grep -Eaq -- "$1" "$work/out"
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
	prints "JSON: a module without a status" '"status":null,'
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
	mkdir -p "$root/sys/module/schedflip"
	until_line '"the module is back"'
	end
	expect "JSON: without the module" 0 ''
	keep_json watch -j
	prints "JSON: the module goes" '"interval_s":null,.*"trouble":"the module is not loaded'
	prints "JSON: it is told" '"changes":\["the module is gone"\],"domains":\[\]'
}

# Each word that there is, and figures that are between two numbers.
test_json_words() {
	local word words
	tree
	begin -j
	until_line '"calls_per_s":0'
	sed -i '/cpu=1/{s/newidle=stock/newidle=jitter/;s/slowpath=stock/slowpath=random/
		s/burst=stock/burst=spread/;s/ratio=31/ratio=512/;s/pinned=0/pinned=1/
		s/cost_ns=0/cost_ns=333/}' "$debugfs/state"
	until_line '"newidle":"mixed"'
	counts 14000 6000
	until_line '"skip_percent":[1-9]'
	counts 10 5
	until_line '"calls_per_s":null' 2
	echo 'NI_RANDOM=off held=1' >"$debugfs/features"
	until_line '"ni_random":"off","ni_random_held":true'
	for words in 'hooks=shadowed shadowed_by=fix_42' 'hooks=detached lease_ended=detached' \
		'hooks=dead lease_ended=dead' 'lease=pending lease_id=1 lease_left_ms=9000' \
		'hooks=off off_reason=sysrq trips=1 trip_reason=too-deep'; do
		# shellcheck disable=SC2086 # words
		status $words >"$work/status"
		mv "$work/status" "$debugfs/status"
		word=${words%% *}
		until_line "\"${word%=*}\":\"${word#*=}\""
	done
	end
	expect "JSON: of all that may change" 0 ''
	keep_json watch -j
	prints "JSON: domains that differ" '"newidle":"mixed","slowpath":"mixed","burst":"mixed",'
	prints "JSON: a mean" '"ratio":271\.5,'
	prints "JSON: one is pinned" '"pinned":true,'
}

# No line is let through that is not as the schema says.
test_lines() {
	local bad=0
	mkdir "$work/bad"
	printf '%s\n' watch -j >"$work/bad/1.args"
	cp "$work/kept/1.json" "$work/bad/1.json"
	"$top/test/schema" "$work/bad" >"$work/out" || bad=1
	result "$bad" "JSON: lines that are good"
	sed -i '$s/"cpus":2/"cpus":"2"/' "$work/bad/1.json"
	bad=0
	! "$top/test/schema" "$work/bad" >"$work/out" || bad=1
	result "$bad" "JSON: the last of them is not"
}

# Where the screen has colours, as all text of the utility.
test_color() {
	local bad=0 paint=$'\033\\[3[0-9]m' clear=$'\033\\[H'
	tree jitter
	if ! command -v script >/dev/null; then
		result 0 "colours # SKIP needs script"
		return
	fi
	colored "$paint" || bad=1
	result "$bad" "colours: on a terminal"
	bad=0
	colored "$clear" && ! set='NO_COLOR=1' colored "$paint" || bad=1
	result "$bad" "colours: not with NO_COLOR"
	bad=0
	option='--color=never'
	colored "$clear" && ! colored "$paint" || bad=1
	result "$bad" "colours: never"
	bad=0
	option='--color=always'
	set='NO_COLOR=1' colored "$paint" || bad=1
	option=''
	result "$bad" "colours: NO_COLOR, but always"
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
	keep_json watch -j
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
test_json_words
test_lines
test_color
test_refused
test_output
test_dumb
schemas
echo "1..$number"
