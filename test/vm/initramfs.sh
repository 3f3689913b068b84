# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# Makes the guest's file system of several archives, which the kernel unpacks one
# after the other: a base that is the same for all runs, and the large programs,
# kept in the cache, and what belongs to one run. None is compressed: unpacking
# takes the emulated CPU longer than reading.
#
# The sourcing script sets WORK, a directory for temporary files, and FILES, the
# host's files that go into the guest.
#
# Two runs of the same must get the same bytes, or exact mode is not exact.

# What the guest has besides busybox.
BASE_PROGRAMS=(bin/hackbench)
# These bring 80 MB along, which cost a second or more to unpack, so only those
# runs get them whose script, or a file that it brings, has their name in it.
EXTRA_PROGRAMS=(bin/bpftrace bin/chrt bin/cyclictest bin/perf bin/stress-ng bin/trace-cmd)
# Opened at run time by glibc (when a thread ends), so no program names it.
EXTRA_LIBS=(libgcc_s.so.1)

: "${WORK:?}"

LD_SO=ld-linux-x86-64.so.2

# make_cpio DIR: writes an archive of what is in DIR to stdout.
make_cpio() {
	local dir=$1
	(
		cd -- "$dir" || exit
		find . -exec touch -h -d @0 -- {} +
		find . -mindepth 1 | LC_ALL=C sort |
			tree_exec bin/cpio --quiet --reproducible -o -H newc -R 0:0
	)
}

# libs_of LD_SO_AND_OPTIONS... PROGRAM: the libraries that the linker would load.
libs_of() {
	"$@" | awk '$2 == "=>" && $3 ~ /^\// { print $3 }'
}

tree_program_libs() {
	libs_of "$TREE/lib64/$LD_SO" --inhibit-cache --library-path "$(tree_libs)" --list "$1"
}

# add_tree_libs ROOT PROGRAM: puts the libraries where PROGRAM finds them.
add_tree_libs() {
	local libs lib
	libs=$(tree_program_libs "$2") || die "$ST_SETUP" "cannot list the libraries of $2"
	for lib in $libs; do
		if [ -n "${BASE_LIST:-}" ] && grep -Fqx -- "${lib##*/}" "$BASE_LIST"; then
			continue
		fi
		cp -Ln -t "$1/usr/lib/x86_64-linux-gnu" -- "$lib"
	done
}

add_busybox() {
	local applet
	cp -t "$1/usr/bin" -- "$TREE/usr/bin/busybox"
	"$TREE/usr/bin/busybox" --list | while read -r applet; do
		[ -e "$1/usr/bin/$applet" ] || ln -s busybox "$1/usr/bin/$applet"
	done
}

add_etc() {
	echo 'root:x:0:0:root:/root:/bin/sh' >"$1/etc/passwd"
	echo 'nobody:x:65534:65534:nobody:/:/bin/false' >>"$1/etc/passwd"
	printf 'root:x:0:\nnogroup:x:65534:\n' >"$1/etc/group"
	echo '127.0.0.1 localhost schedflip' >"$1/etc/hosts"
}

fill_base() {
	local root=$1 name
	mkdir -p -- "$root"/{dev,etc,proc,root,run,sys,tmp} \
		"$root"/usr/{bin,lib/x86_64-linux-gnu,lib64,local/bin,local/lib,local/sbin}
	ln -s usr/bin "$root/bin"
	ln -s usr/bin "$root/sbin"
	ln -s bin "$root/usr/sbin"
	ln -s usr/lib "$root/lib"
	ln -s usr/lib64 "$root/lib64"
	cp -L -t "$root/usr/lib64" -- "$TREE/lib64/$LD_SO"
	for name in "${BASE_PROGRAMS[@]}"; do
		cp -L -t "$root/usr/bin" -- "$TREE/usr/$name"
		add_tree_libs "$root" "$TREE/usr/$name"
	done
	for name in "${EXTRA_LIBS[@]}"; do
		cp -Ln -t "$root/usr/lib/x86_64-linux-gnu" -- "$TREE/usr/lib/x86_64-linux-gnu/$name"
	done
	add_busybox "$root"
	add_etc "$root"
	cp -- "$VM_DIR/init" "$root/init"
	chmod 755 "$root/init"
}

fill_extra() {
	mkdir -p -- "$1"/usr/{bin,lib/x86_64-linux-gnu}
	cp -L -t "$1/usr/bin" -- "$TREE/usr/$2"
	add_tree_libs "$1" "$TREE/usr/$2"
}

# cached_archive NAME FILL [ARG...]: prints the path of an archive in the cache;
# if it is not there, `FILL DIR ARG...` makes what shall be in it. A list of its
# libraries lies beside it.
cached_archive() {
	local name=$1 fill=$2 archive=$CACHE/initramfs/$1-$ARCHIVE_KEY.cpio work=$WORK/$1
	shift 2
	if [ ! -f "$archive" ]; then
		say "making the guest's $name"
		mkdir -p -- "$work" "$CACHE/initramfs"
		"$fill" "$work" "$@"
		ls -- "$work/usr/lib/x86_64-linux-gnu" >"$WORK/$name.list"
		make_cpio "$work" >"$WORK/$name.cpio"
		rm -rf -- "$work"
		publish "$WORK/$name.list" "$archive.list"
		# Last: who sees the archive sees the list as well.
		publish "$WORK/$name.cpio" "$archive"
		# Those of former trees. Of what a running VM uses, it has a copy.
		find "$CACHE/initramfs" -name "$name-*" ! -name "*-$ARCHIVE_KEY.*" -mmin +60 -delete
	fi
	printf '%s\n' "$archive"
}

# publish FILE TARGET: the cache may be on another file system, where mv copies.
publish() {
	cp -- "$1" "$2.$$"
	mv -- "$2.$$" "$2"
	rm -f -- "$1"
}

# mentioned WORD FILE...: programs count as well, they may start others.
mentioned() {
	local word=$1
	shift
	grep -Fqw -e "$word" -- "$@"
}

# choose_archives SCRIPT: sets ARCHIVES, and BASE_LIST, the libraries in the base.
choose_archives() {
	local program base
	ARCHIVE_KEY=$({
		echo "$TREE"
		cat -- "$VM_DIR/init" "$VM_DIR/initramfs.sh"
	} | sha256sum | cut -c1-16)
	base=$(cached_archive base fill_base)
	ARCHIVES=("$base")
	BASE_LIST=$base.list
	for program in "${EXTRA_PROGRAMS[@]}"; do
		if mentioned "${program##*/}" "$1" "${FILES[@]}"; then
			ARCHIVES+=("$(cached_archive "${program##*/}" fill_extra "$program")")
		fi
	done
}

# quoted WORD...: each as one word of a shell's input.
quoted() {
	local word
	for word in "$@"; do
		printf " '%s'" "${word//\'/\'\\\'\'}"
	done
}

# A program from the host comes with the host's libraries and dynamic linker, in
# a directory of its own, for the guest's may be older or newer. The linker gets
# the program's name, so that ps, perf and the kernel show it.
add_host_elf() {
	local root=$1 file=$2 linker=$3 dir name=${2##*/} lib
	dir=$root/usr/local/lib/$name
	mkdir -p -- "$dir/lib" "$dir/linker"
	cp -L -- "$file" "$dir/program"
	cp -L -- "$linker" "$dir/linker/$name"
	libs_of "$linker" --list "$file" | while read -r lib; do
		cp -Ln -t "$dir/lib" -- "$lib"
	done
	lib=$(ldconfig -p 2>/dev/null | awk '$1 == "libgcc_s.so.1" && !n++ { print $NF }')
	[ -z "$lib" ] || cp -Ln -t "$dir/lib" -- "$lib"
	dir=/usr/local/lib/$name
	cat >"$root/usr/local/bin/$name" <<-EOF
	#!/bin/sh
	exec '$dir/linker/$name' --library-path '$dir/lib' --argv0 "\$0" '$dir/program' "\$@"
	EOF
}

# interpreter FILE: its dynamic linker; nothing if it is static or no program.
interpreter() {
	{ tree_exec bin/readelf -lW "$1" 2>/dev/null || true; } |
		sed -n 's/.*\[Requesting program interpreter: \(.*\)\]/\1/p'
}

# add_file ROOT FILE: puts a file of the host into the guest's PATH.
add_file() {
	local root=$1 file=$2 linker
	linker=$(interpreter "$file")
	if [ -n "$linker" ]; then
		add_host_elf "$root" "$file" "$linker"
	else
		cp -L -t "$root/usr/local/bin" -- "$file"
	fi
	chmod 755 "$root/usr/local/bin/${file##*/}"
}

# run_initramfs OUTPUT BUILT KERNEL_NAME SCRIPT [ARG...]: with the files in FILES.
run_initramfs() {
	local output=$1 built=$2 name=$3 script=$4 root=$WORK/guest file
	shift 4
	choose_archives "$script"
	mkdir -p -- "$root/schedflip" "$root"/usr/{lib/x86_64-linux-gnu,local/bin}
	cp -r -- "$built/guest/." "$root"
	for file in "$root/usr/local/sbin"/*; do
		[ ! -f "$file" ] || add_tree_libs "$root" "$file"
	done
	for file in "${FILES[@]}"; do
		add_file "$root" "$file"
	done
	cp -L -- "$script" "$root/schedflip/script"
	chmod 755 "$root/schedflip/script"
	{
		echo "export SCHEDFLIP_KERNEL=$name"
		echo "set --$(quoted "$@")"
	} >"$root/schedflip/parameters"
	make_cpio "$root" | cat -- "${ARCHIVES[@]}" - >"$output"
}
