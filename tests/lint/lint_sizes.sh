#!/bin/bash
# SPDX-License-Identifier: MIT
#
# Files end at 800 lines and functions at 80. One that is better longer (a
# flat table, a switch) says why in a comment `lint: long because ...`: within
# the function or just above it, within the first 60 lines for a file.

set -u

files=$(find base shm catalogue tokenizer markup lang git \
	rank sources stages supervisor report window cli tests bench tools \
	-name '*.[ch]' 2>/dev/null | sort)
[ -n "$files" ] || exit 0

# shellcheck disable=SC2086  # file names of the project have no blanks
awk -v file_max=800 -v function_max=80 '
function end_of_file() {
	if (name != "" && lines > file_max && !file_excused) {
		printf "%s: %d lines, more than %d\n", name, lines, file_max
		bad = 1
	}
}

FNR == 1 {
	end_of_file()
	name = FILENAME
	file_excused = 0
	start = 0
	excused_at = -100
}

{ lines = FNR }

/lint: long because ./ {
	excused_at = FNR
	if (FNR <= 60)
		file_excused = 1
	if (start)
		excused = 1
}

# In the layout of the project a function lies between braces in column one.
/^\{/ {
	start = FNR
	excused = FNR - excused_at <= 15
	title = before
}

/^\}/ && start {
	if (FNR - start + 1 > function_max && !excused) {
		sub(/\(.*/, "", title)
		printf "%s:%d: function %s has %d lines, more than %d\n",
			FILENAME, start, title, FNR - start + 1, function_max
		bad = 1
	}
	start = 0
}

/^[A-Za-z_]/ { before = $0 }

END {
	end_of_file()
	exit bad
}' $files
