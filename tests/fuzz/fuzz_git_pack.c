/* SPDX-License-Identifier: MIT */
/*
 * fuzz_git_pack.c - entries of packs, differences and what is compressed, by
 * anybody.
 *
 * Input: one byte (what it is), two bytes (how long what it becomes is, or its
 * base), then the entry, the difference or the stream. What it becomes is of
 * that length, and lies in memory of exactly that size.
 */
#include <stdlib.h>
#include <string.h>

#include "git/inflate.h"
#include "git/pack.h"
#include "tests/fuzz/fuzz_expect.h"

static void
check_entry(const uint8_t *bytes, size_t nr, uint64_t off)
{
	struct pack_entry entry;

	if (pack_entry_parse(&entry, bytes, nr, off) != 0)
		return;
	expect(entry.head_bytes > 0 && entry.head_bytes <= nr,
	       "a head is in its bytes");
	expect(entry.type != PACK_OFF_DELTA || entry.base_off < off,
	       "a base is before what is made of it");
}

static void
check_delta(const uint8_t *bytes, size_t nr, size_t base_nr)
{
	uint8_t *base = calloc(1, base_nr + 1);
	uint64_t before = 0;
	uint64_t after = 0;
	uint8_t *out;

	if (pack_delta_sizes(bytes, nr, &before, &after) == 0 &&
	    after < 1 << 20) {
		out = malloc(after + 1);
		(void)pack_delta_apply((struct pack_bytes){ bytes, nr },
				       (struct pack_bytes){ base, base_nr },
				       out, after);
		free(out);
	}
	free(base);
}

static void
check_stream(const uint8_t *bytes, size_t nr, size_t out_nr)
{
	uint8_t *out[2] = { malloc(out_nr + 1), malloc(out_nr + 1) };
	int error = inflate_exactly(bytes, nr, out[0], out_nr);

	expect(inflate_exactly(bytes, nr, out[1], out_nr) == error,
	       "the same twice");
	expect(error != 0 || memcmp(out[0], out[1], out_nr) == 0,
	       "and of the same bytes");
	free(out[0]);
	free(out[1]);
}

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t bytes_nr)
{
	uint8_t *copy;
	size_t nr;

	if (bytes_nr < 3)
		return 0;
	/* of its size, so that what reads beyond it is found */
	copy = malloc(bytes_nr - 3 + 1);
	memcpy(copy, bytes + 3, bytes_nr - 3);
	nr = (size_t)bytes[1] << 8 | bytes[2];
	if (bytes[0] % 3 == 0)
		check_entry(copy, bytes_nr - 3, nr);
	else if (bytes[0] % 3 == 1)
		check_delta(copy, bytes_nr - 3, nr);
	else
		check_stream(copy, bytes_nr - 3, nr);
	free(copy);
	return 0;
}
