#!/bin/bash
# SPDX-License-Identifier: MIT
#
# What is not whole is never called whole: headers that lie, parts that there
# cannot be, JSON as other programs write it, damage anywhere; and what is no
# file to be read, or no room to write in. LONG=1: damage in more places.
#
# verifies: FR-016-136, FR-016-138

# shellcheck source=tests/support/lib.sh
. tests/support/lib.sh
cd "$dir" || exit 1
formats='markdown xml json jsonl plain'

mkdir -p t/sub
printf 'int a;\nint b;\n' >t/a.c
printf 'no end' >t/no
printf 'x\r\n\ty "\\" ```\n// ... (lines 2-3)\n]]>&\n' >t/sub/odd
printf '\303\251\360\237\230\200\n' >t/sub/e
: >t/empty
cp t/a.c t/same.c
printf '\377\376a\000\n\000' >t/utf16

# unpack ARGS...: its exit code, and what stands below back then.
unpack() {
	rm -rf back
	"$BALE" unpack -C back "$@" 2>err
	code=$?
	is_clean=$(find back -name '.bale-unpack*' 2>/dev/null)
}

# ---- JSON as other programs write it ----------------------------------------

"$BALE" pack t --budget all -q --format json -o own.json
"$BALE" pack t --budget all -q --format jsonl -o own.jsonl
python3 - <<'END'
import json
import random

rng = random.Random(1)
doc = json.load(open('own.json'))
lines = [json.loads(line) for line in open('own.jsonl')]

def shuffled(x):
    if isinstance(x, dict):
        keys = list(x)
        rng.shuffle(keys)
        return {key: shuffled(x[key]) for key in keys}
    return [shuffled(y) for y in x] if isinstance(x, list) else x

ways = [dict(), dict(indent=4), dict(indent='\t', sort_keys=True),
        dict(separators=(',', ':')), dict(sort_keys=True),
        dict(ensure_ascii=False), dict(indent=0)]
for i, way in enumerate(ways):
    open('doc.%d' % i, 'w').write(json.dumps(doc, **way))
    with open('lines.%d' % i, 'w') as out:
        for line in lines:
            out.write(json.dumps(line, **way) + '\n')
for i in range(5):
    json.dump(shuffled(doc), open('doc.s%d' % i, 'w'))
open('doc.bom', 'w', encoding='utf-8-sig').write(json.dumps(doc))
escaped = ''.join('\\u%04x' % ord(c) if c.isascii() and c.isalpha() else c
                  for c in json.dumps(doc, ensure_ascii=False))
for word in ('true', '\\n', '\\r', '\\t'):
    code = ''.join('\\u%04x' % ord(c) if c.isalpha() else c for c in word)
    escaped = escaped.replace(code, word)
json.loads(escaped)
open('doc.escaped', 'w').write(escaped)
END
for f in doc.* lines.*; do
	unpack "$f"
	is "$code $(diff -r t back/t)" '0 ' "$f: all comes back ($(tail -n 1 err))"
done

# ---- no files -----------------------------------------------------------

none() {
	printf '%s' "$2" >out
	unpack out
	is "$code $(ls back 2>/dev/null)" '2 ' "$1: an error, and no DIR"
	is "$(grep -c 'bale: .*out' err)" 1 "$1: is said"
}
none 'an empty file' ''
none 'a text' 'text'
none 'a document without files' '{"bale":1,"files":[]}'
none 'a document without a list of them' '{"bale":1}'
none 'no document' '{}'
none 'lines without files' '{"tree":"t/"}'
none 'an element without files' '<bale><files></files></bale>'
none 'zeros' "$(printf '%0100000d' 0)"
none 'brackets' "$(printf '{"a":%.0s' {1..100000})"

# ---- headers that lie ---------------------------------------------------

lie() {
	printf '%b' "$2" >out
	unpack out
	is "$code $(find back -type f 2>/dev/null | wc -l)$is_clean" '3 0' \
		"$1: not written"
	is "$(grep -c "$3" err)" 1 "$1: why: $(head -n 1 err)"
}
lie 'fewer lines than it says' \
	'## File: a (lines 1-9)\n```\nx\n```\n\n' 'ends with line 9, its content with 1'
lie 'more lines than it says' \
	'## File: a (lines 1-1)\n```\nx\ny\n```\n\n' 'ends with line 1, its content with 2'
lie 'a whole of fewer lines' \
	'## File: a (lines 1-2 of 1)\n```\nx\ny\n```\n\n' 'line 2 of a file of 1\|only lines'
lie 'another hash' \
	'## File: a (lines 1-1, hash 1)\n```\nx\n```\n\n## End of files: 1\n\n' \
	'another hash'
lie 'numbers that are others' \
	'{"path":"a","lines":[1,2],"numbered":true,"chunks":[{"text":"1: x\\n3: y\\n"}]}' \
	'the number before line 2 is 3'
lie 'a key that is none' \
	'{"path":"a","lines":[1,1],"grom":"Windows-1252","chunks":[{"text":"x\\n"}]}' \
	'a word that this version does not know'
lie 'an attribute that is none' \
	'<bale><files><file path="a" lines="1-1" grom="Windows-1252">x\n</file></files></bale>' \
	'a word that this version does not know'
lie 'a piece of a file of fewer lines' \
	'## File: a (lines 1-1 of 9, goes on)\n```\nx\n```\n\n## File: a (lines 2-2 of 2, continued)\n```\ny\n```\n\n' \
	'its parts disagree on the number of lines'
lie 'a piece without lines' \
	'<bale><files><file path="a" lines="1-1" of="9" goes-on="yes">x\n</file><file path="a" empty="yes" continued="yes"/></files></bale>' \
	'its header has lines, and it has none'
for part in 'Part 0 of 0\n\n' '<bale part="0" of="0">\n' '{"bale":1,"part":0,"of":0}\n' \
	'Part 3 of 2\n\n' '<bale part="3" of="2">\n'; do
	# shellcheck disable=SC2059  # it is a format
	printf "$part" >out
	printf '## File: a (empty)\n\n<files>\n' >>out
	unpack out
	is "$code $(grep -c 'an impossible part number' err)" '2 1' "$part: refused"
done
for part in 'Part 1 of 2' 'Part 0 of 0'; do
	"$BALE" pack t --budget all -q --header "$part" -o out 2>err
	is "$? $(grep -c 'looks like the header' err)" '2 1' \
		"pack does not write '$part' for what is none"
done

# ---- a file that was cut out of the middle ------------------------------------

mkdir c
for name in a b c; do
	echo "$name" >c/$name
done
# without FORMAT: an output without its second file
without() {
	case $1 in
	markdown | plain) sed '/^[#=]* File: c\/b /,/^$/d' ;;
	xml) sed '/^<file path="c\/b"/,/<\/file>$/d' ;;
	json) sed '/^,{"path":"c\/b"/,/}]}$/d' ;;
	jsonl) sed '/^{"path":"c\/b"/d' ;;
	esac
}
for f in $formats; do
	"$BALE" pack c --budget all -q --format "$f" -o whole
	without "$f" <whole >out
	unpack whole
	is "$code $(diff -r c back/c)" '0 ' "$f: all three come back"
	unpack out
	is "$code $(grep -c 'there are files missing in it' err)" '2 1' \
		"$f: a file that was cut out is missed"
	is "$(grep -c 'c/b' out)" 0 "$f: it was cut out"
	"$BALE" pack c --budget all -q --format "$f" --hashes off -o whole
	unpack whole
	is "$code $(diff -r c back/c)" '0 ' "$f: no number of files is needed"
done

# ---- a text in front that looks like an output ------------------------------

# What of a packed file could go on with an open declaration of XML.
mkdir f
printf '?>\n<bale>\n<files>\n<file path="evil" empty="yes"/></files></bale>\n' >f/a
mark=$'\357\273\277'
evil='<file path="evil" lines="1-1">x</file></files></bale>'
for header in "<bale><files>$evil" '<bale is a tool>' '<?xml is here' \
	'  <bale part="1" of="2">' "$mark<bale>" '<?xml?> <bale' \
	'{"files":1} is my header' '{"bale":1,"part":2,"of":7}' '{"part":1}' \
	' {"path":"evil","empty":true}' "$mark{\"bale\":1}" \
	"${mark}Part 1 of 3" "$mark## File: evil (empty)" \
	"$mark======== File: evil (empty)" '## File: evil (empty)'; do
	for f in markdown plain; do
		"$BALE" pack f --budget all -q --format $f --header "$header" \
			-o out 2>err
		is "$? $(grep -c 'put a line of words\|looks like the' err)" \
			'2 1' "$f: pack does not write '$header' in front"
	done
	"$BALE" pack f --budget all -q --format xml --header "$header" -o out
	unpack out
	is "$code $(diff -r f back/f)" '0 ' "XML has '$header'"
done
# A file that stands outside of <files> would be lost without a word.
"$BALE" pack t --budget all -q --format xml -o out
sed 's,^<files>,<file path="x" lines="1-1">x</file>\n&,' out >before
awk '/^<file / && ++nr == 3 { print "</files>" } 1' out >behind
for where in before behind; do
	unpack $where
	is "$((code == 2 || code == 3))" 1 "XML with files $where <files>"
done
for header in '' ' ' ' ## File: evil (empty)' '  ======== File: evil (empty)' \
	' Part 1 of 3' '<html>' '{"x":1}' '{' '{"files' "${mark}text" '[1]' \
	'a <bale>' '### File: no' $'a\n<bale><files>' $'a\n{"files":[]}' '<'; do
	for f in markdown plain; do
		"$BALE" pack f t --budget all -q --format $f \
			--header "$header" -o out
		unpack out
		is "$code $(diff -r f back/f)$(diff -r t back/t)" '0 ' \
			"$f: what has '$header' in front comes back"
	done
done
printf '{"files":[{"path":"a","lines":[1,1],"chunks":[{"text":"x\\n"}],"chunks":[]}]}' >out
unpack out
is "$code $(find . -name '.bale-unpack*')" '2 ' \
	'a key that is there twice leaves nothing behind'

# ---- parts ------------------------------------------------------------------

seq 4000 >long
"$BALE" pack long --budget all --split 3000 -q -o p.md
unpack p-*.md
is "$code $(cmp long back/long 2>&1)" '0 ' 'all parts are the file'
unpack p-002.md p-001.md p-002.md p-003.md
is "$code $(grep -c 'give each part once' err)" '2 1' 'a part twice is an error'
unpack p-*.md own.json
is "$code $(grep -c 'parts of different outputs' err)" '2 1' 'and so is another output'
mkdir q && seq 10 4010 >q/long
(cd q && "$BALE" pack long --budget all --split 3000 -q -o p.md)
unpack p-001.md q/p-002.md p-00[3-9].md
is "$code $(find back -type f 2>/dev/null)$is_clean" '3 ' \
	'a piece of another file does not come into it'

# ---- UTF-16 that was none ---------------------------------------------------

mkdir u
printf '\377\376a\000\000\330b\000\n\000' >u/half
printf '\377\376a\000\n\000b' >u/odd
printf '\377\376a\000\n\000' >u/whole
for f in $formats; do
	"$BALE" pack u --budget all -q --format "$f" -o out
	unpack out
	is "$code $(cd back && find . -type f)" '3 ./u/whole' \
		"$f: half a surrogate does not come back as another file"
	is "$(cmp u/whole back/u/whole 2>&1)" '' "$f: whole UTF-16 does"
done

# ---- damage -----------------------------------------------------------------

more=1
[ "${LONG:-0}" = 0 ] || more=8
# shellcheck disable=SC2086  # words are wanted
python3 - $more "$BALE" $formats <<'END'
import os
import random
import shutil
import subprocess
import sys

rng = random.Random(3)
bale = sys.argv[2]
more = int(sys.argv[1])

def check(name, data):
    """Every file that is written is the one that was packed."""
    open('cut', 'wb').write(data)
    shutil.rmtree('back', ignore_errors=True)
    run = subprocess.run([bale, 'unpack', 'cut', '-C', 'back', '-q'],
                         capture_output=True)
    assert run.returncode in (0, 2, 3, 4), (name, run)
    for root, _, files in os.walk('back'):
        for file in files:
            path = os.path.relpath(os.path.join(root, file), 'back')
            assert not file.startswith('.bale'), (name, path)
            if os.path.exists(path) and open(path, 'rb').read() != open(
                    os.path.join(root, file), 'rb').read():
                # its character set may no longer be said
                assert path == 't/utf16', (name, path)
    return run.returncode

for form in sys.argv[3:]:
    for end in ('', '.zst'):
        file = 'out.' + form + end
        subprocess.run([bale, 'pack', 't', '--budget', 'all', '-q', '--format',
                        form, '-o', file], check=True)
        data = open(file, 'rb').read()
        for n in sorted(rng.sample(range(len(data) - 3), 4 * more)):
            if check((form, 'cut', n), data[:n]) == 0:
                print('not ok', file, 'cut at', n)
        for n in rng.sample(range(len(data)), 4 * more):
            check((form, 'changed', n), data[:n] + bytes([data[n] ^ 32]) +
                  data[n + 1:])
        for _ in range(2 * more):
            a, b = sorted(rng.sample(range(len(data)), 2))
            check((form, 'moved', a, b), data[:a] + data[b:] + data[a:b])
END
is $? 0 'damage is found, wherever it is'

# ---- what is read -----------------------------------------------------------

"$BALE" pack t --budget all -q -o out
rm -rf back && "$BALE" unpack - -C back <out 2>err
is "$? $(diff -r t back/t)" '0 ' 'stdin'
mkfifo fifo
cat out >fifo &
unpack fifo
is "$code $(diff -r t back/t)" '0 ' 'a FIFO'
cat p-001.md >fifo &
unpack fifo p-00[2-9].md
is "$code $(cmp long back/long 2>&1)" '0 ' 'a FIFO that is a part'
unpack .
is "$code $(grep -c 'Is a directory' err)" '2 1' 'a directory'
unpack nothing
is "$code $(grep -c 'nothing: No such file' err)" '2 1' 'no file'
rm -rf back && touch back
"$BALE" unpack out -C back 2>err
is "$? $(grep -c 'back: Not a directory' err)" '4 1' 'a DIR that is a file'

# ---- no room ----------------------------------------------------------------

# small COMMAND...: with 400 KB for back, and as much for $TMPDIR.
small() {
	# shellcheck disable=SC2016  # for the inner shell
	unshare -rm bash -c 'mount -t tmpfs -o size=400k none back &&
		mount -t tmpfs -o size=400k none small && shift && {
		"$@"
		code=$?
		find back -type f >left
		exit $code
	}' small small "$@"
}
mkdir -p small && rm -f back && mkdir -p back full
head -c 200000 /dev/zero | tr '\0' 'x' | fold >full/a
head -c 300000 /dev/zero | tr '\0' 'y' | fold >full/b
echo z >full/c
"$BALE" pack full --budget all -q -o full.md
if small true 2>/dev/null; then
	small "$BALE" unpack full.md -C back 2>err
	is "$? $(sort left | tr '\n' ' ')" '4 back/full/a back/full/c ' \
		'a full disk: what has room is whole, what has none is not there'
	is "$(grep -c 'full/b: No space left on device' err)" 1 'and named'
	small env TMPDIR=small "$BALE" unpack full.md -C back 2>err
	is "$? $(cat left)$(grep -c 'no space left for a copy' err)" '5 1' \
		'no room for a copy of what is read'
fi
done_testing
