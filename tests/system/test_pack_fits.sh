#!/bin/bash
# SPDX-License-Identifier: MIT
#
# What fits, to the token, is there in full, and said to be; what comments are
# left out of has no part in the budget; shares are of what is available.
#
# verifies: CTX-01, FR-016c-17, FR-016c-32, FR-016-111, AC-016c-039

# shellcheck source=tests/support/lib.sh
. tests/support/lib.sh
cd "$dir" || exit 1

# packed OPTION... : out and r.json, of t; without reserves
packed() {
	"$BALE" pack t --reserve-response 0 --reserve-system 0 --no-config \
		--no-last -q -o out --report r.json "$@" 2>err
}

# py EXPRESSION: of the report r
py() {
	python3 -c "import json
r = json.load(open('r.json'))
print($1)"
}

# Files whose parts come to more, each by itself, than all of them as one text.
mkdir t
for i in 1 2 3 4 5 6 7 8; do
	awk -v i="$i" 'BEGIN {
		for (k = 1; k <= 12 * i; k++)
			printf "static int\nf%d_%d(int x)\n{\n\treturn x" \
				" * %d; /* %d */\n}\n\n", i, k, k * i, k % 7
	}' >"t/f$i.c"
done
for options in "--format markdown" "--format xml --query f3" \
	"--format plain --line-numbers" "--format jsonl" \
	"--format json --open t/f2.c" "--format plain --compress"; do
	# shellcheck disable=SC2086
	packed --budget 1M $options
	cp out all
	nr=$(py 'r["output"]["tokens"]')
	said=$(py 'r["files"]["all_full"]')
	for more in 0 2; do
		# shellcheck disable=SC2086
		packed --budget $((nr + more)) $options
		cmp -s all out
		is "$? $(py 'r["files"]["all_full"]')" "0 $said" \
			"$options: a budget of what all is, and $more: all"
	done
	# shellcheck disable=SC2086
	packed --budget $((nr - 1)) $options
	is "$(py 'r["budget"]["used"] < '"$nr"', len(r["excluded"]) > 0')" \
		"True True" "$options: a token less: not all"
done

# Nothing but comments: nothing is left of it, and nothing is missing.
rm -r t
mkdir t
comment() { seq -f "/* line %g of a comment that is left out */" 30; }
lines() { seq -f "int ${1}_%g(int x) { return x + 1; }" 25; }
comment >t/only.c
{ comment; lines a; comment; lines b; comment; } >t/mixed.c
for options in "" "--query b_20" "--chunk lines:10" \
	"--chunk lines:10 --open t/mixed.c"; do
	# shellcheck disable=SC2086
	packed --strip-comments $options
	is "$(py 'r["files"]["all_full"], r["chunks"]["rejected"],
		[(e["path"], e["reason"]) for e in r["excluded"]],
		r["warnings"]')" \
		"True 0 [('t/only.c', 'empty')] []" \
		"comments alone are not left out for the budget: $options"
	is "$(grep -c 'mixed.c (lines 1-140, without comments)\|^// \.\.\.' \
		out)" "1" "and no mark says that lines are missing: $options"
done
packed --strip-comments --chunk lines:10 --budget 500
is "$(py 'sum(e["tokens"] == 0 for e in r["excluded"]),
	r["files"]["all_full"]')" "1 False" \
	"where the budget is short: what has tokens is left out"

# A share is of what is available, though the output comes to less than was
# thought and there is room for more.
rm -r t
mkdir t
for i in 1 2; do
	lines "x$i" >"t/r$i.c"
done
seq -f "line %g of the log of a build" 8 >log
packed --budget 500 --no-redistribute --compress --tool log \
	--reference t/r1.c --reference t/r2.c
is "$(py '[c["used"] <= c["allocated"] for c in r["categories"]
	if c["name"] != "tree"]')" "[True, True, True, True]" \
	"no category has more than its share"
done_testing
