#!/bin/bash
# SPDX-License-Identifier: MIT
#
# No function has 20 or more ways through it: McCabe's cyclomatic complexity,
# as pmccabe counts it, each case of a switch for one. What has more is a
# table, or several steps that deserve a name. (NFR-016-48 asks for less than
# 10, which most functions have; this keeps the others from growing.)

set -u

command -v pmccabe >/dev/null || {
	echo 'ok 1 - complexity # SKIP there is no pmccabe; make deps-dev'
	exit 0
}
files=$(find base shm catalogue tokenizer markup lang git \
	rank secrets sources stages supervisor report window cli tests bench tools \
	-name '*.[ch]' 2>/dev/null | sort)
[ -n "$files" ] || exit 0

# shellcheck disable=SC2086  # file names of the project have no blanks
pmccabe $files 2>&1 | awk -F '\t' -v max=19 '
NF < 6 {
	# pmccabe does not understand a file
	print
	bad = 1
	next
}
$2 > max {
	# FILE(LINE): NAME
	split($6, part, /[():]+ */)
	printf "%s:%d: function %s has %d ways through it, more than %d\n",
		part[1], part[2], part[3], $2, max
	bad = 1
}
END { exit bad }'
