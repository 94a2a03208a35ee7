#!/bin/bash
# SPDX-License-Identifier: MIT
#
# The runner of the tests itself: does it count right, and can it fail?

set -u
scratch=${TMPDIR:-/tmp}/runner
mkdir -p "$scratch" || exit 1
trap 'rm -rf "$scratch"' EXIT
n=0 failed=0

# program NAME: a test program whose commands are read from the input.
program() {
	{
		echo '#!/bin/sh'
		cat
	} >"$scratch/$1"
	chmod +x "$scratch/$1"
}

on=() # what the runner is run by

# expect CODE LAST-LINE NAME...: what running the programs comes to.
expect() {
	local want=$1 last=$2 said code
	local -a paths=()
	shift 2
	[ $# = 0 ] || paths=("${@/#/$scratch/}")
	said=$(TIME_LIMIT=1 ${on[@]+"${on[@]}"} tests/support/run_tests.sh ${paths[@]+"${paths[@]}"} 2>&1)
	code=$?
	n=$((n + 1))
	if [ $code = "$want" ] && [ "${said##*$'\n'}" = "$last" ]; then
		echo "ok $n - ${*:-nothing}: $last"
	else
		failed=1
		echo "not ok $n - ${*:-nothing}: want $want, $last; got $code,"
		sed 's/^/# /' <<<"$said"
	fi
}

program good <<<'echo "ok 1 - a"; echo "ok 2 - b"'
program bad <<<'echo "ok 1 - a"; echo "not ok 2 - b"; exit 1'
program liar <<<'echo "not ok 1 - a"'
program crash <<<'echo "ok 1 - a"; kill -SEGV $$'
program plain <<<'exit 0'
program plainbad <<<'exit 3'
program skip <<<'exit 77'
program skipone <<<'echo "ok 1 - a"; echo "not ok 2 # SKIP b"'
program slow <<<'exec sleep infinity'
# Starved by eight others: it takes more than a second, and has less than one.
program starved <<'END'
for i in 1 2 3 4 5 6 7 8; do
	while :; do :; done &
	others="$others $!"
done
read -r begun rest </proc/self/schedstat
used=0
while [ "$used" -lt 300000000 ]; do
	i=0
	while [ $i -lt 1000 ]; do i=$((i + 1)); done
	read -r used rest </proc/self/schedstat
	used=$((used - begun))
done
kill $others
END
program input <<<'read -r line && exit 1; exit 0'
program scratch <<<'[ -d "$TMPDIR" ] && [ -z "$(ls "$TMPDIR")" ]'

expect 0 '2 passed, 0 failed' good
expect 1 '1 passed, 1 failed' bad
expect 1 '0 passed, 1 failed' liar
expect 1 '1 passed, 1 failed' crash
expect 0 '1 passed, 0 failed' plain
expect 1 '0 passed, 1 failed' plainbad
expect 1 '0 passed, 0 failed, 1 skipped' skip
expect 0 '1 passed, 0 failed, 1 skipped' skipone
expect 1 '0 passed, 1 failed' slow
expect 1 '0 passed, 1 failed' missing
expect 0 '2 passed, 0 failed' input scratch
expect 1 '3 passed, 1 failed' good bad
expect 1 '0 passed, 0 failed'

# One processor for all of it, which the tool that limits it has to share.
processor=$(taskset -cp $$ | sed 's/.*: //; s/[-,].*//')
if [ -r /proc/self/schedstat ] && [ -n "$processor" ]; then
	on=(taskset -c "$processor")
	expect 0 '1 passed, 0 failed' starved
	expect 1 '0 passed, 1 failed' slow
fi

# Ended from outside, it counts what it knows by then.
program ender <<END
until grep -q FAIL "$scratch/said" && [ -s "$scratch/pid" ]; do :; done
kill -TERM \$(cat "$scratch/pid")
exec sleep infinity
END
TALLY=$scratch/tally JOBS=1 TIME_LIMIT=2 tests/support/run_tests.sh "$scratch/bad" \
	"$scratch/ender" >"$scratch/said" 2>&1 &
echo $! >"$scratch/pid"
wait $!
code=$?
n=$((n + 1))
if [ $code = 130 ] && [ "$(cat "$scratch/tally")" = '1 1 0' ]; then
	echo "ok $n - ended from outside"
else
	failed=1
	echo "not ok $n - ended: code $code, tally $(cat "$scratch/tally")"
fi

echo "1..$n"
exit $failed
