#!/bin/bash
# SPDX-License-Identifier: MIT
#
# With a query a long function gives its relevant window, with the line that
# its name is in: which lines, how they are marked, that they are counted.

# shellcheck source=tests/support/lib.sh
. tests/support/lib.sh

# Lines of filling, each with a number: FROM TO FORMAT
fill() {
	for i in $(seq "$1" "$2"); do
		# shellcheck disable=SC2059
		printf "$3" "$i" "$i"
	done
}

mkdir -p "$dir/in" && cd "$dir" || exit 1
{
	printf 'static int\nlong_one(struct thing *a,\n\t int b)\n{\n'
	fill 1 90 '\ta->count_%d = prepare(b, %d);\n'
	printf '\tflush_watermark(a, b);\n'
	fill 91 180 '\ta->count_%d = prepare(b, %d);\n'
	printf '\treturn 0;\n}\n\nstatic int\nshort_one(void)\n{\n\treturn 1;\n}\n'
} >"$dir/in/a.c"
{
	printf 'class Table:\n    def long_method(self, rows):\n'
	fill 1 90 '        self.count_%d = prepare(rows, %d)\n'
	printf '        flush_watermark(self, rows)\n'
	fill 91 180 '        self.count_%d = prepare(rows, %d)\n'
} >"$dir/in/b.py"
{
	printf 'export function longScript(rows) {\n'
	fill 1 90 '  state.count_%d = prepare(rows, %d);\n'
	printf '  flush_watermark(state, rows);\n'
	fill 91 180 '  state.count_%d = prepare(rows, %d);\n'
	printf '}\n'
} >"$dir/in/c.js"
{
	printf 'package p\n\nfunc (t *Table) LongGo(rows int) error {\n'
	fill 1 90 '\tt.count_%d = prepare(rows, %d)\n'
	printf '\tflush_watermark(t, rows)\n'
	fill 91 180 '\tt.count_%d = prepare(rows, %d)\n'
	printf '\treturn nil\n}\n'
} >"$dir/in/d.go"

# Room for the four windows: the pieces that files begin with come behind them.
pack() {
	"$BALE" pack -q in --query "flush watermark" --budget 1620 \
		--reserve-response 0 --reserve-system 0 -o "$dir/out.md" \
		--report "$dir/report.json" "$@"
}

pack
is "$?" 0 "what is long is packed in part"
for line in 'long_one(struct thing *a,' '    def long_method(self, rows):' \
	'export function longScript(rows) {' \
	'func (t *Table) LongGo(rows int) error {'; do
	is "$(grep -Fxc -- "$line" "$dir/out.md")" 1 "with its line: $line"
done
is "$(grep -c flush_watermark "$dir/out.md")" 4 "and what is asked for"
is "$(grep -c 'count_2 = ' "$dir/out.md")" 0 "not what lies between"
is "$(sed -n '/long_one/,/flush_watermark/p' "$dir/out.md" |
	grep -c '^// \.\.\. (lines 3-')" 1 "where a mark stands for it"
is "$(grep -o 'a\.c (lines 2-' "$dir/out.md")" "a.c (lines 2-" \
	"the header begins with it"
# py EXPRESSION: of the report r, and the heads in it
py() {
	python3 -c "import json
r = json.load(open('$dir/report.json'))
heads = [x for x in r['selected'] if x['tier'] == 'head']
print($1)"
}

tokens=$(py 'r["budget"]["used"]')
is "$("$BALE" count "$dir/out.md" | awk '{ print $1; exit }')" "$tokens" \
	"all of it is counted"
is "$(py '*["%s:%d-%d" % (x["path"].rpartition("/")[2], x["start_line"],
	x["end_line"]) for x in heads]')" \
	"a.c:2-2 b.py:2-2 c.js:1-1 d.go:3-3" "the report says which it is"
is "$("$BALE" preview -q in --query "flush watermark" --budget 1620 \
	--reserve-response 0 --reserve-system 0 |
	grep -c 'packed.*a\.c:2-2')" 1 "so does the preview"
pack --explain 2>/dev/null
is "$(py '*["%d %s" % (x["score"] > 0, x["score"] == max(y["score"]
	for y in r["selected"] if y["path"] == x["path"])) for x in heads]')" \
	"1 True 1 True 1 True 1 True" "each has the score of its window"
cp "$dir/out.md" "$dir/first.md"
for workers in 1 2 8; do
	pack --workers "$workers"
	cmp -s "$dir/out.md" "$dir/first.md"
	is "$?" 0 "the same with $workers workers"
done
"$BALE" unpack "$dir/out.md" --output "$dir/back" >/dev/null 2>&1
is "$(find "$dir/back" -type f 2>/dev/null | wc -l)" 0 \
	"nothing of it is unpacked: it is there in part"
pack --strip-comments
is "$? $(py 'len(heads)')" "0 0" "without comments there are no such lines"
is "$("$BALE" preview -q in --query "flush watermark" --budget 1620 \
	--reserve-response 0 --reserve-system 0 --explain 2>/dev/null |
	grep -c -e 'packed.*a\.c:2-2' -e 'packed.*a\.c:74-108')" 2 \
	"the line, and its window"
"$BALE" pack -q in --query "long_one" --budget 900 \
	--reserve-response 0 --reserve-system 0 -o "$dir/out.md" 2>/dev/null
is "$(grep -c 'long_one(struct' "$dir/out.md")" 1 \
	"a piece that has it is given once"
done_testing
