#!/bin/bash
# SPDX-License-Identifier: MIT
#
# The whole program against reading the same files alone, side by side in one
# run: the best of RUNS (3) of each, after one that fills the page cache.
#
#   bench/e2e.sh [DIR]     (TREE; default: this repository)
#
# BALE_ARGS: more options for each run, such as --no-ignore.

set -u
export BALE_CACHE=off
dir=${1:-${TREE:-.}}
bale=${BALE:-${BUILD:-build}/release/bale}
runs=${RUNS:-3}
scratch=$(mktemp -d "${TMPDIR:-/tmp}/bale-bench.XXXXXX") || exit 1
trap 'rm -rf "$scratch"' EXIT
read -ra more <<<"${BALE_ARGS:-}"

# The files of the tree, read as they come by the walk.
find "$dir" -name .git -prune -o -type f -print0 >"$scratch/files"
files=$(tr -cd '\0' <"$scratch/files" | wc -c)
bytes=$(find "$dir" -name .git -prune -o -type f -printf '%s\n' |
	awk '{ sum += $1 } END { printf "%.0f", sum }')

# best COMMAND...: the shortest wall time in microseconds, in $us.
best() {
	local i from to

	us=
	for ((i = 0; i <= runs; i++)); do
		from=$(date +%s%N)
		"$@" >/dev/null || echo "failed: $*" >&2
		to=$(((($(date +%s%N)) - from) / 1000))
		# the first run is not counted
		if [ $i = 1 ] || { [ $i -gt 1 ] && [ $to -lt "$us" ]; }; then
			us=$to
		fi
	done
}

read_alone() {
	xargs -0 cat <"$scratch/files" >/dev/null
}

read_two() {
	xargs -0 -P 2 -n 2000 cat <"$scratch/files" >/dev/null
}

pack() {
	"$bale" pack "$dir" ${more[@]+"${more[@]}"} -q -o "$scratch/out.md" \
		--report "$scratch/report.json" "$@"
}

# line NAME [PSS TOKENS]
line() {
	awk -v name="$1" -v us="$us" -v base="$base" -v bytes="$bytes" \
		-v pss="${2:-0}" -v tokens="${3:-}" 'BEGIN {
		printf "%-26s %9.3f s %8.1f MB/s %6.2fx", name, us / 1e6,
			bytes / us, us / base
		if (pss > 0)
			printf " %7.1f MiB %12s tokens", pss / 1048576, tokens
		printf "\n"
	}'
}

figure() {
	grep -oE "\"$1\":[0-9]+" "$scratch/report.json" | head -n 1 |
		cut -d : -f 2
}

echo "$dir: $files files, $bytes bytes; $(nproc) processors"
printf '%-26s %11s %13s %7s %11s\n' '' time rate 'of cat' 'peak PSS'
best read_alone
base=$us
line 'cat, one process'
best read_two
line 'cat, two processes'
for workers in 1 2; do
	for budget in 128000 all; do
		best pack --budget $budget --workers $workers
		eval "t_${budget}_$workers=$us"
		line "pack $budget, $workers workers" \
			"$(figure peak_pss_bytes)" "$(figure used)"
	done
done
awk -v a="$t_128000_1" -v b="$t_128000_2" -v c="$t_all_1" -v d="$t_all_2" \
	'BEGIN { printf "1 -> 2 workers: %.2fx (128000), %.2fx (all)\n",
		a / b, c / d }'
