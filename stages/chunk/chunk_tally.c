/* SPDX-License-Identifier: MIT */
/*
 * chunk_tally.c - counting lines and runs of backticks.
 */
#include "stages/chunk/chunk.h"

#include <string.h>

#define BLOCK_BYTES 255 /* what a byte-wide counter can hold */

uint64_t
chunk_newlines(const uint8_t *text, size_t bytes)
{
	uint64_t total = 0;

	/* in blocks, so that the compiler can count in bytes side by side */
	while (bytes > 0) {
		size_t block = min_size(bytes, BLOCK_BYTES * 16);
		uint32_t found = 0;

		for (size_t i = 0; i < block; i++)
			found += text[i] == '\n';
		total += found;
		text += block;
		bytes -= block;
	}
	return total;
}

static void
add_backticks(struct chunk_tally *tally, const uint8_t *text, size_t bytes)
{
	size_t at = 0;

	while (at < bytes) {
		const uint8_t *tick = text + at;
		uint64_t run;

		if (*tick != '`') {
			tally->backtick_tail = 0;
			tick = memchr(text + at, '`', bytes - at);
			if (tick == NULL)
				return;
			at = (size_t)(tick - text);
		}
		run = tally->backtick_tail;
		while (at < bytes && text[at] == '`') {
			run++;
			at++;
		}
		tally->backtick_tail = (uint32_t)min_u64(run, UINT32_MAX);
		if (tally->backtick_tail > tally->backtick_run)
			tally->backtick_run = tally->backtick_tail;
	}
}

void
chunk_tally_add(struct chunk_tally *tally, const uint8_t *text, size_t bytes)
{
	if (bytes == 0)
		return;
	tally->bytes += bytes;
	tally->newlines += chunk_newlines(text, bytes);
	add_backticks(tally, text, bytes);
	tally->last_byte = text[bytes - 1];
}
