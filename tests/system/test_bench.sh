#!/bin/bash
# SPDX-License-Identifier: MIT
#
# `bale bench`: what it says it ran is what others count, a comparison tells a
# difference from noise, and nothing is left when it ends.

# shellcheck source=tests/support/lib.sh
. tests/support/lib.sh
command -v python3 >/dev/null || skip_all python3 is not installed
tree=${BALE%/*}/tests/support/tool_tree
cd "$dir" || exit 1
mkdir tree
"$tree" many tree 60 3
seq -f 'int number_%g;' 300 >alone.c

# value EXPRESSION FILE: of the JSON, which is `r`
value() {
	python3 -c 'import json, sys
r = json.load(open(sys.argv[2]))
print(eval(sys.argv[1]))' "$1" "$2"
}

"$BALE" bench tree alone.c --no-config --runs 4 --workers 2 --json >one.json 2>err
is "$?" 0 "it runs"
bytes=$(find tree alone.c -type f -printf '%s\n' | awk '{ n += $1 } END { print n }')
is "$(value 'r["files"]' one.json)" \
	"$(find tree alone.c -type f | wc -l)" "the files are those of find"
is "$(value '[x["bytes"] for x in r["reads"] if x["name"] == "cached"]' \
	one.json)" "[$bytes]" "all bytes are read alone"
is "$(value 'r["bytes"]' one.json)" "$bytes" "and by the runs"
"$BALE" pack tree alone.c --no-config -q --budget all -o all.md --report r.json
is "$(value 'r["tokens"]' one.json)" "$(value 'r["output"]["tokens"]' r.json)" \
	"what is packed is everything"
is "$(value '[c["name"] for c in r["cases"]]' one.json)" \
	"['warm uring 1', 'warm uring 2', 'warm read 2', 'cold uring 2', 'cold read 2']" \
	"by workers, with and without io_uring, warm and cold"
is "$(value 'sorted({len(c[k]) for c in r["cases"] for k in ("wall_ns", "cpu_ns")})' \
	one.json)" "[4]" "four runs of each"
is "$(value 'all(0.2 * min(c["cpu_ns"]) < sum(s["cpu_ns"] for s in c["stages"])
	< 1.2 * max(c["cpu_ns"]) for c in r["cases"])' one.json)" True \
	"the stages are most of the processor time, and not more than all"
is "$(value '[m["processors"] for m in r["model"]]' one.json)" \
	"[1, 2, 4, 8, 16, 32, 64]" "the model"
is "$(value 'all(a["wall_ns"] >= b["wall_ns"]
	for a, b in zip(r["model"], r["model"][1:]))' one.json)" True \
	"more processors are never slower"

"$BALE" bench tree alone.c --no-config --runs 1 --budget 2000 --json >some.json
is "$(value 'r["tokens"] <= 2000' some.json)" True "a budget is taken"

# What differs for certain, and what cannot: the times of before are made up.
python3 - <<'END'
import json
old = json.load(open('one.json'))
for case in old['cases']:
    case['wall_ns'] = [10 ** 12, 10 ** 12 + 1, 10 ** 12 + 2, 10 ** 12 + 3]
    case['cpu_ns'] = [1, 2, 10 ** 12, 10 ** 12 + 1]
json.dump(old, open('old.json', 'w'))
END
"$BALE" bench tree alone.c --no-config --runs 4 --workers 2 --json \
	--compare old.json >two.json
is "$(value '{(c["wall_differs"], c["cpu_differs"], c["wall"] < 1)
	for c in r["comparison"]}' two.json)" "{(True, False, True)}" \
	"a comparison tells noise from a difference"
"$BALE" bench tree alone.c --no-config --runs 4 --workers 2 \
	--compare old.json >text
is "$(grep -c '^│ .*(noise) │$' text)" 5 "and says so"
mkdir nothing
"$BALE" bench nothing --no-config --runs 1 >out 2>err
is "$? $(wc -c <out) $(grep -c 'nothing to pack' err)" "9 0 1" \
	"of nothing there is nothing to measure"
"$BALE" bench tree --no-config --runs 1 --compare old.json >text
grep -q 'of another tree' text
is "$?" 0 "another tree is named"

"$BALE" bench tree --no-config --runs 1 --compare r.json >out 2>err
is "$? $(wc -c <out) $(cat err)" \
	"2 0 bale: cannot read r.json: it is no result of bale bench --json" \
	"a report is no result"
git init -q repo 2>/dev/null && cp alone.c repo && git -C repo add -A &&
	git -C repo -c user.name=a -c user.email=a@b commit -q -m one &&
	"$BALE" bench repo --rev HEAD --no-config --runs 1 --json >rev.json 2>err &&
	is "$(value '(r["reads"], [c["name"] for c in r["cases"] if c["cold"]])' \
		rev.json)" "([], [])" "a revision has no files to be read alone"

# Ended in the middle, it leaves nobody behind.
"$BALE" bench tree --no-config --runs 25 >out 2>err &
bench=$!
until pgrep -P $bench >/dev/null || ! kill -0 $bench; do :; done
kill -TERM $bench
wait $bench
is "$?" 143 "ended by a signal"
is "$(pgrep -s 0 -f 'bale.* bench tree --no-config --runs 25' | wc -l)" 0 \
	"with all its processes"
done_testing
