#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# What test/vm/lab-table makes of results whose statistics are known; prints TAP.
#
# shellcheck disable=SC2016 # backticks of Markdown

set -euo pipefail
top=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")/../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf -- "$work"' EXIT
number=0

# has NAME TEXT: the page has it
has() {
	number=$((number + 1))
	if grep -Fq -- "$2" "$work/page.md"; then
		echo "ok $number - $1"
	else
		echo "not ok $number - $1"
		sed 's/^/# /' "$work/page.md"
	fi
}

# result NAME STATUS
result() {
	number=$((number + 1))
	if [ "$2" = 0 ]; then
		echo "ok $number - $1"
	else
		echo "not ok $number - $1"
	fi
}

# runs POLICY WORKLOAD BETTER VALUE...: one a start
runs() {
	local policy=$1 workload=$2 better=$3 start=0 value
	shift 3
	for value; do
		start=$((start + 1))
		echo "policy=$policy start=$start kernel=${kernel:-7.3} recipe=r module=m" \
			"workload=$workload metric=time_us better=$better time_us=$value" \
			"same=7 pulled=$((start + value))" >>"$work/lab/$policy.$start"
	done
}

page() {
	"$top/test/vm/lab-table" "$work/lab" "$work/page.md" 2>"$work/err"
}

mkdir "$work/lab"
runs stock fork less 100 102 98 100
runs burst=idle fork less 110 112 108 110
# Alone it would pass for a difference, with t = 2.777, but it is one of four.
runs cost=bump fork less 102 105 102 103
runs stock sch more 100 101 99 100
runs burst=idle sch more 90 91 89 90
runs cost=bump sch more 100 100 100 100
status=0
page || status=$?
result "a page is made" "$status"
# By hand: means 100 and 110, both sd 1.633, so t = 10 / sqrt(2 * 2.667 / 4) = 8.660 with 6
# degrees of freedom, of which the 95 % quantile is 2.4469.
has "mean and sd" '| stock | 4 | 100 | 1.63 |'
has "difference, interval and p" \
	'| burst=idle | 4 | 110 | 1.63 | +10.00 (+7.17 to +12.83) | 0.0001 | worse |'
has "what chance may bring with so many" \
	'| +3.00 (+0.34 to +5.66) | 0.0328 | no difference detected |'
has "less of what is to be more is worse" '| -10.00 ('
has "in words" 'better than stock: none; worse: `burst=idle` by 10.0 %; no difference'
has "counters" '| policy | pulled |'
has "the notes" 'Reported: thread 2'
has "the number of comparisons" 'all 4 comparisons'
status=0
for picture in differences runs; do
	grep -q '</svg>' "$work/page-$picture.svg" || status=1
done
result "pictures are drawn" "$status"
status=0
kernel=6.1 runs always fork less 1 2 3
page && status=1
result "results of two kernels are refused" "$status"
rm -r "$work/lab"
mkdir "$work/lab"
status=0
page && status=1
result "no results are refused" "$status"
echo "1..$number"
