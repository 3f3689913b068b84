#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=sh disable=SC2086,SC2154 # no path has a blank; $output is that of fails
#
# The kernel switches ftrace off, as it does after a fault of its own. That lasts until the
# next boot, so this has a machine of its own.
#
# Takes: lib.sh storm
# Run: -T 600

# shellcheck disable=SC1091
. lib.sh

# refused DESCRIPTION REASON COMMAND...
refused() {
	what=$1
	reason=$2
	shift 2
	fails "$what: refused" "$@"
	contains "$what: and named" "$output" "^schedflip: .*$reason"
}

test_dies() {
	flip newidle=jitter slowpath=random burst=nearest cost=bump for_ms=600000
	storm
	fails "policies decide" test "$(sum calls)" -eq 0
	modprobe sfdead
	begin=$(centiseconds)
	succeeds "that ftrace is dead is noticed" wait_for 10 tells hooks dead
	at_most 2 "that ftrace is dead is noticed" "$begin"
}

test_is_dead() {
	is "NI_RANDOM is the user's" "$(cat $SF/features)" "NI_RANDOM=on held=0"
	is "all domains are at stock" "$(field newidle | sort -u) $(field burst | sort -u)" \
		"stock stock"
	is "the lease is gone" "$(status_says lease)" none
	is "the hooks say so" "$(sed -n '/absent/d; s/.* state=\([a-z]*\) .*/\1/p' $SF/hooks |
		sort -u)" dead
	calls=$(sum calls)
	storm
	is "and decide nothing" "$(sum calls)" "$calls"
	fails "nothing can be set" flip newidle=dice
	contains "and said why" "$(cat $SF/last_error)" \
		'ftrace off, .*, so nothing can be set; reboot$'
	refused set 'ftrace off, .*; reboot$' schedflip set newidle=dice
	refused load 'ftrace off, .*; reboot$' schedflip load
	refused unload 'it stays until the next boot, at stock$' schedflip unload
	contains "show says so" "$(schedflip)" '^DEAD: '
}

# Functions may call us still. Livepatch would free what they call on the way.
test_stays() {
	fails "the module stays" rmmod schedflip
	fails "and its livepatch" put $KLP/enabled 0
	hooked=$(hooked)
	storm
	is "at stock" "$(status_says hooks) $(field newidle | sort -u)" "dead stock"
	is "nothing was decided" "$(sum calls)" "$calls"
	succeeds "but called" test "$(hooked)" -gt "$hooked"
}

note "$(uname -rv)"
succeeds "load" load_module hooks=all
test_dies
test_is_dead
test_stays
finish
