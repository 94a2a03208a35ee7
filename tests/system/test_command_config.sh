#!/bin/bash
# SPDX-License-Identifier: MIT
#
# `bale config`, and what a configuration file does to the other commands.
#
# verifies: FR-016c-37, FR-016c-38, FR-016c-40, FR-016c-41, NFR-016c-12,
# verifies: AC-016c-011, AC-016c-014, AC-016c-016, AC-016c-017, AC-016c-018

# shellcheck source=tests/support/lib.sh
. tests/support/lib.sh

root=$PWD
cd "$dir" || exit 1
mkdir -p repo/.agent repo/src/deep other/.agent
git init -q repo 2>/dev/null || mkdir repo/.git
for i in $(seq 2000); do echo "int variable_$i = $i;"; done >repo/src/a.c
cd repo || exit 1
config=.agent/config.yml

# The first example of the documents.
cat >$config <<'EOF'
# .agent/config.yml
context:
  budget:
    # Total context window (must match your LLM model)
    # GPT-4: 8192, GPT-4-32k: 32768, GPT-4-turbo: 128000, Claude-2: 100000
    total_tokens: 100000

    # Reserved tokens for system prompts, instructions, tool schemas
    system_prompt_reserve: 2000

    # Reserved tokens for expected LLM response (conservative estimate)
    response_reserve: 8000

    # Category allocations (% of available budget after reserves)
    # Must sum to 100
    categories:
      tool_results: 40      # CLI output, test results, build logs
      open_files: 30        # Files currently being edited
      search_results: 20    # grep/file search matches
      references: 10        # Documentation, related code

  dedup:
    enabled: true
    overlap_threshold: 0.8
    merge_overlapping: true

  tokenizer:
    type: tiktoken
    model: gpt-4
EOF
"$BALE" config validate >../out 2>&1
is "$?" 0 "the example of the documents is valid"
is "$(head -n 8 ../out)" "✓ Budget configuration valid
✓ Category percentages sum to 100%
✓ Tokenizer 'tiktoken' available
✓ Model 'gpt-4' supported
✓ Total budget (100,000) > reserves (10,000)
✓ Overlap threshold (0.8) in valid range [0.0, 1.0]

Configuration OK. Budget available for content: 90,000 tokens" \
	"and is told in the words of the documents"

# Scenario 2: allocation.
cat >$config <<'EOF'
context:
  budget:
    total_tokens: 10000
    system_prompt_reserve: 1000
    response_reserve: 2000
    categories:
      tool_results: 50
      open_files: 30
      search_results: 20
EOF
is "$("$BALE" config validate)" "✓ Budget configuration valid
✓ Category percentages sum to 100%
✓ Total budget (10,000) > reserves (3,000)

Configuration OK. Budget available for content: 7,000 tokens
Category allocations:
  - tool_results: 3,500 tokens (50%)
  - open_files: 2,100 tokens (30%)
  - search_results: 1,400 tokens (20%)" "available and allocations"

# Scenario 10: percentages that do not add up.
cat >$config <<'EOF'
context:
  budget:
    total_tokens: 100000
    categories:
      tool_results: 40
      open_files: 30
      search_results: 20
EOF
"$BALE" config validate >../out 2>&1
is "$?" 2 "percentages that do not sum to 100 are refused"
is "$(cat ../out)" "✗ Error: Category percentages sum to 90% (expected 100%)
  - tool_results: 40%
  - open_files: 30%
  - search_results: 20%
  Missing: 10%

Suggestion: Add missing category or adjust percentages to sum to 100%
  BALE-BUD-005 .agent/config.yml, line 5, column 21" \
	"in the words of the documents, with the place"
"$BALE" pack . -o ../packed 2>../err
is "$? $(test -e ../packed && echo there)" "2 " "nothing is packed with it"
is "$(grep -c '^bale: BALE-BUD-005 .agent/config.yml:5:21: Category' ../err)" \
	1 "and the error has file, line and column"
echo '      references: 10' >>$config
is "$("$BALE" config validate | sed -n 2p)" \
	"✓ Category percentages sum to 100%" "mended, it is valid"
printf '      %s\n' 'references: 5' | cat <(head -n 7 $config) - >c.yml
is "$("$BALE" config validate --config c.yml | head -n 6 | md5sum)" \
	"$(printf '%s\n' \
	'✗ Error: Category percentages sum to 95% (expected 100%)' \
	'  - tool_results: 40%' '  - open_files: 30%' \
	'  - search_results: 20%' '  - references: 5%' '  Missing: 5%' |
	md5sum)" "the example with 95 per cent"

# parts CATEGORIES: what is said of them
parts() {
	printf 'context: {budget: {categories: {%s}}}\n' "$1" >c.yml
	"$BALE" config validate --config c.yml | head -n "$2"
}
is "$(parts 'tool_results: 0.5, open_files: 0.6' 4)" \
	"✗ Error: Category percentages sum to 110% (expected 100%)
  - tool_results: 50%
  - open_files: 60%
  Excess: 10%" "parts of one that do not add up"
is "$(parts 'tool_results: 0.5, open_files: 0.5' 2)" \
	"✓ Budget configuration valid
✓ Category percentages sum to 100%" "parts of one that do"
# verifies: AC-016c-019
is "$(parts 'tool_results: 60, open_files: -10, references: 50' 9)" \
	"✗ Error: context.budget.categories.open_files: invalid value -10: \
expected a number from 0 to 100, such as 40
  BALE-BUD-005 c.yml, line 1, column 63" "a negative share is all that is told of"

# verifies: FR-016c-12, AC-016c-017
# What is said of the shares is what a run has, fractions and the tree too.
printf '%s' 'categories: {tool_results: 33.3, open_files: 33.3, ' \
	'search_results: 23.4, tree: 10}' >c.yml
is "$("$BALE" config validate --config c.yml | tail -n 4)" \
	"  - tool_results: 29,970 tokens (33.3%)
  - open_files: 29,970 tokens (33.3%)
  - search_results: 21,060 tokens (23.4%)
  - tree: 9,000 tokens (10%)" "shares that are no whole per cent"
"$BALE" pack --config c.yml --open src/a.c -q --report ../report >/dev/null
is "$(grep -o '"allocated":[0-9]*' ../report | tr '\n' ' ')" \
	'"allocated":29970 "allocated":29970 "allocated":21060 "allocated":0 '"\
"'"allocated":9000 ' "are what a run shares by"
printf 'categories: {tool_results: 33.33, open_files: 33.33, references: 33.33}' \
	>c.yml
"$BALE" config validate --config c.yml >../out
is "$? $(grep -c 'sum to 100%' ../out)" "0 1" "a hundredth is no fault"

# together TEXT: what is wrong with it, and where, for validate and for a run
together() {
	printf '%b' "$1" >c.yml
	"$BALE" config validate --json --config c.yml >../json
	echo "$? $(grep -o '"code":.*,"message"' ../json)"
	"$BALE" pack --config c.yml . -o ../packed 2>../err
	echo "$? $(grep -o '[a-z_.]* is set in c.yml:[0-9:]*' ../err | tail -n 1)"
}
is "$(together 'chunking:\n  min_chunk_tokens: 100\n  max_chunk_tokens: 50\n')" \
	'2 "code":"BALE-BUD-005","line":3,"column":21,"message"
2 context.chunking.min_chunk_tokens is set in c.yml:2:21' \
	"values that cannot be together are found by validate, with their places"
is "$(together 'formatting: {strip_comments: yes,\n line_numbers: yes}\n')" \
	'2 "code":"BALE-CLI-005","line":2,"column":16,"message"
2 context.formatting.strip_comments is set in c.yml:1:30' "so are formats"
is "$(together 'context:\n  chunking: {mode: linse:3}\n')" \
	'2 "code":"BALE-BUD-005","line":2,"column":20,"message"
2 context.chunking.mode is set in c.yml:2:20' "and forms of values"
is "$(together 'budget: {total_tokens: 9000, response_reserve: 8500, system_reserve: 500}\n')" \
	'2 "code":"BALE-BUD-005","line":1,"column":24,"message"
2 context.budget.system_prompt_reserve is set in c.yml:1:70' "and reserves"

# Reserves that leave nothing.
printf 'budget: {total_tokens: 9000, response_reserve: 8500, system_reserve: 500}\n' >$config
"$BALE" config validate >../out 2>&1
is "$? $(grep -c 'BALE-BUD-005 the reserves' ../out)" "2 1" \
	"reserves that leave nothing"
"$BALE" pack . -o ../packed 2>../err
is "$? $(grep -o 'context.budget.total_tokens is set .*' ../err)" "2 \
context.budget.total_tokens is set in .agent/config.yml:1:24; \
context.budget.response_reserve is set in .agent/config.yml:1:48; \
context.budget.system_prompt_reserve is set in .agent/config.yml:1:70" \
	"are told with the place that has them"

# The file is read by each run, from the repository bale is started in.
printf 'context: {budget: {total_tokens: 12000, response_reserve: 100,
  system_prompt_reserve: 100}, include: ["*.c"]}\n' >$config
total() {
	"$BALE" "$@" -q -o ../packed --report ../report >/dev/null 2>../err
	grep -o '"total":[0-9]*' ../report | head -n 1
}
is "$(total pack .)" '"total":12000' "a file sets the budget"
(cd src/deep && "$BALE" config show) | grep -q \
	'total_tokens .* 12000 .* file ../../.agent/config.yml:1$'
is "$?" 0 "also from a directory below"
is "$(total pack . --no-config)" '"total":100000' "--no-config: defaults"
is "$(BALE_BUDGET=20k total pack .)" '"total":20000' "the environment beats it"
is "$(BALE_BUDGET=20k total pack . --budget 30k)" '"total":30000' \
	"the command line beats both"
sed -i 's/12000/13000/' $config
is "$(total pack .)" '"total":13000' "a change holds from the next run on"
printf 'budget: {total: 44000}\n' >c.yml
is "$(total pack . --config c.yml)" '"total":44000' "--config FILE"
is "$(BALE_CONFIG=c.yml total pack .)" '"total":44000' "BALE_CONFIG"

# Not from the tree of somebody else.
cd ../other || exit 1
rmdir .agent
is "$(total pack ../repo)" '"total":100000' \
	"a repository that is packed does not configure"
mkdir .agent && printf 'budget: {total: 7000}\n' >.agent/config.yml
mkdir below && cd below || exit 1
is "$(total pack ../../repo)" '"total":100000' \
	"nor a directory above that is no repository"
cd ../../repo || exit 1

# Links.
rm $config && ln -s ../../other/.agent/config.yml $config
"$BALE" config validate >../out 2>&1
is "$? $(grep -c 'leads out of its directory' ../out)" "2 1" \
	"a link out of the repository is not followed"
rm $config && ln -s ../c.yml $config
is "$(total pack .)" '"total":44000' "a link within it is"
rm $config && mkfifo $config
"$within" 10 "$BALE" pack . -o ../packed 2>../err
is "$? $(grep -c 'not a regular file' ../err)" "2 1" "a FIFO is no file"
rm $config
"$BALE" pack . --config none.yml -o ../packed 2>../err
is "$? $(grep -c 'BALE-CFG-001 none.yml: cannot be read: No such' ../err)" \
	"2 1" "a file that was named has to be there"

# Commands, hooks, paths; unknown keys.
printf 'context:\n  output: ../pwned\n' >$config
"$BALE" pack . >/dev/null 2>../err
is "$? $(grep -c 'BALE-CFG-004 .agent/config.yml:2:11: .*output path' ../err)" \
	"2 1" "a file cannot name an output"
printf 'contxt: {budget: {total: 4}}\nbudget: {totl: 4}\n' >$config
is "$(total pack .)" '"total":100000' "unknown keys set nothing"
is "$(grep -o 'warning: BALE-CFG-006.*' ../err)" "warning: BALE-CFG-006 \
.agent/config.yml:1:1: unknown section contxt ignored; did you mean context? \
bale config show lists all keys
warning: BALE-CFG-006 .agent/config.yml:2:16: unknown key budget.totl \
ignored; did you mean context.budget.total? bale config show lists all keys" "but are warned about"

# init, show, JSON.
rm $config
is "$("$BALE" config init)" "$config" "init says what it wrote"
is "$("$BALE" config validate | tail -n 1)" \
	"Configuration OK. Budget available for content: 90,000 tokens" \
	"it is valid, and says what the defaults say"
"$BALE" config init 2>../err
is "$? $(grep -c 'already exists' ../err)" "2 1" "it overwrites nothing"
mv $config ../config.kept
ln -s "$PWD/../outside" $config
"$BALE" config init 2>../err
is "$? $(grep -c 'already exists' ../err) $(ls .. | grep -c outside)" "2 1 0" \
	"nor does it write where a link leads to"
mv -f ../config.kept $config
is "$(awk 'NR > 4 && (length > 79 || /[^ ] +# /)' $config)" "" "its lines end in time"
"$BALE" config show --no-config | sed 's/ *default$//' >../defaults
sed -i 's/^\( *\)#\([a-z_]*:\)/\1\2/' $config
"$BALE" config show 2>../err | sed 's/ *\(file [^ ]*\|default\)$//' \
	>../uncommented
is "$(diff <(tail -n +4 ../defaults) <(tail -n +4 ../uncommented))$(cat ../err)" \
	"" "its keys, uncommented, are the defaults"
printf 'budget: {total: 44000}\npolicy: {tier: core}\n' >$config
BALE_RESERVE_SYSTEM=7 "$BALE" config show --json --reserve-response 5 >../json
is "$(python3 - ../json <<'EOF'
import json, sys
shown = json.load(open(sys.argv[1]))
rows = {r["key"]: r for r in shown["values"]}
b = "context.budget."
print(shown["file"], rows[b + "total_tokens"]["value"],
      rows[b + "total_tokens"]["from"], rows[b + "total_tokens"]["line"],
      rows[b + "system_prompt_reserve"]["value"],
      rows[b + "system_prompt_reserve"]["from"],
      rows[b + "system_prompt_reserve"]["environment"],
      rows[b + "response_reserve"]["value"],
      rows[b + "response_reserve"]["from"], rows["policy.tier"]["value"],
      rows["context.include"]["value"], rows["context.max_file_size"]["from"])
EOF
)" ".agent/config.yml 44000 file 1 7 environment BALE_RESERVE_SYSTEM 5 \
command line core [] default" "show --json says where a value is from"
is "$("$BALE" config validate --json)" \
	'{"file":".agent/config.yml","valid":true,"problems":[]}' \
	"validate --json"

# What an option without a key of its own says stands beside the keys.
shown_rows() {
	"$BALE" config show "$@" | awk '$3 != "default" { print $1, $2, $3, $4, $5 }' |
		sed -n '/[.]\(dedup\|cache\|categories\|source_priority\)/{
			s/^context[.]//; s/ *$//; p; }'
}
is "$(BALE_NO_DEDUP=1 BALE_NO_CACHE=1 BALE_SOURCE_PRIORITY=tree=7 \
	shown_rows --no-config | grep -v '_\(results\|files\) \|references')" \
	"cache off environment BALE_NO_CACHE
source_priority.tree 7 environment BALE_SOURCE_PRIORITY
dedup.enabled no environment BALE_NO_DEDUP" \
	"show says what an option without a key says"
printf 'budget: {categories: {tool_results: 33.3, open_files: 66.7}}\n' >$config
is "$(shown_rows)" "budget.categories.tool_results 33.3 file .agent/config.yml:1
budget.categories.open_files 66.7 file .agent/config.yml:1
budget.categories.search_results 0 file .agent/config.yml
budget.categories.references 0 file .agent/config.yml
budget.categories.tree 0 file .agent/config.yml" \
	"shares that a file does not name are none of the defaults"
is "$(BALE_CATEGORIES=references=100 shown_rows | awk '{ print $2, $4 }' | uniq)" \
	"0 BALE_CATEGORIES
100 BALE_CATEGORIES
0 BALE_CATEGORIES" "the shares of the environment beat those of a file"
# verifies: NFR-016-51
is "$(for word in $("$BALE" config show --no-config | awk 'NR > 3 {
	n = split($1, words, "."); print words[n] }'); do
	grep -qw -- "$word" "$root/docs/configuration.md" || echo "$word"
done)" "" "the documentation has all keys"
"$BALE" config frobnicate 2>../err
is "$? $(grep -c 'show, validate, init' ../err)" "2 1" "an unknown action"
done_testing
