#!/bin/bash
# SPDX-License-Identifier: MIT
#
# Sources besides the tree: what they name is packed, under its category;
# what fails or lies outside is named; workers may die at any time.
#
# verifies: FR-016-02, FR-016-03
# verifies: FR-016-27, FR-016-28, FR-016-29, FR-016-30, FR-016-104
# verifies: AC-016-001, AC-016-002, AC-016-003, NFR-016-41, NFR-016-42
# verifies: FR-016c-13, FR-016c-31, AC-016c-026, AC-016c-045, AC-016c-049

# shellcheck source=tests/support/lib.sh
. tests/support/lib.sh

# The names of all sections, on one line.
sections() {
	grep '^## File: ' | sed 's/^## File: //; s/ (lines.*//' | tr '\n' ' '
}

mkdir -p "$dir/in/src" "$dir/in/ignored" "$dir/out"
cd "$dir/in" || exit 1
echo 'ignored/' >.gitignore
for name in a b c d; do
	for i in $(seq 40); do echo "int ${name}_$i(void) { return $i; }"; done \
		>src/$name.c
done
echo 'int generated;' >ignored/g.c
echo secret >"$dir/out/secret.txt"
ln -s "$dir/out/secret.txt" src/link.c
printf 'src/b.c:7:5: error: bad\n%s:1: outside\n' "$dir/out/secret.txt" \
	>"$dir/build.log"

is "$("$BALE" pack --open src/a.c -q | sections)" "src/a.c " \
	"without a PATH, the sources alone"
is "$("$BALE" pack . --open src/a.c -q | sections)" \
	".gitignore src/a.c src/b.c src/c.c src/d.c " "with a PATH, the tree too"
is "$("$BALE" pack . --open ignored/g.c -q | sections)" \
	".gitignore src/a.c src/b.c src/c.c src/d.c ignored/g.c " \
	"what is asked for beats the ignore rules"
is "$("$BALE" pack --open ./src/../src/a.c --open "$PWD/src/a.c" -q | sections)" \
	"src/a.c " "however it is spelt, it is there once"
is "$("$BALE" pack --tool "$dir/build.log" -q 2>"$dir/err" | sections)" \
	"src/b.c $dir/build.log " "a log, and the file that it names"
is "$(grep -c 'outside the PATHs' "$dir/err")" 1 \
	"the place outside is refused by its name"
is "$(printf 'src/c.c:3:x\nsrc/d.c:4:y\n' |
	"$BALE" pack --search - -q | sections)" "src/c.c src/d.c " \
	"results of grep on stdin"
is "$(printf '\xef\xbb\xbfsrc/c.c:3:x\r\n' |
	"$BALE" pack --search - -q | sections)$(
	printf '\xef\xbb\xbf{"type":"open_file","path":"src/d.c"}\r\n' |
		"$BALE" pack --sources - -q | sections)" "src/c.c src/d.c " \
	"behind a byte order mark"
(cd src && printf 'c.c:3:x\n') | "$BALE" pack src --search - \
	--budget 11500 --reserve-response 8000 --reserve-system 2000 -q \
	>"$dir/o" 2>"$dir/err"
is "$(grep -c '^## File: src/c.c' "$dir/o")" 1 \
	"names below the root that is packed"
printf '%s\n' '{"type":"open_file","path":"src/a.c"}' '' \
	'{"type":"tool_result","content":"all tests pass\n","name":"tests"}' \
	'{"type":"nonsense"}' \
	'{"type":"reference","path":"../out/secret.txt"}' \
	'{"type":"reference","path":"src/link.c"}' >"$dir/list"
is "$("$BALE" pack --sources "$dir/list" -q 2>"$dir/err" | sections)" \
	"src/a.c tests " "what can be had of a list"
"$BALE" pack --sources "$dir/list" -q -o "$dir/o" 2>"$dir/err"
is "$? $(grep -c 'line 4: "type" is one of' "$dir/err") \
$(grep -c 'secret.txt: outside' "$dir/err") $(grep -c secret "$dir/o")" \
	"3 1 1 0" "and what cannot is named; nothing outside is read"
"$BALE" pack --strict --sources "$dir/list" -q -o "$dir/none" 2>"$dir/err"
is "$? $([ -e "$dir/none" ] && echo there)" "3 " "--strict writes nothing"
ln -s b.c src/link.c.2 && mkfifo src/fifo
for place in 'link.c.2 symbolic link' 'fifo FIFO'; do
	file=src/${place%% *}
	for option in open reference; do
		"$BALE" pack --$option "$file" --open src/a.c -q -o "$dir/o" \
			--report "$dir/r.json" 2>"$dir/err"
		is "$? $(grep -c "warning: --$option $file: $file: is a ${place#* }" \
			"$dir/err") $(sections <"$dir/o")" "3 1 src/a.c " \
			"--$option names a ${place#* }: a warning"
		is "$(grep -c "\"path\":\"$file\".*\"reason\":\"s" "$dir/r.json")" 1 \
			"and the report has it"
	done
done
rm src/link.c.2 src/fifo
mkfifo "$dir/pipe"
exec 7<>"$dir/pipe" # somebody holds it, who never writes
"$within" 20 "$BALE" pack --open src/a.c --tool "$dir/pipe" \
	--source-timeout 1 -q -o "$dir/o" 2>"$dir/err"
is "$? $(grep -c 'not read in time' "$dir/err") \
$(sections <"$dir/o")" "3 1 src/a.c " "a late source is named, the rest goes on"
printf '%s\n' '{"type":"tool_result","name":"make","relevance":0.5,'\
'"content":"src/b.c:7:5: error: bad\n"}' >"$dir/list"
is "$("$BALE" pack --sources "$dir/list" -q --report "$dir/r.json" | sections)" \
	"src/b.c make " "places that the text of a tool names, in a list as well"
is "$(grep -o '"relevance":[0-9.]*\|"category":"[a-z_]*","tier"' "$dir/r.json" |
	tr '\n' ' ')" '"relevance":0.500000 "category":"references","tier" '\
'"relevance":0.500000 "category":"tool_results","tier" ' "as references"
# What a late one takes is not taken from the next, however much that has.
seconds=$(patience 1)
printf '{"type":"tool_result","path":"%s","timeout":%s}\n' "$dir/pipe" 0.5 \
	/dev/fd/8 "$seconds" >"$dir/late"
"$BALE" pack --tool "$dir/pipe" --tool /dev/fd/9 --sources "$dir/late" \
	--source-timeout "$seconds" --budget 1M -q -o "$dir/o" 2>"$dir/err" \
	9< <(seq 20000) 8< <(seq 20001 40000)
is "$? $(grep -c 'not read in time' "$dir/err") $(grep -cx '[0-9][0-9]*' "$dir/o")" \
	"3 2 40000" "the rest has the time that it is given"
exec 7>&-
"$BALE" pack --search - --tool - </dev/null 2>"$dir/err"
is "$? $(grep -c 'stdin' "$dir/err")" "2 1" "stdin can be read once"
"$BALE" pack --open none.c 2>"$dir/err"
is "$? $(grep -c 'none.c' "$dir/err")" "9 1" "sources that name nothing"
"$BALE" pack --categories tool_results=40,open_files=50 2>"$dir/err"
is "$? $(grep -c 'add up to 90; they must add up to 100' "$dir/err")" "2 1" \
	"shares that do not add to 100"
for option in --categories=tree=50,tree=50 \
	--source-priority=tree=1,references=2,tree=3; do
	"$BALE" pack "$option" --open "$dir/a" --budget 12k \
		-q -o "$dir/o" 2>"$dir/err"
	is "$? $(grep -c ': tree is given twice' "$dir/err")" "2 1" \
		"$option: not one of them, and not the other"
done

# ---- as tools print it ---------------------------------------------------
# What gcc, pytest and ripgrep have written for such files, kept here.
printf '%s\n' "src/d.c: In function 'd':" \
	"src/d.c:4:19: warning: initialization of 'char *' from 'int' makes \
pointer from integer without a cast [-Wint-conversion]" \
	'    4 |         char *p = a;' '      |                   ^' \
	"src/d.c:5:16: error: 'b' undeclared (first use in this function)" \
	'In file included from src/c.c:1:' >"$dir/gcc.log"
is "$("$BALE" pack --tool "$dir/gcc.log" -q | sections)" \
	"src/c.c src/d.c $dir/gcc.log " "a log of gcc"
printf '%s\n' '=================== FAILURES ===================' \
	'>       assert calc.add(1, 2) == 4' 'E       assert 3 == 4' \
	'E        +  where 3 = <function add at 0x7f5a8f6fa160>(1, 2)' '' \
	'src/a.c:4: AssertionError' '_ _ _ _ _ _ _ _ _ _ _' '' \
	'src/b.c:5: ZeroDivisionError' \
	'FAILED src/d.c::test_div - ZeroDivisionError: division by zero' \
	'2 failed in 0.30s' >"$dir/pytest.log"
is "$("$BALE" pack --tool "$dir/pytest.log" -q | sections)" \
	"src/a.c src/b.c $dir/pytest.log " "a log of pytest"
printf '\033[1m\033[31msrc/a.c\033[0m:4: AssertionError\n' >"$dir/colour.log"
is "$("$BALE" pack --tool "$dir/colour.log" -q | sections)" \
	"src/a.c $dir/colour.log " "in colours"
printf '%s\n' '{"type":"begin","data":{"path":{"text":"src/c.c"}}}' \
	'{"type":"match","data":{"path":{"text":"src/c.c"},"lines":{"text":"int c_3(void) { return 3; }\n"},"line_number":3,"absolute_offset":54,"submatches":[{"match":{"text":"c_3"},"start":4,"end":7}]}}' \
	'{"type":"context","data":{"path":{"text":"src/d.c"},"lines":{"text":"x\n"},"line_number":4,"absolute_offset":81,"submatches":[]}}' \
	'{"type":"end","data":{"path":{"text":"src/c.c"},"binary_offset":null,"stats":{"matches":1}}}' \
	'{"data":{"stats":{"matches":1,"searches":1}},"type":"summary"}' \
	>"$dir/rg.json"
is "$("$BALE" pack --search "$dir/rg.json" -q | sections)" "src/c.c " \
	"rg --json: its matches, nothing else"
is "$("$BALE" pack --search "$dir/rg.json" --tool "$dir/gcc.log" \
	--open src/c.c --reference src/c.c:3-3 -q | sections)" \
	"src/c.c src/d.c $dir/gcc.log " "one file, named by four sources, is there once"

# ---- the highest rank ---------------------------------------------------
# Many requests on the same lines, some with times: each range has the score,
# the category and the factors of the best of them, as the formula says it;
# beside the tree no worse than as part of it.
for i in $(seq 400); do echo "int rank_$i(void) { return $i; }"; done \
	>src/rank.c
touch -d '2024-03-01T00:00:00Z' src/*.c
cat >"$dir/rank.py" <<'END'
import json, random, sys
def time_of(day):
    return 1704067200 + 86400 * day  # 2024-01-01
def make(seed):
    random.seed(seed)
    for _ in range(60):
        first = 40 * random.randrange(8) + 1
        line = {"type": random.choice(["tool_result", "open_file",
                "search_result", "reference"]), "path": "src/rank.c",
                "lines": [first, first + 19],
                "relevance": random.randrange(11) / 10}
        if random.randrange(3):
            line["timestamp"] = time_of(random.randrange(200))
        print(json.dumps(line))
def check(lines, report, weights, priorities, with_tree):
    lines = [json.loads(l) for l in open(lines)]
    items = [i for i in json.load(open(report))["selected"]
             if i["path"] == "src/rank.c"]
    own = time_of(60)
    newest = max([own] + [l["timestamp"] for l in lines if "timestamp" in l])
    def parts(relevance, time, source):
        return relevance, 1 / (1 + (newest - time) / (30 * 86400)), source
    def score(p):
        return sum(w * x for w, x in zip(weights, p)) / sum(weights)
    bad = 0
    for item in items:
        asked = [l for l in lines if l["lines"][0] <= item["end_line"] and
                 l["lines"][1] >= item["start_line"]]
        rows = [(parts(l["relevance"], l.get("timestamp", own),
                       priorities[l["type"]] / 100), l["type"])
                for l in asked]
        types = {t for p, t in rows
                 if score(p) > max(score(q) for q, _ in rows) - 2e-6}
        if with_tree:
            rows.append((parts(item["factors"]["priority"] / 100, own, 0.4),
                         None))
        best = max(score(p) for p, _ in rows)
        f = item["factors"]
        got = score((f["relevance"], f["recency"], f["source"]))
        if abs(item["score"] - best) > 3e-6 or abs(got - best) > 3e-6 or (
                asked and item["category"] not in
                {t + "s" for t in types}):
            bad += 1
            print("#", item["start_line"], item["score"],
                  item["category"], best, types, file=sys.stderr)
    print(len(items) >= 8, bad)
if sys.argv[1] == "make":
    make(int(sys.argv[2]))
else:
    check(sys.argv[2], sys.argv[3], [float(w) for w in sys.argv[4:7]],
          dict(zip(["tool_result", "open_file", "search_result", "reference"],
                   map(float, sys.argv[7:11]))), len(sys.argv) > 11)
END
for seed in 1 2 3; do
	python3 "$dir/rank.py" make $seed >"$dir/rank"
	"$BALE" pack --sources "$dir/rank" -q --report "$dir/r.json" -o "$dir/o"
	is "$(python3 "$dir/rank.py" check "$dir/rank" "$dir/r.json" \
		0.5 0.3 0.2 100 80 60 40)" "True 0" \
		"the best of all requests on a range ranks it ($seed)"
	"$BALE" pack --sources "$dir/rank" -q --report "$dir/r.json" -o "$dir/o" \
		--relevance-weight 0.1 --recency-weight 0.2 --source-weight 0.9 \
		--source-priority tool_results=5,references=95
	is "$(python3 "$dir/rank.py" check "$dir/rank" "$dir/r.json" \
		0.1 0.2 0.9 5 80 60 95)" "True 0" \
		"by the weights and priorities that were given ($seed)"
	"$BALE" pack --sources "$dir/rank" -q --no-merge \
		--report "$dir/r.json" -o "$dir/o"
	is "$(python3 "$dir/rank.py" check "$dir/rank" "$dir/r.json" \
		0.5 0.3 0.2 100 80 60 40)" "True 0" \
		"with --no-merge as well ($seed)"
	"$BALE" pack src/rank.c --sources "$dir/rank" -q --no-dedup \
		--report "$dir/r.json" -o "$dir/o"
	is "$(python3 "$dir/rank.py" check "$dir/rank" "$dir/r.json" \
		0.5 0.3 0.2 100 80 60 40 tree)" "True 0" \
		"and the tree is one of them ($seed)"
done
printf '%s\n' '{"type":"reference","path":"src/rank.c","lines":[1,20],'\
'"timestamp":"2020-01-01"}' '{"type":"tool_result","path":"src/rank.c",'\
'"lines":[2,21],"timestamp":"2024-02-29","relevance":0.7}' |
	"$BALE" pack --sources - --no-merge -q --report "$dir/r.json" -o "$dir/o"
is "$(grep -o '"start_line":[0-9]*,"end_line":[0-9]*,"tokens":[0-9]*,"score"' \
	"$dir/r.json" | cut -d, -f1,2)" '"start_line":2,"end_line":21' \
	"of two that overlap the one that ranks higher stays, with its time"

# ---- exact lines --------------------------------------------------------
for i in $(seq 400); do echo "int long_$i(void) { return $i; }"; done \
	>src/long.c
# What is packed of src/long.c, as the numbers of its lines.
lines_of() { grep -oE '^int long_[0-9]+' | tr -dc '0-9\n' | tr '\n' ' '; }
# ranges RANGE... - the numbers that they have
ranges() { for r in "$@"; do seq "${r%-*}" "${r#*-}"; done | tr '\n' ' '; }

for more in "" "--budget all" "--budget 10000" "--query return --budget 10000" \
	"--chunk lines:7" "--strip-comments" "--workers 1" "--no-dedup"; do
	# shellcheck disable=SC2086  # words
	is "$("$BALE" pack --reference src/long.c:110-120 \
		--reference src/long.c:118-130 --reference src/long.c:7-7 \
		$more -q | lines_of)" "$(ranges 7-7 110-130)" \
		"exactly the lines that are asked for: ${more:-by default}"
done
is "$("$BALE" pack --reference src/long.c:3-300 --max-chunk-tokens 100 -q |
	lines_of)" "$(ranges 3-300)" "more than a chunk can be"
is "$("$BALE" pack --reference src/long.c:100-110 --report "$dir/r.json" \
	--reference src/long.c:102-113 --budget 10000 -q | lines_of)" \
	"$(ranges 100-113)" "what overlaps by 80 % is one range"
is "$(grep -c '^{.*"start_line":100,"end_line":113.*"tier"' "$dir/r.json") $(grep -o \
	'"overlaps_merged":.*"overlap_tokens":[0-9]*' "$dir/r.json")" \
	'1 "overlaps_merged":1,"overlap_tokens":108' "and counted as one"
for more in "" "--no-merge"; do
	# shellcheck disable=SC2086  # words
	echo 'src/long.c:207:x' | "$BALE" pack --search - \
		--reference src/long.c:100-110 --reference src/long.c:102-113 \
		--reference src/long.c:200-210 --reference src/long.c:50-60 \
		--reference src/long.c:50-60 --budget 10000 $more \
		-q --report "$dir/r.json" -o "$dir/o"
	# each saves what is asked for less what is kept: 12 tokens a line
	is "$("$BALE" report "$dir/r.json" --dedup-detail |
		sed -n '/Found in/p; /Merged: /s/ (.*//p; /Overlap: /p; /Saved/p' |
		tr -s ' ' | tr '\n' ';')" " - Found in: references (rank 88.0),\
 references (rank 88.0); - Saved: 132 tokens;\
 - Overlap: lines 102-110 (81.8 % of the shorter one);\
$(if [ -z "$more" ]; then
		echo ' - Merged: lines 100-113; - Saved: 108 tokens;'
	else
		echo ' - Merged: lines 100-110; - Saved: 144 tokens;'
	fi) - Overlap: lines 207-207 (100.0 % of the shorter one);\
$(if [ -z "$more" ]; then
		echo ' - Merged: lines 200-210; - Saved: 12 tokens;'
	else
		echo ' - Merged: lines 207-207; - Saved: 132 tokens;'
	fi)" "what was merged, range by range ${more:-by default}"
done
python3 - >"$dir/hits" <<'END'
for i in range(20000):
    print(f"src/long.c:{i % 300 + 1}:x")
END
"$BALE" pack --search "$dir/hits" --search-context 2 --budget 10000 -q \
	--report "$dir/r.json" -o "$dir/o"
is "$? $(python3 - "$dir/r.json" <<'END'
import json, sys
dedup = json.load(open(sys.argv[1]))["dedup"]
one, = dedup["merged"]
print(dedup["exact_requests"], len(one["requests"]),
      one["saved_tokens"] == dedup["exact_tokens"] + dedup["overlap_tokens"])
END
)" "0 19700 64 True" "very many requests of one file"
is "$(printf 'src/long.c:50:x\nsrc/long.c:200:x\n' | "$BALE" pack --search - \
	--search-context 3 -q | lines_of)" "$(ranges 47-53 197-203)" \
	"lines around a hit"
is "$(printf '%s\n' '{"type":"open_file","path":"src/long.c","lines":[9,12]}' |
	"$BALE" pack --sources - -q | lines_of)" "$(ranges 9-12)" \
	"lines of a list"
for f in a c; do
	printf 'int %s(void)\n{\n' $f
	for i in $(seq 160); do echo "	step($i, \"$f\");"; done
	printf '}\n\n'
done >src/two.c
is "$("$BALE" pack --reference src/two.c:250 -q | grep -cE 'step\([0-9]+, "c"')" \
	160 "of a single line the chunk that it is in"
is "$("$BALE" pack --reference src/two.c:250 -q | grep -cE 'step\([0-9]+, "a"')" \
	0 "and no other"
"$BALE" pack --reference src/a.c:900-950 -q 2>"$dir/err"
is "$? $(grep -c 'a.c: line 900 was requested, but the file ends at line 40' \
	"$dir/err") $(grep -c 'BALE-CTX-004: nothing to pack' "$dir/err")" "9 1 1" \
	"lines that are not there"
"$BALE" pack --open src --reference src --tool src --open src/a.c -q \
	-o "$dir/o" 2>"$dir/err"
is "$? $(grep -ci 'is a directory' "$dir/err") $(sections <"$dir/o")" \
	"3 3 src/a.c " "a directory is none"
rm src/two.c src/long.c

# ---- shares -------------------------------------------------------------
for i in $(seq 400); do echo "log line $i: something went by"; done \
	>"$dir/long.log"
for i in $(seq 30); do cp src/a.c "src/open$i.c"; done
for f in src/open*.c; do sed -i "s/a_/${f//[^0-9]/}_/" "$f"; done
open=$(printf -- '--open %s ' src/open*.c)
# shellcheck disable=SC2086  # one word each
"$BALE" pack --tool "$dir/long.log" $open --budget 6000 --reserve-response 0 \
	--reserve-system 0 --report "$dir/r.json" -q -o "$dir/o" \
	--categories tool_results=60,open_files=40
is "$?" 0 "shares of a budget that is too small for all"
used=$(grep -o '"used":[0-9]*' "$dir/r.json" | head -1 | tr -dc 0-9)
is "$((used <= 6000)) $((used >= 5400))" "1 1" "no token over, and no room for another chunk"

# ---- the same bytes -----------------------------------------------------
for workers in 1 2 8; do
	"$BALE" pack . --tool "$dir/long.log" --open ignored/g.c \
		--sources "$dir/list" --budget 4000 --workers $workers -q \
		-o "$dir/w$workers" 2>"$dir/err"
done
is "$(cmp "$dir/w1" "$dir/w2" && cmp "$dir/w1" "$dir/w8" && echo same)" same \
	"the same bytes with 1, 2 and 8 workers"
is "$( (head -c 600000 /dev/zero | tr '\0' 'x' | fold -w 60; echo) |
	"$BALE" pack --tool - --budget all --no-preamble --hashes off -q | wc -c)" \
	"$((600000 + 10000 + $(printf '## File: (stdin) (lines 1-10000)\n```\n```\n\n' | wc -c)))" \
	"a text larger than a slab"

# Thousands of texts of one name: each has its own, in no time to speak of.
for i in $(seq 3000); do
	printf '{"type":"tool_result","content":"line %d of it\\n"}\n' "$i"
done >texts
"$within" 20 "$BALE" pack --sources texts --budget 200k -q -o out
is "$? $(grep -c '^## File: ' out) $(grep '^## File: ' out | sort -u | wc -l)" \
	"0 3000 3000" "three thousand texts without a name"
done_testing
