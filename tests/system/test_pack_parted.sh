#!/bin/bash
# SPDX-License-Identifier: MIT
#
# Where whole chunks leave room that nothing fits, one of the tree is packed up
# to a line: the output says which lines there are, the report what is left.
#
# verifies: FR-016-111, FR-016-112, FR-016-118, FR-016c-19, FR-016c-20
# verifies: FR-016c-32, AC-016c-038, AC-016c-044, NFR-016c-17

# shellcheck source=tests/support/lib.sh
. tests/support/lib.sh
root=$PWD
cd "$dir" || exit 1

# A few large chunks: text, code with comments, and another text.
python3 - <<'EOF2'
import os, random
random.seed(19)
os.makedirs('t')
words = 'lock page read write count index offset length'.split()
def line(nr):
    return ' '.join(random.choice(words) for _ in range(nr))
with open('t/words.txt', 'w') as f:
    for i in range(1600):
        f.write(f'{line(2)}||{random.randrange(10**5)}\n')
with open('t/code.c', 'w') as f:
    for i in range(6):
        f.write(f'/*\n * {line(6)}\n * {line(9)}\n */\nint f{i}(int page)\n{{\n')
        for k in range(90):
            f.write(f'\tlock({random.randrange(10**6)}); // {line(3)}\n')
            if k % 7 == 0:
                f.write(f'\t/* {line(8)}\n\t * {line(5)} */\n')
        f.write('}\n\n')
os.makedirs('one')
os.link('t/words.txt', 'one/words.txt')
EOF2

# What the lines of an output are, by the header of each section and the marks
# for lines that are left out, compared with the lines of the files.
cat >check.py <<'EOF2'
import json, re, subprocess, sys
options = sys.argv[1:]
report = json.load(open('r.json'))
budget = report['budget']
errors = []
if not 0.995 * budget['available'] <= budget['used'] <= budget['available']:
    errors.append(f"{budget['used']} of {budget['available']} used")
parted = [x for x in report['selected'] if x.get('parted')]
if len(parted) > 1:
    errors.append(f'{len(parted)} parts')
open('parts', 'a').write('part\n' * len(parted))
for part in parted:
    # what is behind it is left out, for the budget
    rest = [x for x in report['excluded'] if x['path'] == part['path'] and
            x['start_line'] == part['end_line'] + 1]
    if part['tier'] == 'full' and [x['reason'] for x in rest] != ['budget']:
        errors.append(f'behind {part} is {rest}')
# each line is there once or left out once
lines = {}
for x in report['selected'] + report['excluded']:
    if x.get('tier') == 'full' or 'reason' in x:
        lines.setdefault(x['path'], []).extend(
            range(x['start_line'], x['end_line'] + 1))
for path, there in lines.items():
    nr = sum(1 for _ in open(path))
    if sorted(there) != list(range(1, nr + 1)):
        errors.append(f'{path}: lines are missing, or there twice')
# the text is that of the files, at the lines that are said
if '--strip-comments' not in options and '--compress' not in options:
    want = {}
    for x in report['selected']:
        if x['tier'] == 'signatures':
            continue
        text = open(x['path']).read().splitlines()
        want.setdefault(x['path'], []).extend(
            text[x['start_line'] - 1:x['end_line']])
    out = json.load(open('out'))
    for file in out['files']:
        got = ''.join(c.get('text', '') for c in file['chunks']).splitlines()
        lines = want.pop(file['path'], [])
        # among signatures, in their order
        among = iter(got)
        if got != lines and not ('signatures_of' in file and
                                 all(x in among for x in lines)):
            errors.append(f"{file['path']}: not the lines of the report")
    if want:
        errors.append(f'{list(want)} not there')
print('; '.join(errors))
EOF2

# packed BUDGET OPTION...
packed() {
	local budget=$1
	shift
	"$BALE" pack --no-config --no-last --no-preamble -q -o out --report r.json \
		--reserve-response 0 --reserve-system 0 --budget "$budget" \
		"$@" 2>err || echo "exit $?: $(<err)"
}

for budget in 700 4000 8000; do
	is "$(packed $budget one --format json)$(python3 check.py 2>&1)" "" \
		"$budget tokens of a text of 14,000"
done
is "$(packed 5000 t --format json)$(python3 check.py 2>&1)" "" \
	"of files, by tiers"
is "$(packed 5000 t --format json --query 'lock page')$(python3 check.py 2>&1)" "" \
	"with a query"
is "$(packed 4100 t --format json --tiers off --order rank)$(
	python3 check.py 2>&1)" "" "without tiers, by rank"
is "$(packed 5200 t --format json --strip-comments)$(
	python3 check.py --strip-comments 2>&1)" "" "without comments"

is "$(wc -l <parts)" 6 "six of these seven have a chunk in part"

# Whatever the format and the workers: the same bytes, as many tokens as are
# said, and the plan that the preview shows.
for format in markdown plain xml json jsonl; do
	for w in 1 2 8; do
		packed 6000 t --format $format --workers $w --strip-comments
		cp out out.$w
	done
	is "$(cmp out.1 out.2 2>&1)$(cmp out.1 out.8 2>&1)" "" \
		"$format: the same from 1, 2 and 8 workers"
	used=$(python3 -c "import json
print(json.load(open('r.json'))['budget']['used'])")
	is "$("$BALE" count --no-config out | awk '{ print $1; exit }')" \
		"$used" "$format: as many tokens as the report says"
	is "$((used >= 5970 && used <= 6000))" 1 "$format: 99.5 %"
done
packed 4000 t --format xml
"$BALE" preview t --no-config --no-preamble --json --reserve-response 0 --reserve-system 0 \
	--budget 4000 --format xml >preview.json 2>err
is "$(python3 -c "import json
a, b = (json.load(open(n)) for n in ('r.json', 'preview.json'))
keys = 'path', 'start_line', 'end_line', 'tokens', 'parted'
for r in a, b:
    r['selected'] = [[x.get(k) for k in keys] for x in r['selected']]
print(a['selected'] == b['selected'], a['budget'] == b['budget'],
      any(x[-1] for x in a['selected']))")" "True True True" \
	"preview shows the same"

# The header says it, and unpack does not write what is not all there.
packed 700 one
last=$(grep -c '||' out)
is "$(grep -c "^## File: one/words.txt (lines 1-$last of 1600)$" out)" 1 \
	"the header names the lines"
"$BALE" unpack out -C back 2>err
is "$? $(grep -c "only lines 1-$last of 1600" err)" "3 1" "so does unpack"
is "$([ -e back/one/words.txt ] && echo there)" "" "and writes nothing of it"

# Signatures of a file that are more than there is.
mkdir sign
awk 'BEGIN { for (i = 0; i < 900; i++)
	printf "int function_%d(int of_%d) {\n\treturn 1;\n}\n", i, i * 7919 }' \
	>sign/a.c
for format in markdown plain xml json jsonl; do
	packed 4000 sign --compress --format $format
	is "$(python3 -c "import json
r = json.load(open('r.json'))
x, = r['selected']
y, = r['excluded']
print(r['budget']['used'] >= 3980, x['tier'], x['parted'],
      0 <= r['budget']['used'] - x['tokens'] < 60,
      y['reason'], y['start_line'], y['tokens'] > 1000)")" \
		"True signatures True True budget None True" \
		"$format: signatures up to a line"
	is "$(grep -cE ' \(signatures\)|in-part="yes"|"in_part":true' out)" 1 \
		"$format: and the header says so"
	is "$("$BALE" unpack out -C back 2>&1 |
		grep -c 'only its signatures')" 1 "$format: unpack reads it"
done

# Of signatures that are more than there is what is public comes first, in the
# order of the file: as many of the others as there is room for besides.
# verifies: CTX-01.2
mkdir -p public/large
awk 'BEGIN { for (i = 0; i < 900; i++)
	printf "%sint f_%d(int of_%d) {\n\treturn %d;\n}\n",
		i % 3 == 0 ? "" : "static ", i, i * 7919, i }' >public/a.c
# more than is looked at at once
awk 'BEGIN { for (i = 0; i < 2000; i++) {
	printf "%sint f_%d(int of_%d) {\n", i % 3 == 0 ? "" : "static ", i,
		i * 7919
	for (k = 0; k < 20; k++)
		printf "\tof(%d, %d);\n", i, k
	printf "}\n" } }' >public/large/a.c
cat >public.py <<'EOF2'
import json, re, sys
of = int(sys.argv[1])
lines = [l for l in open('out').read().splitlines() if 'int f_' in l]
nrs = [int(re.search(r'f_(\d+)', l).group(1)) for l in lines]
public = [n for n, l in zip(nrs, lines) if not l.startswith('static')]
others = [n for n, l in zip(nrs, lines) if l.startswith('static')]
budget = json.load(open('r.json'))['budget']
print(nrs == sorted(nrs), public == list(range(0, of, 3))[:len(public)],
      others == [i for i in range(of) if i % 3 != 0][:len(others)],
      len(others) == 0 or len(public) == (of + 2) // 3, len(others) > 0,
      budget['used'] >= 0.995 * budget['available'])
EOF2
for options in "3000 a.c False" "6000 a.c True" "9000 a.c True" \
	"9000 a.c True --format plain" "9000 a.c True --strip-comments" \
	"5000 large False" "12000 large True"; do
	# shellcheck disable=SC2086 # words of their own
	set -- $options
	nr=$([ "$2" = large ] && echo 2000 || echo 900)
	packed "$1" "public/$2" --compress "${@:4}"
	is "$(python3 public.py "$nr")" "True True True True $3 True" \
		"public signatures first: $options"
	cp out out.2
	packed "$1" "public/$2" --compress --workers 8 "${@:4}"
	is "$(cmp out out.2 2>&1)" "" "the same from 8 workers"
done

printf '%s\n' '{{#files}}' '<{{path}}{{#is_in_part}} in part{{/is_in_part}}>' \
	'{{{content}}}' '{{/files}}' >template
packed 4000 sign --compress --template template
is "$(grep -c '^<sign/a.c in part>' out)" 1 "so does a template"

# Lines are not parted, and what is there in full is not there again in part.
mkdir long
python3 -c "print('word ' * 5000)" >long/a.txt
echo 'short' >long/b.txt
packed 1000 long
is "$(grep -c word out) $(grep -c short out)" "0 1" "a long line is left out"
is "$(packed 1000 long/a.txt)" \
	"exit 8: bale: BALE-BUD-001: not even the smallest chunk fits into 1000 tokens; give a larger --budget or smaller reserves" \
	"and if there is nothing else, that is said"
is "$(python3 -c "import json; r = json.load(open('r.json'))
print(r['budget']['used'], r['selected'])")" "0 []" "nothing is used then"
packed 1000 one --reference one/words.txt:1-300
is "$(python3 -c "import json; r = json.load(open('r.json'))
print([(x['category'], x['start_line'], x['parted'])
       for x in r['selected']])")" "[('references', 1, True)]" \
	"of lines that are asked for the first ones"
packed 500 --reference one/words.txt:700
is "$(python3 -c "import json; r = json.load(open('r.json'))
x, = r['selected']
print(x['parted'], x['start_line'] < 700 < x['end_line'])")" "True True" \
	"of a chunk that a line is asked of, what is about it"

# Of the output of a tool its end.
# verifies: FR-016-120
python3 - <<'EOF3'
import random
random.seed(4)
words = 'cc link test queue retry module frame worker'.split()
for name, nr in ('b.log', 1500), ('short.log', 90):
    with open(name, 'w') as f:
        for i in range(nr):
            f.write(f'{i:05d} {random.choice(words)} {random.choice(words)} '
                    f'{random.randrange(10**6)}\n')
# its last line is not ended
open('open.log', 'w').write(open('short.log').read()[:-1])
EOF3
cat >end.py <<'EOF3'
import json, sys
r = json.load(open('r.json'))
log = open(sys.argv[1]).read().splitlines()
got = [l for l in open('out').read().splitlines() if l[:5].isdigit()]
want = [l for x in r['selected'] for l in log[x['start_line'] - 1:x['end_line']]]
lines = [l for x in r['selected'] + r['excluded']
         for l in range(x['start_line'], x['end_line'] + 1)]
print(r['budget']['used'] >= 0.985 * r['budget']['available'],
      max(x['end_line'] for x in r['selected']) == len(log) or len(sys.argv) > 2,
      got == want, sorted(lines) == list(range(1, len(log) + 1)))
EOF3
for options in "300 --tool short.log" "300 --tool open.log" \
	"500 --tool short.log --format plain" \
	"1500 --tool b.log --min-chunks 1" "1500 --tool b.log --tiers on" \
	"1500 --tool b.log --format plain --workers 8" \
	"1500 --tool b.log --strip-comments"; do
	log=${options#*--tool }
	# shellcheck disable=SC2086 # words of their own
	is "$(packed $options)$(python3 end.py "${log%% *}" 2>&1)" \
		"True True True True" "the end of a log: $options"
	"$BALE" verify out --against r.json --budget "${options%% *}" >said 2>&1
	is "$?" 0 "verify agrees"
done
is "$(packed 4000 --tool b.log --categories tool_results=100)$(
	python3 end.py b.log any)" "True True True True" \
	"and some of a log where chunks of it fit"
# What went wrong in the middle of a log is there besides its end.
python3 - <<'EOF3'
import random
random.seed(5)
words = 'cc link test queue retry module frame worker'.split()
with open('wrong.log', 'w') as f:
    for i in range(2400):
        if i in (800, 1555):
            f.write(f'{i:05d} src/a.c:{i}:1: error: number {random.random()}\n')
        else:
            f.write(f'{i:05d} {random.choice(words)} {random.choice(words)} '
                    f'{random.randrange(10**6)}\n')
EOF3
for options in "300 False" "1000 False" "2000 True" "5000 True" \
	"5000 True --format json" "5000 True --strip-comments"; do
	# shellcheck disable=SC2086 # words of their own
	set -- $options
	packed "$1" --tool wrong.log "${@:3}"
	is "$(grep -c '02399' out) $(python3 -c "import json; r = json.load(open('r.json'))
print(any(x['start_line'] <= l <= x['end_line'] for x in r['selected']
          for l in (801, 1556)), r['budget']['used'] >= $1 - 22)")" \
		"1 $2 True" "the end and an error: $options"
done
for w in 1 2 8; do
	packed 900 --tool b.log --order rank --workers $w
	cp out out.$w
done
is "$(cmp out.1 out.2 2>&1)$(cmp out.1 out.8 2>&1)" "" "the same from 1, 2 and 8 workers"
mkdir twice
head -100 one/words.txt | tee twice/a.txt >twice/b.txt
packed 1000 twice --tiers off
is "$(grep -c '||' out) $(python3 -c "import json; r = json.load(open('r.json'))
print([x['path'] for x in r['selected']],
      [(x['path'], x['reason']) for x in r['excluded']])")" \
	"100 ['twice/a.txt'] [('twice/b.txt', 'duplicate')]" \
	"what is there in full is not there in part as well"
cd "$root" || exit 1
done_testing
