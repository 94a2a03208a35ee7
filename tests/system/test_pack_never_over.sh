#!/bin/bash
# SPDX-License-Identifier: MIT
#
# Random small trees, budgets, formats and sources: the output, counted by
# the definition, is never over the budget, and is what the report says.
# LONG=1: more of them.
#
# verifies: FR-016-89, FR-016-111, FR-016-112, FR-016c-16, FR-016c-18
# verifies: FR-016c-19, FR-016c-32, AC-016c-038, NFR-016-23, NFR-016-24

set -u
BALE=${BALE:-$PWD/${BUILD:-build}/${MODE:-release}/bale}
count=${BALE%/*}/tests/support/tool_count
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT
cd "$dir" || exit 1
rounds=24
[ "${LONG:-0}" = 0 ] || rounds=1000
RANDOM=20261

# SEED: a small tree of functions, prose and whatever stands in a way.
make_tree() {
	rm -rf tree && mkdir -p tree/a tree/b
	awk -v seed="$1" 'BEGIN {
		srand(seed)
		nr = split("int |x| = |0;|\n|\n|\t|return|{|}|// word |\"text\"|é|中文|😀|```|  |camelCase|SNAKE_CASE|123456|<a href=\"b\">|&amp;|-- |]]>|<|endoftext|>", piece, "|")
		files = 1 + int(rand() * 12)
		for (f = 0; f < files; f++) {
			name = "tree/" (rand() < .5 ? "a" : "b") "/f" f \
				(rand() < .5 ? ".c" : rand() < .5 ? ".md" : ".txt")
			kind = rand()
			lines = int(rand() * 90)
			for (i = 0; i <= lines; i++) {
				if (kind < .5)
					printf "int f%d(int a)\n{\n\treturn a * %d;\n}\n\n", \
						rand() * 1e6, rand() * 1e5 >name
				else if (kind < .7)
					printf "Some %d words of line %d.\n", \
						rand() * 99, i >name
				else
					for (k = 0; k < 20; k++)
						printf "%s", piece[1 + int(rand() * nr)] >name
			}
			close(name)
		}
	}'
}

formats=(markdown plain xml json jsonl)
encodings=(o200k_base cl100k_base)
over=0 wrong=0 counted=0
for round in $(seq "$rounds"); do
	[ $((round % 3)) = 1 ] && make_tree "$round"
	budget=$((200 + RANDOM % 6000))
	encoding=${encodings[RANDOM % 2]}
	args=(pack tree -q --no-config --budget $budget --reserve-response 0
		--reserve-system 0 --encoding "$encoding" --report report.json
		-o out --workers $((1 + RANDOM % 2))
		--format "${formats[round % 5]}")
	if [ $((RANDOM % 3)) = 0 ]; then
		first=$(find tree -type f | sort | head -1)
		printf '%s:3: x\n%s:9: y\n' "$first" "$first" >log
		args+=(--tool log --reference "$first:5-11")
	fi
	"$BALE" "${args[@]}" 2>err
	code=$?
	[ $code = 8 ] && continue # nothing fits
	if [ $code != 0 ]; then
		echo "# exit code $code: ${args[*]}: $(head -1 err)"
		wrong=$((wrong + 1))
		continue
	fi
	tokens=$("$count" "$encoding" <out)
	used=$(grep -o '"used":[0-9]*' report.json | head -1 | tr -dc 0-9)
	counted=$((counted + 1))
	if [ "$tokens" -gt "$budget" ]; then
		echo "# $tokens of $budget: ${args[*]}"
		over=$((over + 1))
	fi
	if [ "$tokens" != "$used" ]; then
		echo "# $used reported, $tokens counted: ${args[*]}"
		wrong=$((wrong + 1))
	fi
done
result() { [ "$1" = 1 ] && echo "ok $2" || echo "not ok $2"; }
result $((over == 0)) "1 - none of $counted outputs is over its budget"
result $((wrong == 0)) "2 - each is reported as what it counts"
result $((counted * 3 > rounds * 2)) "3 - most of $rounds rounds have an output"
echo 1..3
