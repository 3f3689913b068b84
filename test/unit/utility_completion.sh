#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# What the shells offer on Tab: by the utility's own command, through bash's programmable
# completion, and in a zsh that gets the keys. Prints TAP.
#
# shellcheck disable=SC2016,SC2119 # scripts in quotes; the arguments of tree may be left out

set -euo pipefail

# shellcheck source=test/unit/utility_tree
. "$(dirname -- "${BASH_SOURCE[0]}")/utility_tree"

commands="check load unload show set reset confirm return save apply verify \
metrics off on ab report record sim watch"
common="--color --help --usage --version"

# offers CANDIDATES WORD...: for the last word these are offered, and no others.
offers() {
	local wanted=$1 bad=0
	shift
	run complete "$@"
	[ "$code" = 0 ] && [ ! -s "$work/err" ] || bad=1
	[ "$(tr '\n' ' ' <"$work/out")" = "${wanted:+$wanted }" ] || bad=1
	result "$bad" "complete ${*@Q}"
}

test_words() {
	tree
	offers ''
	offers "$commands help" ''
	offers 'show set save sim' -j s
	offers "--cpu --domain --json $common" -
	offers '--cpu --color' --c
	offers '--color=auto --color=always --color=never' --color=
	offers 'always' show --color al
	offers "$commands" help ''
	offers 'unload' help u
	offers '' help set ''
	offers '' nonsense ''
	offers "--json $common" off -
	offers '' off ''
	offers 'newidle all' load --hooks ''
	offers 'newidle all' load -k ''
	offers 'newidle all' load -jk ''
	offers '--hooks=all' load --hooks=a
	offers '<files>' load --hooks=all ''
	offers '<files>' check ''
	offers '' check one.ko ''
	offers '<files>' report a.json ''
	offers '<files>' save ''
	offers '<files>' apply --check ''
	offers '<files>' verify ''
	offers '' verify web.conf ''
	offers "--for --lease --check --load --skip-missing --timeout --json $common" apply -
	offers '' apply --for ''
	offers '<files>' metrics --output ''
	offers '' metrics ''
	offers 'text md csv mail' report --format ''
	offers '<files>' report --plot ''
	offers 'windows trap sync replay speed' sim ''
	offers '<files>' sim replay ''
	offers '--windows' sim windows --w
	offers '' sim windows --calls ''
	offers 'newidle slowpath burst' record --event ''
	offers '<files>' record -o ''
	offers '<command>' record -o file ''
	offers "--interval --count --plain --cpu --domain --json $common" watch -
	offers '--color=auto --color=always --color=never' watch --color=
	offers '' watch --interval ''
	offers '' watch -n ''
	offers '' watch ''
	offers 'random abba' ab --order ''
	offers '<command>' ab -p stock -- ''
	offers '<command>' ab -p stock -- ls --co
	offers '<command>' ab -p stock ls --co
	offers 'stock start= slowpath= sync=' ab -p s
}

test_settings() {
	local kinds="newidle= start= ratio= window_pos= slowpath= burst= burst_depth= \
burst_factor= burst_nohz= cost= learn= sync="
	tree
	offers "$kinds" set ''
	offers "newidle=stock newidle=dice newidle=accumulator newidle=jitter newidle=always \
newidle=never" set newidle=
	offers 'newidle=jitter' set newidle=ji
	offers 'newidle=jitter,start=stagger' set newidle=jitter,start=s
	offers 'newidle=jitter,start=' set newidle=jitter,st
	offers 'start=,newidle=' set start=,n
	offers '' set newidle=dice,n
	offers 'learn=keep learn=reset learn=restore' set newidle=dice learn=
	offers 'ratio=learned' set ratio=
	offers 'sync=off sync=on' set sync=
	offers '' set window_pos=
	offers '' set what=
}

test_trips() {
	tree
	offers 'off depth= newidle_share= run_delay=' set --trip ''
	offers 'depth=off' set --trip depth=o
	offers 'depth=64,run_delay=' set --trip depth=64,r
	offers '--trip=depth=64,run_delay=off' set --trip=depth=64,run_delay=
}

# Of a system of two CPUs, by its state and without.
test_system() {
	tree
	offers '0 1' show --cpu ''
	offers '0-1' set -c 0-1
	offers '0,1-0 0,1-1' show --cpu 0,1-
	offers 'SMT MC 0 1' show --domain ''
	offers 'SMT' set newidle=dice -d S
	offers '0 1' watch --plain -c ''
	offers 'SMT MC 0 1' watch -i 1 --domain ''
	offers '--domain=MC' show --domain=M
	rm -r "$debugfs"
	echo 2,4-5 >"$root/sys/devices/system/cpu/online"
	offers '2 4 5' show --cpu ''
	offers '' show --domain ''
	rm -r "$root/sys/devices"
	offers '' show --cpu ''
	tree
	echo nonsense >"$debugfs/state"
	offers '' show --domain ''
}

# Each value that is offered is one that the parser knows: a wrong one is refused with them.
test_same_tables() {
	local words known
	tree
	for words in 'load --hooks' 'show --color' 'report none --format' \
		'ab -p stock -p cost=bump --order' 'ab -p stock -p cost=bump --learn' \
		'record --event' 'sim'; do
		# shellcheck disable=SC2086 # words
		run $words xyzzy
		known=$(sed -n 's/.*; known: *//p' "$work/err")
		# shellcheck disable=SC2086 # words
		offers "$known" $words ''
	done
	for words in newidle slowpath burst cost start learn; do
		run set "$words=xyzzy"
		known=$(sed -n "s/.*; known: *//p" "$work/err")
		offers "$words=${known// / $words=}" set "$words="
	done
	for words in $commands; do
		run "$words" --help
		known=$(sed -n 's/^\(  -., \|      \)\(--[a-z-]*\)\(=.*\|  .*\|\)$/\2/p' \
			"$work/out" | sort)
		run complete "$words" --
		result "$([ "$(sort "$work/out")" = "$known" ] && echo 0 || echo 1)" \
			"$words: all options are offered"
	done
}

# bash_offers CANDIDATES OPTION LINE: bash cuts the line, calls the function it was given
# for schedflip, and that fills COMPREPLY. OPTION is what compopt was told.
bash_offers() {
	local bad=0
	code=0
	SCHEDFLIP_SYSROOT=$root LINE=$3 bash --norc -c '
		. "$1"
		told=""
		compopt() { told+=$2; }
		# As bash does: blanks part words, and so do = and :, which are words, too.
		spaced=${LINE//=/ = }
		read -ra COMP_WORDS <<<"${spaced//:/ : }"
		[[ $LINE != *[[:blank:]] ]] || COMP_WORDS+=("")
		COMP_WORDS[0]=$2
		COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
		COMP_LINE=$LINE COMP_POINT=${#LINE} COMP_TYPE=9
		function=$(complete -p schedflip | sed "s/.*-F \([^ ]*\).*/\1/")
		"$function" schedflip "${COMP_WORDS[COMP_CWORD]}" ""
		echo "$told|${COMPREPLY[*]}"
	' bash "$top/completion/schedflip.bash" "$work/schedflip" >"$work/out" 2>"$work/err" ||
		code=$?
	[ "$code" = 0 ] && [ "$(cat "$work/out")" = "$2|$1" ] || bad=1
	result "$bad" "bash: $3"
}

test_bash() {
	tree
	bash_offers "$commands help" '' 'schedflip '
	bash_offers 'show set save sim' '' 'schedflip s'
	bash_offers 'newidle=' nospace 'schedflip set n'
	bash_offers 'jitter' '' 'schedflip set newidle=ji'
	bash_offers 'stock dice accumulator jitter always never' '' 'schedflip set newidle='
	bash_offers 'stagger' '' 'schedflip set newidle=jitter,start=s'
	bash_offers 'auto always never' '' 'schedflip show --color='
	bash_offers 'SMT MC 0 1' '' 'schedflip set newidle=dice --domain '
	bash_offers '' default 'schedflip report '
	bash_offers '' default 'schedflip ab -p stock -- ls '
	bash_offers 'off' '' 'schedflip set --trip depth=64,run_delay=o'
}

# saw TEXT: it is on the terminal, or will be within 30 s.
saw() {
	local tries=300
	until grep -aqF -- "$1" "$work/out"; do
		tries=$((tries - 1))
		[ "$tries" -gt 0 ] || return 1
		sleep 0.1
	done
}

# tab NAME SHELL: in a shell that reads keys from a terminal: what is there after Tab.
tab() {
	local name=$1 bad=0 shell
	shift
	tree
	code=''
	rm -f "$work/keys"
	mkfifo "$work/keys"
	exec 4<>"$work/keys"
	SCHEDFLIP_SYSROOT=$root PATH=$work:$PATH TERM=xterm-mono ZDOTDIR=$work \
		script -qfec "$*" /dev/null <&4 >"$work/out" 2>"$work/err" &
	shell=$!
	saw 'ready> ' || bad=1
	printf 'schedflip rep\t--form\tma\tfile\n' >&4
	saw 'did: report --format mail file' || bad=1
	printf 'schedflip set newidle=jitter,sta\tsta\t--dom\tM\tseen\n' >&4
	saw 'did: set newidle=jitter,start=stagger --domain MC seen' || bad=1
	printf 'exit\n' >&4
	wait "$shell" || true
	exec 4>&-
	result "$bad" "$name: Tab in a terminal"
}

test_keys() {
	local line='schedflip() {
		[ "$1" = complete ] && command schedflip "$@" || echo "did: $*"
	}'
	printf '%s\n' "PS1='ready> '" "$line" 'bind "set enable-bracketed-paste off"' \
		". $top/completion/schedflip.bash" >"$work/bashrc"
	printf '%s\n' "PS1='ready> '" "$line" "fpath=($top/completion \$fpath)" \
		'autoload -U compinit' 'compinit -u -D' >"$work/.zshrc"
	tab bash bash --noprofile --rcfile "$work/bashrc" -i
	tab zsh zsh -d -i
}

test_words
test_settings
test_trips
test_system
test_same_tables
test_bash
test_keys
echo "1..$number"
