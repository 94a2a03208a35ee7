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

#endif
