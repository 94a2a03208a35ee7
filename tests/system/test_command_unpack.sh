#!/bin/bash
# SPDX-License-Identifier: MIT
#
# `bale unpack` gives back what `bale pack` took, byte for byte, from every
# format; `bale verify` counts it again. LONG=1: of two hostile trees.
#
# verifies: FR-016-121, FR-016-135, FR-016-136, FR-016-138, NFR-016-33

# shellcheck source=tests/support/lib.sh
. tests/support/lib.sh
tree=${BALE%/*}/tests/support/tool_tree
formats='markdown xml json jsonl plain'
cd "$dir" || exit 1

# text NAME: a file below t/ of what is read.
text() {
	mkdir -p "t/$(dirname "$1")"
	cat >"t/$1"
}

# Everything here is text, so that all of it has to come back.
printf 'int a;\nint b;' | text a.c
printf 'int a;\nint b;' | text same/a.c
printf 'one\r\ntwo\r\nthree\r' | text crlf.txt
printf '\357\273\277marked\n' | text bom.txt
: | text empty
: | text 'sub/empty too'
printf '\n' | text newline
printf '\n\n\n' | text newlines
printf '```\n````\n`````' | text fences.md
printf '========\n========= File: x (lines 1-2)\n' | text bars
printf '// ... (lines 2-3)\n// .... (lines 1-9)\n// ..... (the rest is left out: x)\n' |
	text gaps.c
printf 'a]]>b<![CDATA[c]]]]>\n</file></files></bale>\n<gap lines="1-2"/>&amp;' |
	text hostile.xml
printf '"}]}\n{"path":"x","empty":true}\n\\u0041\\' | text hostile.json
printf '1: a\n2: b\n3: c\n' | text numbered
printf 'esc \033[31m del \177 bidi \342\200\256 zero \342\200\213 bom \357\273\277.\n' |
	text unseen
printf 'emoji \360\237\230\200 \357\277\276 \357\277\277 end' | text astral
printf '<|endoftext|><|im_start|>\n' | text special
printf 'x' | text $'new\nline' 
printf 'y' | text $'\033[31mred\177'
printf 'z' | text "$(printf 'n%.0s' {1..255})"
printf 'quoted' | text '"quoted" & <b>'
printf 'blanks' | text ' (lines 1-2) (same as a.c)'
printf 'back' | text 'back\slash'
printf 'bad name' | text $'bad \377\376 name'
printf 'bidi name' | text $'right\342\200\256left'
head -c 3000 /dev/zero | tr '\0' '`' | text backticks
seq 1 3000 | text long
head -c 290000 /dev/zero | tr '\0' 'x' | fold -w 70000 | text parts
for f in $formats; do
	"$BALE" pack --format "$f" --budget all -q -o "own.$f" t
done
mv own.* t/

# back NAME ARGS...: pack with these, unpack, and nothing may differ.
back() {
	local name=$1 code
	shift
	"$BALE" pack t --no-default-excludes --budget all -q --report report.json -o "$file" "$@"
	is $? 0 "$name: pack"
	rm -rf back
	"$BALE" unpack "$file" -C back 2>err
	code=$?
	is $code 0 "$name: unpack: $(head -c 500 err)"
	is "$(diff -r t back/t | head -c 300)" '' "$name: what comes back"
	"$BALE" verify "$file" --budget all --against report.json >out
	is $? 0 "$name: verify: $(cat out)"
	is "$(grep -c 'matches' out)" 1 "$name: as the report"
}
for f in $formats; do
	file=out.$f
	back "$f" --format "$f"
	back "$f, one worker" --format "$f" --workers 1
	back "$f, all that stands around" --format "$f" --tree \
		--header 'Part 1 of 2 ]]> "}' --instructions t/gaps.c
	back "$f, numbered" --format "$f" --line-numbers
	file=out.$f.zst
	back "$f, compressed" --format "$f"
	for workers in 1 2 8; do
		"$BALE" pack t --no-default-excludes --budget all -q --format "$f" --line-numbers \
			--workers $workers | sha256sum
	done >sums
	is "$(sort -u sums | wc -l)" 1 "$f: the same bytes for 1, 2 and 8 workers"
done

# Trees that are made to break programs: what comes back is what was there.
sums() { # of all files below a directory, and their names
	(cd "$1" && find . -type f -print0 | xargs -0 sha256sum -z | sort -z)
}
for seed in $(seq $((1 + ${LONG:-0}))); do
	rm -rf h && mkdir h && "$tree" hostile h $seed
	sums h >sums.h
	for f in $formats; do
		"$BALE" pack h --budget all -q --no-ignore --hidden \
			--format "$f" -o out
		rm -rf back
		"$BALE" unpack out -C back 2>err
		is $? 0 "hostile tree $seed, $f: $(head -c 300 err)"
		is "$(sums back/h | comm -z -13 sums.h - | tr '\0' '\n' |
			head -c 200)" '' "hostile tree $seed, $f: bytes"
		is "$([ "$(find back -type f | wc -l)" -gt 20 ] && echo many)" many \
			"hostile tree $seed, $f: files"
	done
done

# Settings have no signatures: they are there as they are, and come back.
mkdir -p settings
{ seq -f 'k%g: v' 40; printf '# c\nk: v'; } >settings/a.yaml
printf '[a]\nb = 1\r\n' >settings/b.toml
printf '{\n "c": 1\n}\n' >settings/c.json
printf 'int f(int a)\n{\n\treturn a;\n}\n' >settings/d.c
for f in $formats; do
	for way in '--budget 10k' '--budget all' '--split 120' \
		'--budget 10k --split 200'; do
		rm -f out*
		"$BALE" pack settings $way --compress -q --no-preamble \
			--format "$f" -o out --report report.json
		rm -rf back
		"$BALE" unpack "$(ls out out.manifest.json 2>/dev/null)" \
			-C back >said 2>&1
		is "$? $(grep -c 'only its signatures' said)" '3 1' \
			"$f, $way: signatures are no file"
		is "$(diff -r settings back/settings)" 'Only in settings: d.c' \
			"$f, $way: settings are"
		is "$(grep -o '"tier": *"signatures"' report.json | wc -l)" 1 \
			"$f, $way: in the report, too"
	done
done

# What is only in part there is not written, and said.
for f in $formats; do
	"$BALE" pack t --no-default-excludes --budget 2000 -q --format "$f" -o out
	rm -rf back
	"$BALE" unpack out -C back 2>err
	is $(($? % 3)) 0 "$f, to a budget: all is whole, or it says so"
	is "$(grep -c 'only lines\|lines of it are left out' err)" \
		"$(sed -n 's/.* \([0-9]*\) incomplete.*/\1/p' err)" \
		"$f, to a budget: each is named"
	is "$(cd back/t 2>/dev/null && find . -type f ! -exec cmp -s {} ../../t/{} \; \
		-print)" '' "$f, to a budget: what is written is right"
	"$BALE" verify out --budget 2000 >/dev/null
	is $? 0 "$f, to a budget: it holds"
	"$BALE" verify out --budget 100 >/dev/null
	is $? 8 "$f: a smaller budget does not"
done

# Nothing leaves the directory, and nothing is overwritten.
hostile() {
	rm -rf back outside && mkdir back outside
	ln -s ../outside back/link
	printf '%s' "$2" >out
	"$BALE" unpack out -C back >/dev/null 2>err
	is $? "$3" "$1: exit code ($(head -c 200 err))"
	is "$(find . -maxdepth 1 -name evil; find outside /tmp/bale-evil.$$ -type f 2>/dev/null)" \
		'' "$1: nothing outside"
}
md() {
	printf '## File: %s (lines 1-1)\n```\nevil\n```\n\n' "$1"
}
hostile 'two dots' "$(md ../evil)"$'\n\n' 4
hostile 'two dots within' "$(md a/../../evil)"$'\n\n' 4
hostile 'an absolute path' "$(md "//tmp/bale-evil.$$")"$'\n\n' 0
is "$(cat "back/tmp/bale-evil.$$") $(grep -c 'stripping the leading /' err)" 'evil 1' \
	'an absolute path: comes below the directory, and that is said'
hostile 'an absolute path that leads out' "$(md /../../evil)"$'\n\n' 4
hostile 'a slash alone' "$(md /)"$'\n\n' 4
hostile 'through a link' "$(md link/evil)"$'\n\n' 4
hostile 'over a link' "$(md link)"$'\n\n' 4
is "$(readlink back/link)" ../outside 'a link that is in the way stays'
hostile 'an XML path' '<bale>
<files>
<file path="&#x2e;./evil" lines="1-1"><![CDATA[evil
]]></file>
</files>
</bale>
' 4
hostile 'a JSON path' '{"bale":1,"files":[
{"path":"\u002e\u002e/evil","lines":[1,1],"chunks":[{"line":1,"text":"e"}]}
]}
' 4
hostile 'a reference that leads out' $'## File: a (same as ../t/a.c)\n\n' 3
hostile 'a NUL' '{"path":"a\u0000b","empty":true}'$'\n' 4
hostile 'cut off' $'## File: a (lines 1-1)\n```\nevil\n' 2
hostile 'not an output of bale pack' 'text' 2
is "$(find back -type f)" '' 'a file that is cut off is not left behind'

rm -rf back && mkdir -p back && echo mine >back/a
md a >out
"$BALE" unpack out -C back 2>err
is $? 4 'a file that is there stays'
is "$(cat back/a)" mine 'as it was'
"$BALE" unpack out -C back --force 2>err
is $? 0 'but with --force'
is "$(cat back/a)" evil 'it is replaced'
done_testing
