#!/bin/bash
# SPDX-License-Identifier: MIT
#
# Of thousands of files the tables are larger than the memory that each begins
# with: what a way to pack reads of them before anybody has written it ends a
# worker only there. Each file is in the output, or its signatures are.

BALE=${BALE:-$PWD/${BUILD:-build}/${MODE:-release}/bale}
# shellcheck source=tests/system/lib.sh
. tests/system/lib.sh
common=(-q --no-config --no-last --no-cache)
nr=3000

mkdir -p tree/d{0..29}
for ((i = 0; i < nr; i++)); do
	printf '/* of %d */\nint\nf%d(int a)\n{\n\treturn a + %d;\n}\n' $i $i $i \
		>tree/d$((i % 30))/$i.c
done

# defined FILE: which functions are in it, each once
defined() {
	grep -oE 'f[0-9]+\(int a\)' "$1" | sort -u
}
seq -f 'f%.0f(int a)' 0 $((nr - 1)) | sort >want

for how in '' --compress '--compress --doc' --strip-comments \
	'--compress --strip-comments' --line-numbers '--split 20000'; do
	for format in markdown jsonl; do
		begin "all of $nr files: $how --format $format"
		rm -f out*
		# shellcheck disable=SC2086
		run 0 pack "${common[@]}" tree --budget all $how \
			--format $format -o out
		cat out* >whole
		defined whole >got
		same got want
		end
	done
done

for how in '' --compress --strip-comments '--query f77' '--tiers off' \
	'--query f77 --compress' '--query f77 --enough' --exact-report; do
	begin "some of them: $how"
	# shellcheck disable=SC2086
	run 0 pack "${common[@]}" tree --budget 6000 $how -o out \
		--report report.json
	is [ "$("$BALE" count out | awk '{ print $1 }')" -le 6000 ]
	is [ "$(figure report.json seen)" = $nr ]
	end
done

finish
