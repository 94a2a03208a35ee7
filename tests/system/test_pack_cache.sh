#!/bin/bash
# SPDX-License-Identifier: MIT
#
# A kept survey never changes an output: after random edits of a tree, in ways
# that keep times and sizes too, and with random options, a run with --cache
# writes the bytes of one without. Nor does a survey that is damaged, of other
# settings, or that several runs write at once.
#
#   ROUNDS=10000 tests/system/test_pack_cache.sh  goes on for longer

# shellcheck source=tests/support/lib.sh
. tests/support/lib.sh
cd "$dir" || exit 1
export XDG_CACHE_HOME=$dir/cache

cat >edit.py <<'EOF'
"""Random edits of a tree, each followed by packs with the cache and without."""
import os, random, shutil, subprocess, sys, time

rounds, seed = int(sys.argv[1]), int(sys.argv[2])
bale = os.environ['BALE']
rng = random.Random(seed)
words = ('open close read write queue ring slab chunk token budget select '
         'lane plan heat score file line size next last').split()


def text(lines):
    out = []
    for i in range(lines):
        a, b = rng.choice(words), rng.choice(words)
        out.append(rng.choice((
            f'int {a}_{b}_{i}(int {a})\n{{\n\tif ({a} > {i})\n'
            f'\t\treturn {b}({a});\n\treturn {i};\n}}\n',
            f'/* {a} before {b}. TODO: {a} */\n',
            f'#include "{a}.h"\n', f'#define {a.upper()} {i}\n')))
    return ''.join(out).encode()


def write(path, data):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, 'wb') as f:
        f.write(data)


def files():
    found = []
    for top, dirs, names in os.walk('tree'):
        dirs[:] = [d for d in dirs if d != '.git']
        found += [os.path.join(top, n) for n in names]
    return sorted(found)


def new_name():
    return (f'tree/d{rng.randrange(6)}/{rng.choice(words)}{rng.randrange(40)}'
            f'{rng.choice((".c", ".h", ".py", ".md", ".txt", ""))}')


contents = {}


def edit():
    """One of the ways in which a tree changes; its name."""
    all_files = files()
    path = rng.choice(all_files)
    other = rng.choice(all_files)
    way = rng.choice(('edit append truncate rename swap keep_mtime same_size '
                      'chmod remove add copy link case secret invalid times '
                      'directory blanks touch suffix restore hard').split())
    stat = os.stat(path)
    if way == 'edit':
        write(path, text(rng.randrange(1, 60)))
    elif way == 'append':
        with open(path, 'ab') as f:
            f.write(text(rng.randrange(1, 8)))
    elif way == 'truncate':
        os.truncate(path, rng.randrange(stat.st_size + 1))
    elif way == 'rename':
        target = new_name()
        os.makedirs(os.path.dirname(target), exist_ok=True)
        os.rename(path, target)
    elif way == 'swap' and path != other:
        os.rename(path, 'tmp')
        os.rename(other, path)
        os.rename('tmp', other)
    elif way in ('keep_mtime', 'same_size'):
        with open(path, 'rb') as f:
            data = bytearray(f.read())
        for i in range(len(data)):
            if chr(data[i]).isdigit():
                data[i] = ord('0') + (data[i] - ord('0') + 1) % 10
        write(path, bytes(data))
        if way == 'keep_mtime':
            os.utime(path, ns=(stat.st_atime_ns, stat.st_mtime_ns))
    elif way == 'chmod':
        os.chmod(path, rng.choice((0o600, 0o644, 0o755)))
    elif way == 'remove' and len(all_files) > 20:
        os.remove(path)
    elif way == 'add':
        write(new_name(), text(rng.randrange(1, 200)))
    elif way == 'copy':
        target = new_name()
        os.makedirs(os.path.dirname(target), exist_ok=True)
        if target != path:
            shutil.copy2(path, target)
    elif way == 'link':
        target = new_name()
        os.makedirs(os.path.dirname(target), exist_ok=True)
        if not os.path.lexists(target):
            os.link(path, target)
    elif way == 'case':
        name = os.path.basename(path)
        target = os.path.join(os.path.dirname(path), name.swapcase())
        if not os.path.lexists(target):
            os.rename(path, target)
    elif way == 'secret':
        with open(path, 'ab') as f:
            f.write(b'key = "AKIA%s"\n' % bytes(
                rng.choice(b'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567')
                for _ in range(16)))
    elif way == 'invalid':
        with open(path, 'ab') as f:
            f.write(b'caf\xe9 \xff\n')
    elif way == 'times':
        when = rng.choice((0, time.time() + 1e6, stat.st_mtime - 1e5))
        os.utime(path, (when, when))
    elif way == 'blanks':  # all that differs is white space at ends of lines
        with open(path, 'rb') as f:
            data = f.read()
        blank = rng.choice((b' \n', b'\t\n', b'\r\n', b'\n'))
        data = blank.join(line.rstrip() for line in data.split(b'\n'))
        write(path, data[:-1] if rng.random() < 0.3 else data)
    elif way == 'touch':
        for each in all_files:
            os.utime(each)
    elif way == 'suffix':  # the same content as another language
        target = os.path.splitext(path)[0] + \
            rng.choice(('.h', '.c', '.py', '.json', '.md'))
        if not os.path.lexists(target):
            (os.rename if rng.random() < 0.5 else shutil.copy2)(path, target)
    elif way == 'restore':  # as a checkout does: an old content, a new time
        before = contents.get(path)
        with open(path, 'rb') as f:
            contents[path] = f.read()
        if before is not None:
            write(path, before)
    elif way == 'hard':  # one content under two names, written through one
        target = new_name()
        os.makedirs(os.path.dirname(target), exist_ok=True)
        if not os.path.lexists(target):
            os.link(path, target)
            with open(target, 'ab') as f:
                f.write(text(1))
    elif way == 'directory':
        target = f'tree/d{rng.randrange(6)}/e{rng.randrange(3)}'
        top = os.path.dirname(path)
        if top != 'tree' and not target.startswith(top + '/') and \
                not os.path.exists(target):
            os.makedirs(os.path.dirname(target), exist_ok=True)
            os.rename(top, target)
    return way


choices = (
    ['--budget', '3000'], ['--budget', '9000'], ['--budget', '40k'],
    ['--compress'], ['--strip-comments'], ['--format', 'xml'],
    ['--format', 'json'], ['--no-dedup'], ['--chunk', 'lines:30'],
    ['--order', 'path'], ['--report', 'r.json'], ['--secrets', 'exclude'],
    ['--secrets', 'off'], ['--unicode', 'escape'], ['--hashes', 'on'],
    ['--encoding', 'cl100k_base'], ['--query', 'queue of slabs'],
    ['--query', 'TODO: read_line(size) of the next plan'],
    ['--query', 'int open_close in score.c'], ['--query', 'budget tests'],
    ['--exclude', '*.h'], ['--include', '*.c'], ['--pin', 'd1/**'],
    ['--tiers', 'off'], ['--doc', '--compress'], ['--max-file-size', '2000'],
    ['--invalid-utf8', 'keep'], ['--paths', 'absolute'],
    ['--dedup-normalize', 'whitespace'], ['--workers', '1'],
)


def pack(out, options):
    run = subprocess.run([bale, 'pack', 'tree', '-q', '--no-last', '-o', out,
                          *options], capture_output=True)
    with open(out, 'rb') as f:
        return run.returncode, f.read()


for i in range(60):
    write(new_name(), text(rng.randrange(1, 80)))
time.sleep(0.1)
failed = used = 0
for i in range(rounds):
    ways = [edit() for _ in range(rng.choice((0, 1, 1, 2, 5)))]
    options = ['--budget', rng.choice(('6000', '6000', '20k'))]
    if rng.random() < 0.3:
        options += ['--query', ' '.join(rng.sample(words, 3))]
    for extra in rng.sample(choices, rng.choice((0, 0, 0, 1, 2))):
        options += [x for x in extra]
    if rng.random() < 0.5:
        time.sleep(0.06)  # what was edited is kept by the next run
    want = pack('want', options)
    got = pack('got', options + ['--cache=on'])
    again = pack('again', options + ['--cache=' + rng.choice(('on', 'read'))])
    if got != want or again != want:
        failed += 1
        print(f'round {i} of seed {seed}: {ways} {options}', file=sys.stderr)
        shutil.copytree('tree', f'failed{i}')
print(failed)
EOF
BALE=$BALE python3 edit.py "${ROUNDS:-60}" "${SEED:-7}" >failed
is "$(cat failed)" 0 "random edits and options: the same with the cache"
kept=(cache/bale/surveys/*)
is "$([ "${#kept[@]}" -gt 3 ]; echo $?)" 0 "each of several settings has one"
is "$(stat -c %a cache/bale cache/bale/surveys "${kept[0]}" | tr '\n' ' ')" \
	"700 700 600 " "the user alone can read it"
is "$(ls -A tree | grep -cv '^d[0-9]$')" 0 "nothing is kept in the tree"

# that it is used: a file whose facts are kept is read only to be written
rm -rf cache
wait_until_old tree
for i in 1 2; do
	"$BALE" pack tree --budget 6k -q -o out$i --cache on --no-last \
		--report r$i.json || exit 1
done
read_bytes() {
	stage_count "$1" collect bytes
}
is "$(cmp out1 out2; echo $?)" 0 "the second run writes the same"
saved=$(($(read_bytes r1.json) - $(read_bytes r2.json)))
all=$(find tree -type f -printf '%s\n' | awk '{ n += $1 } END { print n }')
is "$((saved * 2 > all))" 1 "and reads less by half of the tree at least"

# with a query all is read, for its words, and no more than these are looked for
export XDG_CACHE_HOME=$dir/of_queries
for i in 1 2; do
	"$BALE" pack tree --budget 2k -q -o q$i --cache on --no-last \
		--query 'read the next line' --report qr$i.json || exit 1
done
counted_bytes() {
	stage_count "$1" count bytes
}
is "$(cmp q1 q2; echo $?)" 0 "the second run of a query writes the same"
saved=$(($(counted_bytes qr1.json) - $(counted_bytes qr2.json)))
is "$((saved * 2 > all))" 1 "and counts less by half of the tree at least"
"$BALE" pack tree --budget 2k -q -o q1 --cache on --no-last \
	--query 'open a queue' --report qr1.json
"$BALE" pack tree --budget 2k -q -o q2 --no-last --query 'open a queue' \
	--report qr2.json
is "$(cmp q1 q2; echo $?)" 0 "another query writes the same as without"
saved=$(($(counted_bytes qr2.json) - $(counted_bytes qr1.json)))
is "$((saved * 2 > all))" 1 "and has the same survey"
export XDG_CACHE_HOME=$dir/cache

# bale cache: what there is, as the file system has it
survey=$(ls cache/bale/surveys/*)
"$BALE" cache list --json >list.json
is "$(python3 -c 'import json, os, sys
s, = json.load(open("list.json"))["surveys"]
st = os.stat(sys.argv[1])
print(s["name"] == os.path.basename(sys.argv[1]),
      s["bytes"] == st.st_blocks * 512,
      s["roots"] == [os.path.abspath("tree")], s["state"],
      0 < s["files"] <= sum(len(n) for _, _, n in os.walk("tree")))' "$survey")" \
	"True True True whole True" "bale cache list says what is kept"
"$BALE" pack ./tree/ --budget 6k -q -o out --cache read --no-last \
	--report r3.json
is "$(cmp out1 out)$(($(read_bytes r3.json) - $(read_bytes r2.json)))" 0 \
	"a tree that is named in another way is the same one"

# verify: reads all and compares
"$BALE" pack tree --budget 6k -q -o out --cache verify --no-last \
	--report r4.json 2>err
is "$?$(cmp out1 out)$(cat err)" 0 "verify finds nothing where nothing differs"
is "$(($(read_bytes r1.json) - $(read_bytes r4.json)))" 0 \
	"and has read all of it"
is "$("$BALE" cache check >/dev/null; echo $?)" 0 "what is kept is whole"
cp "$survey" whole
printf x | dd of="$survey" bs=1 seek=$(($(stat -c %s whole) - 40000)) \
	conv=notrunc 2>/dev/null
"$BALE" cache check >checked
is "$?$(grep -c damaged checked)" 31 "bale cache check names what is damaged"
is "$([ -e "$survey" ]; echo $?)" 0 "and leaves it"
"$BALE" pack tree --budget 6k -q -o out --cache verify --no-last \
	--report r4.json 2>err
is "$?$(cmp out1 out)" 0 "verify beside a damaged one"
is "$("$BALE" cache check >/dev/null; echo $?)" 0 "puts a whole one in its place"

# what is only as it was by its content is read, and not cut and counted again
cut_chunks() {
	stage_count "$1" chunk items
}
find tree -type f -exec touch {} +
mv tree/d1 moved
mkdir -p tree/other/place
mv moved tree/other/place/
wait_until_old tree
"$BALE" pack tree --budget 6k -q -o want --no-last --report r.json
for i in 5 6; do
	"$BALE" pack tree --budget 6k -q -o out --cache on --no-last \
		--report r$i.json
	is "$?$(cmp want out)" 0 "times and places of files are others, run $i"
done
cut=$(($(cut_chunks r.json) - $(cut_chunks r5.json)))
is "$((cut * 2 > $(cut_chunks r.json) - $(cut_chunks r6.json)))" 1 \
	"and most is not cut again"
is "$(($(read_bytes r6.json) < $(read_bytes r5.json)))" 1 \
	"the next run does not read it"
cp want out2
cp r.json r1.json

# damage: any byte of it may be another, or missing
cp "$survey" whole
"$BALE" pack tree --budget 6k -q -o want --report r.json --no-last
for i in $(seq 40); do
	cp whole "$survey"
	python3 - "$survey" "$i" <<'EOF'
import os, random, sys
rng = random.Random(int(sys.argv[2]))
size = os.path.getsize(sys.argv[1])
with open(sys.argv[1], 'r+b') as f:
    if rng.random() < 0.2:
        f.truncate(rng.randrange(size))
    else:
        # what is data, not the hole before it
        for _ in range(rng.choice((1, 1, 30))):
            f.seek(rng.choice((rng.randrange(160),
                               131072 + rng.randrange(size - 131072))))
            f.write(bytes([rng.randrange(256)]))
EOF
	"$BALE" pack tree --budget 6k -q -o out --report r.json --no-last \
		--cache read
	is "$?$(cmp want out)" 0 "damaged, try $i"
done
: >"$survey"
"$BALE" pack tree --budget 6k -q -o out --report r.json --no-last --cache on \
	--log-level info 2>err
is "$?$(cmp want out)" 0 "an empty file"
is "$(grep -c 'no survey of these files, or damaged' err)" 1 "which -v names"
is "$(cmp -n 131072 whole "$survey" >/dev/null; [ -s "$survey" ]; echo $?)" 0 \
	"and a new one takes its place"

# where nothing can be kept, a run is as good
for place in /proc/none "$dir/file" relative; do
	: >file
	XDG_CACHE_HOME=$place HOME=$place "$BALE" pack tree --budget 6k -q \
		-o out --no-last --cache on 2>err
	is "$?$(cmp out2 out)$(cat err)" 0 "no cache in $(basename "$place")"
done

# killed at any time, a run leaves a whole survey, or none
rm -rf cache
for i in $(seq 6); do
	BALE=$BALE BALE_CACHE=on python3 - "$i" <<'EOF'
import os, random, subprocess, sys, time
rng = random.Random(int(sys.argv[1]))
for _ in range(5):
    run = subprocess.Popen([os.environ['BALE'], 'pack', 'tree', '--budget',
                            '6k', '-q', '-o', 'killed', '--no-last'],
                           stderr=subprocess.DEVNULL)
    time.sleep(rng.uniform(0.01, 0.1))
    run.kill()
    run.wait()
EOF
	"$BALE" pack tree --budget 6k -q -o out --no-last --cache on \
		--log-level info 2>err
	is "$?$(cmp out2 out)$(cat err)" 0 "after kill $i"
done

# eight runs that write one survey
rm -rf cache
for i in $(seq 8); do
	"$BALE" pack tree --budget 6k -q -o "at_once$i" --no-last --cache on &
done
wait
"$BALE" pack tree --budget 6k -q -o want --no-last
for i in $(seq 8); do
	is "$(cmp "at_once$i" want)" "" "at once, run $i"
done
is "$(find cache -name '.*.tmp' | wc -l)" 0 "and they leave nothing else behind"

# a limit: what is unused for longest goes
rm -rf cache
python3 -c 'import os
os.mkdir("wide")
for i in range(1900):
    with open(f"wide/f{i}.c", "w") as f:
        f.write(f"int f{i}(void) {{ return {i}; }}\n")'
wait_until_old wide
keep_wide() { # lines of a chunk, options
	"$BALE" pack wide --budget 6k --chunk "lines:$1" -q -o out --no-last \
		--cache "${@:2}"
}
kept_lines() {
	"$BALE" cache list --json | grep -o 'chunks of [0-9]*' | tr -dc '0-9\n' |
		sort | tr '\n' ' '
}
keep_wide 21 on
keep_wide 22 on
keep_wide 21 read
keep_wide 23 on --cache-limit 2M
is "$(kept_lines)" "21 23 " "what is unused for longest is removed"
keep_wide 24 on --cache-limit 1M
is "$(kept_lines)" "24 " "and more than that, if the limit is less"
is "$("$BALE" cache size --json | python3 -c 'import json, sys
print(0 < json.load(sys.stdin)["bytes"] <= 1 << 20)')" True \
	"no more than the limit is kept"
"$BALE" cache clear "$dir" >cleared
is "$(kept_lines)$(grep -c 'removed 1 survey,' cleared)" 1 \
	"bale cache clear removes all below a path"
keep_wide 21 on --no-cache
is "$(kept_lines)" "" "--no-cache keeps nothing"
done_testing
