#!/bin/bash
# SPDX-License-Identifier: MIT
#
# What packing is asked for: what went in and what did not, sums that hold, a
# preview that says the same before, and an end at once when it is told to.

# shellcheck source=tests/support/lib.sh
. tests/support/lib.sh
tests=$PWD/tests
cd "$dir" || exit 1

mkdir -p tree/src tree/doc
for i in $(seq 30); do
	{
		printf '/* Part %d of the engine. */\n#include "engine.h"\n\n' "$i"
		for k in $(seq 8); do
			printf 'static int\nturn_%d_%d(int speed)\n{\n' "$i" "$k"
			printf '\tif (speed > %d)\n\t\treturn 0;\n' $((i * k))
			printf '\treturn wheel_%d(speed + %d);\n}\n\n' "$k" "$i"
		done
	} >"tree/src/part_$i.c"
	printf 'def gear_%d(n):\n    return n * %d\n\n\n' "$i" "$i" \
		>"tree/src/gear_$i.py"
done
printf '# The engine\n\nIt turns a wheel_3 as gear_7 says.\n' >tree/doc/engine.md

"$BALE" pack tree --budget 9k --reserve-response 1000 --reserve-system 500 \
	--query 'wheel_3 of the engine turns with gear_7' -q -o out.md \
	--report report.json --no-last
is $? 0 "pack"
before=$(ls -R)
plan=$("$BALE" preview tree --budget 9k --reserve-response 1000 \
	--reserve-system 500 --query 'wheel_3 of the engine turns with gear_7' \
	-q --json --no-last)
is "$? $(ls -R)" "0 $before" "preview, and no file is made" # verifies: FR-016-12
echo "$plan" >preview.json
checks=$(python3 "$tests/support/pack_contract.py" out.md report.json preview.json)
echo "$checks" | sed -E "s/^((not )?ok) [0-9]+/\1/"
n=$((n + $(echo "$checks" | grep -cE '^(not )?ok ')))
is "$(python3 -c 'import json; print(json.load(open("report.json"))["output"]["tokens"])')" \
	"$("$BALE" count out.md | awk '{ print $1; exit }')" "the tokens of the file"

# A plan for a format, and where it goes.
shape=(tree --budget 9k --reserve-response 1000 --reserve-system 500 -q --no-last)
for more in "--format xml" "--format json --tree" "--split 2000" \
	"--line-numbers --header x"; do
	# shellcheck disable=SC2086  # words
	"$BALE" pack "${shape[@]}" $more -o shaped.md --report shaped.json
	# shellcheck disable=SC2086  # words
	"$BALE" preview "${shape[@]}" $more -o plan --report plan.json
	is "$? $(python3 -c 'import json
def plan(name):
	r = json.load(open(name))
	return (r["output"]["tokens"], [p["tokens"]
		for p in r["output"].get("parts", [])], [(x["path"],
		x["start_line"], x["end_line"], x["tokens"]) for x in r["selected"]])
print(plan("plan.json") == plan("shaped.json"))')" "0 True" \
		"preview $more: what pack takes, to the token"
	is "$(grep -c "	packed	" plan)" "$(grep -c '"tier":"full"' plan.json)" \
		"the plan is where --output says"
done
"$BALE" preview "${shape[@]}" -o /dev/full 2>err
is "$? $(grep -c 'cannot write /dev/full: No space' err)" "4 1" \
	"a plan that cannot be written is an error"

# The statistics of a run that is over. verifies: FR-016-13
"$BALE" report report.json >tables
is $? 0 "report"
is "$(grep -m1 'Available for Content' tables | tr -dc 0-9)" 7500 "it has the budget"

# What is written about a run has nothing of what is in the files.
# verifies: NFR-016-56, FR-016-103
mkdir private
for i in 1 2 3; do
	echo "int marker_xyzzy_$i = 7; // TODO plugh" >"private/$i.c"
done
cp private/1.c private/copy.c
"$BALE" pack private --budget 2k -q -o packed.md --log-level debug --log-json \
	--query 'marker_xyzzy_2' --explain --report all.json --metrics all.prom \
	--audit-log all.log --progress always 2>all.err
is "$? $(grep -c xyzzy packed.md)" "0 3" "pack with all its logs"
is "$(grep -il 'xyzzy\|plugh' all.json all.prom all.log all.err)" "" \
	"nothing of a file in any log, nor of the query"
is "$(grep -c '"level":"debug".*selected private/[123].c:1-1' all.err)" 3 \
	"each selection is logged"
is "$(grep -c '"level":"debug".*excluded private/copy.c.*duplicate' all.err)" \
	1 "and each removal of what is there twice"

# Told to stop, with input that never ends. verifies: FR-016-15, FR-016-04
mkfifo endless
exec 7<>endless
stops() {
	local pid stat=

	setsid env --default-signal "$BALE" "$@" <endless 7>&- >/dev/null 2>&1 &
	pid=$!
	until [[ $stat = *'(bale) S'* ]]; do
		read -r stat <"/proc/$pid/stat" || break
	done
	kill -INT $pid
	wait $pid 2>/dev/null
	is $? 130 "stopped: $*"
}
stops pack --files-from - -q
stops preview --files-from -
stops count -
stops dedup -
stops verify - --budget 100
stops unpack - -C nowhere
exec 7>&-
done_testing
