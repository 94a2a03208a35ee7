# SPDX-License-Identifier: MIT
# shellcheck shell=bash
#
# What tests of single commands share; sourced by them from the root of the
# project, never run. Those of whole runs have tests/system/lib.sh.
#
#   $BALE             the program
#   $dir              a folder of their own, gone afterwards
#   is GOT WANT NAME  one TAP line, `ok` if both are the same
#   $within S COMMAND one that may hang: 124 if it is not done in S seconds,
#                     more where the machine is busy (tool_within.c)
#   patience S        prints so many seconds, more where the machine is busy,
#                     for an option of bale
#   skip_all WHY      ends a test that cannot be run here
#   wait_until_old DIR          until a survey may keep all of a tree
#   stage_count REPORT STAGE COUNTER   a number of a report
#   clean_up          a function of the test's own: run before $dir goes
#   done_testing      the plan; last
#
# What a test waits for has no limit of its own: run_tests.sh has one for all
# of it. Nobody waits for time to pass, but at random where that is the point.

set -u
BALE=${BALE:-$PWD/build/release/bale}
within=${BALE%/*}/tests/support/tool_within
dir=$(mktemp -d) || exit 1
trap 'clean_up; rm -rf "$dir"' EXIT
export XDG_STATE_HOME=$dir/state XDG_CACHE_HOME=$dir/cache
export BALE_PATHS=cwd # so that a test finds what an output names
n=0

clean_up() {
	:
}

patience() {
	"$within" -n "$1"
}

skip_all() {
	echo "1..0 # SKIP $*"
	exit 77
}

is() {
	n=$((n + 1))
	if [ "$1" = "$2" ]; then
		echo "ok $n - $3"
	else
		echo "not ok $n - $3"
		printf '%s\n' "got: $1" "want: $2" | sed 's/^/# /'
	fi
}

# A tree until all of it is so old that what a run finds out of it may be kept.
wait_until_old() {
	python3 -S -c 'import os, sys, time
SECOND = 10 ** 9
def settled_ns(st): # times without a fraction may be whole seconds
    return st.st_ctime_ns + (
        SECOND // 10 if st.st_ctime_ns % SECOND else 21 * SECOND // 10)
until = max(settled_ns(os.lstat(os.path.join(top, n)))
            for top, _, names in os.walk(sys.argv[1]) for n in names)
while (left := until - time.time_ns()) > 0:
    time.sleep(left / SECOND)' "$1"
}

stage_count() {
	sed -n "/^{\"name\":\"$2\",/{s/.*\"$3\":\([0-9]*\).*/\1/p;q}" "$1"
}

done_testing() {
	echo "1..$n"
}
