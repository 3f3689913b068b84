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
# objtool of 7.3 reads /proc; mounted in a namespace of the command's own, it
# leaves nothing to unmount, whatever happens.
in_tree() {
	# shellcheck disable=SC2016 # expanded by the inner shell
	as_root unshare --mount sh -c 'mount -t proc proc "$0/proc" && exec chroot "$@"' "$TREE" \
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

kernel_names() {
	cut -d' ' -f1 -- "$TREE/kernels" | paste -sd' '
}

# kernel_release NAME: the full release that a short name stands for.
kernel_release() {
	local name release rest
	# shellcheck disable=SC2034 # rest takes what is left of the line
	while read -r name release rest; do
		if [ "$name" = "$1" ]; then
			printf '%s\n' "$release"
			return
		fi
	done <"$TREE/kernels"
	usage_error "no kernel '$1'; there are: $(kernel_names)"
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
