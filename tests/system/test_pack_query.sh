#!/bin/bash
# SPDX-License-Identifier: MIT
#
# --query: what a task is about comes first, whoever finds it.
#
# verifies: FR-016-53

# shellcheck source=tests/support/lib.sh
. tests/support/lib.sh

# Lines of the plan that are packed, the first one first.
plan() {
	"$BALE" preview -q --budget 4k --reserve-response 0 --reserve-system 0 \
		"$@" 2>"$dir/err" | awk -F '\t' '$2 == "packed" { print $3 }'
}

# A file of 40 functions; the last argument is the body of the 30th.
functions() {
	for i in $(seq 40); do
		printf 'static int\n%s_%d(int a)\n{\n' "$1" "$i"
		for k in $(seq 12); do printf '\ta = a * %d + %d;\n' "$k" "$i"; done
		[ "$i" = 30 ] && printf '%s\n' "$2"
		printf '\treturn a;\n}\n\n'
	done
}

mkdir -p "$dir/in/src" "$dir/in/tests"
cd "$dir/in" || exit 1
functions alpha '	log_rotation_start(a);' >src/alpha.c
functions beta '	a += 1;' >src/beta.c
functions gamma '	log_rotation_start(a);' >tests/gamma.c
printf 'rotate the log\n' >"$dir/task"

first=$(plan --query "Log rotation does not start" | head -1)
line=$(grep -n log_rotation_start src/alpha.c | cut -d: -f1)
is "${first%%:*}" src/alpha.c "the file that has the words"
range=${first##*:}
is "$((line >= ${range%-*} && line <= ${range#*-}))" 1 \
	"and the piece of it that has them"
is "$((${range#*-} - ${range%-*} < 60))" 1 "no more than a piece"
is "$(plan --query "tests of logRotation" | head -1 | cut -d: -f1)" \
	tests/gamma.c "tests, when they are asked for"
is "$(plan --query "@$dir/task" | md5sum)" \
	"$(plan --query "rotate the log" | md5sum)" "a task from a file"
is "$(plan --query @- <"$dir/task" | md5sum)" \
	"$(plan --query "rotate the log" | md5sum)" "a task from stdin"
for workers in 2 8; do
	is "$(plan --query "log rotation" --workers $workers | md5sum)" \
		"$(plan --query "log rotation" --workers 1 | md5sum)" \
		"the same with $workers workers"
done
is "$(plan --order path --query "log rotation" | sort -s -t: -k1,1)" \
	"$(plan --order path --query "log rotation")" "in order of paths"
"$BALE" pack -q --query "log rotation" --budget 4k --reserve-response 0 \
	--reserve-system 0 >"$dir/out" 2>"$dir/err"
is "$? $(grep -ac log_rotation_start "$dir/out")" "0 2" "packed as planned"
"$BALE" preview --query "@$dir/none" >"$dir/out" 2>"$dir/err"
is "$? $(grep -c "$dir/none" "$dir/err")" "2 1" "no such file: named"
# What only one piece of a file says tells more than what all the others say.
mkdir rare
{
	for i in $(seq 30); do
		word=ordinary
		[ "$i" = 17 ] && word=singular
		printf 'static int\nf_%d(int a)\n{\n' "$i"
		for k in $(seq 60); do printf '\ta = a * %d + %d;\n' "$k" "$i"; done
		printf '\treturn %s(a);\n}\n\n' "$word"
	done
} >rare/a.c
"$BALE" preview -q rare --query "ordinary singular" --budget 100k --explain \
	--no-config --no-last --report "$dir/report.json" >/dev/null 2>&1
is "$(python3 -c "import json
of = [x['factors']['match'] for x in json.load(open('$dir/report.json'))
	['selected'] if x['factors']['match']]
print(len(of) > 10, max(of), sorted(of)[-2] < 0.5)")" "True 1.0 True" \
	"a word of one piece counts for more than one of them all"
rm -r rare
"$BALE" preview -q --query "fix it" >"$dir/out" 2>"$dir/err"
is "$? $(grep -c "no usable words" "$dir/err")" "0 1" "a query that says nothing"

# The name of a definition counts for more than the same word in a body: of two
# files with the same words, the second by its path comes first.
# named EXTENSION TEXT: DEF is the name, USE what is called
named() {
	mkdir -p "$dir/named"
	rm -f "$dir/named/"*
	printf '%b' "$2" | sed 's/DEF/other/; s/USE/flush/' >"$dir/named/a.$1"
	printf '%b' "$2" | sed 's/DEF/flush/; s/USE/other/' >"$dir/named/z.$1"
	is "$(for w in 1 2 8; do
		plan --query flush --workers $w "$dir/named" | head -1
	done | sed 's/.*named.//; s/:.*//' | sort -u)" "z.$1" \
		"the name of a definition counts for more: $1"
}
named c 'int DEF(int a)\n{\n\tUSE(a);\n\treturn a;\n}\n'
named cc 'int A::DEF(int a)\n{\n\tUSE(a);\n\treturn a;\n}\n'
named py 'def DEF(a):\n    USE(a)\n    return a\n'
named go 'package p\n\nfunc DEF(a int) int {\n\tUSE(a)\n\treturn a\n}\n'
named rs 'pub fn DEF(a: u8) -> u8 {\n    USE(a);\n    a\n}\n'
named ts 'export function DEF(a: number) {\n  USE(a);\n  return a;\n}\n'
named java 'class A {\n  int DEF(int a) {\n    USE(a);\n    return a;\n  }\n}\n'
named cs 'class A {\n  int DEF(int a) {\n    USE(a);\n    return a;\n  }\n}\n'
named rb 'class A\n  def DEF(a)\n    USE(a)\n    a\n  end\nend\n'
named php '<?php\nfunction DEF($a)\n{\n    USE($a);\n    return $a;\n}\n'
# also far behind in a file that comes in several parts
{
	functions long '	a += 1;'
	for i in $(seq 60000); do echo "static int filler_$i;"; done
} >"$dir/long.c"
rm -f "$dir/named/"*
{
	cat "$dir/long.c"
	printf 'int other(int a)\n{\n\tflush(a);\n\treturn a;\n}\n'
} >"$dir/named/a.c"
{
	cat "$dir/long.c"
	printf 'int flush(int a)\n{\n\tother(a);\n\treturn a;\n}\n'
} >"$dir/named/z.c"
is "$(plan --query flush "$dir/named" | head -1 | sed 's/.*named.//; s/:.*//')" \
	z.c "in a large file, too"

# verifies: FR-016-70
# Relevance is what its factors make of it, as documented; in the table, too.
cd "$dir/in" || exit 1
git init -q . && git add -A && git -c user.name=a -c user.email=a@b commit -qm \
	'log rotation starts at midnight' >/dev/null
"$BALE" preview -q --query "log rotation alpha" --budget 9k --explain \
	--reserve-response 0 --reserve-system 0 --report "$dir/r.json" \
	>/dev/null 2>"$dir/table"
is "$(python3 - "$dir/r.json" "$dir/table" <<'END'
import json, sys
items = [i for i in json.load(open(sys.argv[1]))["selected"]
         if i["tier"] == "full"]
def made(f):
    return f["kind"] * (f["match"] + f["near_match"] + 0.4 * f["file_match"] +
        0.2 * f["path_match"] + 0.2 * f["history_match"] +
        0.4 * f["message_match"] + 1.2 * f["name_match"]) / 4.1 * f["decay"]
bad = [i for i in items if abs(made(i["factors"]) - i["factors"]["relevance"])
       > 2e-4]
seen = {k for i in items for k in ("near_match", "message_match", "file_match",
        "history_match") if i["factors"][k] > 0}
rows = [l.split() for l in open(sys.argv[2]) if l[:6] != "query "]
head = rows[0]
names = dict(match="match", near="near_match", best="message_match",
             past="history_match", named="name_match", decay="decay", kind="kind")
told = {r[-1]: r for r in rows[1:]}
wrong = [i["path"] for i in items for c, k in names.items()
         if abs(float(told["%s:%d-%d" % (i["path"], i["start_line"],
             i["end_line"])][head.index(c)]) - i["factors"][k]) > 6e-4]
print(len(items) > 5, len(bad), len(seen), len(wrong),
      any(i["factors"]["decay"] < 1 for i in items))
END
)" "True 0 4 0 True" "every factor of a score is told"

# How far the query says what is packed; --enough stops there.
enough() {
	"$BALE" pack . -q --no-config --no-last --query "log rotation start" \
		--report "$dir/e.json" -o "$dir/e.md" "$@" 2>"$dir/err"
	python3 -c "import json
r = json.load(open('$dir/e.json'))
e = r['evidence']
of = lambda c: sum(i['tokens'] for i in r['selected'] if i['confidence'] == c)
print(e['confidence'] in ('high', 'low'), e['high'] == of('high') > 0,
      e['low'] == of('low'), e['tokens'] == e['high'] + e['low'],
      of('none') > 0, r['chunks']['rejected'] > 0)"
}
is "$(enough --budget 12k)" "True True True True True True" \
	"what there is evidence for, and what fills up"
is "$("$BALE" report "$dir/e.json" | grep -c '  Evidence: .* high, .* low)')" 1 \
	"also in the tables of the report"
is "$(enough --budget 9k --enough)" "True True True True False True" \
	"--enough: nothing that fills up"
is "$(enough --budget 200k --enough)" "True True True True False True" \
	"--enough: also where all would fit"
for more in "--workers 8" "--strip-comments" "--tiers on" "--compress" \
	"--pin src/beta.c" "--open src/beta.c" "--format json"; do
	# shellcheck disable=SC2086 # it is two words
	"$BALE" pack . -q --no-config --no-last --query "log rotation start" \
		--budget 9k --enough $more -o "$dir/with" 2>"$dir/err"
	is "$? $(grep -c log_rotation_start "$dir/with" | sed 's/[1-9].*/n/')" \
		"0 $([ "$more" = --compress ] && echo 0 || echo n)" \
		"--enough with $more"
done
"$BALE" pack . --no-config --no-last --query "log rotation start" \
	--budget 9k --enough -o "$dir/with" 2>"$dir/err"
is "$(grep -c '^evidence .* high, .* low), confidence: ' "$dir/err")" 1 \
	"the summary says it, too"
"$BALE" pack . -q --no-config --no-last --query "zyxwv uvwxyz" --budget 4k \
	-o "$dir/with" 2>"$dir/err"
is "$? $(grep -c 'nothing of --query is in the tree' "$dir/err")" "0 1" \
	"nothing found is a warning"
"$BALE" pack . -q --no-config --no-last --query "zyxwv uvwxyz" --budget 4k \
	--enough -o "$dir/none.md" 2>"$dir/err"
is "$? $(grep -c 'so --enough packs nothing' "$dir/err") $(ls "$dir" | grep -c none.md)" \
	"9 1 0" "nothing found and --enough: no output"
# What a quarter of the tree has is no evidence for it, however much of the
# query that is: four of five words, in a third of the files.
mkdir "$dir/wide"
python3 - "$dir/wide" <<'END'
import sys
for i in range(400):
    words = "alpha beta delta epsilon" + (" gamma" if i == 200 else "")
    text = f"/* {words} */\n" if i % 3 == 0 or i == 200 else ""
    open(f"{sys.argv[1]}/f{i:03}.c", "w").write(
        text + f"int f{i}(void)\n{{\n\treturn {i};\n}}\n")
END
is "$(cd "$dir/wide" && "$BALE" preview . -q --no-config --budget 8k --enough \
	--query "alpha beta delta epsilon gamma" |
	awk -F '\t' '$2 == "packed" { print $3 }')" "f200.c:1-5" \
	"what many pieces have is no evidence"
done_testing
