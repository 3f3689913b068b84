#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Runs the commands of the utility on a tree of files in place of the kernel's;
# prints TAP.

set -euo pipefail

# shellcheck source=test/unit/utility_tree
. "$(dirname -- "${BASH_SOURCE[0]}")/utility_tree"

test_not_there() {
	tree
	rm -r "$root/sys/module/schedflip"
	run
	expect "show: not loaded" 1 \
		'schedflip: the module is not loaded; load it: schedflip load'
	run -j
	json "show: not loaded, JSON" 1
	prints "show: the error is in the JSON" '"exit_code": 1'
	run unload
	expect "unload: not loaded" 1 'schedflip: the module is not loaded'

	tree
	rm -r "$debugfs"
	: >"$root/proc/mounts"
	run
	expect "show: no debugfs" 1 "schedflip: debugfs is not mounted at /sys/kernel/debug; \
mount it: mount -t debugfs none /sys/kernel/debug"

	tree
	rm -r "$debugfs"
	run
	expect "show: debugfs without the module" 1 "schedflip: the module is loaded, but there \
is no /sys/kernel/debug/schedflip/abi; unload and load it again"

	tree
	echo 2 >"$debugfs/abi"
	run set newidle=dice
	expect "set: wrong ABI" 1 "schedflip: the module speaks ABI \"2\", this utility only 1; \
install both from one release"

	tree
	echo 'cpu=0' >"$debugfs/state"
	run
	expect "show: state of another ABI" 1 \
		"schedflip: the module's state is not of ABI 1: line 1: domain is missing"

	tree
	run load
	expect "load: already loaded" 1 "schedflip: the module is already loaded; change \
policies with \`schedflip set\`, or unload it first"
	sed -i s/state=patched/state=detached/ "$debugfs/hooks"
	run load
	expect "load: detached" 1 "schedflip: the module is loaded, but its hooks are detached for \
good, so it decides nothing; run: schedflip unload && schedflip load"
	tree
	mkdir -p "$livepatch"
	echo 1 >"$livepatch/enabled"
	echo 2 >"$root/sys/module/schedflip/refcnt"
	mkdir -p "$root/run"
	run unload
	expect "unload: in use" 1
	result "$(grep -q 'in use (by 1)' "$work/err"; echo $?)" "unload: says so"
	result "$(grep -qx 1 "$livepatch/enabled"; echo $?)" "unload: disarms nothing then"
}

test_show() {
	tree accumulator stagger 1
	run
	expect "show" 0 ''
	prints "show: version and kernel" '^schedflip 0.1 on Linux 7.3.4-test$'
	prints "show: NI_RANDOM" '^NI_RANDOM: on$'
	prints_not "show: no domain is blind" '^stock:'
	prints "show: hooks" '^hooks: balance 12 calls, newidle absent, select off$'
	prints "show: a domain" \
		'1 MC  *accumulator  *stagger  *31\*  *9  *4000  *1000  *125  *12.5  *2.500$'
	prints "show: pinned" '^\* pinned$'
	prints_not "show: fair is in charge" '^sched_ext'
	run show --cpu 1 --domain MC
	expect "show: filtered" 0 ''
	result "$([ "$(grep -c ' MC ' "$work/out")" = 1 ] && echo 0 || echo 1)" \
		"show: one domain is left"
	run --json
	json "show: JSON" 0
	prints "show: hit rate in the JSON" '"hit_rate_percent": 12.5'

	tree
	run
	prints_not "show: at stock there is one table" 'SLOWPATH|BURST|COST'
	prints "show: at stock there is no window" '1 MC  *stock  *-  *31  *-  *4000 '
	prints "show: at stock skips are not seen" '^stock: calls that .* are not seen'
	echo 'NI_RANDOM=off held=1' >"$debugfs/features"
	run
	prints "show: NI_RANDOM is held" \
		'^NI_RANDOM: your setting is off; schedflip holds it off$'
	prints_not "show: while it is held they are seen" '^stock:'

	tree dice stagger
	run
	prints "show: dice have no window" '1 MC  *dice  *-  *31  *-  *4000 '
	prints_not "show: dice are seen" '^stock:'

	mkdir -p "$root/sys/kernel/sched_ext/root"
	echo enabled >"$root/sys/kernel/sched_ext/state"
	echo flash >"$root/sys/kernel/sched_ext/root/ops"
	echo 1 >"$root/sys/kernel/sched_ext/switch_all"
	run
	prints "show: sched_ext is in charge" '^sched_ext: flash schedules all tasks, so .*'
	run -j
	prints "show: sched_ext in the JSON" '"sched_ext": "flash"'
	echo 0 >"$root/sys/kernel/sched_ext/switch_all"
	run
	prints "show: of some tasks" '^sched_ext: flash schedules some tasks, .*'
	echo disabled >"$root/sys/kernel/sched_ext/state"
	run -j
	prints "show: sched_ext is off in the JSON" '"sched_ext": null'

	: >"$debugfs/state"
	: >"$debugfs/hooks"
	run
	expect "show: no domains" 0 ''
	run -j
	json "show: no domains, JSON" 0
}

test_set() {
	tree jitter stagger
	run set newidle=jitter,start=stagger
	expect "set" 0 ''
	prints "set: says what it did" '^newidle=jitter start=stagger: 4 domains on 2 CPUs$'
	result "$([ "$(cat "$debugfs/policy")" = 'newidle=jitter start=stagger' ] &&
		echo 0 || echo 1)" "set: the command"
	run set newidle=jitter,start=stagger --cpu 0-1 --domain SMT
	expect "set: filtered" 0 ''
	prints "set: only those" ': 2 domains on 2 CPUs$'
	result "$([ "$(cat "$debugfs/policy")" = \
		'newidle=jitter start=stagger cpu=0-1 domain=SMT' ] && echo 0 || echo 1)" \
		"set: the filtered command"
	run set newidle=jitter,start=stagger --cpu 0 --domain SMT
	prints "set: only that" ': 1 domain on 1 CPU$'
	run set -j newidle=jitter,start=stagger
	json "set: JSON" 0

	run set newidle=jitter
	expect "set: another start than the default" 3 "schedflip: 4 of 4 domains did not take \
newidle=jitter start=zero: cpu0/domain0 has start=stagger, cpu0/domain1 has start=stagger, \
cpu1/domain0 has start=stagger, cpu1/domain1 has start=stagger; is somebody else setting \
policies?"
	run set newidle=dice --cpu 1 --domain 1
	expect "set: another policy" 3 "schedflip: 1 of 1 domain did not take newidle=dice \
start=zero: cpu1/domain1 has newidle=jitter; is somebody else setting policies?"
	tree jitter
	run set newidle=jitter
	expect "set: the default start" 0 ''
	prints "set: says the start" '^newidle=jitter start=zero: 4 domains on 2 CPUs$'
	result "$([ "$(cat "$debugfs/policy")" = 'newidle=jitter start=zero' ] &&
		echo 0 || echo 1)" "set: and sets it"
	run set -j window_pos=7
	json "set: mismatch, JSON" 3
	run set ratio=30
	expect "set: not pinned" 3
	run set ratio=learned
	expect "set: learned" 0
}

test_set_refused() {
	tree
	run set newidle=jiter
	expect "set: no such policy" 2 "schedflip: no policy \"jiter\" for newidle; known: stock \
dice accumulator jitter always never; did you mean \"jitter\"?"
	run set newidle=dice --domain NUMA
	expect "set: no such domain" 1 'schedflip: no domain "NUMA"; known: SMT MC'
	run set newidle=dice --cpu 1-x
	expect "set: bad list" 2 'schedflip: "1-x" is no CPU; give a list such as 0-3,6'
	run set newidle=dice $'-\377'
	expect "set: a letter that argp takes for help" 2
	run set $'-\377' --json newidle=dice
	expect "set: whatever comes next" 2
	run set $'-j\377' newidle=dice
	expect "set: behind another" 2
	run set '-j?'
	prints "set: help behind another letter" '"command": "set"'
	run set --he
	prints "set: help, cut short" '^Usage: schedflip set'
	run set newidle=dice --cpu 99
	expect "set: no such CPU" 2 'schedflip: there are only CPUs 0-3'
	run set newidle=dice --cpu 2-4
	expect "set: one CPU too many" 2 'schedflip: there are only CPUs 0-3'
	run show --cpu 4
	expect "show: no such CPU" 2 'schedflip: there are only CPUs 0-3'
	run set newidle=dice --cpu 2
	expect "set: an offline CPU" 1 \
		"schedflip: no online CPU of \"2\" has a domain; see \`schedflip show\`"
	rm "$root/sys/devices/system/cpu/possible"
	run set newidle=dice --cpu 99
	expect "set: nobody knows the CPUs" 1
	run set --json newidle=
	json "set: no such policy, JSON" 2
	run set
	expect "set: no argument" 2
	run set newidle=dice,ratio=1 sync=on newidle=never
	expect "set: a kind twice" 2 'schedflip: newidle is given twice'
	run set --nonsense newidle=dice
	expect "set: unknown option" 2
	result "$([ ! -s "$debugfs/policy" ] && echo 0 || echo 1)" "set: nothing was written"
}

test_reset() {
	tree
	run reset
	expect "reset" 0 ''
	prints "reset: NI_RANDOM" '^NI_RANDOM is given back: it is on$'
	result "$([ "$(cat "$debugfs/policy")" = "newidle=stock start=zero ratio=learned \
slowpath=stock burst=stock burst_depth=2 burst_factor=3 burst_nohz=off cost=stock sync=off" ] &&
		echo 0 || echo 1)" "reset: the command"
	run reset -j
	json "reset: JSON" 0
	echo 'NI_RANDOM=on held=1' >"$debugfs/features"
	run reset
	expect "reset: NI_RANDOM is held" 3
	tree jitter
	run reset
	expect "reset: not at stock" 3
	tree stock zero 1
	run reset
	expect "reset: still pinned" 3
}

test_load() {
	local loaded="mkdir -p $root/sys/module/schedflip $livepatch
echo 1 >$livepatch/enabled; echo 0 >$livepatch/transition"
	tree jitter half
	modprobe_does "$loaded"
	expect "load" 0 ''
	prints "load: says how long it took" '^loaded in [0-9.]* s$'
	modprobe_does "$loaded" --hooks all --policy newidle=jitter,start=half
	expect "load: with a policy" 0 ''
	result "$([ "$(tr '\n' ';' <"$work/arguments")" = \
		'schedflip;hooks=all;policy=newidle=jitter start=half;' ] && echo 0 || echo 1)" \
		"load: arguments of modprobe"
	modprobe_does "$loaded" --policy newidle=dice
	expect "load: the policy did not come" 3
	modprobe_does "$loaded" -j
	json "load: JSON" 0
	modprobe_does "$loaded" --policy newidle=jiter
	expect "load: no such policy" 2
	modprobe_does "$loaded" --hooks select
	expect "load: no such hooks" 2 'schedflip: no hooks "select"; known: newidle all'
	modprobe_does "$loaded" --timeout 0
	expect "load: no time" 2 'schedflip: no timeout "0"; allowed: 1 to 86400 seconds'
	modprobe_does "$loaded
echo '4,1,1,-;schedflip: kernel is outside the tested series' >>$root/dev/kmsg"
	expect "load: a warning is no error" 0 ''
	prints "load: shows the warning" '^warning: kernel is outside the tested series$'
}

test_load_refused() {
	local reason="echo '3,1,1,-;schedflip: not loaded: no symbol x' >>$root/dev/kmsg"
	tree
	modprobe_does "$reason; echo \"can't insert: Operation not supported\" >&2; exit 1"
	expect "load: unsuitable" 4 'schedflip: not loaded: no symbol x'
	modprobe_does "echo \"could not insert 'schedflip': Operation not permitted\"; exit 1"
	expect "load: not permitted" 5
	modprobe_does "echo \"could not insert 'schedflip': Key was rejected by service\"; exit 1"
	expect "load: bad signature" 5
	modprobe_does "echo 'Module schedflip not found.' >&2; exit 1"
	expect "load: not installed" 1 "schedflip: no module is installed for Linux 7.3.4-test; \
run \`make && sudo make install\`, or name a FILE.ko"
	modprobe_does 'exit 1' -j
	json "load: JSON error" 1
	run load "$work/none.ko"
	expect "load: no such file" 1 \
		"schedflip: cannot read $work/none.ko: No such file or directory"
	run load "$work/json.c"
	expect "load: no module" 1 "schedflip: $work/json.c is no kernel module; \
a compressed one must be unpacked first"
}

test_check() {
	tree
	run check
	expect "check: a kernel without anything" 4
	prints "check: a remedy" 'CONFIG_DEBUG_INFO_BTF'
	run check -j
	json "check: JSON" 4
	prints "check: the verdict is in the JSON" '"will_load": false'
}

test_output() {
	local name words
	tree
	code=0
	SCHEDFLIP_SYSROOT=$root "$work/schedflip" >/dev/full 2>"$work/err" || code=$?
	expect "full output" 1 'schedflip: cannot write the output: No space left on device'
	code=0
	SCHEDFLIP_SYSROOT=$root "$work/schedflip" -j >&- 2>"$work/err" || code=$?
	expect "closed output" 1 'schedflip: cannot write the output: Bad file descriptor'
	run --version
	expect "version" 0 ''
	run --help
	expect "help" 0 ''
	run nonsense
	expect "no such command" 2 \
		"schedflip: no command \"nonsense\"; known: check load unload show set reset \
confirm return save apply verify metrics off on ab report record sim watch"
	run shwo
	expect "a command that is near" 2 "schedflip: no command \"shwo\"; known: check load \
unload show set reset confirm return save apply verify metrics off on ab report record sim \
watch; did you mean \"show\"?"
	for words in '-j nonsense' 'nonsense -j' 'nonsense --cpu 3 --json'; do
		# shellcheck disable=SC2086 # words
		run $words
		json "no such command, JSON: $words" 2
	done
	run set newidle=dice --cpuu 3
	expect "no such option" 2 "schedflip: unrecognized option '--cpuu'; see \`schedflip set \
--help\`; did you mean \"--cpu\"?"
	run set newidle=dice --nothing-like-it=3
	expect "no such option, nor one that is near" 2 "schedflip: unrecognized option \
'--nothing-like-it=3'; see \`schedflip set --help\`"
	run set newidle=dice --cpuu 3 -j
	json "no such option, JSON" 2
	prints "no such option: the error is in the JSON" 'unrecognized option'
	run set newidle=dice --cpu
	expect "an option's argument is missing" 2 \
		"schedflip: option '--cpu' requires an argument; see \`schedflip set --help\`"
	run -j set
	json "an argument is missing, JSON" 2
	run set newidle=dice more
	expect "an argument that is no kind" 2 \
		'schedflip: "more" is not KIND=VALUE, such as newidle=jitter'
	run load one.ko more
	expect "too many arguments" 2 'schedflip: unexpected argument "more"'
	for name in check load unload show set reset confirm return off on ab report record \
		sim watch; do
		run "$name" --help
		prints "$name --help has examples" '^Examples\?:$'
	done
}

# As nobody; the real debugfs, too, is closed to all but root.
run_as_nobody() {
	code=0
	SCHEDFLIP_SYSROOT=$root setpriv --reuid 65534 --clear-groups "$work/schedflip" "$@" \
		>"$work/out" 2>"$work/err" || code=$?
}

test_nobody() {
	local line="schedflip: this takes root, but you are user 65534; run it with sudo" skip=''
	tree
	chmod 700 "$root/sys/kernel/debug"
	if [ "$(id -u)" != 0 ] || ! command -v setpriv >/dev/null; then
		skip=' # SKIP needs root and setpriv'
	fi
	for command in show 'set newidle=dice' reset unload; do
		if [ -n "$skip" ]; then
			result 0 "$command: not root$skip"
			continue
		fi
		# shellcheck disable=SC2086 # command and argument
		run_as_nobody $command
		expect "$command: not root" 5 "$line"
	done
}

test_not_there
test_show
test_set
test_set_refused
test_reset
test_load
test_load_refused
test_check
test_output
test_nobody
schemas
echo "1..$number"
