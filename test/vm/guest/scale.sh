#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck disable=SC2086 # none of the paths has a blank
#
# The part of test/vm/scale that runs in the machine: scale.sh POSSIBLE. Prints TAP, and
# what the module takes there as lines `figure NAME VALUE UNIT`.

# shellcheck disable=SC1091
. lib.sh

# The kernel tests its crypto algorithms for some seconds.
SETTLED=30
TRACING=/sys/kernel/tracing
# Odd, for the median.
ROUNDS=9
POSSIBLE=$1

figure() {
	echo "figure $1 $2 $3"
}

# ns FIGURE JOB FILE [TEXT]...: does it, and prints its figure
ns() {
	figure=$1
	shift
	took=$(timed "$@") || return
	figure "$figure" "$(echo "$took" | sed 's/ns=\([0-9]*\) .*/\1/')" ns
}

# kib KEY: of /proc/meminfo
kib() {
	awk -v key="$1:" '$1 == key { print $2 }' /proc/meminfo
}

# memory: what is in use now, into $percpu, $slab and $available
memory() {
	sleep 2
	echo 3 >/proc/sys/vm/drop_caches
	sleep 2
	percpu=$(kib Percpu) slab=$(kib Slab) available=$(kib MemAvailable)
}

# somebody_elses: what a livepatch of one empty function takes, which is the kernel's work
somebody_elses() {
	other=/sys/kernel/livepatch/sfother
	ns other_insmod load "$(modinfo -n sfother)"
	ns other_transition until $other/transition 0
	ns other_disable write $other/enabled 0
	timed until $other/enabled "" >/dev/null
	wait_for 5 rmmod sfother
}

# Per-CPU memory by the byte; meminfo has whole pages, with some that are spare.
percpu_bytes() {
	sed -n 's/.*percpu_alloc_percpu: \(.*\[schedflip\] .*\|.* reserved=1 .*\)/\1/p' \
		$TRACING/trace | sed 's/.* size=\([0-9]*\) .*/\1/' |
		awk -v cpus="$POSSIBLE" '{ bytes += $1 } END { print bytes * cpus }'
}

ours() {
	# First, as the buffers for events are made when there is one.
	echo 1 >$TRACING/events/percpu/percpu_alloc_percpu/enable
	memory
	before_percpu=$percpu before_slab=$slab before_available=$available
	ns insmod load "$(modinfo -n schedflip)" hooks=all seed=1 || return
	ns transition until $KLP/transition 0
	echo 0 >$TRACING/events/percpu/enable
	figure percpu_bytes "$(percpu_bytes)" bytes
	memory
	figure percpu $((percpu - before_percpu)) KiB
	figure slab $((slab - before_slab)) KiB
	figure used $((before_available - available)) KiB
	figure module $(($(cat /sys/module/schedflip/coresize) / 1024)) KiB
}

# kernel_domains: as many as the kernel itself knows
kernel_domains() {
	grep -c '^domain' /proc/schedstat
}

# sample FIGURE JOB FILE [TEXT]...: does it, and keeps what it took
sample() {
	sampled=$1
	shift
	timed "$@" | sed 's/ns=\([0-9]*\) .*/\1/' >>"/tmp/samples.$sampled"
}

# medians FIGURE...: of the samples; the kernel has work of its own now and then
medians() {
	middle=$((ROUNDS / 2 + 1))
	for sampled; do
		figure "$sampled" "$(sort -n "/tmp/samples.$sampled" | sed -n "${middle}p")" ns
	done
}

reads() {
	lines=$(timed read $SF/state | sed 's/.* lines=//')
	is "state has a line for each domain" "$lines" "$(kernel_domains)"
	figure domains "$lines" domains
	for _ in $(seq $ROUNDS); do
		sample state read $SF/state
	done
	medians state
}

writes() {
	for _ in $(seq $ROUNDS); do
		sample flip write $SF/policy newidle=dice
		sample flip_one write $SF/policy newidle=stock cpu=0
		flip newidle=stock
		sample lease_begin write $SF/policy newidle=jitter for_ms=60000
		lease=$(status_says lease)
		sample lease_return write $SF/policy lease=return
		policies=$(field newidle | sort -u)
		sample off write $SF/off 1
		put $SF/off 0
	done
	is "a lease was pending" "$lease" pending
	is "and all is as before it" "$policies" stock
	medians flip flip_one lease_begin lease_return off
}

# heartbeat: what the module does once a second, in us: the median of five
heartbeat() {
	echo 0 >$TRACING/tracing_on
	echo >$TRACING/trace
	echo 1 >$TRACING/events/workqueue/workqueue_execute_start/enable
	echo 1 >$TRACING/events/workqueue/workqueue_execute_end/enable
	echo 1 >$TRACING/tracing_on
	sleep 6
	echo 0 >$TRACING/tracing_on
	echo 0 >$TRACING/events/workqueue/enable
	event='workqueue_execute_\([a-z]*\): work struct \([^ :]*\)\(.*\)'
	sed -n "s/.* \([0-9.]*\): $event/\1 \2 \3 \4/p" $TRACING/trace | awk '
		$2 == "start" && /sf_heartbeat/ { began[$3] = $1 }
		$2 == "end" && $3 in began {
			printf "%d\n", ($1 - began[$3]) * 1000000
			delete began[$3]
		}' | sort -n | sed -n 3p
}

works() {
	for policy in accumulator jitter dice always never; do
		flip newidle=$policy slowpath=random burst=nearest cost=bump sync=on
		is "$policy is in force everywhere" "$(field newidle | sort -u)" $policy
		storm
		succeeds "$policy: counts are exact after a storm" exact
	done
	fails "calls were seen" test "$(sum calls)" -eq 0
	schedflip reset >/dev/null
}

# costs: instructions a decision, as figures
costs() {
	bench.sh >/tmp/bench
	status=$?
	sed 's/^/# /' /tmp/bench
	# A missed goal is bench's to tell.
	fails "instructions a decision can be counted" test $status -gt 1
	awk '/^(pass-through|skip|attempt)/ && !/absent/ {
		name = substr($0, 1, 38)
		gsub(/ *\(.*|:/, "", name)
		sub(/ +-? *$/, "", name)
		gsub(/ +/, "_", name)
		print "figure cost/" name, substr($0, 39, 6) + 0, "instructions"
	}' /tmp/bench
}

unloads() {
	ns disable write $KLP/enabled 0
	timed until $KLP/enabled "" >/dev/null
	succeeds "the module unloads" wait_for 5 rmmod schedflip
}

figure cpus "$(getconf _NPROCESSORS_ONLN 2>/dev/null || grep -c ^processor /proc/cpuinfo)" CPUs
figure possible "$POSSIBLE" CPUs
is "all are possible" "$(cat /sys/devices/system/cpu/possible)" 0-$((POSSIBLE - 1))
sleep $((SETTLED - $(cut -d. -f1 /proc/uptime)))
somebody_elses
ours
report $? "the module loads"
reads
writes
figure heartbeat "$(heartbeat)" us
works
costs
unloads
finish
