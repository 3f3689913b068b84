# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# Finds what went wrong in a kernel log.

# patterns FILE: the lines of a pattern file as one regular expression.
patterns() {
	lines_of "$1" | paste -sd'|'
}

# kernel_reports LOG [EXPECTED]: prints the reports in LOG with their context,
# save those whose first line matches EXPECTED; fails if there are none.
kernel_reports() {
	local harmless
	harmless=$(patterns "$VM_DIR/klog-harmless") || harmless=
	# An allowed report has its own trace, which is no report of its own.
	bad=$(patterns "$VM_DIR/klog-reports") harmless=${harmless:-^$} expected=${2:-^$} \
		awk -v before=3 -v after=45 '
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
		END { exit !found }' "$1"
}

# log_tail LOG: for a guest that ended without a word.
log_tail() {
	tail -n 20 -- "$1" | tr -d '\r'
}
