#!/bin/bash
# SPDX-License-Identifier: MIT
#
# What was promised in milliseconds, in instructions: these are the same on a
# busy machine and on an idle one. A processor does several in a nanosecond, so
# that one a nanosecond is a limit on the safe side: 50 ms are 50,000,000.
# valgrind counts them, of the program alone and not of the kernel, of
# tests/support/tool_cost.c, which packs in one process. bench/limits.sh measures the
# times themselves.

. tests/support/lib.sh

command -v valgrind >/dev/null && command -v callgrind_annotate >/dev/null ||
	skip_all 'there is no valgrind: make deps-dev'
tool=$PWD/$BUILD/$MODE/tests/support/tool_cost
cd "$dir" || exit 1

# 110 files of ten functions, a chunk each: somewhat more tokens than the budget
# has, so that there is something to choose.
mkdir tree
awk 'BEGIN {
	for (i = 0; i < 110; i++) {
		file = "tree/file_" i ".c"
		for (k = 0; k < 10; k++) {
			printf "static int\nfn_%d_%d(int a)\n{\n", i, k >file
			for (l = 0; l < 10; l++)
				printf "\tif (a == %d)\n\t\ta += %d * %d;\n",
					l, i, k >file
			print "\treturn a;\n}\n" >file
		}
		close(file)
	}
}'
valgrind --tool=callgrind --callgrind-out-file=counts "$tool" pack tree \
	--budget 100k --max-chunk-tokens 300 --io read -q --no-last -o out \
	>facts 2>said || {
	if grep -q 'Unrecognised instruction\|unhandled' said; then
		skip_all 'valgrind does not know this processor'
	fi
	cat said >&2
	exit 1
}
callgrind_annotate --inclusive=yes --threshold=100 counts |
	sed -n 's/^ *\([0-9,]*\) .*:cost_\([a-z0-9_]*\) \[.*/\2 \1/p' |
	tr -d , >costs

fact() {
	awk -v name="$1" '$1 == name { print $2 }' facts
}

# keeps NAME MS WHAT: its instructions are at most so many milliseconds'.
keeps() {
	local cost

	cost=$(awk -v name="$1" '$1 == name { print $2 }' costs)
	is "$([ "${cost:-0}" -gt 0 ] && [ "$cost" -le $(($2 * 1000000)) ] &&
		echo yes || echo "${cost:-nothing} instructions")" yes \
		"$3: $2 ms (${cost:-no} instructions)"
}

# at_least NAME NUMBER: there was so much to do.
at_least() {
	is "$(($(fact "$1") >= $2))" 1 "$(fact "$1") $1, at least $2"
}

at_least files 100
at_least chunks 1000
at_least planned 400
at_least tokens 80000
# verifies: NFR-016-01
keeps pack 500 'a whole pack'
# verifies: NFR-016-02
keeps count 50 'counting them, in both passes'
# verifies: NFR-016-05
keeps dedup 50 'finding what is there twice'
# verifies: NFR-016-06, NFR-016c-03, AC-016c-054
keeps select 25 'choosing among 1000 chunks'
# verifies: NFR-016-07
keeps format 50 'formatting'
# verifies: NFR-016-03
keeps rank_100 50 'ranking 100 chunks'
# verifies: NFR-016-04
keeps rank_1000 100 'ranking 1000 chunks'
is "$(fact duplicates)" 100 'each of 100 chunks is found again'
# verifies: NFR-016c-02
keeps duplicates 20 'digests of 100 chunks, looked for twice'
at_least cut 10
# verifies: NFR-016-08
keeps megabyte 200 'cutting a megabyte of source text'
# verifies: AC-016c-007
at_least counted 100000
keeps texts 50 'counting 100 texts'
# verifies: NFR-016c-01
is "$(awk -v counted="$(fact counted)" '$1 == "texts" {
	print $2 / counted * 1000 < 10e6
}' costs)" 1 'counting 1000 tokens: 10 ms'
done_testing
