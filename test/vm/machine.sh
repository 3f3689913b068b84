# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# What the virtual machine looks like: CPUs, memory, QEMU's and the kernel's
# arguments.

MEMORY_MB=2048
# More does not boot in reasonable time, and QEMU's pc takes 255 at most.
MAX_CPUS=255
MAX_SOCKETS=16

# is_count STRING MAX
is_count() {
	[[ $1 =~ ^[1-9][0-9]{0,3}$ ]] && [ "$1" -le "$2" ]
}

# machine_defaults: for what the options did not say. What is checked at each step takes
# several times as long, so there are fewer CPUs, and more time.
machine_defaults() {
	if is_built_here "$KERNEL"; then
		DEFAULT_CPUS=4 LIMIT=${LIMIT:-1800}
	else
		DEFAULT_CPUS=8 LIMIT=${LIMIT:-600}
	fi
}

# default_topology CPUS: as much structure as the number allows, for schedflip
# works on domains: two nodes of two threads a core.
default_topology() {
	if [ $(($1 % 4)) -eq 0 ]; then
		echo "2x$(($1 / 4))x2"
	elif [ $(($1 % 2)) -eq 0 ] && [ "$1" -gt 2 ]; then
		echo "1x$(($1 / 2))x2"
	else
		echo flat
	fi
}

# check_topology: makes CPUS, SOCKETS, CORES and THREADS of what -c and -t said
# (CPUS and TOPOLOGY, each may be empty).
check_topology() {
	[ -z "$CPUS" ] || is_count "$CPUS" $MAX_CPUS ||
		usage_error "-c $CPUS: the number of CPUs is 1 to $MAX_CPUS"
	[ -n "$TOPOLOGY" ] || TOPOLOGY=$(default_topology "${CPUS:-$DEFAULT_CPUS}")
	if [ "$TOPOLOGY" = flat ]; then
		CPUS=${CPUS:-$DEFAULT_CPUS} SOCKETS=1 CORES=${CPUS:-$DEFAULT_CPUS} THREADS=1
		return
	fi
	[[ $TOPOLOGY =~ ^([0-9]{1,3})x([0-9]{1,3})x([0-9]{1,3})$ ]] ||
		usage_error "-t $TOPOLOGY: a topology is SOCKETSxCORESxTHREADS," \
			"as in 2x2x2, or flat"
	SOCKETS=$((10#${BASH_REMATCH[1]}))
	CORES=$((10#${BASH_REMATCH[2]}))
	THREADS=$((10#${BASH_REMATCH[3]}))
	is_count "$SOCKETS" $MAX_SOCKETS || usage_error "-t $TOPOLOGY: 1 to $MAX_SOCKETS sockets"
	is_count $((SOCKETS * CORES * THREADS)) $MAX_CPUS ||
		usage_error "-t $TOPOLOGY: these are $((SOCKETS * CORES * THREADS)) CPUs;" \
			"allowed are 1 to $MAX_CPUS"
	[ "${CPUS:-$((SOCKETS * CORES * THREADS))}" -eq $((SOCKETS * CORES * THREADS)) ] ||
		usage_error "-t $TOPOLOGY makes $((SOCKETS * CORES * THREADS)) CPUs," \
			"but -c says $CPUS"
	CPUS=$((SOCKETS * CORES * THREADS))
}

# cpu_arguments: appends to QEMU_ARGS. A socket is a node, with its own memory.
cpu_arguments() {
	local node first size=$((MEMORY_MB / SOCKETS)) each=$((CPUS / SOCKETS))
	QEMU_ARGS+=(-smp "$CPUS,sockets=$SOCKETS,cores=$CORES,threads=$THREADS"
		-m "$((size * SOCKETS))M")
	if [ "$SOCKETS" -eq 1 ]; then
		return
	fi
	for ((node = 0; node < SOCKETS; node++)); do
		first=$((node * each))
		QEMU_ARGS+=(-object "memory-backend-ram,id=m$node,size=${size}M"
			-numa "node,nodeid=$node,memdev=m$node,cpus=$first-$((first + each - 1))")
	done
}

# The ports are files, never pipes: a slow reader must not hold up the guest, and
# in exact mode not even be noticed by it.
port_arguments() {
	local port
	for port in console output control; do
		QEMU_ARGS+=(-chardev "file,id=$port,path=$WORK/$port" -serial "chardev:$port")
	done
}

# cpu_model: "max" calls itself AMD, but does not tell the threads of a core in the
# one way that 6.1 reads of AMD.
cpu_model() {
	local model=max
	[ "$KERNEL" != 6.1 ] || model+=,vendor=GenuineIntel
	[ -z "$EXACT" ] || model+=,-rdrand,-rdseed
	echo "$model"
}

# threading: each virtual CPU is a thread of its own, so that the guest is as parallel
# as the host. But then patching text can go wrong (klog.sh says how). It seldom does,
# except on Debian's 6.12, whose livepatch transitions rewrite thousands of calls of
# cond_resched(). One thread cannot race with itself.
threading() {
	case $KERNEL in
	6.12*) echo single ;;
	*) echo multi ;;
	esac
}

# In exact mode an instruction takes two nanoseconds of the guest's time,
# whatever the host does, and nothing random comes in.
speed_arguments() {
	QEMU_ARGS+=(-cpu "$(cpu_model)")
	if [ -n "$EXACT" ]; then
		QEMU_ARGS+=(-accel 'tcg,thread=single' -icount 'shift=1,sleep=off' -seed 1
			-rtc 'base=2026-01-01T00:00:00,clock=vm')
	else
		QEMU_ARGS+=(-accel "tcg,thread=$(threading)")
	fi
}

kernel_arguments() {
	local more=
	[ -z "$EXACT" ] || more=' nokaslr tsc=reliable'
	# Or KASAN says nothing after its first report.
	[ "$KERNEL" != debug ] || more+=' kasan_multi_shot'
	echo "console=ttyS0 loglevel=7 panic=-1$more$KERNEL_ARGS"
}

# qemu_arguments: sets QEMU_ARGS.
qemu_arguments() {
	QEMU_ARGS=(-L "$TREE/usr/share/qemu" -L "$TREE/usr/share/seabios" -nodefaults -display none
		-no-reboot -kernel "$IMAGE" -initrd "$WORK/initrd"
		-append "$(kernel_arguments)")
	speed_arguments
	cpu_arguments
	port_arguments
}
