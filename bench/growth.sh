#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# growth.sh - what 1, 2, 4 and 10 copies of a tree take.
#
# The copies are hard links, so that the page cache holds one of them. A line
# each: files, processor time of all processes, that by file, peak of memory.
#
# Usage: growth.sh TREE [OPTION...]     BALE=build/release/bale
#                                       COPIES="1 2 4 10"
# OPTIONs are those of bale pack: --budget 128k. The copies are made beside TREE.
set -euo pipefail
export BALE_CACHE=off
bale=${BALE:-build/release/bale}
[ $# -gt 0 ] || { sed -n 's/^# \(Usage.*\)/\1/p' "$0" >&2; exit 2; }
tree=$1
shift
[ $# -gt 0 ] || set -- --budget 128k
dir=$(mktemp -d "$(dirname "$tree")/growth.XXXXXX")
trap 'rm -rf "$dir"' EXIT

figure() {
	grep -o "\"$1\": *[0-9]*" "$dir/report" | head -1 | tr -dc 0-9
}

printf '%6s %12s %12s %14s %10s\n' copies files 'cpu s' 'us a file' 'peak MiB'
for nr in ${COPIES:-1 2 4 10}; do
	mkdir "$dir/in"
	for ((i = 0; i < nr; i++)); do
		cp -al "$tree" "$dir/in/copy_$i"
	done
	TIMEFORMAT='%U %S'
	spent=$({ time "$bale" pack "$dir/in" --no-history -q --no-last \
		-o "$dir/out" --report "$dir/report" "$@" 2>/dev/null; } 2>&1)
	# shellcheck disable=SC2086
	printf '%s\n' $nr "$(figure seen)" "$spent" "$(figure peak_pss_bytes)" |
		tr '\n' ' ' | awk '{
			cpu = $3 + $4
			printf "%6d %12d %12.1f %14.0f %10.0f\n", $1, $2, cpu,
				cpu * 1e6 / $2, $5 / 1048576
		}'
	rm -rf "$dir/in"
done
