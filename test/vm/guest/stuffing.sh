#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# On a CPU whose kernel counts the depth of calls, and so wants padding before each
# function that a static call may reach.
#
# Takes: lib.sh storm
# Run: -m Skylake-Server-v1 -c 4 -a retbleed=stuff -a spectre_v2=retpoline

# shellcheck disable=SC1091
. lib.sh

is "the kernel counts calls" "$(cat /sys/devices/system/cpu/vulnerabilities/retbleed)" \
	"Mitigation: Stuffing"
succeeds "the module loads" load_module hooks=all
flip newidle=jitter burst=nearest slowpath=random cost=bump
storm
succeeds "counts hold" exact
fails "calls are skipped" test "$(sum skipped)" -eq 0
succeeds "the module unloads" unload_module
is "no thunk lacks its padding" "$(dmesg | grep callthunks | grep -c 'sf_\|schedflip')" 0
finish
