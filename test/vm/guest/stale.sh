#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# In exact mode, on a machine with nodes of 16 CPUs: of forks that come at once, fewer
# find their CPU taken when it is chosen at random. From several starts.

# shellcheck disable=SC1091
. lib.sh

# The kernel tests its crypto algorithms for some seconds.
SETTLED=30

# stale_picks POLICY: adds to POLICY.picks and POLICY.stale
stale_picks() {
	flip "slowpath=$1"
	forks 8 100 100 20 >/dev/null
	note "slowpath=$1: $(sum stale) of $(sum picks) picks stale"
	sum picks >>"/tmp/$1.picks"
	sum stale >>"/tmp/$1.stale"
}

total() {
	awk '{ n += $1 } END { print n }' "/tmp/$1"
}

succeeds "the module loads" load_module hooks=all seed=1
sleep $((SETTLED - $(cut -d. -f1 /proc/uptime)))
for start in 1 2 3; do
	usleep $((start * 7000))
	stale_picks stock
	stale_picks random
done
stock=$(total stock.stale)
random=$(total random.stale)
fails "at stock some picks are stale ($stock)" test "$stock" -lt 20
succeeds "at random there are at most two thirds as many ($random)" test \
	$((3 * random * $(total stock.picks))) -le $((2 * stock * $(total random.picks)))
finish
