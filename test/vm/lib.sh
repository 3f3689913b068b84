# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# What the scripts of the test VM share. To be sourced after `set -euo pipefail`.

ME=${0##*/}
VM_DIR=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")" && pwd)
# shellcheck disable=SC2034 # used by the scripts that source this file
SRC_DIR=${SCHEDFLIP_SRC:-$(cd -- "$VM_DIR/../.." && pwd)}
CACHE=${XDG_CACHE_HOME:-${HOME-}/.cache}/schedflip
CACHE=${SCHEDFLIP_CACHE:-$CACHE}

# The statuses that run gives besides the script's own; see its header.
# shellcheck disable=SC2034 # used by the scripts that source this file
readonly ST_USAGE=2 ST_EMULATOR=96 ST_SETUP=97 ST_DIED=98 ST_REPORT=99 ST_TIMEOUT=124

say() {
	printf '%s: %s\n' "$ME" "$*" >&2
}

# die STATUS WORD...
die() {
	local status=$1
	shift
	say "$@"
	exit "$status"
}

usage_error() {
	say "$@"
	die "$ST_USAGE" "'$ME -h' tells how it is used"
}

as_root() {
	if [ "$(id -u)" = 0 ]; then
		"$@"
	elif command -v sudo >/dev/null; then
		sudo "$@"
	else
		die 1 "'$1' needs root, and there is no sudo"
	fi
}

# A tree is replaced by a symbolic link's rename, so a script that works for a
# while has to hold on to the tree it began with: the lock keeps setup from
# removing it, the resolved path keeps the script from changing trees midway.
use_tree() {
	exec {USE_LOCK}>>"$CACHE/use.lock"
	flock -s -w 60 "$USE_LOCK" || die "$ST_SETUP" "cannot lock $CACHE/use.lock within 60 s"
	TREE=$(readlink -e -- "$CACHE/tree") ||
		die "$ST_SETUP" "there is no tree in $CACHE; run $VM_DIR/setup"
}

# Runs a command inside the tree, as the user who calls, with a clean environment.
# objtool of 7.3 reads /proc, and kernels that are built here are outside of the tree;
# mounted in a namespace of the command's own, they leave nothing to unmount, whatever
# happens.
in_tree() {
	mkdir -p -- "$CACHE/kernels-built"
	# shellcheck disable=SC2016 # expanded by the inner shell
	as_root unshare --mount sh -c 'mount -t proc proc "$0/proc" &&
		mkdir -p "$0/kernels-built" && mount --bind "$1" "$0/kernels-built" &&
		shift && exec chroot "$@"' "$TREE" "$CACHE/kernels-built" \
		--userspec="$(id -u):$(id -g)" "$TREE" \
		/usr/bin/env -i PATH=/usr/sbin:/usr/bin HOME=/ LC_ALL=C.UTF-8 "$@"
}

# Runs a program of the tree on the host's files, without chroot and so without
# root: its own dynamic linker finds its own libraries.
tree_exec() {
	local program=$1
	shift
	"$TREE/lib64/ld-linux-x86-64.so.2" --inhibit-cache --library-path "$(tree_libs)" \
		"$TREE/usr/$program" "$@"
}

tree_libs() {
	printf '%s' "$TREE/usr/lib/x86_64-linux-gnu"
}

# lines_of FILE: without comments and empty lines.
lines_of() {
	grep -Ev '^[[:space:]]*(#|$)' -- "$1"
}

# The kernels that debug-setup builds, beside those of test/vm/kernels.
BUILT_KERNELS='debug kcsan'

kernel_names() {
	echo "$(lines_of "$VM_DIR/kernels" | cut -d' ' -f1 | paste -sd' ') $BUILT_KERNELS"
}

# is_kernel NAME
is_kernel() {
	[[ " $(kernel_names) " == *" $1 "* ]]
}

# is_built_here NAME
is_built_here() {
	[[ " $BUILT_KERNELS " == *" $1 "* ]]
}

# debian_kernel NAME FIELD: of the tree's list; 2 is the release, 3 the package's version
debian_kernel() {
	awk -v name="$1" -v field="$2" '$1 == name { print $field }' "$TREE/kernels"
}

# built_kernel NAME: the directory of a kernel that debug-setup builds, named by all that
# it is made of
built_kernel() {
	local key
	key=$({
		debian_kernel 6.12 3
		cat -- "$VM_DIR/checked.config" "$VM_DIR/$1.config"
	} | sha256sum | cut -c1-12)
	echo "$CACHE/kernels-built/$1-$key"
}

# find_kernel NAME: sets RELEASE, the full release; IMAGE, what boots; MODULES, where the
# lists of its modules are; HEADERS, what modules are built against, and HEADERS_IN_TREE,
# where the tree has that.
# shellcheck disable=SC2034 # used by the scripts that source this file
find_kernel() {
	local file
	if is_built_here "$1"; then
		HEADERS=$(built_kernel "$1")
		RELEASE=$(cat -- "$HEADERS/release") ||
			die "$ST_SETUP" "there is no kernel $1 yet; run $VM_DIR/debug-setup $1"
		HEADERS_IN_TREE=/kernels-built/${HEADERS##*/}
		MODULES=$HEADERS
		IMAGE=$HEADERS/bzImage
		return
	fi
	RELEASE=$(debian_kernel "$1" 2)
	[ -n "$RELEASE" ] || usage_error "no kernel '$1'; there are: $(kernel_names)"
	HEADERS_IN_TREE=/usr/src/linux-headers-$RELEASE
	HEADERS=$TREE$HEADERS_IN_TREE
	MODULES=$TREE/usr/lib/modules/$RELEASE
	IMAGE=$(kernel_image "$RELEASE")
}

# Debian moved the image from /boot to the modules' directory with 7.3.
kernel_image() {
	local file
	for file in "$TREE/boot/vmlinuz-$1" "$TREE/usr/lib/modules/$1/vmlinuz"; do
		if [ -f "$file" ]; then
			printf '%s\n' "$file"
			return
		fi
	done
	die "$ST_SETUP" "no kernel image of $1 in $TREE"
}
