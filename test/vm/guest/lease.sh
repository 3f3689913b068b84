# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=sh disable=SC2086,SC2154 # no path has a blank; $output is that of exits
#
# Leases, tripwires and the kill switch through the utility: what was set returns, also if
# the utility is stopped or killed.

LEASE_OUT=/tmp/lease.out

newidle_is() {
	[ "$(field newidle | sort -u)" = "$1" ]
}

# returned_to POLICY: nothing is pending, and all domains have it
returned_to() {
	[ "$(status_says lease)" = none ] && newidle_is "$1"
}

# lease_began_with POLICY
lease_began_with() {
	[ "$(status_says lease)" = pending ] && newidle_is "$1" && [ -s $LEASE_OUT ]
}

# keep_lease POLICY OPTION...: in the background, as process $keeper
keep_lease() {
	policy=$1
	shift
	: >$LEASE_OUT
	schedflip set newidle=$policy --lease "$@" >$LEASE_OUT 2>&1 &
	keeper=$!
	succeeds "set --lease begins: $*" wait_for 20 lease_began_with $policy
}

# keeper_exits STATUS REGEX DESCRIPTION
keeper_exits() {
	wait $keeper
	is "$3" "$?" "$1"
	contains "and says so" "$(cat $LEASE_OUT)" "$2"
}

test_lease_for() {
	exits 0 "set --for" schedflip set newidle=jitter,start=half --for 8s
	contains "says when it returns" "$output" \
		'^newidle=jitter start=half: .*; returns in 8 s unless you run: schedflip confirm$'
	is "was set" "$(words)" "newidle=jitter start=half"
	exits 0 "show under a lease" schedflip show
	contains "says that it returns" "$output" '^lease: all returns in '
	exits 1 "ab under a lease" schedflip ab -p stock -p newidle=dice -- true
	contains "is told what to do" "$output" 'run: schedflip confirm, or schedflip return'
	exits 0 "set under a lease" schedflip set cost=bump
	contains "says that it returns as well" "$output" 'with the lease that is pending'
	succeeds "it returns by itself" wait_for 30 returned_to dice
	is "all of it" "$(field cost | sort -u)" stock
	is "as the lease expired" "$(status_says lease_ended)" expired
	note "late by $(status_says lease_late_us) us"
}

test_lease_ends() {
	exits 1 "confirm without a lease" schedflip confirm
	contains "says how the last one ended" "$output" 'how the last one ended: expired$'
	exits 0 "set --for again" schedflip set newidle=accumulator --for 4s
	exits 0 "confirm" schedflip confirm
	contains "says what stays" "$output" '^confirmed: it stays; in force: newidle=accumulator'
	sleep 5
	succeeds "it stays" newidle_is accumulator
	exits 0 "set --for an hour" schedflip set newidle=never --for 1h
	exits 0 "return" schedflip return
	contains "says what is in force" "$output" '; in force: newidle=accumulator$'
	succeeds "it has returned" returned_to accumulator
	exits 1 "return again" schedflip return
	flip newidle=dice
}

test_lease_reset() {
	exits 0 "set --for, to be reset" \
		schedflip set newidle=never --for 5s --trip depth=60000
	exits 0 "reset under a lease" schedflip reset
	contains "says that it stays" "$output" 'the lease that was pending is gone'
	is "tripwires are off" "$(status_says trip_depth)" off
	sleep 6
	succeeds "nothing comes back" newidle_is stock
	flip newidle=dice
}

test_keeper_renews() {
	keep_lease jitter --for 3s
	sleep 8
	succeeds "it is renewed" lease_began_with jitter
	exits 1 "a second set --lease" schedflip set newidle=never --lease
	contains "is refused" "$output" 'a lease is pending already'
	kill $keeper
	keeper_exits 0 '^SIGTERM: returned .* after [1-9].*; in force: newidle=dice$' \
		"it returns by SIGTERM"
	succeeds "at once" returned_to dice
	is "by the utility" "$(status_says lease_ended)" returned
}

test_keeper_frozen() {
	keep_lease always --for 3s
	kill -STOP $keeper
	succeeds "a stopped utility's lease returns" wait_for 30 returned_to dice
	is "as it expired" "$(status_says lease_ended)" expired
	note "late by $(status_says lease_late_us) us"
	kill -CONT $keeper
	keeper_exits 1 '^schedflip: expired: ' "the utility notices"
	keep_lease always --for 3s
	kill -KILL $keeper
	wait $keeper
	is "the utility is killed" "$?" 137
	succeeds "a killed utility's lease returns" wait_for 30 returned_to dice
}

test_keeper_ended() {
	keep_lease always --for 5m
	exits 0 "confirm from elsewhere" schedflip confirm
	keeper_exits 0 '^confirmed: stays$' "the utility is done"
	succeeds "and it stays" newidle_is always
	flip newidle=dice
	keep_lease always --trip depth=60000
	is "with its tripwire" "$(status_says trip_depth)" 60000
	flip trip_depth=1
	storm 50
	keeper_exits 1 '^schedflip: tripped: all domains are back at stock: .*trip_depth=1' \
		"the utility sees a tripwire"
	succeeds "all is at stock" returned_to stock
	exits 0 "show after it" schedflip show
	contains "says what was crossed" "$output" '^last tripwire: '
}

test_trip_option() {
	exits 0 "set --trip alone" schedflip set --trip depth=60000,newidle_share=99.9%
	is "the depth" "$(status_says trip_depth)" 60000
	is "the share" "$(status_says trip_newidle)" 999
	exits 0 "show with tripwires" schedflip show
	contains "has the limits" "$output" '^tripwires: depth 60000 tasks, newidle_share 99.9 %; '
	exits 0 "set --trip depth=off" schedflip set --trip depth=off
	is "one is off" "$(status_says trip_depth)$(status_says trip_newidle)" off999
	exits 0 "set --trip off" schedflip set --trip off
	is "all are off" "$(status_says trip_newidle)" off
	if [ "$(status_says delay_us)" = - ]; then
		exits 1 "set --trip run_delay is refused here" schedflip set --trip run_delay=10s
	else
		exits 0 "set --trip run_delay" schedflip set --trip run_delay=10s
		is "the delay" "$(status_says trip_delay_us)" 10000000
	fi
	schedflip set --trip off >/dev/null
}

test_off_verb() {
	flip newidle=dice
	keep_lease always
	exits 0 "off" schedflip off
	keeper_exits 1 '^schedflip: off: schedflip was switched off \(debugfs\)' \
		"the utility with a lease sees it"
	succeeds "all is at stock" returned_to stock
	exits 1 "set while it is off" schedflip set newidle=dice
	contains "says what to do" "$output" 'switched off \(debugfs\).*schedflip on$'
	exits 1 "ab while it is off" schedflip ab -p stock -p newidle=dice -- true
	exits 0 "show while it is off" schedflip show
	contains "says that it is off" "$output" '^OFF by debugfs: .*; run: schedflip on$'
	exits 0 "off again" schedflip off
	exits 0 "on" schedflip on
	is "hooks are live" "$(status_says hooks)" live
	put $PARAMETERS/off Y
	exits 0 "show after the parameter" schedflip -j
	contains "has the reason" "$output" '"off_reason": "parameter"'
	exits 0 "on after the parameter" schedflip on
	exits 0 "set once it is on" schedflip set newidle=jitter
}

all_lease() {
	flip newidle=dice
	test_lease_for
	test_lease_ends
	test_lease_reset
	test_keeper_renews
	test_keeper_frozen
	test_keeper_ended
	test_trip_option
	test_off_verb
	flip newidle=stock
}
