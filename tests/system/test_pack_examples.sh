#!/bin/bash
# SPDX-License-Identifier: MIT
#
# The documents' worked examples of selection, duplicates, the cache and the
# report, from the command line, with texts that have their numbers.
#
# verifies: FR-016c-27, FR-016c-28, FR-016c-29, FR-016c-30, FR-016c-32
# verifies: FR-016-106, FR-016-107, AC-016c-010, AC-016c-038, AC-016c-041

# shellcheck source=tests/support/lib.sh
. tests/support/lib.sh
cd "$dir" || exit 1
shares=(--categories tool_results=100)
none=(--reserve-response 0 --reserve-system 0 --no-preamble --no-config --no-last -q)

# wish TYPE NAME RELEVANCE TOKENS: a line of --sources; of the numbers below a
# thousand and a blank each is one token
wish() {
	python3 -c 'import json, random, sys
kind, name, relevance, tokens = sys.argv[1:]
rng = random.Random(name)
text = "".join("%03d " % rng.randrange(1000) for _ in range(int(tokens) // 2))
print(json.dumps({"type": kind, "name": name, "relevance": float(relevance),
	"content": text.rstrip() + "\n"}))' "$@"
}

# plan BUDGET OPTION... : "names, the best first; used of available"
plan() {
	"$BALE" pack "${none[@]}" --sources wishes --budget "$@" \
		"${shares[@]}" --recency-weight 0 --source-weight 0 -o out \
		--report r.json 2>err || cat err
	python3 -c 'import json
r = json.load(open("r.json"))
print(" ".join(x["path"] for x in sorted(r["selected"],
	key=lambda x: -x["score"])), r["budget"]["used"])'
}

# cost NAME... : tokens of an output of these alone
cost() {
	cp wishes all
	grep -F "$(printf '"%s"\n' "$@")" all >wishes
	plan 1M | sed 's/.* //'
	mv all wishes
}

# By rank: 100 tokens each of rank 50, 100 and 75, and room for two and a half.
{
	wish tool_result one .5 100
	wish tool_result two 1 100
	wish tool_result three .75 100
} >wishes
two=$(cost two three) all=$(cost one two three)
is "$(plan $(((two + all) / 2)))" "two three $two" \
	"room for two and a half of three: the two of highest rank, in this order"

# To the brim: 900 and 100 are 1,000, the third one of 50 stays out.
{
	wish tool_result one 1 900
	wish tool_result two .9 100
	wish tool_result three .8 50
} >wishes
full=$(cost one two)
is "$(plan "$full")" "one two $full" "filled to the last token of the budget"
is "$(plan $((full - 1)) | sed 's/ [0-9]*$//')" "one three" \
	"with one less the next smaller one"

# Never over: two of 600, and 1,000.
{
	wish tool_result one 1 600
	wish tool_result two .9 600
} >wishes
is "$(plan $(($(cost one) + 400)))" "one $(cost one)" "one of two, not both"

# Too large: 1,200 is passed over, 500 is taken.
{
	wish tool_result one 1 1200
	wish tool_result two .9 500
} >wishes
is "$(plan $(($(cost two) + 500)))" "two $(cost two)" \
	"what is larger than the budget is passed over"

# Each category has its own: 500 of 60 %, not 500 of 40 %, of 1,000.
{
	wish tool_result one 1 500
	wish open_file two .9 500
} >wishes
one=$(cost one)
shares=(--categories tool_results=60,open_files=40)
is "$(plan $((one * 2 - 100)) --no-redistribute)" "one $one" \
	"a category does not take from another"
is "$(python3 -c 'import json
print([(c["name"], c["used"]) for c in json.load(open("r.json"))["categories"]
	if c["name"] == "open_files"])')" "[('open_files', 0)]" \
	"of which it then has used none"

# Duplicates in full: 1,200, 800 and 200 tokens that are there twice, overlaps
# of 1,500 and 1,400 that are 2,100 together, of 1,600 and 900 that are 2,000.
python3 - <<'END'
import json
def lines(n, tokens):
    return "".join(" a" * (tokens // n - 1 + (i < tokens % n)) + "\n"
                   for i in range(n))
chunks = []
def add(path, first, last, rank, source, text):
    chunks.append({"path": path, "lines": "%d-%d" % (first, last),
                   "rank": 1000 - rank, "source": source, "content": text})
for path, first, last, tokens, a, b in [
        ("src/Domain/User.cs", 1, 50, 1200, ("tool_results", 42),
         ("references", 156)),
        ("tests/Domain.Tests/UserTests.cs", 100, 150, 800, ("open_files", 15),
         ("search_results", 88)),
        ("README.md", 1, 30, 200, ("references", 180), ("references", 181))]:
    for source, rank in (a, b):
        add(path, first, last, rank, source, lines(last - first + 1, tokens))
x, y, z = lines(49, 700), lines(26, 800), lines(45, 600)
path = "src/Application/Services/UserService.cs"
add(path, 1, 75, 22, "tool_results", x + y)
add(path, 50, 120, 35, "search_results", y + z)
x, y, z = lines(50, 1100), lines(21, 500), lines(20, 400)
path = "src/Infrastructure/Data/UserRepository.cs"
add(path, 10, 80, 48, "open_files", x + y)
add(path, 60, 100, 72, "search_results", y + z)
json.dump(chunks, open("chunks.json", "w"))
END
"$BALE" dedup chunks.json --threshold 0.3 --max-chunk-tokens 3000 >found
is "$(grep -c 'Saved: \(1,200\|800\|200\|500\) tokens' found) $(
	grep -A99 Merged found | grep -c 'Saved: \(800\|500\) tokens')" "5 2" \
	"each of the documents' savings"
is "$(grep -c 'Merged: lines 1-120 (2,100 tokens, rank 978, tool_results)' \
	found) $(grep -c 'Merged: lines 10-100 (2,000 tokens, rank 952, open_files)' \
	found)" "1 1" "what is merged has all lines and the better rank"
is "$(tail -n 5 found | grep -o '[0-9,]* tokens' | tr '\n' ' ')" \
	"2,200 tokens 1,300 tokens 3,500 tokens " "3,500 tokens in all"

# The same content from a tool and from an open file, but for its line ends:
# the documents' 0.95 is kept, and the other is not.
for i in $(seq 12); do
	printf 'int\nused_%d(int a)\n{\n\treturn a * %d;\n}\n\n' "$i" "$i"
done >service.c
python3 -c 'import json
text = open("service.c").read()
print(json.dumps({"type": "tool_result", "name": "cat service.c",
	"content": text.replace("\n", " \r\n"), "relevance": .95}))
print(json.dumps({"type": "search_result", "path": "service.c",
	"relevance": .72}))' >wishes
for more in "" "--dedup-normalize none"; do
	# shellcheck disable=SC2086  # words
	plan 20k $more >/dev/null
	python3 -c 'import json
r = json.load(open("r.json"))
lost = [x["tokens"] for x in r["excluded"] if x["reason"] == "duplicate"]
print(sorted({x["path"] for x in r["selected"]}),
	sum(lost) == r["dedup"]["exact_tokens"])'
done >got
is "$(cat got)" "['cat service.c'] True
['cat service.c', 'service.c'] True" "found by two sources, the better rank is kept"

# The cache: the same text twice is counted once.
mkdir twice && seq 100 >twice/a.txt && cp twice/a.txt twice/b.txt
"$BALE" pack twice "${none[@]}" --budget 20k --tiers off --workers 1 -o out --report r.json
is "$("$BALE" report r.json --cache-stats | sed -n '4,6p;8p')" \
	"Total Requests: 2
Cache Hits: 1 (50.0 %)
Cache Misses: 1 (50.0 %)
Cache Size: 1 / 10,000 entries (0.0 % full)" "the statistics of the cache"
"$BALE" pack twice "${none[@]}" --budget 20k --tiers off --workers 1 --count-cache 0 -o out2 \
	--report r2.json
is "$(cmp out out2; echo $?) $("$BALE" report r2.json --cache-stats |
	grep -c 'Cache Hits: 0 \|Cache Size: 0 / 0 ')" "0 2" \
	"without it the counts are the same"

# The report: what it adds up. Use, waste and fill of each category.
{
	for i in 1 2 3 4; do wish tool_result "tool $i" 1 800; done
	wish open_file open 1 900
	wish search_result search 1 300
	wish reference reference 1 300
	wish reference again .5 300 | sed 's/again/reference/'
} >wishes
shares=()
plan 10k >/dev/null
"$BALE" report r.json >tables
is "$(python3 - <<'END'
import json, re
rows = {}
for line in re.search("│ Category.*?└", open("tables").read(),
                      re.S).group().splitlines():
    cells = [c.strip() for c in line.split("│")]
    if len(cells) > 5 and re.match(r"[\d,]+$", cells[3]):
        rows[cells[1]] = [int(re.sub(r"\D", "", c) or 0) for c in cells[2:5]]
total = rows.pop("TOTAL")
around = rows.pop("Around Them")[1]
report = json.load(open("r.json"))
rows.pop("Tree", None)
print(len(rows), all(a - u == w for a, u, w in rows.values()),
      [sum(r[0] for r in rows.values()),
       sum(r[1] for r in rows.values()) + around,
       sum(r[2] for r in rows.values()) - around] == total,
      total[1] == report["budget"]["used"],
      total[0] == report["budget"]["available"],
      sorted(c["used"] for c in report["categories"] if c["allocated"]) ==
      sorted(u for _, u, _ in rows.values()))
END
)" "4 True True True True True" \
	"allocated less used is wasted, and the sums are the total"
is "$(sed -n 's/.*Total Savings: \([0-9,]*\).*/\1/p' tables)" \
	"$(sed -n 's/.*(-\([0-9,]*\) tokens).*/\1/p' tables | tr -d , |
		awk '{ s += $1 } END { print s }')" "savings add up"
done_testing
