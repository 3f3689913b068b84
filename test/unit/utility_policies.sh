#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Runs the utility with each kind of policy on a tree of files in place of the
# kernel's: what is set, read back, reset and shown; prints TAP.
#
# shellcheck disable=SC2119 # the arguments of tree may be left out

set -euo pipefail

# shellcheck source=test/unit/utility_tree
. "$(dirname -- "${BASH_SOURCE[0]}")/utility_tree"

test_show_placement() {
	local state="slowpath=random picks=8 stale=1 burst=nearest avg_depth_milli=1250 \
wake_seen=1000 fork_seen=200 exec_seen=30 wake_over=100 fork_over=20 exec_over=3 wake_moved=40 \
fork_moved=5 exec_moved=1 wake_idle=30 fork_idle=2 exec_idle=1 cost=bump cost_ns=9000 \
own_cost_ns=4500 bumps=77 sync=1 sync_pairs=3 sync_expected_milli=4000" field
	tree
	run
	expect "show: nothing at stock" 0 ''
	prints "show: slow path" '1 MC  *random  *8  *12.500$'
	prints "show: burst" '1 MC  *nearest >=2, 3x  *1.25  *1230  *123  *46  *33$'
	prints "show: cost" '1 MC  *bump  *9.0 (4.5)  *77  *0.75$'
	result "$([ "$(wc -L <"$work/out")" -le 100 ] && echo 0 || echo 1)" "show: 100 columns"
	run -j
	json "show: JSON of all" 0
	for field in '"stale_rate_percent": 12.5' '"avg_depth": 1.25' '"synchrony": 0.75' \
		'"burst_nohz": false' '"sync": true' '"slowpath": "random"' '"wake_idle": 30' \
		'"own_cost_ns": 4500' '"avg_depth_milli": 1250'; do
		prints "show: $field in the JSON" "$field"
	done

	state='burst=idle burst_nohz=1 sync=1 cost_ns=9000' tree
	run
	prints "show: idle has no factor" '1 MC  *idle >=2, nohz  *0.00  *0 '
	prints "show: nothing to compare with" '1 MC  *stock  *9.0  *0  *-$'
	prints_not "show: a slow path at stock is not shown" SLOWPATH
	run -j
	json "show: JSON without rates" 0
	prints "show: no stale rate in the JSON" '"stale_rate_percent": null'
	prints "show: no synchrony in the JSON" '"synchrony": null'

	state='picks=4' tree
	run show --cpu 1 --domain MC
	prints "show: picks at stock" '1 MC  *stock  *4  *0.000$'
	prints_not "show: only those picked" 'SMT|BURST|COST'
}

test_set_kinds() {
	local all='newidle=jitter start=half slowpath=random burst=idle burst_depth=4 '
	all+='burst_factor=5 burst_nohz=on cost=bump learn=reset sync=on'
	local state='newidle=jitter start=half slowpath=random burst=idle burst_depth=4
		burst_factor=5 burst_nohz=1 cost=bump sync=1'
	local word
	select=patched tree
	# shellcheck disable=SC2086 # an argument a kind
	run set $all
	expect "set: all kinds" 0 ''
	prints "set: says all kinds" "^$all: 4 domains on 2 CPUs$"
	result "$([ "$(cat "$debugfs/policy")" = "$all" ] && echo 0 || echo 1)" \
		"set: the command of all kinds"
	run set newidle=jitter,start=half,burst=idle cost=bump learn=restore --cpu 0
	expect "set: commas and several arguments" 0 ''
	for word in slowpath=stock burst=spread burst_depth=3 burst_factor=4 burst_nohz=off \
		cost=stock sync=off; do
		run set "$word" --cpu 0 --domain MC
		expect "set: a mismatch of ${word%%=*}" 3 "schedflip: 1 of 1 domain did not take \
$word: cpu0/domain1 has $(tr ' ' '\n' <<<"$all" | grep "^${word%%=*}="); is somebody else \
setting policies?"
	done
	run set -j sync=off
	json "set: a mismatch of sync, JSON" 3
	run set learn=keep
	expect "set: nothing to read back of learn" 0 ''
}

test_set_unpatched() {
	local advice='run: schedflip unload && schedflip load --hooks all'
	tree
	run set slowpath=random
	expect "set: slowpath without its hook" 1 \
		"schedflip: slowpath=random needs the hook select, which is off; $advice"
	select=absent tree
	run set newidle=jitter burst=nearest
	expect "set: burst without its hook" 1 \
		"schedflip: burst=nearest needs the hook select, which is absent; $advice"
	run set -j burst=idle
	json "set: burst without its hook, JSON" 1
	result "$([ ! -s "$debugfs/policy" ] && echo 0 || echo 1)" \
		"set: without the hook nothing was written"
	run set slowpath=stock,burst=stock,burst_depth=2,cost=stock
	expect "set: stock needs no hook" 0 ''
}

test_set_refused() {
	tree
	run set slowpath=fast
	expect "set: no such slow path" 2 \
		'schedflip: no policy "fast" for slowpath; known: stock random'
	run set newidle=dice burst_depth=0
	expect "set: bad depth" 2 'schedflip: no burst_depth "0"; allowed: 1 to 4096'
	run set burst_nohz=maybe
	expect "set: bad switch" 2 'schedflip: no burst_nohz "maybe"; allowed: on, off'
	result "$([ ! -s "$debugfs/policy" ] && echo 0 || echo 1)" "set: nothing was written"
}

test_reset() {
	local word
	for word in slowpath=random burst=idle burst_depth=3 burst_factor=2 burst_nohz=1 \
		cost=bump sync=1; do
		state=$word tree
		run reset
		expect "reset: $word is left" 3
	done
}

test_load() {
	local loaded="mkdir -p $root/sys/module/schedflip $livepatch
echo 1 >$livepatch/enabled; echo 0 >$livepatch/transition"
	tree
	modprobe_does "$loaded" --hooks newidle --policy cost=bump,slowpath=random
	expect "load: too few hooks" 2 \
		"schedflip: slowpath=random needs the hook select; add --hooks all"
	state='slowpath=random burst=nearest burst_depth=4096 burst_factor=64 cost=bump' tree
	modprobe_does "$loaded" --hooks all --policy "slowpath=random,burst=nearest,\
burst_depth=4096,burst_factor=64,burst_nohz=off,cost=bump,learn=restore,sync=off"
	expect "load: many kinds" 0 ''
	result "$(grep -q '^policy=slowpath=random .* cost=bump learn=restore sync=off$' \
		"$work/arguments" && echo 0 || echo 1)" "load: many kinds for modprobe"
}

# The names in --help are typed there; those in the message are the module's.
test_help() {
	local name
	for name in newidle start slowpath burst cost; do
		run set "$name=?"
		sed -n 's/.*known: //p' "$work/err" | tr ' ' '|' >"$work/names"
		run set --help
		prints "set --help has all of $name" "$name=$(cat "$work/names")"
	done
	for name in burst_depth=1..4096 burst_factor=1..64 'burst_nohz=on|off' 'sync=on|off' \
		learn=keep learn=reset learn=restore; do
		prints "set --help has $name" "$name"
	done
}

test_show_placement
test_set_kinds
test_set_unpatched
test_set_refused
test_reset
test_load
test_help
schemas
echo "1..$number"
