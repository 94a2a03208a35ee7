/* SPDX-License-Identifier: MIT */
/*
 * test_survey_keep.c - what is kept of a survey comes back as it was.
 */
#include "tests/support/test_log.h"

#include "tests/support/test_survey_rig.h"

#include <fcntl.h>
#include <sys/stat.h>

#include "catalogue/findings.h"
#include "catalogue/survey.h"
#include "catalogue/words.h"
#include "supervisor/survey_keep.h"
#include "tokenizer/tokenizer.h"

#define BEGUN_NS 1000000000000 /* files of 1970 are old then */

static const struct survey_keeping how = { .begun_ns = BEGUN_NS,
					   .limit_bytes = 1ull << 30 };

static int
set_up_cache(void **state)
{
	uint8_t key[SURVEY_KEY_BYTES];

	set_up_run(state);
	assert_int_equal(tokenizer_open(&run.tokenizer, "o200k_base"), 0);
	assert_true(survey_key(&run, key));
	assert_int_equal(survey_path(place, sizeof(place), key), 0);
	return 0;
}

/* A file of two chunks, and with a name if it is asked for. */
static void
add(const char *path, const char *name)
{
	struct file_facts *facts = add_file(path, REASON_NONE, 200);
	struct table *table = &run.catalogue.names;
	struct names *names;
	struct name_entry entry = { .line = 3, .type = NAME_DEF };
	const uint64_t off = file_nr * 4096;

	add_chunk(30, 1, false);
	add_chunk(40, (uint8_t)file_nr, false);
	if (name == NULL)
		return;
	assert_int_equal(
		table_reserve(table, off + sizeof(*names) + NAMES_FILE_BYTES),
		0);
	names = table_at(table, off, sizeof(*names) + NAMES_FILE_BYTES);
	entry.bytes = (uint8_t)strlen(name);
	names->def_nr = 1;
	names->bytes = (uint32_t)sizeof(entry) + (entry.bytes + 3u) / 4 * 4;
	memcpy(names + 1, &entry, sizeof(entry));
	memcpy((uint8_t *)(names + 1) + sizeof(entry), name, entry.bytes);
	memcpy((uint8_t *)(names + 1) + names->bytes + NAMES_SUM_BYTES, path,
	       sizeof("src/a.c"));
	facts->signatures_bytes = NAMES_SUM_BYTES + sizeof("src/a.c");
	names_seal_signatures((uint8_t *)(names + 1) + names->bytes,
			      facts->signatures_bytes);
	facts->names_off = off + 1;
	facts->word_first = 5 * file_nr;
	facts->word_nr = 3;
	assert_int_equal(table_reserve(&run.catalogue.words, 4096), 0);
	memset(catalogue_words(&run.catalogue, facts->word_first, 3),
	       'a' + (int)file_nr, 3 * sizeof(uint64_t));
}

/* The survey of an earlier run, or no entries. */
static struct survey
read_back(void)
{
	uint8_t key[SURVEY_KEY_BYTES];
	struct survey survey = { 0 };
	int fd = open(place, O_RDONLY | O_CLOEXEC);

	assert_true(survey_key(&run, key));
	if (fd >= 0 && survey_open(&survey, fd, key) != 0)
		close(fd);
	return survey;
}

static uint32_t
find(const struct survey *survey, const char *path)
{
	return survey_find(survey, 0, path, strlen(path));
}

/* verifies: NFR-016c-17 */
static void
test_survey_keep_gives_back_what_was_found_out(void **state)
{
	static const char *const paths[] = { "src/a.c", "src/b.c", "src/c.c" };
	struct survey survey;

	add(paths[0], "first");
	add(paths[1], NULL);
	add(paths[2], "a_name_of_twenty_one");
	assert_int_equal(survey_keep(&run, &how), 0);
	survey = read_back();
	assert_int_equal(survey.head.entry_nr, 3);
	for (uint32_t i = 0; i < 3; i++) {
		const struct file_facts *facts =
			catalogue_facts(&run.catalogue, i);
		uint32_t found = find(&survey, paths[i]);
		struct surveyed got;

		assert_int_not_equal(found, 0);
		got = survey_at(&survey, found - 1);
		assert_int_equal(got.entry->facts.tokens, 70);
		assert_int_equal(got.entry->facts.chunk_nr, 2);
		for (uint32_t c = 0; c < 2; c++) {
			struct chunk_record want = *catalogue_chunk(
				&run.catalogue, facts->chunk_first + c);
			struct chunk_record is = *survey_chunk(
				&survey, got.entry->facts.chunk_first + c);

			is.file_idx = want.file_idx;
			assert_memory_equal(&is, &want, sizeof(is));
		}
		if (facts->names_off == 0) {
			assert_null(got.names);
			assert_null(got.words);
			continue;
		}
		/* the signatures behind them as well */
		assert_memory_equal(
			got.names, catalogue_names(&run.catalogue, facts),
			got.entry->names_bytes + facts->signatures_bytes);
		assert_int_equal(got.entry->facts.signatures_bytes,
				 facts->signatures_bytes);
		assert_true(survey_signatures_are_whole(&survey, found - 1));
		assert_int_equal(got.entry->facts.word_nr, 3);
		assert_memory_equal(
			got.words,
			catalogue_words(&run.catalogue, facts->word_first, 3),
			3 * sizeof(uint64_t));
	}
	assert_int_equal(find(&survey, "src/d.c"), 0);
	assert_int_equal(survey_find(&survey, 1, "src/a.c", 7), 0);
	table_close(&survey.table);
}

/* A file that might have changed since, or of which not all is known. */
static void
test_survey_keep_leaves_out_what_must_be_read_again(void **state)
{
	const int64_t now = BEGUN_NS + 1;
	struct survey survey;
	struct finding *finding;

	for (char path[] = "src/a.c"; path[4] < 'i'; path[4]++)
		add(path, NULL);
	catalogue_file(&run.catalogue, 0)->ctime_ns = now;
	catalogue_file(&run.catalogue, 1)->mtime_ns = now - 10000000;
	/* a file system that counts seconds */
	catalogue_file(&run.catalogue, 2)->ctime_ns = BEGUN_NS - 1000000000;
	catalogue_file(&run.catalogue, 3)->has_secrets = 1;
	catalogue_file(&run.catalogue, 4)->charset = CHARSET_UTF16_LE;
	catalogue_facts(&run.catalogue, 5)->reason = REASON_CHANGED;
	assert_int_equal(table_reserve(&run.catalogue.findings, 4096), 0);
	finding = catalogue_finding(&run.catalogue, 0);
	*finding = (struct finding){ .file_idx = 6 };
	store(&run.segment.control->finding_nr, 1);
	assert_int_equal(survey_keep(&run, &how), 0);
	survey = read_back();
	assert_int_equal(survey.head.entry_nr, 1);
	assert_int_not_equal(find(&survey, "src/h.c"), 0);
	table_close(&survey.table);
}

/* Chunks that were counted after the survey had estimated them. */
static void
test_survey_keep_leaves_out_counted_estimates(void **state)
{
	struct survey survey;

	add("src/a.c", NULL);
	add("src/b.c", NULL);
	add("src/c.c", NULL);
	atomic_store(&run.segment.control->estimated_from, 2);
	for (uint64_t i = 3; i < 6; i++)
		catalogue_chunk(&run.catalogue, i)->is_estimated = 1;
	assert_int_equal(survey_keep(&run, &how), 0);
	survey = read_back();
	/* of b.c one chunk was counted */
	assert_int_equal(find(&survey, "src/b.c"), 0);
	assert_int_equal(survey_entry(&survey, find(&survey, "src/a.c") - 1)
				 ->is_estimated,
			 0);
	assert_int_equal(survey_entry(&survey, find(&survey, "src/c.c") - 1)
				 ->is_estimated,
			 1);
	table_close(&survey.table);
}

/* Little that is new is not worth the writing of all. */
static void
test_survey_keep_writes_again_what_is_worth_it(void **state)
{
	struct stat before;
	struct stat after;

	for (char path[] = "src/a.c"; path[4] <= 'z'; path[4]++)
		for (path[5] = '0'; path[5] <= '9'; path[5]++)
			add(path, NULL);
	assert_int_equal(survey_keep(&run, &how), 0);
	assert_int_equal(stat(place, &before), 0);
	assert_int_equal(before.st_mode & 0777, 0600);
	survey_use(&run);
	assert_int_equal(run.catalogue.survey.head.entry_nr, file_nr);
	for (uint32_t i = 0; i < file_nr; i++)
		catalogue_facts(&run.catalogue, i)->names_off =
			names_surveyed(i, 0);
	catalogue_facts(&run.catalogue, 7)->names_off = 0;
	assert_int_equal(survey_keep(&run, &how), 0);
	assert_int_equal(stat(place, &after), 0);
	assert_int_equal(after.st_ino, before.st_ino);
	for (uint32_t i = 0; i < 20; i++) {
		catalogue_facts(&run.catalogue, i)->names_off = 0;
		catalogue_facts(&run.catalogue, i)->line_nr = 77;
	}
	assert_int_equal(survey_keep(&run, &how), 0);
	assert_int_equal(stat(place, &after), 0);
	assert_int_not_equal(after.st_ino, before.st_ino);
}

/* What does not fit is not written, and nothing else is removed for it. */
static void
test_survey_keep_of_one_that_is_larger_than_all_may_be(void **state)
{
	const struct survey_keeping small = { .begun_ns = BEGUN_NS,
					      .limit_bytes = 100 };
	struct stat st;

	add("src/a.c", NULL);
	assert_int_equal(survey_keep(&run, &small), -EFBIG);
	assert_int_equal(stat(place, &st), -1);
}

/* Where a survey says something else of a file that looks the same, the file is
 * named; and what is found out takes its place. */
static void
test_survey_keep_that_verifies_names_what_differs(void **state)
{
	const struct survey_keeping verify = { .begun_ns = BEGUN_NS,
					       .limit_bytes = 1ull << 30,
					       .verifies = true };
	struct survey survey;

	add("src/a.c", "first");
	add("src/b.c", NULL);
	add("src/c.c", NULL);
	assert_int_equal(survey_keep(&run, &how), 0);
	log_begin(DIAG_WARN);
	assert_int_equal(survey_keep(&run, &verify), 0);
	ASSERT_SILENT();
	catalogue_chunk(&run.catalogue, 3)->tokens++;
	/* it was written since */
	catalogue_file(&run.catalogue, 2)->mtime_ns++;
	catalogue_chunk(&run.catalogue, 4)->tokens++;
	log_begin(DIAG_WARN);
	assert_int_equal(survey_keep(&run, &verify), 0);
	assert_null(strstr(log_text(), "src/a.c"));
	assert_null(strstr(log_text(), "src/c.c"));
	ASSERT_SAID("src/b.c: the kept survey is of another");
	log_begin(DIAG_WARN);
	assert_int_equal(survey_keep(&run, &verify), 0);
	ASSERT_SILENT();
	survey = read_back();
	assert_int_equal(survey.head.entry_nr, 3);
	table_close(&survey.table);
}

int
main(void)
{
#define CASE(name) \
	cmocka_unit_test_setup_teardown(name, set_up_cache, tear_down_cache)
	const struct CMUnitTest tests[] = {
		CASE(test_survey_keep_gives_back_what_was_found_out),
		CASE(test_survey_keep_leaves_out_what_must_be_read_again),
		CASE(test_survey_keep_leaves_out_counted_estimates),
		CASE(test_survey_keep_writes_again_what_is_worth_it),
		CASE(test_survey_keep_of_one_that_is_larger_than_all_may_be),
		CASE(test_survey_keep_that_verifies_names_what_differs),
	};

	return cmocka_run_group_tests_name("supervisor/survey_keep", tests,
					   NULL, NULL);
}
