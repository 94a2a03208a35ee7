#!/bin/bash
# SPDX-License-Identifier: MIT
#
# bale cache export and import: a survey of another checkout, with other times,
# saves the work that it is of and changes no output. One that somebody has made
# up, sums and all, is refused or does no more harm than the tree could; killed
# at any time, both leave a whole file or none.
#
#   ROUNDS=10000 tests/system/test_command_cache.sh  goes on for longer

# shellcheck source=tests/support/lib.sh
. tests/support/lib.sh
cd "$dir" || exit 1
# what each run keeps is said by itself
export XDG_CACHE_HOME=$dir/cache BALE_CACHE=off
rounds=${ROUNDS:-40}

cut_chunks() { # of a report
	stage_count "$1" chunk items
}

mkdir one
python3 -c 'import random
rng = random.Random(1)
words = "open close read write queue ring slab chunk token budget".split()
for i in range(80):
    suffix = rng.choice(("c", "h", "py"))
    with open(f"one/{rng.choice(words)}{i}.{suffix}", "w") as f:
        for j in range(rng.randrange(5, 60)):
            a, b = rng.choice(words), rng.choice(words)
            f.write(f"int {a}_{b}_{j}(int {a})\n{{\n"
                    f"\treturn {b}({a} + {j});\n}}\n")'
wait_until_old one
"$BALE" pack one --budget 6k -q -o want --no-last --report r.json
"$BALE" pack one --budget 6k -q -o out --no-last --report r1.json --cache on
"$BALE" cache export kept.bale one >said
is "$?$(cat said)" "080 files, o200k_base, markdown, overview, report" "exported"
# a signature is told by its place, never by its text, and to nobody else
is "$(grep -lE '\(int [a-z]+\)' cache/bale/surveys/* kept.bale)" "" \
	"no survey has the text of a signature"
is "$(($(stat -c %s cache/bale/surveys/*) > $(stat -c %s kept.bale)))" 1 \
	"places of signatures are not exported"
query=(--query 'read the next queue of the ring')
"$BALE" pack one --budget 6k -q -o wantq --no-last "${query[@]}"
"$BALE" pack one --budget 6k -q -o outq --no-last --report rq.json --cache on \
	"${query[@]}"
"$BALE" cache export query.bale one >/dev/null

# another machine: another directory, other times
mkdir there
cp -r one there/one
export XDG_CACHE_HOME=$dir/cache2
wait_until_old there/one
is "$(cd there/one && "$BALE" cache import ../../kept.bale)" "80 files" \
	"imported for the current directory"
is "$(stat -c %a cache2/bale/surveys/*)" 600 "for the user alone"
is "$("$BALE" cache check --json | grep -c '"whole".*there/one"')" 1 \
	"it is the survey of that tree"
"$BALE" pack there/one --budget 6k -q -o want2 --no-last --report r.json
for i in 2 3; do
	"$BALE" pack there/one --budget 6k -q -o out --no-last \
		--report r$i.json --cache on
	is "$?$(cmp want2 out)" 0 "the output is the same, run $i"
done
is "$(($(cut_chunks r.json) - $(cut_chunks r2.json)))" 80 \
	"what was imported is not cut again"
is "$(($(cut_chunks r2.json) - $(cut_chunks r3.json)))" 0 \
	"nor what the first run has kept of it"

# the same with a query, of another one's survey
rm -rf cache2
is "$(cd one && "$BALE" cache import ../query.bale)" "80 files" \
	"imported for queries"
"$BALE" pack one --budget 6k -q -o outq --no-last --report rq.json --cache on \
	"${query[@]}"
is "$?$(cmp wantq outq)" 0 "the output of a query is the same"

# what is imported says nothing about a file that has not been read: one that
# has the very times of the entry, and another content
rm -rf cache2
(cd one && "$BALE" cache import ../kept.bale >/dev/null)
"$BALE" pack one --budget 6k -q -o out --no-last --report r4.json --cache read
is "$?$(cmp want out)" 0 "imported where it is from"
is "$(python3 -c 'import json
def collected(path):
    r = json.load(open(path))
    return next(s for s in r["stages"] if s["name"] == "collect")["bytes"]
print(collected("r4.json") == collected("r1.json"))')" True \
	"all is read, though the times are those of the entries"

# errors
refused() { # what is said, arguments
	"$BALE" cache "${@:2}" >out 2>err
	is "$?$(cat out)$(grep -c "$1" err)" 21 "${*:2}: $1"
}
head -c 100000 kept.bale >short
refused 'is not a survey, or is damaged; nothing' import short
refused 'is not a survey, or is damaged; nothing' import /dev/null
refused 'No such file' import none
refused 'another number of PATHs' import kept.bale one there
"$BALE" cache export e.bale none 2>err
is "$?$(grep -c 'nothing is kept of' err)" 91 "nothing to export"
"$BALE" cache export /proc/e.bale one >out 2>err
is "$?$(grep -c 'cannot write' err)" 41 "export to where nothing can be written"
is "$([ -e e.bale ]; echo $?)" 1 "which leaves nothing"

# made up: any number is another, and the sums are right
cat >forge.py <<'END'
"""A copy of a survey in which some numbers are others and the sums fit."""
import random, struct, sys
rng = random.Random(int(sys.argv[3]))
kept = bytearray(open(sys.argv[1], 'rb').read())
MASK = (1 << 64) - 1


def bytewise(h, data):
    for c in data:
        h = (h ^ c) * 1099511628211 & MASK
    return h


def wordwise(h, data):
    for (word,) in struct.iter_unpack('<Q', data):
        h = (h ^ word) * 0x9e3779b97f4a7c15 & MASK
        h ^= h >> 32
    return h


def number(off):
    return struct.unpack_from('<Q', kept, off)[0]


entry_nr, entries, paths, chunks, names = (
    number(off) for off in (128, 168, 176, 184, 192))
START = 14695981039346656037


def parts(entry):
    path, path_nr = struct.unpack_from('<QI', kept, entry)
    first, nr = struct.unpack_from('<QI', kept, entry + 64 + 48)
    off, = struct.unpack_from('<Q', kept, entry + 64 + 112)
    bytes_nr, = struct.unpack_from('<I', kept, entry + 192)
    lines, = struct.unpack_from('<I', kept, entry + 196)
    return ((paths + path, path_nr), (chunks + 56 * first, 56 * (nr + lines)),
            (names + off - 1, bytes_nr))


for i in rng.sample(range(entry_nr), rng.choice((1, 1, 3))):
    entry = entries + 216 * i
    path, chunk, name = before = parts(entry)
    for _ in range(rng.choice((1, 1, 3))):
        # of the entry what is not its content's digest or where things lie
        at = rng.choice((entry + rng.randrange(12, 64),
                         entry + 64 + rng.randrange(32, 48),
                         entry + 64 + rng.randrange(60, 112),
                         chunk[0] + rng.randrange(chunk[1]),
                         chunk[0] + rng.randrange(chunk[1]),
                         name[0] + rng.randrange(max(name[1], 1))))
        if at >= name[0] and name[1] == 0:
            continue
        kept[at] = rng.choice((0, 1, 255, kept[at] ^ 1 << rng.randrange(8)))
    assert parts(entry) == before
    h = bytewise(START, kept[path[0]:path[0] + path[1]])
    h = wordwise(h, kept[entry:entry + 208])
    for at in range(chunk[0], chunk[0] + chunk[1], 56):
        h = wordwise(h, kept[at:at + 16] + bytes(4) + kept[at + 20:at + 56])
    if name[1] > 0:
        h = bytewise(h, kept[name[0]:name[0] + name[1]])
    struct.pack_into('<Q', kept, entry + 208, h)
open(sys.argv[2], 'wb').write(kept)
END
taken=0
bad=0
for i in $(seq "$rounds"); do
	if [ $((i % 2)) = 1 ]; then
		python3 forge.py kept.bale forged.bale "$i"
		asked=()
	else
		python3 forge.py query.bale forged.bale "$i"
		asked=("${query[@]}")
	fi
	rm -rf cache2
	"$BALE" cache import forged.bale one >said 2>err
	code=$?
	[ $code = 2 ] && continue
	taken=$((taken + 1))
	[ $code = 0 ] || bad=$((bad + 1))
	"$BALE" pack one --budget 6k -q -o out --no-last --report r5.json \
		--cache on "${asked[@]}" 2>err
	code=$?
	# 3: a chunk is not what the survey says, and is left out
	[ $code = 0 ] || [ $code = 3 ] || { bad=$((bad + 1)); cat err; }
	"$BALE" verify out --against r5.json --budget 6k >said 2>&1 ||
		{ bad=$((bad + 1)); cat said; }
	rm -rf back
	"$BALE" unpack out -C back >said 2>&1 || [ $? = 3 ] || bad=$((bad + 1))
	# whatever is packed is what the tree has
	(cd back 2>/dev/null && find . -type f) | while read -r path; do
		python3 -c 'import sys
have = set(open(sys.argv[1]).read().split("\n"))
print(sum(line not in have for line in open(sys.argv[2]).read().split("\n")))' \
			"one/${path#./one/}" "back/$path"
	done >lines 2>/dev/null
	grep -qv '^0$' lines && bad=$((bad + 1))
done
is "$bad" 0 "forged surveys: refused, or every line is one of the tree"
is "$((rounds < 40 || taken > 2))" 1 "some of them are taken ($taken of $rounds)"

# killed at any time
rm -rf cache2
BALE=$BALE python3 - "$rounds" <<'END' >killed
import os, random, subprocess, sys, time
rng = random.Random(3)
bale = os.environ['BALE']
want = open('kept.bale', 'rb').read()
bad = 0
for i in range(int(sys.argv[1])):
    exports = i % 2 == 1
    if exports:
        run = [bale, 'cache', 'export', 'again.bale', 'one']
    else:
        run = [bale, 'cache', 'import', 'kept.bale', 'one']
    child = subprocess.Popen(run, stdout=subprocess.DEVNULL,
                             stderr=subprocess.DEVNULL)
    time.sleep(rng.uniform(0, 0.012))
    child.kill()
    child.wait()
    if os.path.exists('again.bale') and \
            len(open('again.bale', 'rb').read()) != len(want):
        bad += 1
    if subprocess.run([bale, 'cache', 'check'],
                      stdout=subprocess.DEVNULL).returncode != 0:
        bad += 1
print(bad)
END
is "$(cat killed)" 0 "killed at any time, a whole file is there or none"
"$BALE" cache import kept.bale one >/dev/null
"$BALE" cache export again.bale one >/dev/null
is "$(find . -name '.*.tmp' | wc -l)" 0 "and nothing else is left behind"
for to in - /dev/stdout; do
	"$BALE" cache export $to one 2>err | cat >out
	is "${PIPESTATUS[0]} $(wc -c <out) $(cat err)" "2 0 bale: $to: cache export \
writes a regular file, not stdout or a pipe: name one" "export to $to is refused"
done
is "$(ls -- - 2>/dev/null)" "" "and makes no file"

# a tree has one name, from wherever it is named
rm -rf cache2
mkdir -p up/down up/tree
seq 30000 >up/tree/a
seq 29999 >up/tree/b
wait_until_old up
"$BALE" pack up/tree --budget 2k -q --cache on -o /dev/null
(cd up/down && "$BALE" pack ../tree --budget 2k -q --cache on -o /dev/null)
is "$("$BALE" cache list | grep -c up/)" 1 "../tree is the tree"
(cd up/down && "$BALE" cache clear ..) >out
is "$(cat out | cut -d , -f 1) $("$BALE" cache list | grep -c up/)" \
	"removed 1 survey 0" "and what lies below .. is cleared"

done_testing
