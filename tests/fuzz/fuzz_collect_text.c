// SPDX-License-Identifier: MIT
/*
 * fuzz_collect_text.c - content of strangers: what is it, and as UTF-8?
 *
 * Input: a byte that says how to cut, then the content. However it is cut, a
 * conversion gives the same, fits its room, and is well-formed UTF-8.
 */
#include <stdlib.h>
#include <string.h>

#include "stages/collect/collect.h"
#include "tokenizer/tokenizer.h"

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t bytes_nr);

static size_t
convert(uint8_t set, const uint8_t *from, size_t bytes, size_t piece, char *to)
{
	struct collect_convert convert;
	size_t put = 0;

	collect_convert_init(&convert, set);
	for (size_t at = 0; at < bytes; at += piece) {
		size_t now = min_size(piece, bytes - at);
		size_t room = COLLECT_CONVERT_ROOM(now);
		char *exact = malloc(room);
		size_t got;

		if (exact == NULL)
			abort();
		got = collect_convert_run(&convert, from + at, now,
					  at + now == bytes, exact);
		ASSERT(got <= room);
		memcpy(to + put, exact, got);
		put += got;
		free(exact);
	}
	return put;
}

/* It is UTF-8 if all its parts are taken for that. */
static void
check_parts(const uint8_t *bytes, size_t bytes_nr, size_t piece)
{
	uint32_t carried = 0;
	bool goes_on = true;

	piece += 3;
	for (size_t at = 0; at < bytes_nr && goes_on; at += piece) {
		size_t now = min_size(piece, bytes_nr - at);

		goes_on = collect_text_goes_on(
			bytes + at, now, bytes + at + now,
			min_size(3, bytes_nr - at - now), &carried);
	}
	ASSERT(goes_on == (tokenizer_valid_len(bytes, bytes_nr) == bytes_nr));
}

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t bytes_nr)
{
	static struct collect_kinds kinds;
	size_t piece;

	if (bytes_nr < 2)
		return 0;
	piece = 1 + *bytes++ % 16;
	bytes_nr--;
	collect_text_probe(bytes, bytes_nr, true);
	collect_text_probe(bytes, bytes_nr, false);
	check_parts(bytes, bytes_nr, piece);
	collect_kinds_init(&kinds);
	collect_kind_shebang(&kinds, (const char *)bytes, bytes_nr);
	collect_kind_lang(&kinds, (const char *)bytes, bytes_nr);
	collect_kind_file_labels(&kinds, (const char *)bytes, bytes_nr);
	collect_kind_dir_labels((const char *)bytes, bytes_nr);
	collect_kind_head_labels(&kinds, LANG_CSS, (const char *)bytes,
				 bytes_nr);
	for (uint8_t from = CHARSET_UTF8; from < CHARSET_NR; from++) {
		char *whole = malloc(4 * bytes_nr + 64);
		char *cut = malloc(4 * bytes_nr + 64);
		size_t nr;

		if (whole == NULL || cut == NULL)
			abort();
		nr = convert(from, bytes, bytes_nr, bytes_nr, whole);
		ASSERT(nr == convert(from, bytes, bytes_nr, piece, cut));
		ASSERT(memcmp(whole, cut, nr) == 0);
		ASSERT(tokenizer_valid_len((const uint8_t *)whole, nr) == nr);
		free(whole);
		free(cut);
	}
	return 0;
}
