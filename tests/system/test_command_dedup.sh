#!/bin/bash
# SPDX-License-Identifier: MIT
#
# bale dedup: the documents' examples of chunks that are there twice, and of
# ranges that overlap.
#
# verifies: FR-016-91, FR-016-92, FR-016-93, FR-016-98, FR-016-104
# verifies: FR-016c-22, FR-016c-23, FR-016c-24, FR-016c-34, AC-016c-023
# verifies: AC-016c-024, AC-016c-025, AC-016c-026, AC-016c-027, AC-016c-028
# verifies: FR-016c-42
# verifies: AC-016c-032, AC-016c-036, AC-016c-037, NFR-016-38

# shellcheck source=tests/support/lib.sh
. tests/support/lib.sh

# dedup JSON [OPTIONS]: "kept exact exact_tokens overlaps"
dedup() {
	printf '%s' "$1" | "$BALE" dedup - --json "${@:2}" 2>"$dir/err" |
		python3 -c 'import json, sys
r = json.load(sys.stdin)
d = r["dedup"]
print(",".join("%s:%d-%d@%d" % (c["path"], c["start_line"], c["end_line"],
	c["rank"]) for c in r["chunks"]) + "|%d %d %d" % (d["exact_removed"],
	d["exact_tokens"], d["overlaps_merged"]))'
}

two='[{"path":"User.cs","lines":"1-50","rank":100,"source":"tool_results"},
{"path":"User.cs","lines":"40-80","rank":85,"source":"search_results"}]'
is "$(dedup "$two" --threshold 0.8)" \
	"User.cs:1-50@100,User.cs:40-80@85|0 0 0" "below the threshold"
is "$(dedup "$two" --threshold 0.25)" "User.cs:1-80@100|0 0 1" \
	"above it: all lines, the best rank"
is "$(dedup "$two" --threshold 0.25 --no-merge)" "User.cs:1-50@100|0 0 1" \
	"without merging the better one stays"

user='"content":"public class User { }","lines":"1-1","tokens":10'
is "$(dedup "[{\"path\":\"User.cs\",\"rank\":100,$user},
{\"path\":\"User.cs\",\"rank\":50,\"source\":\"search_results\",$user}]")" \
	"User.cs:1-1@100|1 10 0" "a duplicate: the better rank is kept"
is "$(dedup '[{"path":"low","lines":"1-1","rank":10,"content":"Test content"},
{"path":"high","lines":"1-1","rank":100,"content":"Test content"}]')" \
	"high:1-1@100|1 2 0" "whatever the order, and from another file"
is "$(dedup '[{"path":"1","lines":"1-1","rank":100,"content":"Content A"},
{"path":"2","lines":"1-1","rank":90,"content":"Content B"},
{"path":"3","lines":"1-1","rank":80,"content":"Content C"}]')" \
	"1:1-1@100,2:1-1@90,3:1-1@80|0 0 0" "none"
same='"lines":"1-1","content":"Same","tokens":10'
is "$(dedup "[{\"path\":\"1\",\"rank\":100,$same},
{\"path\":\"2\",\"rank\":90,$same},{\"path\":\"3\",\"rank\":80,$same}]")" \
	"1:1-1@100|2 20 0" "all of them"
is "$(dedup '[{"path":"a","lines":"1-50","rank":9},
{"path":"b","lines":"1-50","rank":8}]')" "a:1-50@9,b:1-50@8|0 0 0" \
	"ranges of different files are never merged"
crlf='[{"path":"a","lines":"1-2","rank":2,"content":"x\ny\n"},
{"path":"b","lines":"1-2","rank":1,"content":"x  \r\ny\r\n"}]'
is "$(dedup "$crlf") $(dedup "$crlf" --dedup-normalize none)" \
	"a:1-2@2|1 4 0 a:1-2@2,b:1-2@1|0 0 0" "line ends and trailing blanks"
# the documents: of equal ranks a tool's result, an open file, a search's
is "$(printf '[%s,%s,%s]' \
	'{"path":"a","lines":"1-5","rank":5,"source":"references"}' \
	'{"path":"a","lines":"1-5","rank":5,"source":"tool_results"}' \
	'{"path":"a","lines":"1-5","rank":5,"source":"open_files"}' |
	"$BALE" dedup - --json | python3 -c 'import json, sys
r = json.load(sys.stdin)
print([c["source"] for c in r["chunks"] + r["removed"]])')" \
	"['tool_results', 'open_files', 'references']" \
	"of equal ranks the source says which is kept"
# 98 lines of 1,000 tokens between two of 10 lines and 100 tokens
chain='[{"path":"a","lines":"1-10","rank":1,"tokens":100},
{"path":"a","lines":"3-100","rank":2,"tokens":1000},
{"path":"a","lines":"93-102","rank":3,"tokens":100}]'
is "$(printf %s "$chain" | "$BALE" dedup - --json | python3 -c 'import json, sys
r = json.load(sys.stdin)
print([(c["start_line"], c["end_line"], c["tokens"], c["rank"])
	for c in r["chunks"]], r["dedup"]["overlap_tokens"])')" \
	"[(1, 102, 1038, 3)] 162" \
	"a chain: each line once, whichever of them is the best"
# what one group has more than was said is no loss of another
is "$(printf '[%s,%s,%s,%s]' \
	'{"path":"a","lines":"1-2","rank":2,"tokens":1,"content":"a b\nc d\n"}' \
	'{"path":"a","lines":"2-3","rank":1,"tokens":1,"content":"c d\ne f\n"}' \
	'{"path":"b","lines":"1-9","rank":2,"tokens":90}' \
	'{"path":"b","lines":"1-8","rank":1,"tokens":80}' |
	"$BALE" dedup - --threshold 0.5 | grep -o 'aved: .*\|merged: .*')" \
	"aved: 0 tokens
aved: about 80 tokens
merged: 2 (-80 tokens)" "the sum is that of what each saves"
for bad in '"lines":"b:3-4"' '"lines":"3-4","content":5' \
	'"lines":"3-4","source":5' '"lines":"3-4-5"' '"lines":"4-3"' \
	'"lines":"0000000000000000000000000000000000000000000000000000000001-2"'
do
	printf '[{"path":"a",%s}]' "$bad" | "$BALE" dedup - 2>"$dir/err"
	is "$? $(grep -c 'BALE-BUD-004 -: chunk 1: ' "$dir/err")" "2 1" \
		"refused: $bad"
done
is "$(dedup '[]') $(dedup '{"chunks":[]}')" "|0 0 0 |0 0 0" "an empty list"

# The documents' numbers, with texts that have them: 600, 600 and 400 tokens.
python3 - "$dir" <<'EOF'
import json, sys
def lines(n, tokens):
    return "".join(" a" * (tokens // n - 1 + (i < tokens % n)) + "\n"
                   for i in range(n))
x, y, z = lines(39, 600), lines(11, 600), lines(30, 400)
json.dump([{"path": "User.cs", "lines": "1-50", "rank": 100,
            "source": "tool_results", "content": x + y},
           {"path": "User.cs", "lines": "40-80", "rank": 85,
            "source": "search_results", "content": y + z}],
          open(sys.argv[1] + "/overlap.json", "w"))
open(sys.argv[1] + "/want", "w").write(x + y + z)
found = [("src/Domain/User.cs", "1-50", 1200, "tool_results", 85),
         ("src/Domain/User.cs", "1-50", 1200, "search_results", 42),
         ("src/Application/UserService.cs", "10-30", 450, "open_files", 90),
         ("src/Application/UserService.cs", "10-30", 450, "references", 15)]
json.dump([dict(zip(("path", "lines", "tokens", "source", "rank"), it))
           for it in found], open(sys.argv[1] + "/exact.json", "w"))
# 100 chunks of which 20 are there twice
json.dump([{"path": "f%d.cs" % i, "lines": "1-1", "rank": i,
            "content": "class C%d {}" % (i % 80)} for i in range(100)],
          open(sys.argv[1] + "/hundred.json", "w"))
# Maya's: 1-100 twice, and 50-150
text = ["line %d\n" % i for i in range(1, 151)]
json.dump([{"path": "UserService.cs", "lines": "%d-%d" % (a, b), "rank": r,
            "source": s, "content": "".join(text[a - 1:b])}
           for a, b, r, s in [(1, 100, .92, "open_files"),
                              (1, 100, .88, "search_results"),
                              (50, 150, .85, "search_results")]],
          open(sys.argv[1] + "/maya.json", "w"))
# ranges that hide in one another: each in the one before it
json.dump([{"path": "a", "lines": "%d-%d" % (i, 4001 - i), "rank": i}
           for i in range(1, 2000)], open(sys.argv[1] + "/nested.json", "w"))
EOF
cd "$dir" || exit 1
# verifies: AC-016c-034, AC-016-014, AC-016-015, AC-016-016
is "$("$BALE" dedup overlap.json --threshold 0.8 | sed -n 3,9p)" \
	"Overlaps Below the Threshold:
  1. User.cs
     - Chunk A: lines 1-50 (1,200 tokens, rank 100, tool_results)
     - Chunk B: lines 40-80 (1,000 tokens, rank 85, search_results)
     - Overlap: lines 40-50 (11 lines)
     - Overlap %: 11/41 = 26.8% < 80% threshold
     - Action: NOT merged (below threshold)" \
	"the documents' report of an overlap that is below the threshold"
is "$("$BALE" dedup overlap.json --threshold 0.25 | sed -n 2,8p)" \
	"Overlapping Chunks Merged (1):
  1. User.cs
     - Chunk A: lines 1-50 (1,200 tokens, rank 100, tool_results)
     - Chunk B: lines 40-80 (1,000 tokens, rank 85, search_results)
     - Overlap: lines 40-50 (11/41 = 26.8% of chunk B)
     - Merged: lines 1-80 (1,600 tokens, rank 100, tool_results)
     - Saved: 600 tokens" "and of one that is merged, to the token"
is "$("$BALE" dedup exact.json | head -n 11)" "Exact Duplicates Removed (2):
  1. src/Application/UserService.cs:10-30
     - Found in: open_files (rank 90), references (rank 15)
     - Kept: open_files copy (higher rank)
     - Saved: 450 tokens

  2. src/Domain/User.cs:1-50
     - Found in: tool_results (rank 85), search_results (rank 42)
     - Kept: tool_results copy (higher rank)
     - Saved: 1,200 tokens" "their report of duplicates"
is "$("$BALE" dedup exact.json | grep 'Exact duplicates removed')" \
	"Exact duplicates removed: 2 (-1,650 tokens)" "and what they saved"
is "$("$BALE" dedup hundred.json | grep 'Chunks left')" \
	"Chunks left: 80 of 100" "100 chunks with 20 duplicates: 80"
is "$("$BALE" dedup maya.json --threshold 0.5 --json | python3 -c 'import json
import sys
r = json.load(sys.stdin)
print([(c["start_line"], c["end_line"], c["rank"], c["source"])
	for c in r["chunks"]], r["dedup"]["exact_removed"],
	r["dedup"]["overlaps_merged"])')" \
	"[(1, 150, 0.92, 'open_files')] 1 1" \
	"1-100, the same again, and 50-150: 1-150, of the best rank"

# json FILE OPTION... : the chunks, as lines and tokens; all texts in texts
json() {
	"$BALE" dedup "$@" --json | python3 -c 'import json, sys
r = json.load(sys.stdin)
open("texts", "w").write("".join(c["content"] for c in r["chunks"]))
print([(c["start_line"], c["end_line"], c["tokens"]) for c in r["chunks"]])'
}
is "$(json overlap.json --threshold 0.25) $(cmp texts want; echo $?)" \
	"[(1, 80, 1600)] 0" "the merged chunk has the content of both"
is "$(json overlap.json --threshold 0.25 --max-chunk-tokens 700) $(
	cmp texts want
	echo $?
)" "[(1, 40, 655), (41, 61, 698), (62, 80, 247)] 0" \
	"if it is too large it is parted at the ends of lines"
is "$(json overlap.json --threshold 0.25 --max-chunk-tokens 16 |
	tr -cd '(' | wc -c)" 80 "a line alone, if it is larger than that"
is "$("$BALE" dedup nested.json | grep 'Chunks left')" \
	"Chunks left: 1 of 1999" "ranges within one another are one"

# What is hostile is refused, or done with.
printf '%s' '[{"path":"a","lines":"1-2","lines":"3-4"}]' |
	"$BALE" dedup - 2>err
is "$? $(grep -c 'chunk 1: .*duplicate object key' err)" "2 1" \
	"a key that is there twice is refused"
python3 -c 'print("[" * 100000)' | "$BALE" dedup - 2>err
is "$? $(grep -c 'maximum parsing depth' err)" "2 1" "so is what is too deep"
printf '%s' '[{"path":"a","lines":"1-2"}] []' | "$BALE" dedup - 2>err
is "$? $(grep -c 'more behind its end' err)" "2 1" "and what follows the list"
for bad in nan NaN inf -1 1.5 0,5 '' 1e400 0x1; do
	printf '[]' | "$BALE" dedup - --threshold "$bad" 2>err
	is "$? $(grep -c 'BALE-CLI-00[24].*threshold' err)" "2 1" \
		"--threshold '$bad' is refused"
done
printf '%s' '[{"path":"a","lines":"1-4294967295","rank":-1e308,
"tokens":9223372036854775807},{"path":"a","lines":"2-4294967295",
"rank":1e308,"tokens":9223372036854775807},{"path":"a","lines":"1-3",
"tokens":9223372036854775807}]' | "$BALE" dedup - --json >out 2>err
is "$? $(python3 -c 'import json
r = json.load(open("out"))
print(len(r["chunks"]), r["chunks"][0]["rank"], r["chunks"][0]["tokens"] > 0)')" \
	"0 1 1e+308 True" "the greatest numbers there are"
is "$(printf '%s' '[{"path":"a\nb\u001b[31m","lines":"1-2","rank":1},
{"path":"a\nb\u001b[31m","lines":"1-2","rank":2,"source":"\u001b[1m"}]' |
	"$BALE" dedup - | grep -c "$(printf '\033')")" 0 \
	"names cannot move the cursor"
head -c 70000000 /dev/zero | tr '\0' ' ' | "$BALE" dedup - 2>err
is "$? $(grep -c 'larger than 64 MiB' err)" "2 1" "what is too large says so"

# Sixteen times as many overlapping ranges: a square would take 256 times.
# verifies: FR-016-105, FR-016c-54, NFR-016-13
grow() {
	awk -v nr="$1" 'BEGIN { srand(1); printf "["
		for (i = 0; i < nr; i++) {
			a = 1 + int(rand() * nr)
			printf "%s{\"path\":\"a\",\"lines\":\"%d-%d\",\"rank\":%d}\n", \
				i ? "," : "", a, a + rand() * 200, i % 100
		}
		print "]" }' >"many_$1.json"
	TIMEFORMAT=%U
	{ time "$BALE" dedup "many_$1.json" --threshold 1 >out; } 2>&1
}
small=$(grow 6250) large=$(grow 100000)
is "$(awk -v s="$small" -v l="$large" 'BEGIN { print (l < 60 * s + 0.5) }')" \
	1 "time grows like that of sorting: $small s and $large s"

for bad in '[{"path":"c"}]' '[{"lines":"1-2"}]' 'x' '{}' \
	'[{"path":"a","lines":"5-1"}]' '[{"path":"a","lines":"1-2","tokens":-1}]' \
	'[{"path":"a","lines":"1-2","rank":"x"}]' '[7]'; do
	printf '%s' "$bad" | "$BALE" dedup - >"$dir/out" 2>"$dir/err"
	is "$? $(grep -c 'BALE-BUD-004' "$dir/err") $(wc -c <"$dir/out")" \
		"2 1 0" "$bad is refused"
done

# Numbers take twenty times their bytes once they are parsed.
head -c 9000000 /dev/zero | sed 's/\x00/1,/g; s/.*/[{"path":"a","lines":"1-2","x":[&1]}]/' |
	"$BALE" dedup - >"$dir/out" 2>"$dir/err"
is "$? $(grep -c 'BALE-BUD-004 -: .*far too many values' "$dir/err")" \
	"2 1" "a list of numbers is refused before it is parsed"
done_testing
