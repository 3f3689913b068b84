# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=sh disable=SC2086 # none of the paths has a blank
#
# What takes a policy back: leases, tripwires, the kill switch, and livepatches of
# others that come later. All through the module's own files.

TRACING=/sys/kernel/tracing

# all_fields: what a lease brings back, of all domains
all_fields() {
	awk '{
		for (i = 1; i <= NF; i++)
			if ($i ~ /^(cpu|domain|newidle|start|pinned|slowpath|burst|cost|sync)=/ ||
				$i ~ /^burst_/)
				printf "%s ", $i
		print ""
	}' $SF/state
}

test_lease_returns() {
	flip newidle=dice ratio=31 cpu=0,1
	flip burst=spread burst_depth=5 burst_factor=2 slowpath=random cpu=1
	flip newidle=accumulator window_pos=77 cpu=2
	flip cost=bump sync=on cpu=3
	before=$(all_fields)
	domains=$(grep -c '^cpu=0 ' $SF/state)
	changes=$(sum changes 'cpu=0 ')
	flip newidle=jitter for_ms=1500
	tells lease pending
	report $? "a lease is pending"
	is "it is in force" "$(field newidle | sort -u)" jitter
	flip newidle=never burst=nearest slowpath=stock cost=stock ratio=1000
	flip sync=on newidle=always start=random cpu=0
	is "what comes under it is too" "$(field burst | sort -u)" nearest
	left=$(status_says lease_left_ms)
	fails "the time left goes down ($left ms)" test "$left" -gt 1500
	wait_for 10 tells lease none
	is "all is as it was before" "$(all_fields)" "$before"
	is "also what was pinned" "$(field ratio 'cpu=[01] .* pinned=1 ' | sort -u)" 31
	is "also where the window was put" "$(field start_pos 'cpu=2 ' | sort -u)" 77
	is "it ended by itself" "$(status_says lease_ended)" expired
	is "three commands and their return are counted" "$(sum changes 'cpu=0 ')" \
		$((changes + 4 * domains))
	changes=$(sum changes 'cpu=2 ')
	flip newidle=jitter for_ms=300 cpu=1
	wait_for 10 tells lease none
	is "domains that the lease did not touch are left alone" "$(sum changes 'cpu=2 ')" \
		"$changes"
	flip newidle=stock burst=stock slowpath=stock cost=stock sync=off ratio=learned \
		burst_depth=2 burst_factor=3
}

test_lease_words() {
	fails "nothing to confirm" flip lease=confirm
	is "and said so" "$(cat $SF/last_error)" "no lease is pending"
	fails "nothing to renew" flip lease=renew for_ms=1000
	fails "nothing to return" flip lease=return
	fails "renewing takes a time" flip lease=renew
	fails "a time takes something to set" flip for_ms=1000
	fails "too short" flip newidle=dice for_ms=99
	fails "too long" flip newidle=dice for_ms=86400001
	fails "a refused command begins no lease" flip newidle=dice domain=none for_ms=1000
	tells lease none
	report $? "none is pending"
	flip newidle=dice for_ms=60000
	id=$(status_says lease_id)
	fails "a refused command leaves the lease alone" flip newidle=no for_ms=100
	fails "returning takes no other words" flip lease=return newidle=jitter
	fails "a new one cannot be begun" flip newidle=jitter for_ms=1000 lease=new
	is "and said so" "$(cat $SF/last_error)" "a lease is pending already"
	fails "nor one without a time" flip newidle=jitter lease=new
	succeeds "it is still there" test "$(status_says lease_left_ms)" -gt 50000
	flip lease=return
	is "returned at once" "$(words) $(status_says lease_ended)" \
		"newidle=stock start=zero returned"
	flip newidle=dice for_ms=300
	flip newidle=jitter for_ms=60000
	sleep 1
	is "moved, it goes on" "$(words) $(status_says lease)" "newidle=jitter start=zero pending"
	flip lease=renew for_ms=200
	wait_for 10 tells lease none
	is "and returns to before the first" "$(words)" "newidle=stock start=zero"
	flip newidle=dice for_ms=300
	flip newidle=accumulator lease=confirm
	sleep 1
	is "confirmed, it stays" "$(words) $(status_says lease_ended)" \
		"newidle=accumulator start=zero confirmed"
	flip newidle=dice for_ms=60000 lease=new
	flip lease=return
	is "each lease has its number" "$(status_says lease_id)" $((id + 3))
	flip newidle=stock
}

# A lease whose end comes in the very command that moves it: what is taken holds.
test_lease_moved() {
	rounds=0 undone=0
	while [ "$rounds" -lt 20 ]; do
		flip burst_depth=3 for_ms=100
		usleep $((70000 + rounds * 1800))
		if flip newidle=jitter for_ms=60000; then
			usleep 50000
			tells lease pending && [ "$(words)" = "newidle=jitter start=zero" ] ||
				undone=$((undone + 1))
		fi
		flip lease=return
		flip newidle=stock burst_depth=2
		rounds=$((rounds + 1))
	done
	is "a lease that is moved in its last moment goes on" "$undone" 0
}

# Everything but this script and the kernel stands still.
test_lease_frozen() {
	worst=0 rounds=0
	while [ "$rounds" -lt 5 ]; do
		storm 200 >/dev/null &
		flip newidle=jitter burst=nearest for_ms=1000
		kill -STOP -1
		sleep 2
		late=$(status_says lease_late_us)
		[ "$late" -le "$worst" ] || worst=$late
		back="$(field newidle | sort -u) $(field burst | sort -u)"
		kill -CONT -1
		wait
		[ "$back" = "stock stock" ] || break
		rounds=$((rounds + 1))
	done
	is "with all of userspace stopped it returns" "$back" "stock stock"
	note "at most $worst us late, of $rounds leases under a storm"
	succeeds "and not half a second late" test "$worst" -lt $((500000 * SLOWER))
	is "NI_RANDOM is the user's" "$(cat $SF/features)" "NI_RANDOM=on held=0"
}

# switched_off WAY COMMAND...
switched_off() {
	way=$1
	shift
	flip newidle=jitter burst=nearest slowpath=random cost=bump for_ms=60000 trip_depth=60000
	storm 200 >/dev/null &
	sleep 0.3
	"$@"
	is "$way: off" "$(status_says hooks off_reason)" "off $way"
	wait_for 10 tells lease none
	is "$way: all domains are at stock" "$(field newidle | sort -u) $(field burst | sort -u)" \
		"stock stock"
	is "$way: the lease and the tripwires are gone" \
		"$(status_says lease_ended trip_depth)" "off off"
	is "$way: NI_RANDOM is the user's" "$(cat $SF/features)" "NI_RANDOM=on held=0"
	calls=$(sum calls)
	wait
	is "$way: no hook counts a call" "$(sum calls)" "$calls"
	fails "$way: nothing can be set" flip newidle=dice
	is "$way: and said why" "$(cat $SF/last_error)" \
		"schedflip was switched off ($way); write 0 to off, or run: schedflip on"
	put $SF/off 0
	is "$way: on again" "$(status_says hooks off_reason) $(words)" \
		"live - newidle=stock start=zero"
}

test_kill() {
	switched_off sysrq put /proc/sysrq-trigger x
	switched_off debugfs put $SF/off 1
	switched_off parameter put $PARAMETERS/off Y
	put $PARAMETERS/off 1
	is "the parameter says so" "$(cat $PARAMETERS/off)" Y
	put $PARAMETERS/off N
	is "and switches on again" "$(cat $PARAMETERS/off) $(status_says hooks)" "N live"
	put $SF/off 1
	for word in off of on now nein 0x1 000 yes yellow ''; do
		fails "off takes 1 or 0, and not $word" put $SF/off "$word
"
		is "and said so" "$(cat $SF/last_error)" "off takes 1 or 0"
		fails "nor does the parameter" put $PARAMETERS/off "$word
"
	done
	is "and it is off still" "$(status_says hooks)" off
	succeeds "on is on" put $SF/off 0
}

# overshoot: of the trace, how many kills, how many decisions of each kind, on how many CPUs,
# and the time in us from a kill to the last event that tells of a decision before the next flip
overshoot() {
	awk '
	function us(  i) {
		for (i = 1; i < NF; i++)
			if ($i ~ /^[0-9]+\.[0-9]+:$/)
				return $i * 1000000
	}
	/tracing_mark_write: begin/ { killed = 0 }
	/tracing_mark_write: kill/ { killed = us(); kills++ }
	/ (newidle|slowpath|burst): / && !/policy=stock/ {
		if (killed && (late = us() - killed) > worst)
			worst = late
		for (i = 1; i <= NF; i++) {
			if ($i ~ /^(newidle|slowpath|burst):$/)
				events[$i]++
			if ($i ~ /^\[[0-9]+\]$/ && !cpu[$i]++)
				cpus++
		}
	}
	END {
		printf "%d %d %d %d %d %d\n", kills, events["newidle:"], events["slowpath:"],
			events["burst:"], cpus, worst
	}' $TRACING/trace
}

# naps_and_forks: decisions of all kinds, as long as there is the file
naps_and_forks() {
	while [ -e /tmp/killing ]; do
		forks 8 50 100
		command storm 100
	done >/dev/null 2>&1
}

# kills TIMES: amid decisions that are traced
kills() {
	touch /tmp/killing
	naps_and_forks &
	rounds=0
	while [ "$rounds" -lt "$1" ]; do
		put $TRACING/trace_marker begin
		put $SF/off 0
		flip newidle=jitter slowpath=random burst=nearest burst_depth=1 burst_factor=1
		sleep 0.2
		command kill_switch kill
		sleep 0.05
		rounds=$((rounds + 1))
	done
	rm /tmp/killing
	wait
}

# By the decisions that the trace has: each is told when it has been carried out.
test_kill_time() {
	put $TRACING/trace_clock global
	put $TRACING/buffer_size_kb 8192
	put $TRACING/trace ''
	put $TRACING/events/schedflip/enable 1
	put $TRACING/tracing_on 1
	kills 20
	put $TRACING/tracing_on 0
	put $TRACING/events/schedflip/enable 0
	put $SF/off 0
	flip burst_depth=2 burst_factor=3
	read -r kills newidle slowpath burst cpus worst <<-END
	$(overshoot)
	END
	is "kills in the trace" "$kills" 20
	succeeds "newidle decisions ($newidle)" test "$newidle" -gt 100
	succeeds "picks ($slowpath)" test "$slowpath" -gt 0
	succeeds "placements in bursts ($burst)" test "$burst" -gt 0
	is "on all CPUs" "$cpus" $((LAST + 1))
	note "the last decision of $kills kills ended at most $worst us after the switch"
	succeeds "and no hook decides 250 ms later" test "$worst" -lt $((250000 * SLOWER))
	put $TRACING/trace ''
}

# tripped THRESHOLD REASON
tripped() {
	trips=$(status_says trips)
	flip newidle=jitter burst=nearest "$1" for_ms=60000
	tries=0
	while [ "$(status_says trips)" = "$trips" ] && [ "$tries" -lt 10 ]; do
		storm 300 >/dev/null
		tries=$((tries + 1))
	done
	is "$1: crossed" "$(status_says trips)" $((trips + 1))
	contains "$1: the reason and the values are kept" "$(status_says trip_reason)" \
		"$2 reached $1\$"
	is "$1: all is at stock" "$(field newidle | sort -u) $(field burst | sort -u)" "stock stock"
	is "$1: disarmed, the lease is gone" \
		"$(status_says trip_depth trip_newidle trip_delay_us lease_ended)" \
		"off off off tripped"
	is "$1: the hooks live" "$(status_says hooks)" live
}

# looked TIMES: since the tripwires were armed
looked() {
	[ "$(status_says looks)" -ge "$1" ]
}

test_trips() {
	tripped trip_depth=2 '^[0-9]+ runnable tasks at CPU [0-9]+'
	tripped trip_newidle=1 "^[0-9]+/1000 of the CPUs' time in newidle balance"
	tripped trip_delay_us=1 '^a mean wait of [0-9]+ us per switch'
	flip newidle=jitter trip_depth=60000 trip_newidle=1000 trip_delay_us=60000000
	looks=$(status_says looks)
	storm 300 >/dev/null
	wait_for 10 looked $((looks + 2))
	is "what is not crossed changes nothing" "$(words) $(status_says trips)" \
		"newidle=jitter start=zero $((trips + 1))"
	flip trip_newidle=off
	is "one is disarmed" "$(status_says trip_depth trip_newidle trip_delay_us)" \
		"60000 off 60000000"
	flip newidle=dice for_ms=500 trip_depth=50000
	wait_for 10 tells lease none
	is "a lease brings the thresholds back" "$(status_says trip_depth)" 60000
	flip trip_depth=off trip_delay_us=off newidle=stock
	fails "0 is no threshold" flip trip_depth=0
	fails "nor is more than all" flip trip_newidle=1001
}

# The kernel's own figures, over the same time
test_trip_figures() {
	flip newidle=jitter trip_depth=65535
	wait_for 10 looked 2
	command storm 1000 &
	sleep 3
	delay=$(status_says delay_us)
	depth=$(status_says depth)
	wait
	succeeds "depth is sane ($depth)" test "$depth" -le 64
	succeeds "waits are seen ($delay us)" test "$delay" -lt 60000000
	flip newidle=stock trip_depth=off
}

# above_out NAME
above_out() {
	wait_for 120 grep -q 0 /sys/kernel/livepatch/$1/transition
	echo 0 >/sys/kernel/livepatch/$1/enabled
	wait_for 120 test ! -e /sys/kernel/livepatch/$1
	wait_for 5 rmmod $1
}

# A later livepatch without .replace runs in our place for as long as it is there.
test_shadowed() {
	flip newidle=jitter cost=bump for_ms=600000
	function=$(sed -n 's/^hook=group .*symbol=\([^ ]*\) .*/\1/p' $SF/hooks)
	modprobe sfabove function="$function"
	begin=$(centiseconds)
	succeeds "a livepatch on top of ours is noticed" wait_for 10 tells hooks shadowed
	at_most 2 "a livepatch on top of ours is noticed" "$begin"
	is "by its name" "$(status_says shadowed_by)" sfabove
	calls=$(sum calls)
	storm
	is "nothing of ours decides" "$(sum calls)" "$calls"
	is "NI_RANDOM is the user's" "$(cat $SF/features)" "NI_RANDOM=on held=0"
	fails "nothing can be set" flip newidle=dice
	contains "and said why" "$(cat $SF/last_error)" '^livepatch sfabove replaces'
	succeeds "but the lease can be confirmed" flip lease=confirm
	wait_for 120 grep -q 0 /sys/kernel/livepatch/sfabove/transition
	modprobe sfabove2 function="$function"
	wait_for 120 grep -q 0 /sys/kernel/livepatch/sfabove2/transition
	above_out sfabove
	succeeds "one on top of that is named when it is alone" \
		wait_for 10 tells shadowed_by sfabove2
	above_out sfabove2
	succeeds "and that it has gone" wait_for 10 tells hooks live
	is "the policies decide again" "$(words) $(cat $SF/features)" \
		"newidle=jitter start=zero NI_RANDOM=on held=1"
	storm
	succeeds "and have calls to decide" test "$(sum calls)" -gt "$calls"
	flip newidle=stock cost=stock
}

test_drift() {
	flip newidle=jitter
	drift=$(status_says drift)
	put $FEATURES NO_NI_RANDOM
	is "what the user does to NI_RANDOM meanwhile is counted" "$(status_says drift)" \
		$((drift + 1))
	put $FEATURES NI_RANDOM
	is "each time" "$(status_says drift)" $((drift + 2))
	flip newidle=stock
	put $FEATURES NO_NI_RANDOM
	put $FEATURES NI_RANDOM
	is "but not when it is his" "$(status_says drift)" $((drift + 2))
}

# With hooks=all
all_safety() {
	test_lease_words
	test_lease_returns
	test_lease_moved
	test_lease_frozen
	test_kill
	test_kill_time
	test_trips
	test_trip_figures
	test_shadowed
	test_drift
	succeeds "counts hold after all that" exact
}
