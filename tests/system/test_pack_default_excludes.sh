#!/bin/bash
# SPDX-License-Identifier: MIT
#
# What is left out although no ignore file says so, and how to have it back.

# shellcheck source=tests/support/lib.sh
. tests/support/lib.sh

# left_out ARGS: path=reason of what is left out, on one line
left_out() {
	"$BALE" preview --budget all -q "$@" 2>"$dir/err" |
		awk -F '\t' '$2 != "packed" { print $3 "=" $2 }' | tr '\n' ' '
}

packed() {
	"$BALE" preview --budget all -q "$@" 2>"$dir/err" |
		awk -F '\t' '$2 == "packed" { sub(/:[0-9-]*$/, "", $3); print $3 }' |
		tr '\n' ' '
}

put() {
	for name; do
		mkdir -p "$(dirname "$name")" && echo "$name" >"$name"
	done
}

mkdir "$dir/in"
cd "$dir/in" || exit 1
put package.json src/a.js dist/a.js node_modules/x/index.js src/a.js.map \
	src/a.min.js src/a.js.snap src/__snapshots__/b.snap yarn.lock \
	lib/build.gradle lib/build/x.txt lib/src/build/y.txt \
	rust/Cargo.toml rust/target/debug/z.txt py/__pycache__/p.txt \
	env/pyvenv.cfg env/bin/activate out/CMakeCache.txt out/x.txt \
	cpp/CMakeCache.txt cpp/CMakeLists.txt cpp/a.c caches/CACHEDIR.TAG
head -c 4000 /dev/zero | tr '\0' 'x' >src/flat.js

names="caches/=cache dist/=build-output env/=dependency lib/build/=build-output "
names+="node_modules/=dependency out/=build-output py/__pycache__/=cache "
names+="rust/target/=build-output src/__snapshots__/=snapshot "
names+="src/a.js.map=source-map src/a.js.snap=snapshot src/a.min.js=minified "
names+="src/flat.js=minified yarn.lock=lock-file "
kept="cpp/CMakeCache.txt cpp/CMakeLists.txt cpp/a.c lib/build.gradle "
kept+="lib/src/build/y.txt package.json rust/Cargo.toml src/a.js "
is "$(left_out | tr ' ' '\n' | sort | xargs)" "$(xargs <<<"$names")" \
	"each is named with its reason"
is "$(packed)" "$kept" "all else is packed"
all=$(find . -type f | sed 's,^\./,,' | LC_ALL=C sort | xargs)
is "$(packed --no-default-excludes | tr ' ' '\n' | LC_ALL=C sort | xargs)" \
	"$all" "--no-default-excludes packs them"
is "$(packed --no-ignore | tr ' ' '\n' | LC_ALL=C sort | xargs)" "$all" \
	"and so does --no-ignore"
is "$(packed src/flat.js src/a.min.js yarn.lock)" \
	"src/flat.js src/a.min.js yarn.lock " "what is named is packed"
is "$(echo src/flat.js | packed --files-from -)" "src/flat.js " \
	"and what a list names"
is "$(packed dist)" "dist/a.js " "and a directory that is named"
is "$(left_out . dist | grep -c 'dist/=')" 0 \
	"which is not left out where it is met on the way"
is "$(left_out | grep -c 'dist/=')" 1 "as it is otherwise"

# ---- content that is cut short -----------------------------------------------

mkdir "$dir/data"
# of no chance: a last line of letters alone would be a word
seq 200000 | gzip -n | tail -c +101 | head -c 30000 | base64 -w0 >"$dir/blob"
blob=$(cat "$dir/blob")
echo "<img src='data:image/png;base64,$blob'>" >"$dir/data/page.html"
{ echo 'id,name'; seq -f '%.0f,somebody' 1 20000; } >"$dir/data/rows.csv"
echo '{"a": 1}' >"$dir/data/small.json"
# beyond a slab, with the blob in its first part
{ echo "x = '$blob'"; seq -f 'line %.0f' 1 100000; } >"$dir/data/large.txt"
# wrapped; in a large file where two parts meet, and in the last one
for at in 1000 261900 600000; do
	{
		printf '%*s' "$at" ''
		head -c 600 "$dir/blob" | fold -w 64
		printf '\n%*s.\n' $((700000 - at)) ''
	} >"$dir/data/at-$at.txt"
done
rows=$(stat -c %s "$dir/data/rows.csv")
for workers in 1 3; do
	"$BALE" pack --paths root --budget 900k -q --workers $workers -o "$dir/cut" "$dir/data"
	is "$(grep -c "base64,\[base64, 40,000 bytes\]'>" "$dir/cut")" 1 \
		"an image has its length, $workers workers"
	is "$(grep -c "^x = '\[base64, 40,000 bytes\]'" "$dir/cut")" 1 \
		"and so has one in a large file"
	is "$(grep -c '^line 100000$' "$dir/cut")" 1 "of which the rest stays"
	is "$(grep -c '^ *\[base64, 600 bytes\]$' "$dir/cut")" 3 "wrapped as well"
	is "$(grep -c ',somebody' "$dir/cut")" \
		"$(head -c 4096 "$dir/data/rows.csv" | grep -c ',somebody')" \
		"data has its head"
	is "$(sed -n 's/^\[data, \(.*\) more bytes\]$/\1/p' "$dir/cut" | tr -d ,)" \
		"$((rows - $(head -c 4096 "$dir/data/rows.csv" |
			sed '$d' | wc -c)))" "and says how much there is"
done
"$BALE" unpack -C "$dir/back" "$dir/cut" >/dev/null 2>"$dir/err"
is "$(grep -c 'some of its content was left out' "$dir/err")" 6 \
	"unpack does not write what is not whole"
for way in "--budget all" "--budget 900k --no-default-excludes" \
	"--budget 900k --pin *"; do
	rm -rf "$dir/back"
	set -f
	# shellcheck disable=SC2086
	"$BALE" pack $way -q -o "$dir/whole" "$dir/data"
	set +f
	is "$(grep -c '^\[data\|\[base64' "$dir/whole")" 0 "whole with $way"
done
counted=$("$BALE" tree --files "$dir/data" | awk '$NF == "rows.csv" { print $1 }')
is "$((${counted//,/} < 3000))" 1 "tree counts what a pack would have: $counted"
"$BALE" pack --budget 900k -q -o "$dir/whole" "$dir/data/rows.csv"
is "$(grep -c ',somebody' "$dir/whole")" 20000 "or if it is named"

# a notebook, as Python's own reader of JSON sees it
python3 - "$dir/nb" <<'END'
import json, os, random, sys
os.mkdir(sys.argv[1])
random.seed(1)
cells, text = [], []
for i in range(2000):
    kind = random.choice(['code', 'markdown', 'raw'])
    lines = [random.choice(['x = "\\\\ä😀"', '', '# "t"', '\t[1, {}]'])
             for _ in range(random.randrange(5))]
    source = '\n'.join(lines)
    cells.append({'cell_type': kind, 'metadata': {'source': 'no'},
                  'outputs': [{'source': ['no'], 'data': 'iVB0' * 99}],
                  'source': random.choice([source,
                                           source.splitlines(True)])})
    if source:
        code = kind == 'code'
        text.append(('# %%\n' if code else '# %% [markdown]\n') + ''.join(
            (l if code else '# ' + l if l.strip('\n') else '#' + l)
            for l in source.splitlines(True)) +
            ('' if source.endswith('\n') else '\n'))
json.dump({'cells': cells, 'nbformat': 4}, open(sys.argv[1] + '/a.ipynb', 'w'),
          indent=random.choice([None, 1]))
open(sys.argv[1] + '.want', 'w').write('\n'.join(text))
END
"$BALE" pack --budget 900k -q --no-preamble --format plain --min-chunks 1 \
	-o "$dir/cut" "$dir/nb/a.ipynb"
is "$(sed '1d;/^========$/,$d' "$dir/cut" | cmp - "$dir/nb.want" 2>&1)" "" \
	"a notebook is the sources of its cells"
is "$("$BALE" pack --budget 900k -q --no-default-excludes "$dir/nb" |
	grep -c '"no"')" "$(grep -c '"no"' "$dir/nb/a.ipynb")" "unless all is asked for"

# of another language, in a file larger than a part, whose metadata is last
{
	printf '{"cells":[{"cell_type":"code","source":["f <- function(x) {\\n",'
	printf '"  %*s1\\n", "}"]},' 300000 ''
	printf '{"cell_type":"markdown","source":"b"}],"metadata":{"kernelspec":'
	printf '{"display_name":"R","language":"R","name":"ir"}},"nbformat":4}\n'
} >"$dir/nb/r.ipynb"
"$BALE" pack --budget 900k -q --compress -o "$dir/cut" "$dir/nb/r.ipynb"
is "$(sed -n '/^```/,$p' "$dir/cut" | head -3)" "\`\`\`r
f <- function(x)
\`\`\`" "a notebook's cells have its language"

# ---- what bale wrote before --------------------------------------------------

for format in markdown xml json jsonl plain; do
	"$BALE" pack --budget 20k -q --format $format -o "out.$format" src
	"$BALE" pack --budget 20k -q --format $format --no-preamble \
		-o "bare.$format" src
done
is "$(left_out | tr ' ' '\n' | grep -c '^\(out\|bare\)\..*=earlier-output$')" \
	10 "outputs of bale are not packed again"
echo "A text in front." >"$dir/header"
for format in markdown xml json jsonl plain documents; do
	"$BALE" pack --budget 20k -q --format $format -o "headed.$format" \
		$([ $format = documents ] || echo --header "@$dir/header") \
		--audit-log headed.log --metrics headed.txt src
done
is "$(left_out | tr ' ' '\n' | grep -c '^headed\..*=earlier-output$')" 8 \
	"nor with a text in front, nor documents, logs and metrics"
rm headed.*
seq 500 >"$dir/numbers"
"$BALE" pack --budget all --split 700 -q -o part.md "$dir/numbers" \
	--report report.json
"$BALE" pack --budget all --split 700 -q -o bare.md "$dir/numbers" --no-preamble
"$BALE" report --html report.html report.json
is "$(find . -name '*-00[12].md' | wc -l)" 4 "there are parts"
is "$(left_out | tr ' ' '\n' | grep -c '^\(part\|bare\|report\).*=earlier-output$')" \
	"$(find . -name 'part*' -o -name 'bare*' -o -name 'report.*' | wc -l)" \
	"nor are parts, manifests and reports"
rm part* bare*md* report.*
is "$(packed out.xml)" "out.xml " "unless they are named"
echo "text, and then

Packed by bale: this says what begins one.
## File: a.c (lines 1-1)" >quotes.md
is "$(packed | grep -o 'quotes.md')" quotes.md "what quotes one is a text"
rm -f out.* bare.* quotes.md

git init -q .
is "$(left_out | tr ' ' '\n' | sort | xargs)" "$(xargs <<<"$names")" \
	"the same in a work tree that tracks nothing"
git add -f .
git -c user.name=x -c user.email=x commit -qm x
tracked="dist/=build-output node_modules/=dependency py/__pycache__/=cache "
tracked+="src/__snapshots__/=snapshot src/a.js.map=source-map "
tracked+="src/a.js.snap=snapshot src/a.min.js=minified src/flat.js=minified "
tracked+="yarn.lock=lock-file"
is "$(left_out | tr ' ' '\n' | sort | xargs)" "$tracked" \
	"a build directory that git tracks is source"
is "$(left_out --rev HEAD | tr ' ' '\n' | sort | xargs)" "$tracked" \
	"the same of a commit"
echo change >>node_modules/x/index.js
echo change >>src/a.js
is "$("$BALE" pack --budget all -q --git-diff . | grep -c '^+change')" 1 \
	"and of what has changed since"
done_testing
