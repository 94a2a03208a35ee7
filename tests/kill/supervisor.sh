#!/bin/bash
# SPDX-License-Identifier: MIT
#
# In a build with fault points (MODE=debug or asan): at each step of the
# supervisor, and of the other commands that write files, comes SIGINT, SIGTERM,
# SIGHUP, two of them, or SIGKILL; with nameless files and without. It ends by
# that signal and all is as it was before; or the result stood already, and it
# is there, with the exit code of it. What a SIGKILL leaves the next run removes.
#
# HITS (2): how often a step is passed before

BALE=${BALE:-$PWD/${BUILD:-build}/${MODE:-release}/bale}
# shellcheck source=tests/system/lib.sh
. tests/system/lib.sh
hits=${HITS:-2}

if ! grep -aq BALE_FAULT "$BALE"; then
	skip 'fault points' 'there are none in this build: use MODE=debug'
	finish
fi

mkdir tree
"$tools/tool_tree" many tree 40 7
"$tools/tool_tree" text tree/large.c 300000
git init -q tree 2>/dev/null

# ------------------------------------------------------------------- scenes --
# Each: how ./made is before (set_up), what is run (command), and how ./made is
# to be after (is_done); is_done may look at want/, what came of a quiet run.

common=(-q --workers 2 --log-level error)
reports=(--report made/report.json --metrics made/metrics --audit-log made/audit)

old_reports() {
	local file

	for file in report.json metrics audit; do
		echo "old $file" >made/$file
	done
}

is_reported() {
	is grep -q '"wall_ns"' made/report.json
	is grep -q '^# EOF' made/metrics
	is [ "$(head -n 1 made/audit)" = 'old audit' ]
	is [ "$(grep -c '"event":"end"' made/audit)" = 1 ]
}

set_up_file() {
	echo old >made/o.md
	old_reports
}
command_file=(pack tree --budget all -o made/o.md "${common[@]}" "${reports[@]}")
is_done_file() {
	same made/o.md want/o.md
	is_reported
}

set_up_zst() {
	echo old >made/o.md.zst
}
command_zst=(pack tree --budget all -o made/o.md.zst "${common[@]}" --explain)
is_done_zst() {
	same made/o.md.zst want/o.md.zst
}

set_up_parts() {
	"$BALE" pack tree --budget all --split 5000 -o made/o.md -q --no-last
	old_reports
}
command_parts=(pack tree --budget all --split 9000 -o made/o.md
	"${common[@]}" "${reports[@]}")
is_done_parts() {
	is "$BALE" verify made/o.md.manifest.json
	is_reported
	rm -f made/{report.json,metrics,audit}
	is diff <(ls made) <(ls want | grep '^o[-.]')
	is diff made/o-001.md want/o-001.md
}

set_up_first() {
	:
}
command_first=(pack tree --budget 10000 -o made/o.md "${common[@]}"
	--query 'static int' --tool log)
is_done_first() {
	same made/o.md want/o.md
}

set_up_preview() {
	echo old >made/plan.json
}
command_preview=(preview tree --budget 10000 --json -o made/plan.json
	"${common[@]}")
is_done_preview() {
	is grep -q '"wall_ns"' made/plan.json
}

set_up_html() {
	echo old >made/page.html
}
command_html=(report report.json --html made/page.html)
is_done_html() {
	is grep -q '</html>' made/page.html
}

set_up_unpack() {
	mkdir made/tree
	echo old >made/tree/large.c
}
# its jail lets no signal of a fault point out
command_unpack=(unpack o.md -C made -q --force --no-sandbox)
is_done_unpack() {
	is diff -r -x .git tree made/tree
}

set_up_window() {
	"$BALE" window made/w.json add --content one >id
}
command_window=(window made/w.json add --content two)
is_done_window() {
	is grep -q two made/w.json
}

set_up_window_new() {
	:
}
command_window_new=(window made/w.json add --content two)
is_done_window_new() {
	is grep -q two made/w.json
}

# ------------------------------------------------------------------- matrix --

# Steps that come when the result stands.
stands() {
	case $1:$2 in
	unpack:* | window*:*) false ;;
	*:sidecars_committed | *:output_committed | *:committed | *:last_kept | *:told | \
		*:torn_down | *:done | *:manifest_moved) true ;;
	*) false ;;
	esac
}

begin_run() {
	rm -rf made && mkdir made
	"set_up_$1"
	rm -rf before && cp -a made before
}

# act SCENE POINT HIT ACTION: the run; $code, and whether it came so far
act() {
	local -n args=command_$1

	begin_run "$1"
	export BALE_FAULT=bale:$2:$3:$4
	start "${args[@]}"
	unset BALE_FAULT
}

# judge_signal SCENE POINT WANT: died of it, or the result stood
judge_signal() {
	if [ "$code" = "$3" ]; then
		died=$((died + 1))
		case $1 in
		# what was whole by then is there
		unpack) is [ -z "$(find made -name '.*')" ] ;;
		window*) diff -r before made >/dev/null || "is_done_$1" ;;
		*) is diff -r before made ;;
		esac
		! stands "$1" "$2" || complain "$2: died, and the result stood"
	elif [ "$code" = 0 ]; then
		"is_done_$1"
	else
		complain "$1, $2: exit code $code: $(head -c 300 err)"
	fi
	nothing_left $pid
}

# The next run removes what a killed one left, whatever that was.
judge_killed() {
	local -n args=command_$1
	local left

	if [ "$code" = 137 ]; then
		killed=$((killed + 1))
		# what is there under a name of its own is whole
		case $1 in
		file | first) cmp -s made/o.md before/o.md ||
			cmp -s made/o.md want/o.md || [ ! -e made/o.md ] ||
			complain "$2: made/o.md is neither old nor new" ;;
		parts) [ ! -e made/o.md.manifest.json ] ||
			is "$BALE" verify made/o.md.manifest.json ;;
		esac
	elif [ "$code" != 0 ]; then
		complain "$1, $2: exit code $code: $(head -c 300 err)"
	fi
	for _ in $(seq 40); do
		[ -n "$(group_members $pid)" ] || break
		nap 25
	done
	# of the reports only what this run wrote counts
	[ -e made/audit ] && echo 'old audit' >made/audit
	[ "$1" = window_new ] && rm -f made/w.json
	"${wrap[@]}" "$BALE" "${args[@]}" >again 2>&1 ||
		complain "$1, $2: the next run fails: $(head -c 300 again)"
	"is_done_$1"
	nothing_left $pid
	left=$(find made -name '.*')
	[ -z "$left" ] || complain "$1, $2: left for ever: $left"
}

# Steps between which names change: a signal waits until all have changed back.
changes_names() {
	case $1 in
	file_linked | file_renamed | part_moved | part_moved_back | \
		parts_moved | parts_restored | manifest_moved | \
		audit_appended | ready | sidecars_committed | \
		output_committed) true ;;
	*) false ;;
	esac
}

# twice SCENE POINT: stands still there; a first signal, at once a second one
twice() {
	until grep -aq '^fault: waits' err || [ -z "$(group_members $pid)" ]; do
		nap 5
	done
	kill -INT $pid 2>/dev/null
	kill -INT $pid 2>/dev/null
	await 10
	[ $code != 99 ] || complain "$1, $2: goes on after two signals"
	judge_signal "$1" "$2" 130
}

# once SCENE POINT HIT SIGNAL
once() {
	act "$1" "$2" "$3" "${4%:*}"
	await 20
	if [ "$4" = kill ]; then
		judge_killed "$1" "$2"
	else
		judge_signal "$1" "$2" "${4#*:}"
	fi
}

# steps SCENE: what it passes, as "step times"
steps() {
	local -n args=command_$1

	begin_run "$1"
	BALE_FAULT=bale:-:1:say ${wrap[@]+"${wrap[@]}"} "$BALE" \
		"${args[@]}" 2>&1 >/dev/null | grep -a '^fault: ' | cut -c 8- |
		sort | uniq -c | awk '{ print $2, $1 }'
}

matrix() {
	local scene=$1 point hit times signal

	while read -ru 9 point times; do
		begin "$scene: $point${wrap[*]:+, without nameless files}"
		died=0 killed=0
		# how often depends on when workers end: once in each run
		[ "$point" != watched ] || times=1
		for ((hit = 1; hit <= hits && hit <= times; hit++)); do
			once "$scene" "$point" $hit int:130
			once "$scene" "$point" $hit kill
			[ $hit = 1 ] || continue
			once "$scene" "$point" $hit term:143
			once "$scene" "$point" $hit hup:129
			! changes_names "$point" || continue
			act "$scene" "$point" $hit wait
			twice "$scene" "$point"
		done
		is [ $killed = $((hit - 1)) ]
		name+=": $died deaths, $killed kills"
		total=$((${total:-0} + died + killed))
		end
	done 9< <(steps "$scene")
}

echo 'tree/large.c:3: error' >log
scenes=${SCENES:-file zst parts first preview html unpack window window_new}
for way in '' "$tools/tool_no_tmpfile"; do
	wrap=(${way:+"$way"})
	for scene in $scenes; do
		rm -rf made want && mkdir made
		run 0 pack tree --budget all -o o.md -q --report report.json
		"set_up_$scene"
		declare -n args=command_$scene
		begin "$scene: undisturbed"
		run 0 "${args[@]}"
		cp -a made want
		"is_done_$scene"
		end
		matrix "$scene"
	done
done
begin 'the steps were really passed'
is [ "${total:-0}" -ge ${TOTAL:-600} ]
end
finish
