#!/bin/bash
# SPDX-License-Identifier: MIT
#
# What `make check` runs, one step after the other; goes on after a failure,
# so that one run shows all of them. Ends with the sum over all steps: a step
# that runs tests counts these, any other counts as one.
#
#   tests/support/check.sh [--long]
#
# Environment: CHECK_SKIP  steps to leave out, separated by blanks
#              TALLY       see run_tests.sh

set -u

make=${MAKE:-make}
own=
if [ -z "${TALLY:-}" ]; then
	TALLY=$(mktemp) own=1
	trap 'rm -f "$TALLY"' EXIT
fi
export TALLY
first=$(($(wc -l <"$TALLY") + 1))

# step NAME COMMAND...
step() {
	local name=$1 before=$SECONDS lines code
	shift
	case " ${CHECK_SKIP:-} " in
	*" $name "*) return ;;
	esac
	lines=$(wc -l <"$TALLY")
	echo "== $name"
	"$@" </dev/null
	code=$?
	if [ $code = 0 ] && [ "$(wc -l <"$TALLY")" = "$lines" ]; then
		echo '1 0 0' >>"$TALLY"
	elif [ $code != 0 ] && ! tail -n +$((lines + 1)) "$TALLY" |
		grep -q '^[0-9]* [1-9]'; then
		echo '0 1 0' >>"$TALLY"
	fi
	if [ $code = 0 ]; then
		echo "-- $name: passed ($((SECONDS - before)) s)"
	else
		echo "-- $name: FAILED ($((SECONDS - before)) s)"
		broken+=" $name"
	fi
}

long=
[ "${1:-}" != --long ] || long=1
broken=
step gcc "$make" MODE=release -k all tests benches
step clang "$make" -k clang-warn
step lint "$make" lint
step format "$make" format-check
step costs "$make" costs
step test "$make" test
step cover-unit "$make" cover-unit
step asan "$make" ${long:+ALL=1} asan
step tsan "$make" tsan

if [ -n "$long" ]; then
	step debug "$make" MODE=debug test
	step clang-test "$make" MODE=clang test
	step analyze "$make" analyze
	step cover "$make" cover
	step long "$make" LONG=1 test-unit test-system
	step kill "$make" test-kill
	step oracle "$make" test-oracle
	step valgrind "$make" valgrind
	step fuzz "$make" fuzz FUZZ_SECONDS="${FUZZ_SECONDS:-300}"
fi

[ -z "$broken" ] || echo "failed steps:$broken"
if [ -n "$own" ]; then
	tail -n "+$first" "$TALLY" | awk '
		{ passed += $1; failed += $2; skipped += $3 }
		END {
			printf "%d passed, %d failed", passed, failed
			if (skipped)
				printf ", %d skipped", skipped
			print ""
		}'
fi
[ -z "$broken" ]
