#!/bin/bash
# SPDX-License-Identifier: MIT
#
# Runs each libFuzzer program for FUZZ_SECONDS, FUZZ_JOBS (1) at a time, on
# top of its corpus and of what it found before. What it finds new goes to
# build/fuzz/found/<name>/, and what breaks it, as crash-*, timeout-* and so
# on, to build/fuzz/found/<name>.broken/; the next run begins with those.
#
#   tests/fuzz/run_fuzz.sh build/fuzz/tests/fuzz/fuzz_x ...
#
# For each a line, as it ends: seconds of processor time, executions, edges
# covered, inputs kept, and crashes; the first ends it.
#
# An input that is worth keeping is cut down and named for what it shows:
#
#   build/fuzz/tests/fuzz/fuzz_x -set_cover_merge=1 DIR tests/fuzz/corpus/x \
#       build/fuzz/found/x                 the few that cover it all
#   build/fuzz/tests/fuzz/fuzz_x -minimize_crash=1 -runs=100000 CRASH

set -u
export FUZZ_SECONDS=${FUZZ_SECONDS:-20} BUILD=${BUILD:-build}
form='%-28s %8s %12s %8s %8s %8s%s\n'
export form
found=$BUILD/fuzz/found

# The last number behind a word of the log.
last_of() {
	grep -aoE "$1: *[0-9]+" "$2" | tail -n 1 | grep -oE '[0-9]+$'
}

# Runs one program and prints its line; what it wrote, if it failed.
run_one() {
	local program=$1 name found log code note= seconds crashes
	local -a dirs

	name=${program##*/fuzz_}
	found=$BUILD/fuzz/found/$name
	log=$found.log
	mkdir -p "$found" "$found.broken"
	dirs=("$found" "$found.broken")
	[ ! -d "tests/fuzz/corpus/$name" ] || dirs+=("tests/fuzz/corpus/$name")
	TIMEFORMAT='%U %S'
	{ time "$program" -max_total_time="$FUZZ_SECONDS" \
		-timeout="$("$BUILD/fuzz/tests/support/tool_within" -n 10)" \
		-rss_limit_mb=2048 -print_final_stats=1 \
		-artifact_prefix="$found.broken/" "${dirs[@]}" \
		>"$log" 2>&1 </dev/null; } 2>"$found.time"
	code=$?
	seconds=$(awk '{ printf "%.0f", $1 + $2 }' "$found.time")
	crashes=$(grep -ac 'Test unit written to' "$log")
	[ "$code" = 0 ] || note=" exit $code: $log"
	# shellcheck disable=SC2059  # all lines have one form
	printf "$form" "fuzz_$name" "$seconds" \
		"$(last_of stat::number_of_executed_units "$log")" \
		"$(last_of cov "$log")" "$(last_of corp "$log")" "$crashes" \
		"$note"
	[ "$code" = 0 ] || grep -avE "^#[0-9]|NEW_FUNC" "$log" |
		tail -n 40 | sed "s/^/        | /"
}
export -f run_one last_of

mkdir -p "$found"
# shellcheck disable=SC2059
printf "$form" target cpu-s executions edges inputs crashes ''
printf '%s\0' "$@" |
	xargs -0 -r -n 1 -P "${FUZZ_JOBS:-1}" bash -c 'run_one "$1"' run_one |
	tee "$found/all"
tally=$(awk '
	/^fuzz_/ { nr++; cpu += $2; runs += $3; crashes += $6; failed += NF > 6 }
	END { print cpu + 0, runs + 0, crashes + 0, nr - failed, failed + 0 }' \
	"$found/all")
read -r cpu runs crashes passed failed <<<"$tally"
# shellcheck disable=SC2059
printf "$form" total "$cpu" "$runs" '' '' "$crashes" ''
if [ -n "${TALLY:-}" ]; then
	echo "$passed $failed 0" >>"$TALLY"
fi
echo "$passed passed, $failed failed"
[ "$failed" = 0 ] && [ "$passed" = $# ]
