#!/bin/bash
# SPDX-License-Identifier: MIT
#
# Who may include whom. Includes of the project are written from the root, and
# each folder may only look where the table below lets it:
#
#   shm/*                      libc, shm/*
#   tokenizer/*                plain libc, base/base.h, own folder
#   markup/*                   plain libc, own folder, base
#   stages/S/ logic            plain libc, own folder, base, catalogue/desc.h,
#                              catalogue/def_kind.def,
#                              tokenizer/tokenizer.h,
#                              markup/markup.h
#   stages/S/S_io_*            the same and system headers; liburing only in
#                              _io_uring files, zstd only in _io_zstd files
#   stages/S/S_worker.c        libc, own folder, stages/worker.h, shm/*,
#                              tokenizer/tokenizer.h, markup/markup.h
#   stages/stage_table.c       libc, all of stages/
#   stages/*                   libc, shm/*, stages/*.h, markup/markup.h,
#                              never one stage
#   window/*                   own folder, base, base/diag.h, base/fd_io.h,
#                              base/new_file.h, base/signals.h, how a text
#                              matches a query (rank/query.h,
#                              rank/match.h),
#                              tokenizer/tokenizer.h, tokenizer/models.h
#   supervisor/*               own folder, shm/*, stages/stage.h, markup/*,
#                              stages/dedup/dedup_ranges.h and
#                              stages/count/count_normal.h, and of
#                              rank/rank.h the score (what is asked
#                              for is merged before there are stages),
#                              tokenizer/tokenizer.h, tokenizer/models.h, and
#                              of window/ what it offers: window.h, chat.h,
#                              rounds.h, limits.h, store.h, child.h, outside.h
#
# base is what any program needs and knows nothing of this one: see is_base().
# Plain libc is what makes no system call; that malloc and bsearch are all
# that is used of stdlib.h, say, is for lint_purity.sh to see.

set -u

files=$(find shm tokenizer markup stages window supervisor -name '*.[ch]' -o \
	-name '*.def' 2>/dev/null | sort)
[ -n "$files" ] || exit 0

# shellcheck disable=SC2086  # file names of the project have no blanks
awk '
BEGIN {
	plain = " stdint.h stddef.h stdbool.h string.h limits.h inttypes.h " \
		"errno.h assert.h stdarg.h float.h stdalign.h stdnoreturn.h " \
		"endian.h byteswap.h stdlib.h stdio.h immintrin.h cpuid.h " \
		"arm_neon.h "
	# Libraries that are not libc, by how their headers are spelt.
	library = "^(liburing|zstd|zdict|openssl/|yaml|jansson|git2" \
		"|pcre2|hs/|hs\\.h|hs_|cmocka|jemalloc)"
}

function sys_plain(h)   { return index(plain, " " h " ") > 0 }
function sys_libc(h)    { return h !~ library }

# May the file `f` include the system header `h`?
function system_ok(f, h) {
	# What one process shares with another is the business of shm/; but
	# the cache of pieces is memory that all counters share.
	if (h == "stdatomic.h")
		return f ~ /^shm\// ||
			f ~ /^tokenizer\/(cache|count)[^\/]*\.[ch]$/
	if (h ~ /^liburing/)
		return f ~ /_io_uring[^\/]*\.[ch]$/ || f ~ /^supervisor\//
	if (h ~ /^(zstd|zdict)/ && f ~ /^stages\//)
		return f ~ /_io_zstd[^\/]*\.[ch]$/
	if (f ~ /^shm\//)
		return sys_libc(h)
	# Foreign JSON is for a library to parse.
	if (f == "tokenizer/tokenizer_hf.c" && h == "jansson.h")
		return 1
	if (f ~ /^(tokenizer|markup)\//)
		return sys_plain(h)
	if (f ~ /^stages\/[^\/]+\//) {
		if (f ~ /_worker\.[ch]$/)
			return sys_libc(h)
		if (f ~ /_io_/)
			return 1
		return sys_plain(h)
	}
	if (f ~ /^stages\//)
		return sys_libc(h)
	return 1
}

# Is it what any program needs?
function is_base(h) {
	return h ~ /^shm\/(array|base|base64|clock|deceptive|hash|heap|json_values|utf8|western|wild)\.h$/
}

# May the file `f` include the project header `h`?
function project_ok(f, h,    own) {
	own = f
	sub(/[^\/]*$/, "", own)
	if (index(h, own) == 1 && f !~ /^stages\/[^\/]+$/)
		return 1
	if (f ~ /^shm\//)
		return 0
	if (f ~ /^tokenizer\//)
		return h == "base/base.h"
	if (f ~ /^markup\//)
		return is_base(h)
	if (f ~ /^stages\/[^\/]+\/[^\/]*_worker\.[ch]$/)
		return h == "stages/worker.h" || h ~ /^shm\// ||
			h == "tokenizer/tokenizer.h" || h == "markup/markup.h"
	if (f ~ /^stages\/[^\/]+\//)
		return is_base(h) || h == "catalogue/desc.h" ||
			h == "catalogue/def_kind.def" ||
			h == "markup/markup.h" ||
			h == "tokenizer/tokenizer.h"
	if (f == "stages/stage_table.c")
		return h ~ /^stages\//
	if (f ~ /^stages\//)
		return h ~ /^shm\// || h ~ /^stages\/[^\/]+$/ ||
			h == "markup/markup.h"
	if (f ~ /^window\//)
		return is_base(h) || h == "base/diag.h" ||
			h == "base/fd_io.h" ||
			h == "base/new_file.h" || h == "base/signals.h" ||
			h == "rank/query.h" ||
			h == "rank/match.h" ||
			h ~ /^tokenizer\/(tokenizer|tokenizer_hf|models)\.h$/
	if (f ~ /^supervisor\//)
		return h ~ /^shm\// || h == "stages/stage.h" ||
			h ~ /^markup\// ||
			h == "stages/dedup/dedup_ranges.h" ||
			h == "stages/count/count_normal.h" ||
			h == "rank/rank.h" ||
			h ~ /^window\/(window|chat|rounds|limits|store|child|outside)\.h$/ ||
			h ~ /^tokenizer\/(tokenizer|tokenizer_hf|models)\.h$/
	return 0
}

function complain(why) {
	printf "%s:%d: %s\n", FILENAME, FNR, why
	bad = 1
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
	if (h !~ /\// || h ~ /^\.|\/\.\.?\//)
		complain("write \"" h "\" from the root of the project")
	else if (!project_ok(FILENAME, h))
		complain("may not include \"" h "\"")
}

END { exit bad }
' $files
