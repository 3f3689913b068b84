#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Runs save, verify and metrics on a tree of files in place of the kernel's;
# prints TAP.
#
# shellcheck disable=SC2119,SC2154 # the arguments of tree may be left out

set -euo pipefail

# shellcheck source=test/unit/utility_configs
. "$(dirname -- "${BASH_SOURCE[0]}")/utility_configs"

pending='lease=pending lease_id=1'

test_save() {
	tree
	says ''
	run save
	expect "save: all at stock" 0 ''
	check "save: nothing but a comment" test "$(grep -c '^#' "$work/out")" = \
		"$(wc -l <"$work/out")"
	mixed
	sed -i 's/state=off/state=patched/' "$debugfs/hooks"
	says 'trip_depth=64 trip_newidle=125 trip_delay_us=1500'
	run save
	expect "save" 0 ''
	check "save: in few lines" test "$(grep -v '^#' "$work/out")" = "hooks=all
trip=depth=64,newidle_share=12.5%,run_delay=1500us
domain=MC newidle=jitter start=random burst=spread burst_depth=4
cpu=1 domain=MC ratio=31 window_pos=7"
	cp "$work/out" "$conf"
	run verify "$conf"
	expect "save, verify: the same" 0 ''
	prints "verify: says so" '^as .*/web.conf says: 4 domains on 2 CPUs$'
	run save -j
	json "save: JSON" 0
	prints "save: lines in the JSON" '"domain=MC newidle=jitter start=random burst=spread'
	prints "save: how it differs from stock" '"found": "31 pinned"'
	says "$pending lease_left_ms=900"
	run save
	expect "save: under a lease" 0 "schedflip: a lease is pending, so what was saved will not \
stay in force"
}

test_save_file() {
	mixed
	says ''
	rm -f "$conf"
	umask 077
	run save "$conf"
	umask 022
	expect "save FILE" 0 ''
	run save "$conf" -j
	json "save FILE: JSON" 0
	check "save FILE: of mode 0644" test "$(stat -c %a "$conf")" = 644
	check "save FILE: has it" grep -q '^domain=MC newidle=jitter' "$conf"
	check "save FILE: nothing else is left" test "$(find "$work" -name '*.part')" = ''
	ln -s "$work/elsewhere" "$work/link.conf"
	run save "$work/link.conf"
	expect "save FILE: a link" 1 "schedflip: cannot write $work/link.conf: it is a symbolic \
link; name the file that it leads to"
	check "save FILE: was not followed" test ! -e "$work/elsewhere"
	run save "$work/none/x.conf"
	expect "save FILE: no directory" 1 \
		"schedflip: cannot write $work/none/x.conf: No such file or directory"
	rm -rf "$root/sys/module/schedflip"
	run save "$conf"
	expect "save: not loaded" 1 'schedflip: the module is not loaded; load it: schedflip load'
	run save "$conf" -j
	json "save: not loaded, JSON" 1
	check "save: the file stays" grep -q '^domain=MC newidle=jitter' "$conf"
}

# As root: a directory of somebody else's may be a link to anywhere.
test_save_root() {
	if [ "$(id -u)" != 0 ]; then
		result 0 "save: as root # SKIP needs root"
		return
	fi
	mixed
	says ''
	mkdir "$work/real"
	ln -s "$work/real" "$work/way"
	run save "$work/way/x.conf"
	expect "save: root follows no link to a directory" 1 "schedflip: cannot write \
$work/way/x.conf: a directory of it is a symbolic link, which root does not follow; name the \
directory that it leads to"
	check "save: nothing is there" test ! -e "$work/real/x.conf"
	chmod 755 "$work/real"
	SUDO_UID=65534 SUDO_GID=65534 run save "$work/real/x.conf"
	expect "save: by sudo, into a directory that is root's alone" 0 ''
	check "save: is root's" test "$(stat -c %u "$work/real/x.conf")" = 0
	chmod 757 "$work/real"
	SUDO_UID=65534 SUDO_GID=65534 run save "$work/real/y.conf"
	expect "save: by sudo, where the user may write" 0 ''
	check "save: is the user's" test "$(stat -c %u "$work/real/y.conf")" = 65534
	chmod 750 "$work/real"
	chown 65533 "$work/real"
	SUDO_UID=65534 SUDO_GID=65534 run save "$work/real/z.conf"
	expect "save: by sudo, into another's directory" 1
	check "save: as the user" said 'who called sudo: Permission denied'
}

test_verify() {
	tree jitter
	says ''
	config '# all' 'newidle=jitter'
	run verify "$conf"
	expect "verify: the same" 0 ''
	config 'newidle=jitter start=half' 'cpu=1 domain=SMT newidle=jitter cost=bump'
	run verify "$conf"
	expect "verify: differs" 3 "schedflip: 4 differences from $conf; to set what it says, run: \
schedflip apply $conf"
	prints "verify: the place and both values" \
		'^cpu0/domain1 (MC): start: wanted half, found zero$'
	prints "verify: a later line" '^cpu1/domain0 (SMT): cost: wanted bump, found stock$'
	cp "$work/out" "$work/plain"
	run verify "$conf" --color always
	prints "verify: the place has a colour" $'^\033\\[33mcpu1/domain0\033\\[0m (SMT): cost: '
	sed -i $'s/\033\\[[0-9;]*m//g' "$work/out"
	check "verify: and the same text" cmp "$work/out" "$work/plain"
	run verify "$conf" -j
	json "verify: JSON" 3
	prints "verify: differences in the JSON" '"setting": "cost"'
	says 'hooks=off off_reason=sysrq trip_depth=9'
	config hooks=all newidle=jitter trip=run_delay=20ms
	run verify "$conf"
	prints "verify: the hooks" '^machine: hooks: wanted all, found newidle$'
	run verify "$conf" -j
	json "verify: JSON of the machine" 3
	run verify "$conf"
	prints "verify: hooks do not decide" '^machine: state of the hooks: wanted live, .* off$'
	prints "verify: a tripwire" '^machine: trip: wanted run_delay=20ms, found run_delay=off$'
	prints "verify: another" '^machine: trip: wanted depth=off, found depth=9$'
	says "$pending lease_left_ms=5"
	config newidle=jitter
	run verify "$conf"
	prints "verify: under a lease" '^but a lease is pending, and returns it$'
	run verify "$conf" -j
	json "verify: JSON of no difference" 0
}

test_verify_refused() {
	tree jitter
	says ''
	config newidle=jitter 'domain=NUMA newidle=dice'
	run verify "$conf"
	expect "verify: a domain that is not here" 1 \
		"schedflip: $conf:2: no domain \"NUMA\"; known: SMT MC"
	run verify --skip-missing "$conf"
	expect "verify --skip-missing" 0 ''
	config 'domain=smt newidle=dice'
	run verify "$conf"
	expect "verify: a domain that is nearly here" 1 \
		"schedflip: $conf:1: no domain \"smt\"; known: SMT MC; did you mean \"SMT\"?"
	config newidle=jitter 'cpu=0-8 newidle=dice'
	run verify "$conf"
	expect "verify: CPUs that are not here" 2 "schedflip: $conf:2: there are only CPUs 0-3"
	run verify "$work/none"
	expect "verify: no file" 1 "schedflip: there is no $work/none; write one, or make it of \
what is in force: schedflip save $work/none"
	run verify
	expect "verify: by default" 1 "schedflip: there is no /etc/schedflip.conf; write one, or \
make it of what is in force: schedflip save /etc/schedflip.conf"
	mkdir "$root/etc"
	echo newidle=jitter >"$root/etc/schedflip.conf"
	run verify
	expect "verify: that of /etc" 0 ''
	run verify - <"$root/etc/schedflip.conf"
	expect "verify: the standard input" 0 ''
	prints "verify: called so" '^as stdin says'
	config newidle=jiter
	run verify "$conf" -j
	json "verify: a wrong line, JSON" 2
	prints "verify: the wrong lines" '"line": 1'
	config newidle=jitter
	rm -r "$root/sys/module/schedflip"
	run verify "$conf"
	expect "verify: not loaded" 1 'schedflip: the module is not loaded; load it: schedflip load'
	run verify "$conf" -j
	json "verify: not loaded, JSON" 1
}

test_metrics() {
	tree jitter
	says "$pending lease_left_ms=1500"
	run metrics
	expect "metrics" 0 ''
	prints "metrics: a policy" \
		'^schedflip_domain_policy_info{cpu="0",domain="0",name="SMT",.*newidle="jitter"'
	prints "metrics: a counter" \
		'^schedflip_domain_attempts_total{cpu="1",domain="1",name="MC"} 1000$'
	prints "metrics: seconds" \
		'^schedflip_domain_newidle_seconds_total{.*} 0.002500000$'
	prints "metrics: the lease" '^schedflip_lease_left_seconds 1.500$'
	cp "$work/out" "$work/printed"
	run metrics --output "$work/x.prom"
	expect "metrics --output" 0 ''
	check "metrics --output: the same" cmp "$work/x.prom" "$work/printed"
	check "metrics --output: of mode 0644" test "$(stat -c %a "$work/x.prom")" = 644
	run metrics -j
	json "metrics: JSON" 0
	prints "metrics: a sample in the JSON" '"name": "schedflip_loaded"'
	echo 9 >"$debugfs/abi"
	run metrics --output "$work/x.prom"
	expect "metrics: another ABI" 1
	run metrics -j
	json "metrics: another ABI, JSON" 1
	check "metrics: the file stays" cmp "$work/x.prom" "$work/printed"
	rm -r "$root/sys/module/schedflip"
	run metrics
	expect "metrics: not loaded" 0 ''
	prints "metrics: says so" '^schedflip_loaded 0$'
	run metrics -j --output "$work/x.prom"
	json "metrics: not loaded, JSON" 0
}

test_save
test_save_file
test_save_root
test_verify
test_verify_refused
test_metrics
still
schemas
echo "1..$number"
