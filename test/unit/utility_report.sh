#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# What reports say of experiments whose figures are known by hand; prints TAP.

set -euo pipefail

# shellcheck source=test/unit/utility_experiments
. "$(dirname -- "${BASH_SOURCE[0]}")/utility_experiments"

test_text() {
	dice_and_jitter
	report two.json
	expect "text" 0 ''
	prints "text: baseline" '^baseline:  *newidle=dice$'
	prints "text: command" '^command:  *hackbench -l 100$'
	prints "text: kernel" '^kernel:  *7.3.4-test$'
	prints "text: machine" '^machine:  *A|B <c> CPU, CPUs 8$'
	prints "text: blocks" '^blocks:  *6 whole, 0 broken; .* in ABBA order;'
	prints "text: a warning" '^- turbo: on; remedy: echo 1 >no_turbo$'
	prints "text: a row of the baseline" \
		'^newidle=dice  *10.00  *0.14  *1.41  *10.00  *-  *-  *-  *baseline$'
	prints "text: a row of a comparison" "^newidle=jitter  *10.20  *0.14  *1.39  *10.20  \
*+2.00  *-  *0.0312  *slower$"
	prints "text: a verdict" "^- wall_s: newidle=jitter is slower than newidle=dice: \
+2.00 % ($equal), p = 0.0312, 6 blocks$"
	check "text: the result comes before all figures" in_order '^Result' \
		': newidle=jitter is ' '^Metric' '^The balancer' '^How it' '^The host' '^Warnings'
	check "text: and after what was compared" in_order '^What was' '^baseline' '^Result'
	prints "text: what a rate needs" '^- synchrony is -: it needs sync=on$'
	prints_not "text: no note on one kind" '^note:'
	prints "text: a rate" '^attempts_per_s  *1000.00 +- 0.00  *1000.00 +- 0.00$'
	prints "text: another" '^failed_attempts_per_s  *750.000 +- 0.000  *750.000 +- 0.000$'
	prints "text: one that is not known" '^stale_picks_percent  *-  *-$'
	prints "text: the method" '^On one boot\. Each block .* under each policy, in ABBA'
	prints_not "text: all can be compared" 'NI_RANDOM on|NOT COMPLETE|Outliers:|Invalid|LEARNED'
}

test_interval() {
	walls="$six $six" far=5 experiment wide.json newidle=dice newidle=jitter
	report wide.json
	prints "an interval: in the table" '  +4.5  *[-+][0-9.]* to +[0-9.]*  *0.0005  *slower$'
	prints "an interval: in words" \
		'slower than newidle=dice: +4.5 % (95 % interval +[0-9.]* to +[0-9.]* %), p ='
}

test_faster() {
	step=-0.2 experiment faster.json newidle=dice newidle=jitter
	report faster.json
	prints "faster" "^- wall_s: newidle=jitter is faster than newidle=dice: -2.00 % \
($equal), p = 0.0312, 6 blocks$"
	prints "faster: the difference has its sign" '  -2.00  *-  *0.0312  *faster$'
}

test_too_few() {
	walls='10.0 10.2 9.8 10.1' experiment few.json newidle=dice newidle=jitter
	report few.json
	prints "too few" "^- wall_s: newidle=jitter against newidle=dice: +2.00 %, p = 0.1250, \
4 blocks; no verdict: 4 blocks, needs 6$"
	prints "too few: in the table" '0.1250  *too few blocks$'
	walls=10 experiment one.json newidle=dice newidle=jitter
	report one.json
	prints "one block" "^- wall_s: newidle=jitter against newidle=dice: +2.00 %, 1 block; \
no verdict: 1 block, needs 6$"
	prints "one block: no deviation and no p" \
		'^newidle=jitter  *10.2000  *-  *-  *10.2000  *+2.00  *-  *-  *too few'
	prints_not "one block: nor of rates" '\+-'
	report -j one.json
	prints "one block: nor in JSON" '"sd": null'
	prints "one block: nor p" '"adjusted_p": null'

	walls=10 broken=1 experiment none.json newidle=dice newidle=jitter
	report none.json
	expect "no whole block" 1 "schedflip: none.json: nothing to compare: no block has a \
valid run of each policy"
	prints "no whole block: it says so" '^Nothing to compare: '
	prints "no whole block: why" '^- block 1, newidle=jitter: From here on'
	prints_not "no whole block: no figures" 'verdict'
	report -j none.json
	json "no whole block: JSON" 1
}

test_interrupted() {
	complete=false experiment cut.json newidle=dice newidle=jitter
	report cut.json
	expect "interrupted" 0 ''
	check "interrupted: comes first" grep -q '^NOT COMPLETE: .*: interrupted\.' \
		<(head -n 1 "$work/out")
	prints "interrupted: its figures" 'slower than newidle=dice: +2.00 %'
	sed '/"runs"/q' "$work/cut.json" >"$work/empty.json"
	echo ']}' >>"$work/empty.json"
	report empty.json
	expect "interrupted before the first run" 1 "schedflip: empty.json: nothing to compare: \
no block has a valid run of each policy"
	prints "interrupted before the first run: no figures" '^Nothing to compare: '
	report empty.json --plot p.png
	expect "interrupted before the first run: no picture" 1 \
		'schedflip: nothing to draw: there is no valid run'
}

test_several_policies() {
	metric=rps experiment three.json newidle=dice newidle=jitter,start=stagger,burst=idle \
		stock
	report three.json
	expect "three" 0 ''
	prints "three: Holm" \
		'^- rps: newidle=jitter,start=stagger,burst=idle .*(Holm, 2 comparisons), 6 blocks'
	prints "three: the sign stays" \
		' against newidle=dice: -1.961 % (95 % interval -2.019 to -1.904 %), '
	prints "three: more than one kind" "^note:  *newidle=jitter,start=stagger,burst=idle \
differs from the baseline in$"
	prints_not "three: one kind" '^note:  *stock'
	prints "three: what is better" '^Metric rps, higher is better$'
	prints "three: wall time is not judged" ' not judged$'
	prints "three: and why" "^- not judged, as the user's own metrics are;"
	prints "three: stock is blind" '^- stock leaves newidle to the kernel, with NI_RANDOM on, '
	prints_not "three: others are not" '^- newidle.* leaves newidle'
	walls="$six 10.3 9.7" metric=rps experiment worse.json newidle=dice newidle=jitter
	report worse.json
	prints "the sign stays" '^- rps: newidle=jitter is worse than newidle=dice: -1.9'
	features=NO_NI_RANDOM experiment seen.json newidle=dice stock
	report seen.json
	prints_not "without NI_RANDOM stock is not blind" 'leaves newidle'
	experiment other.json newidle=dice newidle=stock,cost=bump
	report other.json
	prints "stock by its name is blind" '^- newidle=stock,cost=bump leaves newidle'

	experiment same.json stock stock
	report same.json
	prints "the same twice: the first" '^baseline:  *stock (1)$'
	prints "the same twice: the second" '^- wall_s: stock (2) is slower than stock (1): +2.00 %'
	experiment slow.json newidle=dice slowpath=random
	report slow.json
	prints "what is not named is at stock" \
		'^note:  *slowpath=random differs from the baseline in newidle and slowpath,'
}

test_learned() {
	local note='No domain made enough newidle calls in a run to learn: newidle=dice and '
	note+='newidle=jitter were compared at the starting ratio. '
	learned=0 experiment unlearned.json newidle=dice newidle=jitter newidle=always
	report unlearned.json
	check "unlearned" grep -q "^NOTHING LEARNED: ${note%%: *}" "$work/out"
	check "unlearned: all of it" grep -q "$note" \
		<(tr '\n' ' ' <"$work/out")
	check "unlearned: before all figures" in_order '^Result' '^NOTHING LEARNED' '^Metric'
	prints "unlearned: how many domains" '^domains_that_learned  *0 +- 0  *0 +- 0  *0 +- 0$'
	report --format mail unlearned.json
	prints "unlearned: mail" '^  NOTHING LEARNED: '
	report --format md unlearned.json
	prints "unlearned: md" '^NOTHING LEARNED: '
	report --format csv unlearned.json
	prints "unlearned: CSV" ',called_domains,learned_domains$'
	report -j unlearned.json
	prints "unlearned: JSON" "\"newidle_note\": \"$note"
	learned=2 experiment learned.json newidle=dice newidle=jitter
	report learned.json
	prints_not "learned" 'LEARNED'
}

test_bad_runs() {
	walls="$six $six" broken=3 far=5 experiment bad.json newidle=dice newidle=jitter
	report bad.json
	expect "bad runs" 0 ''
	prints "bad runs: blocks" '^blocks:  *11 whole, 1 broken;'
	prints "bad runs: the invalid one" \
		'^- block 3, newidle=jitter: From here on, "it" was another policy$'
	prints "bad runs: the outlier" '^- block 5, newidle=jitter, wall_s 13.1000 s$'
	walls='10 10.5 11 11.52 12 12.5 13' experiment drift.json newidle=dice newidle=jitter
	report drift.json
	prints "drift" "^- wall_s drifted by +26\... % over the run under newidle=dice \
(p < 0.0001, Holm, 2 trends); differences within blocks leave out what drifts from block to \
block, while the drift within a block is noise in them$"
	prints "drift: under the other policy, too" '^- wall_s drifted by .* under newidle=jitter '

	# Each of the two drifts has a p between 0.025 and 0.05.
	walls='10.0 10.2 10.1 10.3 10.1 10.4 10.4' experiment drift.json newidle=dice newidle=jitter
	report drift.json
	prints_not "drift: two that are no more likely than one in 40 each are not named" drifted
	report -j drift.json
	prints "drift: JSON" '"drift_p": 0.0[34]'
	prints "drift: JSON, adjusted" '"drift_adjusted_p": 0.0[6789]'
}

# There is no percentage of 0.
test_no_baseline() {
	metric=rps experiment some.json newidle=dice newidle=jitter
	sed 's/"rps": [0-9.]*/"rps": 0/' "$work/some.json" >"$work/zero.json"
	report zero.json
	expect "baseline of 0" 0 ''
	prints "baseline of 0: no verdict" \
		"against newidle=dice, p = 1.0000, 6 blocks; no verdict: the baseline's mean is 0"
	prints "baseline of 0: nor a coefficient of variation" '^newidle=jitter  *0  *0  *-  *0 '
	prints "baseline of 0: nor in the table" '^newidle=jitter .* 1.0000  *no verdict$'
	prints_not "baseline of 0: nothing is said to be undetected" 'detected'
	report -j zero.json
	prints "baseline of 0: JSON" '"verdict": "unknown"'
}

test_refused() {
	report --format html two.json
	expect "refused: format" 2 'schedflip: no format "html"; known: text md csv mail'
	report -j --format md two.json
	expect "refused: two formats" 2 \
		'schedflip: --json and --format exclude each other; take one of them'
	report
	expect "refused: no file" 2 'schedflip: FILE... is missing'
	report none-such.json
	expect "refused: not there" 1 \
		'schedflip: cannot read none-such.json: No such file or directory'
	: >"$work/nothing"
	report nothing
	expect "refused: an empty file" 1 'schedflip: nothing is no experiment: it is empty'
	printf 'schedflip recording 1\n\0\1\2' >"$work/always.rec"
	report always.rec
	expect "refused: a recording" 1 "schedflip: always.rec is a recording; see \
\`schedflip record --print\` or \`schedflip sim replay\`"
	echo '{"schema_version": 1, "kind": "recording"}' >"$work/other"
	report two.json other
	expect "refused: no experiment" 1 \
		"schedflip: other is no experiment; those are made by \`schedflip ab -o FILE\`"
	prints_not "refused: nothing is printed" .
	report -j other
	json "refused: JSON" 1
	sed 's/"policy": 1/"policy": 7/' "$work/two.json" >"$work/wrong.json"
	report wrong.json
	expect "refused: a run of no policy" 1 \
		'schedflip: wrong.json: runs[1].policy is 7, but there are only 2 policies'
}

test_text
test_interval
test_faster
test_too_few
test_interrupted
test_several_policies
test_learned
test_bad_runs
test_no_baseline
test_refused
schemas
echo "1..$number"
