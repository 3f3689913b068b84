# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=sh disable=SC2086 # none of the paths has a blank
#
# The module's own learner beside the kernel's: with the same calls and the same
# rule both must come to the same ratio.

# A fresh learner has 512 calls, so 512 more make it full.
stays_until_full() {
	command storm 100
	judge 'k["calls"] < 512 && k["learned"] != 512 { bad("not 512") }'
}

# 256 credits from before and one for each attempt that pulled: at "always" the
# calls up to the first halving give 256 + pulled of them.
learned_something() {
	command storm 300
	judge '
	k["calls"] >= 512 && k["calls"] < 1024 {
		seen = 1
		if (k["learned"] < 256 || k["learned"] > 256 + k["pulled"]) bad("learned")
	}
	END { if (!seen) bad("no domain of 512 to 1023 calls") }'
}

test_learner() {
	succeeds "the module loads with its own learner" load_module learner=module seed=1
	is "it starts at the kernel's 512" "$(field learned | sort -u)" 512
	flip newidle=always
	succeeds "until 1024 calls are full a ratio stays" stays_until_full
	succeeds "then it is what the attempts brought" wait_for 20 learned_something
	is "never above 1024" "$(field learned | awk '$1 > 1024')" ""
	flip newidle=jitter
	storm
	succeeds "and jitter goes by it" exact
	put $PARAMETERS/ni_rate 1
	is "the rate term can be switched on" "$(cat $PARAMETERS/ni_rate)" Y
	storm
	succeeds "and counts hold with it" exact
	flip newidle=stock
	succeeds "the module unloads" unload_module
}
