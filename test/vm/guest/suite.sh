#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# All guest tests of one kernel, in one boot.

# shellcheck disable=SC1090,SC1091
for file in lib load features policies writes hotplug select safety lease stuck cost learner \
	trace record watch ab utility config fuzz privilege wrong beside; do
	. $file.sh
done

note "$(uname -rv)"
leaks_begin
boot_messages=$(dmesg -r | grep -cE '^<[0-4]>')
test_refused_loads
test_refused_while_open
test_earlier_livepatch
test_replaced
test_default_load
test_load_with_policy
all_features
all_policies
all_writes
all_hotplug
all_select
all_safety
all_lease
all_stuck
all_cost
test_fuzz 20 1
test_privilege
test_unload_while_reading
test_learner
all_trace
all_record
all_watch
test_ab
test_utility
all_config
test_wrong_kernels
test_beside_others
no_leak
# For good, so it comes last.
load_module
test_lockdown
# The clock of an emulated CPU stalls, CPUs went offline under pinned threads, a thread kept
# one busy, and of the events that were enabled some need more to be told. Under KCSAN the
# kernel tells of its own data races; ours are found in its log by run.
if [ "${SCHEDFLIP_KERNEL-}" = kcsan ]; then
	report 0 "no kernel message but livepatch's and ours # SKIP the kernel has races of its own"
else
	is "no kernel message but livepatch's and ours" \
		"$(dmesg -r | grep -E '^<[0-4]>' | tail -n +"$((boot_messages + 1))" |
			grep -Ev 'schedflip|sfother|sfprobe|sfdoctor|livepatch' |
			grep -Ev 'hrtimer: interrupt took|clocksource: |Marking (TSC )?unstable' |
			grep -v 'no longer affine' |
			grep -Ev 'RT throttling activated|require the kernel parameter' |
			tail -n 3)" ""
fi
finish
