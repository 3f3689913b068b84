# SPDX-License-Identifier: GPL-2.0-or-later
#
# Tables of what test/vm/lab collected, for test/vm/lab-table, which tells what they
# show. Reads the lines of key=value; `notes` is a file with what is to be said of each
# workload, `data` the directory for what the pictures are drawn from.

BEGIN {
	n = split("policy start kernel recipe module workload metric better", name, " ")
	for (i = 1; i <= n; i++)
		label[name[i]]
	while ((getline line < notes) > 0) {
		if (line ~ /^## /)
			section = substr(line, 4)
		else
			note_of[section] = note_of[section] line "\n"
	}
}

# Names in the order in which they came first.
function remember(list, value) {
	if (!((list, value) in known)) {
		known[list, value]
		names[list, ++number[list]] = value
	}
}

function count_up(w, p, key, value) {
	count[w, p, key]++
	sum[w, p, key] += value
	squares[w, p, key] += value * value
	if (!((w, key) in first))
		first[w, key] = value
	else if (value != first[w, key])
		varies[w, key]
}

{
	for (i = 1; i <= NF; i++) {
		at = index($i, "=")
		field[substr($i, 1, at - 1)] = substr($i, at + 1)
	}
	w = field["workload"]
	p = field["policy"]
	metric[w] = field["metric"]
	better[w] = field["better"]
	remember("kernel", field["kernel"])
	remember("recipe", field["recipe"])
	remember("module", field["module"])
	remember("workload", w)
	remember("policy", p)
	remember("start", field["start"])
	value[w, p, ++runs[w, p]] = field[metric[w]]
	for (i = 1; i <= NF; i++) {
		key = substr($i, 1, index($i, "=") - 1)
		if (!(key in label)) {
			remember("key " w, key)
			count_up(w, p, key, field[key])
		}
	}
	split("", field)
}

function mean(w, p, key) {
	return sum[w, p, key] / count[w, p, key]
}

function variance(w, p, key,    n, m, v) {
	n = count[w, p, key]
	m = mean(w, p, key)
	v = (squares[w, p, key] - n * m * m) / (n - 1)
	return v > 0 ? v : 0
}

# The logarithm of the gamma function, by Stirling's series once x is large enough.
function lgamma(x,    shift) {
	for (shift = 0; x < 10; x++)
		shift += log(x)
	return (x - 0.5) * log(x) - x + log(2 * atan2(0, -1)) / 2 + \
		1 / (12 * x) - 1 / (360 * x ^ 3) + 1 / (1260 * x ^ 5) - shift
}

# The tails of Student's t beyond -t and t: the integral of its density, by Simpson's
# rule in s, where t = sqrt(df) tan(s), as there it is a power of the cosine.
function tails(t, df,    steps, h, s, i, total) {
	s = atan2(t, sqrt(df))
	steps = 200
	h = s / steps
	total = 1 + cos(s) ^ (df - 1)
	for (i = 1; i < steps; i++)
		total += (i % 2 ? 4 : 2) * cos(i * h) ^ (df - 1)
	total *= h / 3
	t = 1 - 2 * total * exp(lgamma((df + 1) / 2) - lgamma(df / 2)) / sqrt(atan2(0, -1))
	return t > 0 ? t : 0
}

# By how much t has to be for tails of 5 %.
function t_quantile(df,    low, high, middle) {
	low = 1.9
	high = 13
	while (high - low > 1e-6) {
		middle = (low + high) / 2
		if (tails(middle, df) > 0.05)
			low = middle
		else
			high = middle
	}
	return high
}

# Welch: the variances need not be the same. Sets diff, half and chance of (w, p).
function compare(w, p,    key, a, b, df, base, error) {
	key = metric[w]
	base = mean(w, "stock", key)
	diff[w, p] = 100 * (mean(w, p, key) - base) / base
	half[w, p] = 0
	chance[w, p] = diff[w, p] ? 0 : 1
	a = variance(w, p, key) / runs[w, p]
	b = variance(w, "stock", key) / runs[w, "stock"]
	if (a + b > 0) {
		df = (a + b) ^ 2 / (a ^ 2 / (runs[w, p] - 1) + b ^ 2 / (runs[w, "stock"] - 1))
		error = 100 * sqrt(a + b) / base
		half[w, p] = t_quantile(df) * error
		chance[w, p] = tails((diff[w, p] < 0 ? -1 : 1) * diff[w, p] / error, df)
	}
}

# Holm: of m comparisons the least likely is held against 5 % / m, and so on up to the
# first that fails.
function judge_all(    m, i, j, w, p, best, done) {
	for (i = 1; i <= number["workload"]; i++)
		for (j = 1; j <= number["policy"]; j++) {
			w = names["workload", i]
			p = names["policy", j]
			if (p == "stock" || runs[w, p] < 2 || runs[w, "stock"] < 2)
				continue
			compare(w, p)
			open[w, p]
			m++
		}
	comparisons = m
	for (; m > 0; m--) {
		best = ""
		for (i in open)
			if (best == "" || chance[i] < chance[best])
				best = i
		if (chance[best] * m > 0.05)
			return
		differs[best]
		delete open[best]
	}
}

function verdict(w, p) {
	if (!((w, p) in diff))
		return "too few runs to tell"
	if (!((w, p) in differs))
		return "no difference detected"
	return (diff[w, p] < 0) == (better[w] == "less") ? "better" : "worse"
}

function figure(x) {
	if (x == int(x) || x >= 1000)
		return sprintf("%.0f", x)
	return sprintf(x >= 100 ? "%.1f" : "%.2f", x)
}

function probability(x) {
	return x < 0.0001 ? "< 0.0001" : sprintf("%.4f", x)
}

function result_row(w, p,    key) {
	key = metric[w]
	printf "| %s | %d | %s | %s |", p, runs[w, p], figure(mean(w, p, key)),
		runs[w, p] < 2 ? "" : figure(sqrt(variance(w, p, key)))
	if (p == "stock")
		print "  |  |  |"
	else if (!((w, p) in diff))
		print "  |  | " verdict(w, p) " |"
	else
		printf " %+.2f (%+.2f to %+.2f) | %s | %s |\n", diff[w, p],
			diff[w, p] - half[w, p], diff[w, p] + half[w, p],
			probability(chance[w, p]), verdict(w, p)
}

function results(w,    i) {
	printf "| policy | runs | mean | sd | difference to stock, %% (95 %% interval) | p |"
	print " verdict |\n|---|--:|--:|--:|--:|--:|---|"
	for (i = 1; i <= number["policy"]; i++)
		if ((w, names["policy", i]) in runs)
			result_row(w, names["policy", i])
}

function counted(w,    i, j, n, key, p, keys) {
	for (i = 1; i <= number["key " w]; i++) {
		key = names["key " w, i]
		if (key != metric[w] && (w, key) in varies)
			keys[++n] = key
	}
	printf "\nMeans of what was counted in one run:\n\n| policy |"
	for (i = 1; i <= n; i++)
		printf " %s |", keys[i]
	printf "\n|---|"
	for (i = 1; i <= n; i++)
		printf "--:|"
	print ""
	for (j = 1; j <= number["policy"]; j++) {
		p = names["policy", j]
		printf "| %s |", p
		for (i = 1; i <= n; i++)
			printf " %s |", (w, p, keys[i]) in count ? \
				figure(mean(w, p, keys[i])) : ""
		print ""
	}
}

# seen WORKLOAD: in a sentence
function seen(w,    i, p, v, list) {
	split("", list)
	for (i = 1; i <= number["policy"]; i++) {
		p = names["policy", i]
		if (p == "stock" || !((w, p) in diff))
			continue
		v = verdict(w, p)
		list[v] = list[v] (list[v] ? ", " : "") "`" p "`"
		if (v != "no difference detected")
			list[v] = list[v] sprintf(" by %.1f %%", diff[w, p] < 0 ? \
				-diff[w, p] : diff[w, p])
	}
	printf "Seen here: better than stock: %s; worse: %s; no difference detected: %s.\n\n",
		list["better"] ? list["better"] : "none", list["worse"] ? list["worse"] : "none",
		list["no difference detected"] ? list["no difference detected"] : "none"
}

# For the pictures: a block of lines for each workload, with two empty ones behind.
function draw(w,    i, j, p, base) {
	base = mean(w, "stock", metric[w])
	for (i = 1; i <= number["policy"]; i++) {
		p = names["policy", i]
		for (j = 1; j <= runs[w, p]; j++)
			print i, 100 * (value[w, p, j] / base - 1) > (data "/runs")
		print i, "\"" p "\"", diff[w, p] + 0, diff[w, p] - half[w, p],
			diff[w, p] + half[w, p], verdict(w, p) == "better" ? 1 : \
			verdict(w, p) == "worse" ? 2 : 0 > (data "/differences")
	}
	print "\n" > (data "/runs")
	print "\n" > (data "/differences")
	print w " (" metric[w] ", " better[w] " is better)" > (data "/titles")
}

END {
	if (number["kernel"] > 1 || number["recipe"] > 1) {
		print "lab-table: several kernels or kinds of workloads" > "/dev/stderr"
		exit 1
	}
	judge_all()
	gsub("@KERNEL@", names["kernel", 1], note_of["head"])
	gsub("@STARTS@", number["start"], note_of["head"])
	gsub("@COMPARISONS@", comparisons, note_of["head"])
	printf "%s", note_of["head"]
	if (number["module"] > 1)
		printf "The runs are of %d builds of the module.\n\n", number["module"]
	for (j = 1; j <= number["workload"]; j++) {
		w = names["workload", j]
		printf "## %s: %s, %s is better\n%s", w, metric[w], better[w], note_of[w]
		seen(w)
		results(w)
		counted(w)
		print ""
		draw(w)
	}
}
