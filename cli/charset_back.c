/* SPDX-License-Identifier: MIT */
/*
 * charset_back.c - for `bale unpack`: what collect did, the other way round.
 */
#include "cli/charset_back.h"

#include <errno.h>
#include <string.h>

#include "markup/markup.h"
#include "base/utf8.h"
#include "base/windows1252.h"

enum charset
charset_of_name(const char *name, bool *is_repaired)
{
	for (unsigned i = 0; i < 2 * CHARSET_NR; i++) {
		enum charset charset = (enum charset)(i / 2);
		const char *known = charset_text(charset, i % 2 == 1);

		*is_repaired = i % 2 == 1;
		if (known != NULL && strcmp(known, name) == 0)
			return charset;
	}
	return CHARSET_NR;
}

static void
put_unit(struct charset_back *back, uint8_t **to, uint32_t unit)
{
	bool big =
		back->to == CHARSET_UTF16_BE || back->to == CHARSET_UNMARKED_BE;

	*(*to)++ = (uint8_t)(big ? unit >> 8 : unit);
	*(*to)++ = (uint8_t)(big ? unit : unit >> 8);
}

static int
put_windows1252(uint8_t **to, uint32_t c)
{
	for (unsigned i = 0; i < ARRAY_LEN(western_high); i++) {
		if (western_high[i] == c && c != 0) {
			*(*to)++ = (uint8_t)(0x80 + i);
			return 0;
		}
	}
	if (c > 0xff || (c >= 0x80 && c < 0xa0 && western_high[c - 0x80] != 0))
		return -EILSEQ;
	*(*to)++ = (uint8_t)c;
	return 0;
}

static int
put_character(struct charset_back *back, uint8_t **to, uint32_t c)
{
	if (back->to == CHARSET_WESTERN)
		return put_windows1252(to, c);
	if (c < 0x10000) {
		put_unit(back, to, c);
	} else {
		put_unit(back, to, 0xd800 + ((c - 0x10000) >> 10));
		put_unit(back, to, 0xdc00 + (c & 0x3ff));
	}
	return 0;
}

int
charset_back_run(struct charset_back *back, const uint8_t *from, size_t bytes,
		 uint8_t *to, size_t *put)
{
	const uint8_t *end = from + bytes;
	uint8_t *at = to;

	if (!back->begun &&
	    (back->to == CHARSET_UTF16_LE || back->to == CHARSET_UTF16_BE))
		put_unit(back, &at, 0xfeff);
	back->begun = true;
	while (from < end || back->held_nr > 0) {
		size_t held = back->held_nr;
		uint8_t window[4];
		size_t more = min_size(4 - held, (size_t)(end - from));
		uint32_t c = 0;
		size_t used;

		memcpy(window, back->held, held);
		memcpy(window + held, from, more);
		used = utf8_decode(window, held + more, &c);
		if (used == 0 && utf8_is_cut(window, window + held + more)) {
			memcpy(back->held, window, held + more);
			back->held_nr = (uint8_t)(held + more);
			break;
		}
		if (used <= held || put_character(back, &at, c) != 0)
			return -EILSEQ;
		from += used - held;
		back->held_nr = 0;
	}
	*put = (size_t)(at - to);
	return 0;
}
