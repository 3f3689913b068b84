#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Beside each of the others alone, where the suite has all of them at once.
# To put some probes on a function that we patch is a mistake that some kernels warn of.
#
# Takes: lib.sh load.sh features.sh utility.sh beside.sh storm trampoline scx
# Run: -T 1500 -e Failed.to.(arm|register).kprobe-ftrace

# shellcheck disable=SC1090,SC1091
for file in lib load features utility beside; do
	. $file.sh
done

note "$(uname -rv)"
all_beside
finish
