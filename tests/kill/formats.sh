#!/bin/bash
# SPDX-License-Identifier: MIT
#
# In a build with fault points (MODE=debug or asan): count and format are
# ended at each of their points, in every format with all that it can do. The
# output is that of an undisturbed run. Where a plan is made in several passes,
# format also stands still at its commits: it is replaced when all the others
# have gone on as far as they can.

BALE=${BALE:-$PWD/${BUILD:-build}/${MODE:-release}/bale}
# shellcheck source=tests/system/lib.sh
. tests/system/lib.sh

if ! grep -aq BALE_FAULT "$BALE"; then
	skip 'fault points' 'there are none in this build: use MODE=debug'
	finish
fi

mapfile -t common < <(grep -ohE 'FAULT\("[a-z_]+"\)' \
	"$repository/stages/worker.c" | cut -d '"' -f 2)
points=()
for point in "${common[@]}"; do
	points+=("count.0:$point" "format:$point")
done
points+=(count.0:counted format:written format:told)

mkdir tree
"$tools/tool_tree" many tree 30 7
"$tools/tool_tree" text tree/large.c 700000
printf 'a]]>\r\n"\033\342\200\256\n// .... (lines 1-2)\n' >tree/odd
find tree -exec touch -d '2024-01-02 03:04:05 UTC' {} +
options=(--line-numbers --tree --header text --unicode escape --hashes on -q
	--workers 2)

# killed POINT:HIT OPTION... : what is packed is as if nobody had been
killed() {
	local point=$1

	shift
	rm -f file report.json
	export BALE_FAULT=$point:kill
	run 0 pack "$@" --log-level error -o file --report report.json
	unset BALE_FAULT
	same file want
	died=$((died + $(deaths report.json)))
}

for format in markdown xml json jsonl plain; do
	for budget in all 15000; do
		begin "$format, $budget: killed at each point of count and format"
		run 0 pack tree --budget $budget --format $format \
			"${options[@]}" -o want
		died=0
		for point in "${points[@]}"; do
			for hit in 1 3 5; do
				killed "$point:$hit" tree --budget $budget \
					--format $format "${options[@]}"
			done
		done
		is [ $died -gt 10 ]
		end
	done

	begin "$format: format stands still at each commit of several passes"
	stood=0
	for point in step_written committed; do
		for hit in {1..12}; do
			rm -f file report.json
			export BALE_FAULT=format:$point:$hit:stop
			run 0 pack tree --budget 15000 --format "$format" \
				"${options[@]}" --stage-timeout 1 \
				--log-level error -o file --report report.json
			unset BALE_FAULT
			same file want
			died=$(deaths report.json)
			stood=$((stood + died))
			[ "$died" -gt 0 ] || break
		done
	done
	# at both points: a survey, and a pass of two commits at least
	is [ $stood -ge 6 ]
	end
done

# A chunk up to a line takes many passes to find.
mkdir few
seq -f 'line %g, alpha and beta' 900 >few/a.txt
touch -d '2024-01-02 03:04:05 UTC' few/a.txt
parted=(--reserve-response 0 --reserve-system 0 -q --workers 2)
for format in markdown json; do
	begin "$format: all stages are killed while a chunk is split at a line"
	run 0 pack few --budget 1200 --format $format "${parted[@]}" -o want \
		--report report.json
	is grep -q '"parted":true' report.json
	died=0
	for stage in collect chunk.0 count.0 dedup select format; do
		for point in "${common[@]}"; do
			for hit in 1 2 4 7 11; do
				killed "$stage:$point:$hit" few --budget 1200 \
					--format $format "${parted[@]}"
			done
		done
	done
	is [ $died -gt 60 ]
	end
done
finish
