#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Runs the kill switch of the utility, and what show says of leases, tripwires and the
# switch, on a tree of files in place of the kernel's; prints TAP.
#
# shellcheck disable=SC2119,SC2154 # the arguments of tree may be left out

set -euo pipefail

# shellcheck source=test/unit/utility_leases
. "$(dirname -- "${BASH_SOURCE[0]}")/utility_leases"

parameter=$root/sys/module/schedflip/parameters/off

# wrote FILE TEXT: that is what was written to it.
wrote() {
	[ "$(cat "$1")" = "$2" ]
}

switch() {
	tree
	: >"$debugfs/off"
	: >"$parameter"
	says "$@"
}

test_off() {
	switch 'hooks=off off_reason=debugfs'
	run off
	expect "off" 0 ''
	prints "off: says so" '^off: every hook passes through, and all domains go to stock$'
	check "off: the write" wrote "$debugfs/off" 1
	check "off: the parameter is left alone" wrote "$parameter" ''
	run off -j
	json "off: JSON" 0
	prints "off: the reason in the JSON" '"off_reason": "debugfs"'
	echo 9 >"$debugfs/abi"
	run off
	expect "off: of a module of any ABI" 0 ''
	switch 'hooks=detached'
	run off
	expect "off: not off" 3 "schedflip: the switch was taken, but hooks are detached, and not \
off; see \`schedflip show\`"
	run off now
	expect "off: takes no argument" 2
	rm -r "$root/sys/module/schedflip"
	run off
	expect "off: not loaded" 1 'schedflip: the module is not loaded'
}

test_on() {
	switch ''
	run on
	expect "on" 0 ''
	prints "on: says so" '^on: hooks are live$'
	check "on: the write" wrote "$debugfs/off" 0
	says 'hooks=off off_reason=sysrq'
	run on
	expect "on: it is off" 3 "schedflip: the switch was taken, but schedflip is off (sysrq); \
has somebody else switched it off again?"
	says 'hooks=shadowed shadowed_by=fix'
	run on -j
	json "on: JSON" 0
}

# A directory takes no write, as if it were closed for another reason than its mode.
test_ways() {
	switch 'hooks=off off_reason=parameter'
	rm "$debugfs/off"
	mkdir "$debugfs/off"
	run off
	expect "off: whatever is wrong with the file" 0 ''
	check "off: the parameter is taken" wrote "$parameter" Y
	says ''
	: >"$parameter"
	run on
	expect "on: a refusal is obeyed" 1 "schedflip: cannot write \
/sys/kernel/debug/schedflip/off: Is a directory"
	check "on: the parameter is left alone" wrote "$parameter" ''
	rm -r "$debugfs"
	run off
	expect "off: without debugfs" 1
	check "off: it is written all the same" wrote "$parameter" Y
	check "off: says that nobody knows" \
		grep -q '^schedflip: the switch was taken, but cannot be read back: ' "$work/err"
	rm -r "$root/sys/module/schedflip/parameters"
	run off
	expect "off: no way" 1 "schedflip: cannot write /sys/kernel/debug/schedflip/off: No such \
file or directory; nor its parameter: No such file or directory"
}

# As nobody; the real files, too, are closed to all but root.
test_nobody() {
	local verb
	if [ "$(id -u)" != 0 ] || ! command -v setpriv >"$work/null"; then
		result 0 "off: not root # SKIP needs root and setpriv"
		return
	fi
	switch ''
	for verb in off on; do
		code=0
		SCHEDFLIP_SYSROOT=$root setpriv --reuid 65534 --clear-groups "$work/schedflip" \
			"$verb" >"$work/out" 2>"$work/err" || code=$?
		expect "$verb: not root" 5 \
			"schedflip: this takes root, but you are user 65534; run it with sudo"
	done
}

test_show_hooks() {
	local words
	tree
	says ''
	run
	expect "show: nothing to tell" 0 ''
	prints_not "show: tells nothing" 'OFF|SHADOWED|lease|tripwire|changed'
	says 'hooks=off off_reason=sysrq'
	run
	prints "show: off" '^OFF by sysrq: every hook passes through, .*; run: schedflip on$'
	says 'hooks=shadowed shadowed_by=fix_42'
	run
	prints "show: shadowed" \
		'^SHADOWED: the livepatch fix_42 .* echo 0 >/sys/kernel/livepatch/fix_42/enabled$'
	says 'hooks=detached'
	run
	prints "show: detached" '^DETACHED: .*; run: schedflip unload && schedflip load$'
	says 'hooks=dead'
	run
	prints "show: dead" '^DEAD: the kernel has switched ftrace off, .* until the next boot$'
	for words in 'hooks=shadowed shadowed_by=fix_42' 'hooks=detached lease_ended=detached' \
		'hooks=dead lease_ended=dead'; do
		says "$words"
		run -j
		json "show: JSON of $words" 0
	done
	says 'hooks=patching'
	run
	prints "show: patching" '^PATCHING: '
	says 'hooks=lease lease=pending lease_id=1'
	run
	prints "show: a lease has expired" '^RETURNING: '
}

test_show_more() {
	tree
	says 'lease=pending lease_id=1 lease_left_ms=42900'
	run
	prints "show: a lease" '^lease: all returns in 42 s .*; to keep it run: schedflip confirm$'
	says "trip_depth=64 trip_newidle=100 trip_delay_us=20000 depth=3 newidle=12 delay_us=1500 \
looks=1"
	run
	prints "show: tripwires" "^tripwires: depth 64 tasks, newidle_share 10.0 %, run_delay \
20 ms; at the last look: depth 3 tasks, newidle_share 1.2 %, run_delay 1.5 ms (1 look)$"
	prints_not "show: none was crossed" '^last'
	says 'trip_depth=64'
	run
	prints "show: tripwires that nothing was compared with" \
		'^tripwires: depth 64 tasks; no look yet$'
	says 'trips=2 trip_reason=too-deep'
	run
	prints "show: the last tripwire" '^last tripwire: too-deep (2 crossed since the load)$'
	prints_not "show: none is armed" '^tripwires'
	says 'drift=2 trips=2 trip_reason=too-deep'
	run
	prints "show: drift" '^NI_RANDOM: somebody else changed it 2 times while schedflip held it'
	run -j
	json "show: JSON" 0
	prints "show: the drift in the JSON" '"ni_random_drift": 2'
	prints "show: the status in the JSON" '"trip_reason": "too-deep"'
	says 'lease_id=many'
	run
	expect "show: a bad status" 1 \
		"schedflip: the module's status is not of ABI 1: lease_id is no number"
	rm "$debugfs/status"
	run -j
	json "show: JSON of a module without a status" 0
	prints "show: it is null" '"status": null'
}

test_off
test_on
test_ways
test_nobody
test_show_hooks
test_show_more
still
schemas
echo "1..$number"
