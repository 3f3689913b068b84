# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=sh disable=SC2086 # none of the paths has a blank
#
# Every policy on every domain under load, counts, ratios and starts.

POLICIES="dice accumulator jitter always never"

# Reads `state` over and over while the storm goes on: the counts must hold in
# every line that was ever read.
exact_under_load() {
	storm 150 &
	storm=$!
	reads=0
	while kill -0 "$storm" 2>/dev/null; do
		cat $SF/state
		reads=$((reads + 1))
	done >/tmp/lines
	wait "$storm"
	note "$reads reads of state"
	[ "$reads" -gt 2 ] && exact /tmp/lines
}

test_policies() {
	for policy in $POLICIES; do
		flip "newidle=$policy"
		is "$policy: set on all domains" "$(field newidle | sort -u)" "$policy"
		succeeds "$policy: counts hold at every moment under load" exact_under_load
		fails "$policy: newidle calls came" test "$(sum calls)" -eq 0
	done
	# Until the last domain is at stock, and NI_RANDOM given back, the dice are ours.
	flip newidle=stock
	flip newidle=stock
	storm
	is "stock: the kernel skips before us" "$(sum skipped)" 0
	is "stock: no weights" "$(sum weight_sum)" 0
	fails "stock: calls are counted" test "$(sum calls)" -eq 0
}

test_policy_per_domain() {
	n=0
	# shellcheck disable=SC2086
	set -- $POLICIES
	for dir in "$SF"/cpu*/domain*; do
		shift $((n % 5))
		put "$dir/newidle" "$1"
		# shellcheck disable=SC2086
		set -- $POLICIES
		n=$((n + 1))
	done
	is "a policy of its own for each domain" "$n" "$(domains)"
	contains "policy says mixed" "$(words)" "newidle=mixed start=zero"
	is "all five are in force" "$(field newidle | sort -u | wc -l)" 5
	succeeds "and all counts hold" exact_under_load
	flip newidle=stock
}

test_stock_beside_others() {
	flip newidle=stock
	flip newidle=always cpu=0
	storm 200
	fails "a stock domain still gets its dice" \
		test "$(sum skipped 'newidle=stock')" -eq 0
	is "and the one beside it attempts always" "$(sum skipped 'newidle=always')" 0
	put $FEATURES NO_NI_RANDOM
	flip start=zero
	storm
	is "no dice where the user wants none" "$(sum skipped)" 0
	put $FEATURES NI_RANDOM
	flip newidle=stock
}

weighs_one() {
	judge '
	{ calls += k["calls"] }
	k["weight_sum"] != k["calls"] { bad("weight") }
	END { if (!calls) bad("no calls") }'
}

test_ratio() {
	flip newidle=accumulator ratio=1024
	is "ratio 1024 is pinned everywhere" "$(field ratio | sort -u)" 1024
	storm
	is "at ratio 1024 nothing is skipped" "$(sum skipped)" 0
	for policy in accumulator jitter; do
		flip newidle=$policy ratio=0
		storm
		succeeds "$policy: at ratio 0 a call weighs one" weighs_one
	done
	put $SF/cpu0/domain0/ratio 77
	is "one domain's own pin" "$(cat $SF/cpu0/domain0/ratio)" 77
	is "and nobody else's" "$(field pinned 'ratio=77 ' | wc -l)" 1
	put $SF/cpu0/domain0/ratio learned
	contains "let go again" "$(cat $SF/cpu0/domain0/stats)" "pinned=0"
	flip ratio=learned
	is "all let go" "$(sum pinned)" 0
	succeeds "the learned ratio is in force" judge 'k["ratio"] != k["learned"] { bad("ratio") }'
	flip newidle=stock
}

# staggered [FILTER]: starts go by the rank of the CPU in the domain's span, by
# the tests' own arithmetic.
staggered() {
	grep -E -- "${1:-.}" $SF/state | judge '{
		n = split(k["span"], parts, ","); rank = weight = 0
		for (i = 1; i <= n; i++) {
			m = split(parts[i], range, "-")
			for (cpu = range[1]; cpu <= range[m]; cpu++) {
				weight++
				if (cpu + 0 < k["cpu"] + 0) rank++
			}
		}
		if (k["start_pos"] != int(rank * 1024 / weight)) bad("rank " rank)
	}' -
}

test_starts() {
	flip newidle=accumulator start=zero
	is "start zero" "$(field start_pos | sort -u)" 0
	flip start=half
	is "start half" "$(field start_pos | sort -u)" 512
	flip start=stagger
	succeeds "start stagger goes by rank" staggered
	put $PARAMETERS/seed 7
	flip start=random
	first=$(field start_pos)
	fails "start random differs between domains" \
		test "$(echo "$first" | sort -u | wc -l)" -lt 3
	# Not stock: its dice would draw from the same stream.
	flip newidle=never
	put $PARAMETERS/seed 7
	is "the seed is shown" "$(cat $PARAMETERS/seed)" 7
	flip newidle=accumulator start=random
	is "the same seed gives the same starts" "$(field start_pos)" "$first"
	put $PARAMETERS/seed 8
	flip start=random
	fails "another seed gives others" test "$(field start_pos)" = "$first"
	put $SF/cpu1/domain0/window_pos 1000
	is "window_pos restarts there" "$(field start 'cpu=1 domain=0')" set
	is "with its counters" "$(field start_pos 'cpu=1 domain=0')" 1000
	storm
	succeeds "counts hold from every start" exact
	flip newidle=stock
}

# More than can come between a flip and the next read.
many_calls() {
	storm
	[ "$(sum calls)" -gt 200 ]
}

test_flip_restarts() {
	flip newidle=accumulator learn=reset
	wait_for 4 many_calls
	before=$(sum calls)
	flip newidle=accumulator
	after=$(sum calls)
	succeeds "a flip restarts the counters ($before, then $after)" \
		test "$after" -lt "$before"
	flip newidle=stock
}

all_policies() {
	test_policies
	test_policy_per_domain
	test_stock_beside_others
	test_ratio
	test_starts
	test_flip_restarts
}
