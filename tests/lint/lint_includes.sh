#!/bin/bash
# SPDX-License-Identifier: MIT
#
# Who may include whom. Includes of the project are written from the root. The
# folders are floors, and an include goes down, never up:
#
#   base shm catalogue tokenizer markup lang git rank secrets sources stages
#   supervisor report window cli
#
# Narrower than that:
#
#   shm tokenizer markup       base/, own folder
#   catalogue                  base/, shm/, own folder
#   of tokenizer/              tokenizer.h, tokenizer_hf.h, models.h alone
#   stages/S/                  no other stage; of stages/ job.h, and in
#                              S_worker files worker.h, run.h, stage.h
#   stages/*                   never one stage, but stages/stage_table.c
#   supervisor report window   of stages/ job.h, run.h and stage.h alone
#   report window              not each other
#   logic and window           nothing of shm/
#
# Logic is tokenizer/, markup/, lang/, rank/, and of git/ and stages/S/ what is
# neither _io_ nor _worker. Of system headers it has those of plain libc, which
# makes no system call; that malloc and bsearch are all that is used of stdlib.h,
# say, is for lint_purity.sh to see. liburing only in _io_uring files, zstd of
# the stages only in _io_zstd files, atomics only where memory is shared.
#
# The units of a folder, a .c file and the .h file of its name, include each
# other in one order: they form no circle.

set -u

floors='base shm catalogue tokenizer markup lang git rank secrets sources stages
	supervisor report window cli'

# shellcheck disable=SC2086  # words are wanted
files=$(find $floors -name '*.[ch]' -o -name '*.def' 2>/dev/null | sort)
[ -n "$files" ] || exit 0

# shellcheck disable=SC2086  # file names of the project have no blanks
awk -v floors="$floors" '
BEGIN {
	plain = " stdint.h stddef.h stdbool.h string.h limits.h inttypes.h " \
		"errno.h assert.h stdarg.h float.h stdalign.h stdnoreturn.h " \
		"endian.h byteswap.h stdlib.h stdio.h immintrin.h cpuid.h " \
		"arm_neon.h "
	# Libraries that are not libc, by how their headers are spelt.
	library = "^(liburing|libdeflate|zstd|zdict|openssl/|yaml|jansson|git2" \
		"|pcre2|hs/|hs\\.h|hs_|cmocka|jemalloc)"
	nr = split(floors, names, /[ \t\n]+/)
	for (i = 1; i <= nr; i++)
		floor[names[i]] = i
}

function folder(f) { sub(/\/.*/, "", f); return f }

# Logic makes no system call.
function is_logic(f) {
	if (f ~ /_io_[^\/]*$|\/io_[^\/]*$|_worker\.[ch]$/)
		return 0
	return f ~ /^(tokenizer|markup|lang|rank|git|secrets|stages\/[^\/]+)\//
}

# May the file `f` include the system header `h`?
function system_ok(f, h) {
	# The cache of pieces is memory that all counters share.
	if (h == "stdatomic.h")
		return f ~ /^(shm|catalogue)\// || f == "base/signals.c" ||
			f ~ /^tokenizer\/(cache|count)[^\/]*\.[ch]$/
	if (h ~ /^liburing/)
		return f ~ /_io_uring[^\/]*\.[ch]$/ || f ~ /^(supervisor|cli)\//
	if (h ~ /^(zstd|zdict)/ && f ~ /^stages\//)
		return f ~ /_io_zstd[^\/]*\.[ch]$/
	# Foreign JSON is for a library to parse.
	if (f == "tokenizer/tokenizer_hf.c" && h == "jansson.h")
		return 1
	if (h ~ /^openssl/)
		return f == "base/sha256.c" || f ~ /^cli\//
	if (is_logic(f))
		return index(plain, " " h " ") > 0
	if (f ~ /^(base|shm|catalogue)\// || f ~ /_worker\.[ch]$/ ||
	    f ~ /^stages\/[^\/]+$/)
		return h !~ library
	return 1
}

# May the file `f` include the project header `h`?
function project_ok(f, h,    from, to, own) {
	from = folder(f)
	to = folder(h)
	own = f
	sub(/[^\/]*$/, "", own)
	if (from == "stages") {
		if (f == "stages/stage_table.c")
			return floor[to] <= floor[from]
		if (own != "stages/" && index(h, own) == 1)
			return 1
		if (to == "stages" && own == "stages/")
			return h ~ /^stages\/[^\/]+$/
		if (to == "stages")
			return h == "stages/job.h" || (f ~ /_worker\.[ch]$/ &&
				h ~ /^stages\/(worker|run|stage)\.h$/)
	} else if (from == to)
		return 1
	if (!(to in floor) || floor[to] >= floor[from])
		return 0
	if (to == "tokenizer" && h !~ /\/(tokenizer|tokenizer_hf|models)\.h$/)
		return 0
	if (to == "shm" && (is_logic(f) || from == "window"))
		return 0
	if (from ~ /^(shm|tokenizer|markup)$/)
		return to == "base"
	if (from == "catalogue")
		return to ~ /^(base|shm)$/
	if (from ~ /^(supervisor|report|window)$/ && to == "stages")
		return h ~ /^stages\/(job|run|stage)\.h$/
	return !(from == "window" && to == "report")
}

# Notes that the unit of the file `f` includes another one of its folder.
function note(f, h,    own, to) {
	own = f
	sub(/[^\/]*$/, "", own)
	to = h
	sub(/[^\/]*$/, "", to)
	if (own != to || h !~ /\.h$/)
		return
	f = unit(f)
	h = unit(h)
	if (f != h)
		includes[f] = includes[f] " " h
}

function unit(f) { sub(/\.[ch]$/, "", f); return f }

# All that a unit reaches by its includes.
function follow(from, at,    nr, i, next_ones) {
	nr = split(includes[at], next_ones, " ")
	for (i = 1; i <= nr; i++)
		if (!((from, next_ones[i]) in reaches)) {
			reaches[from, next_ones[i]]
			follow(from, next_ones[i])
		}
}

function find_circles(    i, k, line) {
	for (i = 1; i <= unit_nr; i++)
		follow(units[i], units[i])
	for (i = 1; i <= unit_nr; i++) {
		if (!((units[i], units[i]) in reaches) || units[i] in seen)
			continue
		line = "circle"
		for (k = i; k <= unit_nr; k++)
			if ((units[i], units[k]) in reaches &&
			    (units[k], units[i]) in reaches) {
				line = line " " units[k]
				seen[units[k]]
			}
		print "units that include each other: " line
		bad = 1
	}
}

function complain(why) {
	printf "%s:%d: %s\n", FILENAME, FNR, why
	bad = 1
}

FNR == 1 && !(unit(FILENAME) in has_unit) {
	has_unit[unit(FILENAME)]
	units[++unit_nr] = unit(FILENAME)
}

/^[ \t]*#[ \t]*include[ \t]*</ {
	h = $0
	sub(/^[^<]*</, "", h)
	sub(/>.*/, "", h)
	if (!system_ok(FILENAME, h))
		complain("may not include <" h ">")
}

/^[ \t]*#[ \t]*include[ \t]*"/ {
	h = $0
	sub(/^[^"]*"/, "", h)
	sub(/".*/, "", h)
	note(FILENAME, h)
	if (h !~ /\// || h ~ /^\.|\/\.\.?\//)
		complain("write \"" h "\" from the root of the project")
	else if (!project_ok(FILENAME, h))
		complain("may not include \"" h "\"")
}

END {
	find_circles()
	exit bad
}' $files
