# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# Finds what went wrong in a kernel log.

# patterns FILE: the lines of a pattern file as one regular expression.
patterns() {
	lines_of "$1" | paste -sd'|'
}

# without_foreign_races LOG: the log, in which those data races are no reports that none of
# our functions has a part in. The kernel has many, and leaves them be: it is not instrumented in
# the scheduler, but what that calls is. We call the scheduler's own functions, so that
# we are somewhere in most traces of it; a race is ours if we are among the first frames
# of either side, where a helper of the library may come before us.
without_foreign_races() {
	awk -v near=3 '
	{ line[NR] = $0; sub(/^\[[^]]*\] ?/, "") }
	/^BUG: KCSAN: / { first = NR; ours = /[ \/]sf_/; next }
	first && (/ (by task|by interrupt) .* on cpu |^race at unknown origin/) { frame = 0 }
	first && /^ [^ ]+\+0x[0-9a-f]+\/0x/ && ++frame <= near && /^ sf_|\[schedflip\]/ { ours = 1 }
	first && /^==========/ {
		if (!ours)
			sub(/BUG: KCSAN: /, "", line[first])
		first = 0
	}
	END { for (i = 1; i <= NR; i++) print line[i] }' "$1"
}

# kernel_reports LOG [EXPECTED]: prints the reports in LOG with their context,
# save those whose first line matches EXPECTED; fails if there are none.
kernel_reports() {
	local harmless
	harmless=$(patterns "$VM_DIR/klog-harmless") || harmless=
	# An allowed report has its own trace, which is no report of its own.
	without_foreign_races "$1" |
		bad=$(patterns "$VM_DIR/klog-reports") harmless=${harmless:-^$} \
		expected=${2:-^$} awk -v before=3 -v after=45 '
		{ sub(/\r$/, ""); line[NR] = $0 }
		$0 ~ ENVIRON["harmless"] || $0 ~ ENVIRON["expected"] {
			allowed_until = NR + after
			next
		}
		$0 ~ ENVIRON["bad"] && !(/Call Trace/ && NR <= allowed_until) {
			found = 1
			from = NR - before
			if (from <= shown)
				from = shown + 1
			for (i = from; i < NR; i++)
				if (i > 0)
					print line[i]
			if (NR > shown)
				print
			shown = NR
			until = NR + after
			next
		}
		NR <= until { print; shown = NR }
		/---\[ end / { until = 0 }
		END { exit !found }'
}

# emulator_fault LOG: did the guest die of QEMU and not of its kernel? A CPU took a
# breakpoint where the kernel's text has none: the byte before RIP is not its 0xcc.
# The kernel first sees to it that no CPU can be at a breakpoint, then forgets it. But
# QEMU's parallel emulation throws its translation of a page away before it carries out
# a store to it, and another CPU that translates the page again in between keeps
# the breakpoint.
emulator_fault() {
	tr -d '\r' <"$1" | awk '
	/Oops: int3:/ { oops = 1 }
	oops && /Code: / {
		for (i = 2; i <= NF; i++)
			if ($i ~ /^</)
				fault = $(i - 1) != "cc"
		exit
	}
	END { exit !fault }'
}

# log_tail LOG: for a guest that ended without a word.
log_tail() {
	tail -n 20 -- "$1" | tr -d '\r'
}
