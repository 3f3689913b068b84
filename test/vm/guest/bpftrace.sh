#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=sh disable=SC2016 # bpftrace's own variables
#
# bpftrace can use the module's tracepoints: it needs no more than their names. On its own,
# as it brings a compiler along.
#
# Takes: lib.sh storm

# shellcheck disable=SC1091
. lib.sh

# What it prints at its end, a line a key: @[0]: 123
counted() {
	echo "$output" | sed -n "s/^@\[$1\]: //p"
}

test_bpftrace() {
	printf '. lib.sh\nstorm\n' >/tmp/load
	flip newidle=accumulator
	output=$(bpftrace -e 'tracepoint:schedflip:newidle { @[args->attempt] = count(); }' \
		-c 'sh /tmp/load' 2>&1)
	is "bpftrace runs" $? 0
	note "$output"
	contains "and counts skips" "$(counted 0)" '^[1-9][0-9]*$'
	contains "and attempts" "$(counted 1)" '^[1-9][0-9]*$'
	output=$(bpftrace -l 'tracepoint:schedflip:*' | cut -d: -f3 | sort | tr '\n' ' ')
	is "it knows the events" "$output" "burst newidle slowpath "
}

note "$(uname -rv)"
succeeds "load for bpftrace" load_module hooks=all
test_bpftrace
succeeds "unload after bpftrace" unload_module
finish
