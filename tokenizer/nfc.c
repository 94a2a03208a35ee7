/* SPDX-License-Identifier: MIT */
/*
 * nfc.c - brings text that comes in pieces to NFC.
 *
 *   text --> normal whatever follows? --yes--> out, as it lies
 *                     | no
 *                     v
 *            taken apart, marks put in order, composed --> out
 *
 * The first way goes from a place where nothing is composed or moved across
 * (is_boundary()) to the last such place that it can see.
 */
#include "tokenizer/nfc.h"

#include <string.h>

#include "base/utf8.h"

#define RUN_BITS 11
#define RUN_MARK(run) ((run) >> RUN_BITS)
#define RUN_MORE(run) ((run) & ((UINT32_C(1) << RUN_BITS) - 1))
#define RUN_MORE_MAX ((UINT32_C(1) << RUN_BITS) - 1)

/* Hangul syllables are computed: The Unicode Standard, chapter 3.12. */
#define HANGUL_FIRST 0xac00u
#define HANGUL_NR 11172u
#define LEAD_FIRST 0x1100u
#define LEAD_NR 19u
#define VOWEL_FIRST 0x1161u
#define VOWEL_NR 21u
#define TAIL_BEFORE 0x11a7u
#define TAIL_NR 28u

/* Shorter normal text is copied, so that what is put is not too short. */
#define COPY_BYTES 256
#define OUT_BYTES 1024

/* Normal text on its way out. */
struct out {
	nfc_put *put;
	void *to;
	size_t len;
	uint8_t bytes[OUT_BYTES];
};

static const struct nfc_fact *
fact_of(uint32_t code)
{
	const struct nfc_table *table = &image_nfc;
	const uint8_t *facts = (const uint8_t *)table + table->facts_off;
	uint32_t at = table->blocks[code >> 7] * UINT32_C(128) + (code & 127);

	return (const struct nfc_fact *)(const void *)facts +
	       table->numbers[at];
}

static uint32_t
ccc_of(uint32_t code)
{
	return fact_of(code)->ccc;
}

static uint32_t
compose_hangul(uint32_t first, uint32_t second)
{
	uint32_t syllable = first - HANGUL_FIRST;

	if (first - LEAD_FIRST < LEAD_NR && second - VOWEL_FIRST < VOWEL_NR)
		return HANGUL_FIRST + ((first - LEAD_FIRST) * VOWEL_NR +
				       second - VOWEL_FIRST) *
					      TAIL_NR;
	if (syllable < HANGUL_NR && syllable % TAIL_NR == 0 &&
	    second - TAIL_BEFORE - 1 < TAIL_NR - 1)
		return first + second - TAIL_BEFORE;
	return 0;
}

/* What two code points are composed to; 0: they are not. */
static uint32_t
compose(uint32_t first, uint32_t second)
{
	const struct nfc_table *table = &image_nfc;
	const uint8_t *bytes = (const uint8_t *)table + table->pairs_off;
	const struct nfc_pair *pairs = (const void *)bytes;
	uint32_t from = 0, to = table->pairs_nr;

	if (!(fact_of(second)->flags & NFC_BEHIND))
		return 0;
	while (from < to) {
		uint32_t at = from + (to - from) / 2;
		const struct nfc_pair *pair = &pairs[at];

		if (pair->first == first && pair->second == second)
			return pair->composed;
		if (pair->first < first ||
		    (pair->first == first && pair->second < second))
			from = at + 1;
		else
			to = at;
	}
	return compose_hangul(first, second);
}

static void
out_flush(struct out *out)
{
	if (out->len > 0)
		out->put(out->to, out->bytes, out->len);
	out->len = 0;
}

/* Text that stays where it is until it has been put. */
static void
out_text(struct out *out, const uint8_t *text, size_t len)
{
	if (len > sizeof(out->bytes) - out->len)
		out_flush(out);
	if (len > COPY_BYTES) {
		out_flush(out);
		out->put(out->to, text, len);
		return;
	}
	memcpy(out->bytes + out->len, text, len);
	out->len += len;
}

static void
out_code(struct out *out, uint32_t code)
{
	char bytes[4];
	size_t len = utf8_put(bytes, code);

	out_text(out, (const uint8_t *)bytes, len);
}

/*
 * Composes what is held back. A mark is composed with the character unless
 * one that is left between them has the same class; marks are in order, so
 * that it is the one before it.
 */
static void
compose_held(struct nfc *nfc)
{
	uint32_t left_ccc = 0, kept = 0, i;

	if (!nfc->has_starter)
		return;
	for (i = 0; i < nfc->runs_nr; i++) {
		uint32_t mark = RUN_MARK(nfc->runs[i]);
		uint32_t nr = RUN_MORE(nfc->runs[i]) + 1, ccc = ccc_of(mark);

		while (nr > 0 && ccc != left_ccc) {
			uint32_t both = compose(nfc->starter, mark);

			if (both == 0)
				break;
			nfc->starter = both;
			nr--;
		}
		if (nr == 0)
			continue;
		left_ccc = ccc;
		nfc->runs[kept++] = mark << RUN_BITS | (nr - 1);
	}
	nfc->runs_nr = (uint16_t)kept;
}

static void
put_held(struct nfc *nfc, struct out *out)
{
	uint32_t i, nr;

	compose_held(nfc);
	if (nfc->has_starter)
		out_code(out, nfc->starter);
	for (i = 0; i < nfc->runs_nr; i++)
		for (nr = RUN_MORE(nfc->runs[i]) + 1; nr > 0; nr--)
			out_code(out, RUN_MARK(nfc->runs[i]));
	nfc->has_starter = 0;
	nfc->runs_nr = 0;
}

/* Puts a mark behind all those whose class is not greater. */
static void
hold_mark(struct nfc *nfc, uint32_t mark, uint32_t ccc, struct out *out)
{
	uint32_t at = 0, to = nfc->runs_nr;

	while (at < to) {
		uint32_t middle = at + (to - at) / 2;

		if (ccc_of(RUN_MARK(nfc->runs[middle])) <= ccc)
			at = middle + 1;
		else
			to = middle;
	}
	if (at > 0 && RUN_MARK(nfc->runs[at - 1]) == mark &&
	    RUN_MORE(nfc->runs[at - 1]) < RUN_MORE_MAX) {
		nfc->runs[at - 1]++;
		return;
	}
	if (nfc->runs_nr == NFC_RUNS) {
		put_held(nfc, out);
		at = 0;
	}
	memmove(nfc->runs + at + 1, nfc->runs + at,
		(nfc->runs_nr - at) * sizeof(nfc->runs[0]));
	nfc->runs[at] = mark << RUN_BITS;
	nfc->runs_nr++;
}

/* A code point that is made of nothing else. */
static void
take_part(struct nfc *nfc, uint32_t code, struct out *out)
{
	uint32_t both, ccc = ccc_of(code);

	if (ccc != 0) {
		hold_mark(nfc, code, ccc, out);
		return;
	}
	compose_held(nfc);
	if (nfc->has_starter && nfc->runs_nr == 0) {
		both = compose(nfc->starter, code);
		if (both != 0) {
			nfc->starter = both;
			return;
		}
	}
	put_held(nfc, out);
	nfc->has_starter = 1;
	nfc->starter = code;
}

static void
take(struct nfc *nfc, uint32_t code, struct out *out)
{
	uint32_t seconds[8], nr = 0, syllable = code - HANGUL_FIRST;
	const struct nfc_fact *fact;

	if (syllable < HANGUL_NR) {
		take_part(nfc, LEAD_FIRST + syllable / TAIL_NR / VOWEL_NR, out);
		take_part(nfc, VOWEL_FIRST + syllable / TAIL_NR % VOWEL_NR,
			  out);
		if (syllable % TAIL_NR != 0)
			take_part(nfc, TAIL_BEFORE + syllable % TAIL_NR, out);
		return;
	}
	/* Second parts are not made of others; first parts may be. */
	while ((fact = fact_of(code))->first != 0 && nr < 8) {
		if (fact->second != 0)
			seconds[nr++] = fact->second;
		code = fact->first;
	}
	take_part(nfc, code, out);
	while (nr > 0)
		take_part(nfc, seconds[--nr], out);
}

/* Below U+0300 and from U+4000 to U+9FFF there is nothing to know. */
static bool
is_plain(uint32_t code)
{
	return code < 0x300 || code - 0x4000 < 0x6000;
}

/* Whether nothing is composed with or moved before a code point. */
static bool
is_boundary(uint32_t code)
{
	const struct nfc_fact *fact;

	if (is_plain(code))
		return true;
	fact = fact_of(code);
	return fact->ccc == 0 && fact->flags == 0;
}

/* The bytes of ASCII at the beginning, in steps of eight. */
static size_t
ascii_len(const uint8_t *text, size_t len)
{
	size_t at = 0;

	while (len - at >= 32) {
		uint64_t words[4];

		memcpy(words, text + at, sizeof(words));
		if ((words[0] | words[1] | words[2] | words[3]) &
		    UINT64_C(0x8080808080808080))
			break;
		at += 32;
	}
	while (at < len && text[at] < 0x80)
		at++;
	return at;
}

/*
 * Goes through text as far as it is normal; the place of the last border. All
 * before it is normal whatever follows.
 */
static size_t
scan(const uint8_t *text, size_t len, size_t *normal_len)
{
	size_t at = 0, boundary = 0;
	uint32_t last_ccc = 0;

	while (at < len) {
		const struct nfc_fact *fact;
		uint32_t code;
		size_t bytes;

		if (text[at] < 0x80) {
			at += ascii_len(text + at, len - at);
			boundary = at - 1;
			last_ccc = 0;
			continue;
		}
		bytes = unicode_read(text + at, &code);
		if (!is_plain(code)) {
			fact = fact_of(code);
			if (fact->flags != 0 ||
			    (fact->ccc != 0 && fact->ccc < last_ccc))
				break;
			last_ccc = fact->ccc;
		} else {
			last_ccc = 0;
		}
		if (last_ccc == 0)
			boundary = at;
		at += bytes;
	}
	*normal_len = at;
	return boundary;
}

void
nfc_init(struct nfc *nfc)
{
	nfc->has_starter = 0;
	nfc->runs_nr = 0;
}

void
nfc_feed(struct nfc *nfc, const uint8_t *text, size_t len, nfc_put *put,
	 void *to)
{
	struct out out;
	size_t at = 0;

	out.put = put;
	out.to = to;
	out.len = 0;
	while (at < len) {
		size_t normal_len, boundary, bytes;
		uint32_t code;

		bytes = unicode_read(text + at, &code);
		if (is_boundary(code)) {
			put_held(nfc, &out);
			boundary = scan(text + at, len - at, &normal_len);
			out_text(&out, text + at, boundary);
			at += boundary;
			bytes = unicode_read(text + at, &code);
		}
		take(nfc, code, &out);
		at += bytes;
	}
	out_flush(&out);
}

void
nfc_end(struct nfc *nfc, nfc_put *put, void *to)
{
	struct out out;

	out.put = put;
	out.to = to;
	out.len = 0;
	put_held(nfc, &out);
	out_flush(&out);
}

bool
nfc_is_normal(const uint8_t *text, size_t len)
{
	size_t normal_len;

	scan(text, len, &normal_len);
	return normal_len == len;
}
