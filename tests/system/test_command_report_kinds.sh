#!/bin/bash
# SPDX-License-Identifier: MIT
#
# Reports of each kind of run: ranges that are all of their files and none of
# them twice; what was asked for, called, merged; tables and page to the letter.
#
#   UPDATE=1 tests/system/test_command_report_kinds.sh  writes the tables anew

# shellcheck source=tests/support/lib.sh
. tests/support/lib.sh

golden=$PWD/tests/golden/report
cp "$golden/report.json" "$dir" || exit 1
mkdir "$dir/tree" && cd "$dir" || exit 1

{
	printf '#include "b.h"\n'
	for i in $(seq 10 49); do
		printf 'static int f_%d(int a)\n{\n' "$i"
		for k in $(seq 12); do
			printf '\ta = abcd(a, %d) + efgh(a) + abcd(a, a);\n' "$k"
		done
		printf '\treturn a;\n}\n\n'
	done
} >tree/a.c
printf 'int abcd(int a, int b);\nint efgh(int a);\n' >tree/b.h
{
	printf 'from core import (one,\n    two)\nimport os, sys\n'
	for i in $(seq 60); do
		printf 'def g_%d(a):\n    return one(a, %d)\n\n' "$i" "$i"
	done
} >tree/c.py
seq -f 'line %g of a log' 400 >tree/log.txt
seq -f 'word %g of another, that is long' 300 >tree/w.txt
cp tree/c.py "tree/$(printf 'tab\tbed').py"

pack() {
	"$BALE" pack tree --reserve-response 0 --reserve-system 0 -q -o out \
		--report r.json --no-config --no-last "$@" 2>err
}

# py EXPRESSION: of the report r
py() {
	python3 -c "import json
r = json.load(open('r.json'))
ranges = r['selected'] + r['excluded']
print($1)"
}

# Lines of each file that are there twice or not at all, but for signatures
# and lines that stand before their chunks; only of files that are in part.
lines_wrong() {
	python3 - <<'END'
import collections, json
r = json.load(open("r.json"))
seen = collections.defaultdict(list)
for x in r["selected"] + r["excluded"]:
    if x.get("tier") not in ("signatures", "head") and "end_line" in x:
        seen[x["path"]].append((x["start_line"], x["end_line"]))
wrong = []
for path, ranges in sorted(seen.items()):
    nr = open(path).read().count("\n")
    at = 1
    for first, last in sorted(ranges):
        if first != at or last < first:
            wrong.append("%s:%d-%d after %d" % (path, first, last, at - 1))
        at = last + 1
    if at != nr + 1:
        wrong.append("%s ends with %d, not %d" % (path, at - 1, nr))
# of a file by its signatures alone these stand for all of its lines
whole = {x["path"]: (x["start_line"], x["end_line"]) for x in r["selected"]
         if x.get("tier") == "signatures" and x["path"] not in seen}
for path, range in whole.items():
    if range != (1, open(path).read().count("\n")):
        wrong.append("%s by signatures: %d-%d" % (path, *range))
print(len(seen) + len(whole), *wrong)
END
}

for budget in 900 2000 3000 5000 9000; do
	for tiers in on off; do
		pack --budget $budget --tiers $tiers
		is "$? $(lines_wrong)" "0 6" \
			"$budget tokens, tiers $tiers: each line once"
	done
done
is "$(py 'r["files"]["all_full"]')" False "not all of them are there in full"
pack --budget 100k
is "$(py 'r["files"]["all_full"]') $(lines_wrong)" "True 6" "they are"
is "$(py '[x["path"] for x in ranges if "\t" in x["path"]]')" \
	"['tree/tab\\tbed.py']" "a path with a tab is that path"
is "$(py '[x["imports"] for x in ranges if x["path"] == "tree/c.py"]')" \
	"[['core', 'os', 'sys']]" "imports are the modules"
pack --budget 100k --explain
is "$(py '{c for x in ranges if x["path"] == "tree/a.c" and "calls" in x
	for c in [tuple(x["calls"])]}')" "{('abcd', 'efgh')}" \
	"calls of names that are as long as each other, each once"

: >tree/none.txt
printf 'tree/w.txt:3:x\ntree/w.txt:999:y\ntree/none.txt:1:z\n' >hits
for i in $(seq 40); do echo "tree/b.h:$((i + 100)):x"; done >beyond
pack --budget 3000 --open tree/b.h --search hits
is "$(py '[(s["option"], s["name"], s["places"], s["refused"], s["error"])
	for s in r["sources"]]')" \
	"[('open', 'tree/b.h', 1, 0, None), ('search', 'hits', 3, 0, None)]" \
	"each source is there with its places"
is "$(grep -c 'w.txt: line 999 was requested, but the file ends at line 300' err)" \
	1 "a line that is not there is told"
is "$(grep -c none.txt err)" 0 "what is empty has a first line"
pack --budget 3000 --search beyond
is "$(($(grep -c 'was requested, but the file ends at line 2$' err) < 40))" 1 \
	"of many only some"

printf 'do not say <|endoftext|> or <|fim_prefix|>\n' >task
printf 'x = "<|endoftext|>"\n' >>tree/c.py
for budget in all 9000; do
	pack --budget $budget --instructions task --header 'a <|endofprompt|>'
	is "$(py 'sorted((x["in"], x["token"]) for x in r["special_tokens"])')" \
		"[('file', '<|endoftext|>'), ('header', '<|endofprompt|>'), ('instructions', '<|endoftext|>'), ('instructions', '<|fim_prefix|>')]" \
		"tokens that mean more to a model, $budget"
done

for part in '' --chunk-detail --dedup-detail --cache-stats; do
	echo "== $part"
	"$BALE" report report.json $part
done >tables 2>&1
[ -z "${UPDATE:-}" ] || cp tables "$golden/tables.txt"
is "$(diff tables "$golden/tables.txt")" '' "tables to the letter"
is "$("$BALE" report report.json --selection-detail | grep -B1 '^Rejected')" \
	"$(printf '\nRejected Chunks (2):')" "what is out stands apart"
"$BALE" report report.json --html page.html
is "$(python3 -c "import json, re
page = open('page.html').read()
got = json.loads(re.search('id=\"report\">(.*?)</script>', page, re.S).group(1))
want = json.load(open('report.json'))
print(page.rstrip().endswith('</html>'), len(got['selected']),
	len(got['excluded']), got['reasons'],
	got['report'] == {k: want[k] for k in want
		if k not in ('selected', 'excluded')})")" \
	"True 3 2 ['budget'] True" "the page has all of it"
done_testing
