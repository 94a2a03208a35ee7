#!/bin/bash
# SPDX-License-Identifier: MIT
#
# A tree far larger than its budget: what is left out is estimated and says so,
# what is packed is counted. The plan is that of --exact-report, of preview, of
# any number of workers, and where workers are killed.

BALE=${BALE:-$PWD/${BUILD:-build}/${MODE:-release}/bale}
# shellcheck source=tests/system/lib.sh
. tests/system/lib.sh
RANDOM=22
workers=(collect chunk.0 chunk.1 count.0 count.1 dedup select format)
common=(-q --no-config --no-last)

# in order of paths: all that is counted whatever the budget is, which is 16 MiB
# of text, and by a debug build 1 MiB for one of 5,100, lies before `m`
case $MODE in
release) before=16 ;;
*) before=1 ;;
esac
mkdir -p tree/a tree/m
for ((i = 1; i <= before; i++)); do
	"$tools/tool_tree" text tree/a/$i.c 1100000
done
"$tools/tool_tree" many tree/m 150 6
cp tree/m/d01/f00001.c tree/m/main.c
cp tree/m/d02/f00002.c tree/z-again.c

# facts REPORT: what the report says of the plan, tokens of what is left out and of
# what signatures are of apart, how many chunks that is, and what the chunks of signatures call: where all is
# counted a cut may lie elsewhere
facts() {
	python3 -c 'import json, sys
r = json.load(open(sys.argv[1]))
for x in r["selected"]:
	if x["tier"] == "signatures":
		x.pop("calls", None)
		x.pop("text_tokens")
for x in r["excluded"]:
	del x["tokens"]
	x.pop("estimated", None)
print(json.dumps([r[k] for k in ("budget", "output", "files",
	"selected", "excluded")], indent=0))' "$1"
}

# estimates REPORT: how many ranges of it are estimated: packed, left out; whether
# it says so of them all
estimates() {
	python3 -c 'import json, sys
r = json.load(open(sys.argv[1]))
print(sum("estimated" in x for x in r["selected"]),
	sum(x.get("estimated", False) for x in r["excluded"]),
	r["left_out_estimated"])' "$1"
}

# kind_of_plan NAME ARGS...
kind_of_plan() {
	local name=$1 w victim round

	shift
	begin "$name: the same with all counted, with any workers, in a preview"
	run 0 pack "${common[@]}" tree "$@" --exact-report -o exact \
		--report exact.json
	for w in 1 2 5; do
		run 0 pack "${common[@]}" --workers $w tree "$@" -o out.$w \
			--report report.$w
		same out.$w exact
		facts report.$w >facts.$w
		same facts.$w facts.1
	done
	facts exact.json >facts.exact
	same facts.1 facts.exact
	[ "$(estimates exact.json)" = '0 0 False' ] ||
		complain "exact: $(estimates exact.json)"
	read -r packed left says < <(estimates report.1)
	[ "$packed" = 0 ] && [ "$left" -gt 100 ] && [ "$says" = True ] ||
		complain "estimated: $packed packed, $left left out, $says"
	[ "$("$BALE" count --no-config out.1 | awk '{ print $1 }')" = \
		"$(report_value report.1 'r["budget"]["used"]')" ] ||
		complain "the count of the output is another"
	end
	begin "$name: the same where workers are killed"
	for ((round = 0; round < 4; round++)); do
		rm -f file
		start pack "${common[@]}" --workers 2 tree "$@" -o file
		nap_random 80
		victim=$(worker "${workers[RANDOM % 8]}") &&
			kill -KILL "$victim" 2>/dev/null
		await
		[ "$code" = 0 ] || complain "exit code $code"
		same file exact
		nothing_left "$pid"
	done
	end
}

# report_value REPORT EXPRESSION
report_value() {
	python3 -c 'import json, sys
r = json.load(open(sys.argv[1]))
print(eval(sys.argv[2]))' "$1" "$2"
}

budget=(--budget 5100 --reserve-response 0 --reserve-system 0)
# of an overview a cut may lie elsewhere where all is counted
kind_of_plan 'files' "${budget[@]}" --tiers on
kind_of_plan 'a query' "${budget[@]}" --query 'value of the main table'
kind_of_plan 'chunks, in XML, without comments' "${budget[@]}" --format xml \
	--strip-comments --tiers off

begin 'a preview has the same plan, and what it packs is counted'
run 0 preview "${common[@]}" tree "${budget[@]}" --tiers on --json -o plan.json
run 0 preview "${common[@]}" tree "${budget[@]}" --tiers on --json --exact-report \
	-o exact-plan.json
report_value plan.json '[(x["path"], x["start_line"], x["end_line"],
	x["tokens"]) for x in r["selected"]]' >plan
report_value exact-plan.json '[(x["path"], x["start_line"], x["end_line"],
	x["tokens"]) for x in r["selected"]]' >exact-plan
same plan exact-plan
[ "$(estimates plan.json)" != "$(estimates exact-plan.json)" ] ||
	complain "nothing was estimated"
end

begin 'the summary says about'
run 0 pack --no-config --no-last tree "${budget[@]}" -o out
says 'chunks omitted, about [0-9,]* tokens: content exceeds the budget'
run 0 pack --no-config --no-last tree "${budget[@]}" --exact-report -o out
says 'chunks omitted, [0-9,]* tokens: content exceeds the budget'
run 0 pack --no-config --no-last tree --budget 140000 -o out
says 'chunks omitted, [0-9,]* tokens: content exceeds the budget'
end

begin 'estimates are near the counts'
run 0 pack "${common[@]}" tree "${budget[@]}" -o out --report report
run 0 pack "${common[@]}" tree "${budget[@]}" --exact-report -o out \
	--report exact.json
near=$(python3 -c 'import json, sys
a, b = (sum(x["tokens"] for x in json.load(open(f))["excluded"])
	for f in sys.argv[1:])
print(a != b and 0.8 < a / b < 1.2)' report exact.json)
[ "$near" = True ] || complain "far from it"
end
finish
