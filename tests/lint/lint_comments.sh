#!/bin/bash
# SPDX-License-Identifier: MIT
#
# Each function that a header offers, declared or in line, has a comment that
# says what it is for: just above it, or above the first of several that belong
# together and stand without blank lines between them.
#
# verifies: NFR-016-46

set -u

files=$(find base shm catalogue tokenizer markup lang git \
	rank secrets sources stages supervisor report window cli tools \
	-name '*.h' 2>/dev/null | sort)
[ -n "$files" ] || exit 0

# shellcheck disable=SC2086  # file names of the project have no blanks
awk '
FNR == 1 {
	commented = 0
	before = ""
}

# A paragraph begins without a comment, and so does what is behind a function.
/^(\})?$/ {
	commented = 0
}

/\*\// {
	commented = 1
}

# In the layout of the project a function has its name in column one, or
# behind its type where the prototype is of one line.
/^[A-Za-z_][A-Za-z0-9_ *]*\(/ && !/^(static_assert|_Static_assert)|__attribute__/ &&
	before !~ /^typedef/ {
	name = $0
	sub(/\(.*/, "", name)
	sub(/.*[ *]/, "", name)
	if (!commented) {
		printf "%s:%d: %s has no comment\n", FILENAME, FNR, name
		bad = 1
	}
}

{
	before = $0
}

END {
	exit bad
}' $files
