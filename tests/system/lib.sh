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
#
# Nothing behind means, after every run: no process of its group, no shared
# memory, no temporary file beside an output or in $TMPDIR.

set -u

: "${BALE:?make runs the tests}" "${MODE:=release}"
repository=$PWD
tools=${BALE%/*}/tests
T=${TMPDIR:-/tmp}/bale-system.$$
n=0 failed=0 why=
limit=60

mkdir "$T" && cd "$T" || exit 1
export TMPDIR=$T/tmp
mkdir "$TMPDIR"
trap 'cd /; chmod -R u+rwX "$T" 2>/dev/null; rm -rf "$T"' EXIT

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

finish() {
	echo "1..$n"
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

# Objects of bale that outlive the moment between their making and unlinking.
shared_memory() {
	local f g

	for f in /dev/shm/bale.*; do
		[ -e "$f" ] || continue
		sleep 0.2
		for g in /dev/shm/bale.*; do
			[ "$f" != "$g" ] || echo "$f"
		done
	done 2>/dev/null
}

# nothing_left GROUP: what every run has to leave behind.
nothing_left() {
	local left

	left=$(group_members "$1")
	[ -z "$left" ] || complain "processes left: $left"
	left=$(shared_memory)
	[ -z "$left" ] || complain "shared memory left: $left"
	left=$(find . -name '.*.tmp' -o -path './tmp/*' 2>/dev/null | head -n 5)
	[ -z "$left" ] || complain "files left: $left"
}

# The program; a sanitizer's finding is never the answer that is wanted.
run() {
	local want=$1 code group
	shift

	timeout -k 5 "$limit" ${wrap[@]+"${wrap[@]}"} "$BALE" "$@" \
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

is_root() {
	[ "$(id -u)" = 0 ]
}

# Whether mounts of our own are possible here.
can_mount() {
	unshare -m true 2>/dev/null
}

declare -a wrap=()
