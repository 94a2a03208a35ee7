#!/bin/bash
# SPDX-License-Identifier: MIT
#
# Hashes in headers: they are those of sha256sum, of whole files alone, counted
# as the rest is, and there where they are asked for.

# shellcheck source=tests/support/lib.sh
. tests/support/lib.sh
tree=${BALE%/*}/tests/support/tool_tree
cd "$dir" || exit 1
formats='markdown xml json jsonl plain'

mkdir t
"$tree" many t 20 5
"$tree" text t/large.c 200000
"$tree" line t/line.txt 150000
cp t/large.c t/same.c
printf 'one\r\ntwo  \n\n' >t/blanks.txt
printf 'no end' >t/no-newline
printf 'esc \033[31m\n' >t/control
: >t/empty
printf '\377\376a\000\n\000' >t/utf16

# hashes FILE...: `path hash right|wrong`, for each file that has one.
hashes() {
	python3 -S - "$@" <<'END'
import hashlib
import re
import sys

text = ''.join(open(file, 'rb').read().decode('utf-8', 'surrogateescape')
               for file in sys.argv[1:])
for pattern in (r'(?m)^(?:##|=+) File: (\S+) \(lines .*, hash ([0-9]+)\)$',
                r'(?m)^<file path="(\S+)" .*hash="([0-9]+)"',
                r'(?m)^,?\{"path":"(\S+?)",.*?"hash":([0-9]+)'):
    for path, number in re.findall(pattern, text):
        data = b'a\n' if path == 't/utf16' else open(path, 'rb').read()
        digest = hashlib.sha256(data).hexdigest()
        print(path, number, 'right' if int(digest[:8], 16) % 10**9 ==
              int(number) else 'wrong')
END
}

# right FILE...: how many have one, and how many of these are not right.
right() {
	hashes "$@" >found
	echo "$(wc -l <found) $(grep -c 'wrong$' found)"
}
# all but what is empty or the same as another
want=$(find t -type f ! -empty -exec sha256sum {} + | cut -c1-64 | sort -u | wc -l)
files=$(find t -type f ! -empty | wc -l)

"$BALE" pack t --budget all -q -o out
sum=$(sha256sum <t/large.c)
is "$(grep -c "t/large.c (lines .*, hash $((0x${sum:0:8} % 1000000000)))" out)" \
	1 'a hash is the first eight digits of sha256sum, modulo 10^9'

for f in $formats; do
	for workers in 1 8; do
		"$BALE" pack t --budget all -q --format "$f" --workers $workers \
			-o out.$workers --report report
		is "$?" 0 "$f: pack"
	done
	is "$(cmp out.1 out.8 2>&1)" '' "$f: for any workers"
	is "$(right out.8)" "$want 0" "$f: all files have their hash"
	"$BALE" verify out.8 --budget all --against report >/dev/null
	is $? 0 "$f: the count is exact"
	"$BALE" pack t --budget all --split 12k -q --format "$f" -o s.out
	is "$(right s-*.out)" "$want 0" \
		"$f: of a file in pieces the first has it"
	"$BALE" unpack s-*.out -q -C back
	is "$? $(diff -r t back/t)" '0 ' "$f: and all pieces are the file"
	rm -rf back s-*.out
done
for f in markdown jsonl; do
	"$BALE" pack t --budget 10M -q --format "$f" -o out
	is "$(right out)" '0 0' "$f: with a budget there are none"
	"$BALE" pack t --budget 10M -q --format "$f" --hashes on --no-dedup \
		--report report -o out
	is "$(right out | cut -d' ' -f2)" 0 "$f: but if they are asked for"
	is "$(hashes out | wc -l)" \
		"$files" "$f: of each file"
	"$BALE" verify out --budget 10M --against report >/dev/null
	is $? 0 "$f: and are counted"
	"$BALE" pack t --budget 50k -q --format "$f" --hashes on -o out \
		--report report
	is "$(right out | cut -d' ' -f2)" 0 "$f: of files that are whole"
	"$BALE" unpack out -q -C back 2>/dev/null
	is "$(cd back && find . -type f ! -exec cmp -s {} ../{} \; -print)" '' \
		"$f: which come back"
	rm -rf back
	"$BALE" pack t --budget all -q --format "$f" --hashes off -o out
	is "$(right out) $(grep -c 'End of files\|{"end"' out)" '0 0 0' \
		"$f: and none if not"
	"$BALE" unpack out -q -C back
	is "$? $(diff -r t back/t)" '0 ' "$f: without them all comes back"
	rm -rf back
	"$BALE" pack t --budget all -q --format "$f" --no-dedup -o out
	is "$(right out)" "$files 0" "$f: without references, too"
	"$BALE" pack t --budget all --unicode escape -q --format "$f" -o out
	is "$(hashes out | grep -c control)" 0 "$f: not of what is changed"
done
for option in --compress --strip-comments; do
	"$BALE" pack t --budget all -q "$option" -o out
	is "$(right out)" '0 0' "$option: no file comes back"
done
echo '{{#files}}{{path}} {{/files}}' >template
"$BALE" pack t --budget all -q --template template -o out
is "$? $(grep -c hash out)" '0 0' 'a template has its own'

# How much it costs: what docs/formats.md says.
"$BALE" pack t --budget all -q --no-dedup -o with
"$BALE" pack t --budget all -q --no-dedup --hashes off -o without
more=$(($("$BALE" count with | awk '{ print $1 }') -
	$("$BALE" count without | awk '{ print $1 }')))
is "$((more <= 6 * files + 12))" 1 "six tokens a file ($more for $files)"
done_testing
