#!/bin/bash
# SPDX-License-Identifier: MIT
#
# Plans of all kinds are the same for one, two and eight workers, and where
# workers are killed at random moments: the output, and what the report says
# was taken, left out, and why. ROUNDS: of kills, for each plan (2; LONG=1: 40);
# the first one is of select, which has most to make again.
#
# verifies: NFR-016-30, NFR-016c-17, AC-016c-041, AC-016c-048

BALE=${BALE:-$PWD/${BUILD:-build}/${MODE:-release}/bale}
# shellcheck source=tests/system/lib.sh
. tests/system/lib.sh
rounds=${ROUNDS:-2}
[ "${LONG:-0}" = 0 ] || rounds=40
RANDOM=61
workers=(collect chunk.0 chunk.1 count.0 count.1 dedup select format)

mkdir tree
"$tools/tool_tree" many tree 120 6
for i in 1 2 3; do
	seq 400 | awk -v i="$i" '{
		printf "int value_%d_%d(int a) { return a * %d; }\n", i, $1, $1
	}' >"tree/value_$i.c"
done
cp tree/value_1.c tree/again.c
for i in $(seq 12); do
	printf '{"type":"tool_result","name":"log %d","relevance":0.%02d,' \
		"$i" "$((i * 7))"
	printf '"content":"%s"}\n' "$(seq -f 'line %g of it\n' "$i" 60 | tr -d '\n')"
done >sources
cat >>sources <<'EOF'
{"type":"search_result","path":"tree/value_2.c","lines":"10-50","relevance":0.6}
{"type":"search_result","path":"tree/value_2.c","lines":"15-60","relevance":0.7}
{"type":"reference","path":"tree/value_2.c","lines":"58-90","relevance":0.2}
{"type":"open_file","path":"tree/again.c","lines":[1,40]}
EOF

# what: all of the report that is not of the run, but of the plan
start_asking
what() {
	ask 'json.dumps([r[k] for k in ("budget", "output", "categories", "files",
		"chunks", "selected", "excluded", "dedup", "warnings")])'
}

# same_plan NAME ARGS...
same_plan() {
	local name=$1 happened=0 round victim w
	shift
	begin "$name"
	for w in 1 2 8; do
		run 0 pack -q --no-config --no-last --workers $w "$@" -o "out.$w" \
			--report report.json
		what >"what.$w"
		same "out.$w" out.1
		same "what.$w" what.1
	done
	for ((round = 0; round < rounds; round++)); do
		rm -f file report.json
		start pack -q --no-config --no-last --workers 2 "$@" -o file \
			--report report.json
		nap_random 60
		victim=select
		[ "$round" = 0 ] || victim=${workers[RANDOM % 8]}
		victim=$(worker "$victim") &&
			kill -KILL "$victim" 2>/dev/null
		await
		[ "$code" = 0 ] || complain "exit code $code"
		same file out.1
		what >what.killed
		same what.killed what.1
		nothing_left "$pid"
	done
	end
}

same_plan 'tiers' tree --budget 30k
same_plan 'pins and boosts' tree --budget 30k --pin value_3.c --boost '*2.c'
same_plan 'shares' tree --budget 20k --sources sources
same_plan 'shares, balanced' tree --budget 20k --sources sources --balance
same_plan 'shares, each for itself, and a pin' tree --budget 20k \
	--sources sources --no-redistribute --pin again.c
same_plan 'exact lines, merged' --sources sources --overlap-threshold 0.05 \
	--budget 6k
same_plan 'exact lines, the better one kept' --sources sources --no-merge \
	--overlap-threshold 0.05 --budget 6k
same_plan 'by chunks, a least number of them' tree --budget 30k --tiers off \
	--min-chunks 40
same_plan 'a query' tree --budget 20k --query 'the value of line' --boost '*1.c'
same_plan 'signatures' tree --budget 10k --compress
same_plan 'by rank' tree --budget 30k --order rank --no-dedup
finish
