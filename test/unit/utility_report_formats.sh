#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Reports as mail, Markdown, CSV, JSON and picture; prints TAP.

set -euo pipefail

# shellcheck source=test/unit/utility_experiments
. "$(dirname -- "${BASH_SOURCE[0]}")/utility_experiments"

# One that tries to break lines and patches.
nasty() {
	command='["diff", "---", "a b", "it'"'"'s\nFrom", "aaaaaaaaaaaaaaaaaaaaaaaaaaaa",
		"bbbbbbbbbbbbbbbbbbbbbbbbbbbb", "cccccccccccccccccc"]' \
		walls="$six $six" broken=3 far=5 experiment nasty.json newidle=dice \
		newidle=jitter,start=stagger,burst=idle stock cost=bump
}

test_mail() {
	nasty
	report --format mail nasty.json
	expect "mail" 0 ''
	check "mail: 72 columns" awk 'length > 72 { print; bad = 1 } END { exit bad }' "$work/out"
	prints_not "mail: no line that git would take for a patch" '^(---|diff |From |Index: |>)'
	prints_not "mail: no blanks at the end of a line" '[[:blank:]]$'
	prints "mail: the command is cut at a word" "^  command:  *diff --- 'a b' .*\\\\\$"
	prints "mail: policies are letters" '^  baseline:  *A = newidle=dice$'
	prints "mail: and in tables" '^  B  '
	report --format mail two.json
	prints "mail: short names are not, and the table is in one piece" \
		'^  newidle=jitter  *10.20  *0.14  *+2.00  *-  *0.0312$'
}

# The command line in a mail is what was run, once a shell has read it.
test_mail_command() {
	local line
	nasty
	report --format mail nasty.json
	line=$(sed -n '/^  command:/,/[^\\]$/p' "$work/out" | sed 's/^  command: *//')
	check "mail: a shell reads the command as it was" test \
		"$(eval "printf '<%s>' $line")" = \
		"$(printf '<%s>' diff --- 'a b' $'it\'s\nFrom' aaaaaaaaaaaaaaaaaaaaaaaaaaaa \
			bbbbbbbbbbbbbbbbbbbbbbbbbbbb cccccccccccccccccc)"
}

# Each table has as many bars in each line, those that are escaped not counted.
md_shape() {
	awk '/^\|/ { gsub(/\\\|/, ""); bars = gsub(/\|/, "")
		if (last && bars != last) bad = 1
		last = bars; lines++; next }
	{ last = 0 }
	END { exit bad || lines < 6 }' "$work/out"
}

test_md() {
	nasty
	report --format md nasty.json
	expect "md" 0 ''
	check "md: tables" md_shape
	prints "md: machine" '^- machine: A\\|B \\<c\\> CPU, CPUs 8$'
	report --format md two.json
	prints "md: head" '^| policy | mean \\\[s\\\] | sd \\\[s\\\] | CV \\\[%\\\] |'
	prints "md: alignment" '^|---|---:|---:|---:|---:|---:|---:|---:|---|$'
	prints "md: a row" "^| newidle=jitter | 10.20 | 0.14 | 1.39 | 10.20 | +2.00 | \
- | 0.0312 | slower |$"
	prints "md: command" '^- command: .hackbench -l 100.$'
}

# csv_shape COLUMNS ROWS: quoted fields may hold commas and quotes.
csv_shape() {
	awk -v columns="$1" -v rows="$2" '
	{ gsub(/"([^"]|"")*"/, "x"); if (split($0, field, ",") != columns) bad = 1 }
	END { exit bad || NR != rows }' "$work/out"
}

test_csv() {
	dice_and_jitter
	walls=10 broken=1 metric=rps command='["x"]' experiment one.json newidle=dice \
		newidle=jitter,start=half
	report --format csv one.json
	expect "csv" 1 "schedflip: one.json: nothing to compare: no block has a valid run of each \
policy"
	check "csv: shape" csv_shape 31 5
	prints "csv: head" \
		'^order,block,policy,warmup,began_s,valid,.*,exit_status,rps,wall_s,hits,'
	prints "csv: a warm-up" '^1,1,newidle=dice,1,11,1,'
	prints "csv: a run" '^3,1,newidle=dice,0,33,1,,0,10000,10,,,10000,2500,,'
	prints "csv: an invalid run" "^4,1,\"newidle=jitter,start=half\",0,44,0,\
\"From here on, \"\"it\"\" was another policy\",0,"
	sed -i 's/From here on, [^,]*other policy/=cmd()\\u009b1m\\u001b[2J/' "$work/one.json"
	report --format csv one.json
	prints "csv: neither a formula nor an escape" ",0,'=cmd() 1m \[2J,0,"
	report --format csv two.json faster.json
	check "csv: two files" csv_shape 31 29
	prints "csv: two files, first column" '^faster.json,3,1,newidle=dice,0,'
	report --format csv two.json one.json
	expect "csv: other metrics" 1 \
		'schedflip: one.json has other metrics than two.json; print them one by one'
	prints_not "csv: then nothing is printed" .
}

test_json() {
	report -j two.json faster.json
	json "JSON" 0
	prints "JSON: the file" '"file": "faster.json"'
	prints "JSON: the verdict" '"verdict": "higher"'
	prints "JSON: p" '"p": 0.03125,$'
	prints "JSON: a figure that is not known" '"mean": null'
	report -j three.json
	prints "JSON: not judged" '"verdict": null'
}

test_several_files() {
	report two.json faster.json
	prints "several: a heading" '^Experiment faster.json$'
	prints "several: the first" 'slower than'
	prints "several: the second" 'faster than'
	report --format md two.json faster.json
	prints "several: a heading in md" '^# Experiment faster.json$'
}

test_plot() {
	nasty
	report nasty.json --plot p.png
	expect "plot: png" 0 ''
	check "plot: it is one" grep -qa PNG <(head -c 8 "$work/p.png")
	check "plot: of some size" test "$(stat -c %s "$work/p.png")" -gt 10000
	report -j nasty.json --plot p.svg
	json "plot: svg" 0
	check "plot: it ends" grep -q '</svg>' "$work/p.svg"
	check "plot: it has the policies" grep -q 'newidle=jitter,start=stagger,burst=idle' \
		"$work/p.svg"
	report two.json --plot p.gif
	expect "plot: another kind" 2 \
		'schedflip: no picture "p.gif": its name must end in .svg or .png'
	report two.json faster.json --plot p.svg
	expect "plot: two files" 2 \
		'schedflip: --plot draws one file, 2 were given; draw them one by one'
	report two.json --plot none/p.svg
	expect "plot: nowhere" 1
	prints_not "plot: then nothing is printed" .
}

dice_and_jitter
step=-0.2 experiment faster.json newidle=dice newidle=jitter
metric=rps experiment three.json newidle=dice newidle=jitter stock
test_mail
test_mail_command
test_md
test_csv
test_json
test_several_files
test_plot
schemas
echo "1..$number"
