#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Runs apply on a tree of files in place of the kernel's, and what contrib has for it; prints
# TAP.
#
# shellcheck disable=SC2119,SC2154 # the arguments of tree may be left out

set -euo pipefail

# shellcheck source=test/unit/utility_configs
. "$(dirname -- "${BASH_SOURCE[0]}")/utility_configs"

pending='lease=pending lease_id=1'
ended='lease_id=1 lease_ended'

# A library that takes all commands, keeps them, and refuses those with $REFUSED.
cat >"$work/refuse.c" <<'EOF'
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

ssize_t write(int fd, const void *data, size_t size)
{
	ssize_t (*next)(int, const void *, size_t) = dlsym(RTLD_NEXT, "write");
	const char *refused = getenv("REFUSED");
	char link[64], path[4096] = "";
	FILE *kept;

	snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
	if (readlink(link, path, sizeof(path) - 1) < 0 ||
	    !strstr(path, "/schedflip/policy"))
		return next(fd, data, size);
	if (refused && *refused && memmem(data, size, refused, strlen(refused))) {
		errno = EINVAL;
		return -1;
	}
	kept = fopen(getenv("KEPT"), "a");
	fwrite(data, 1, size, kept);
	fclose(kept);
	return size;
}
EOF
cc -shared -fPIC -o "$work/refuse.so" "$work/refuse.c"

# refusing WORDS OPTION...: run, with a module that refuses commands with WORDS
refusing() {
	local words=$1
	shift
	rm -f "$work/taken"
	code=0
	LD_PRELOAD=$work/refuse.so KEPT=$work/taken REFUSED=$words SCHEDFLIP_SYSROOT=$root \
		"$work/schedflip" "$@" >"$work/out" 2>"$work/err" || code=$?
	keep_json "$@"
}

# kept LINE...: those, and no others, are the commands that were taken
kept() {
	[ "$(cat "$work/taken")" = "$(printf '%s\n' "$@")" ]
}

stock='newidle=stock start=zero ratio=learned slowpath=stock burst=stock burst_depth=2'
stock+=' burst_factor=3 burst_nohz=off cost=stock sync=off'

test_apply() {
	mixed
	says '' '' "$pending" "$ended=confirmed"
	config 'domain=MC newidle=jitter start=random burst=spread burst_depth=4' \
		'cpu=1 domain=MC ratio=31 window_pos=7'
	sed -i 's/state=off/state=patched/' "$debugfs/hooks"
	refusing '' apply "$conf"
	expect "apply" 0 ''
	prints "apply: says so" '^applied .*/web.conf: 4 domains on 2 CPUs$'
	check "apply: the commands" kept "$stock for_ms=60000" \
		'newidle=jitter start=random burst=spread burst_depth=4 domain=MC' \
		'ratio=31 window_pos=7 cpu=1 domain=MC' 'lease=confirm'
	says '' '' "$pending" "$pending lease_left_ms=600000"
	refusing '' apply --for 10m "$conf"
	expect "apply --for" 0 ''
	prints "apply --for: says when it returns" '; returns in 10 min unless you run: schedflip'
	check "apply --for: the lease" grep -qx 'lease=renew for_ms=600000' "$work/taken"
	says "$pending lease_left_ms=99"
	refusing '' apply "$conf" -j
	json "apply: JSON" 0
	prints "apply: its commands in the JSON" '"ratio=31 window_pos=7 cpu=1 domain=MC"'
	prints "apply: no differences" '"differences": \[\]'
	check "apply: another's lease is left alone" test "$(grep -c lease "$work/taken")" = 0
	refusing '' apply "$conf"
	prints "apply: under a lease says so" '; returns in 99 ms with the lease that is pending'
	run apply "$conf" --lease
	expect "apply --lease: another is pending" 1
	check "apply --lease: says so" said 'a lease is pending already'
}

# General lines are one command with stock, as far as nothing is in front of them.
test_apply_order() {
	local base
	tree dice
	config newidle=jitter,start=half cost=bump 'trip=depth=64' 'cpu=0 newidle=never' \
		'newidle=dice cost=stock'
	says trip_newidle=9 trip_newidle=9 "trip_depth=64 $pending" \
		"trip_depth=64 $ended=confirmed"
	refusing '' apply "$conf"
	expect "apply: later lines" 0 ''
	base=${stock/newidle=stock start=zero/newidle=jitter start=half}
	check "apply: in their order" kept \
		"${base/cost=stock/cost=bump} for_ms=60000 trip_depth=64 trip_newidle=off" \
		'newidle=never start=zero cpu=0' 'newidle=dice start=zero cost=stock' lease=confirm
	prints "apply: tripwires" '^tripwires: depth 64 tasks$'
}

test_apply_undone() {
	mixed
	config 'newidle=jitter' 'domain=MC newidle=dice'
	echo 'no such thing' >"$debugfs/last_error"
	says '' '' "$pending" "$pending" "$ended=returned"
	refusing 'domain=MC' apply "$conf"
	expect "apply: a line is refused" 1 "schedflip: $conf:2: no such thing; nothing of it \
stays: all is put back as it was before"
	check "apply: the lease returns it" test "$(tail -n 1 "$work/taken")" = lease=return
	says ''
	refusing newidle apply "$conf"
	expect "apply: the first is refused" 1 \
		"schedflip: no such thing; nothing was changed"
	says '' '' "$pending" "$pending" "$pending" "$pending" "$ended=returned"
	refusing '' apply "$conf"
	expect "apply: it differs when it is read back" 3
	check "apply: says where" said 'cpu0/domain0 has newidle=stock and not jitter'
	check "apply: and that it is put back" said 'all is put back as it was before'
	says '' '' "$ended=expired"
	refusing 'domain=MC' apply "$conf"
	expect "apply: the lease has returned it already" 1
	check "apply: says so" said 'the lease that would have returned it is gone (expired)'
	says "$pending lease_left_ms=9000"
	refusing 'dice start=zero domain=MC' apply "$conf"
	expect "apply: refused under another's lease" 1 "schedflip: $conf:2: no such thing; \
nothing of it stays: all is put back as it was before"
	check "apply: each domain is put back" grep -q \
		'window_pos=7 .*burst=spread.* cpu=1 domain=1$' "$work/taken"
	check "apply: that lease is left alone" test "$(grep -c lease "$work/taken")" = 0
}

test_apply_refused() {
	tree jitter
	says ''
	config newidle=jitter 'domain=NUMA newidle=dice'
	refusing '' apply "$conf"
	expect "apply: a domain that is not here" 1 \
		"schedflip: $conf:2: no domain \"NUMA\"; known: SMT MC"
	check "apply: nothing was written" test ! -e "$work/taken"
	says '' '' "$pending" "$ended=confirmed"
	refusing '' apply "$conf" --skip-missing
	expect "apply --skip-missing" 0 ''
	prints "apply --skip-missing: says so" 'web.conf:2: passed over, as no domain here is'
	says ''
	config newidle=dice slowpath=random
	run apply "$conf"
	expect "apply: a hook is missing" 1 "schedflip: $conf:2: slowpath=random needs the hook \
select, which is off; run: schedflip unload && schedflip load --hooks all"
	config hooks=all
	run apply "$conf"
	expect "apply: hooks=all" 1 "schedflip: $conf has hooks=all, but the module is loaded \
without the hook select; run: schedflip unload && schedflip load --hooks all"
	config newidle=dice newidle=jiter
	run apply "$conf"
	expect "apply: a wrong line" 2
	check "apply: nothing of it is written" gave ''
	config newidle=dice
	printf 'ratio=1\0\n' >>"$conf"
	run apply "$conf"
	expect "apply: no text" 2 "schedflip: $conf has a byte of 0, so it is no text"
	head -c 300000 /dev/zero | tr '\0' '\n' >"$conf"
	run apply "$conf"
	expect "apply: too much" 2 "schedflip: $conf has 300000 bytes; a configuration has 262144 \
at most"
	run apply "$conf" --for 1
	expect "apply: not a time" 2
}

test_check_only() {
	tree jitter
	says ''
	config newidle=dice 'domain=MC cost=bump'
	run apply --check "$conf"
	expect "apply --check" 0 ''
	prints "apply --check: says so" 'web.conf is right: 2 lines$'
	check "apply --check: nothing is written" gave ''
	config newidle=dice 'domain=LLC cost=bump'
	run apply -n "$conf"
	expect "apply -n: a domain that is not here" 1
	rm -r "$root/sys/module/schedflip"
	run apply -n "$conf"
	expect "apply -n: not loaded" 0 ''
	prints "apply -n: what was not checked" '; its domains could not be looked for'
	config newidle=dicy
	run apply -n "$conf" -j
	json "apply -n: JSON of a wrong line" 2
}

# What the JSON has is for schemas; each is a case of its own.
test_json() {
	mixed
	sed -i 's/state=off/state=patched/' "$debugfs/hooks"
	config 'domain=MC newidle=jitter start=random burst=spread burst_depth=4' \
		'cpu=1 domain=MC ratio=31 window_pos=7' 'domain=NUMA newidle=dice'
	says '' '' "$pending" "$ended=confirmed"
	refusing '' apply -j --skip-missing "$conf"
	json "apply --skip-missing: JSON" 0
	prints "apply --skip-missing: the line in the JSON" '^ *3$'
	says ''
	refusing '' apply -j "$conf"
	json "apply: JSON of a domain that is not here" 1
	run apply -nj --skip-missing "$conf"
	json "apply --check: JSON" 0
	config 'newidle=jitter' 'domain=MC newidle=dice'
	says '' '' "$pending" "$pending" "$ended=returned"
	refusing 'domain=MC' apply -j "$conf"
	json "apply: JSON of a line that is refused" 1
	says '' '' "$pending" "$pending" "$pending" "$pending" "$ended=returned"
	refusing '' apply -j "$conf"
	json "apply: JSON of what differs" 3
	prints "apply: differences in the JSON" '"wanted": "dice"'
	run apply -j "$work/none"
	json "apply: JSON of no file" 1
	run apply -j --for 1 "$conf"
	json "apply: JSON of wrong usage" 2
}

# modprobe makes the module appear; OPTION... as of apply
loading() {
	rm -rf -- "$root/sys/module/schedflip"
	mkdir -p "$work/bin" "$root/dev" "$root/run"
	: >"$root/dev/kmsg"
	cat >"$work/bin/modprobe" <<-EOF
	#!/bin/sh
	echo "\$@" >"$work/arguments"
	mkdir -p "$root/sys/module/schedflip" "$livepatch"
	echo 1 >"$livepatch/enabled"
	echo 0 >"$livepatch/transition"
	EOF
	chmod 755 "$work/bin/modprobe"
	PATH=$work/bin:$PATH refusing '' apply "$@"
}

test_apply_load() {
	tree jitter
	says '' '' "$pending" "$ended=confirmed"
	config newidle=jitter
	rm -f "$work/arguments"
	loading "$conf"
	expect "apply: not loaded" 1 \
		'schedflip: the module is not loaded; run: schedflip load, or add --load'
	check "apply: does not load by itself" test ! -e "$work/arguments"
	config hooks=all newidle=jitter
	loading "$conf"
	expect "apply: not loaded, with hooks=all" 1 "schedflip: the module is not loaded; run: \
schedflip load --hooks all, or add --load"
	sed -i 's/state=off/state=patched/' "$debugfs/hooks"
	loading "$conf" --load
	expect "apply --load" 0 ''
	check "apply --load: with the hooks" grep -q 'hooks=all' "$work/arguments"
	says '' '' "$pending" "$ended=confirmed"
	loading "$conf" --load -j
	json "apply --load: JSON" 0
	loading "$conf" -j
	json "apply: not loaded, JSON" 1
}

# The programs that the unit names are not installed here.
test_contrib() {
	local unit=$top/contrib/systemd/schedflip.service
	tree
	rm -r "$root/sys/module/schedflip"
	run apply --check "$top/contrib/systemd/schedflip.conf"
	expect "contrib: the example is right" 0 ''
	check "contrib: the unit gives apply's options" grep -Eqx \
		'ExecStart=/usr/local/sbin/schedflip apply --load --for 10m' "$unit"
	if ! command -v systemd-analyze >"$work/null"; then
		result 0 "contrib: the unit # SKIP needs systemd-analyze"
		return
	fi
	sed 's,/usr/local/sbin/schedflip,/bin/true,' "$unit" >"$work/schedflip.service"
	code=0
	systemd-analyze verify "$work/schedflip.service" >"$work/out" 2>"$work/err" || code=$?
	expect "contrib: systemd takes the unit" 0 ''
}

test_apply
test_apply_order
test_apply_undone
test_apply_refused
test_check_only
test_json
test_apply_load
test_contrib
still
schemas
echo "1..$number"
