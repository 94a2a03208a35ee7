/* SPDX-License-Identifier: MIT */
/*
 * chunk_traits.c - characters that are not seen, and what looks like a
 * special token.
 */
#include "markup/markup.h"
#include "base/unicode_invisible.h"
#include "base/utf8.h"
#include "stages/chunk/chunk.h"
#include "lang/find.h"

static uint8_t
trait_of(const uint8_t *at, const uint8_t *end)
{
	uint32_t c = 0;

	if (*at == '<')
		return markup_special(at, end) > 0 ? MARKUP_HAS_SPECIAL : 0;
	if (*at == '\t' || *at == '\n' || *at == '\r' || *at == '\f')
		return 0;
	if (utf8_decode(at, (size_t)(end - at), &c) == 0 || !is_invisible(c))
		return 0;
	if (c < 0xa0)
		return MARKUP_HAS_CONTROL;
	if (c == 0x61c || c == 0x200e || c == 0x200f ||
	    (c >= 0x202a && c <= 0x202e) || (c >= 0x2066 && c <= 0x2069))
		return MARKUP_HAS_BIDI;
	return MARKUP_HAS_INVISIBLE;
}

uint8_t
chunk_traits(const uint8_t *text, size_t bytes)
{
	const uint8_t *end = text + bytes;
	const uint8_t *at = text;
	uint8_t traits = 0;

	while (lang_has_avx2() && end - at >= FIND_BLOCK) {
		uint64_t found = lang_suspects64_avx2(at);

		for (; found != 0; found &= found - 1)
			traits |= trait_of(at + __builtin_ctzll(found), end);
		at += FIND_BLOCK;
	}
	for (; at < end; at++)
		if (*at < ' ' || *at >= 0x7f || *at == '<')
			traits |= trait_of(at, end);
	return traits;
}
