# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=sh disable=SC2086,SC2154 # no path has a blank; $output is that of exits
#
# Transitions that do not end: who blocks them is named, at the limit all is as before,
# and off works beside them.

# refuses_to_go NAME: unload names it, and is reversed
refuses_to_go() {
	exits 1 "$1: unload gives up at its limit" schedflip unload --timeout 3
	contains "$1: and names what it waited for" "$output" "$1"
	succeeds "$1: all is as before" wait_for 60 tells hooks live
	is "$1: the policy stays" "$(words)" "newidle=jitter start=zero"
	wait_for 60 patched
	storm
	succeeds "$1: and decides" test "$(sum skipped)" -gt 0
}

# A task that sleeps inside of one of our wrappers
test_stuck_task() {
	flip newidle=jitter
	stall $FEATURES 100 &
	stall=$!
	sleep 1
	refuses_to_go stall
	put $SF/off 1
	is "stall: off works beside it" "$(status_says hooks) $(words)" \
		"off newidle=stock start=zero"
	kill -9 "$stall"
	wait "$stall" 2>/dev/null
	put $SF/off 0
}

# A task that sleeps inside of a function that is to be patched
test_stuck_load() {
	exits 0 "unloaded for it" schedflip unload --timeout 120
	stall $FEATURES 100 &
	stall=$!
	sleep 1
	exits 1 "stall: a load gives up at its limit" schedflip load --timeout 3 --hooks all
	contains "stall: and names what it waited for" "$output" stall
	succeeds "stall: and leaves nothing" wait_for 60 nothing_left
	kill -9 "$stall"
	wait "$stall" 2>/dev/null
	exits 0 "and comes then" schedflip load --timeout 120 --hooks all
}

# A kernel thread that never schedules. The kernel cannot even reverse a transition beside
# it, as that waits for each CPU; off does not.
test_stuck_thread() {
	flip newidle=jitter
	modprobe sfbusy seconds=12
	busy=$(centiseconds)
	schedflip unload --timeout 3 >/tmp/unload 2>&1 &
	unload=$!
	sleep 4
	before=$(centiseconds)
	put $SF/off 1
	is "sfbusy: off works beside it" "$(status_says hooks) $(words)" \
		"off newidle=stock start=zero"
	at_most 2 "sfbusy: and that" "$before"
	succeeds "sfbusy: while it still was busy" test $(($(centiseconds) - busy)) -lt 1200
	is "sfbusy: and gives NI_RANDOM back" "$(cat $SF/features)" "NI_RANDOM=on held=0"
	wait $unload
	note "unload ended with status $?: $(tail -n 1 /tmp/unload)"
	# Whether it is done before its limit is looked at again, is the kernel's to say.
	contains "sfbusy: the unload says how it ended" "$(cat /tmp/unload)" \
		'sfbusy|it could not be reversed|unloaded in'
	wait_for 60 rmmod sfbusy
	wait_for 60 unpatched
	[ ! -e $SF ] || exits 0 "sfbusy: it goes once it can" schedflip unload
	exits 0 "sfbusy: and comes" schedflip load --timeout 120 --hooks all
}

# What stands still but not inside of our wrappers holds up nothing.
test_stopped_tasks() {
	flip newidle=jitter
	sleep 100 &
	stopped=$!
	kill -STOP "$stopped"
	exits 0 "a stopped task holds up no unload" schedflip unload --timeout 120
	succeeds "nothing is left" nothing_left
	exits 0 "and no load" schedflip load --timeout 120 --hooks all
	kill -KILL "$stopped"
	wait "$stopped" 2>/dev/null
}

# Under lockdown no file with a write bit can even be read, and parameters still work. It
# lasts until power-off, so this comes last.
test_lockdown() {
	lockdown=/sys/kernel/security/lockdown
	if ! grep -q none $lockdown 2>/dev/null; then
		report 0 "lockdown # SKIP this kernel has none"
		return
	fi
	put $lockdown integrity
	contains "locked down" "$(cat $lockdown)" '\[integrity\]'
	fails "the kernel forbids what can be written" cat $SF/policy
	for file in abi version hooks features last_error status state cpu0/domain0/stats; do
		succeeds "$file can be read" cat $SF/$file
	done
	exits 0 "set" schedflip set newidle=jitter
	contains "by the parameter" "$output" 'parameter'
	is "was set" "$(field newidle | sort -u)" jitter
	exits 0 "show" schedflip
	put $PARAMETERS/off Y
	is "off" "$(status_says hooks) $(field newidle | sort -u)" "off stock"
	put $PARAMETERS/off N
	is "on" "$(status_says hooks)" live
	exits 0 "unload" schedflip unload --timeout 120
	exits 5 "a module that is not signed is refused" schedflip load
	contains "and why" "$output" 'lockdown takes signed modules only'
	succeeds "nothing is left" nothing_left
}

# Loaded with hooks=all, by those that come before.
all_stuck() {
	test_stuck_task
	test_stuck_load
	test_stuck_thread
	test_stopped_tasks
}
