# SPDX-License-Identifier: MIT
# shellcheck shell=bash
#
# What the tests of the whole program share; sourced by them, never run.
#
#   begin NAME; ...; end     one TAP line, `ok` if nothing in between complained
#   run CODE ARGS...         bale with these arguments has to exit with CODE,
#                            leaving nothing behind; ./out and ./err are what
#                            it said
#   is COMMAND...            has to succeed
#   says PATTERN             ./err has to have a line like that
#   same A B                 two files have to have the same bytes
#   skip NAME WHY            one TAP line `# SKIP`
#   $within S COMMAND        124 if it is not done in S seconds, more where the
#                            machine is busy (tool_within.c)
#   ask EXPRESSION           what python3 makes of it, r being ./report.json;
#                            after start_asking, one process for all of them
#   patience S               prints so many seconds, more where the machine is
#                            busy, for an option of bale
#
# Nothing behind means, after every run: no process of its group, no shared
# memory, no temporary file beside an output or in $TMPDIR.
#
# What a test waits for has no limit of its own: run_tests.sh has one for all
# of it. Nobody waits for time to pass, but at random where that is the point.

set -u

: "${BALE:?make runs the tests}" "${MODE:=release}"
[ -x "$BALE" ] || {
	echo "no program at $BALE" >&2
	exit 1
}
repository=$PWD
tools=${BALE%/*}/tests/support
within=$tools/tool_within
T=${TMPDIR:-/tmp}/bale-system.$$
n=0 failed=0 why=
limit=60 # seconds for one run

mkdir "$T" && cd "$T" || exit 1
export TMPDIR=$T/tmp XDG_CACHE_HOME=$T/cache
export BALE_PATHS=cwd # so that a test finds what an output names
mkdir "$TMPDIR"
complain() {
	why+="# $*"$'\n'
}

begin() {
	name=$* why=
}

end() {
	n=$((n + 1))
	if [ -z "$why" ]; then
		echo "ok $n - $name"
	else
		failed=1
		echo "not ok $n - $name"
		printf '%s' "$why"
	fi
}

skip() {
	n=$((n + 1))
	echo "ok $n - $1 # SKIP $2"
}

# No trap does this: a forked shell that is ended before it is somebody else
# would run it, too. run_tests.sh clears up after who does not get here.
finish() {
	echo "1..$n"
	cd / && chmod -R u+rwX "$T" && rm -rf "$T"
	exit $failed
}

is() {
	local said

	said=$("$@" 2>&1) || complain "failed: $*: $(head -c 500 <<<"$said")"
}

same() {
	cmp -s -- "$1" "$2" || complain "$1 and $2 differ"
}

says() {
	grep -aqE -- "$1" err ||
		complain "stderr has no /$1/ but: $(head -c 300 err)"
}

# Processes of a group that still run; a zombie waits for its new parent only.
group_members() {
	local stat rest
	local -a field

	for stat in /proc/[0-9]*/stat; do
		{ read -r rest <"$stat"; } 2>/dev/null || continue
		read -ra field <<<"${rest##*) }"
		if [ "${field[2]}" = "$1" ] && [ "${field[0]}" != Z ] &&
			[ "${field[0]}" != X ]; then
			stat=${stat%/stat}
			echo "${stat#/proc/}"
		fi
	done
}

# no_memory_left: objects of bale outlive the moment between their making and
# unlinking, which for a process that still runs, somebody else's, may be long.
no_memory_left() {
	local f owner

	for f in /dev/shm/bale.*; do
		owner=${f#/dev/shm/bale.}
		while [ -e "$f" ] && [ -e "/proc/${owner%%.*}" ]; do
			sleep 0.02
		done
		[ ! -e "$f" ] || complain "shared memory left: $f"
	done
}

# nothing_left GROUP: what every run has to leave behind. It follows each of
# them: without a process of the group, nobody looks through all there are.
nothing_left() {
	local left=

	if kill -0 -- "-$1" 2>/dev/null; then
		left=$(group_members "$1")
	fi
	[ -z "$left" ] || complain "processes left: $left"
	no_memory_left
	left=$(exec find . -name '.*.tmp' -o -path './tmp/*' 2>/dev/null)
	[ -z "$left" ] || complain "files left: ${left:0:300}"
}

# The program; a sanitizer's finding is never the answer that is wanted.
run() {
	local want=$1 code group
	shift

	"$within" "$limit" ${wrap[@]+"${wrap[@]}"} "$BALE" "$@" \
		>out 2>err &
	group=$!
	wait $group
	code=$?
	judge "$want" $code $group "$*"
}

# judge CODE GOT GROUP ARGS
judge() {
	[ "$1" = "$2" ] || {
		complain "exit code $2, not $1: bale $4"
		complain "$(head -c 1000 err | tr '\n' '|')"
	}
	if grep -aqE 'Sanitizer|runtime error:' err; then
		complain "$(grep -aE -A 12 'Sanitizer|runtime error:' err |
			head -c 2000 | tr '\n' '|')"
	fi
	nothing_left "$3"
}

# A number of the report: figure FILE KEY, of the first such key.
figure() {
	grep -aoE "\"$2\":[0-9]+" "$1" | head -n 1 | cut -d : -f 2
}

# Deaths of workers, by the report.
deaths() {
	local sum=0 one

	for one in $(grep -aoE '"deaths":[0-9]+' "$1" | cut -d : -f 2); do
		sum=$((sum + one))
	done
	echo $sum
}

start_asking() {
	coproc asker {
		exec python3 -u -c 'import json, os, sys
for line in sys.stdin:
    with open("report.json") as report:
        r = json.load(report)
    print(eval(line))'
	}
	exec {asking}>&"${asker[1]}" {answers}<&"${asker[0]}"
}

ask() {
	local answer

	printf '%s\n' "${1//$'\n'/ }" >&"$asking"
	IFS= read -r answer <&"$answers"
	echo "$answer"
}

patience() {
	"$within" -n "$1"
}

is_root() {
	[ "$(id -u)" = 0 ]
}

# Whether mounts of our own are possible here.
can_mount() {
	unshare -m true 2>/dev/null
}

declare -a wrap=()

# ------------------------------------------------ runs that are disturbed --

# start ARGS...: bale in a group of its own; $pid is the supervisor's and the
# group's. Signals that the shell ignores for jobs in the background are not.
start() {
	setsid env --default-signal ${wrap[@]+"${wrap[@]}"} "$BALE" "$@" \
		>out 2>err &
	pid=$!
	became_bale
}

# Returns when $pid is no longer the shell that is to become it.
became_bale() {
	local comm=bash

	while [ "$comm" != bale ] && [ -n "$comm" ]; do
		comm=
		{ read -r comm </proc/$pid/comm; } 2>/dev/null
	done
}

# await: waits for it; $code is how it ended, 99: not in time.
await() {
	local in_time=1

	{
		"$within" "$limit" -p $pid || in_time=0
		[ $in_time = 1 ] || kill -KILL -- -$pid
		wait $pid
		code=$?
	} 2>/dev/null
	[ $in_time = 1 ] || code=99
}

# worker NAME: the process of the group that has this name, as in the log.
worker() {
	local comm stat rest
	local -a field

	for comm in /proc/[0-9]*/comm; do
		{ read -r rest <"$comm"; } 2>/dev/null || continue
		[ "$rest" = "bale:$1" ] || continue
		stat=${comm%comm}stat
		{ read -r rest <"$stat"; } 2>/dev/null || continue
		read -ra field <<<"${rest##*) }"
		if [ "${field[2]}" = "$pid" ]; then
			stat=${stat#/proc/}
			echo "${stat%/stat}"
			return 0
		fi
	done
	return 1
}

# nap_random MILLISECONDS: less than that, for a moment that nobody has chosen
nap_random() {
	nap $((RANDOM % $1))
}

# Whether all processes of a group sleep: nothing can go on without others.
is_calm() {
	local one rest

	for one in $(group_members "$1"); do
		{ read -r rest <"/proc/$one/stat"; } 2>/dev/null || return
		[[ ${rest##*) } = S* ]] || return
	done
}

# Until it is so, at three looks.
until_calm() {
	local calm=0

	while [ $calm -lt 3 ]; do
		sleep 0.02
		is_calm "$1" && calm=$((calm + 1)) || calm=0
	done
}

# Whether that worker has begun: then it has shut itself in.
has_begun() {
	grep -q '^Seccomp:.2' "/proc/$1/status" 2>/dev/null
}

# nap MILLISECONDS
nap() {
	sleep "$(printf '%d.%03d' $(($1 / 1000)) $(($1 % 1000)))"
}
