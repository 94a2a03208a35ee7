/* SPDX-License-Identifier: MIT */
/*
 * fuzz_chunk_split.c - a text cut into chunks joins to the text, at the
 * places that the rule says, also if it comes bit by bit.
 *
 * Input: pairs of bytes: what, and how often. Chunks are thousands of bytes
 * long, and so small inputs make long texts.
 *
 * verifies: FR-016-47, FR-016-48
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "stages/chunk/chunk.h"

#define AIM_BYTES 6144
#define TEXT_BYTES (1u << 16)
#define LONGEST (AIM_BYTES + AIM_BYTES / 4)

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t bytes_nr);

static uint8_t text[TEXT_BYTES];

static size_t
expand(const uint8_t *bytes, size_t bytes_nr)
{
	size_t nr = 0;

	for (size_t i = 0; i + 1 < bytes_nr; i += 2) {
		/* few newlines, any number of the rest */
		size_t times = bytes[i] == '\n' ? bytes[i + 1] % 4u + 1
						: bytes[i + 1] * 16u + 1;

		if (times > TEXT_BYTES - nr)
			break;
		memset(text + nr, bytes[i], times);
		nr += times;
	}
	return nr;
}

static void
expect(bool so, const char *what, size_t at, size_t got)
{
	if (so)
		return;
	fprintf(stderr, "chunk at %zu of %zu bytes: %s\n", at, got, what);
	abort();
}

/* Whether text[at, at + bytes) is a chunk by the rule, of `left` bytes. */
static void
check_chunk(size_t at, size_t bytes, size_t left)
{
	const uint8_t *chunk = text + at;
	size_t newlines = 0;

	expect(bytes > 0 && bytes <= left, "within the text", at, bytes);
	if (left <= LONGEST) {
		expect(bytes == left, "a short rest is one chunk", at, bytes);
		return;
	}
	expect(bytes == left || chunk[bytes - 1] == '\n',
	       "ends behind a newline", at, bytes);
	if (bytes <= AIM_BYTES)
		return;
	for (size_t i = 0; i < bytes - 1; i++)
		newlines += chunk[i] == '\n';
	expect(newlines == 0, "longer than the aim only if it is one line", at,
	       bytes);
}

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t bytes_nr)
{
	size_t nr = expand(bytes, bytes_nr);
	struct chunk_tally whole = { 0 };
	struct chunk_tally parts = { 0 };
	uint64_t newlines = 0;
	size_t at = 0;

	chunk_tally_add(&whole, text, nr);
	while (at < nr) {
		size_t left = nr - at;
		size_t got = chunk_next(text + at, left, true, AIM_BYTES);

		check_chunk(at, got, left);
		for (size_t part = got; part < left; part += part / 2 + 1) {
			size_t early =
				chunk_next(text + at, part, false, AIM_BYTES);

			expect(early == 0 || early == got,
			       "the same without the end in sight", at, early);
		}
		chunk_tally_add(&parts, text + at, got);
		newlines += lang_newlines(text + at, got);
		at += got;
	}
	expect(at == nr, "joined", at, nr);
	expect(newlines == whole.newlines &&
		       memcmp(&whole, &parts, sizeof(whole)) == 0,
	       "counted in parts as in one", nr, nr);
	return 0;
}
