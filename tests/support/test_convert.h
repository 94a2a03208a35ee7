/* SPDX-License-Identifier: MIT */
/*
 * test_convert.h - a conversion, in pieces of any size.
 */
#ifndef TESTS_SUPPORT_TEST_CONVERT_H
#define TESTS_SUPPORT_TEST_CONVERT_H

#include "tests/support/test_shm.h"

#include <stdlib.h>
#include <string.h>

#include "catalogue/files.h"
#include "stages/collect/collect.h"

/* Converts bytes of an enum charset, so many at a time, into `to`, which has
 * room for all of it; how many they become. Each call stays in its room. */
static inline size_t
convert_in_pieces(struct collect_convert *convert, uint8_t set,
		  const void *from, size_t bytes, size_t piece, char *to)
{
	size_t nr = 0;

	collect_convert_init(convert, set);
	for (size_t at = 0; at < bytes; at += piece) {
		size_t now = min_size(piece, bytes - at);
		size_t room = COLLECT_CONVERT_ROOM(now);
		char *exact = malloc(room);
		size_t put =
			collect_convert_run(convert, (const char *)from + at,
					    now, at + now == bytes, exact);

		assert_true(put <= room);
		memcpy(to + nr, exact, put);
		nr += put;
		free(exact);
	}
	return nr;
}

#define BAD "\xef\xbf\xbd"

/* In pieces of every size, the result is the same. */
static inline void
check_convert(uint8_t set, const char *from, size_t bytes, const char *want,
	      size_t want_bytes)
{
	bool repaired = memmem(want, want_bytes, BAD, 3) != NULL;

	for (size_t piece = 1; piece <= bytes; piece++) {
		struct collect_convert convert;
		char *to = malloc(COLLECT_CONVERT_ROOM(bytes) * 2 + 64);
		size_t got = convert_in_pieces(&convert, set, from, bytes,
					       piece, to);

		assert_int_equal(got, want_bytes);
		assert_memory_equal(to, want, got);
		assert_int_equal(convert.repaired, repaired);
		free(to);
	}
}

#endif
