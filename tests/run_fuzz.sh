#!/bin/bash
# SPDX-License-Identifier: MIT
#
# Runs each libFuzzer program for FUZZ_SECONDS on a copy of its corpus. What
# it finds new goes to build/fuzz/found/<name>/, crashes to crash-* there.
#
#   tests/run_fuzz.sh build/fuzz/tests/fuzz_x ...

set -u
seconds=${FUZZ_SECONDS:-20}
passed=0 failed=0

for program in "$@"; do
	name=${program##*/fuzz_}
	found=${BUILD:-build}/fuzz/found/$name
	corpus=tests/corpus/$name
	mkdir -p "$found"
	[ -d "$corpus" ] || corpus=
	if "$program" -max_total_time="$seconds" -timeout=10 \
	    -rss_limit_mb=2048 -verbosity=0 -print_final_stats=1 \
	    -artifact_prefix="$found/crash-" "$found" $corpus \
	    >"$found.log" 2>&1 </dev/null; then
		runs=$(sed -n 's/^stat::number_of_executed_units: *//p' \
			"$found.log")
		printf '  PASS    %-40s %s runs in %s s\n' "fuzz_$name" \
			"${runs:-?}" "$seconds"
		passed=$((passed + 1))
	else
		printf '  FAIL    %-40s see %s\n' "fuzz_$name" "$found.log"
		tail -n 60 "$found.log" | sed 's/^/        | /'
		failed=$((failed + 1))
	fi
done
if [ -n "${TALLY:-}" ]; then
	echo "$passed $failed 0" >>"$TALLY"
fi
echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
