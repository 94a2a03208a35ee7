#!/bin/bash
# SPDX-License-Identifier: MIT
#
# What a run writes beside its output has no say in the output: with a report,
# metrics, explanations or none of them, the same bytes go in.
#
# verifies: NFR-016c-17

# shellcheck source=tests/support/lib.sh
. tests/support/lib.sh
trees=$PWD/build/$MODE/tests/support/tool_tree
cd "$dir" || exit 1

# the names of a large file have little room, which the calls of a report
# would share
mkdir tree
"$trees" text tree/large.c 8000000 || exit 1

# a large file that others include, of which a report says how many they are
mkdir in
for i in {1..12}; do
	printf '#include "large.h"\nint user_%d(void);\n' $i >in/$i.c
done
for i in {1..4000}; do
	printf 'memory leak number %d in a long list, one of many\n' $i
done >in/large.h

"$BALE" pack tree --budget 20k -q -o plain.md
is "$?" 0 "pack"
"$BALE" pack in --budget 3k --query 'memory leak' --tiers on -q -o tiers.md
is "$?" 0 "pack with a query and tiers"
for beside in '--report r.json' '--metrics m.txt' '--audit-log a.jsonl' \
	--explain --no-last --progress=always '--log-level debug' \
	'--count-cache 0'; do
	# shellcheck disable=SC2086
	"$BALE" pack tree --budget 20k -q -o out.md $beside 2>/dev/null
	is "$(cmp plain.md out.md; echo $?)" 0 "the same with $beside"
	# shellcheck disable=SC2086
	"$BALE" pack in --budget 3k --query 'memory leak' --tiers on -q \
		-o out.md $beside 2>/dev/null
	is "$(cmp tiers.md out.md; echo $?)" 0 "with tiers, too: $beside"
done
done_testing
