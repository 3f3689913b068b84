# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=sh disable=SC2086 # none of the paths has a blank
#
# Loading, what was patched, unloading; and loads that are refused and leave
# nothing behind.

nothing_left() {
	! grep -q '^schedflip ' /proc/modules && [ ! -e $SF ] && [ ! -e $KLP ]
}

# refuses WHY PARAMETER=VALUE...
refuses() {
	why=$1
	shift
	fails "load refused: $*" modprobe schedflip "$@"
	contains "and the kernel log says why: $*" "$(dmesg | grep schedflip: | tail -n 1)" "$why"
	succeeds "and nothing is left: $*" nothing_left
}

# Anybody may read the parameters as soon as they are in sysfs, and root may write
# them, before our init has run and after our exit has.
poke_parameters() {
	while :; do
		cat $PARAMETERS/policy $PARAMETERS/seed
		echo 5 >$PARAMETERS/seed
		echo newidle=jitter start=half >$PARAMETERS/policy
		sleep 0.02
	done >/dev/null 2>&1
}

pokes_begin() {
	poke_parameters &
	poker=$!
}

pokes_end() {
	kill "$poker"
	wait "$poker" 2>/dev/null
}

# other_out: takes somebody else's livepatch out
other_out() {
	echo 0 >/sys/kernel/livepatch/sfother/enabled
	wait_for 120 test ! -e /sys/kernel/livepatch/sfother
	wait_for 5 rmmod sfother
}

# A later livepatch with .replace takes ours out without telling us.
test_replaced() {
	load_module policy=newidle=never
	is "held before the replacement" "$(ni_random)" NO_NI_RANDOM
	modprobe sfother replace=1
	wait_for 120 unpatched
	begin=$(centiseconds)
	succeeds "a replacement is noticed" wait_for 10 grep -q state=detached $SF/hooks
	at_most 2 "a replacement is noticed" "$begin"
	is "status says so" "$(status_says hooks)" detached
	is "NI_RANDOM is given back" "$(ni_random)" NI_RANDOM
	is "all domains say stock" "$(field newidle | sort -u)" stock
	fails "nothing can be set any more" flip newidle=jitter
	contains "and said why" "$(cat $SF/last_error)" 'livepatch was taken out'
	is "and says so to the user" "$(schedflip set newidle=jitter 2>&1)" \
		"schedflip: $(cat $SF/last_error)"
	succeeds "and it unloads" schedflip unload --timeout 300
	succeeds "nothing is left" nothing_left
	other_out
}

# open_files: tries, until /tmp/opening is gone; /tmp/seen says that there was one, /tmp/opened
# that it could be opened
open_files() {
	while [ -e /tmp/opening ]; do
		[ ! -e $SF/status ] || echo >>/tmp/seen
		for file in status state policy off cpu0/domain0/stats cpu0/domain0/newidle; do
			{ true <$SF/$file; } 2>/dev/null && echo $file >>/tmp/opened
		done
	done
}

# The kernel frees a module whose init fails, whoever has a file of it open.
test_refused_while_open() {
	rm -f /tmp/seen /tmp/opened
	touch /tmp/opening
	open_files &
	opener=$!
	modprobe sfprobe function=select_task_rq_fair
	refuses 'livepatch refused' hooks=all
	rm /tmp/opening
	wait $opener
	rmmod sfprobe
	succeeds "there were files in between" test -s /tmp/seen
	is "of which none could be opened" "$(cat /tmp/opened 2>/dev/null)" ""
}

test_refused_loads() {
	refuses 'hooks=most; known: newidle all' hooks=most
	refuses 'learner=me; known: auto module' learner=me
	refuses 'no policy "jiter" for newidle' policy=newidle=jiter
}

# Somebody else's livepatch replaces one of our functions.
test_earlier_livepatch() {
	modprobe sfother
	wait_for 120 grep -q 0 /sys/kernel/livepatch/sfother/transition
	refuses 'livepatch sfother already patches sched_feat_write'
	other_out
}

# status HOOK: patched, absent or off
status() {
	sed -n "s/^hook=$1 .* state=\([a-z]*\) .*/\1/p" $SF/hooks
}

# calls HOOK
calls() {
	sed -n "s/^hook=$1 .* calls=\([0-9]*\) .*/\1/p" $SF/hooks
}

# The kernel's own symbol, where it is a function that ftrace can hook.
has_function() {
	grep -qw "$1" /sys/kernel/tracing/available_filter_functions
}

test_hooks() {
	storm
	for hook in "$@"; do
		is "$hook is patched" "$(status "$hook")" patched
		fails "$hook is hit" test "$(calls "$hook")" -eq 0
	done
	if has_function sched_balance_newidle; then
		is "newidle as a whole is patched" "$(status newidle)" patched
		fails "and timed" grep -q 'hook=newidle .* ns=0$' $SF/hooks
	else
		is "newidle as a whole is absent" "$(status newidle)" absent
		fails "its time is taken around the domain calls" \
			grep -q 'hook=balance .* ns=0$' $SF/hooks
	fi
	is "an abi" "$(cat $SF/abi)" 1
}

# All that follows would only say the same again.
loaded_or_bail() {
	[ -e $SF/state ] && return
	dmesg | tail -n 5
	echo "Bail out! the module did not load"
	exit 1
}

test_default_load() {
	pokes_begin
	for round in 1 2 3; do
		modprobe schedflip learner=me 2>/dev/null
	done
	note "$round refused loads while parameters are read and written, and one that is not"
	succeeds "the module loads" load_module
	pokes_end
	loaded_or_bail
	flip newidle=stock
	test_hooks balance
	is "select is off" "$(status select)" off
	is "group is off" "$(status group)" off
	is "select is not called" "$(calls select)" 0
	is "all is at stock" "$(words)" "newidle=stock start=zero"
	fails "what needs the other hooks is refused" flip burst=idle
	contains "and said why" "$(cat $SF/last_error)" 'load with hooks=all'
	contains "the utility names the command" "$(schedflip set slowpath=random 2>&1)" \
		'^schedflip: .*schedflip unload && schedflip load --hooks all$'
	fails "a second load is refused" insmod "$(modinfo -n schedflip)"
	fails "a loaded module cannot be pulled away" rmmod schedflip
	pokes_begin
	succeeds "and unloads while parameters are read and written" unload_module
	pokes_end
	succeeds "nothing is left" nothing_left
	is "and NI_RANDOM is given back" "$(ni_random)" NI_RANDOM
}

test_load_with_policy() {
	succeeds "the module loads with all hooks, a policy and a seed" \
		load_module hooks=all "policy=newidle=accumulator start=half burst=idle" seed=42
	loaded_or_bail
	test_hooks balance select group
	is "the policy is in force" "$(words)" "newidle=accumulator start=half"
	is "on all domains" "$(field burst | sort -u)" idle
	is "NI_RANDOM is held for it" "$(cat $SF/features)" "NI_RANDOM=on held=1"
	is "the seed is as given" "$(cat $PARAMETERS/seed)" 42
	succeeds "counts hold" exact
	flip newidle=stock burst=stock
}

# Reading all files while the module goes.
test_unload_while_reading() {
	flip newidle=jitter
	while :; do
		cat $SF/state "$SF"/cpu*/domain*/* 2>/dev/null
	done >/dev/null &
	reader=$!
	succeeds "unloads while files are read and a policy is in force" unload_module
	kill "$reader"
	wait "$reader" 2>/dev/null
	succeeds "nothing is left" nothing_left
	is "and NI_RANDOM is given back" "$(ni_random)" NI_RANDOM
}
