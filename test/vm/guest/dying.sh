#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=sh disable=SC2086 # no path has a blank
#
# The kernel switches ftrace off in the middle of an unload, which goes on: but it must
# neither free what hooked functions go by, nor let the module go.
#
# Takes: lib.sh storm stall
# Run: -T 600

# shellcheck disable=SC1091
. lib.sh

note "$(uname -rv)"
succeeds "load" load_module hooks=all
flip newidle=jitter burst=nearest
stall $FEATURES 100 &
stall=$!
sleep 1
put $KLP/enabled 0
is "an unload is held up" "$(cat $KLP/transition)" 1
modprobe sfdead
begin=$(centiseconds)
succeeds "that ftrace is dead is noticed" wait_for 10 tells hooks dead
at_most 2 "that ftrace is dead is noticed" "$begin"
kill -9 "$stall"
wait "$stall" 2>/dev/null
succeeds "the transition ends" wait_for 120 unpatched
is "the hooks are dead, and not detached" "$(status_says hooks)" dead
is "NI_RANDOM is the user's" "$(cat $SF/features)" "NI_RANDOM=on held=0"
fails "the module stays" rmmod schedflip
hooked=$(hooked)
calls=$(sum calls)
storm
storm
succeeds "and is called still" test "$(hooked)" -gt "$hooked"
is "but decides nothing" "$(sum calls)" "$calls"
fails "the utility does not take it out" schedflip unload
contains "and says why" "$(schedflip unload 2>&1)" 'it stays until the next boot, at stock$'
finish
