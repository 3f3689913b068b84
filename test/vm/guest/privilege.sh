# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=sh disable=SC2086,SC2016 # no path has a blank; a shell of its own expands it
#
# Only root can set anything, and nobody learns an address of the kernel.

by_nobody() {
	su nobody -s /bin/sh -c "$1"
}

# nobody_opens: prints those of the files on stdin that nobody can open to be written
nobody_opens() {
	by_nobody 'while read -r file; do
		if true >>"$file"; then
			echo "$file"
		fi
	done 2>/dev/null'
}

# denied COMMAND...: the utility says that it takes root, and ends so
denied() {
	output=$(by_nobody "schedflip $*" 2>&1)
	is "nobody: schedflip $* ends with 5" $? 5
	contains "and says so" "$output" 'takes root|Permission denied'
}

# The kernel lets only root into debugfs; the files are also closed by themselves.
test_files_closed() {
	: >/tmp/open
	chmod 622 /tmp/open
	is "a file that is open is seen" "$(echo /tmp/open | nobody_opens)" /tmp/open
	is "also by its mode" "$(find /tmp/open -type f -perm /0133)" /tmp/open
	is "nobody can see no file" "$(by_nobody "ls $SF" 2>/dev/null)" ""
	mount -o remount,mode=755 /sys/kernel/debug
	fails "the files are there" test -z "$(by_nobody "ls $SF")"
	is "nobody can open a file in debugfs to write it" "$(find $SF -type f | nobody_opens)" ""
	mount -o remount,mode=700 /sys/kernel/debug
	is "nor a parameter" "$(find $PARAMETERS -type f | nobody_opens)" ""
	is "all belong to root" "$(find $SF $PARAMETERS ! -user root -o ! -group root)" ""
	is "nobody else may write" "$(find $SF $PARAMETERS -type f -perm /0133)" ""
}

test_no_address() {
	find $SF $PARAMETERS -type f ! -name off -exec cat {} + >/tmp/all 2>/dev/null
	succeeds "the files were read" test "$(wc -l </tmp/all)" -gt 100
	is "no file prints an address" "$(grep -E 'ffff[0-9a-f]{12}' /tmp/all)" ""
	is "nor does the module" \
		"$(dmesg | grep schedflip | grep -E 'ffff[0-9a-f]{12}')" ""
}

test_privilege() {
	before=$(cat $SF/policy $SF/features)
	denied set newidle=dice
	denied reset
	denied load
	denied unload
	denied show
	denied save
	denied metrics
	denied "ab -p stock -p newidle=dice --blocks 1 -- true"
	denied "record -o /tmp/x.sfr --for 0.1"
	if schedflip --help | grep -q '^  off '; then
		denied off
		denied on
		denied confirm
		denied return
	fi
	test_files_closed
	test_no_address
	is "nothing has changed" "$(cat $SF/policy $SF/features)" "$before"
}
