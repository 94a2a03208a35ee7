/* SPDX-License-Identifier: MIT */
/*
 * fuzz_git_pack.c - entries of packs, and differences, by anybody.
 *
 * Input: one byte (what it is), two bytes (how long what it becomes is, or its
 * base), then the entry or the difference.
 */
#include <stdlib.h>
#include <string.h>

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
	if (bytes[0] % 2 == 0)
		check_entry(copy, bytes_nr - 3, nr);
	else
		check_delta(copy, bytes_nr - 3, nr);
	free(copy);
	return 0;
}
