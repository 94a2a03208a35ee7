/* SPDX-License-Identifier: MIT */
/*
 * test_chunk_estimate.c - estimated tokens against a scalar sum of the same
 *                         weights, and against the counts of real sources.
 */
#include "tests/support/test_shm.h"

#include <ctype.h>
#include <dirent.h>
#include <stdio.h>

#include "stages/chunk/chunk_estimate.h"
#include "tokenizer/tokenizer.h"

#define TEXT_ROOM (1u << 20)
#define PIECE_BYTES 3000

static uint8_t text[TEXT_ROOM];

enum kind { BLANK, MARK, LETTER, DIGIT, FOREIGN };

static enum kind
kind_of(uint8_t byte)
{
	if (byte >= 128)
		return FOREIGN;
	if (byte <= ' ')
		return BLANK;
	if (isdigit(byte))
		return DIGIT;
	return isalpha(byte) ? LETTER : MARK;
}

static bool
is_word(const uint8_t *bytes, size_t at)
{
	return kind_of(bytes[at]) == LETTER || kind_of(bytes[at]) == DIGIT;
}

/* Byte by byte; what reaches over the border of 64 bytes does not count. */
static uint64_t
scalar(const uint8_t *bytes, size_t nr)
{
	uint64_t sum = 0;
	size_t word = 0;

	for (size_t i = 0; i < nr; i++) {
		enum kind kind = kind_of(bytes[i]);
		bool is_new = i == 0 || kind_of(bytes[i - 1]) != kind;

		word = !is_word(bytes, i) ? 0 : i % 64 == 0 ? 1 : word + 1;
		if (word > 0)
			sum += 116;
		if (word > 15)
			sum += 300;
		if (word > 1 && is_new)
			sum += 404;
		sum += is_new && kind == DIGIT   ? 1186
		       : is_new && kind == MARK  ? 1163
		       : is_new && kind == BLANK ? 567
		       : kind == FOREIGN         ? 190
						 : 0;
	}
	return nr == 0 ? 0 : sum / 1024 + 1;
}

static void
test_chunk_estimate_is_the_sum_of_its_weights(void **state)
{
	static const char bytes[] = "abcdefgh0123ABC  \n\t;;=(){}_\377\303\251\177";
	uint64_t seed = 7;

	ASSERT_EQ(chunk_estimate(text, 0), 0);
	for (int round = 0; round < 4000; round++) {
		size_t nr = random_next(&seed) % 400;
		uint64_t few = 1 + random_next(&seed) % (sizeof(bytes) - 1);

		for (size_t i = 0; i < nr; i++)
			text[i] = (uint8_t)bytes[random_next(&seed) % few];
		ASSERT_EQ(chunk_estimate_portable(text, nr),
			  scalar(text, nr));
		ASSERT_EQ(chunk_estimate(text, nr),
			  scalar(text, nr));
	}
}

/* Pieces of the files of a folder: how many there are, and how many come to
 * less than two thirds or more than three halves of what they are counted. */
static void
add_folder(const struct tokenizer *tokenizer, const char *folder,
	   unsigned *piece_nr, unsigned *far_nr)
{
	DIR *dir = opendir(folder);
	struct dirent *entry;

	ASSERT_TRUE(dir != NULL);
	while ((entry = readdir(dir)) != NULL) {
		char path[512];
		FILE *file;
		size_t nr;

		snprintf(path, sizeof(path), "%s/%s", folder, entry->d_name);
		if (strchr(entry->d_name, '.') == NULL ||
		    entry->d_name[0] == '.')
			continue;
		file = fopen(path, "rb");
		ASSERT_TRUE(file != NULL);
		nr = fread(text, 1, sizeof(text), file);
		fclose(file);
		for (size_t at = 0; at + PIECE_BYTES <= nr; at += PIECE_BYTES) {
			uint64_t is = tokenizer_count(tokenizer, NULL,
						      text + at, PIECE_BYTES);
			uint64_t got = chunk_estimate(text + at,
						      PIECE_BYTES);

			(*piece_nr)++;
			*far_nr += 3 * got < 2 * is || 2 * got > 3 * is;
		}
	}
	closedir(dir);
}

static void
test_chunk_estimate_is_near_the_count_of_sources(void **state)
{
	static const char *const folders[] = { "docs", "tokenizer", "cli",
					       "tests/system", "bench" };
	const struct tokenizer *tokenizer;
	unsigned piece_nr = 0;
	unsigned far_nr = 0;

	ASSERT_EQ(tokenizer_open(&tokenizer, "o200k_base"), 0);
	for (size_t i = 0; i < ARRAY_LEN(folders); i++)
		add_folder(tokenizer, folders[i], &piece_nr, &far_nr);
	ASSERT_TRUE(piece_nr > 300);
	/* one in two hundred at most */
	ASSERT_TRUE(far_nr * 200 <= piece_nr);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_chunk_estimate_is_the_sum_of_its_weights),
		cmocka_unit_test(
			test_chunk_estimate_is_near_the_count_of_sources),
	};

	return cmocka_run_group_tests_name("chunk/estimate", tests, NULL,
					   NULL);
}
