#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# fill.sh - how much of its budget the output of a folder uses.
#
# Each folder is packed with seven budgets in each format: as it is, with a
# query, and without tiers. A line for each output that leaves something out and
# uses less than 99.5 %; then how many leave something out, and how many of them
# use less. Exits with 1 if there is one.
#
# Usage: fill.sh DIR...     BALE=build/release/bale
set -euo pipefail

export BALE_CACHE=off
[ $# -gt 0 ] || { sed -n 's/^# \(Usage.*\)/\1/p' "$0" >&2; exit 2; }
bale=${BALE:-$(cd "$(dirname "$0")/.." && pwd)/build/release/bale}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
report=$scratch/report.json
outputs=0
below=0

# Packs, unless nothing can be, and adds to the sums.
fill() {
	local result
	"$bale" pack "$@" --no-ignore --no-config --no-last -q \
		--reserve-response 0 --reserve-system 0 \
		-o "$scratch/out" --report "$report" 2>"$scratch/errors" ||
		[ $? -eq 3 ] || { cat "$scratch/errors" >&2; return; }
	result=$(python3 - "$report" <<'EOF'
import json, sys
report = json.load(open(sys.argv[1]))
used, available = report['budget']['used'], report['budget']['available']
if not any(file['reason'] == 'budget' for file in report['excluded']):
    print('all')
elif used < 0.995 * available:
    print(f'{100 * used / available:.2f} %')
EOF
	)
	[ "$result" != all ] || return 0
	outputs=$((outputs + 1))
	[ -n "$result" ] || return 0
	below=$((below + 1))
	echo "$result $*"
}

for dir; do
	for budget in 4000 6000 8000 16000 32000 64000 128000; do
		for format in markdown plain xml json jsonl; do
			fill "$dir" --budget $budget --format $format
			fill "$dir" --budget $budget --format $format \
				--query 'read a file with a lock'
			fill "$dir" --budget $budget --format $format --tiers off
		done
	done
done
echo "$outputs outputs leave something out, $below of them use less than 99.5 %"
[ $below -eq 0 ]
