# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=sh disable=SC2086 # none of the paths has a blank
#
# For the scripts that run in the guest: TAP, loading and unloading, load on the
# CPUs, and reading `state`.

# shellcheck disable=SC2034 # used by those that read this file
SF=/sys/kernel/debug/schedflip
KLP=/sys/kernel/livepatch/schedflip
FEATURES=/sys/kernel/debug/sched/features
PARAMETERS=/sys/module/schedflip/parameters
KMEMLEAK=/sys/kernel/debug/kmemleak

# Kernels that check themselves are so many times slower: loads are the lighter for it, and
# what must be over within some time may take the longer.
case ${SCHEDFLIP_KERNEL-} in
debug | kcsan) SLOWER=4 ;;
*) SLOWER=1 ;;
esac

# The CPUs are 0 to LAST; the upper half of them, which is a node, begins with HALF.
LAST=$(sed 's/.*-//' /sys/devices/system/cpu/present)
HALF=$(((LAST + 1) / 2))
LOWER=0-$((HALF - 1))
UPPER=$HALF-$LAST

TESTS=0
FAILURES=0

# report STATUS DESCRIPTION
report() {
	TESTS=$((TESTS + 1))
	if [ "$1" -eq 0 ]; then
		echo "ok $TESTS - $2"
	else
		FAILURES=$((FAILURES + 1))
		echo "not ok $TESTS - $2"
	fi
}

note() {
	echo "$*" | sed 's/^/# /'
}

# is DESCRIPTION GOT WANTED
is() {
	if [ "$2" = "$3" ]; then
		report 0 "$1"
	else
		report 1 "$1"
		note "got:    $2"
		note "wanted: $3"
	fi
}

# ends WANTED DESCRIPTION COMMAND...: WANTED is 0, or 1 for any failure
ends() {
	wanted=$1
	description=$2
	shift 2
	status=0
	output=$("$@" 2>&1) || status=1
	if [ "$status" = "$wanted" ]; then
		report 0 "$description"
	else
		report 1 "$description"
		note "$* (status $status): $output"
	fi
}

# succeeds DESCRIPTION COMMAND...
succeeds() {
	ends 0 "$@"
}

# fails DESCRIPTION COMMAND...
fails() {
	ends 1 "$@"
}

# contains DESCRIPTION TEXT REGEX
contains() {
	if echo "$2" | grep -Eq -- "$3"; then
		report 0 "$1"
	else
		report 1 "$1"
		note "in:     $2"
		note "wanted: $3"
	fi
}

# finish: the plan, and the script's exit status
finish() {
	echo "1..$TESTS"
	[ "$FAILURES" -eq 0 ]
}

# centiseconds: since boot
centiseconds() {
	sed 's/\.\([0-9]*\) .*/\1/' /proc/uptime
}

# at_most SECONDS DESCRIPTION SINCE
at_most() {
	took=$(($(centiseconds) - $3))
	set -- $(($1 * SLOWER)) "$2"
	is "$2 within $1 s ($took/100 s)" $((took <= $1 * 100)) 1
}

# wait_for SECONDS COMMAND...: until it succeeds
wait_for() {
	tries=$(($1 * 5))
	shift
	until "$@"; do
		tries=$((tries - 1))
		[ "$tries" -gt 0 ] || return 1
		sleep 0.2
	done
}

patched() {
	[ "$(cat $KLP/transition)" = 0 ]
}

unpatched() {
	[ ! -e $KLP ]
}

# load_module [PARAMETER=VALUE]...
load_module() {
	modprobe schedflip "$@" && wait_for 120 patched
}

unload_module() {
	echo 0 >$KLP/enabled && wait_for 120 unpatched && wait_for 5 rmmod schedflip
}

# put FILE TEXT: one write, as a shell's own echo may be split
put() {
	printf '%s' "$2" >"$1"
}

# flip WORD...: to `policy`
flip() {
	put $SF/policy "$*"
}

tells() {
	[ "$(status_says "$1")" = "$2" ]
}

# hooked: calls of all wrappers
hooked() {
	sed 's/.* calls=\([0-9]*\) .*/\1/' $SF/hooks | awk '{ n += $1 } END { print n }'
}

# words: what `policy` says of newidle
words() {
	cut -d' ' -f1,2 $SF/policy
}

# field KEY [STATE LINE FILTER]: of all lines, or of those that match
field() {
	grep -E -- "${2:-.}" $SF/state | sed "s/.*\b$1=\([^ ]*\).*/\1/"
}

# sum KEY [FILTER]
sum() {
	field "$@" | awk '{ total += $1 } END { printf "%d\n", total }'
}

# status_says KEY...: the values, in one line
status_says() {
	for key; do
		sed -n "s/^$key=//p" $SF/status
	done | paste -sd' ' -
}

domains() {
	wc -l <$SF/state
}

# storm [NAPS]: naps, wakeups of pipes and forks at once: CPUs go idle all the time
storm() {
	command storm "${1:-100}" &
	naps=$!
	hackbench -p -g 1 -f 4 -l $((100 / SLOWER)) >/dev/null &
	hackbench=$!
	forks=0
	while [ "$forks" -lt 10 ]; do
		/bin/true
		forks=$((forks + 1))
	done
	wait "$naps" "$hackbench"
}

# scan_leaks: what the kernel suspects of being leaked. It takes two scans: in the first,
# memory may be just on its way from one owner to another.
scan_leaks() {
	echo scan >$KMEMLEAK
	sleep 6
	echo scan >$KMEMLEAK
	cat $KMEMLEAK
}

# leaks_begin: what is suspected before the module was ever loaded is not ours
leaks_begin() {
	[ -e $KMEMLEAK ] || return 0
	scan_leaks >/tmp/leaks.before
	note "leaks suspected before the first load: $(grep -c '^unref' /tmp/leaks.before)"
	echo clear >$KMEMLEAK
}

# no_leak: with the module unloaded; nothing to tell where the kernel does not look for leaks
no_leak() {
	[ -e $KMEMLEAK ] || return 0
	sleep 6
	scan_leaks >/tmp/leaks
	is "no memory is leaked" "$(head -n 60 /tmp/leaks)" ""
}

# judge PROGRAM [FILE]: awk's PROGRAM sees each line of `state` as k["key"], and says
# bad("why") of those that are; then judge fails.
judge() {
	awk '
	function bad(why) { print why ": " $0; failed = 1 }
	{ for (i = 1; i <= NF; i++) { split($i, a, "="); k[a[1]] = a[2] } }
	'"$1"'
	END { exit failed }' "${2:-$SF/state}"
}

# exact [FILE]: do the counts of every line hold? Says which do not.
exact() {
	judge '{
		cells = int((k["start_pos"] + k["weight_sum"]) / 1024)
		off = k["attempts"] - cells
		if (k["calls"] != k["attempts"] + k["skipped"]) bad("calls")
		if (k["pulled"] > k["attempts"] || k["tasks"] < k["pulled"]) bad("pulled")
		if (k["hits"] < k["calls"]) bad("hits")
		if (k["newidle"] == "accumulator") {
			if (off != 0) bad("not exact")
			pos = (k["start_pos"] + k["weight_sum"]) % 1024
			if (pos != k["window_pos"]) bad("window_pos")
		}
		if (k["newidle"] == "jitter" && off != 0 && off != 1) bad("not within one")
		if (k["newidle"] == "always" && k["skipped"] != 0) bad("skipped")
		if (k["newidle"] == "never" && k["attempts"] != 0) bad("attempted")
		if (k["newidle"] == "dice") {
			# Six sigma of a sum of dice, and their bias of 1/1024 a call.
			off -= k["calls"] / 1024
			if (off * off > 36 * (k["calls"] / 4 + 1)) bad("loaded dice")
		}
	}' "$@"
}
