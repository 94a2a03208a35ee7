#!/bin/bash
# SPDX-License-Identifier: MIT
#
# Budgets through the command line: the documents' scenarios of selection and
# of categories; what there is no room for, and what nobody asked for.
#
# verifies: FR-016-81, FR-016-106, FR-016-119, FR-016-120, FR-016c-16
# verifies: FR-016c-17, FR-016c-20, FR-016c-31, FR-016c-36, AC-016-012
# verifies: AC-016c-038, AC-016c-039, AC-016c-040, AC-016c-043, AC-016c-046
# verifies: AC-016c-047, AC-016c-050, AC-016c-051, AC-016c-052

# shellcheck source=tests/support/lib.sh
. tests/support/lib.sh
cd "$dir" || exit 1
mkdir .agent

# packed OPTION... : out and r.json; its exit code
packed() {
	"$BALE" pack "$@" -q -o out --report r.json 2>err
}

# py EXPRESSION: of the report r
py() {
	python3 -c "import json
r = json.load(open('r.json'))
used = {c['name']: c['used'] for c in r['categories']}
share = {c['name']: c['allocated'] for c in r['categories']}
print($1)"
}

# sources NR TOKENS TYPE: lines of --sources, texts of about so many tokens
# each, every one with another relevance
sources() {
	awk -v nr="$1" -v tokens="$2" -v type="$3" 'BEGIN {
		for (i = 1; i <= nr; i++) {
			printf "{\"type\":\"%s\",\"name\":\"%s %d\",", \
				type, type, i
			printf "\"relevance\":%.4f,\"content\":\"", i / nr
			for (k = 0; k < tokens / 8; k++)
				printf "%s %d of line %d: %d\\n", type, i, k, \
					i * 7919 + k
			print "\"}"
		}
	}'
}

# Scenario 5: a small budget, all of it for the results of tools.
cat >.agent/config.yml <<'EOF'
context:
  budget:
    total_tokens: 5000
    system_prompt_reserve: 500
    response_reserve: 500
    categories:
      tool_results: 100
EOF
sources 32 200 tool_result >tools
packed --sources tools
is "$? $(py 'r["budget"]["available"], share["tool_results"]')" \
	"0 4000 4000" "a share of all: 4,000 of 5,000 less the reserves"
is "$(py 'used["tool_results"] <= r["budget"]["used"] <= 4000,
	r["budget"]["used"] >= 3980')" "True True" \
	"no more than that is used, and no less than 99.5 %"
is "$(py '{x["path"] for x in r["selected"]} &
	{x["path"] for x in r["excluded"]} ==
	{x["path"] for x in r["selected"] if x.get("parted")},
	len({x["path"] for x in r["selected"] + r["excluded"]})')" "True 32" \
	"each chunk is selected or rejected, but for one in part"
is "$(py '{x["reason"] for x in r["excluded"]}')" "{'budget'}" \
	"for the budget"
is "$(py 'sorted(int(x["path"].split()[1]) for x in r["selected"])[2:] ==
	list(range(32 - len(r["selected"]) + 3, 33))')" True \
	"from the highest rank down, but for what fills the end"
is "$(py 'r["warnings"]' | sed 's/[0-9,]* tokens)/N tokens)/' |
	sed 's/: [0-9]* of/: N of/')" \
	"['content (N tokens) exceeds the available budget (4,000 tokens): N of\
 32 chunks omitted, the lowest-ranked; increase --budget or narrow what is\
 packed']" "the report warns that content exceeds the budget"
"$BALE" pack --sources tools -o out 2>err
is "$(grep -c 'chunks omitted, [0-9,]* tokens: content exceeds' err)" 1 \
	"so does the summary"
packed --sources tools --window 100k
is "$(py 'r["warnings"], r["files"]["skipped"]')" "[] 0" \
	"where all fits there is nothing to warn of"

# Scenario 6: one category cannot starve another.
cat >.agent/config.yml <<'EOF'
context:
  budget:
    total_tokens: 10000
    system_prompt_reserve: 0
    response_reserve: 0
    categories:
      tool_results: 60  # 6,000 tokens
      open_files: 40    # 4,000 tokens
EOF
sources 60 200 tool_result >tools
sources 30 200 open_file >open
packed --sources tools --sources open --no-redistribute
is "$(py 'share["tool_results"], share["open_files"]')" "6000 4000" \
	"6,000 and 4,000 of 10,000"
is "$(py '5500 < used["tool_results"] <= 6000,
	3500 < used["open_files"] <= 4000')" "True True" \
	"12,000 tokens of tools have 6,000, and open files their 4,000"
packed --sources open --no-redistribute
is "$(py '3500 < used["open_files"] <= 4000, used["tool_results"]')" \
	"True 0" "what a category leaves stays unused with --no-redistribute"
packed --sources open
is "$(py '5500 < used["open_files"]')" True "else it goes to the others"
head -n 3 open >three
packed --sources tools --sources three --balance
is "$(py 'used["open_files"] < 1200 and used["tool_results"] > 8000')" True \
	"--balance: what open files leave, tools have"

# Use case 1: the default shares of 100,000 less 2,000 and 8,000; what is found
# twice is taken once, and all of it fits without an error.
rm .agent/config.yml
sources 78 400 tool_result >tools
sources 1 2000 open_file >open
sources 4 430 search_result >search
sources 31 365 reference >references
sed 's/"name":"tool_result/"name":"again/' tools | head -n 30 >again
packed --sources tools --sources again --sources open --sources search \
	--sources references --window 100k
is "$? $(py 'r["budget"]["available"], share["tool_results"],
	share["open_files"], share["search_results"], share["references"]')" \
	"0 90000 36000 27000 18000 9000" "90,000: 36, 27, 18 and 9 thousand"
is "$(py 'r["dedup"]["exact_removed"], r["budget"]["used"] <= 90000')" \
	"30 True" "what was found twice is taken once, within the budget"

# Use case 3: shares of one's own, and what they leave goes to the tools.
cat >.agent/config.yml <<'EOF'
context:
  budget:
    categories:
      tool_results: 60
      open_files: 5
      search_results: 5
      references: 30
EOF
sources 130 400 tool_result >tools
packed --sources tools --sources open --sources search --sources references \
	--window 100k
is "$? $(py 'share["tool_results"], share["open_files"],
	share["search_results"], share["references"]')" \
	"0 54000 4500 4500 27000" "60, 5, 5 and 30 per cent of 90,000"
is "$(py 'len([x for x in r["selected"] if x["category"] == "references"]),
	54000 < used["tool_results"],
	r["budget"]["used"] >= 0.993 * 90000')" "31 True True" \
	"all references, more of the tools than their share, 99.3 % used"

# A chunk that is larger than its share.
rm .agent/config.yml
for i in $(seq 300); do echo "int property_$i(int a) { return $i; }"; done >a.c
packed --reference a.c:1-40 --reference a.c:100-149 --budget 1000 \
	--no-redistribute --categories references=60,tool_results=40
is "$? $(py '[(x["start_line"], x["end_line"]) for x in r["selected"]]')" \
	"0 [(1, 40)]" "what is larger than its share is passed over"
is "$(grep -c 'warning: BALE-BUD-002 a.c:100-149 (' err) $(py \
	'sum("BALE-BUD-002 a.c:100-149" in x for x in r["warnings"])')" "1 1" \
	"with a warning that names it"
packed --reference a.c:1-40 --reference a.c:100-149 --budget 1000
is "$? $(grep -c BALE-BUD-002 err) $(py '[(x["start_line"], x.get("parted"))
	for x in r["selected"]]')" "0 0 [(1, None), (100, True)]" \
	"what others leave is for it, too: no warning, and a part"
packed --reference a.c:1-80 --reference a.c:100-180 --budget 200 \
	--no-redistribute
is "$? $(grep -c 'fits into its share of the 200 tokens' err)" "8 1" \
	"if nothing fits, that is said"

# What nobody asked for was not left out for the budget.
packed --reference a.c:5-6 --window 100k
is "$(py '[(x["start_line"], x["end_line"], x["reason"])
	for x in r["excluded"]], r["chunks"]["rejected"]')" \
	"[(1, 4, 'unasked'), (7, 300, 'unasked')] 0" \
	"other lines of the file are unasked"
"$BALE" pack --reference a.c:400 -o out 2>err
is "$? $(grep -c 'ends at line 300' err) $(grep -o '1 unasked' err)" \
	"9 1 1 unasked" "so they are where only lines beyond its end are asked for"

# Shares that nobody asks for anything in.
# verifies: FR-016c-14
mkdir alone
words() { # NUMBER: so many words in one line
	yes alpha | head -n "$1" | tr '\n' ' '
}
for i in "900 1" "100 0.9" "50 0.8"; do
	read -r nr relevance <<<"$i"
	printf '{"type":"tool_result","path":"t%d","content":"%s","relevance":%s}\n' \
		"$nr" "$(words "$nr")" "$relevance"
done >three.jsonl
options=(alone --sources three.jsonl --reserve-response 0 --reserve-system 0)
packed "${options[@]}" --budget 1060
is "$(py '[x["path"] for x in r["selected"]]')" "['t100', 't900']" \
	"a share that nothing is asked for in keeps nobody back"
packed "${options[@]}" --budget 1060 --no-redistribute
is "$(py '[x["path"] for x in r["selected"]]')" "['t100', 't50']" \
	"--no-redistribute: each category has its share and no more"

# A least number of chunks.
mkdir tree
for i in 1 2 3 4; do
	seq $((i * 1000)) $((i * 1000 + 60)) >"tree/small_$i.txt"
done
for i in $(seq 140); do echo "void large_$i(void) { call($i); }"; done \
	>tree/main.c
options=(tree --reserve-response 0 --reserve-system 0 --budget 1950
	--tiers off --chunk tokens:2000)
packed "${options[@]}"
is "$(py 'r["chunks"]["packed"] < 4')" True "a large chunk has most of it"
packed "${options[@]}" --min-chunks 4
is "$(py 'r["chunks"]["packed"] >= 4, r["budget"]["used"] <= 1950')" \
	"True True" "--min-chunks 4: four smaller ones"
packed "${options[@]}" --min-chunks 1000
is "$(py 'r["chunks"]["packed"] >= 4')" True \
	"as many as fit, if there are not that many"
packed --reference a.c:1-80 --reference a.c:101-110 --min-chunks 8 --budget 2k
is "$(py '[(x["start_line"], x["end_line"]) for x in r["selected"]]')" \
	"[(1, 55), (56, 80), (101, 110)]" \
	"no room is kept for lines that nobody asks for"

# With it, too, the end is filled by the best set of what is left.
mkdir many
for i in $(seq 40); do
	awk -v i="$i" 'BEGIN {
		for (k = 0; k < 60 + i * 7919 % 140; k++)
			printf "line %d of %d\n", (k + i) * 7919 % 1000003, i
	}' >"many/f$i.txt"
done
poor=
for budget in 4000 6000 8000 10000 12000; do
	packed many --reserve-response 0 --reserve-system 0 --no-history \
		--budget $budget --min-chunks 3
	[ "$(py 'r["budget"]["used"] >= 0.995 * r["budget"]["available"]')" = \
		True ] || poor+=" $budget"
done
is "$poor" "" "--min-chunks 3 leaves no more room than there has to be"

# Chunks without tokens.
mkdir none && : >none/empty.c && echo 'int a;' >none/a.c
packed none
is "$(py '[x["path"] for x in r["selected"]],
	[(x["path"], x["reason"]) for x in r["excluded"]]')" \
	"['none/a.c'] [('none/empty.c', 'empty')]" \
	"what has no tokens is not selected"

# Nothing of the content goes to a log, nor do names, unless they are asked for.
# verifies: NFR-016c-16
mkdir secrets && echo 'CANARY = 1' >secrets/a.py && echo CANARY >secrets/.env
"$BALE" pack secrets none --budget 1000 -q -o out 2>err
is "$? $(cat err)" "0 " "a run has nothing to say of its files"
"$BALE" pack secrets none --budget 1000 -q -o out --log-level debug 2>err
is "$(grep -c '^bale: excluded secrets/.env' err) $(grep -c CANARY err)" "1 0" \
	"in debug it says their names and what became of them, no content"
done_testing
