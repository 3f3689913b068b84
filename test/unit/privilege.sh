#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Least privilege, as far as the sources tell: no address of the kernel is printed, no
# shell is given anything, and only root may write. What files are like once the module is
# loaded is seen in the guest (test/vm/guest/privilege.sh).

set -euo pipefail
cd -- "$(dirname -- "${BASH_SOURCE[0]}")/../.."

number=0

# none NAME LINES: passes if there are none
none() {
	number=$((number + 1))
	if [ -z "$2" ]; then
		echo "ok $number - $1"
	else
		echo "not ok $number - $1"
		echo "# ${2//$'\n'/$'\n# '}"
	fi
}

# lines REGEX FILE...: those that match, with their places
lines() {
	local regex=$1
	shift
	grep -nHE -- "$regex" "$@" || true
}

# Lists of CPUs, %*pbl, are no addresses; %% is no conversion.
pointers() {
	sed -E 's/%%/  /g; s/%\*?pbl/    /g' "$1" | lines '%[-+ #0-9.*]*p|\bPRI.PTR\b' - |
		sed "s|^(standard input)|$1|"
}

# A line with one mode and more is seen whole.
modes() {
	grep -noE '\b0[0-7]{3}\b' "$1" | grep -vE ':(0444|0644|0200|0400|0600)$' |
		sed "s|^|$1:|" || true
}

mapfile -t module < <(printf '%s\n' module/*.[ch])
mapfile -t program < <(printf '%s\n' userspace/*.[ch])
mapfile -t shared < <(printf '%s\n' include/schedflip/*.h)

none "no conversion prints an address" \
	"$(for file in "${module[@]}" "${program[@]}" "${shared[@]}"; do pointers "$file"; done)"
none "the check would see one" \
	"$([ -n "$(pointers <(echo 'seq_printf(m, "%*pbl %d %px", p);'))" ] || echo unseen)"
none "no function of the utility starts a shell" \
	"$(lines '\b(system|popen|wordexp|execl|execlp|execle|posix_spawnp?) *\(' "${program[@]}")"
none "no shell is named in the utility" \
	"$(lines '"([^" ]*/)?(ba|da|k|z|a)?sh"|"-c"' "${program[@]}")"
# The user's command, as words of the command line (child.c); gnuplot, which has its script
# from a pipe; and modprobe, whose words are ours.
none "three functions start a program, by its words" \
	"$(lines '\b(exec[a-z]+|fexecve) *\(' "${program[@]}" |
		grep -vE '^userspace/(child|gnuplot|module)\.c:[0-9]+:.*\bexecvp\(' || true)"
none "files can be written by root alone, and none can be run" \
	"$(for file in "${module[@]}"; do modes "$file"; done)"
none "modes are written as numbers" "$(lines '\bS_I[RWX]' "${module[@]}")"
none "files are made in one way, and nowhere but in debugfs" \
	"$(lines '\b(debugfs_create_(file_[a-z]+|[^df][a-z0-9_]*)|device_create[a-z_]*)\(|'\
'\b(proc_create|sysfs_create|register_sysctl|misc_register)[a-z_]*\(' "${module[@]}")"
echo "1..$number"
