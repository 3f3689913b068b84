#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Runs the utility's commands for leases and tripwires on a tree of files in place of the
# kernel's; prints TAP.
#
# shellcheck disable=SC2119,SC2154 # the arguments of tree may be left out

set -euo pipefail

# shellcheck source=test/unit/utility_leases
. "$(dirname -- "${BASH_SOURCE[0]}")/utility_leases"

pending='lease=pending lease_id=1'
stay='unless you run: schedflip confirm'

test_set_for() {
	tree jitter
	says '' "$pending lease_left_ms=59990"
	run set newidle=jitter --for 60s
	expect "set --for" 0 ''
	prints "set --for: says when it returns" \
		"^newidle=jitter start=zero: 4 domains on 2 CPUs; returns in 60 s $stay$"
	check "set --for: the command" gave 'newidle=jitter start=zero for_ms=60000'
	says '' "$pending lease_left_ms=250"
	run set newidle=jitter --for 250ms --cpu 0 -j
	json "set --for: JSON" 0
	prints "set --for: the lease in the JSON" '"lease_left_ms": 250'
	check "set --for: the command for some CPUs" \
		gave 'newidle=jitter start=zero for_ms=250 cpu=0'
	says "$pending lease_left_ms=5000" "$pending lease_left_ms=90000"
	run set newidle=jitter --for 90s
	expect "set --for: a pending lease is moved" 0 ''
	says "$pending lease_left_ms=4321"
	run set newidle=jitter
	expect "set: under a lease" 0 ''
	prints "set: says that it returns with the lease" \
		"; returns in 4.3 s with the lease that is pending, $stay$"
}

test_set_for_refused() {
	local word
	tree
	for word in 60 99ms 25h ''; do
		run set newidle=dice "--for=$word"
		expect "set --for: refuses \"$word\"" 2 "schedflip: no time \"$word\"; allowed: \
100ms to 24h, in ms, s, m or h, such as 60s"
	done
	run set --for 60s
	expect "set --for: nothing to set" 2 'schedflip: KIND=VALUE... is missing'
	run set newidle=dice --for 60s
	expect "set --for: a module without leases" 1 "schedflip: the module that is loaded knows \
no leases, tripwires or kill switch; install module and utility from one release, and load it anew"
	check "set --for: nothing was written" gave ''
}

test_set_for_mismatch() {
	tree dice
	says '' 'lease_id=1 lease_ended=expired'
	run set newidle=dice --for 100ms
	expect "set --for: it was over before it was read back" 3 "schedflip: the lease of 100 ms \
was over before it could be read back: lease=none, lease_ended=expired; if it just expired, give \
a longer one"
	says '' 'lease=pending lease_id=2 lease_left_ms=100'
	run set newidle=dice --for 1s
	expect "set --for: it is another's" 3
	says '' "$pending lease_left_ms=86400000"
	run set newidle=dice --for 1s
	expect "set --for: it is too long" 3 "schedflip: the lease returns in 24 h, and not within \
1 s; has somebody else renewed it?"
	says '' "$pending lease_left_ms=90" 'lease_id=1 lease_ended=expired'
	run set newidle=always --for 100ms
	expect "set --for: it was over before domains were read" 3 "schedflip: the lease of 100 ms \
was over before it could be read back: lease=none, lease_ended=expired; if it just expired, give \
a longer one"
	says '' "$pending lease_left_ms=900"
	run set newidle=always --for 1s
	expect "set --for: domains did not take it" 3
	check "set --for: says so" grep -q '4 of 4 domains did not take newidle=always' \
		"$work/err"
	says '' '' 'hooks=off off_reason=sysrq'
	run set newidle=always
	expect "set: switched off meanwhile" 1 \
		"schedflip: schedflip was switched off (sysrq) meanwhile; run: schedflip on"
}

test_set_trip() {
	local armed='trip_depth=64 trip_newidle=100 trip_delay_us=20000'
	tree dice
	says '' "$armed"
	run set --trip depth=64,newidle_share=10%,run_delay=20ms
	expect "set --trip: alone" 0 ''
	prints "set --trip: says the limits" \
		'^tripwires: depth 64 tasks, newidle_share 10.0 %, run_delay 20 ms$'
	check "set --trip: the command" gave "$armed"
	says '' "$armed $pending lease_left_ms=2000"
	run set newidle=dice --for 2s --trip depth=64 --trip newidle_share=10%
	expect "set --trip: with a policy and a lease" 0 ''
	prints "set --trip: the policy's line" "^newidle=dice .*; returns in 2 s $stay$"
	prints "set --trip: the line of limits" '^tripwires: depth 64 tasks, newidle_share 10.0 %$'
	check "set --trip: the command of all" \
		gave 'newidle=dice start=zero for_ms=2000 trip_depth=64 trip_newidle=100'
	says "$armed" "$armed $pending lease_left_ms=500"
	run set --trip depth=64 --for 500ms
	prints "set --trip: alone with a lease" \
		"^tripwires: depth 64 tasks; returns in 500 ms $stay$"
	says "$armed" ''
	run set --trip off
	expect "set --trip: off" 0 ''
	prints "set --trip: says off" '^tripwires: off$'
	check "set --trip: the command of off" \
		gave 'trip_depth=off trip_newidle=off trip_delay_us=off'
	says '' "$armed"
	run set --trip depth=64 -j
	json "set --trip: JSON" 0
	prints "set --trip: a limit in the JSON" '"trip_newidle_permille": 100'
}

test_set_trip_refused() {
	tree dice
	says ''
	run set --trip depth=0
	expect "set --trip: a bad limit" 2 \
		'schedflip: no depth "0"; allowed: 1 to 65535 tasks, or off'
	run set --trip width=3
	expect "set --trip: a bad name" 2 "schedflip: no tripwire \"width\"; known: depth \
newidle_share run_delay; or off for all"
	run set --trip depth=3 --cpu 0
	expect "set --trip: no CPUs" 2 "schedflip: tripwires are the machine's; leave --cpu and \
--domain out, or give KIND=VALUE as well"
	run set --trip
	expect "set --trip: no argument" 2
	check "set --trip: nothing was written" gave ''
	run set --trip depth=3
	expect "set --trip: not taken" 3 "schedflip: the tripwires are off, and not depth 3 tasks; \
is somebody else setting them?"
	says '' 'trips=1 trip_reason=9 runnable tasks'
	run set --trip depth=3
	expect "set --trip: crossed already" 1 "schedflip: a tripwire was crossed already, and all \
domains are back at stock: 9"
}

test_confirm() {
	tree jitter
	says "$pending" 'lease_id=1 lease_ended=confirmed'
	run confirm
	expect "confirm" 0 ''
	prints "confirm: says what stays" '^confirmed: it stays; in force: newidle=jitter$'
	check "confirm: the command" gave 'lease=confirm'
	says "$pending" 'lease_id=1 lease_ended=expired'
	run confirm
	expect "confirm: it is not what happened" 3 "schedflip: lease=confirm was carried out, but \
there is lease=none, lease_ended=expired; is somebody else setting policies?"
	says ''
	run confirm
	expect "confirm: there was none" 1 "schedflip: no lease is pending, and none was since the \
load; begin one: schedflip set --for 60s KIND=VALUE"
	says 'lease_id=3 lease_ended=tripped'
	run confirm -j
	json "confirm: none is pending, JSON" 1
	prints "confirm: says how the last one ended" 'how the last one ended: tripped'
	run confirm now
	expect "confirm: takes no argument" 2
}

test_return() {
	tree
	says "$pending" 'lease_id=1 lease_ended=returned'
	run return
	expect "return" 0 ''
	prints "return: says what is in force" \
		'^returned to what was before the lease; in force: all policies at stock$'
	check "return: the command" gave 'lease=return'
	{
		state='burst=idle cost=bump' domain 0 0 SMT dice
		state='burst=spread cost=bump' domain 1 0 SMT dice
	} >"$debugfs/state"
	says "$pending" 'lease_id=1 lease_ended=returned'
	run return -j
	json "return: JSON" 0
	prints "return: what is in force" '"in_force": "newidle=dice burst=mixed cost=bump"'
	says "$pending" "lease=pending lease_id=2"
	run return
	expect "return: another lease came" 3
	rm "$debugfs/status"
	run return
	expect "return: a module without leases" 1
}

test_reset() {
	local stock="newidle=stock start=zero ratio=learned slowpath=stock burst=stock \
burst_depth=2 burst_factor=3 burst_nohz=off cost=stock sync=off"
	tree
	says "$pending trip_delay_us=9" "$pending trip_delay_us=9" \
		'lease_id=1 lease_ended=confirmed'
	run reset
	expect "reset: under a lease" 0 ''
	prints "reset: the lease is gone" '; the lease that was pending is gone, so it stays$'
	prints "reset: tripwires are off" '^tripwires: off$'
	check "reset: the command" gave "$stock lease=confirm trip_delay_us=off"
	says 'lease_id=1'
	run reset
	expect "reset: no lease" 0 ''
	check "reset: the plain command" gave "$stock"
	prints_not "reset: nothing is said of leases" 'lease|tripwire'
	says "$pending" "$pending" "lease=pending lease_id=2"
	run reset
	expect "reset: another lease came" 3
	says 'hooks=off off_reason=sysrq'
	rm "$debugfs/policy"
	run reset
	expect "reset: while off" 0 ''
	prints "reset: nothing to do" \
		'^all domains are at stock already, as schedflip is off .sysrq.$'
	run reset -j
	json "reset: while off, JSON" 0
	echo 'NI_RANDOM=on held=1' >"$debugfs/features"
	run reset -j
	json "reset: while off, but NI_RANDOM is held" 3
}

test_ab_refuses() {
	tree
	mkdir -p "$root/run"
	says "$pending lease_left_ms=1500"
	run ab -p stock -p newidle=dice -- true
	expect "ab: a lease is pending" 1 "schedflip: a lease is pending, and would change \
policies in 1.5 s; run: schedflip confirm, or schedflip return"
	says 'hooks=off off_reason=debugfs'
	run ab -p stock -p newidle=dice -- true
	expect "ab: switched off" 1 "schedflip: schedflip was switched off (debugfs), so nothing \
would be flipped; run: schedflip on"
	check "ab: nothing was written" gave ''
}

test_set_for
test_set_for_refused
test_set_for_mismatch
test_set_trip
test_set_trip_refused
test_confirm
test_return
test_reset
test_ab_refuses
still
schemas
echo "1..$number"
