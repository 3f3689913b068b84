# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=sh disable=SC2086,SC2016 # no path has a blank; that is no command
#
# The utility against the real module: what it says is what `state` says.

# exits STATUS DESCRIPTION COMMAND...; what it printed is in $output
exits() {
	wanted=$1
	description=$2
	shift 2
	output=$("$@" 2>&1)
	is "$description" "$? " "$wanted "
}

test_utility_not_loaded() {
	exits 1 "show without the module" schedflip
	contains "says so in one line" "$output" '^schedflip: .*not loaded'
	is "one line" "$(echo "$output" | wc -l)" 1
	exits 1 "set without the module" schedflip set newidle=jitter
	exits 0 "check: this kernel takes the module" schedflip check
	exits 2 "an unknown command" schedflip flop
	contains "says which" "$output" 'flop'
}

test_utility_flips() {
	exits 1 "a second load says so" schedflip load
	exits 0 "set" schedflip set newidle=jitter,start=stagger
	is "was set" "$(words)" "newidle=jitter start=stagger"
	exits 0 "set on some" schedflip set newidle=never --cpu 2-3 --domain SMT
	is "was set on them" "$(field newidle 'newidle=never' | wc -l)" 2
	exits 0 "set a ratio" schedflip set ratio=500
	is "was pinned" "$(field ratio | sort -u)" 500
	exits 2 "set a policy that is none" schedflip set newidle=jiter
	known='stock dice accumulator jitter always never; did you mean "jitter"?'
	is "in these words" "$output" \
		"schedflip: no policy \"jiter\" for newidle; known: $known"
	exits 2 "set twice" schedflip set newidle=dice,newidle=jitter
	exits 1 "set on a domain that is none" schedflip set newidle=dice --domain LLC
	is "bad sets changed nothing" "$(field newidle 'newidle=jitter' | wc -l)" \
		$(($(domains) - 2))
	exits 0 "show" schedflip show
	contains "has the policy" "$output" jitter
	contains "and a unit" "$output" '%'
	exits 0 "show as JSON" schedflip -j
	contains "is versioned" "$output" '"schema_version": *1'
	exits 0 "reset" schedflip reset
	is "all are at stock" "$(words)" "newidle=stock start=zero"
	is "pins are gone" "$(sum pinned)" 0
	is "NI_RANDOM is given back" "$(cat $SF/features)" "NI_RANDOM=on held=0"
}

# Two loads at once: one wins, and says what it got.
test_utility_race() {
	schedflip load --timeout 300 --hooks newidle >/tmp/one 2>&1 &
	one=$!
	schedflip load --timeout 300 --hooks all >/tmp/two 2>&1 &
	two=$!
	wait $one
	first=$?
	wait $two
	second=$?
	is "one of two loads succeeds" "$((first + second))" 1
	case $first in
	0) is "and has the hooks it asked for" "$(status select)" off ;;
	*) is "and has the hooks it asked for" "$(status select)" patched ;;
	esac
	contains "the other says why not" "$(cat /tmp/one /tmp/two)" \
		'another schedflip|already loaded'
}

# Somebody else turns the livepatch round before it is in force.
test_utility_reversed() {
	schedflip load --timeout 300 >/tmp/load 2>&1 &
	load=$!
	wait_for 60 test -e $KLP/enabled
	echo 0 >$KLP/enabled
	wait $load
	is "a load that somebody reverses is no success" $? 1
	contains "and says so" "$(cat /tmp/load)" 'somebody else has disabled the livepatch'
	exits 0 "and the module goes" schedflip unload --timeout 300
	succeeds "nothing is left" nothing_left
}

test_utility_foreign() {
	exits 4 "a module for another kernel is refused" schedflip load \
		/usr/local/bin/foreign.ko
	contains "and named, with what to do" "$output" \
		'^schedflip: .*/foreign.ko was built for .* and this is .*; build it .*`make`$'
	succeeds "and nothing is left" nothing_left
}

# setpriv would need util-linux: busybox's su does as well.
as_nobody() {
	su -s /bin/sh nobody -c "schedflip $*"
}

test_utility_not_root() {
	grep -q '^nobody:' /etc/passwd 2>/dev/null ||
		echo 'nobody:x:65534:65534::/:/bin/sh' >>/etc/passwd
	exits 5 "show as nobody" as_nobody show
	contains "says so in one line" "$output" '^schedflip: .*root'
	exits 5 "set as nobody" as_nobody set newidle=jitter
	is "changed nothing" "$(words)" "newidle=stock start=zero"
}

test_utility() {
	test_utility_not_loaded
	test_utility_foreign
	test_utility_reversed
	test_utility_race
	test_utility_flips
	test_utility_not_root
	exits 0 "a lease to lose" schedflip set newidle=dice --for 1h
	exits 0 "unload" schedflip unload --timeout 300
	contains "says that the lease is gone" "$output" 'the lease that was pending is gone'
	succeeds "nothing is left" nothing_left
	exits 1 "unload again says so" schedflip unload
}
