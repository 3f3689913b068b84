# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=sh disable=SC2086,SC2016 # no path has a blank; awk's own
#
# Bad writes are refused, change nothing, and last_error says why.

# What a write could change, without the counters, which go on.
settings() {
	cat $SF/features $PARAMETERS/policy
	judge '{
		print $1, $2, k["newidle"], k["start"], k["start_pos"], k["pinned"],
			k["pinned"] ? k["ratio"] : "", k["slowpath"], k["burst"],
			k["burst_depth"], k["burst_factor"], k["burst_nohz"],
			k["cost"], k["sync"], k["changes"]
	}'
}

# refused FILE TEXT REGEX: the write fails and REGEX is in last_error
refused() {
	before=$(settings)
	label=$(printf '%.40s' "$2")
	fails "refused: $1 <- \"$label\"" put "$SF/$1" "$2"
	contains "and said why: $label" "$(cat $SF/last_error)" "$3"
	is "and nothing changed: $label" "$(settings)" "$before"
}

repeat() {
	printf "%$2s" '' | tr ' ' "$1"
}

test_bad_words() {
	refused policy 'newidle=jiter' \
		'no policy "jiter" for newidle; known: stock dice accumulator jitter always never'
	refused policy 'newidle=' 'no policy "" for newidle'
	refused policy 'newidle=jitter start=soon' \
		'no start "soon"; known: zero half random stagger'
	refused policy 'newidle=jitter start=half window_pos=3' 'exclude each other'
	refused policy 'newidle=jitter newidle=dice' 'newidle= is given twice'
	refused policy 'jitter' '"jitter" is not KEY=VALUE'
	refused policy 'slowpth=random' 'unknown word "slowpth"; known: newidle start ratio'
	refused policy 'cpu=0' 'nothing to set'
	refused policy ' ' 'nothing to set'
	refused policy 'newidle=dice domain=LLC' 'no domain "LLC" on CPUs .*; known: '
	refused policy 'newidle=dice domain=9' 'no domain "9"'
	refused policy 'newidle=dice domain=-1' 'no domain "-1"'
	refused policy 'newidle=dice domain=' 'no domain ""'
	refused policy 'slowpath=fast' 'no policy "fast" for slowpath; known: stock random'
	refused policy 'burst=wide' \
		'no policy "wide" for burst; known: stock idle spread nearest'
	refused policy 'cost=half' 'no policy "half" for cost; known: stock bump'
	refused policy 'burst_nohz=maybe' 'no burst_nohz "maybe"; known: off on'
	refused policy 'sync=1' 'no sync "1"; known: off on'
	refused policy 'newidle=dice learn=all' 'no learn "all"; known: keep reset restore'
	refused policy 'cost=bump sync=on cost=bump' 'cost= is given twice'
	refused policy 'cost=bump slowpath=random newidle=jiter' 'no policy "jiter"'
}

test_bad_numbers() {
	refused policy 'ratio=1025' 'ratio=1025 is out of range; allowed: 0..1024'
	refused policy 'ratio=-1' 'ratio=-1 is not a number; allowed: 0..1024 or learned'
	refused policy 'ratio=0x10' 'is not a number'
	refused policy 'ratio=99999999999999999999' 'is out of range'
	refused policy 'newidle=dice ratio=' 'is not a number'
	refused policy 'window_pos=1024' 'allowed: 0..1023'
	refused policy 'window_pos=4294967296' 'is out of range'
	refused policy 'burst_depth=0' 'burst_depth=0 is out of range; allowed: 1..4096'
	refused policy 'burst_depth=4097' 'out of range'
	refused policy 'burst_factor=65' 'burst_factor=65 is out of range; allowed: 1..64'
	refused policy 'burst_factor=2.5' 'burst_factor=2.5 is not a number; allowed: 1..64$'
	refused policy 'newidle=dice cpu=0-' 'not a list of CPUs'
	refused policy 'newidle=dice cpu=' 'not a list of CPUs'
	refused policy 'newidle=dice cpu=100000' 'cpu=100000 is'
	refused policy 'newidle=dice cpu=0,zwei' 'not a list of CPUs'
}

test_bad_domain_files() {
	refused cpu0/domain0/newidle 'nope' 'no policy "nope"'
	refused cpu0/domain0/newidle 'dice cpu=1' 'is not one value'
	refused cpu0/domain0/newidle 'dice domain=1' 'is not one value'
	refused cpu0/domain0/newidle 'dice start=half ratio=7' 'is not one value'
	refused cpu0/domain0/ratio '5 newidle=dice' 'is not one value'
	refused cpu0/domain0/window_pos '5 ratio=7' 'is not one value'
	refused cpu0/domain0/newidle ' ' 'no policy ""'
	refused cpu0/domain0/ratio '1025' 'out of range'
	refused cpu0/domain0/ratio 'lerned' 'is not a number'
	refused cpu0/domain0/window_pos '1024' 'out of range'
	refused cpu0/domain0/window_pos '-3' 'is not a number'
	refused cpu0/domain0/slowpath 'nope' 'no policy "nope" for slowpath'
	refused cpu0/domain0/burst 'idle burst_depth=9' 'is not one value'
	refused cpu0/domain0/burst_depth '0' 'out of range'
	refused cpu0/domain0/burst_factor 'x' 'is not a number'
	refused cpu0/domain0/cost 'up' 'no policy "up" for cost'
}

test_bad_shapes() {
	refused policy "$(repeat x 4095)" 'is not KEY=VALUE'
	refused policy "newidle=dice $(repeat ' ' 4096)" 'command of [0-9]+ bytes; allowed: 1..4095'
	refused policy "$(repeat y 65537)" 'bytes; allowed'
	before=$(settings)
	fails "refused: a NUL byte" sh -c "printf 'newidle=dice\\000' >$SF/policy"
	contains "and said why" "$(cat $SF/last_error)" 'NUL'
	fails "refused: an odd offset" \
		sh -c "printf 'xnewidle=dice' | dd of=$SF/policy bs=1 seek=3 conv=notrunc"
	contains "and said why" "$(cat $SF/last_error)" 'offset'
	is "and nothing changed" "$(settings)" "$before"
	fails "the parameter refuses the same" put $PARAMETERS/policy newidle=jiter
	is "and changes nothing" "$(settings)" "$before"
	for file in abi version hooks state features last_error cpu0/domain0/stats \
		cpu0/domain0/avg_depth; do
		is "$file is read-only" "$(stat -c %a $SF/$file)" 444
	done
	is "only root comes in" "$(stat -c %a%u /sys/kernel/debug | cut -c2-)" 000
}

test_good_shapes() {
	flip '  newidle=dice	start=half
'
	is "blanks and a newline are fine" "$(words)" "newidle=dice start=half"
	put $PARAMETERS/policy 'newidle=accumulator domain=SMT'
	is "the parameter takes the same words" "$(field newidle ' name=SMT ' | sort -u)" \
		accumulator
	is "and obeys domain=" "$(field newidle ' domain=1 ' | sort -u)" dice
	flip newidle=never cpu=2-3 domain=1
	is "cpu= and domain= by number" "$(field newidle 'newidle=never' | wc -l)" 2
	cpu=$((LAST - 2))
	put $SF/cpu$cpu/domain1/newidle 'jitter start=half'
	is "start= in a domain's own file" "$(field start_pos "cpu=$cpu domain=1")" 512
	flip newidle=stock
}

test_changes() {
	before=$(sum changes)
	flip cost=stock sync=off
	is "each domain counts a command" "$(($(sum changes) - before))" "$(domains)"
	before=$(sum changes)
	flip newidle=stock cpu=2 domain=SMT
	is "and only those that it names" "$(($(sum changes) - before))" 1
}

all_writes() {
	flip newidle=jitter start=half ratio=300 cpu=$LOWER
	test_changes
	test_bad_words
	test_bad_numbers
	test_bad_domain_files
	test_bad_shapes
	flip newidle=stock ratio=learned
	test_good_shapes
}
