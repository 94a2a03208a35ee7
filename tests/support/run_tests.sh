#!/bin/bash
# SPDX-License-Identifier: MIT
#
# Runs test programs and shell tests, JOBS at a time, and prints one line for
# each, in the order given; what a test wrote is shown only when it failed.
#
#   tests/support/run_tests.sh PROGRAM...
#
# A test passes or fails by its TAP lines (`ok`, `not ok`, `# SKIP`) and by
# its exit code; one without TAP lines counts as one (exit 77: skipped). Each
# gets a scratch folder of its own as TMPDIR, and no input.
#
# Environment: TIME_LIMIT  seconds for one test (120; 300 with a sanitizer), on
#                          a machine with nothing else to do: see
#                          tool_within.c
#              JOBS        tests at a time (number of processors)
#              WRAP        command in front of each compiled test (valgrind)
#              TALLY       file to which a line `passed failed skipped` is added
#              MODE BUILD  what is tested; handed on, with BALE, to shell tests

set -u

case ${MODE:-} in
asan | tsan | cover) standard_limit=300 ;; # several times slower
*) standard_limit=120 ;;
esac
export TIME_LIMIT=${TIME_LIMIT:-$standard_limit}
export MODE=${MODE:-release} BUILD=${BUILD:-build} WRAP=${WRAP:-}
export BALE=${BALE:-$BUILD/$MODE/bale}
export CMOCKA_MESSAGE_OUTPUT=TAP LC_ALL=C.UTF-8
export PYTHONDONTWRITEBYTECODE=1 # a test leaves nothing in the source tree
jobs=${JOBS:-$(nproc)}
within=$BUILD/$MODE/tests/support/tool_within
[ -x "$within" ] || {
	echo "there is no $within: make tests" >&2
	exit 1
}

# A python3 that is a script which looks for the real one would do so each time.
python=$(python3 -c 'import sys; print(sys.executable)' 2>/dev/null)
[ ! -x "$python" ] || export PATH="${python%/*}:$PATH"

# Recovering from a sanitizer's finding would hide it in a worker process.
export ASAN_OPTIONS=${ASAN_OPTIONS:-detect_leaks=1:abort_on_error=0:exitcode=99}
export UBSAN_OPTIONS=${UBSAN_OPTIONS:-print_stacktrace=1:halt_on_error=1}
export TSAN_OPTIONS=${TSAN_OPTIONS:-halt_on_error=1:exitcode=99}

case $BALE in
/*) ;;
*) BALE=$PWD/$BALE ;;
esac
case $within in
/*) ;;
*) within=$PWD/$within ;;
esac
export within

# Where the machine lacks a layer of the sandbox, its own tests alone say so.
case $MODE in
asan | tsan | cover) ;;
*)
	[ ! -x "$BALE" ] ||
		"$BALE" --version | grep -q ' landlock seccomp capabilities$' ||
		export BALE_SANDBOX=off
	;;
esac

scratch=$(mktemp -d "${TMPDIR:-/tmp}/bale-tests.XXXXXX") || exit 1
export scratch
passed=0 failed=0 skipped=0
# However it ends, what is known is counted.
clean_up() {
	kill $(jobs -p) 2>/dev/null
	rm -rf "$scratch"
	[ -z "${TALLY:-}" ] || echo "$passed $failed $skipped" >>"$TALLY"
}
trap clean_up EXIT
trap 'exit 130' INT TERM

# Runs test number $1, the program $2: output to N.out, `code ms` to N.done.
run_one() {
	local n=$1 program=$2 start end code
	local -a command=("$program")

	mkdir "$scratch/$n.tmp"
	case $program in
	/*) ;;
	*) command=("./$program") ;;
	esac
	if [ -n "$WRAP" ] && [ "${program%.sh}" = "$program" ]; then
		# shellcheck disable=SC2206  # words are wanted
		command=($WRAP "${command[@]}")
	fi
	if [ "$MODE" = tsan ] && setarch -R true 2>/dev/null; then
		# ThreadSanitizer does not know layouts with much randomness.
		command=(setarch -R "${command[@]}")
	fi
	start=$(date +%s%N)
	env -u TALLY -u MAKEFLAGS -u MAKELEVEL TMPDIR="$scratch/$n.tmp" \
		XDG_STATE_HOME="$scratch/$n.tmp/state" \
		XDG_CACHE_HOME="$scratch/$n.tmp/cache" \
		"$within" "$TIME_LIMIT" "${command[@]}" \
		>"$scratch/$n.out" 2>&1 </dev/null
	code=$?
	end=$(date +%s%N)
	chmod -R u+rwX "$scratch/$n.tmp" 2>/dev/null
	rm -rf "$scratch/$n.tmp"
	echo "$code $(((end - start) / 1000000))" >"$scratch/$n.part"
	mv "$scratch/$n.part" "$scratch/$n.done"
}
export -f run_one

mkfifo "$scratch/never" || exit 1 # nobody writes to it
n=0
for program in "$@"; do
	n=$((n + 1))
	printf '%d\0%s\0' "$n" "$program"
done >"$scratch/list"
xargs -0 -r -n 2 -P "$jobs" bash -c 'run_one "$@"' run_one <"$scratch/list" &

n=0 broken=
for program in "$@"; do
	n=$((n + 1))
	until [ -e "$scratch/$n.done" ]; do
		read -r -t 0.05 <>"$scratch/never"
	done
	read -r code ms <"$scratch/$n.done"
	out=$scratch/$n.out
	skip=$(grep -aciE '^(not )?ok\b.*# *skip' "$out")
	good=$(grep -aE '^ok\b' "$out" | grep -aicvE '# *skip')
	bad=$(grep -aE '^not ok\b' "$out" | grep -aicvE '# *skip')

	note=
	if [ "$code" = 124 ] || [ "$code" = 137 ]; then
		note="ended after ${TIME_LIMIT} s"
	elif [ "$code" != 0 ] && [ "$code" != 77 ]; then
		note="exit $code"
	fi
	if [ $((good + bad + skip)) = 0 ]; then
		case $code in
		0) good=1 ;;
		77) skip=1 ;;
		esac
	fi
	# A test that died half-way has said nothing of the rest.
	if [ -n "$note" ] && [ "$bad" = 0 ]; then
		bad=1
	fi
	passed=$((passed + good))
	failed=$((failed + bad))
	skipped=$((skipped + skip))

	name=${program#"$BUILD/$MODE/"}
	word=PASS
	[ "$bad" = 0 ] || word=FAIL
	line=$(printf '  %s    %-40s %4d passed' $word "$name" "$good")
	[ "$bad" = 0 ] || line+=", $bad failed"
	[ "$skip" = 0 ] || line+=", $skip skipped"
	line+=$(printf '  (%d.%02d s)' $((ms / 1000)) $((ms % 1000 / 10)))
	[ -z "$note" ] || line+=" $note"
	echo "$line"
	if [ "$bad" != 0 ]; then
		broken+=" $name"
		grep -avE '^ok\b' "$out" | tail -n 200 | sed 's/^/        | /'
	fi
done
wait

sum="$passed passed, $failed failed"
[ "$skipped" = 0 ] || sum+=", $skipped skipped"
[ -z "$broken" ] || echo "failed in:$broken"
[ $((passed + failed)) != 0 ] || echo 'no test ran'
echo "$sum"
[ "$failed" = 0 ] && [ "$passed" != 0 ]
