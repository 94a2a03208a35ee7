#!/bin/bash
# SPDX-License-Identifier: MIT
#
# Nothing to pack, in three ways: a directory without files, one empty file, and
# files that are all ignored. Every option with each value, and every pair of
# options, is tried with them (a part of the pairs, each with one of the three;
# LONG=1: all, with all of them and all values, for preview and tree as well;
# WITH=--split: only those with an option, all of them): it ends with a code
# that docs/exit-codes.md has for that, says why, leaves the output that was
# there, and no worker dies of it.
#
# verifies: FR-016-94

# shellcheck source=tests/support/lib.sh
. tests/support/lib.sh
# shellcheck source=tests/support/options.sh
. tests/support/options.sh
command -v git >/dev/null || skip_all git is not installed
long=${LONG:-0}
with=${WITH:-}
[ -z "$with" ] || long=1
jobs=${JOBS:-$(nproc)}
every=150
[ "${MODE:-release}" != asan ] || every=470
cd "$dir" || exit 1
export HOME=$dir GIT_CONFIG_NOSYSTEM=1

# Runs that have something all the same: a log is a text of its own, a search
# names an ignored file that is there, and of everything an empty file is part.
brings='--tool |ignored.* (--search |--files-from |--no-ignore)'
brings+='|empty.* --budget all'

lines=$(option_lines pack)
is "$(grep -c ' ?$' <<<"$lines")" 0 "each option has a value to be tried with"
all_values() {
	option_lines "$1" | grep -v ' ?$'
}
# of each option the first value
one_value() {
	all_values "$1" | awk '!seen[$1]++'
}

# A folder to work in, with the three trees.
prepare() {
	mkdir "$1" && cd "$1" || exit 1
	option_files
	mkdir tmp none empty ignored ignored/src
	: >empty/void.c
	echo '*' >ignored/.gitignore
	echo 'int a;' >ignored/src/part_1.c
	echo text >ignored/notes.md
	for tree in none empty ignored; do
		(cd $tree && git init -q . && git -c user.name=a -c user.email=a@b \
			commit -q --allow-empty -m none)
	done
}

# try COMMAND TREE OPTION...: what is wrong
try() {
	local command=$1 tree=$2 code err report text
	local -a args=()
	shift 2

	for text in "$@"; do
		args+=("${text%% *}")
		[ "${text#* }" = "$text" ] || args+=("${text#* }")
	done
	text=" ${args[*]} "
	echo old >out
	rm -f report out-*
	local -a given=(--no-last --workers 1)
	[ "$command" = tree ] && given=(--workers 1)
	[ "$command" = pack ] && given+=(-o ../out --report ../report)
	[ "$command" = preview ] && given+=(--report ../report)
	(cd "$tree" && TMPDIR=../tmp exec "$within" 60 "$BALE" "$command" \
		"${given[@]}" "${args[@]}" . >../stdout 2>../err </dev/null)
	code=$?
	err=$(<err)
	report=
	[ ! -e report ] || report=$(<report)
	case $code in
	0 | 3)
		[ "$command" = tree ] || [[ $tree$text =~ $brings ]] ||
			echo "code $code of nothing"
		;;
	2) [[ $err == *--* ]] || echo "code 2 without a reason: ${err:0:200}" ;;
	5) # of --sandbox require, where a layer is missing
		[[ $err == *BALE-SBX-002* ]] || echo "code 5: ${err:0:200}"
		;;
	8) [[ $err == *BALE-BUD-* ]] || echo "code 8: ${err:0:200}" ;;
	9) [[ $err == *BALE-CTX-004* ]] || echo "code 9: ${err:0:200}" ;;
	*) echo "code $code: ${err:0:200}" ;;
	esac
	if [ $code != 0 ] && [ $code != 3 ]; then
		[ "$(<out)" = old ] || echo "code $code, and the output is new"
	fi
	# shellcheck disable=SC2076
	[[ ! $err =~ 'ended with'|'killed by'|'giving up'|Sanitizer|'runtime error' ]] ||
		echo "a worker died: ${err:0:300}"
	[[ ! $report =~ \"deaths\":[1-9] ]] || echo "deaths in the report"
	set -- tmp/* .*.tmp
	[ "$*" = 'tmp/* .*.tmp' ] || echo "left: $*"
}

# Every jobs-th of what is to be tried, from number $1 on; two lines for each
# that is wrong.
trees=(none empty ignored)
work() {
	local n=0 why
	local -a run

	prepare "work.$1"
	while IFS=$'\t' read -r -a run; do
		n=$((n + 1))
		[ $((n % jobs)) = "$1" ] || continue
		why=$(try "${run[@]}")
		[ -z "$why" ] || printf '%s\n' "bale ${run[*]}: $why"
	done <../runs
}

# COMMAND TREE OPTION..., separated by tabs: with each tree, or with one of them.
run_nr=0
runs_of() {
	local command=$1 tree
	shift

	run_nr=$((run_nr + 1))
	for tree in "${trees[@]}"; do
		[ "$long" != 0 ] || [ "$command" = pack ] && [ $# = 1 ] ||
			[ "$tree" = "${trees[run_nr % 3]}" ] || continue
		printf '%s\t' "$command" "$tree"
		[ $# = 1 ] || printf '%s\t' "$1"
		printf '%s\n' "${@: -1}"
	done
}
singles() {
	local line

	while read -r line; do
		runs_of "$1" "$line"
	done < <(all_values "$1")
}
pairs() {
	local i j k=0
	local -a line

	mapfile -t line <<<"$2"
	for ((i = 0; i < ${#line[@]}; i++)); do
		for ((j = i + 1; j < ${#line[@]}; j++)); do
			[ "${line[i]%% *}" != "${line[j]%% *}" ] || continue
			k=$((k + 1))
			[ "$long" != 0 ] || [ $((k % every)) = 0 ] || continue
			runs_of "$1" "${line[i]}" "${line[j]}"
		done
	done
}
{
	singles pack
	singles preview
	singles tree
	if [ "$long" = 0 ]; then
		pairs pack "$(one_value pack)"
	else
		pairs pack "$(all_values pack)"
		pairs preview "$(all_values preview)"
		pairs tree "$(all_values tree)"
	fi
} | grep -e "	$with" >runs
for ((i = 0; i < jobs; i++)); do
	work $i >wrong.$i &
done
wait
is "$(cat wrong.*)" "" "$(wc -l <runs) runs with nothing to pack"
done_testing
