#!/bin/bash
# SPDX-License-Identifier: MIT
#
# Files end at 800 lines, functions at 60, and a function has at most 5
# parameters. One that is better longer (a flat table, a switch) says why in a
# comment `lint: long because ...`: within the function or just above it, within
# the first 60 lines for a file. A worker file moves descriptors, in at most 200
# lines. tests and tools may have functions of 80 lines.

set -u

files=$(find base shm catalogue tokenizer markup lang git \
	rank secrets sources stages supervisor report window cli tests bench tools \
	-name '*.[ch]' 2>/dev/null | sort)
[ -n "$files" ] || exit 0

# shellcheck disable=SC2086  # file names of the project have no blanks
awk -v file_max=800 -v worker_max=200 -v parameter_max=5 '
function complain(text) {
	print text
	bad = 1
}

function end_of_file(    max) {
	max = name ~ /_worker\.c$/ && !is_test ? worker_max : file_max
	if (name != "" && lines > max && !file_excused)
		complain(name ": " lines " lines, more than " max)
}

# Of what stands between the parentheses of a definition.
function parameters(text,    nr) {
	sub(/^[^(]*\(/, "", text)
	while (sub(/\([^()]*\)/, "", text))
		;
	sub(/\).*/, "", text)
	nr = gsub(/,/, "", text) + 1
	return nr
}

FNR == 1 {
	end_of_file()
	name = FILENAME
	is_test = name ~ /^(tests|bench|tools)\//
	function_max = is_test ? 80 : 60
	definition = ""
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
	sub(/\(.*/, "", title)
	if (!is_test && definition ~ /\(/ &&
	    parameters(definition) > parameter_max)
		complain(FILENAME ":" FNR ": function " \
			title " has more than " parameter_max " parameters")
}

/^($|[#}])/ || /;$/ { definition = "" }
{ definition = definition $0 }

/^\}/ && start {
	if (FNR - start + 1 > function_max && !excused)
		complain(FILENAME ":" start ": function " \
			title " has " FNR - start + 1 " lines, more than " \
			function_max)
	start = 0
}

/^[A-Za-z_]/ { before = $0 }

END {
	end_of_file()
	exit bad
}' $files
