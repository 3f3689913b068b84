#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# All guest tests of one kernel, in one boot.

# shellcheck disable=SC1090,SC1091
for file in lib load features policies writes hotplug select cost learner trace record ab \
	utility wrong beside; do
	. $file.sh
done

note "$(uname -rv)"
boot_messages=$(dmesg -r | grep -cE '^<[0-4]>')
test_refused_loads
test_earlier_livepatch
test_replaced
test_default_load
test_load_with_policy
all_features
all_policies
all_writes
all_hotplug
all_select
all_cost
test_unload_while_reading
test_learner
all_trace
all_record
test_ab
test_utility
test_wrong_kernels
test_beside_others
# The clock of an emulated CPU stalls, and CPUs went offline under pinned threads.
is "no kernel message but livepatch's and ours" \
	"$(dmesg -r | grep -E '^<[0-4]>' | tail -n +"$((boot_messages + 1))" |
		grep -Ev 'schedflip|sfother|sfprobe|sfdoctor|livepatch' |
		grep -Ev 'hrtimer: interrupt took|no longer affine' |
		tail -n 3)" ""
finish
