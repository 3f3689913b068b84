# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=sh disable=SC2046,SC2086 # no path and no name has a blank
#
# Kernels that are not what the module takes them for, as sfdoctor makes this one look:
# each of the module's needs is denied, and the load is refused by name.

DOCTOR=/sys/module/sfdoctor/parameters

PROTOTYPE_FAULTS='less more type name return loop shapeless nowhere'
MEMBER_FAULTS='resized bits odd double'

# doctor [FAULT=NAME]...: this kernel looks like that now
doctor() {
	put $DOCTOR/faults "$*"
}

# needs KIND...: the names of what schedflip needs of this kernel
needs() {
	for kind; do
		sed -n "s/^$kind //p" $DOCTOR/needs
	done
}

# sample: of the lines, each, or the first, fifth, ninth ... if there is no time for more
sample() {
	case $EXTENT in
	every) cat ;;
	*) awk 'NR % 4 == 1' ;;
	esac
}

# told_why REASON: the utility and the kernel log say so, and nothing else is the matter
told_why() {
	[ "$refusal" = 4 ] || note "exit status $refusal, not 4"
	echo "$output" | grep -Eq "^schedflip: not loaded: $1" || note "the utility: $output"
	dmesg | grep schedflip: | tail -n 1 | grep -Eq "not loaded: $1" ||
		note "the kernel log: $(dmesg | tail -n 1)"
	nothing_left || note "something is left"
	[ "$(cat $DOCTOR/told)" -gt 0 ] || note "nothing was looked up that is wrong"
}

# wrong REASON FAULT=NAME: a load is refused for this reason (a regular expression)
wrong() {
	reason=$1
	shift
	if ! doctor "$@"; then
		report 1 "$*: cannot be made to look like that"
		return
	fi
	output=$(schedflip load "$(modinfo -n schedflip)" 2>&1)
	refusal=$?
	complaints=$(told_why "$reason")
	[ -z "$complaints" ]
	report $? "refused, and named: $*"
	[ -z "$complaints" ] || echo "$complaints"
}

test_wrong_symbols() {
	wrong 'no kprobe on kallsyms_lookup_name \(error -2\)' hide=kallsyms_lookup_name
	for name in $(needs function variable | sample); do
		wrong "the kernel has no symbol $name\$" hide=$name
	done
	wrong 'the kernel has switched ftrace off, after a fault .*; reboot$' other=ftrace_disabled
	for name in $(needs hook | sample); do
		wrong "the kernel has no function ([a-z_]+ or )?$name .*ftrace" hide=$name
		wrong "the kernel has no function ([a-z_]+ or )?$name .*ftrace" untraced=$name
	done
}

test_wrong_btf() {
	wrong 'the kernel has no BTF; CONFIG_DEBUG_INFO_BTF is needed$' nobtf=null
	exits 4 "and by modprobe" schedflip load
	contains "for the same reason, which is told once" "$output" \
		'^schedflip: not loaded: the kernel has no BTF; CONFIG_DEBUG_INFO_BTF is needed$'
	wrong 'the kernel has no BTF; CONFIG_DEBUG_INFO_BTF is needed$' nobtf=error
	for name in $(needs hook spare | sample); do
		wrong "the kernel's BTF does not describe $name\$" untyped=$name
	done
	wrong 'struct sched_group has no member group_weight of 4 bytes here$' \
		untyped=sched_group
	wrong 'struct sched_domain has [0-9]+ bytes here, but .* built for [0-9]+; build it' \
		size=sched_domain
	wrong 'sched_domain\.max_newidle_lb_cost has 0 bytes here, .* knows one of 8;' \
		endless=u64
	wrong 'rq\.nr_running has 0 bytes here, .* knows one of 4;' wild=rq.nr_running
}

# A pointer that loops may be one that the first hook takes as well.
wrong_prototype() {
	hook=$2
	[ $1 != loop ] || hook='[a-z_]+'
	wrong "$hook is \".+\" here, but the module knows \"[a-z].* ?\*?\(.+\)\"\$" $1=$2
}

wrong_member() {
	case $1 in
	resized) wrong "$2 has 1 bytes here, but the module knows one of [0-9]+" $1=$2 ;;
	*) wrong "$2 is a bit field or there twice here, .* knows one of [0-9]" $1=$2 ;;
	esac
}

# each FUNCTION "FAULT..." NAME...: each fault with each name; of a sample, one with each
each() {
	function=$1
	faults=$2
	shift 2
	for name; do
		case $EXTENT in
		every) now=$faults ;;
		*) now=${faults%% *} ;;
		esac
		for fault in $now; do
			$function $fault $name
		done
		faults="${faults#* } ${faults%% *}"
	done
}

# An optional member that this kernel does not have cannot be doctored.
has_member() {
	doctor absent=$1 2>/dev/null
}

there() {
	for name in $(needs optional); do
		! has_member $name || echo $name
	done
}

test_wrong_types() {
	for name in $(needs private public | sample); do
		wrong "struct ${name%.*} has no member ${name#*.} of [0-9]+ bytes here" \
			absent=$name
	done
	for name in $(needs public | sample); do
		wrong "$name is at offset [0-9]+ here, but .* built for [0-9]+; build it" \
			moved=$name
	done
	each wrong_member "$MEMBER_FAULTS" $( (needs private public && there) | sample)
	each wrong_prototype "$PROTOTYPE_FAULTS" $(needs hook spare)
}

# A kernel that lacks all that is optional, as well as the hooks that may be inlined.
test_poorer_kernel() {
	faults=
	for name in $(needs extra spare); do
		faults="$faults hide=$name"
	done
	for name in $(there); do
		faults="$faults absent=$name"
	done
	note "hidden:$faults"
	doctor $faults
	succeeds "loads without all that is optional" load_module hooks=all policy=newidle=jitter
	loaded_or_bail
	is "newidle as a whole is absent" "$(status newidle)" absent
	is "the write to sched/features is absent" "$(status features)" absent
	is "domains have no name" "$(field name | sort -u)" -
	fails "burst_nohz is refused" flip burst=idle burst_nohz=on
	contains "and why" "$(cat $SF/last_error)" 'CONFIG_NO_HZ_COMMON'
	flip slowpath=random burst=idle
	storm
	for hook in balance select group; do
		fails "$hook is hit" test "$(calls $hook)" -eq 0
	done
	succeeds "and counts hold" exact
	drift=$(status_says drift)
	put $FEATURES NI_RANDOM
	wait_for 5 tells drift $((drift + 1))
	report $? "who sets NI_RANDOM behind our back is noticed"
	is "and it is held on" "$(ni_random)" NO_NI_RANDOM
	contains "the utility shows what is absent" "$(schedflip show)" \
		'newidle absent.*features absent'
	[ "$(cat $DOCTOR/told)" -ge "$(echo $faults | wc -w)" ]
	report $? "all that was hidden had been looked up ($(cat $DOCTOR/told) times)"
	succeeds "and it unloads" unload_module
	succeeds "nothing is left" nothing_left
}

# test_wrong_kernels [every]: each need denied in each way, or a sample of both
test_wrong_kernels() {
	EXTENT=${1:-sample}
	modprobe sfdoctor
	test_wrong_symbols
	test_wrong_btf
	test_wrong_types
	test_poorer_kernel
	doctor
	succeeds "the real kernel takes the module" load_module
	succeeds "and it unloads" unload_module
	rmmod sfdoctor
}
