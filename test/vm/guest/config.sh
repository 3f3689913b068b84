# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=sh disable=SC2086,SC2154 # no path has a blank; $output is that of exits
#
# Configurations through the utility: what save prints, apply sets and verify compares is
# the same; a file is set whole or not at all; metrics are those of the state.

CONFIG=/tmp/config.conf
CONFIG_SAVED=/tmp/config.saved
CONFIG_OUT=/tmp/config.out

# config_words: what has been set in each domain, and nothing that moves by itself
config_words() {
	sed -E 's/ ratio=[0-9]+ learned=[0-9]+ pinned=0/ pinned=0/
		s/ start=(zero|half|random|stagger) start_pos=[0-9]+/ start=\1/' $SF/state |
		tr ' ' '\n' |
		grep -E '^(cpu|newidle|start(_pos)?|ratio|pinned|cost|sync|slowpath|burst.*)=' |
		paste -sd' ' -
}

# config_is LINE...: is the configuration
config_is() {
	printf '%s\n' "$@" >$CONFIG
}

# round_trip DESCRIPTION: save, something else, apply, and all is as it was
round_trip() {
	exits 0 "$1: save" schedflip save $CONFIG_SAVED
	note "$(grep -v '^#' $CONFIG_SAVED | paste -sd';' -)"
	before=$(config_words)
	exits 0 "$1: verify at once" schedflip verify $CONFIG_SAVED
	schedflip reset >/dev/null
	schedflip set newidle=accumulator,start=half burst_depth=77 sync=on >/dev/null
	exits 3 "$1: verify sees the drift" schedflip verify $CONFIG_SAVED
	exits 0 "$1: apply" schedflip apply $CONFIG_SAVED
	is "$1: all is as it was" "$(config_words)" "$before"
	exits 0 "$1: verify after it" schedflip verify $CONFIG_SAVED
	is "$1: no lease is left" "$(status_says lease)" none
	schedflip save | grep -v '^#' >$CONFIG_OUT
	grep -v '^#' $CONFIG_SAVED | diff - $CONFIG_OUT >/dev/null
	is "$1: save prints the same lines" "$?" 0
}

test_config_round_trip() {
	schedflip reset >/dev/null
	round_trip "stock"
	is "stock: nothing to say" "$(grep -Evc '^#|^hooks=' $CONFIG_SAVED)" 0
	flip newidle=jitter start=random cost=bump
	round_trip "one policy"
	is "one policy: one line" "$(grep -E '^[^#h]' $CONFIG_SAVED)" \
		"newidle=jitter start=random cost=bump"
	flip ratio=31 cpu=0
	flip window_pos=512 domain=0 cpu=$LAST
	flip newidle=dice domain=1
	flip newidle=never cpu=1 domain=0
	flip burst_depth=4 burst_factor=5 cpu=$UPPER
	flip sync=on
	flip trip_depth=60000 trip_newidle=999
	round_trip "CPUs that differ"
	is "tripwires are the same" "$(status_says trip_depth trip_newidle)" "60000 999"
	schedflip save | schedflip apply - >/dev/null
	is "save | apply -" "$?" 0
	is "changes nothing" "$(config_words)" "$before"
	schedflip reset >/dev/null
}

test_config_drift() {
	config_is 'newidle=jitter' 'cpu=0 newidle=dice ratio=100'
	exits 0 "apply a file" schedflip apply $CONFIG
	flip newidle=never cpu=1 domain=0
	exits 3 "verify after somebody else's flip" schedflip verify $CONFIG
	contains "says where, and both values" "$output" \
		'^cpu1/domain0 \(.*\): newidle: wanted jitter, found never$'
	contains "how many, and what to do" "$output" '1 difference from .*run: schedflip apply'
	exits 3 "verify -j" schedflip verify -j $CONFIG
	contains "has the difference" "$output" '"wanted": "jitter"'
	exits 0 "apply mends it" schedflip apply $CONFIG
	exits 0 "and verify sees that" schedflip verify $CONFIG
	put $SF/off 1
	exits 3 "verify while it is switched off" schedflip verify $CONFIG
	exits 1 "apply while it is switched off" schedflip apply $CONFIG
	contains "nothing was changed" "$output" 'switched off.*; nothing was changed$'
	put $SF/off 0
	schedflip reset >/dev/null
}

test_config_refused() {
	schedflip set newidle=dice >/dev/null
	config_is 'newidle=jitter' 'domain=LLC newidle=never'
	exits 1 "apply: a domain that is not here" schedflip apply $CONFIG
	contains "names the line" "$output" "^schedflip: $CONFIG:2: no domain \"LLC\"; known: "
	config_is 'newidle=jitter' 'newidle=jiter'
	exits 2 "apply: a word that is none" schedflip apply $CONFIG
	contains "names the word that is near" "$output" 'did you mean "jitter"\?$'
	is "nothing was changed" "$(field newidle | sort -u)" dice
	config_is 'newidle=jitter' 'domain=LLC newidle=never'
	exits 0 "apply --skip-missing" schedflip apply --skip-missing $CONFIG
	is "sets the rest" "$(field newidle | sort -u)" jitter
	schedflip set newidle=dice >/dev/null
}

# long_config LINE: LINE comes after so many others that there is time to disturb it
long_config() {
	{
		echo 'newidle=jitter'
		yes 'cpu=0 cost=bump' | head -n $((6000 / SLOWER))
		echo "$1"
	} >$CONFIG
}

# await_pending: without a nap, as what the lease guards is soon over
await_pending() {
	tries=5000
	until grep -q '^lease=pending' $SF/status; do
		tries=$((tries - 1))
		[ "$tries" -gt 0 ] || return 1
	done
}

# pending_then COMMAND...: in the background, once a lease is pending
pending_then() {
	{
		await_pending && "$@"
	} &
	disturber=$!
}

has_domains() {
	[ "$(domains)" = "$1" ]
}

offline_last() {
	echo 0 >/sys/devices/system/cpu/cpu$LAST/online
}

# The kernel itself refuses the last line, as the CPU goes in between.
test_config_whole() {
	[ "$LAST" -gt 1 ] && [ -w /sys/devices/system/cpu/cpu$LAST/online ] || return 0
	flip newidle=dice ratio=77
	flip newidle=always cpu=0 domain=0
	before=$(domains)
	long_config "cpu=$LAST domain=0 newidle=never"
	pending_then offline_last
	exits 1 "apply: its last line is refused" schedflip apply $CONFIG
	wait $disturber
	contains "says that all is put back" "$output" \
		"^schedflip: $CONFIG:[0-9]+: .*; nothing of it stays: all is put back as it was"
	is "policies are as before" "$(field newidle | sort | uniq -c | tr -s ' ' | paste -sd, -)" \
		" 1 always, $(($(domains) - 1)) dice"
	is "and costs" "$(field cost | sort -u)" stock
	is "and ratios" "$(field ratio | sort -u)" 77
	is "by a lease that returned" "$(status_says lease lease_ended)" "none returned"
	echo 1 >/sys/devices/system/cpu/cpu$LAST/online
	succeeds "the CPU comes back" wait_for 20 has_domains "$before"
}

# Somebody else's flip is seen when it is read back; a process that is killed leaves a lease.
test_config_disturbed() {
	flip newidle=dice ratio=learned
	long_config cost=stock
	pending_then flip newidle=never cpu=1
	exits 3 "apply: somebody else flips" schedflip apply $CONFIG
	wait $disturber
	contains "says which domain" "$output" 'cpu1/domain0 has newidle=never and not jitter'
	is "all is back" "$(field newidle | sort -u)" dice
	flip newidle=dice
	schedflip apply $CONFIG >/dev/null 2>&1 &
	applier=$!
	await_pending
	is "a lease guards it" "$?" 0
	kill -KILL $applier
	wait $applier
	is "a killed apply leaves the lease" "$(status_says lease)" pending
	exits 0 "return after it" schedflip return
	is "and all is back" "$(field newidle | sort -u)" dice
}

test_config_lease() {
	flip newidle=dice
	config_is 'newidle=jitter' 'cpu=0 newidle=never'
	exits 0 "apply --for" schedflip apply --for 4s $CONFIG
	contains "says when it returns" "$output" '; returns in 4 s unless you run: '
	exits 0 "verify under the lease" schedflip verify $CONFIG
	contains "says that it returns" "$output" 'a lease is pending'
	succeeds "it returns by itself" wait_for 30 tells lease none
	is "all of it" "$(field newidle | sort -u)" dice
	exits 0 "apply --for an hour" schedflip apply --for 1h $CONFIG
	exits 0 "confirm" schedflip confirm
	exits 0 "it stays" schedflip verify $CONFIG
	flip newidle=dice
	schedflip apply --lease $CONFIG >$CONFIG_OUT 2>&1 &
	keeper=$!
	succeeds "apply --lease" wait_for 20 grep -q '^applied' $CONFIG_OUT
	sleep 7
	is "is renewed" "$(status_says lease)" pending
	kill $keeper
	wait $keeper
	is "returns by SIGTERM" "$?" 0
	is "at once" "$(field newidle | sort -u)" dice
	exits 0 "set --for" schedflip set newidle=always --for 5s
	exits 0 "apply under another's lease" schedflip apply $CONFIG
	contains "says that it returns with it" "$output" 'with the lease that is pending'
	succeeds "and so it does" wait_for 30 tells lease none
	is "to what was before that lease" "$(field newidle | sort -u)" dice
}

# metrics_hold: each counter lies between those of the state before and after
metrics_hold() {
	cat $SF/state >/tmp/config.before
	schedflip metrics >/tmp/config.prom || return 1
	cat $SF/state >/tmp/config.after
	awk '
	FILENAME ~ /prom$/ {
		if ($0 !~ /^schedflip_domain_(attempts|skipped|pulled|balance_calls)_total/)
			next
		name = $0
		sub(/^schedflip_domain_/, "", name)
		sub(/_total.*/, "", name)
		cpu = $0
		sub(/.*cpu="/, "", cpu)
		sub(/".*/, "", cpu)
		domain = $0
		sub(/.*domain="/, "", domain)
		sub(/".*/, "", domain)
		key = cpu " " domain " " (name == "balance_calls" ? "hits" : name)
		checked++
		if (!(key in low) || $2 < low[key] || $2 > high[key]) {
			print key ": " $2 " is not in " low[key] " to " high[key]
			bad++
		}
		next
	}
	{
		for (i = 1; i <= NF; i++) {
			split($i, a, "=")
			k[a[1]] = a[2]
		}
		n = split("attempts skipped pulled hits", names, " ")
		for (i = 1; i <= n; i++) {
			key = k["cpu"] " " k["domain"] " " names[i]
			if (FILENAME ~ /before$/)
				low[key] = k[names[i]]
			else
				high[key] = k[names[i]]
		}
	}
	END { exit bad || !checked }' /tmp/config.before /tmp/config.after /tmp/config.prom
}

test_config_metrics() {
	flip newidle=jitter
	storm 50 &
	storm=$!
	succeeds "metrics are those of the state, under load" metrics_hold
	wait $storm
	succeeds "and after it" metrics_hold
	is "one policy a domain" "$(grep -c '^schedflip_domain_policy_info.*newidle="jitter"' \
		/tmp/config.prom)" "$(domains)"
	is "the hooks are live" "$(grep '^schedflip_hooks_status.*live' /tmp/config.prom)" \
		'schedflip_hooks_status{status="live"} 1'
	exits 0 "metrics --output" schedflip metrics --output /tmp/config.out.prom
	is "has the module" "$(grep '^schedflip_loaded' /tmp/config.out.prom)" "schedflip_loaded 1"
	is "of mode 644" "$(stat -c %a /tmp/config.out.prom)" 644
	flip newidle=stock
}

# Without the module, and with it loaded by apply.
test_config_load() {
	config_is 'hooks=all' 'newidle=jitter' 'slowpath=random'
	unload_module
	exits 1 "verify without the module" schedflip verify $CONFIG
	contains "says so" "$output" 'the module is not loaded'
	exits 1 "apply without the module" schedflip apply $CONFIG
	contains "says how" "$output" 'run: schedflip load --hooks all, or add --load'
	is "metrics without the module" "$(schedflip metrics | grep '^schedflip_loaded')" \
		"schedflip_loaded 0"
	exits 0 "apply --load" schedflip apply --load --timeout 300 $CONFIG
	exits 0 "verify after it" schedflip verify $CONFIG
	is "with all hooks" "$(field slowpath | sort -u)" random
	exits 0 "unload after it" schedflip unload --timeout 300
}

all_config() {
	exits 0 "load for configurations" schedflip load --hooks all --timeout 300
	test_config_round_trip
	test_config_drift
	test_config_refused
	test_config_whole
	test_config_disturbed
	test_config_lease
	test_config_metrics
	test_config_load
}
