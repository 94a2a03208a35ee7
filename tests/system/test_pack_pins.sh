#!/bin/bash
# SPDX-License-Identifier: MIT
#
# Pinned files are in full, whatever their points, their size, a query or a
# source say; boosted ones have 20 points more.
#
# verifies: CTX-02.11

BALE=${BALE:-$PWD/${BUILD:-build}/${MODE:-release}/bale}
# shellcheck source=tests/system/lib.sh
. tests/system/lib.sh

plain='--reserve-response 0 --reserve-system 0 --no-history'

# words NAME LINES: text of its own, eight tokens a line or more.
words() {
	awk -v name="$1" -v nr="$2" 'BEGIN {
		for (i = 1; i <= nr; i++)
			printf "%s has %d words of text, line %d\n", name,
				i * 7919 % 1000, i
	}'
}

# jq is not everywhere: what python3 makes of the report.
ask() {
	python3 -c "import json; r = json.load(open('report.json')); print($1)"
}

# everywhere CODE BUDGET ARGS...: the same from 1, 2 and 8 workers, within the
# budget, counted exactly.
everywhere() {
	local w code=$1 budget=$2

	shift 2
	for w in 1 2 8; do
		# shellcheck disable=SC2086
		run "$code" pack "$@" -q $plain --budget "$budget" \
			--workers $w -o file.$w --report report.json
		same file.$w file.1
	done
	is [ "$("$BALE" count file.1 | awk '{ print $1 }')" -le "$budget" ]
}

no() {
	! "$@"
}

# in_full FILE...: byte for byte, out of the last output.
in_full() {
	local file

	rm -rf back
	"$BALE" unpack file.1 --directory back >/dev/null 2>&1
	for file; do
		is cmp "$file" "back/$file"
	done
}

mkdir -p tree/deep
for name in alpha beta gamma delta; do
	words $name 100 >tree/$name.txt
done
words great 1200 >tree/deep/great.txt
words small 20 >tree/small.txt

begin 'a file of more than 8,000 tokens and of no points is in full'
is [ "$("$BALE" count tree/deep/great.txt | awk '{ print $1 }')" -gt 8000 ]
everywhere 0 15000 tree --no-config --tiers on
is no grep -qF 'tree/deep/great.txt (lines 1-1200)' file.1
everywhere 0 15000 tree --no-config --pin 'deep/*.txt'
is grep -qF 'tree/deep/great.txt (lines 1-1200)' file.1
in_full tree/deep/great.txt
is [ "$(ask "{x['factors']['pinned'] for x in r['selected'] if 'great' in x['path']}")" = '{1}' ]
is [ "$(ask "{x['factors']['pinned'] for x in r['selected'] if 'great' not in x['path']}")" = '{0}' ]
end

begin 'with a query for something else, too'
everywhere 0 17000 tree --no-config --query 'alpha' --pin great.txt
in_full tree/deep/great.txt
is grep -q 'tree/alpha.txt' file.1
end

begin 'the configuration pins; the command line takes its place'
mkdir -p .agent
printf 'context:\n  pin:\n    - gamma.txt\n  boost: [small.txt]\n' \
	>.agent/config.yml
everywhere 0 2500 tree
in_full tree/gamma.txt
is [ "$(ask "[x['factors']['boost'] for x in r['selected'] if 'gamma' in x['path']][0]")" = 0 ]
everywhere 0 2500 tree --pin delta.txt
in_full tree/delta.txt
rm -r .agent
end

begin 'a boosted file has 20 points more, and is taken for them'
everywhere 0 100000 tree --no-config --boost 'delta*'
is [ "$(ask "[(x['factors']['boost'], x['factors']['priority']) for x in r['selected'] if 'delta' in x['path']][0]")" = '(20, 20)' ]
is [ "$(ask "[(x['factors']['boost'], x['factors']['priority']) for x in r['selected'] if 'alpha' in x['path']][0]")" = '(0, 0)' ]
touch -d 2026-01-01 tree/*.txt
everywhere 0 1800 tree --no-config
is grep -qF 'tree/alpha.txt (lines 1-100)' file.1
is no grep -qF 'tree/delta.txt (lines 1-100)' file.1
everywhere 0 1800 tree --no-config --boost 'delta*'
is grep -qF 'tree/delta.txt (lines 1-100)' file.1
is no grep -qF 'tree/alpha.txt (lines 1-100)' file.1
end

begin 'a pinned file whose content another file has is there by its own name'
mkdir twins
cp tree/alpha.txt twins/a.txt
cp tree/alpha.txt twins/z.txt
words filler 400 >twins/m.txt
everywhere 0 4000 twins --no-config --pin z.txt
in_full twins/z.txt
is [ "$(grep -c 'alpha has .* line 57$' file.1)" = 1 ]
everywhere 0 5000 twins --no-config --pin z.txt --pin a.txt
in_full twins/z.txt twins/a.txt
end

begin 'pins come before the shares of sources, which share what is left'
# a pipe would be empty for all but the first of them
echo tree/alpha.txt:5:x >hits
everywhere 0 6000 tree --no-config --open tree/beta.txt --search hits --pin gamma.txt --pin beta.txt
in_full tree/gamma.txt tree/beta.txt
is [ "$(ask "{x['category'] for x in r['selected'] if 'beta' in x['path']}")" = "{'open_files'}" ]
everywhere 0 2500 --no-config tree --open tree/beta.txt --pin gamma.txt
in_full tree/gamma.txt
end

begin 'pins that are more than the budget: as many as fit, by rank, and said so'
everywhere 3 4000 tree --no-config --pin 'deep/' --pin delta.txt
in_full tree/delta.txt
says 'warning: BALE-BUD-007 tree/deep/great.txt is pinned and not in full'
rm -f file
# shellcheck disable=SC2086
run 3 pack tree $plain --no-config --budget 4000 --pin deep --strict -o file
is [ ! -e file ]
end

begin 'a pin that names nothing, and one that is no text, are said'
printf 'a\0b' >tree/picture.bin
# shellcheck disable=SC2086
run 0 pack tree $plain --no-config --budget 4000 --pin none.txt \
	--pin picture.bin -o file
says 'warning: --pin none.txt matched no file'
says 'warning: BALE-BUD-007 tree/picture.bin is pinned and not in full: not text'
end

begin 'full, or all by signatures: one of them'
run 2 pack tree --no-config --compress --pin alpha.txt
says 'BALE-CLI-005 --pin cannot be given with --compress'
end

finish
