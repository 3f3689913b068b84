#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Each need of the module denied in each way; the suite has some ways only.
#
# Takes: lib.sh load.sh features.sh utility.sh wrong.sh storm
# Run: -T 1500

# shellcheck disable=SC1090,SC1091
for file in lib load features utility wrong; do
	. $file.sh
done

note "$(uname -rv)"
test_wrong_kernels every
finish
