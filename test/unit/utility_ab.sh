#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Runs `schedflip ab` on a tree of files in place of the kernel's: what it refuses, how
# long it goes on, what it keeps; prints TAP.
#
# shellcheck disable=SC2016,SC2119 # commands have variables of their own; the arguments of
# workload may be left out

set -euo pipefail

# shellcheck source=test/unit/utility_lab
. "$(dirname -- "${BASH_SOURCE[0]}")/utility_lab"

refused() {
	expect "ab: refuses $1" "${3:-2}" "schedflip: $2"
	check "ab: refusing $1 it did nothing" nothing_done
}

test_refused() {
	lab
	workload
	run ab -- "$command"
	refused "no policy" 'ab compares: give 2 to 8 policies by -p, 0 were given'
	run ab newidle=dice newidle=jitter -- "$command"
	refused "policies without -p" "ab compares: before the policy \"newidle=dice\" -p is \
missing; ab -p A -p B -- COMMAND"
	run ab -p stock -- "$command"
	refused "one policy" 'ab compares: give 2 to 8 policies by -p, 1 was given'
	run ab --policy=cost={stock,bump,stock,bump,stock,bump,stock,bump,stock} -- "$command"
	refused "a ninth policy" 'ab compares 2 to 8 policies; "cost=stock" is one more'
	run ab -p stock -p newidle=jiter -- "$command"
	refused "a policy that is none" \
		"no policy \"jiter\" for newidle; known: stock dice accumulator jitter always \
never; did you mean \"jitter\"?"
}

# refuse NAME MESSAGE OPTION...
refuse() {
	ab "${@:3}"
	refused "$1" "$2" 2
}

test_refused_options() {
	lab
	workload
	refuse "no command" 'no command to run; put it last: ab -p A -p B -- COMMAND'
	refuse "nothing behind --" 'no command to run; put it last: ab -p A -p B -- COMMAND' --
	refuse "no blocks" 'no number of blocks "0"; allowed: 1 to 10000' --blocks 0 "$command"
	refuse "no precision" 'no precision "0"; allowed: more than 0, to 100 %' \
		--precision 0 "$command"
	refuse "a precision that is no number" \
		'no precision "1,5"; allowed: more than 0, to 100 %' --precision 1,5 "$command"
	refuse "blocks with a precision" \
		'--blocks and --precision exclude each other; give one of them' \
		--blocks 6 --precision 2 "$command"
	refuse "no such order" 'no order "baab"; known: random abba' --order baab "$command"
	refuse "no such learn" 'no learn "forget"; known: keep reset restore' --learn forget \
		"$command"
	refuse "no time" 'no time "0"; allowed: 1 to 604800 seconds' --max-time 0 "$command"
	refuse "no timeout" 'no timeout "0"; allowed: 1 to 604800 seconds' --timeout 0 "$command"
	refuse "a negative warm-up" 'no number of warm-up runs "-1"; allowed: 0 to 100' \
		--warmup=-1 "$command"
	refuse "a seed too large" \
		'no seed "9223372036854775808"; allowed: 0 to 9223372036854775807' \
		--seed 9223372036854775808 "$command"
	refuse "a picture of no kind" \
		'no picture "x.gif": its name must end in .svg or .png' --plot x.gif "$command"
	refuse "learn in a policy" 'learn is the same for all policies; give it by --learn' \
		-p learn=keep "$command"
}

test_refused_metrics() {
	lab
	workload
	refuse "a metric without a regex" \
		'"rps" is not NAME=REGEX, such as rps=RPS: ([0-9.]+)' --metric rps "$command"
	refuse "a bad regex" \
		'metric "a": bad regular expression "(": Unmatched ( or \(' \
		--metric 'a=(' "$command"
	refuse "a metric given twice" 'metric a is given twice' --metric a=1 --metric a=2 \
		"$command"
	refuse "a bad name" \
		'no metric can be called "a b"; allowed: 1 to 40 letters, digits, _ and .' \
		--metric 'a b=1' "$command"
	refuse "a bad direction" 'no direction "up" of a metric; known: lower higher' \
		--metric a:up=1 "$command"
	refuse "the name of wall time" 'wall_s is measured anyway; call the metric something else' \
		--metric wall_s=1 "$command"
	refuse "a ninth metric" 'ab measures up to 8 metrics; "i=1" is one more' \
		--metric={a,b,c,d,e,f,g,h,i}=1 "$command"
}

test_refused_setting() {
	local no_file='it is there, but is no plain file; give another name'
	local load='run: schedflip unload && schedflip load --hooks all'
	lab
	workload
	ab -- no-such-program
	refused "a command that is not there" "there is no program \"no-such-program\" in PATH; \
give its path, such as ./no-such-program" 1
	ab -o "$work/none/e.json" -- "$command"
	refused "a file in no directory" \
		"cannot write $work/none/e.json: No such file or directory" 1
	ab -o "$work" -- "$command"
	refused "a directory as file" "cannot write $work: $no_file" 1
	run ab -p stock -p burst=idle -- "$command"
	refused "a policy without its hook" \
		"burst=idle needs the hook select, which is off; $load" 1
	ab -j -- no-such-program
	json "ab: a refusal as JSON" 1
	rm -rf -- "$root/sys/module/schedflip"
	ab -- "$command"
	refused "no module" 'the module is not loaded; load it: schedflip load' 1
}

test_blocks() {
	lab
	workload 'echo "RPS: 1.5e3"' 'sed -i s/calls=12/calls=42/ "$debugfs/hooks"'
	ab --blocks 6 --seed 7 --metric 'rps:higher=RPS: ([^ ]+)' -o "$work/e.json" -- "$command"
	expect "ab: six blocks" 0
	says "ab: a line a block" 0 "^block 6: ($A|$B) 1500 rps, ($A|$B) 1500 rps$"
	check "ab: the policies are restored" is_restored
	check "ab: each policy ran seven times" [ "$(runs)" = 14 ]
	prints "ab: prints a report" "$B"
	prints "ab: prints who holds NI_RANDOM off" \
		'^NI_RANDOM:  *on (held off by schedflip while a policy of its own runs)$'
	prints "ab: that none has learned" '^NOTHING LEARNED: '
	run report "$work/e.json"
	expect "ab: its file is an experiment" 0
	check "ab: which is complete" grep -q '"complete": true' "$work/e.json"
	check "ab: keeps the seed" grep -q '"seed": 7' "$work/e.json"
	check "ab: keeps why it ended" grep -q '"stopped": "all 6 blocks were run"' "$work/e.json"
	check "ab: keeps all runs" [ "$(grep -c '"valid": true' "$work/e.json")" = 14 ]
	check "ab: keeps the value" grep -q '"rps": 1500.0' "$work/e.json"
	check "ab: keeps what was counted" grep -q '"calls": 400.0' "$work/e.json"
	check "ab: keeps the policies before and after" [ "$(grep -c \
		'"policy": ".* burst_depth=2 ' "$work/e.json")" = 28 ]
	check "ab: keeps the domains once" [ "$(grep -c 'cpu1/domain1:MC(level1):0-1' \
		"$work/e.json")" = 1 ]
	check "ab: keeps the hooks" [ "$(grep -c '"hooks": "balance:patched ' \
		"$work/e.json")" = 28 ]
	check "ab: keeps the features before and after" [ "$(grep -c \
		'"features": "TTWU_QUEUE NO_NI_RANDOM NI_RATE"' "$work/e.json")" = 28 ]
	check "ab: and how the user has set them" [ "$(grep -c \
		'"features": "TTWU_QUEUE NI_RANDOM NI_RATE"' "$work/e.json")" = 1 ]
	check "ab: keeps how many domains called" grep -q '"called_domains": 4.0' "$work/e.json"
	check "ab: keeps how often hooks were called" grep -q '"balance": 30' "$work/e.json"
	check "ab: keeps the output" grep -q '"output": "RPS: 1.5e3\\n"' "$work/e.json"
	check "ab: keeps its own command line" grep -q '"schedflip_command": ".* ab -p' \
		"$work/e.json"
	rm -f "$work/e.json"
}

test_json() {
	lab
	workload
	run ab -j -p "$A" -p "$A" --blocks 2 --order abba --warmup 0 "$command" --blocks 3
	json "ab: one JSON object" 0
	check "ab: with -j nothing on stderr" [ ! -s "$work/err" ]
	prints "ab: of two alike the first has a number" "$A (1)"
	prints "ab: and the second" "$A (2)"
	check "ab: without a warm-up, and without --" [ "$(runs)" = 4 ]
}

# undocumented FILE: keys of an experiment that docs/experiment.md does not tell of
undocumented() {
	grep -Eo '"[a-z_]+": ' "$1" | tr -d '": ' | sort -u | while IFS= read -r key; do
		grep -q "\`$key\`" "$top/docs/experiment.md" || echo "$key"
	done
}

test_documented() {
	lab
	workload
	ab --blocks 1 -o "$work/e.json" -- "$command"
	sed -i 's/"\(balance\|newidle\|select\)": //' "$work/e.json"
	check "ab: each key of its file is documented" [ -z "$(undocumented "$work/e.json")" ]
	rm -f "$work/e.json"
}

# Two of the same words have numbers where they are printed.
test_twins() {
	lab
	workload
	run ab -p "$A" -p "$A" --blocks 1 -o "$work/e.json" "$command"
	says "ab: so in its lines" 0 "^block 1: $A \\([12]\\) [0-9.]+ s, $A \\([12]\\) [0-9.]+ s\$"
	check "ab: but it keeps what the user wrote" [ "$(grep -c "^  \"$A\",\?$" \
		"$work/e.json")" = 2 ]
	run report "$work/e.json"
	prints "ab: and a report numbers them once" "^compared:  *$A (2)$"
	rm -f "$work/e.json"
}

test_commands() {
	lab
	workload 'cat "$debugfs/policy" >>"$work/policies"'
	rm -f "$work/policies"
	ab --blocks 1 --learn restore -- "$command"
	expect "ab: one block" 0
	says "ab: warns of too few blocks" 0 \
		'^warning: 1 block cannot give a verdict: 2 policies need 6$'
	check "ab: each run sets all kinds" [ "$(sort -u "$work/policies")" = \
		"${restored/keep/restore}" ]
	ab --blocks 1 --quiet -- "$command"
	check "ab: --quiet warns of nothing" [ "$(grep -c warning "$work/err")" = 0 ]
	ab --blocks 2 --metric a=RPS --metric b=RPS -- "$command"
	says "ab: more metrics need more blocks" 1 \
		'^warning: 2 blocks cannot give a verdict: 2 policies and 2 metrics need 7$'
}

test_preflight() {
	lab
	workload
	printf 'model name\t: X\nflags\t\t: fpu hypervisor\n' >"$root/proc/cpuinfo"
	ab --blocks 1 -o "$work/e.json" -- "$command"
	says "ab: warns of a virtual machine" 0 \
		'^warning: this is a virtual machine: the hypervisor flag .*; remedy: measure'
	check "ab: keeps the warning" grep -q 'the hypervisor flag' "$work/e.json"
	ab --blocks 1 --quiet -o "$work/e.json" -- "$command"
	check "ab: also a quiet one" grep -q 'the hypervisor flag' "$work/e.json"
	prints "ab: --quiet leaves it in the report" '^- this is a virtual machine: '
	workload 'sleep 100 &'
	ab --blocks 1 -- "$command"
	says "ab: tells of processes that were left" 0 \
		'^warning: the command left processes behind: 2 killed during the warm-up'
	rm -f "$work/e.json"
}

test_time() {
	lab
	workload 'sleep 0.4'
	ab --max-time 1 --warmup 0 -o "$work/e.json" -- "$command"
	expect "ab: the time is over" 0
	check "ab: no block is begun that would end too late" [ "$(runs)" = 2 ]
	check "ab: that was planned" grep -q '"complete": true' "$work/e.json"
	ab --max-time 1 --warmup 0 --blocks 5 -o "$work/e.json" -- "$command"
	says "ab: fewer blocks than were asked for" 1 \
		'^schedflip: stopped after 1 of 5 blocks: --max-time is over$'
	prints "ab: they are printed all the same" '^Result$'
	check "ab: fewer blocks than were asked for were not" grep -q '"complete": false' \
		"$work/e.json"
	rm -f "$work/e.json"
}

test_precision() {
	lab
	workload 'echo 1'
	ab --metric x=1 --max-time 300 --warmup 0 -o "$work/e.json" -- "$command"
	expect "ab: as precise as can be" 0
	check "ab: not before the tenth block" [ "$(runs)" = 20 ]
	check "ab: says so" grep -q '"stopped": "all differences are equal, asked for +-1 %"' \
		"$work/e.json"
	rm -f "$work/e.json"
}

# Each run prints a number that differs from the other's of its block by 0 to 0.4 %.
test_precision_reached() {
	lab
	workload 'n=$(wc -l <"$work/runs")' 'echo $((1000 + n * n % 5))'
	ab --metric 'x=[0-9]+' --max-time 300 --warmup 0 --seed 1 -o "$work/e.json" -- "$command"
	expect "ab: precise enough" 0
	prints "ab: says how precise" \
		'^ended: *the widest interval is +-0\.[0-9]* %, asked for +-1 %$'
	rm -f "$work/e.json"
}

# As a terminal shows it: the line, and what is below it at the end.
on_terminal() {
	local words
	printf -v words '%q ' env "SCHEDFLIP_SYSROOT=$root" "$work/schedflip" ab "$@"
	code=0
	script -qec "$words" /dev/null </dev/null >"$work/out" 2>"$work/err" || code=$?
	tr '\r' '\n' <"$work/out" >"$work/lines"
	mv "$work/lines" "$work/out"
}

test_terminal() {
	lab
	workload 'n=$(wc -l <"$work/runs")' 'echo "a $((1000 + n * n % 5))"' \
		'echo "b $((1000 + n * n * 7 % 500))"'
	on_terminal -p "$A" -p "$B" --blocks 4 --metric 'a=a ([0-9]+)' --metric 'b=b ([0-9]+)' \
		-- "$command"
	expect "ab: on a terminal" 0
	prints "ab: a line for the warm-up" 'warm-up ('
	prints "ab: the first block has nothing to tell" 'block 1 of 4 ('
	prints "ab: then the comparison that is known least" \
		"block 4 of 4: b, $B vs $A: [-+][0-9.]* % ([-+][0-9.]* to [-+][0-9.]*) ("
	prints_not "ab: and no other" 'block [0-9] of 4: a,'
	prints_not "ab: no line a block as in a log" '^block 1: '
	on_terminal -p "$A" -p "$B" --metric 'a=a ([0-9]+)' --max-time 300 --warmup 0 -- "$command"
	prints "ab: as many blocks as are expected" 'block 5 of ~10: a, '
}

# steal CODE: the host takes CPUs away in the runs whose number CODE finds true.
steal() {
	mkdir -p "$root/proc"
	echo 'cpu 1 1 1 1 1 1 1 0 0 0' >"$root/proc/stat"
	workload 'n=$(wc -l <"$work/runs")' \
		"if $1; then sed -i 's/^\\(cpu\\( [0-9]*\\)\\{7\\}\\) .*/\\1 '\$((n * 5))' 0 0/' \
\$root/proc/stat; fi" 'if [ "$n" -gt 2 ]; then sleep 100 & fi'
}

test_warnings_of_blocks() {
	lab
	steal '[ "$n" -gt 2 ]'
	ab --blocks 2 -o "$work/e.json" -- "$command"
	expect "ab: disturbed later" 0
	says "ab: warns of steal in the blocks" 0 \
		'^warning: the hypervisor took CPUs away .*: [0-9]+ ticks during the blocks'
	says "ab: and of processes that were left there" 0 \
		'^warning: the command left processes behind: 4 killed during the blocks'
	check "ab: not of the warm-up" [ "$(grep -c 'during the warm-up' "$work/err")" = 0 ]
	check "ab: keeps these warnings" grep -q 'ticks during the blocks' "$work/e.json"
	prints "ab: and reports them" '^Warnings$'
	ab --blocks 1 --warmup 0 --quiet -- "$command"
	prints "ab: without a warm-up, too" 'ticks during the blocks\|killed during the blocks'
	rm -f "$work/e.json"
}

# Under sudo the command and the files are the user's.
test_sudo() {
	if [ "$(id -u)" != 0 ]; then
		result 0 "ab: the user who called sudo # SKIP not root"
		return
	fi
	lab
	chmod 755 "$root"
	chmod -R a+rwX "$work"
	workload 'echo "uid: $(id -u)"'
	SUDO_UID=65534 SUDO_GID=65534 ab --blocks 1 --metric 'uid=uid: (.*)' -o "$work/e.json" \
		-- "$command"
	expect "ab: under sudo" 0
	check "ab: the command is the user's" grep -q '"uid": 65534.0' "$work/e.json"
	check "ab: the file is, too" [ "$(stat -c %u "$work/e.json")" = 65534 ]
	SUDO_UID=65534 SUDO_GID=65534 ab --blocks 1 --as-root --metric 'uid=uid: (.*)' \
		-o "$work/e.json" -- "$command"
	check "ab: --as-root it is not" grep -q '"uid": 0.0' "$work/e.json"
	rm -f "$work/e.json"
	SUDO_UID=me ab --blocks 1 -- "$command"
	says "ab: a user that is none" 1 'SUDO_UID is "me", which sudo would not set'
}

test_plot() {
	lab
	workload
	ab --blocks 2 --plot "$work/p.svg" -- "$command"
	expect "ab: a picture" 0
	check "ab: is one" grep -q '<svg' "$work/p.svg"
	rm -f "$work/p.svg"
}

# What gnuplot could take for something else is only a command to be shown.
test_plot_quotes() {
	local nasty=$'\'a\'\' "b" `touch '"$work/pwned"$'`$(touch '"$work/pwned"$') \\ @x \n%s \''
	lab
	workload
	ab --blocks 2 --plot "$work/p.svg" -- "$command" "$nasty" "'" "'x"
	expect "ab: a picture of a command in quotes" 0
	check "ab: which runs nothing" [ ! -e "$work/pwned" ]
	rm -f "$work/p.svg"
}

# as_nobody OPTION...: ab, by way of sudo
as_nobody() {
	SUDO_UID=65534 SUDO_GID=65534 ab --blocks 1 "$@"
}

# A command that is not root's must not lead root to files elsewhere.
test_planted() {
	local place=$work/place
	[ "$(id -u)" = 0 ] || return 0
	lab
	chmod 755 "$root"
	chmod -R a+rwX "$work"
	mkdir "$work/safe" "$place"
	chown 65534:65534 "$place"
	echo root >"$work/safe/e.json"
	workload "ln -sf $work/safe/e.json $place/p.svg.\$PPID.part"
	as_nobody --plot "$place/p.svg" -- "$command"
	expect "ab: a link in the way of a picture" 0
	check "ab: is not followed" grep -q root "$work/safe/e.json"
	check "ab: the picture is the user's" [ "$(stat -c %U%F "$place/p.svg")" = \
		"nobodyregular file" ]
	workload "mv $place $place.old; ln -sfn $work/safe $place"
	chmod 755 "$work"
	chown 65534 "$work"
	as_nobody -o "$place/e.json" -- "$command"
	chown root "$work"
	expect "ab: the directory of a file is swapped" 0
	check "ab: what it leads to stays" grep -q root "$work/safe/e.json"
	check "ab: and root's" [ "$(stat -c %u "$work/safe/e.json")" = 0 ]
	check "ab: the file is where it was to be" grep -q experiment "$place.old/e.json"
	workload
	as_nobody -o "$work/safe/f.json" -- "$command"
	expect "ab: where the user may not write" 1 "schedflip: cannot write $work/safe/f.json \
as nobody, who called sudo: Permission denied"
	ln -s "$work/safe/e.json" "$work/link.json"
	ab -o "$work/link.json" -- "$command"
	expect "ab: a link as file" 1 "schedflip: cannot write $work/link.json: it is a symbolic \
link; name the file that it leads to"
	rm -rf -- "$work/safe" "$place" "$place.old" "$work/link.json"
}

test_help() {
	local word
	run ab --help
	expect "ab: --help" 0 ''
	for word in --policy --metric --blocks --precision --max-time --warmup --order --learn \
		--seed --timeout --as-root --output --plot --quiet Examples 'Exit codes'; do
		prints "ab: --help has $word" "$word"
	done
	run
}

test_refused
test_refused_options
test_refused_metrics
test_refused_setting
test_blocks
test_json
test_twins
test_documented
test_commands
test_preflight
test_time
test_precision
test_precision_reached
test_terminal
test_warnings_of_blocks
test_sudo
test_plot
test_plot_quotes
test_planted
test_help
schemas
echo "1..$number"
