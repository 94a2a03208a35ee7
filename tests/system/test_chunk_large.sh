#!/bin/bash
# SPDX-License-Identifier: MIT
#
# Structure in files larger than a slab, which come to the scanner in parts:
# every chunk begins where a function does, in the last part as in the first.
#
# verifies: FR-016-39, NFR-016-12, NFR-016-25, NFR-016-27

BALE=${BALE:-$PWD/${BUILD:-build}/${MODE:-release}/bale}
# shellcheck source=tests/system/lib.sh
. tests/system/lib.sh

# functions N LINES: N functions of C, of so many lines each.
functions() {
	awk -v nr="$1" -v lines="$2" 'BEGIN {
		for (i = 1; i <= nr; i++) {
			printf "/* number %d */\nint f%d(int a)\n{\n", i, i
			for (k = 5; k < lines; k++)
				printf "\tcall(\"} %d\", a);\n", k
			printf "}\n\n"
		}
	}' | sed '/^$/d; s/^}$/}\n/'
}

mkdir tree
# eleven lines each, with the blank one behind it
functions 20000 11 >tree/large.c

begin 'chunks of a file of many parts begin at functions'
run 0 preview tree --budget 3000000 --max-file-size 100M
sed -n 's/.*packed.*large\.c:\([0-9]*\)-\([0-9]*\)$/\1 \2/p' out >ranges
is [ "$(wc -l <ranges)" -gt 100 ]
awk '{ if ($1 % 11 != 1) { print "begins at line " $1; bad = 1 } }
	END { exit bad }' ranges >wrong
is [ ! -s wrong ]
end

begin 'the last part, too, and no line is left out'
awk '{ if ($1 != next_line + 1) { print $1 " after " next_line; bad = 1 }
	next_line = $2 } END { exit bad }' ranges >wrong
is [ ! -s wrong ]
is [ "$(tail -n 1 ranges | cut -d ' ' -f 2)" = "$(wc -l <tree/large.c)" ]
end

finish
