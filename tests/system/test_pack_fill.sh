#!/bin/bash
# SPDX-License-Identifier: MIT
#
# Where there is enough of it, at least 99.5 % of the budget is used: whatever
# asks for it, in each format, by a few large chunks or by many small ones.
# LONG=1: for more budgets.
#
# verifies: FR-016-112, FR-016c-32

# shellcheck source=tests/support/lib.sh
. tests/support/lib.sh
cd "$dir" || exit 1

# Functions of all sizes, some in large files and some in small ones.
python3 - <<'EOF'
import os, random
random.seed(16)
for n in range(60):
    os.makedirs(f't/d{n % 4}', exist_ok=True)
    with open(f't/d{n % 4}/f{n}.c', 'w') as f:
        for k in range(random.choice([1, 2, 3, 8, 20])):
            f.write(f'int f{n}_{k}(int page)\n{{\n')
            for i in range(random.choice([1, 2, 5, 12, 30, 60])):
                f.write(f'\tlock({random.randrange(10**6)}, page, {i});\n')
            f.write('}\n\n')
with open('log', 'w') as f:
    f.write('t/d1/f1.c:3: error: bad\nt/d2/f6.c:9: warning: worse\n')
EOF
largest=$(wc -c t/*/* | sort -n | tail -2 | head -1 | awk '{ print $2 }')

# py EXPRESSION: of the report r
py() {
	python3 -c "import json
r = json.load(open('r.json'))
print($1)"
}

budgets=(3000 5500 13000)
[ "${LONG:-0}" = 0 ] || budgets+=(4000 8000)

# filled OPTION... : budgets that the output of these options leaves unfilled
filled() {
	for budget in "${budgets[@]}"; do
		"$BALE" pack --no-config --no-last -q -o out --report r.$budget \
			--reserve-response 0 --reserve-system 0 \
			--budget $budget "$@" 2>err || echo "$budget: $(<err)"
	done
	cp "r.$budget" r.json
	python3 -c "import json, sys
for budget in sys.argv[1:]:
    budget = json.load(open('r.' + budget))['budget']
    used, available = budget['used'], budget['available']
    if not 0.995 * available <= used <= available:
        print(f'{used} of {available}')" "${budgets[@]}" 2>&1
	rm -f "${budgets[@]/#/r.}"
}

for format in markdown plain xml json jsonl; do
	is "$(filled t --format $format)" "" "$format: filled"
done
is "$(filled t --query 'lock page' --format json)" "" "with a query"
is "$(filled t --tiers off --order rank)" "" "without tiers, by rank"
is "$(filled t --tree --line-numbers)" "" "with a map and numbered lines"
is "$(filled t --tiers on --line-numbers)" "" "in tiers with numbered lines"
is "$(filled t --min-chunks 4)" "" "as many chunks as there have to be"
is "$(filled t --min-chunks 12 --format xml)" "" "as many as fit together"
is "$(filled t --balance --reference "$largest:1-30" --open "$largest" \
	--categories open_files=20,references=30,tool_results=50)" "" \
	"with shares that are balanced"
is "$(filled t --tool log --format xml)" "" "with a tool's output"
is "$(filled t --open t/d1/f1.c --open t/d2/f6.c)" "" "with open files"
is "$(filled t --pin 'd3/f7.c' --reference t/d0/f0.c:1-9)" "" \
	"with a pinned file, and lines that are referred to"

# A chunk stands for the signatures of what it holds, which leave the output: what
# its lines come to is another sum in each file.
python3 - <<'EOF'
import os, random
for seed in 1, 30, 57:
    random.seed(seed)
    for n in range(45):
        os.makedirs(f'woven/{seed}/d{n % 5}', exist_ok=True)
        end = random.choice(['.c', '.py', '.md', '.txt', ''])
        with open(f'woven/{seed}/d{n % 5}/f{n}{end}', 'w') as f:
            for k in range(random.choice([20, 60, 60, 400])):
                f.write(f'int f{random.randrange(10**6)}(int a)\n{{\n'
                        f'\treturn a * {random.randrange(10**5)};\n}}\n\n')
EOF
for seed in 1 30 57; do
	is "$(budgets=(5629) && filled "woven/$seed")" "" \
		"chunks among signatures of their file: tree $seed"
done

# Sections of a large file of few points fill what those of better files do not,
# as they are too large.
python3 - <<'EOF'
import os, random
def functions(of, sizes):
    return ''.join(f'{of}{k}(void)\n{{\n'
        + ''.join(f'\tlock({random.randrange(10**6)});\n' for _ in range(nr))
        + '}\n\n' for k, nr in enumerate(sizes))
for seed in 1, 4, 7, 8:
    random.seed(seed)
    os.makedirs(f'sections/{seed}')
    for n in range(6):
        with open(f'sections/{seed}/some{n}.c', 'w') as f:
            f.write(functions('int some',
                [random.randrange(40, 90) * 2 for _ in range(4)]))
    with open(f'sections/{seed}/many.c', 'w') as f:
        f.write(functions('static int many',
            [random.randrange(3, 40) for _ in range(120)]))
EOF
for seed in 1 4 7 8; do
	is "$(filled sections/$seed)$(filled sections/$seed --format json)" "" \
		"with sections of files, large and small: $seed"
done

# What is asked for is more than its share, and all of what the others leave:
# the last of its chunks may make room for others of them.
is "$(filled t --reference "$largest" --tiers off)" "" \
	"with a file that is larger than most budgets"
"$BALE" pack t --no-config --no-last -q -o out --report r.json \
	--reserve-response 0 --reserve-system 0 --budget 4000 --tiers off \
	--reference "$largest"
is "$(python3 -c "import json
r = json.load(open('r.json'))
used = {c['name']: c['used'] for c in r['categories']}
print(used['references'] > 3000, r['budget']['used'] <= 4000)")" "True True" \
	"it stays what is asked for, not what fills best"

# It fills the budget: a set that does so better takes none of it away.
"$BALE" pack t --no-config --no-last -q -o out --report r.json \
	--reserve-response 0 --reserve-system 0 --budget 5500 \
	--no-preamble --open t/d2/f22.c --reference t/d0/f52.c
is "$(py "r['budget']['used'] >= 5500 * 0.995, sum(c['used']
	for c in r['categories'] if c['name'] != 'tree') > 5300")" "True True" \
	"what is asked for makes no room where it fills the budget itself"

# There is room for one of two, and nothing is small enough for the rest: less
# room, that is tried as well, has none for either. So the other is split.
mkdir two
seq -f 'first %g, alpha and beta' 120 >two/a.txt
seq -f 'second %g, alpha and beta' 140 >two/b.txt
whole=$("$BALE" count two/b.txt | awk '{ print $1; exit }')
for budget in $((whole + 100)) $((whole * 5 / 4)) $((whole * 3 / 2)); do
	"$BALE" pack two --no-config --no-last -q -o out --report r.json \
		--reserve-response 0 --reserve-system 0 --budget "$budget" \
		--tiers off 2>err
	is "$? $(<err)" "0 " "$budget tokens, and one of two fits: packed"
	is "$(py "sorted(x.get('parted', False) for x in r['selected']),
		r['budget']['used'] >= $budget * 0.995,
		sum(x['end_line'] for x in r['selected'])") " \
		"[False, True] True $(grep -cx '[fs].*beta' out) " \
		"$budget tokens: all of it, and the other up to a line"
done

# Files that share large parts: one of them counts once, also among what makes
# room for one another at the end.
python3 - <<'EOF'
import os, random
random.seed(104)
def rows(nr):
    return ''.join('row %06d %06d\n' % (random.randrange(10**6),
        random.randrange(10**6)) for _ in range(nr)) + 'x\n' * (100 - nr)
os.makedirs('shared')
pool = [rows(nr) for nr in random.sample(range(20, 95), 3)]
for f in range(random.choice([4, 6, 8])):
    with open(f'shared/f{f}.txt', 'w') as file:
        for nr in [random.randrange(20, 95)
                   for _ in range(random.choice([1, 2]))]:
            file.write(random.choice(pool) if random.random() < 0.7
                       else rows(nr))
EOF
"$BALE" pack shared --no-config --no-last -q -o out --report r.json \
	--reserve-response 0 --reserve-system 0 --budget 2000 --tiers off \
	--chunk lines:100
is "$(py "1900 <= r['budget']['used'] <= 2000")" "True" \
	"parts that are there twice: filled"
done_testing
