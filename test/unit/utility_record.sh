#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Runs record on a tree of files in place of the kernel's, which traces nothing: what is
# refused, and that nothing is left of it; prints TAP.
#
# shellcheck disable=SC2119 # the arguments of tree may be left out

set -euo pipefail

# shellcheck source=test/unit/utility_tree
. "$(dirname -- "${BASH_SOURCE[0]}")/utility_tree"

tracefs=$root/sys/kernel/tracing
file=$work/run.sfr

# format ID FIELD...: an event's format, as the kernel tells it; all fields are u32.
format() {
	local offset=8 field
	printf 'name: event\nID: %d\nformat:\n' "$1"
	printf '\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n'
	printf '\tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;\n'
	printf '\tfield:unsigned char common_preempt_count;\toffset:3;\tsize:1;\tsigned:0;\n'
	printf '\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n'
	for field in "${@:2}"; do
		printf '\tfield:u32 %s;\toffset:%d;\tsize:4;\tsigned:0;\n' "$field" $offset
		offset=$((offset + 4))
	done
	printf '\nprint fmt: "cpu=%%u", REC->cpu\n'
}

# tracing: the tree with the module's events
tracing() {
	local events=$tracefs/events/schedflip
	tree
	mkdir -p "$tracefs/instances" "$events"/{newidle,slowpath,burst}
	printf '\tfield: %s;\toffset:%d;\tsize:%d;\tsigned:%d;\n' 'u64 timestamp' 0 8 0 \
		'local_t commit' 8 8 1 'int overwrite' 8 1 1 'char data' 16 4080 0 \
		>"$tracefs/events/header_page"
	: >"$events/enable"
	format 1001 cpu level policy weight attempt tasks ns | sed 's/name: event/name: newidle/' \
		>"$events/newidle/format"
	format 1002 cpu level policy pid to stale | sed 's/name: event/name: slowpath/' \
		>"$events/slowpath/format"
	format 1003 cpu level policy pid kind depth average_milli to idle |
		sed 's/name: event/name: burst/' >"$events/burst/format"
}

# leaves_nothing NAME: no file, no instance
leaves_nothing() {
	local left
	left=$(find "$work" -name 'run.sfr*'; find "$tracefs/instances" -mindepth 1)
	result "$([ -z "$left" ] && echo 0 || echo 1)" "$1: nothing is left"
}

test_usage() {
	local word
	tracing
	run record
	expect "record: no file" 2 \
		'schedflip: no file to record to; name it: schedflip record -o FILE'
	run record -o ''
	expect "record: a file without a name" 2
	for word in 0 0.0001 -1 1s 86401 ''; do
		run record -o "$file" --for "$word"
		expect "record: --for \"$word\"" 2 \
			"schedflip: no time \"$word\"; allowed: 0.001 to 86400 seconds"
	done
	for word in 0 3 1048577 -4 4k; do
		run record -o "$file" --buffer "$word"
		expect "record: --buffer $word" 2 \
			"schedflip: no buffer \"$word\"; allowed: 4 to 1048576 KiB"
	done
	run record -o "$file" --event newidle --event wakeup
	expect "record: no such event" 2 \
		'schedflip: no event "wakeup"; known: newidle slowpath burst'
	run record -o "$file" --frob
	expect "record: no such option" 2
	run record --print "$file" -o "$file"
	expect "record: --print and -o" 2 "schedflip: --print prints a recording and makes none; \
leave the other options and the command out"
	run record --print "$file" true
	expect "record: --print and a command" 2
	run -j record -o "$file" --for 0
	json "record: JSON of an error" 2
	leaves_nothing "record: wrong usage"
}

# What the user gives to a command of his own is not ours.
test_command_line() {
	tracing
	run record -o "$file" --for 1 -- true --for 0 -j --frob
	expect "record: options of the command" 1
	prints_not "record: -j is the command's" '{'
	run record -o "$file" --for 1 true --frob
	expect "record: a command without --" 1
	run record -o "$file" no-such-program
	expect "record: a command that is not there" 1 "schedflip: there is no program \
\"no-such-program\" in PATH; give its path, such as ./no-such-program"
	leaves_nothing "record: a command that is not there"
}

test_kernel() {
	tracing
	rm -r "$root/sys/module/schedflip"
	run record -o "$file" --for 1
	expect "record: not loaded" 1 \
		'schedflip: the module is not loaded; load it: schedflip load'

	tracing
	rm -r "$tracefs"
	run record -o "$file" --for 1
	expect "record: no tracefs" 1 "schedflip: tracefs is not mounted; mount it: \
mount -t tracefs nodev /sys/kernel/tracing"
	run -j record -o "$file" --for 1
	json "record: no tracefs, JSON" 1

	tracing
	mkdir -p "$root/sys/kernel/security"
	echo 'none integrity [confidentiality]' >"$root/sys/kernel/security/lockdown"
	run record -o "$file" --for 1
	expect "record: lockdown" 5 "schedflip: lockdown=confidentiality forbids all tracing; \
boot with lockdown=integrity or none"
	echo 'none [integrity] confidentiality' >"$root/sys/kernel/security/lockdown"
	run record -o "$file" --for 1
	expect "record: a lockdown that lets us" 1
}

test_events() {
	local events=$tracefs/events/schedflip
	tracing
	rm -r "$events"
	run record -o "$file" --for 1
	expect "record: a module without events" 1 "schedflip: the loaded module has no event \
\"newidle\" (no /sys/kernel/tracing/events/schedflip/newidle/format); unload it and load that \
of this release"

	tracing
	sed -i /tasks/d "$events/newidle/format"
	run record -o "$file" --for 1
	expect "record: a field is missing" 1 "schedflip: the event newidle of the loaded \
module has no field \"tasks\"; unload it and load that of this release"
	echo garbage >"$events/newidle/format"
	run record -o "$file" --for 1
	expect "record: a format that is none" 1
	run record -o "$file" --event burst --for 1
	expect "record: burst without its hook" 1 "schedflip: the event burst needs the hook \
select, which is off; run: schedflip unload && schedflip load --hooks all"
	leaves_nothing "record: no such event"
}

test_files() {
	tracing
	run record -o "$work/no/such/dir.sfr" --for 1
	expect "record: no such directory" 1 \
		"schedflip: cannot write $work/no/such/dir.sfr: No such file or directory"
	run record -o "$work/" --for 1
	expect "record: a directory" 1
	run record -o /dev/null --for 1
	expect "record: a device" 1 "schedflip: cannot write /dev/null: it is there, but is no \
plain file; give another name"
	result "$([ -c /dev/null ] && echo 0 || echo 1)" "record: the device is still there"
	run record -o "$work/$(printf '%05000d' 1)" --for 1
	expect "record: a long name" 1
	result "$(grep -q ': File name too long$' "$work/err"; echo $?)" "record: says so"
	SUDO_UID=x run record -o "$file" --for 1
	expect "record: who called sudo?" 1 "schedflip: SUDO_UID is \"x\", which sudo would not \
set; run it by sudo, or unset SUDO_UID to run as root"
	echo old >"$file"
	run record -o "$file" --for 1
	expect "record: the kernel takes no tracing" 1
	result "$(grep -q "^schedflip: the kernel does not take 0 for tracing's tracing_on: " \
		"$work/err" && echo 0 || echo 1)" "record: and says what"
	result "$([ "$(cat "$file")" = old ] && echo 0 || echo 1)" "record: the old file stays"
	rm "$file"
	leaves_nothing "record: the kernel takes no tracing"
}

test_not_root() {
	tracing
	if [ "$(id -u)" != 0 ] || ! command -v setpriv >/dev/null; then
		result 0 "record: as nobody # SKIP needs root and setpriv"
		return
	fi
	code=0
	setpriv --reuid=65534 --regid=65534 --clear-groups \
		env SCHEDFLIP_SYSROOT="$root" "$work/schedflip" record -o "$file" --for 1 \
		>"$work/out" 2>"$work/err" || code=$?
	expect "record: as nobody" 5 \
		'schedflip: this takes root, but you are user 65534; run it with sudo'
}

# small_recording [HEADER]: one of two newidle events, byte by byte as docs/recording.md
# has it.
small_recording() {
	local header=${1:-'{}'}
	printf 'schedflip recording 1\n%d\n%s\n' "${#header}" "$header"
	# CPU 3; an attempt at level 2, 1000 ns, always, 1024, 300 ns, 1 task
	printf '\004\003\311\320\017\004\200\010\254\002\001'
	# a skip at level 2, 500 ns later, accumulator, 32
	printf '\211\350\007\002\040'
}

test_print() {
	small_recording '{"domains": [{"cpu": 3, "level": 2, "name": "NUMA"}]}' >"$file"
	run record --print "$file"
	expect "print: a recording" 0 ''
	prints "print: an attempt" "^time_ns=1000 event=newidle cpu=3 level=2 name=NUMA \
policy=always weight=1024 attempt=1 tasks=1 ns=300\$"
	prints "print: a skip" "^time_ns=1500 event=newidle cpu=3 level=2 name=NUMA \
policy=accumulator weight=32 attempt=0 tasks=0 ns=0\$"
	prints "print: it is cut off" '^# kernel ?, 2 events in 0.000 s, then cut off; '
	run record -j --print "$file"
	json "print: JSON" 0
	prints "print: it is cut off, JSON" '"complete": false'
	prints "print: what was lost is unknown, JSON" '"lost_events": null'
	prints "print: the domain's name, JSON" '"name": "NUMA"'
	small_recording '{"domains": [{"cpu": 3, "level": 2, "name": "A B\u001b"}, {"cpu": -1}]}' \
		>"$file"
	run record --print "$file"
	prints "print: a name that nobody can read" ' level=2 name=A?B? policy=always '
	small_recording >"$file"
	run record --print "$file"
	prints "print: a name that is not told" ' level=2 name=? policy=always '
	run record -j --print "$file"
	json "print: a name that is not told, JSON" 0
	prints "print: it is null" '"name": null'
	echo nonsense >"$file"
	run record --print "$file"
	expect "print: no recording" 1 \
		"schedflip: $file is no recording; make one: schedflip record -o FILE"
	{ small_recording; printf '\014'; } >"$file"
	run record --print "$file"
	expect "print: damaged" 1 "schedflip: $file is damaged: a tag that no record has at \
offset 43; record it again"
	run -j record --print "$file"
	json "print: damaged, JSON" 1
	run record --print "$work/none"
	expect "print: no such file" 1 \
		"schedflip: cannot read $work/none: No such file or directory"
}

test_help() {
	run record --help
	expect "record --help" 0 ''
	prints "record --help has an example" 'schedflip record -o run.sfr --for 10'
	prints "record --help ends with the exit codes" '^Exit codes:'
}

test_usage
test_command_line
test_kernel
test_events
test_files
test_not_root
test_print
test_help
schemas
echo "1..$number"
