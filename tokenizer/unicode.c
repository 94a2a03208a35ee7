/* SPDX-License-Identifier: MIT */
/*
 * unicode.c - UTF-8 and the classes of code points.
 */
#include "tokenizer/unicode.h"

#include <string.h>

#include "base/utf8.h"
#include "tokenizer/cpu.h"

/* clang-format off */
const uint16_t unicode_ascii[128] = {
	1, 1, 1, 1, 1, 1, 1, 1, 1, 128, 256, 128, 128, 256, 1, 1,
	1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
	128, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2,
	64, 64, 64, 64, 64, 64, 64, 64, 64, 64, 2, 2, 2, 2, 2, 2,
	2, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4,
	4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 2, 2, 2, 2, 2,
	2, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8,
	8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 2, 2, 2, 2, 1,
};
/* clang-format on */

static bool
table_valid(const void *table, const uint8_t *end, const char *magic)
{
	const size_t len = (size_t)(end - (const uint8_t *)table);
	uint32_t head[2];

	memcpy(head, (const uint8_t *)table + 8, sizeof(head));
	return memcmp(table, magic, 8) == 0 && head[0] == len &&
	       head[1] == unicode_checksum(table, len);
}

bool
unicode_tables_valid(void)
{
	return table_valid(&image_unicode, image_end_unicode, "baleuni") &&
	       table_valid(&image_nfc, image_end_nfc, "balenfc");
}

size_t
unicode_valid_len(const uint8_t *text, size_t len)
{
	size_t at = 0;

	if (len >= 64 && cpu_level() != CPU_PORTABLE)
		at = unicode_valid_avx2(text, len);
	while (at < len) {
		uint64_t eight;
		size_t bytes;

		if (len - at >= 8) {
			memcpy(&eight, text + at, 8);
			if ((eight & UINT64_C(0x8080808080808080)) == 0) {
				at += 8;
				continue;
			}
		}
		bytes = utf8_length(text + at, text + len);
		if (bytes == 0)
			return at;
		at += bytes;
	}
	return at;
}

/*
 * shape:  looks at the bytes at text, which are not a valid code point or
 *         not a whole one: the length of the part that counts as one U+FFFD,
 *         0 if more bytes are needed to tell
 * units:  len in bytes, 1 or more; the result is at most 3
 * source: The Unicode Standard, chapter 3.9, "U+FFFD Substitution of Maximal
 *         Subparts"
 */
static size_t
bad_len(const uint8_t *text, size_t len)
{
	struct utf8_lead lead = utf8_lead(text[0]);
	size_t right = utf8_right(text, text + len, lead);

	return lead.length > 0 && right == len ? 0 : right;
}

size_t
unicode_repair(const uint8_t *text, size_t len, bool is_end, uint8_t *out,
	       size_t *out_len)
{
	static const uint8_t replacement[3] = { 0xef, 0xbf, 0xbd };
	size_t at = 0;

	*out_len = 0;
	for (;;) {
		size_t nr = unicode_valid_len(text + at, len - at);

		memcpy(out + *out_len, text + at, nr);
		at += nr;
		*out_len += nr;
		if (at == len)
			return at;
		nr = bad_len(text + at, len - at);
		if (nr == 0 && !is_end)
			return at;
		memcpy(out + *out_len, replacement, sizeof(replacement));
		*out_len += sizeof(replacement);
		at += nr > 0 ? nr : len - at;
	}
}
