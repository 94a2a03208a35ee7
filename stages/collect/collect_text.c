/* SPDX-License-Identifier: MIT */
/*
 * collect_text.c - tells text from binary, and one character set from another.
 *
 * Does: magic numbers, byte order marks, UTF-8 checked, UTF-16 and Western
 *       8-bit sets recognised where it is sure.
 * Does not: know other sets (collect_guess.c), or convert (collect_convert.c).
 */
#include "stages/collect/collect.h"

#include <immintrin.h>
#include <string.h>

#include "base/utf8.h"
#include "catalogue/files.h"
#include "tokenizer/tokenizer.h"

#define CONTROLS_FEW 3
#define LOOK_BYTES 8192 /* of a beginning, where every byte is judged */

/* Formats that may begin without a NUL. */
static const struct {
	const char *bytes;
	uint8_t nr;
} magic[] = {
#define MAGIC(s)                 \
	{                        \
		s, sizeof(s) - 1 \
	}
	MAGIC("%PDF-"),
	MAGIC("\x1f\x8b\x08"),
	MAGIC("PK\x03\x04"),
	MAGIC("PK\x05\x06"),
	MAGIC("\x89PNG\r\n\x1a\n"),
	MAGIC("GIF87a"),
	MAGIC("GIF89a"),
	MAGIC("\xff\xd8\xff"),
	MAGIC("\x7f"
	      "ELF"),
	MAGIC("!<arch>\n"),
	MAGIC("7z\xbc\xaf\x27\x1c"),
	MAGIC("\xfd"
	      "7zXZ"),
	MAGIC("\x28\xb5\x2f\xfd"),
	MAGIC("\x04\x22\x4d\x18"),
	MAGIC("BZh91AY&SY"),
	MAGIC("Rar!\x1a\x07"),
	MAGIC("OggS"),
	MAGIC("fLaC"),
	MAGIC("ID3\x03"),
	MAGIC("ID3\x04"),
	MAGIC("wOFF"),
	MAGIC("wOF2"),
	MAGIC("SQLite format 3"),
	MAGIC("\xca\xfe\xba\xbe"),
	MAGIC("\xcf\xfa\xed\xfe"),
	MAGIC("\xfe\xed\xfa\xcf"),
	MAGIC("\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"),
	MAGIC("II*\x00"),
	MAGIC("MM\x00*"),
	MAGIC("PACK\x00\x00\x00"),
#undef MAGIC
};

static bool
has_magic(const uint8_t *head, size_t bytes)
{
	for (size_t i = 0; i < ARRAY_LEN(magic); i++) {
		if (magic[i].nr <= bytes &&
		    memcmp(head, magic[i].bytes, magic[i].nr) == 0)
			return true;
	}
	return false;
}

/* UTF-16 without a mark: one of each two bytes is nearly always NUL. */
static enum collect_text
probe_nuls(const uint8_t *head, size_t bytes)
{
	size_t pairs = min_size(bytes, LOOK_BYTES) / 2;
	size_t even = 0;
	size_t odd = 0;
	size_t odder = 0; /* control characters, or no character at all */

	for (size_t i = 0; i < pairs; i++) {
		uint8_t a = head[2 * i];
		uint8_t b = head[2 * i + 1];
		uint8_t c = a == 0 ? b : a;

		even += a == 0;
		odd += b == 0;
		odder += (a == 0 && b == 0) ||
			 ((a == 0 || b == 0) && c < 0x20 && c != '\n' &&
			  c != '\r' && c != '\t' && c != '\f');
	}
	if (pairs < 2 || odder > 0)
		return COLLECT_TEXT_BINARY;
	if (odd > pairs / 2 && even <= pairs / 64)
		return COLLECT_TEXT_UTF16_LE;
	if (even > pairs / 2 && odd <= pairs / 64)
		return COLLECT_TEXT_UTF16_BE;
	return COLLECT_TEXT_BINARY;
}

/* Marked UTF-16: whether what follows can be that. */
static enum collect_text
probe_utf16(const uint8_t *head, size_t bytes, bool is_whole,
	    enum collect_text order)
{
	size_t hi = order == COLLECT_TEXT_UTF16_LE ? 1 : 0;
	size_t look = min_size(bytes, LOOK_BYTES) / 2 * 2;

	/* cut short, or nothing of the kind */
	if (is_whole && bytes % 2 != 0 && probe_nuls(head, bytes) != order)
		return COLLECT_TEXT_BINARY;
	for (size_t i = 0; i < look; i += 2) {
		uint8_t low = head[i + 1 - hi];

		/* NUL and the other controls; UTF-32 has them too. */
		if (head[i + hi] == 0 && low < 0x20 && low != '\n' &&
		    low != '\r' && low != '\t' && low != '\f')
			return COLLECT_TEXT_BINARY;
	}
	return order;
}

static bool
is_control(uint8_t c)
{
	return c < 0x20 && c != '\n' && c != '\t' && c != '\r' && c != '\f' &&
	       c != '\b' && c != 0x1b;
}

/* The same of sixteen bytes: how many of them. SSE2, which x86-64 has. */
static unsigned
controls_of_lane(const uint8_t *lane)
{
	static const char used[] = { '\n', '\t', '\r', '\f', '\b', 0x1b };
	const __m128i bytes =
		_mm_loadu_si128((const __m128i *)(const void *)lane);
	const __m128i last = _mm_set1_epi8(0x1f);
	__m128i low = _mm_cmpeq_epi8(_mm_min_epu8(bytes, last), bytes);
	__m128i lines =
		_mm_or_si128(_mm_cmpeq_epi8(bytes, _mm_set1_epi8('\n')),
			     _mm_cmpeq_epi8(bytes, _mm_set1_epi8('\t')));

	/* hardly any has others than these two */
	if (_mm_movemask_epi8(_mm_andnot_si128(lines, low)) == 0)
		return 0;
	for (size_t i = 0; i < sizeof(used); i++)
		low = _mm_andnot_si128(
			_mm_cmpeq_epi8(bytes, _mm_set1_epi8(used[i])), low);
	return (unsigned)__builtin_popcount((unsigned)_mm_movemask_epi8(low));
}

/* Controls that text has no use for; a few are in every large collection. */
static bool
has_controls(const uint8_t *head, size_t bytes)
{
	size_t look = min_size(bytes, LOOK_BYTES);
	size_t found = 0;
	size_t i = 0;

	for (; i + sizeof(__m128i) <= look; i += sizeof(__m128i))
		found += controls_of_lane(head + i);
	for (; i < look; i++)
		found += is_control(head[i]);
	/* a few do not make a small file binary */
	return found > CONTROLS_FEW + look / 32;
}

static bool
is_letter(uint8_t c)
{
	return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') ||
	       (c >= 0xc0 && c != 0xd7 && c != 0xf7);
}

/*
 * Western text has its high bytes strewn among plain letters: hardly ever
 * three in a row, and signs such as the section sign never within a word,
 * where Polish has its letters.
 */
static bool
is_windows1252(const uint8_t *head, size_t bytes)
{
	size_t look = min_size(bytes, LOOK_BYTES * 8);
	size_t high = 0;
	size_t letters = 0;
	size_t run = 0;

	for (size_t i = 0; i < look; i++) {
		uint8_t c = head[i];
		bool within = i > 0 && i + 1 < look && is_letter(head[i - 1]) &&
			      is_letter(head[i + 1]);

		letters += is_letter(c);
		run = c >= 0x80 ? run + 1 : 0;
		high += c >= 0x80 && is_letter(c);
		if (run > 2 || c == 0x81 || c == 0x8d || c == 0x8f ||
		    c == 0x90 || c == 0x9d)
			return false;
		/* An apostrophe is within words, in Windows-1252. */
		if (c >= 0x80 && !is_letter(c) && within && c != 0x92)
			return false;
	}
	return high <= letters / 4 + 1;
}

/* Not UTF-8: what then? */
static enum collect_text
probe_high(const uint8_t *head, size_t bytes)
{
	const uint8_t *at = head;
	const uint8_t *end = head + bytes;
	size_t good = 0;
	size_t bad = 0;

	while ((at = utf8_skip_ascii(at, end)) < end) {
		size_t length = utf8_length(at, end);

		good += length > 0;
		bad += length == 0;
		at += length > 0 ? length : 1;
	}
	if (good > 4 * bad)
		return COLLECT_TEXT_UTF8_BAD;
	if (good <= bad / 16 && is_windows1252(head, bytes))
		return COLLECT_TEXT_WESTERN;
	/* pairs of other sets may pass for UTF-8 */
	return collect_text_guess(head, bytes);
}

/* Whether all of it is UTF-8; what is cut off at its end is, too, if asked. */
static bool
is_utf8(const uint8_t *at, const uint8_t *end, bool may_be_cut)
{
	at += tokenizer_valid_len(at, (size_t)(end - at));
	return at == end || (may_be_cut && utf8_is_cut(at, end));
}

enum collect_text
collect_text_probe(const void *head, size_t bytes, bool is_whole)
{
	const uint8_t *at = head;

	if (has_magic(at, bytes))
		return COLLECT_TEXT_BINARY;
	if (bytes >= 2 && at[0] == 0xff && at[1] == 0xfe)
		return probe_utf16(at, bytes, is_whole, COLLECT_TEXT_UTF16_LE);
	if (bytes >= 2 && at[0] == 0xfe && at[1] == 0xff)
		return probe_utf16(at, bytes, is_whole, COLLECT_TEXT_UTF16_BE);
	if (bytes > 0 && memchr(at, 0, bytes) != NULL)
		return memchr(at, 0, min_size(bytes, LOOK_BYTES)) != NULL
			       ? probe_nuls(at, bytes)
			       : COLLECT_TEXT_BINARY;
	if (has_controls(at, bytes))
		return COLLECT_TEXT_BINARY;
	if (is_utf8(at, at + bytes, !is_whole))
		return COLLECT_TEXT_UTF8;
	return probe_high(at, bytes);
}

static bool
has_mark(const uint8_t *text, size_t bytes)
{
	return bytes >= 2 && ((text[0] == 0xff && text[1] == 0xfe) ||
			      (text[0] == 0xfe && text[1] == 0xff));
}

uint8_t
collect_probe(const uint8_t *text, size_t bytes, bool is_whole,
	      uint8_t *charset)
{
	static const struct {
		uint8_t charset;
		uint8_t unmarked;
		uint8_t reason;
	} rows[] = {
		[COLLECT_TEXT_UTF8] = { .reason = REASON_NONE },
		[COLLECT_TEXT_UTF8_BAD] = { .reason = REASON_NONE },
		[COLLECT_TEXT_UTF16_LE] = { CHARSET_UTF16_LE,
					    CHARSET_UNMARKED_LE, REASON_NONE },
		[COLLECT_TEXT_UTF16_BE] = { CHARSET_UTF16_BE,
					    CHARSET_UNMARKED_BE, REASON_NONE },
		[COLLECT_TEXT_WESTERN] = { CHARSET_WESTERN, CHARSET_WESTERN,
					   REASON_NONE },
		[COLLECT_TEXT_GB18030] = { CHARSET_GB18030, CHARSET_GB18030,
					   REASON_NONE },
		[COLLECT_TEXT_SHIFT_JIS] = { CHARSET_SHIFT_JIS,
					     CHARSET_SHIFT_JIS, REASON_NONE },
		[COLLECT_TEXT_EUC_KR] = { CHARSET_EUC_KR, CHARSET_EUC_KR,
					  REASON_NONE },
		[COLLECT_TEXT_CYRILLIC] = { CHARSET_CYRILLIC, CHARSET_CYRILLIC,
					    REASON_NONE },
		[COLLECT_TEXT_UNKNOWN] = { .reason = REASON_ENCODING },
		[COLLECT_TEXT_BINARY] = { .reason = REASON_BINARY },
	};
	size_t head = min_size(bytes, LOOK_BYTES);
	enum collect_text is =
		collect_text_probe(text, head, is_whole && head == bytes);

	*charset = has_mark(text, bytes) ? rows[is].charset : rows[is].unmarked;
	return rows[is].reason;
}

bool
collect_text_goes_on(const uint8_t *part, size_t bytes, const uint8_t *ahead,
		     size_t ahead_bytes, uint32_t *carried)
{
	size_t at = min_size(*carried, bytes);
	uint8_t last[6];
	size_t left;
	size_t length;

	*carried -= (uint32_t)at;
	at += tokenizer_valid_len(part + at, bytes - at);
	left = bytes - at;
	if (left == 0)
		return true;
	if (left > 3)
		return false;
	memcpy(last, part + at, left);
	if (ahead_bytes > 0)
		memcpy(last + left, ahead, ahead_bytes);
	length = utf8_length(last, last + left + ahead_bytes);
	if (length <= left)
		return false;
	*carried = (uint32_t)(length - left);
	return true;
}
