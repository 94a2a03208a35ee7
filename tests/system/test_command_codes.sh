#!/bin/bash
# SPDX-License-Identifier: MIT
#
# What docs/ says of a code is what the program says: each one is provoked, its
# exit code is that of the table, and what is to be looked for stands in the
# table's words and in the program's. test_command_docs.sh has that both know
# the same codes.
#
# verifies: NFR-016-54, NFR-016-57

# shellcheck source=tests/support/lib.sh
. tests/support/lib.sh
docs=$PWD/docs
chat=$PWD/tests/fixtures/window/openai-chat.before.json
cd "$dir" || exit 1
provoked=

# says PAGE CODE WORDS COMMAND...: stdin is the command's.
says() {
	local row code wrong='' page=$1 name=$2 words=$3

	shift 3
	"$@" >out 2>err
	code=$?
	provoked+="$name "
	row=$(grep "^| $name |" "$docs/$page.md")
	line=$(grep -m 1 -E "^bale: (warning: )?([^ ]+: )?$name[: ]" err)
	[ -n "$row" ] || wrong+="docs/$page.md has no such code; "
	# its exit code, or one that the meaning names: "4 if ...", "2 for ..."
	{
		cut -d '|' -f 3 <<<"$row" | tr -d ' ' | sed 's/^-$/0/'
		grep -oE '[0-9]+ (if|for) ' <<<"$row" | cut -d ' ' -f 1
	} | grep -qx "$code" || wrong+="exit $code; "
	grep -qiE -- "$words" <<<"${row#*|*|*|}" || wrong+="docs: ${row#*|*|*|}; "
	grep -qiE -- "$words" <<<"${line#*"$name"}" ||
		wrong+="it says: $(head -c 300 err)"
	is "$wrong" "" "$name: $words"
}
bale() {
	"$BALE" "$@"
}

# ---- the command line, budgets, templates ----------------------------------

mkdir tree tree/empty
for i in $(seq 60); do echo "line $i of a text that goes on"; done >tree/a.txt
seq 3000 >tree/b.txt
head -c 3000 /dev/urandom >tree/picture.bin
page=exit-codes
fits=(tree -q --no-config --no-last --reserve-response 0 --reserve-system 0 -o o)
says $page BALE-CLI-001 'unknown (command or )?option' bale pack --colour tree
says $page BALE-CLI-001 'unknown command' bale pakc tree
says $page BALE-CLI-002 'expected|option takes' bale pack --budget many tree
says $page BALE-CLI-003 'value' bale pack tree --budget
says $page BALE-CLI-004 'too many|takes no arguments' bale models x
says $page BALE-CLI-005 'cannot be (given|combined)' bale pack tree --rev HEAD --open tree/a.txt
says $page BALE-BUD-001 'smallest chunk' bale pack "${fits[@]}" --budget 3
says $page BALE-BUD-002 'larger than (all that|its category)' bale pack \
	"${fits[@]}" --open tree/b.txt --budget 1200 --max-chunk-tokens 2000 \
	--no-redistribute
says $page BALE-BUD-004 'chunk' bale dedup - <<<'[{}]'
says $page BALE-BUD-005 'reserves.* leave nothing' bale pack tree --budget 1000 \
	--reserve-response 1k
says $page BALE-BUD-006 'one character' bale pack "${fits[@]}" --split 2 \
	--budget 20k
says $page BALE-BUD-007 'pinned.*not (packed )?in full' bale pack "${fits[@]}" \
	--pin 'tree/b.txt' --pin 'b.txt' --budget 900
mkdir secret
printf 'key: AKIA%s\n' QX7Y2ZP4WLM5NTR6 >secret/a.yml
says $page BALE-SEC-001 'a secret' bale pack \
	--secrets fail secret
says $page BALE-BUD-008 'more.* than .*--fail-over' bale count \
	tree --fail-over 9
says $page BALE-CLI-006 ' clone ' \
	bale pack https://example.org/a.git
printf '{{#files}}{{nobody}}{{/files}}' >bad.mustache
printf '{{#files}}{{content}}{{/files}}' >list.mustache
says $page BALE-TPL-001 'template|mustache' bale pack "${fits[@]}" --budget 9k \
	--template bad.mustache
says $page BALE-TPL-002 'tree' bale pack "${fits[@]}" --budget 9k --tree \
	--template list.mustache
says $page BALE-CTX-004 'no text files found' bale pack tree/empty -q -o o

printf '%s\n' tree/a.txt '{"rev": "x"}' >list1
printf '%s\n' tree/a.txt tree/a.txt >list2
says $page BALE-BAT-001 'cannot be understood|"path"' bale batch list1 -d d -q
says $page BALE-BAT-002 'the same output' bale batch list2 -d d -q

# Where there is a sandbox that can lack something.
deny=${BALE%/*}/tests/support/tool_deny
provoked+="BALE-SBX-001 BALE-SBX-002 "
if "$deny" EPERM landlock_create_ruleset true &&
	bale --version | grep -q '^sandbox: no_new_privs landlock'; then
	says $page BALE-SBX-001 'lacks|missing' "$deny" EPERM \
		landlock_create_ruleset "$BALE" pack "${fits[@]}" --budget 9k
	says $page BALE-SBX-002 'require' "$deny" EPERM landlock_create_ruleset \
		"$BALE" pack "${fits[@]}" --budget 9k --sandbox=require
fi

# ---- the configuration file ------------------------------------------------

mkdir .agent
config() {
	printf '%b' "$1" >.agent/config.yml
	bale pack tree -q --no-last --budget 90k -o o
}
page=configuration
says $page BALE-CFG-001 'cannot be read' bale pack tree --config none.yml
says $page BALE-CFG-002 'YAML' config 'context: [\n'
says $page BALE-CFG-003 'expected|key takes' config 'context:\n  ranking:\n    recency_weight: many\n'
says $page BALE-CFG-004 'may not set|cannot' config 'output: file\n'
says $page BALE-CFG-005 'set .*spelling' config \
	'context:\n  budget:\n    min_chunks: 1\nbudget:\n  min_chunks: 2\n'
says $page BALE-CFG-006 'known|unknown' config 'context:\n  colour: red\n'
says $page BALE-BUD-005 'not add up|sum' config \
	'context:\n  budget:\n    categories: {tool_results: 50, tree: 20}\n'
rm -r .agent

# ---- windows ---------------------------------------------------------------

window() {
	bale window w.json "$@"
}
page=window
window add --id a --content 'some words' --max-tokens 1000 >/dev/null
says $page BALE-WIN-001 'empty' window add --content ''
says $page BALE-WIN-002 'priority.* 0 to 100' window add --content x \
	--priority 101
says $page BALE-WIN-003 'type' window add --content x --type dream
says $page BALE-WIN-004 'the window is full' window add --content x --tokens 2000
for i in $(seq 1000); do echo '{"type":"other","content":"x"}'; done |
	bale window many.json add --jsonl >/dev/null
says $page BALE-WIN-005 '1,?000 items' bale window many.json add --content x
says $page BALE-WIN-006 'no (such )?item' window remove nobody
says $page BALE-WIN-007 'id.*already' window add --content x --id a
says $page BALE-WIN-008 'UTF-8' window add < <(printf '\377')
says $page BALE-WIN-009 'limit|reserve' window build --reserve-response 5000
says $page BALE-WIN-010 'policy tier.* allow' window compact --tier core \
	--strategy summarize
says $page BALE-WIN-011 'need' window compact --strategy selective
says $page BALE-WIN-012 'print|output' window compact --target 0 --strategy summarize \
	--summarizer true
seq 300 | bale window pinned.json add --pin --max-tokens 1000 >/dev/null
says $page BALE-WIN-013 'the pinned items alone' bale window pinned.json build \
	--reserve-response 900
says $page BALE-WIN-014 '(no|not a) window' window restore <<<'{"version":1}'
says $page BALE-WIN-015 'file' bale window none list
mkdir folder.json
says $page BALE-WIN-015 'cannot be|not a regular file' bale window folder.json list
says $page BALE-WIN-016 'other process' flock w.json "$BALE" window w.json list \
	--wait 0
says $page BALE-WIN-017 'events cannot be written' window add --content x \
	--events /dev/full
says $page BALE-WIN-018 'unknown model' bale window new.json add --content x \
	--model nobodys
says $page BALE-WIN-019 'lines' window add --jsonl --strict <<<'{}'
says $page BALE-WIN-019 'cannot be read' window add </
bale window full.json add --content x --tokens 80 --max-tokens 100 >/dev/null
says $page BALE-WIN-022 'no output of bale pack' window add --pack <<<'x'
says $page BALE-WIN-020 'threshold' bale window full.json add --content y \
	--tokens 60
bale window only.json add --type system_prompt --content x >/dev/null
says $page BALE-WIN-023 'message' bale window only.json build --format anthropic
says $page BALE-RND-007 'answer' bale rounds compress <<<'[{"role":"user","content":"x"}]'
says $page BALE-RND-001 'JSON' bale rounds compress <<<'['
says $page BALE-RND-002 'is (not|no) |invalid field' bale rounds compress <<<'{"modules":3}'
says $page BALE-RND-003 'cannot be read|not a book' bale rounds compress </
says $page BALE-RND-004 'encoding' bale rounds compress --encoding nope <<<'{}'
says $page BALE-RND-005 '8[0-9] ?%' bale rounds usage u.json record --round 1 \
	--input 86 --budget 100

# ---- conversations ---------------------------------------------------------

compact() {
	bale compact --quiet "$@"
}
page=compact
says $page BALE-CMP-001 'JSON|messages' compact <<<hello
says $page BALE-CMP-002 'not one of the|interface does not have' compact \
	<<<'[{"role":"wizard","content":"x"}]'
says $page BALE-CMP-003 'call' compact \
	<<<'[{"role":"tool","tool_call_id":"c","content":"x"}]'
says $page BALE-CMP-004 'thresholds?' compact --threshold 0.99 <"$chat"
says $page BALE-CMP-005 'interfaces?' compact <<<'{"system":"s","messages":[
{"role":"tool","tool_call_id":"c","content":"x"}]}'
says $page BALE-CMP-006 'more than 64 MiB' compact < <(head -c 70M /dev/zero)
says $page BALE-CMP-007 'cannot be read' compact </
says $page BALE-CMP-008 'limit|need' compact --limit 30 <"$chat"
says $page BALE-CMP-010 'nothing (that could|can) be left out' bale compact --limit 60 \
	--threshold 0.1 --preserve 0.05 --critical 0.5 --reserve-response 1 \
	<<<'[{"role":"user","content":"hello world, this is all"}]'
says $page BALE-CMP-011 'hook' bale compact --limit 3000 --hook-pre false <"$chat"
says $page BALE-CMP-012 'record cannot be written' compact --limit 3000 \
	--record /dev/full <"$chat"
says $page BALE-CMP-013 'no summary' compact --limit 3000 --summarizer 'exit 1' \
	--prune-over 9999 --strict <"$chat"
says $page BALE-CMP-015 'policy tier' compact --tier core --summarizer true \
	--limit 3000 <"$chat"
bale window only.json add --content x >/dev/null 2>&1
says $page BALE-CMP-016 'window' compact --in-place only.json
says $page BALE-WIN-012 'summariser' compact --limit 3000 --summarizer 'exit 1' \
	--prune-over 9999 <"$chat"

# ---- all of them -----------------------------------------------------------

# What is left: a mistake of bale's own (BALE-CMP-009, BALE-WIN-024), and what
# test_command_damaged.sh provokes.
is "$(grep -rhoE '^\| BALE-[A-Z]{3}-[0-9]{3} \|' "$docs" | tr -d '| ' | sort -u |
	grep -vxF "$(tr ' ' '\n' <<<"$provoked" | sort -u | grep .)" |
	tr '\n' ' ')" "BALE-CMP-009 BALE-CMP-014 BALE-RND-006 BALE-WIN-021 BALE-WIN-024 " \
	"all others of docs/ are provoked"
# One meaning a code: no page has it twice.
is "$(for f in "$docs"/*.md; do
	grep -oE '^\| BALE-[A-Z]{3}-[0-9]{3} \|' "$f" | sort | uniq -d
done)" "" "no code has two rows of a table"
done_testing
