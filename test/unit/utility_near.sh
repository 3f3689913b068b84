#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Runs commands of the utility with names that are nearly right, on a tree of files in
# place of the kernel's: wherever a name is refused, the one that was meant is told.
# Prints TAP.
#
# shellcheck disable=SC2119 # the arguments of tree may be left out

set -euo pipefail

# shellcheck source=test/unit/utility_tree
. "$(dirname -- "${BASH_SOURCE[0]}")/utility_tree"

# near MEANT WORD...: the command is refused, and MEANT suggested behind what is known.
near() {
	local meant=$1 bad=0
	shift
	run "$@"
	[ "$code" != 0 ] || bad=1
	grep -q -- "; did you mean \"$meant\"?\$" "$work/err" || bad=1
	grep -Eq -- 'known:|allowed:|--help' "$work/err" || bad=1
	result "$bad" "$*: did you mean $meant?"
}

# far WORD...: the command is refused, and nothing suggested.
far() {
	local bad=0
	run "$@"
	[ "$code" != 0 ] || bad=1
	! grep -q 'did you mean' "$work/err" || bad=1
	result "$bad" "$*: nothing is near"
}

tree
near set sett newidle=dice
near set help ste
near jitter set newidle=jiter
near newidle set newidel=jitter
near random set slowpath=radnom
near spread set burst=Spraed
near bump set cost=bmup
near stagger set start=staggr
near restore set learn=restor
near learned set ratio=lerned
near off set sync=of
near on set burst_nohz=no
near depth set --trip dpeth=64
near newidle_share set --trip newidle-share=10%
near off set --trip of
near SMT set newidle=dice --domain smt
near MC show --domain CM
near newidle load --hooks newidel
near all load --hooks al
near jitter load --policy newidle=jittr
near jitter ab -p newidle=jiter -p newidle=dice -- true
near random ab -p stock -p newidle=dice --order randon -- true
near reset ab -p stock -p newidle=dice --learn rest -- true
near higher ab --metric 'rps:hihger=([0-9]+)' -p stock -p newidle=dice -- true
near burst record --event bursts
near mail report --format mial "$work/none"
near replay sim repaly file
near --windows sim windows --window-s 3
near --policy ab --polciy stock
near always show --color alwyas
far nonsense
far set newidle=random
far set what=ever
far set ratio=1025
far set newidle=
far set --domain NUMA newidle=dice
far load --hooks x
far show --xyzzy
far sim xyzzy
# near_line MEANT LINE: the same, of a line of a configuration.
near_line() {
	echo "$2" >"$work/web.conf"
	near "$1" apply --check "$work/web.conf"
}

near_line jitter newidle=jiter
near_line newidle newidel=jitter
near_line domain 'domian=MC newidle=dice'
near_line all hooks=al
near_line depth trip=dpeth=64
near --skip-missing verify --skip-mising
near --output metrics --outptu x
near jitter -j set newidle=jiter
prints "JSON has it too" 'did you mean \\"jitter\\"?'
echo "1..$number"
