# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=sh disable=SC2086 # none of the paths has a blank
#
# NI_RANDOM is taken, given back, and the user's last word on it wins.

ni_random() {
	grep -Eow 'NI_RANDOM|NO_NI_RANDOM' $FEATURES
}

# user_says WANTED WORD...: flips, writes WORDs to sched/features meanwhile, resets
user_says() {
	wanted=$1
	shift
	flip newidle=jitter
	for word; do
		put $FEATURES "$word"
		is "held off although the user wrote $word" "$(ni_random)" NO_NI_RANDOM
	done
	flip newidle=stock
	is "given back as the user said last: ${*:-nothing}" "$(ni_random)" "$wanted"
}

test_features() {
	put $FEATURES NI_RANDOM
	is "on before" "$(ni_random)" NI_RANDOM
	is "told so" "$(cat $SF/features)" "NI_RANDOM=on held=0"
	flip newidle=accumulator
	is "off during" "$(ni_random)" NO_NI_RANDOM
	is "told so, with the user's own setting" "$(cat $SF/features)" "NI_RANDOM=on held=1"
	flip newidle=stock cpu=$LOWER
	is "off while any domain needs it" "$(ni_random)" NO_NI_RANDOM
	flip newidle=stock cpu=$UPPER
	is "on after the last one" "$(ni_random)" NI_RANDOM
}

test_features_toggled() {
	user_says NI_RANDOM
	user_says NO_NI_RANDOM NO_NI_RANDOM
	is "the bit stays off as he left it" "$(cat $SF/features)" "NI_RANDOM=off held=0"
	user_says NO_NI_RANDOM
	user_says NI_RANDOM NI_RANDOM
	user_says NI_RANDOM NO_NI_RANDOM NI_RANDOM
	user_says NO_NI_RANDOM NI_RANDOM NO_NI_RANDOM
	user_says NO_NI_RANDOM LB_MIN NO_LB_MIN
	put $FEATURES NI_RANDOM
	user_says NI_RANDOM LB_MIN NO_LB_MIN
	fails "a bad word is the kernel's to refuse" put $FEATURES NO_SUCH_FEATURE
	flip newidle=jitter
	fails "also while NI_RANDOM is held" put $FEATURES NO_SUCH_FEATURE
	is "which changes nothing" "$(cat $SF/features)" "NI_RANDOM=on held=1"
	flip newidle=stock
}

# Both at once for a while: no deadlock, and at the end the last word holds.
test_features_race() {
	rounds=0
	while [ "$rounds" -lt 40 ]; do
		put $FEATURES NO_NI_RANDOM
		put $FEATURES NI_RANDOM
		rounds=$((rounds + 1))
	done &
	writer=$!
	rounds=0
	while [ "$rounds" -lt 20 ]; do
		flip newidle=jitter
		flip newidle=stock
		rounds=$((rounds + 1))
	done
	wait "$writer"
	is "after a race the last word holds" "$(ni_random)" NI_RANDOM
	is "and nothing is held" "$(cat $SF/features)" "NI_RANDOM=on held=0"
}

# The last domain may be reached one by one, and one that has no CPU left does
# not count.
test_features_by_domain() {
	flip newidle=jitter
	for dir in "$SF"/cpu*/domain*; do
		put "$dir/newidle" stock
	done
	is "given back after the last of many files" "$(cat $SF/features)" "NI_RANDOM=on held=0"
	echo 0 >/sys/devices/system/cpu/cpu$LAST/online
	flip newidle=jitter
	flip newidle=stock cpu=0-$((LAST - 1))
	is "given back by the last CPU that is online" "$(cat $SF/features)" \
		"NI_RANDOM=on held=0"
	echo 1 >/sys/devices/system/cpu/cpu$LAST/online
	succeeds "and held again when one comes that needs it" \
		wait_for 20 grep -q held=1 $SF/features
	flip newidle=stock
	is "and given back" "$(ni_random)" NI_RANDOM
}

# A writer whose page does not come, which is inside of the kernel's write.
test_features_stalled() {
	stall $FEATURES 100 &
	stall=$!
	sleep 1
	succeeds "a stalled writer of sched/features holds up no set" \
		timeout 30 schedflip set newidle=jitter
	is "and NI_RANDOM is held" "$(ni_random)" NO_NI_RANDOM
	flip newidle=stock
	kill -9 "$stall"
	wait "$stall" 2>/dev/null
	is "and given back" "$(ni_random)" NI_RANDOM
}

all_features() {
	test_features_by_domain
	test_features_stalled
	test_features
	test_features_toggled
	test_features_race
}
