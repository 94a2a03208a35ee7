/* SPDX-License-Identifier: MIT */
/*
 * test_collect_heat.c - lines that came with the last versions.
 */
#include "tests/support/test_shm.h"

#include "stages/collect/collect_heat.h"

#define TEXT(text) (const uint8_t *)(text), sizeof(text) - 1

static struct collect_heat heat;

static void
test_collect_heat_tells_lines_by_their_version(void **state)
{
	const struct heat_span newest = { .heat = 800, .commit_nr = 1 };
	const struct heat_span older = { .heat = 600, .commit_nr = 2 };
	struct history_lines lines[8];
	uint32_t nr;

	collect_heat_begin(&heat, TEXT("old\nnew 1\nnew 2\n\tmid\nold 2\nnew 3"
				       "\nnew 4"));
	/* what is indented otherwise is the same; order does not matter */
	collect_heat_version(&heat, TEXT("old 2\n  mid\nold\n"), &newest);
	collect_heat_version(&heat, TEXT("old\nold 2"), &older);
	nr = collect_heat_lines(&heat, lines, ARRAY_LEN(lines));
	ASSERT_EQ(nr, 3);
	/* new 1, and the line before it */
	ASSERT_EQ(lines[0].first, 1);
	ASSERT_EQ(lines[0].nr, 2);
	ASSERT_EQ(lines[0].heat, 800 / 2); /* four lines of one commit */
	/* mid, and those beside it, of which one is less hot itself */
	ASSERT_EQ(lines[1].first, 3);
	ASSERT_EQ(lines[1].nr, 3);
	ASSERT_EQ(lines[1].heat, 600); /* one of two */
	ASSERT_EQ(lines[2].first, 6);
	ASSERT_EQ(lines[2].nr, 2);
	ASSERT_EQ(lines[2].heat, 800 / 2);
	ASSERT_EQ(collect_heat_lines(&heat, lines, 2), 2);
}

static void
test_collect_heat_of_what_is_empty_or_the_same_is_none(void **state)
{
	const struct heat_span span = { .heat = 800, .commit_nr = 1 };
	struct history_lines lines[1];

	collect_heat_begin(&heat, TEXT(""));
	collect_heat_version(&heat, TEXT("a\n"), &span);
	ASSERT_EQ(collect_heat_lines(&heat, lines, 1), 0);
	collect_heat_begin(&heat, TEXT("a\nb\n"));
	ASSERT_EQ(collect_heat_lines(&heat, lines, 1), 0);
	for (int i = 0; i < COLLECT_HEAT_VERSIONS; i++)
		collect_heat_version(&heat, TEXT("a\nb\n"), &span);
	/* no more than so many */
	collect_heat_version(&heat, TEXT(""), &span);
	ASSERT_EQ(collect_heat_lines(&heat, lines, 1), 0);
}

/* A text of lines from a few words, with or without a newline at its end. */
static size_t
make_text(char *text, unsigned *seed, int nr)
{
	size_t bytes = 0;

	for (int i = 0; i < nr; i++)
		bytes += (size_t)sprintf(text + bytes, "%sword %d\n",
					 rand_r(seed) % 4 == 0 ? " " : "",
					 rand_r(seed) % 40);
	return bytes - (size_t)(bytes > 0 && rand_r(seed) % 2 == 0);
}

/* Whether a version has that line anywhere, compared one by one. */
static bool
has_line(const char *text, size_t bytes, const char *line, size_t line_bytes)
{
	const char *end = text + bytes;

	while (text < end) {
		const char *newline = memchr(text, '\n', (size_t)(end - text));
		const char *to = newline == NULL ? end : newline;

		while (text < to && *text == ' ')
			text++;
		if ((size_t)(to - text) == line_bytes &&
		    memcmp(text, line, line_bytes) == 0)
			return true;
		text = to + 1;
	}
	return false;
}

/* Versions that begin and end as the text does, against a search line by line. */
static void
test_collect_heat_is_what_a_search_finds(void **state)
{
	const struct heat_span span = { .heat = 1 << 20, .commit_nr = 1 };
	static char texts[2][4096];
	unsigned seed = 7;

	for (int round = 0; round < 3000; round++) {
		size_t bytes = make_text(texts[0], &seed, rand_r(&seed) % 30);
		size_t cut = bytes == 0 ? 0 : (size_t)rand_r(&seed) % bytes;
		size_t gone = min_size(bytes - cut, (size_t)rand_r(&seed) % 60);
		size_t added;
		struct history_lines lines[64];
		uint32_t nr;
		uint32_t line_nr = 0;
		uint32_t at = 0;
		bool is_hot[64] = { false };
		bool is_new[64] = { false };

		memcpy(texts[1], texts[0], cut);
		added = make_text(texts[1] + cut, &seed, rand_r(&seed) % 4);
		memcpy(texts[1] + cut + added, texts[0] + cut + gone,
		       bytes - cut - gone);
		collect_heat_begin(&heat, (const uint8_t *)texts[0], bytes);
		collect_heat_version(&heat, (const uint8_t *)texts[1],
				     bytes - gone + added, &span);
		nr = collect_heat_lines(&heat, lines, ARRAY_LEN(lines));
		for (uint32_t i = 0; i < nr; i++)
			for (uint32_t k = 0; k < lines[i].nr; k++)
				is_hot[lines[i].first - 1 + k] = true;
		while (at < bytes) {
			const char *newline =
				memchr(texts[0] + at, '\n', bytes - at);
			uint32_t to = newline == NULL
					      ? (uint32_t)bytes
					      : (uint32_t)(newline - texts[0]);

			while (at < to && texts[0][at] == ' ')
				at++;
			is_new[line_nr++] =
				!has_line(texts[1], bytes - gone + added,
					  texts[0] + at, to - at);
			at = to + 1;
		}
		for (uint32_t i = 0; i < line_nr; i++)
			ASSERT_EQ(is_hot[i], is_new[i] ||
						     (i > 0 && is_new[i - 1]) ||
						     is_new[i + 1]);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
			test_collect_heat_tells_lines_by_their_version),
		cmocka_unit_test(
			test_collect_heat_of_what_is_empty_or_the_same_is_none),
		cmocka_unit_test(test_collect_heat_is_what_a_search_finds),
	};

	return cmocka_run_group_tests_name("collect/collect_heat", tests, NULL,
					   NULL);
}
