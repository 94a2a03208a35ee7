#!/bin/bash
# SPDX-License-Identifier: MIT
#
# Tiers: files in full, by their signatures, or not at all; large files by
# their signatures first, then in sections.
#
# verifies: CTX-01.1, CTX-01.2, CTX-01.3, CTX-01.4, CTX-01.5
# verifies: CTX-03.1, CTX-03.2, CTX-03.3, CTX-03.4, FR-016-112, NFR-016-12

BALE=${BALE:-$PWD/${BUILD:-build}/${MODE:-release}/bale}
# shellcheck source=tests/system/lib.sh
. tests/system/lib.sh

plain='--no-config --reserve-response 0 --reserve-system 0 --tiers on'

# code NAME FUNCTIONS LINES: TypeScript, each function with lines of its own;
# every tenth one is exported, and each line says which function it is of.
code() {
	awk -v name="$1" -v nr="$2" -v lines="$3" 'BEGIN {
		print "import { a } from \"./other\";"
		for (i = 1; i <= nr; i++) {
			printf "%sfunction %s%d(x: number): number {\n",
				i % 10 == 0 ? "export " : "", name, i
			for (k = 1; k <= lines; k++)
				printf "\tx = x * %d + a // %s %d of %d\n",
					k * 7919 % 1000, name, k, i
			print "\treturn x\n}\n"
		}
	}'
}

start_asking

# everywhere BUDGET ARGS...: the same from 1, 2 and 8 workers, within the
# budget, counted exactly.
everywhere() {
	local w tokens budget=$1

	shift
	for w in 1 2 8; do
		# shellcheck disable=SC2086
		run 0 pack "$@" -q $plain --budget "$budget" --workers $w \
			-o file.$w --report report.json
		same file.$w file.1
	done
	tokens=$(ask "r['output']['tokens']")
	is [ "$("$BALE" count file.1 | awk '{ print $1 }')" = "$tokens" ]
	is [ "$tokens" -le "$budget" ]
}

mkdir tree
for i in 1 2 3 4 5 6 7 8; do
	code "part${i}_" 12 8 >tree/part$i.ts
done
seq 1 700 | sed 's/$/ words of a text without any structure/' >tree/text.txt

begin 'what fits is there in full, unranked, and said so'
everywhere 60000 tree
is [ "$(ask "r['files']['all_full']")" = True ]
is [ "$(ask "[r['files'][k] for k in ('seen', 'packed', 'full', 'signatures', 'skipped')]")" = \
	'[9, 9, 9, 0, 0]' ]
# shellcheck disable=SC2086
run 0 pack tree $plain --budget 60000 -o file
is grep -q 'all fits: all that was read is packed in full' err
for file in tree/*; do
	is grep -qF "## File: $file (lines 1-$(wc -l <"$file"))" file.1
done
# a run that nobody asks for ranks, by path, has none: the last report says null
XDG_STATE_HOME=$PWD/state run 0 pack tree -q --no-config --budget 60000 --order path -o file
XDG_STATE_HOME=$PWD/state "$BALE" report --last --json >report.json
is [ "$(ask "{x['score'] for x in r['selected']}")" = '{None}' ]
end

# each function says which line it is on
mkdir lines
for i in 1 2 3 4 5 6 7 8 9; do
	code "part${i}_" 30 8 |
		awk '{ print $0 (/function/ ? " // at " NR : "") }' >lines/part$i.ts
	seq 1 400 | sed 's/.*/key_&: &/' >lines/set$i.yml
done

begin 'lines of signatures have their numbers, and so have chunks among them'
for format in markdown xml json jsonl plain; do
	for tiers in on auto; do
		for budget in 2500 7000 15000; do
			everywhere $budget lines --line-numbers \
				--format $format --tiers $tiers
			is [ "$(ask "r['budget']['used'] * 1000 >= r['budget']['available'] * 995")" = True ]
			[ $format = markdown ] || continue
			is [ "$(ask "r['files']['signatures'] > 0")" = True ]
			python3 - file.1 >err <<-'EOF'
			import re, sys
			lines = None
			for line in open(sys.argv[1]).read().splitlines():
			    path = re.match(r'##+ (?:File: )?(lines/\S+)', line)
			    number = re.match(r'(\d+): ?(.*)', line)
			    if path:
			        lines = open(path[1]).read().splitlines()
			    elif number and lines:
			        got = number[2].strip().removeprefix('imports: ')
			        if got not in lines[int(number[1]) - 1]:
			            print(line)
			EOF
			is [ ! -s err ]
		done
	done
done
end

mkdir mixed
for i in 1 2 3 4 5 6; do
	code "small${i}_" 3 3 >mixed/a_small$i.ts
	code "great${i}_" 30 8 >mixed/great$i.ts
done
cp tree/text.txt mixed/text.txt

begin 'what does not fit is there by its signatures'
everywhere 4600 mixed
is [ "$(ask "r['files']['full']")" = 6 ]
is [ "$(ask "r['files']['all_full']")" = False ]
is [ "$(ask "r['files']['signatures'] >= 1")" = True ]
is [ "$(ask "r['files']['full'] + r['files']['signatures'] + r['files']['partial'] + r['files']['skipped']")" = 13 ]
is [ "$(ask "r['budget']['used'] * 1000 >= r['budget']['available'] * 995")" = True ]
signed=$(ask "sum(x['tier'] == 'signatures' for x in r['selected'])")
is [ "$signed" -ge 3 ]
# those that have no lines among them
only=$(ask "' '.join({x['path'] for x in r['selected'] if x['tier'] == 'signatures'} -
	{x['path'] for x in r['selected'] if x['tier'] == 'full'})")
is [ -n "$only" ]
for file in $only; do
	awk -v name="### $file" '$0 == name || index($0, name " (") == 1 {
			on = 1; next }
		/^```/ { fences += on; if (fences == 2) exit; next }
		on { print }' file.1 >got
	if [ "$file" = mixed/text.txt ]; then
		head -20 "$file" >want
	else
		# the head of each definition, and nothing of what is in it
		grep function "$file" | grep -o '[a-z0-9]*_[0-9]*(' >want
		is [ "$(grep -c '// ' got)" = 0 ]
		grep -o '[a-z0-9]*_[0-9]*(' got >heads && mv heads got
	fi
	same got want
done
# shellcheck disable=SC2086
run 0 preview mixed $plain --budget 4600
is [ "$(grep -cP '^\d+\tsignatures\tmixed/' out)" = "$signed" ]
run 0 verify file.1 --budget 4600 --against report.json
# shellcheck disable=SC2086
run 0 pack mixed $plain --budget 4600 -o file
is grep -q 'by signatures' err
end

mkdir large
code main_ 120 12 >large/index.ts
code low_ 120 12 >large/low.ts
for i in 1 2 3 4; do
	code "small${i}_" 12 8 >large/small$i.ts
done
is [ "$("$BALE" count large/index.ts | awk '{ print $1 }')" -gt 8000 ]

begin 'a large file: signatures first, then what is exported'
everywhere 26000 large
is grep -qE '^### large/index.ts( \(signatures|$)' file.1
is [ "$(grep -cE '^##.* large/index.ts' file.1)" = 1 ]
awk '/^## File|^### large/ { on = /large\/index.ts/; next } on' file.1 >got
# chunks among them: all that is exported is in before anything that is not
exported=$(grep -c '^export function.*{$' got)
is [ "$exported" = 12 ]
is [ "$(grep -c '^function.*{$' got)" -lt 108 ]
# and those alone are there by their signatures that are not there in full
is [ "$(grep -c '^export function' got)" = 12 ]
is [ "$(grep -cE '^(export )?function' got)" = 120 ]
# each stands in its place, with a mark on both sides
is [ "$(grep -oE 'main_[0-9]+\(' got | tr -dc '0-9\n' | sort -nc 2>&1)" = '' ]
is grep -qE '^// \.\.\. \(lines [0-9]+-[0-9]+\)$' got
for i in 10 20 30 40 50 60 70 80 90 100 110 120; do
	is grep -q "// main_ 12 of $i\$" got
done
# one of few points is left out while there is anything else
is [ "$(ask "[x['reason'] for x in r['excluded'] if x['path'] == 'large/low.ts']")" = \
	"['budget']" ]
is [ "$(grep -c low_ file.1)" = 0 ]
end

# None is exported: 60 functions, one with branches, one with a marker.
mkdir inner
code plain_ 60 20 >inner/all.ts
sed -e 's/^export //' -e '/^function plain_30(/a\
\tif (x > 1 \&\& x < 9 || x == 20) return 1\
\tfor (let i = 0; i < x; i++) while (i > 4) if (i) x--\
\tif (x && x > 3 || x < -2) return x || 4 && 5\
\tif (x) return 2' -e '/^function plain_45(/a\
\t// TODO: not yet' inner/all.ts >inner/index.ts
rm inner/all.ts

begin 'of what is not exported: what branches, then what is left to do'
is [ "$("$BALE" count inner/index.ts | awk '{ print $1 }')" -gt 8000 ]
sections() {
	awk '/plain_ 1 of/ { print $NF }' file.1
}
everywhere 2400 inner
sections >got
is grep -qx 30 got
everywhere 3600 inner
sections >got
is grep -qx 30 got
is grep -qx 45 got
is [ "$(wc -l <got)" -lt 12 ]
end

begin 'with much room the large one with few points comes last'
everywhere 45000 large
is [ "$(ask "{x['path'] for x in r['excluded']} <= {'large/low.ts'}")" = True ]
is [ "$(ask "r['budget']['used'] >= r['budget']['available'] * 0.995 or not r['excluded']")" = True ]
end

begin 'without tiers'
plain=${plain% --tiers on}
everywhere 4300 mixed --tiers off
is [ "$(ask "r['files']['signatures']")" = 0 ]
everywhere 4300 mixed --query 'great3 function'
plain="$plain --tiers on"
is [ "$(ask "r['files']['signatures']")" = 0 ]
end

# What else is in depends on what fills the budget: one of three has some.
for other in "--query great3 --tiers on" --strip-comments '--format xml' \
	'--format json' '--format jsonl' '--format plain'; do
	begin "tiers and $other"
	found=0
	for budget in 4300 4600 6000; do
		# shellcheck disable=SC2086
		everywhere $budget mixed $other
		found=$((found + $(ask "sum(x['tier'] == 'signatures' for x in r['selected'])")))
	done
	is [ $found -gt 0 ]
	end
done

begin 'a key of the configuration says it, too'
printf 'context:\n  budget:\n    tiers: off\n' >config.yml
run 0 pack mixed -q --config config.yml --budget 4300 --reserve-response 0 \
	--reserve-system 0 -o file --report report.json
is [ "$(ask "r['files']['signatures']")" = 0 ]
printf 'context:\n  budget:\n    tiers: sometimes\n' >config.yml
run 2 pack tree -q --config config.yml -o file
is grep -q 'config.yml:3:12: context.budget.tiers: invalid value sometimes: expected one of' err
end

begin 'what cannot be together says why'
for other in --compress '--min-chunks 3'; do
	# shellcheck disable=SC2086
	run 2 pack tree --tiers on $other -o file
	is grep -q 'BALE-CLI-005 --tiers on cannot be given with' err
done
end

finish
