/* SPDX-License-Identifier: MIT */
/*
 * collect_guess.c - East Asian and Cyrillic sets, told from each other.
 *
 * Does: counts what is common in texts of each, of which others have little.
 * Does not: convert (collect_convert.c).
 * Limits: Big5, EUC-JP, KOI8-R and the sets of other languages are UNKNOWN, as
 *         is a text of a few words: left out rather than garbled.
 */
#include "stages/collect/collect.h"

#include <string.h>

#include "base/charset.h"

#define PAIRS_FEW 4   /* too little to judge by */
#define HANGUL_FEW 20 /* Chinese of fewer may lie in the same rows */
#define CYRILLIC_FEW 8

struct pair_counts {
	size_t pairs;
	size_t bad;     /* no character of the set */
	size_t singles; /* high bytes that are a character */
	size_t kana;    /* as Shift-JIS has them */
	size_t rows;    /* both bytes from 0xa1: GB 2312 and KS X 1001 */
	size_t words;   /* of these, hanzi or hangul or hanja */
	size_t hangul;  /* rows of hangul in KS X 1001 */
	size_t level1;  /* rows of the common hanzi in GB 2312 */
	size_t gb_kana; /* rows of kana in GB 2312, and in EUC-JP */
};

static void
count_pair(struct pair_counts *counts, uint8_t lead, uint8_t trail)
{
	bool in_rows = lead >= 0xa1 && trail >= 0xa1;

	counts->pairs++;
	counts->kana += (lead == 0x82 && trail >= 0x9f && trail <= 0xf1) ||
			(lead == 0x83 && trail <= 0x96);
	counts->rows += in_rows;
	counts->words += in_rows && lead >= 0xb0;
	counts->hangul += in_rows && lead >= 0xb0 && lead <= 0xc8;
	counts->level1 += in_rows && lead >= 0xb0 && lead <= 0xd7;
	counts->gb_kana += in_rows && (lead == 0xa4 || lead == 0xa5);
}

static struct pair_counts
count_pairs(enum charset_pairs set, const uint8_t *text, size_t bytes)
{
	struct pair_counts counts = { .pairs = 0 };

	for (size_t i = 0; i < bytes; i++) {
		if (text[i] < 0x80)
			continue;
		if (charset_single(set, text[i]) != 0) {
			counts.singles++;
			continue;
		}
		if (i + 1 == bytes)
			break;
		if (charset_pair(set, text[i], text[i + 1]) == 0)
			counts.bad++;
		else
			count_pair(&counts, text[i], text[i + 1]);
		i++;
	}
	return counts;
}

static bool
is_shift_jis(const uint8_t *text, size_t bytes)
{
	struct pair_counts is =
		count_pairs(CHARSET_PAIRS_SHIFT_JIS, text, bytes);

	return is.bad == 0 && is.pairs >= PAIRS_FEW &&
	       is.kana * 5 >= is.pairs && is.singles * 5 <= is.pairs;
}

static bool
is_euc_kr(const uint8_t *text, size_t bytes)
{
	struct pair_counts is = count_pairs(CHARSET_PAIRS_EUC_KR, text, bytes);

	return is.bad == 0 && is.words >= HANGUL_FEW &&
	       is.hangul * 20 >= is.words * 19;
}

/* Big5 has half of its second bytes in ASCII's range, EUC-JP its kana in the
 * rows of GB 2312's, and Korean of a few words is all hangul. */
static bool
is_gb18030(const uint8_t *text, size_t bytes)
{
	struct pair_counts is = count_pairs(CHARSET_PAIRS_GB18030, text, bytes);

	return is.bad == 0 && is.words >= PAIRS_FEW &&
	       is.rows * 10 >= is.pairs * 9 && is.level1 * 10 >= is.words * 7 &&
	       is.gb_kana * 20 <= is.pairs && is.hangul < is.words;
}

/* io, Ukrainian ie, i, yi and ghe, in both cases */
static const char small_others[] = "\xb8\xba\xb3\xbf\xb4";
static const char capital_others[] = "\xa8\xaa\xb2\xaf\xa5";

/*
 * Words of Cyrillic letters, most of them small. KOI8-R has its small letters
 * where these have the capitals; Greek and Hebrew lack the frequent vowels, or
 * the letters behind them.
 */
static bool
is_cyrillic(const uint8_t *text, size_t bytes)
{
	size_t small = 0;
	size_t capital = 0;
	size_t high = 0;
	size_t vowels = 0; /* a, e, i, o */
	size_t last = 0;   /* yery, soft sign, e, yu, ya */
	size_t words = 0;

	for (size_t i = 0; i < bytes; i++) {
		uint8_t c = text[i];

		if (c < 0x80)
			continue;
		high++;
		small += c >= 0xe0 || strchr(small_others, c) != NULL;
		capital += (c >= 0xc0 && c < 0xe0) ||
			   strchr(capital_others, c) != NULL;
		vowels += c == 0xe0 || c == 0xe5 || c == 0xe8 || c == 0xee;
		last += c >= 0xfb;
		words += i == 0 || text[i - 1] < 0x80;
	}
	return small >= CYRILLIC_FEW && small >= 2 * capital &&
	       (small + capital) * 11 >= high * 10 && vowels * 9 >= small * 2 &&
	       last > 0 && words * 5 <= (small + capital) * 2;
}

enum collect_text
collect_text_guess(const uint8_t *head, size_t bytes)
{
	if (is_shift_jis(head, bytes))
		return COLLECT_TEXT_SHIFT_JIS;
	if (is_euc_kr(head, bytes))
		return COLLECT_TEXT_EUC_KR;
	if (is_gb18030(head, bytes))
		return COLLECT_TEXT_GB18030;
	return is_cyrillic(head, bytes) ? COLLECT_TEXT_CYRILLIC
					: COLLECT_TEXT_UNKNOWN;
}
