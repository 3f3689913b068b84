#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Beside each of the others alone, where the suite has all of them at once.

# shellcheck disable=SC1090,SC1091
for file in lib load features utility beside; do
	. $file.sh
done

note "$(uname -rv)"
all_beside
finish
