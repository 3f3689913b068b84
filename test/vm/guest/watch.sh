# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=sh disable=SC2086,SC2154 # no path has a blank; exits sets output
#
# `schedflip watch` against the real module: its rates are what `state` counts, while the
# module and CPUs come and go. Needs exits, of utility.sh.

WATCHED=/tmp/watched
WATCH_CPUS=/sys/devices/system/cpu

# watch_begin OPTION...: into $WATCHED, until watch_end
watch_begin() {
	schedflip watch -i 0.5 "$@" >$WATCHED 2>/tmp/watch.err &
	watching=$!
}

# watch_saw COUNT REGEX: are there so many lines like that?
watch_saw() {
	[ "$(grep -Ec -- "$2" $WATCHED)" -ge "$1" ]
}

# watch_end DESCRIPTION
watch_end() {
	kill -TERM $watching
	wait $watching
	is "$1: it ends well" "$? $(cat /tmp/watch.err)" "0 "
}

# watch_sum KEY: of rates times the length of their intervals
watch_sum() {
	awk -v key="\"$1\":" '
	{
		rest = $0
		if (!match(rest, /"interval_s":[0-9.e+-]+/)) next
		seconds = substr(rest, RSTART + 13, RLENGTH - 13)
		while (match(rest, key "[0-9.e+-]+")) {
			total += seconds * substr(rest, RSTART + length(key), RLENGTH - length(key))
			rest = substr(rest, RSTART + RLENGTH)
		}
	}
	END { printf "%.0f\n", total }' $WATCHED
}

# watch_sane DESCRIPTION: no rate of a JSON object is negative, or more than any CPU could do
watch_sane() {
	is "$1: no rate is absurd" "$(tr ',' '\n' <$WATCHED | grep '_per_s":' | tr -d ']}' |
		awk -F: '$2 != "null" && ($2 < 0 || $2 > 5e6)')" ""
	is "$1: no share is absurd" "$(tr ',' '\n' <$WATCHED | grep '_percent":' |
		awk -F: '$2 != "null" && ($2 < 0 || $2 > 100)')" ""
}

# What the storm does lies between what watch saw and all that there was.
test_watch_counts() {
	flip newidle=accumulator
	outside=$(sum calls)
	watch_begin -j
	wait_for 60 watch_saw 1 '"schema_version":1,'
	inside=$(sum calls)
	inside_attempts=$(sum attempts)
	storm
	inside=$(($(sum calls) - inside))
	inside_attempts=$(($(sum attempts) - inside_attempts))
	seen=$(grep -c . $WATCHED)
	wait_for 60 watch_saw $((seen + 2)) '"schema_version":1,'
	watch_end "watch -j in a storm"
	outside=$(($(sum calls) - outside))
	watched=$(watch_sum calls_per_s)
	succeeds "calls: of $outside, $watched are seen, of $inside in the storm" \
		test $watched -ge $inside -a $watched -le $outside -a $inside -gt 0
	watched=$(watch_sum attempts_per_s)
	succeeds "attempts: $watched are seen, of $inside_attempts in the storm" \
		test $watched -ge $inside_attempts -a $watched -lt $outside
	is "each level of domains is in each object" "$(grep -c '"name":"SMT".*"name":"MC"' \
		$WATCHED)" "$(grep -c . $WATCHED)"
	is "the policy" "$(grep -c '"newidle":"accumulator"' $WATCHED)" \
		"$(grep -c . $WATCHED)"
	watch_sane "watch -j in a storm"
}

# Rates are of the time that passed, and a flip is told.
test_watch_flip() {
	watch_begin --plain
	wait_for 60 watch_saw 2 ' MC .* accumulator '
	flip newidle=jitter domain=MC
	wait_for 60 watch_saw 1 ' MC .* jitter .* [0-9.]+ *$'
	watch_end "watch of a flip"
	contains "the flip is told" "$(cat $WATCHED)" \
		'^# .* newidle accumulator -> jitter on MC '
	is "one head" "$(grep -c '^TIME ' $WATCHED)" 1
	fails "nothing is negative" grep -E -- '-[0-9]|nan|inf' $WATCHED
	exits 0 "so many intervals" schedflip watch -i 0.2 -n 3
	is "and no more" "$(echo "$output" | grep -c ' MC ')" 3
}

test_watch_hotplug() {
	watch_begin -j
	wait_for 60 watch_saw 1 '"name":"SMT","level":[0-9]+,"cpus":'$((LAST + 1))
	storm &
	storming=$!
	echo 0 >$WATCH_CPUS/cpu3/online
	wait_for 60 watch_saw 1 '"name":"[A-Z]+","level":[0-9]+,"cpus":'$LAST,
	report $? "watch -j: a CPU has gone"
	echo 1 >$WATCH_CPUS/cpu3/online
	seen=$(grep -c . $WATCHED)
	wait_for 60 watch_saw $((seen + 3)) '"schema_version":1,'
	wait $storming
	watch_end "watch -j beside hotplug"
	contains "the CPU is there again" "$(tail -n 1 $WATCHED)" '"cpus":'$((LAST + 1))
	watch_sane "watch -j beside hotplug"
}

# It holds no file open, so nothing waits for it.
test_watch_unload() {
	watch_begin --plain
	wait_for 60 watch_saw 1 ' MC '
	exits 0 "unload while it is watched" schedflip unload --timeout 300
	wait_for 60 watch_saw 1 'waiting for it$'
	report $? "watch says that the module is gone"
	exits 0 "load while it is watched" schedflip load --timeout 300
	wait_for 60 watch_saw 1 ' the module is back$'
	report $? "watch says that the module is back"
	seen=$(grep -c ' MC ' $WATCHED)
	wait_for 60 watch_saw $((seen + 2)) ' MC '
	watch_end "watch of an unload"
	contains "there are rates again" "$(tail -n 1 $WATCHED)" '[0-9.]+ +[0-9.]+ *$'
	fails "no rate is negative" grep -E -- '-[0-9]|nan|inf' $WATCHED
	exits 0 "unload behind it" schedflip unload --timeout 300
	exits 1 "watch without the module" schedflip watch -n 1
}

all_watch() {
	exits 0 "load to be watched" schedflip load --timeout 300
	test_watch_counts
	test_watch_flip
	test_watch_hotplug
	test_watch_unload
}
