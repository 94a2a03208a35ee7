#!/bin/bash
# SPDX-License-Identifier: MIT
#
# A tree that is surveyed in parts and merged gives the bytes of one run over
# it: with 1, 4 and 64 shards, with random options, and when the tree has
# changed since, and parts are damaged, missing, there twice, of another
# division or of another tree. A shard that is killed leaves a whole part or
# none.
#
# With LONG=1 there are more rounds, damages and kills.
#
#   ROUNDS=1000 SEED=1 tests/system/test_pack_shards.sh  goes on for longer

# shellcheck source=tests/support/lib.sh
. tests/support/lib.sh
tree=${BALE%/*}/tests/support/tool_tree
mkdir "$dir/tree" "$dir/hostile" "$dir/other"
"$tree" many "$dir/tree" 150 3
"$tree" hostile "$dir/hostile" 3
"$tree" many "$dir/other" 60 4
BALE=$(realpath "$BALE")
export BALE
cd "$dir" || exit 1

cat >shards.py <<'EOF'
"""Packs trees in parts and in one run; the checks as TAP lines of is()."""
import glob, json, os, random, shutil, subprocess, sys, time
from concurrent.futures import ThreadPoolExecutor

bale = os.environ['BALE']
rng = random.Random(int(os.environ.get('SEED', 5)))
is_long = os.environ.get('LONG', '0') != '0'
pool = ThreadPoolExecutor(2)


def run(*words):
    done = subprocess.run([bale, *words], capture_output=True)
    return done.returncode, done.stderr.decode(errors='replace')


def pack(command, out, *words):
    """An exit code and what was written."""
    if os.path.exists(out):
        os.remove(out)
    code, said = run(*command, '-q', '--no-last', '-o', out, *words)
    if not os.path.exists(out):
        return code, None, said
    with open(out, 'rb') as f:
        return code, f.read(), said


def survey(roots, nr, options, where='parts'):
    shutil.rmtree(where, ignore_errors=True)
    os.mkdir(where)
    results = pool.map(
        lambda i: run('pack', *roots, '--shard', f'{i}/{nr}', '-q', '-o',
                      f'{where}/{i:05}', *options), range(nr))
    for code, said in results:
        if code != 0:
            print('shard:', code, options, said, file=sys.stderr)


def is_same(roots, options, parts='parts', *extra):
    """Whether a merge writes what one run does; and what it said."""
    want = pack(['pack', *roots], 'want', *options)
    got = pack(['merge', parts, *roots], 'got', *options, *extra)
    if got[:2] != want[:2]:
        print(roots, options, got[0], want[0], got[2], file=sys.stderr)
    return got[:2] == want[:2], got[2]


def write(path, data):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, 'wb') as f:
        f.write(data)


def edit(tree):
    """Changes a file of a tree, adds or removes one."""
    files = sorted(p for p in glob.glob(tree + '/**', recursive=True)
                   if os.path.isfile(p))
    path = rng.choice(files)
    way = rng.randrange(4)
    if way == 0:
        with open(path, 'ab') as f:
            f.write(b'int more(void) { return %d; }\n' % rng.randrange(99))
    elif way == 1 and len(files) > 30:
        os.remove(path)
    elif way == 2:
        os.rename(path, f'{tree}/renamed{rng.randrange(9)}.c')
    else:
        write(f'{tree}/new{rng.randrange(9)}.c',
              b'int new(int a)\n{\n\treturn a + %d;\n}\n' % rng.randrange(99))


# what a file can be besides: binary, with a secret, of another encoding, with
# blanks at ends of lines, a duplicate, empty, larger than a slab
write('tree/bin/a.bin', bytes(range(256)) * 200)
write('tree/bin/key.py', b'key = "AKIA%s"\n' % b'QWERTYUIOPASDFGH')
write('tree/bin/latin.c', b'/* caf\xe9 */\nint x;\n' * 30)
write('tree/bin/crlf.c', b'int y;  \r\nint z;\t\r\n' * 50)
write('tree/bin/empty.c', b'')
write('tree/bin/large.c', b''.join(
    b'int f%d(int a)\n{\n\treturn a * %d;\n}\n\n' % (i, i)
    for i in range(9000)))
for i in range(3):
    shutil.copy('tree/bin/crlf.c', f'tree/bin/copy{i}.c')

choices = (
    ['--compress'], ['--strip-comments'], ['--format', 'xml'],
    ['--format', 'json'], ['--no-dedup'], ['--chunk', 'lines:30'],
    ['--order', 'path'], ['--report', 'r.json'], ['--secrets', 'exclude'],
    ['--secrets', 'off'], ['--encoding', 'cl100k_base'],
    ['--query', 'the size of a queue'], ['--query', 'TODO read_line'],
    ['--exclude', '*.h'], ['--include', '*.c'], ['--tiers', 'off'],
    ['--max-file-size', '2000'], ['--invalid-utf8', 'keep'],
    ['--paths', 'absolute'], ['--dedup-normalize', 'whitespace'],
    ['--no-ignore'], ['--split', '4000'], ['--exact-report'],
    ['--line-numbers'], ['--git-log', '3'],
)
failed = 0
for i in range(int(os.environ.get('ROUNDS', 24 if is_long else 9))):
    roots = rng.choice((['tree'], ['hostile'], ['tree', 'other'], ['tree/bin']))
    options = ['--budget', rng.choice(('300', '2000', '20k', '3M')),
               '--workers', rng.choice('123')]
    for extra in rng.sample(choices, rng.choice((0, 1, 1, 2))):
        options += extra
    if '--split' in options and '--line-numbers' in options:
        continue
    survey(roots, rng.choice((1, 2, 3, 4, 4, 7)), options)
    for _ in range(rng.choice((0, 0, 2))):
        edit(roots[0])
    extra = ['--same-files'] if rng.random() < 0.5 else []
    failed += not is_same(roots, options, 'parts', *extra)[0]
print(failed, 'random options')

options = ['--budget', '6k']
for nr in (1, 64, 4):
    survey(['tree'], nr, options)
    print(0 if is_same(['tree'], options)[0] else 1, nr, 'shards')
    code, said = run('merge', 'parts', 'tree', '-q', '--no-last', '--strict',
                     '-o', 'got', *options)
    print(code, nr, 'shards are all there are')
first = [open(p, 'rb').read() for p in sorted(glob.glob('parts/*'))]
survey(['tree'], 4, options + ['--workers', '3'], 'again')
print(0 if first == [open(p, 'rb').read()
                     for p in sorted(glob.glob('again/*'))] else 1,
      'a part has the same bytes each time')

# what is used is not cut again
def cut(*words):
    run(*words, '-q', '--no-last', '-o', 'got', '--report', 'r.json',
        *options)
    with open('r.json') as f:
        stages = {s['name']: s for s in json.load(f)['stages']}
    return stages['chunk']['items'], stages['collect']['bytes']


for i in range(60):
    write(f'plain/f{i}.c', b''.join(
        b'int f%d_%d(int a)%s\n{\n\treturn a * %d;\n}\n\n' %
        (i, k, b' ' * (i % 2), k) for k in range(rng.randrange(4, 400))))
time.sleep(2)  # until a change would show in the times of all files
total = sum(os.path.getsize(p) for p in glob.glob('plain/*'))
survey(['plain'], 4, options, 'of_plain')
alone, merged = cut('pack', 'plain'), cut('merge', 'of_plain', 'plain')
print(60 - (alone[0] - merged[0]), 'no file is cut again to be known')
print(alone[1] - merged[1], 'but each is read')
merged = cut('merge', 'of_plain', 'plain', '--same-files')
print(total - (alone[1] - merged[1]), 'with --same-files none is')
ok, said = is_same(['plain'], options, 'of_plain', '--same-files')
print(0 if ok and not said else 1, 'and the output is the same')
write('plain/f7.c', b'int changed;\n')
os.utime('plain/f8.c')
ok, said = is_same(['plain'], options, 'of_plain', '--same-files')
print(0 if ok and '1 file is not covered by the parts' in said else 1,
      'and so if a file has changed')
# as another machine sees them: the device is another
for path in ('upper', 'work', 'elsewhere/plain'):
    os.makedirs(path)
if subprocess.run(['mount', '-t', 'overlay', 'overlay', '-o', 'lowerdir=plain,'
                   'upperdir=upper,workdir=work', 'elsewhere/plain'],
                  stderr=subprocess.DEVNULL).returncode == 0:
    there = [os.stat(f'{p}/f9.c') for p in ('plain', 'elsewhere/plain')]
    survey(['plain'], 4, options, 'of_plain')
    alone = cut('pack', 'elsewhere/plain')
    merged = cut('merge', 'of_plain', 'elsewhere/plain', '--same-files')
    print(f'# device {there[0].st_dev} and {there[1].st_dev}, inode '
          f'{there[0].st_ino} and {there[1].st_ino}: {alone[1] - merged[1]} '
          f'of {total} bytes are not read again', file=sys.stderr)
    ok, said = is_same(['elsewhere/plain'], options, 'of_plain',
                       '--same-files')
    subprocess.run(['umount', 'elsewhere/plain'])
    print(0 if ok else 1, 'on another device')
else:
    print(0, 'on another device: no mount here')

# damaged, missing, twice
survey(['tree'], 4, options)
shutil.copytree('parts', 'whole')
failed = silent = 0
for i in range(30 if is_long else 10):
    shutil.rmtree('parts')
    shutil.copytree('whole', 'parts')
    path = f'parts/{rng.randrange(4):05}'
    size = os.path.getsize(path)
    with open(path, 'r+b') as f:
        if rng.random() < 0.3:
            f.truncate(rng.randrange(size))
        else:
            data = size - len(f.read()[4096:].lstrip(b'\0'))
            for _ in range(rng.choice((1, 1, 30))):
                f.seek(rng.choice((rng.randrange(160),
                                   rng.randrange(data, size))))
                f.write(bytes([rng.randrange(256)]))
    ok, said = is_same(['tree'], options)
    failed += not ok and 'by another build' not in said and \
        'with other options' not in said
    code, got, said = pack(['merge', 'parts', 'tree'], 'strict', '--strict',
                           *options)
    # what is not used may be damaged: the slots of a part are made anew
    with open('want', 'rb') as f:
        silent += got is not None if code == 3 else got != f.read()
print(failed, 'damaged parts')
print(silent, 'damaged parts with --strict: nothing, or the same')
shutil.rmtree('parts')
shutil.copytree('whole', 'parts')
os.remove('parts/00002')
ok, said = is_same(['tree'], options)
print(0 if ok and '1 of 4 parts is missing (2); its files' in said else 1, 'a missing part')
code, got, said = pack(['merge', 'parts', 'tree'], 'strict', '--strict',
                       *options)
print(0 if code == 3 and got is None else 1,
      'a missing part with --strict')
shutil.copy('parts/00001', 'parts/other')
ok, said = is_same(['tree'], options)
print(0 if ok and 'part 1 of 4 is there twice' in said else 1, 'a part twice')
ok, said = is_same(['tree'], options, 'of_plain')
print(0 if ok and 'read again' in said else 1, 'parts of another tree')
ok, said = is_same(['tree'], options, 'whole/00001')
print(0 if ok and '3 of 4 parts are missing (0, 2, 3)' in said else 1,
      'one part alone')
ok, said = is_same(['tree'], ['--budget', '20k'], 'whole')
print(0 if ok else 1, 'another budget')
shutil.copytree('tree', 'elsewhere/tree')
ok, said = is_same(['elsewhere/tree'], options, 'whole')
print(0 if ok else 1, 'a copy of the tree')

# of another build: the same program, but for a byte of the id of its build
with open(bale, 'rb') as f:
    program = bytearray(f.read())
# elf(5): 4 bytes of a name, a SHA-1, NT_GNU_BUILD_ID
program[program.index(b'\4\0\0\0\24\0\0\0\3\0\0\0GNU\0') + 16] ^= 1
with open('other_build', 'wb') as f:
    f.write(program)
os.chmod('other_build', 0o755)
shutil.copytree('whole', 'of_builds')
subprocess.run(['./other_build', 'pack', 'tree', '--shard', '2/4', '-q', '-o',
                'of_builds/00002', *options])

# of a build whose parts have another layout, by the last digit that they begin with
shutil.copytree('whole', 'of_layouts')
with open('of_layouts/00001', 'r+b') as f:
    f.seek(7)
    f.write(b'0')

# what is refused
survey(['tree'], 3, options, 'three')
shutil.copy('three/00001', 'parts/other')
for words, want in (
        (['merge', 'parts', 'tree', *options], 'is one of 3 parts'),
        (['merge', 'of_builds', 'tree', *options], 'by another build'),
        (['merge', 'of_layouts', 'tree', *options], 'by another build'),
        (['merge', 'whole', 'tree', '--compress', *options], 'other options'),
        (['merge', 'whole', 'tree', 'other', *options], 'number of PATHs'),
        (['merge', 'tree', 'tree', *options], 'no part that can be used'),
        (['merge', 'nowhere', 'tree', *options], 'cannot read'),
        (['merge', 'whole', 'tree', '--budget', 'all'], 'BALE-CLI-005'),
        (['pack', 'tree', '--shard', '0/4', '--budget', 'all'],
         'BALE-CLI-005'),
        (['pack', 'tree', '--shard', '4/4'], 'no part 4 of 4'),
        (['pack', 'tree', '--shards', '4'], 'BALE-CLI-005'),
        (['pack', 'tree', '--shard', '0/4', '--rev', 'HEAD'],
         'BALE-CLI-005')):
    code, said = run(*words, '-q', '--no-last', '-o', 'refused')
    print(0 if code == 2 and want in said and not os.path.exists('refused')
          else 1, 'refused:', *words[:2], want)

# killed at any time
whole = open('whole/00001', 'rb').read()
torn = 0
for i in range(int(os.environ.get('KILLS', 40 if is_long else 15))):
    shutil.rmtree('killed', ignore_errors=True)
    os.mkdir('killed')
    shard = subprocess.Popen(
        [bale, 'pack', 'tree', '--shard', '1/4', '-q', '-o', 'killed/1',
         *options], stderr=subprocess.DEVNULL)
    try:
        shard.wait(rng.uniform(0, 0.06))
    except subprocess.TimeoutExpired:
        shard.kill()
        shard.wait()
    if os.path.exists('killed/1'):
        torn += open('killed/1', 'rb').read() != whole
print(torn, 'a shard that is killed leaves a whole part or none')
code, said = run('pack', 'tree', '--shard', '1/4', '-q', '-o', 'killed/1',
                 *options)
print(code + len(os.listdir('killed')) - 1, 'and what it left is removed')
EOF
python3 shards.py >results
while read -r result what; do
	is "$result" 0 "$what"
done <results
is "$(grep -c . results)" 37 "all of it was looked at"

# Larger than a slab, and written in the second in which the shards begin: not
# within the 50 ms that the clock of files may be behind.
mkdir fresh of_fresh
is_new() {
	find fresh -type f -newermt \
		"@$(date +%s.%N | awk '{ printf "%.3f", $1 - 0.1 }')" |
		grep -q .
}
fresh() {
	seq 100000 >"fresh/large$1"
	while is_new; do :; done
	"$BALE" pack fresh --shard 0/1 -o of_fresh -q &&
		"$BALE" merge of_fresh fresh --same-files -q --no-last -o fresh.md
}
for i in 1 2 3; do
	is "$(fresh "$i" 2>&1)" "" "what was just written is not read again"
done
done_testing
