#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=sh disable=SC2086 # none of the paths has a blank
#
# The Nth allocation of a load fails, for each N until a load needs no more: failnth.sh
# [FIRST [LAST]]. A load that fails for it leaves nothing, one that gets by without has all
# files, at the latest when the heartbeat has been there, and unloads.
#
# Takes: lib.sh load.sh features.sh failnth
# Run: -c 2 -T 7200 -e vmalloc.error|percpu:.allocation.failed|page.allocation.failure

# shellcheck disable=SC1091
. lib.sh
. load.sh
. features.sh

MODULE=$(modinfo -n schedflip)
FAULTS=/sys/kernel/debug
EVENTS=/sys/kernel/tracing/events/schedflip

# address SYMBOL
address() {
	sed -n "s/^\([0-9a-f]*\) . $1\$/0x\1/p" /proc/kallsyms
}

# after SYMBOL: the address of the next one
after() {
	sort /proc/kallsyms | sed -n "/ [tT] $1\$/{n;s/ .*//;s/^/0x/p}"
}

# All that our init allocates, also by the kernel's functions that it calls; but not what
# the loader does before, for that is the kernel's own to undo.
attributes() {
	start=$(address do_init_module)
	end=$(after do_init_module)
	for attribute in failslab fail_page_alloc; do
		put $FAULTS/$attribute/ignore-gfp-wait N
		put $FAULTS/$attribute/verbose 0
		put $FAULTS/$attribute/stacktrace-depth 32
		put $FAULTS/$attribute/require-start $start
		put $FAULTS/$attribute/require-end $end
	done
	put $FAULTS/fail_page_alloc/ignore-gfp-highmem N
	put $FAULTS/fail_page_alloc/min-order 0
}

all_files() {
	find $SF | sort
}

has_all_files() {
	all_files | cmp -s - /tmp/files
}

is_left() {
	! nothing_left || [ -e $EVENTS ]
}

# wrong WHAT: with the number of the allocation
wrong() {
	note "allocation $n: $1; $result"
	mistakes=$((mistakes + 1))
}

# judge_load: by what failnth said, and what there is
judge_load() {
	case $result in
	*error=0)
		wait_for 300 patched || wrong "the transition does not end"
		wait_for 3 has_all_files || wrong "lacks $(all_files |
			diff - /tmp/files | grep -c '^[+<>-]/') files"
		loaded=$((loaded + 1))
		unload_module || wrong "does not unload"
		;;
	*) refused=$((refused + 1)) ;;
	esac
	! is_left || wrong "something is left"
	[ "$(ni_random)" = NI_RANDOM ] || wrong "NI_RANDOM is not given back"
}

# fail_each FIRST LAST: until a load gets by without a failure
fail_each() {
	mistakes=0 loaded=0 refused=0 n=$1
	while [ "$n" -le "$2" ]; do
		result=$(failnth $n $MODULE "$PARAMETERS_OF_LOAD")
		judge_load
		case $result in
		fired=1*) ;;
		*) break ;;
		esac
		n=$((n + 1))
		[ $((n % 100)) -ne 0 ] || note "$n at $(cut -d' ' -f1 /proc/uptime) s"
	done
	note "$((n - $1)) allocations failed: $refused loads refused, $loaded got by"
}

PARAMETERS_OF_LOAD="hooks=all policy=newidle=jitter"
note "$(uname -rv)"
leaks_begin
succeeds "the kernel can let allocations fail" attributes
succeeds "load without a failure" load_module hooks=all policy=newidle=jitter
all_files >/tmp/files
succeeds "and unload" unload_module
succeeds "nothing is left" nothing_left
fail_each "${1:-1}" "${2:-9999}"
is "each failure leaves nothing, or all" "$mistakes" 0
contains "allocations did fail" "$((n - ${1:-1}))" '^[1-9][0-9]'
contains "and loads were refused for it" "$refused" '^[1-9]'
[ $# -ge 2 ] || contains "until none was left to fail" "$result" '^fired=0 error=0$'
no_leak
finish
