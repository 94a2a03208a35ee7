/* SPDX-License-Identifier: MIT */
/*
 * test_marker.c - words that say that something is open, wherever they stand.
 */
#include "tests/support/test_shm.h"

#include "base/base.h"
#include "lang/facts.h"

static const char *const words[] = {
#define MARKER(word) word,
#include "lang/marker.def"
#undef MARKER
};

static size_t
next(const char *text, size_t from, size_t *word_bytes)
{
	return lang_marker_next((const uint8_t *)text, from, strlen(text),
				word_bytes);
}

/* In blocks of sixteen bytes and behind the last one. */
static void
test_marker_is_found_at_every_place(void **state)
{
	for (size_t i = 0; i < ARRAY_LEN(words); i++) {
		for (size_t at = 0; at < 50; at++) {
			char text[128];
			size_t bytes = 0;

			memset(text, ' ', sizeof(text));
			memcpy(text + at, words[i], strlen(words[i]));
			text[at + strlen(words[i]) + i % 40] = '\0';
			ASSERT_EQ(next(text, 0, &bytes), at);
			ASSERT_EQ(bytes, strlen(words[i]));
			ASSERT_EQ(next(text, at + 1, &bytes), strlen(text));
		}
	}
}

static void
test_marker_is_a_word_of_its_own(void **state)
{
	static const struct {
		const char *before;
		const char *behind;
		bool is_one;
	} cases[] = {
		{ "", "", true },          { "(", ": x", true },
		{ "a", "", false },        { "", "s", false },
		{ "_", "", false },        { "", "9", false },
		{ "\xc3\xa9", "", false }, { "-", "-", true },
	};

	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		char text[64];
		size_t bytes;
		size_t want;

		snprintf(text, sizeof(text), "%s%s%s", cases[i].before,
			 words[0], cases[i].behind);
		want = cases[i].is_one ? strlen(cases[i].before) : strlen(text);
		ASSERT_EQ(next(text, 0, &bytes), want);
	}
}

/* What the fast search finds is what a slow one does. */
static void
test_chunk_marker_next_against_a_slow_search(void **state)
{
	static const char bits[] = "TODFIXMEHACK_ .\n";
	uint8_t noise[96];
	uint32_t seed = 7;

	for (int round = 0; round < 20000; round++) {
		size_t nr = sizeof(noise) - (size_t)round % 40;
		size_t want = 0;
		size_t got = 0;
		size_t word_bytes;
		size_t at = 0;

		for (size_t i = 0; i < nr; i++) {
			seed = seed * 1664525 + 1013904223;
			noise[i] = (uint8_t)bits[seed >> 28];
		}
		memcpy(noise + (seed >> 8) % (nr - 8), words[seed >> 30],
		       strlen(words[seed >> 30]));
		for (size_t i = 0; i < nr; i++)
			for (size_t w = 0; w < ARRAY_LEN(words); w++) {
				size_t k = strlen(words[w]);

				want += nr - i >= k &&
					memcmp(noise + i, words[w], k) == 0 &&
					(i == 0 ||
					 strchr(" .\n", noise[i - 1])) &&
					(i + k == nr ||
					 strchr(" .\n", noise[i + k]));
			}
		while ((at = lang_marker_next(noise, at, nr, &word_bytes)) <
		       nr) {
			got++;
			at += word_bytes;
		}
		ASSERT_EQ(got, want);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_marker_is_found_at_every_place),
		cmocka_unit_test(test_marker_is_a_word_of_its_own),
		cmocka_unit_test(test_chunk_marker_next_against_a_slow_search),
	};

	return cmocka_run_group_tests_name("lang/marker", tests, NULL, NULL);
}
