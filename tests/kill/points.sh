#!/bin/bash
# SPDX-License-Identifier: MIT
#
# In a build with fault points (MODE=debug or asan): each point of each worker
# fails at each of its first passes (HITS, 2), by kill, segv and stop. The
# output is that of an undisturbed run.

BALE=${BALE:-$PWD/${BUILD:-build}/${MODE:-release}/bale}
# shellcheck source=tests/system/lib.sh
. tests/system/lib.sh
hits=${HITS:-2}

if ! grep -aq BALE_FAULT "$BALE"; then
	skip 'fault points' 'there are none in this build: use MODE=debug'
	finish
fi

# All points, as "worker:point".
points=()
mapfile -t common < <(grep -ohE 'FAULT\("[a-z_]+"\)' \
	"$repository/stages/worker.c" | cut -d '"' -f 2)
for stage in collect chunk count dedup select format; do
	files=("$repository/stages/$stage"/*.c)
	[ $stage != collect ] || files+=("$repository/stages/worker_lanes.c")
	mapfile -t own < <(grep -ohE 'FAULT\("[a-z_]+"\)' "${files[@]}" |
		cut -d '"' -f 2)
	for point in "${common[@]}" "${own[@]}"; do
		case $stage in
		chunk | count) points+=("$stage.0:$point") ;;
		*) points+=("$stage:$point") ;;
		esac
	done
done

mkdir tree
"$tools/tool_tree" many tree 30 7
"$tools/tool_tree" text tree/large.c 700000
: >tree/empty
# repaired: one whole, one whose mistake comes with its second part
for _ in $(seq 9); do printf '\303\251'; done >tree/mistake.c
printf ' \377\n' >>tree/mistake.c
"$tools/tool_tree" text tree/mistakes.c 300000
printf '/* \342\202 */\n' >>tree/mistakes.c
cp tree/d00/f00000.c tree/z-again.c
# many signatures, whose tokens are estimates in the first plan
for i in 1 2 3; do
	seq 400 | awk -v i="$i" '{
		printf "int value_%d_%d(int a) { return a * %d; }\n", i, $1, $1
	}' >"tree/value_$i.c"
done
# of these three the last is kept
sed 's/$/\r/' tree/d01/f00001.c >tree/d00/test_again.c
cp tree/d01/f00001.c tree/main.c
find tree -exec touch -d '2024-01-02 03:04:05 UTC' {} +
if command -v git >/dev/null; then
	export HOME=$PWD GIT_AUTHOR_NAME=a GIT_AUTHOR_EMAIL=a@b
	export GIT_COMMITTER_NAME=a GIT_COMMITTER_EMAIL=a@b
	git init -q tree
	git -C tree add .
	git -C tree commit -q -m 'all of it'
fi
for budget in all 10000; do
	run 0 pack tree --budget $budget -q --workers 2 -o want-$budget.md
done

# fail_once POINT HIT ACTION BUDGET
fail_once() {
	local died

	rm -f file.md report.json
	export BALE_FAULT=$1:$2:$3
	run 0 pack tree --budget "$4" -q --workers 2 --stage-timeout 1 \
		--log-level error -o file.md --report report.json
	unset BALE_FAULT
	same file.md "want-$4.md"
	died=$(deaths report.json)
	[ "$died" -le 1 ] || complain "$1:$2:$3 gave $died deaths"
	happened=$((happened + died))
}

for budget in all 10000; do
	for point in "${points[@]}"; do
		begin "fails once at $point, $budget"
		happened=0
		for ((hit = 1; hit <= hits; hit++)); do
			fail_once "$point" $hit kill $budget
			fail_once "$point" $hit segv $budget
		done
		[ $budget = all ] || fail_once "$point" 2 stop $budget
		total=$((${total:-0} + happened))
		name+=": $happened deaths"
		case $budget:$point in
		all:collect:gather | all:collect:history*) ;;
		all:select:planned | all:select:ranked | all:select:twins_ranked) ;;
		*:collect:history*) [ -d tree/.git ] && is [ $happened -ge 2 ] ;;
		# of --split alone: tests/system/test_pack_split.sh
		*:format:part_written) ;;
		# which lane a large file takes is open
		*:carried) ;;
		# and whether one of two has nothing to do
		*:lanes_asked) ;;
		*) is [ $happened -ge 2 ] ;;
		esac
		end
	done
done
begin 'the points were really passed'
is [ "$total" -ge $((${#points[@]} * hits)) ]
end

finish
