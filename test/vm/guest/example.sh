#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# The policy that docs/INTERNALS.md adds, by docs/alternate.patch: every other newidle call is
# an attempt. For a module and a utility that were built with the patch.
#
# Takes: lib.sh storm

# shellcheck disable=SC1091
. lib.sh

# every_other: of each domain that started at zero
every_other() {
	awk '
	{ for (i = 1; i <= NF; i++) { split($i, a, "="); k[a[1]] = a[2] } }
	k["newidle"] != "alternate" { print; bad = 1 }
	k["attempts"] != int(k["calls"] / 2) { print; bad = 1 }
	{ calls += k["calls"] }
	END { exit bad || calls < 100 }' "$SF/state"
}

note "$(uname -rv)"
succeeds "load" load_module
succeeds "the utility knows it" schedflip set newidle=alternate
storm
storm
succeeds "every other call is an attempt" every_other
succeeds "all counts hold" exact
contains "what is near is told, by the table" "$(schedflip set newidle=alternat 2>&1)" \
	'did you mean "alternate"\?$'
succeeds "unload" unload_module
finish
