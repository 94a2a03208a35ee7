#!/bin/bash
# SPDX-License-Identifier: MIT
#
# The figures of a report on requests that share lines, on chunks in part, and
# on what is there twice, against the lines themselves.
#
# verifies: FR-016c-24, FR-016c-34, AC-016c-037

. tests/support/lib.sh
cd "$dir" || exit 1

python3 - <<'EOF'
import random
random.seed(7)
words = 'cc link test queue retry module frame worker'.split()
for name in 'long.txt', 'many.txt':
    with open(name, 'w') as f:
        for i in range(900):
            f.write(f'{i:05d} {random.choice(words)} {random.randrange(10**9)}\n')
EOF

# packed BUDGET ARGS...
packed() {
	local budget=$1
	shift
	"$BALE" pack "$@" --budget "$budget" --reserve-response 0 \
		--reserve-system 0 --no-config --no-last -q -o out \
		--report r.json 2>err
}

# py EXPRESSION: of the report r.
py() {
	python3 -c "import json; r = json.load(open('r.json')); print($1)"
}

# Over several chunks: as many tokens as these lines have.
packed 100k --reference long.txt:1-500 --reference long.txt:201-700
sed -n 201,500p long.txt >shared
tokens=$("$BALE" count --no-config shared | awk '{ print $1 }')
is "$(py "[(x['start_line'], x['end_line'], abs(x['saved_tokens'] - $tokens) < 20)
	for x in r['dedup']['unmerged']]")" "[(201, 500, True)]" \
	"lines that two ranges share over several chunks: $tokens tokens"
is "$(py "len([x for x in r['selected'] if x['start_line'] >= 201 and
	x['end_line'] <= 500]) > 1")" True "there are several"

# The lines before a range are not its own.
printf '%s\n' \
	'{"type":"reference","path":"long.txt","lines":"1-10","relevance":1}' \
	'{"type":"reference","path":"long.txt","lines":"11-40","relevance":0.2}' \
	'{"type":"reference","path":"long.txt","lines":"12-40","relevance":0.1}' \
	>ranges
packed 100k --sources ranges
is "$(py "[(x['start_line'], x['end_line'], x['score'] ==
	[y['score'] for y in r['selected'] if y['start_line'] == 11][0])
	for x in r['dedup']['merged']]")" "[(11, 40, True)]" \
	"a merged range has its own rank, not that of the lines before it"

# A range that is asked for twice, once as newer and once as better, shares no
# lines with itself.
printf '%s\n' \
	'{"type":"reference","path":"long.txt","lines":"50-120"}' \
	'{"type":"reference","path":"long.txt","lines":"101-150","relevance":0.9,"timestamp":1700000000}' \
	'{"type":"reference","path":"long.txt","lines":"101-150","relevance":0.1,"timestamp":1730000000}' \
	>ranges
packed 100k --sources ranges
is "$(py "[(x['start_line'], x['end_line']) for x in r['dedup']['unmerged']]")" \
	"[(101, 120)]" \
	"a range that is asked for twice is told once"

# More overlaps than are listed are counted.
for i in $(seq 1 2 899); do
	echo "{\"type\":\"reference\",\"path\":\"many.txt\",\"lines\":\"$i-$((i + 3))\"}"
	echo "{\"type\":\"reference\",\"path\":\"long.txt\",\"lines\":\"$i-$((i + 3))\"}"
	echo "{\"type\":\"search_result\",\"path\":\"long.txt\",\"lines\":\"$((i + 1))-$((i + 4))\"}"
done >ranges
packed 100k --sources ranges
is "$? $(py "len(r['dedup']['unmerged']) + r['dedup']['unmerged_left_out'] ==
	r['dedup']['overlaps_unmerged'], r['dedup']['unmerged_left_out'] > 0")" \
	"0 True True" "overlaps that are not listed are counted"

# Of a chunk in part the lines that are there.
packed 900 --tool many.txt
is "$(py "[(x['parted'], x['end_line']) for x in r['selected']]")" \
	"[(True, 900)]" "the end of a log, in part"
is "$(py "[l for x in r['selected'] for l in open('many.txt').read()
	.splitlines()[x['start_line'] - 1:x['end_line']]] ==
	[l for l in open('out').read().splitlines() if l[:5].isdigit()]")" True \
	"the lines of the report are those of the output"

# What is there twice, where only one chunk is packed.
mkdir twice
head -20 long.txt | tee twice/a.txt >twice/b.txt
packed 600 twice --tiers off
is "$(py "len(r['selected']), [x['reason'] for x in r['excluded']]")" \
	"1 ['duplicate']" \
	"a duplicate of the one chunk that is packed"
done_testing
