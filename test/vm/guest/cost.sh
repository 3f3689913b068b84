# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=sh disable=SC2086 # none of the paths has a blank
#
# What a failed attempt costs, what a flip does with what was learned, and whether CPUs
# attempt together.

migration_cost() {
	cat /sys/kernel/debug/sched/migration_cost_ns
}

# An attempt takes an emulated CPU longer than the cap, so that is reached at once.
test_cost() {
	cap=$(($(migration_cost) + 200))
	put /sys/kernel/debug/sched/migration_cost_ns 1000000000
	flip newidle=always cost=bump learn=reset
	storm 200
	succeeds "cost=bump: failures raise it above what attempts took" judge '
		k["cost_ns"] > k["own_cost_ns"] { some = 1 }
		END { if (!some) bad("none") }'
	put /sys/kernel/debug/sched/migration_cost_ns $((cap - 200))
	flip newidle=always cost=bump
	storm 200
	fails "cost=bump: failed attempts bump" test "$(sum bumps)" -eq 0
	succeeds "and no cost is above the cap" judge "k[\"cost_ns\"] > $cap { bad(\"cap\") }"
	succeeds "bumps are failed attempts" \
		judge 'k["bumps"] > k["attempts"] - k["pulled"] { bad("bumps") }'
	echo 100000 >/sys/kernel/debug/sched/migration_cost_ns
	storm 100
	succeeds "the cap follows the migration cost" \
		judge 'k["cost_ns"] > 100200 && k["bumps"] { bad("cap") }'
	put /sys/kernel/debug/sched/migration_cost_ns $((cap - 200))
	flip newidle=never
	cp $SF/state /tmp/bumped
	flip cost=stock
	succeeds "at stock a cost is the kernel's own again" restored
	succeeds "and is shown so" judge 'k["cost_ns"] != k["own_cost_ns"] { bad("own") }'
	is "no bumps" "$(sum bumps)" 0
	flip newidle=stock
}

# Below it by no more than some decays since.
restored() {
	awk '{
		for (i = 1; i <= NF; i++) { split($i, a, "="); k[a[1]] = a[2] }
		name = $1 " " $2
	}
	NR == FNR { own[name] = k["own_cost_ns"]; next }
	k["cost_ns"] < own[name] * 0.9 { print own[name] ": " $0; failed = 1 }
	k["cost_ns"] > 0 { some = 1 }
	END { exit failed || !some }' /tmp/bumped $SF/state
}

# agree FILE: what the lines of `state` in FILE had learned is there still. It has been lost
# where it is a fresh domain's 512, and something else where a domain has learned since.
agree() {
	awk '{
		for (i = 1; i <= NF; i++) { split($i, a, "="); k[a[1]] = a[2] }
		name = $1 " " $2
	}
	NR == FNR { learned[name] = k["learned"]; next }
	learned[name] == 512 { next }
	k["learned"] == 512 { print learned[name] ": " $0; lost++ }
	k["learned"] == learned[name] { kept++ }
	END { exit lost || !kept }' "$1" $SF/state
}

# A domain learns something new each 512 calls.
taught() {
	command storm 300
	[ "$(field learned | grep -vcx 512)" -ge 3 ]
}

test_learn() {
	flip newidle=always learn=reset
	is "learn=reset: all are as fresh domains" "$(field learned | sort -u)" 512
	succeeds "storms teach them" wait_for 20 taught
	flip newidle=never
	cp $SF/state /tmp/learned
	flip newidle=never learn=keep
	succeeds "learn=keep keeps it" agree /tmp/learned
	flip newidle=accumulator learn=restore
	is "learn=restore: a policy that has never run is fresh" "$(field learned | sort -u)" 512
	flip newidle=never
	flip newidle=always learn=restore
	succeeds "and one that has is as it was left" agree /tmp/learned
	flip newidle=never learn=reset
	is "reset again" "$(field learned | sort -u)" 512
	flip newidle=stock
}

some_expected() {
	command storm 300
	[ "$(sum sync_expected_milli)" -gt 0 ]
}

test_sync() {
	flip newidle=always sync=on learn=reset
	wait_for 20 some_expected
	succeeds "sync=on: at always all pairs are expected" judge '
		{ total += k["sync_pairs"] }
		k["sync_pairs"] * 1000 != k["sync_expected_milli"] { bad("pairs") }
		END { if (!total) bad("none") }'
	flip newidle=never
	storm 100
	is "at never there are none" "$(sum sync_pairs)" 0
	flip newidle=jitter ratio=300
	succeeds "at jitter some are expected" wait_for 20 some_expected
	succeeds "and counts hold beside it" exact
	succeeds "all CPUs of a span show the same" judge '
		{ key = k["span"] " " k["level"] }
		key in pairs && pairs[key] > k["sync_pairs"] { bad("pairs") }
		{ pairs[key] = k["sync_pairs"] }'
	flip newidle=stock ratio=learned sync=off
	storm 100
	is "sync=off: nothing is counted" "$(sum sync_expected_milli)" 0
}

# All of it at once, with CPUs that come and go.
test_together() {
	succeeds "all policies at once" schedflip set \
		newidle=jitter,slowpath=random,burst=nearest,cost=bump learn=reset
	is "are in force" "$(cat $SF/policy)" \
		"newidle=jitter start=zero slowpath=random burst=nearest cost=bump"
	hackbench -g 4 -f 5 -l $((300 / SLOWER)) >/dev/null &
	for cpu in 3 $((LAST - 1)); do
		echo 0 >$CPUS/cpu$cpu/online
		forks 3 50 200 >/dev/null
		echo 1 >$CPUS/cpu$cpu/online
	done
	wait $!
	succeeds "and the counts hold" exact
	succeeds "reset" schedflip reset
	is "all are at stock" "$(cat $SF/policy)" \
		"newidle=stock start=zero slowpath=stock burst=stock cost=stock"
}

all_cost() {
	test_cost
	test_learn
	test_sync
	test_together
}
