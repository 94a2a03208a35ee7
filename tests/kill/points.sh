#!/bin/bash
# SPDX-License-Identifier: MIT
#
# In a build with fault points (MODE=debug or asan): each point of each worker
# fails at each of its first passes (HITS, 4), by kill, segv and stop. The
# output is that of an undisturbed run. Then points that fail every time: the
# file in work is left out, is named, and costs no other file.

BALE=${BALE:-$PWD/${BUILD:-build}/${MODE:-release}/bale}
# shellcheck source=tests/system/lib.sh
. tests/system/lib.sh
hits=${HITS:-4}

if ! grep -aq BALE_FAULT "$BALE"; then
	skip 'fault points' 'there are none in this build: use MODE=debug'
	finish
fi

# All points, as "worker:point".
points=()
mapfile -t common < <(grep -ohE 'FAULT\("[a-z_]+"\)' \
	"$repository/stages/worker.c" | cut -d '"' -f 2)
for stage in collect chunk count dedup select format; do
	mapfile -t own < <(grep -ohE 'FAULT\("[a-z_]+"\)' \
		"$repository/stages/$stage"/*.c | cut -d '"' -f 2)
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
cp tree/d00/f00000.c tree/z-again.c
find tree -exec touch -d '2024-01-02 03:04:05 UTC' {} +
for budget in all 30000; do
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

for budget in all 30000; do
	for point in "${points[@]}"; do
		begin "fails once at $point, $budget"
		happened=0
		for ((hit = 1; hit <= hits; hit++)); do
			fail_once "$point" $hit kill $budget
			fail_once "$point" $hit segv $budget
		done
		fail_once "$point" 2 stop $budget
		total=$((${total:-0} + happened))
		name+=": $happened deaths"
		case $budget:$point in
		all:collect:gather | all:select:planned) ;;
		*:read_part | *:carried) is [ $happened -ge 2 ] ;;
		*:publish | *:published) is [ $happened -ge 2 ] ;;
		*) is [ $happened -ge 2 ] ;;
		esac
		end
	done
done
begin 'the points were really passed'
is [ "$total" -ge $((${#points[@]} * hits)) ]
end

# -------------------------------------------------------------- poison --

mkdir few
for i in 1 2 3 4 5 6; do
	"$tools/tool_tree" text few/$i.c $((i * 3000))
	echo "// $i" >>few/$i.c
done
find few -exec touch -d '2024-01-02 03:04:05 UTC' {} +

# poison POINT HIT ACTION: what is named is left out, all else is as if it
# had not been there.
poison() {
	local path
	local -a gone

	rm -rf file.md report.json rest
	export BALE_FAULT=$1:$2:$3
	timeout 60 "$BALE" pack few --budget all -q --workers 1 -o file.md \
		--report report.json 2>err
	code=$?
	unset BALE_FAULT
	nothing_left $$.none
	mapfile -t gone < <(grep -F '"reason":"poison"' report.json \
		2>/dev/null | cut -d '"' -f 4)
	case $code in
	0)
		is [ ${#gone[@]} = 0 ]
		same file.md want-few.md
		return
		;;
	3) is [ ${#gone[@]} -ge 1 ] ;;
	6) # all that comes later fails as well: giving up is right
		is [ ! -e file.md ]
		gave_up=$((gave_up + 1))
		return
		;;
	*) complain "$1:$2:$3: exit code $code: $(head -c 500 err)" ;;
	esac
	poisoned=$((poisoned + 1))
	cp -a few rest
	for path in "${gone[@]}"; do
		says "$path"
		rm -f "rest/${path#few/}"
	done
	if [ ${#gone[@]} -lt 6 ]; then
		mv few kept
		mv rest few
		timeout 60 "$BALE" pack few --budget all -q --workers 1 \
			-o lacks.md 2>/dev/null
		rm -rf few
		mv kept few
		cmp -s file.md lacks.md ||
			complain "$1:$2:$3 without ${gone[*]}: the rest differs"
	fi
	# and with --strict nothing of it
	rm -f file.md
	export BALE_FAULT=$1:$2:$3
	timeout 60 "$BALE" pack few --budget all -q --workers 1 -o file.md \
		--strict 2>err
	code=$?
	unset BALE_FAULT
	[ $code = 3 ] || complain "$1:$2:$3 --strict: exit code $code"
	is [ ! -e file.md ]
}

run 0 pack few --budget all -q --workers 1 -o want-few.md
for point in collect:open chunk.0:cut count.0:counted dedup:deduped \
	select:selected format:written; do
	begin "fails always at $point"
	poisoned=0 gave_up=0
	for hit in 1 2 3 4 5 6 7 8; do
		poison $point $hit 'segv!'
	done
	name+=": $poisoned left out, $gave_up given up"
	case $point in
	collect* | chunk* | count*) is [ $poisoned -ge 1 ] ;;
	esac
	end
done
finish
