#!/bin/bash
# SPDX-License-Identifier: MIT
#
# What tracked files do not contain: paths of somebody's machine, numbers of
# issues, hosts of package registries, work left to do; in tests, waits for
# time to pass and limits by the clock; identifiers and file names that have been
# given the field's own term; and what each source does contain: the SPDX line.
# Inputs and expected outputs of tests are data.

set -u
export LC_ALL=C

if git rev-parse --is-inside-work-tree >/dev/null 2>&1; then
	list=(git ls-files -z --cached --others --exclude-standard)
else
	list=(find . -type f -printf '%P\0')
fi
mapfile -d '' -t files < <("${list[@]}" |
	grep -zvE '^(tests/(fuzz/corpus|support/data|golden)/|tests/.*/(golden|fixtures|expected)/|data/)')
present=()
for f in "${files[@]}"; do
	[ -f "$f" ] && present+=("$f")
done
[ ${#present[@]} != 0 ] || exit 0

bad=0

# refuse WHAT PATTERN FILE...: complains about each line that matches.
refuse() {
	local what=$1 pattern=$2 found
	shift 2
	[ $# != 0 ] || return 0
	found=$(grep -nHIE -e "$pattern" -- "$@" </dev/null |
		cut -c 1-160 | sed "s|^|$what: |")
	if [ -n "$found" ]; then
		printf '%s\n' "$found"
		bad=1
	fi
}

refuse 'path of a machine' \
	'(^|[^A-Za-z0-9_.~})-])/(work|home|root|Users)/' "${present[@]}"
refuse 'number of an issue' \
	'([Ii]ssues?|[Tt]ickets?|PR|GH) *[-#]? *[0-9]+([^0-9A-Za-z.]|$)' \
	"${present[@]}"
refuse 'host of a registry' \
	'(npmjs|pypi|pythonhosted|rubygems|golang|debian|ubuntu|nodesource|crates)\.(org|com|io)' \
	"${present[@]}"

sources=() unfinished=()
for f in "${present[@]}"; do
	case $f in
	*.[ch] | *.sh | *.def | Makefile | .ci/run) sources+=("$f") ;;
	esac
done
# Those that look for these words in other people's files, and the tests.
for f in ${sources[@]+"${sources[@]}"}; do
	case $f in
	tests/* | bench/* | *marker* | *.def) ;;
	*) unfinished+=("$f") ;;
	esac
done
refuse 'left to do' '(^|[^A-Za-z_"])(TODO|FIXME|XXX)([^A-Za-z_"]|$)' \
	${unfinished[@]+"${unfinished[@]}"}

# Tests wait for what is to happen, looking 50 times a second, and let
# tool_within.c limit them; only what kills at random waits for random times.
shell_tests=() c_tests=()
for f in ${sources[@]+"${sources[@]}"}; do
	case $f in
	tests/lint/*) ;;
	tests/*.sh) shell_tests+=("$f") ;;
	tests/kill/kill_worker_chaos.c) ;;
	tests/*.[ch]) c_tests+=("$f") ;;
	esac
done
refuse 'a wait for time to pass' \
	'(^|[^_a-z])sleep +(0*[1-9]|0?\.(0[013-9]|02[0-9]|[1-9]))' \
	${shell_tests[@]+"${shell_tests[@]}"}
refuse 'a limit by the clock' '(^|[;&|({ 	])timeout +(-|[0-9])' \
	${shell_tests[@]+"${shell_tests[@]}"}
refuse 'a wait for time to pass' \
	'(^|[^_a-z])(usleep|nanosleep|sleep|alarm) ?\(' \
	${c_tests[@]+"${c_tests[@]}"}

# Names that were given up, as whole identifiers of the product: what stands in
# comments and texts is prose, and words that keep one meaning (head, window,
# run, made, taken, known, reach, member) are for a reader to judge.
given_up='twin_of|has_twins|select_twins_worker|parted_lines|PARTING'
given_up+='|plan_take_parted|DESC_TURN|EDGE_TURNS|plan_turns|shut_in'
given_up+='|sandbox_shut_in|source_wish|told|reason_told|run_makes'
given_up+='|chunk_made_worker|select_made|select_aim|gives|GIVES_ASKED|top_up'
given_up+='|select_top|select_least|unsaid|bury|worker_way|worker_passed'
given_up+='|plan_looked_at|asked|unasked|borders|taking|looking|telling|pasts'
given_up+='|source_ends|sames|doom|room_plan|spoil_planned|is_spoilt|DESC_SIGN'
given_up+='|behind_angles'
product=()
for f in ${sources[@]+"${sources[@]}"}; do
	case $f in
	tests/* | bench/* | tools/*) ;;
	*/western.h | */deceptive.h | */wild.h | */figures.h | */own_text.h)
		echo "name that was given up: $f"
		bad=1
		;;
	*.[ch] | *.def) product+=("$f") ;;
	esac
done
[ ${#product[@]} = 0 ] || awk -v words="(^|[^A-Za-z0-9_])($given_up)([^A-Za-z0-9_]|\$)" '
FNR == 1 { in_comment = 0 }
{
	code = $0
	if (in_comment) {
		if (!sub(/^.*\*\//, "", code))
			next
		in_comment = 0
	}
	gsub(/"(\\.|[^"\\])*"/, "", code)
	gsub(/\/\*([^*]|\*[^\/])*\*\//, "", code)
	in_comment = sub(/\/\*.*/, "", code)
	if (code ~ words) {
		printf "name that was given up: %s:%d:%s\n", FILENAME, FNR, $0
		bad = 1
	}
}
END { exit bad }' "${product[@]}" || bad=1

spdx='SPDX-License-Identifier: '
unmarked=$([ ${#sources[@]} = 0 ] || {
	grep -L -- "$spdx" "${sources[@]}"
	grep -HnoZm 1 -- "$spdx" "${sources[@]}" |
		awk 'BEGIN { FS = "\0" } $2 + 0 > 3 { print $1 }'
} </dev/null)
if [ -n "$unmarked" ]; then
	printf 'no SPDX line: %s\n' "${unmarked//$'\n'/$'\n'no SPDX line: }"
	bad=1
fi
exit $bad
