#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Runs `schedflip set --lease` on a tree of files in place of the kernel's: how it keeps
# the lease, and how it ends; prints TAP.
#
# shellcheck disable=SC2086,SC2119,SC2154 # words; the arguments of tree may be left out

set -euo pipefail

# shellcheck source=test/unit/utility_leases
. "$(dirname -- "${BASH_SOURCE[0]}")/utility_leases"

pending='lease=pending lease_id=1 lease_left_ms=200'

# What the status is by the command that was given last. @1: after a renewal.
answer() {
	case $(cat "$debugfs/policy") in
	'') status ;;
	lease=return) status lease_id=1 lease_ended=returned ;;
	lease=renew*) status $1 ;;
	*) status $pending ;;
	esac
}

# Each pipe is read once: before its reader gets the text, the next has its name.
answer_all() {
	while :; do
		exec 3>"$debugfs/status"
		mkfifo "$work/next"
		mv -f "$work/next" "$debugfs/status"
		answer "$1" >&3
		exec 3>&-
	done
}

# kernel WORDS: a module that knows leases; WORDS are its status after a renewal.
kernel() {
	still
	tree jitter
	mkfifo "$debugfs/status"
	answer_all "$1" &
	feeder=$!
}

# keep [OPTION...]: in the background; its process is $keeper.
keep() {
	SCHEDFLIP_SYSROOT=$root "$work/schedflip" set newidle=jitter --lease "$@" \
		>"$work/out" 2>"$work/err" &
	keeper=$!
}

# await COMMAND...: until it succeeds, for 20 s.
await() {
	local tries=200
	until "$@"; do
		tries=$((tries - 1))
		[ "$tries" -gt 0 ] || return 0
		sleep 0.1
	done
}

begun() {
	grep -q . "$work/out"
}

# ended: its exit status goes to $code.
ended() {
	code=0
	wait "$keeper" || code=$?
}

test_signals() {
	local signal
	for signal in INT TERM HUP QUIT; do
		kernel "$pending"
		keep --for 1h
		await begun
		prints "$signal: says what it does" "^newidle=jitter start=zero: 4 domains on 2 \
CPUs; returns as this ends, at most 60 min after$"
		kill -s "$signal" "$keeper"
		ended
		expect "$signal: ends it in order" 0 ''
		prints "$signal: says so" "^SIG$signal: returned to what was before, after 0 \
renewals; in force: newidle=jitter$"
		check "$signal: and returned" gave lease=return
	done
}

test_renews() {
	kernel "$pending"
	keep --for 300ms -j
	await gave 'lease=renew for_ms=300'
	check "it renews" gave 'lease=renew for_ms=300'
	kill "$keeper"
	ended
	json "JSON" 0
	keep_json set --lease -j
	prints "JSON: says how it ended" '"ended": "returned"'
	kernel "$pending"
	keep
	await begun
	check "the default" grep -q 'at most 5 s after$' "$work/out"
	kill "$keeper"
	ended
	expect "the default ends" 0 ''
}

# ends WORDS CODE MESSAGE: the module says WORDS after a renewal.
ends() {
	kernel "$1"
	keep --for 300ms
	ended
	expect "after $1" "$2" "$3"
}

test_ends() {
	ends 'lease_id=1 lease_ended=confirmed' 0 ''
	prints "confirmed: says so" '^confirmed: stays$'
	ends 'lease_id=1 lease_ended=tripped trips=1 trip_reason=depth' 1 \
		'schedflip: tripped: all domains are back at stock: depth'
	ends 'lease_id=1 lease_ended=off hooks=off off_reason=sysrq' 1 "schedflip: off: schedflip \
was switched off (sysrq), and all domains are at stock; run: schedflip on"
	ends 'lease_id=1 lease_ended=expired' 1 "schedflip: expired: this did not run for the \
length of the lease, and all is back as it was before; give a longer one by --for"
	ends 'lease_id=1 lease_ended=returned' 1 \
		'schedflip: returned: somebody else ended the lease'
	ends 'lease=pending lease_id=2' 1 "schedflip: the lease is gone, and another was begun \
since; see \`schedflip show\`"
	ends 'lease=pending lease_id=1 lease_left_ms=3600000' 1 "schedflip: moved: somebody else \
lets the lease return only in 60 min, so this no longer renews it"
	check "which is not returned either" gave 'lease=renew for_ms=300'
	ends 'lease_id=1 lease_ended=dead hooks=dead' 1 "schedflip: dead: nothing of schedflip \
decides any more, and all domains are at stock; see \`schedflip show\`"
	check "another's lease is left alone" gave 'lease=renew for_ms=300'
}

# ends_json WORDS ENDED: the same, in JSON.
ends_json() {
	kernel "$1"
	keep --for 300ms -j
	ended
	keep_json set --lease -j
	prints "JSON: $2" "\"ended\": \"$2\""
}

test_ends_json() {
	local word
	for word in confirmed returned expired off tripped unloaded detached dead; do
		ends_json "lease_id=1 lease_ended=$word" "$word"
	done
	ends_json 'lease=pending lease_id=1 lease_left_ms=3600000' moved
}

test_unloaded() {
	kernel "$pending"
	keep --for 1h
	await begun
	still
	rm -r "$debugfs" "$root/sys/module/schedflip"
	ended
	expect "unloaded" 1 \
		'schedflip: unloaded: the module was taken out, and its policies with it'
}

test_refused() {
	still
	tree jitter
	says "$pending"
	run set newidle=jitter --lease
	expect "a lease is pending already" 1 "schedflip: a lease is pending already, and returns \
in 200 ms; run schedflip confirm or schedflip return first"
	check "and nothing was written" gave ''
	run set --lease
	expect "nothing to set" 2 'schedflip: KIND=VALUE... is missing'
	run set newidle=jitter --lease --for 1d
	expect "a bad time" 2
	kernel "$pending"
	run set newidle=dice --lease
	expect "domains that did not take it" 3
	check "it is returned at once" gave lease=return
}

test_signals
test_renews
test_ends
test_ends_json
test_unloaded
test_refused
still
schemas
echo "1..$number"
