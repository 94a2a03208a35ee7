#!/bin/bash
# SPDX-License-Identifier: MIT
#
# Line coverage, file by file, of what the programs in a folder built with
# --coverage have run.
#
#   tests/support/cover.sh build/cover SOURCE...
#
# Environment: COVER_FLOOR  fails below so many percent of all lines (0)
#
# verifies: NFR-016-47

set -u
obj=$1
shift

for c in "$@"; do
	o=$obj/${c%.c}
	if [ -e "$o.gcda" ]; then
		gcov -n -o "$o.o" "$c" 2>/dev/null |
			awk -v c="$c" '/^File / { hit = ($2 == "\047" c "\047") }
				hit && /^Lines executed/ { print c, $0; exit }'
	elif [ -e "$o.gcno" ]; then
		gcov -n -o "$o.o" "$c" 2>/dev/null |
			awk -v c="$c" '/^File / { hit = ($2 == "\047" c "\047") }
				hit && /^Lines executed/ {
					sub(/:[0-9.]+%/, ":0.00%")
					print c, $0
					exit
				}'
	fi
done | awk -v floor="${COVER_FLOOR:-0}" '
{
	share = $3
	sub(/^executed:/, "", share)
	sub(/%.*/, "", share)
	printf "  %6.2f %%  of %5d  %s\n", share, $NF, $1
	lines += $NF
	run += $NF * share / 100
}
END {
	if (lines)
		printf "  %6.2f %%  of %5d  in all\n", 100 * run / lines, lines
	else {
		print "nothing was run"
		exit 1
	}
	if (run * 100 < lines * floor) {
		print "  less than the " floor " % that are asked for"
		exit 1
	}
}'
