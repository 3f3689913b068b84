#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck disable=SC2086 # none of the paths has a blank
#
# Whatever is written to the module's files, it does what it says or nothing at all, and
# the kernel has nothing to say. By itself:
#
#	fuzz.sh [SECONDS [SEED]]	default 180 s, seed 1
#
# Takes: lib.sh storm fuzz
# Run: -T 3600

# fuzzed MODE SECONDS SEED: what the program says is noted also if all is well
fuzzed() {
	status=0
	output=$(command fuzz "$@" 2>&1) || status=$?
	note "$output"
	return $status
}

# end_fuzz: on, at stock, with no lease and no tripwire; what is not there is left out
end_fuzz() {
	if [ -e $SF/off ]; then
		put $SF/off 0
		flip lease=confirm 2>/dev/null
		flip trip_depth=off trip_newidle=off
	fi
	flip newidle=stock ratio=learned slowpath=stock burst=stock burst_depth=2 \
		burst_factor=3 cost=stock sync=off
}

# fuzz_storm SECONDS SEED: while CPUs go idle all the time
fuzz_storm() {
	command storm 100000000 &
	naps=$!
	fuzzed storm "$@"
	status=$?
	kill "$naps"
	wait "$naps" 2>/dev/null
	return $status
}

# has_all_files: of CPUs that have just come, the tree has none for a second
has_all_files() {
	[ "$(printf '%s\n' "$SF"/cpu*/domain*/stats | wc -l)" -eq "$(domains)" ]
}

# test_fuzz SECONDS SEED
test_fuzz() {
	succeeds "each domain has its files" wait_for 10 has_all_files
	ni_random=$(cut -d' ' -f1 $SF/features)
	fuzzed oracle $(($1 / 2)) "$2"
	report $? "commands do what they say, or nothing (seed $2)"
	end_fuzz
	succeeds "all counts hold" exact
	fuzz_storm $(($1 / 2)) "$2"
	report $? "anything can be written to any file (seed $2)"
	end_fuzz
	report $? "afterwards all can be set to stock"
	is "all are at stock" "$(field newidle | sort -u)" stock
	storm
	succeeds "all counts hold" exact
	is "NI_RANDOM is as it was" "$(cat $SF/features)" "$ni_random held=0"
}

# Else it is read by another script, which has read lib.sh before.
if [ -z "${TESTS+set}" ]; then
	# shellcheck disable=SC1091
	. lib.sh
	leaks_begin
	succeeds "the module loads" load_module hooks=all
	test_fuzz "${1:-180}" "${2:-1}"
	unload_module
	report $? "the module unloads"
	no_leak
	finish
fi
