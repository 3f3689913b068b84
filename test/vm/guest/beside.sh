# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=sh disable=SC2086,SC2154 # no path has a blank; exits sets output
#
# Beside others who hook the same functions, in either order: tracers, BPF, kprobes,
# livepatches, and a sched_ext scheduler. All work, or are refused with the reason.

TRACING=/sys/kernel/tracing
SCX=/sys/kernel/sched_ext

# The functions that we hook and that ftrace, as all of these others, knows here
find_hooked() {
	for name in sched_balance_rq load_balance sched_balance_newidle select_task_rq_fair \
		sched_balance_find_dst_group find_idlest_group sched_feat_write; do
		! has_function $name || echo $name
	done
}

# probe_in p|r: a kprobe or a kretprobe on each function
probe_in() {
	for function in $HOOKED; do
		echo "$1:sf$1/$1_$function $function" >>$TRACING/kprobe_events || return
	done
	echo 1 >$TRACING/events/sf$1/enable
}

probe_out() {
	echo 0 >$TRACING/events/sf$1/enable
	for function in $HOOKED; do
		echo "-:sf$1/$1_$function" >>$TRACING/kprobe_events
	done
}

# server_in NAME PROGRAM...: in the background, until it is terminated
server_in() {
	server=$1
	shift
	"$@" >/tmp/$server.log 2>&1 &
	echo $! >/tmp/$server.pid
}

server_is_gone() {
	! kill -0 "$(cat /tmp/$1.pid)" 2>/dev/null
}

server_out() {
	kill "$(cat /tmp/$1.pid)" && wait_for 60 server_is_gone $1 && ! grep . /tmp/$1.log
}

# bpf_in fentry|fexit
bpf_in() {
	rm -f /tmp/$1
	server_in $1 trampoline $1 /tmp/$1 $HOOKED
	wait_for 60 test -e /tmp/$1
}

# instance_in NAME: a trace buffer of its own, small, as it is only counted
instance_in() {
	mkdir $TRACING/instances/$1
	echo 64 >$TRACING/instances/$1/buffer_size_kb
}

tracer_in() {
	instance_in $1
	echo $HOOKED >$TRACING/instances/$1/set_ftrace_filter
	echo function >$TRACING/instances/$1/current_tracer
}

# Of old kernels, only the one buffer that is always there can have it.
graph_in() {
	echo $HOOKED >$TRACING/set_ftrace_filter
	echo function_graph >$TRACING/current_tracer
}

graph_out() {
	echo nop >$TRACING/current_tracer
	: >$TRACING/set_ftrace_filter
}

livepatch_in() {
	modprobe sfother elsewhere=1 && wait_for 120 livepatch_is_in
}

livepatch_is_in() {
	[ "$(cat /sys/kernel/livepatch/sfother/transition)" = 0 ]
}

scx_in() {
	server_in scx scx beside
	wait_for 30 grep -q enabled $SCX/state
}

scx_out() {
	server_out scx && wait_for 30 grep -q disabled $SCX/state
}

# neighbour_in KIND
neighbour_in() {
	case $1 in
	kprobe) probe_in p ;;
	kretprobe) probe_in r ;;
	fentry | fexit) bpf_in $1 ;;
	function) tracer_in $1 ;;
	function_graph) graph_in ;;
	events) instance_in $1 && echo 1 >$TRACING/instances/$1/events/sched/enable ;;
	livepatch) livepatch_in ;;
	esac
}

# neighbour_out KIND
neighbour_out() {
	case $1 in
	kprobe) probe_out p ;;
	kretprobe) probe_out r ;;
	fentry | fexit) server_out $1 ;;
	function | events) rmdir $TRACING/instances/$1 ;;
	function_graph) graph_out ;;
	livepatch) other_out ;;
	esac
}

# recorded DIRECTORY: events that ever came to a trace buffer
recorded() {
	cat $1/per_cpu/cpu*/stats | awk '/^(entries|overrun):/ { n += $2 } END { print n + 0 }'
}

# counted_on FUNCTION FILE: its count in a table of functions and counts
counted_on() {
	awk -v name="$1" '$1 == name { print $2 }' $2
}

# neighbour_hits KIND: what it saw of placements, and of balance calls, so far
neighbour_hits() {
	for function in $select_function $balance_function; do
		case $1 in
		kprobe) counted_on p_$function $TRACING/kprobe_profile ;;
		kretprobe) counted_on r_$function $TRACING/kprobe_profile ;;
		fentry | fexit) counted_on $function /tmp/$1 ;;
		function | events) recorded $TRACING/instances/$1 ;;
		function_graph) recorded $TRACING ;;
		livepatch)
			cat /proc/cmdline >/dev/null
			cat /sys/module/sfother/parameters/hits
			;;
		esac
	done
}

# grew BEFORE AFTER: as many numbers, and all of them grew
grew() {
	echo "$1" >/tmp/before
	echo "$2" >/tmp/after
	paste /tmp/before /tmp/after | awk '$2 <= $1 || NF != 2 { bad = 1 } END { exit bad }'
}

# theirs DESCRIPTION KIND... -- COMMAND...: each of the kinds sees calls meanwhile
theirs() {
	occasion=$1
	shift
	kinds=
	while [ "$1" != -- ]; do
		kinds="$kinds $1"
		neighbour_hits $1 >/tmp/hits.$1
		shift
	done
	shift
	"$@"
	# BPF's counts are told ten times a second.
	sleep 0.5
	for kind in $kinds; do
		succeeds "$occasion: $kind sees calls" \
			grew "$(cat /tmp/hits.$kind)" "$(neighbour_hits $kind)"
	done
}

our_calls() {
	calls balance
	calls select
	calls group
}

# ours DESCRIPTION COMMAND...: our hooks see calls meanwhile, and count right
ours() {
	subject=$1
	shift
	seen=$(our_calls)
	"$@"
	succeeds "$subject: our hooks see calls" grew "$seen" "$(our_calls)"
	succeeds "$subject: counts hold" exact
}

flips_in_storm() {
	storm 200 &
	stormer=$!
	for words in 'newidle=dice slowpath=random' 'newidle=jitter burst=nearest' \
		'newidle=never slowpath=stock' 'newidle=accumulator burst=stock' \
		'newidle=jitter start=stagger slowpath=random burst=spread'; do
		flip $words
		sleep 0.2
	done
	wait $stormer
}

# beside KIND...: all of them at once
beside() {
	for kind; do
		succeeds "$kind before ours" neighbour_in $kind
	done
	succeeds "we load beside $*" load_module hooks=all
	loaded_or_bail
	theirs "they before us" "$@" -- ours "we after them" storm
	theirs "flips" "$@" -- ours "flips beside $*" flips_in_storm
	for kind; do
		succeeds "$kind goes while we stay" neighbour_out $kind
	done
	ours "after they went" storm
	for kind; do
		succeeds "$kind after ours" neighbour_in $kind
	done
	theirs "they after us" "$@" -- ours "we before them" flips_in_storm
	succeeds "we unload while they stay" unload_module
	succeeds "and leave nothing" nothing_left
	theirs "after we went" "$@" -- storm
	for kind; do
		succeeds "$kind goes" neighbour_out $kind
	done
}

test_post_handler() {
	modprobe sfprobe function=$select_function
	exits 1 "a kprobe with a post handler before us: refused" schedflip load --hooks all
	contains "names the function" "$output" "handler for function '$select_function'"
	contains "and the cause" "$output" 'a kprobe with a post handler is on a function we patch'
	succeeds "and nothing is left" nothing_left
	seen=$(cat /sys/module/sfprobe/parameters/hits)
	storm
	fails "the probe sees calls" test "$(cat /sys/module/sfprobe/parameters/hits)" = "$seen"
	succeeds "without that hook we load" load_module
	succeeds "and unload" unload_module
	rmmod sfprobe
}

# Some kernels refuse the probe with a warning, and others take it and never call it.
test_post_handler_after() {
	succeeds "load before a kprobe with a post handler" load_module hooks=all
	if modprobe sfprobe function=$select_function; then
		note "the kernel takes the probe"
		ours "beside a probe that was taken" storm
		note "it saw $(cat /sys/module/sfprobe/parameters/hits) calls"
		rmmod sfprobe
	else
		note "the kernel refuses the probe"
		ours "after a probe that was refused" storm
	fi
	succeeds "and unload" unload_module
	succeeds "and leave nothing" nothing_left
}

# quiet DESCRIPTION COMMAND...: fair balances nothing and places nobody meanwhile
quiet() {
	subject=$1
	shift
	seen=$(our_calls)
	"$@"
	is "$subject: our hooks see no calls" "$(our_calls)" "$seen"
}

test_sched_ext() {
	if [ ! -e $SCX/state ]; then
		report 0 "beside sched_ext # SKIP the kernel has no CONFIG_SCHED_CLASS_EXT"
		return
	fi
	succeeds "sched_ext before ours" scx_in
	succeeds "we load while it is in charge" load_module hooks=all
	loaded_or_bail
	quiet "it is in charge" storm
	succeeds "our counts hold" exact
	contains "show says who is in charge" "$(schedflip show)" \
		'^sched_ext: beside schedules all tasks'
	contains "and in JSON" "$(schedflip -j)" '"sched_ext": "beside"'
	succeeds "sched_ext goes while we stay" scx_out
	ours "after it went" storm
	fails "show says no more" eval 'schedflip show | grep -q sched_ext'
	flips_in_storm &
	flipper=$!
	succeeds "sched_ext after ours, in a storm and during flips" scx_in
	wait $flipper
	quiet "it is in charge again" flips_in_storm
	succeeds "it is still in charge" grep -q enabled $SCX/state
	succeeds "we unload while it is in charge" unload_module
	succeeds "and leave nothing" nothing_left
	succeeds "it is in charge after us" grep -q enabled $SCX/state
	succeeds "and goes" scx_out
}

beside_begin() {
	mkdir -p $TRACING
	[ -e $TRACING/trace ] || mount -t tracefs tracefs $TRACING
	HOOKED=$(find_hooked)
	note "hooked functions:" $HOOKED
	select_function=select_task_rq_fair
	balance_function=$(echo "$HOOKED" | grep -Ex 'sched_balance_rq|load_balance')
}

# The suite's: all who can be at once are at once.
test_beside_others() {
	beside_begin
	beside kprobe kretprobe fentry fexit function events livepatch
	test_post_handler
	test_sched_ext
}

# Each alone.
all_beside() {
	beside_begin
	for neighbour in kprobe kretprobe fentry fexit function function_graph events livepatch; do
		beside $neighbour
	done
	test_beside_others
	test_post_handler_after
}
