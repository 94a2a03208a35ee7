/* SPDX-License-Identifier: MIT */
/*
 * test_survey_write.c - what is written of files can be read again.
 */
#include "tests/support/test_survey_file.h"

#include "supervisor/survey_write.h"

#define FILES 300

static const uint8_t key[SURVEY_KEY_BYTES] = "key";
static struct catalogue catalogue;

/* A file of one chunk, whose path and content are its number: every third is of
 * the content of file 0. */
static bool
next_number(const void *context, uint64_t *at, struct survey_item *item)
{
	static char path[16];
	uint64_t content = *at % 3 == 0 ? 0 : *at;

	if (*at == FILES)
		return false;
	*item = (struct survey_item){
		.entry.file.path_bytes = (uint32_t)snprintf(
			path, sizeof(path), "src/%ju", (uintmax_t)*at),
		.entry.file.size_bytes = sizeof(content),
		.entry.facts.bytes = sizeof(content),
		.entry.facts.chunk_nr = 1,
		.entry.facts.no_newline = 1,
		.surveyed.path = (const uint8_t *)path,
		.catalogue = &catalogue,
		.chunk_first = *at,
	};
	sha256_of(&content, sizeof(content), item->entry.content.sha256);
	(*at)++;
	return true;
}

static void
open_written(struct survey *survey, const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);

	ASSERT_EQ(survey_open(survey, fd, key), 0);
}

static void
assert_files(const struct survey *survey)
{
	for (uint64_t i = 0; i < FILES; i++) {
		uint64_t number = i % 3 == 0 ? 0 : i;
		struct content_record content;
		char path[16];
		uint32_t found;
		int nr = snprintf(path, sizeof(path), "src/%ju", (uintmax_t)i);

		found = survey_find(survey, 0, path, (size_t)nr);
		ASSERT_EQ(found, i + 1);
		assert_true(survey_entry_is_whole(survey, found - 1));
		ASSERT_EQ(survey_chunk(survey, survey_entry(survey, found - 1)
						       ->facts.chunk_first)
				  ->tokens,
			  7 * i);
		sha256_of(&number, sizeof(number), content.sha256);
		ASSERT_EQ(survey_find_content(survey, &content), number + 1);
	}
}

static void
test_survey_write_gives_each_file_back_and_each_content(void **state)
{
	struct survey_writer writer = { .label = "label",
					.label_bytes = 6,
					.next = next_number };
	struct survey_list list;
	struct survey survey;
	char *label;

	ASSERT_EQ(catalogue_create(&catalogue), 0);
	ASSERT_EQ(table_reserve(&catalogue.chunks,
				FILES * sizeof(struct chunk_record)),
		  0);
	for (uint64_t i = 0; i < FILES; i++)
		catalogue_chunk(&catalogue, i)->tokens = (uint32_t)(7 * i);
	memcpy(writer.head.key, key, sizeof(key));
	ASSERT_EQ(survey_measure(&writer), 0);
	ASSERT_EQ(writer.head.content_bytes, FILES * sizeof(uint64_t));
	ASSERT_EQ(survey_write(&writer, "one"), 0);
	open_written(&survey, "one");
	assert_files(&survey);
	ASSERT_EQ(survey_read_label(table_fd(&survey.table), &survey.head, &label), 0);
	assert_string_equal(label, "label");
	free(label);
	/* and again from there */
	list = (struct survey_list){ &survey, 1 };
	writer.next = survey_next_of_list;
	writer.context = &list;
	ASSERT_EQ(survey_measure(&writer), 0);
	ASSERT_EQ(survey_write(&writer, "other"), 0);
	table_close(&survey.table);
	open_written(&survey, "other");
	assert_files(&survey);
	table_close(&survey.table);
	ASSERT_EQ(system("cmp one other"), 0);
	catalogue_close(&catalogue);
}

static void
test_survey_measure_refuses_a_label_that_is_too_long(void **state)
{
	struct survey_writer writer = { .label = "",
					.label_bytes = SURVEY_LABEL_BYTES + 1,
					.next = next_number };

	ASSERT_EQ(survey_measure(&writer), -ENAMETOOLONG);
}

int
main(void)
{
#define CASE(name) \
	cmocka_unit_test_setup_teardown(name, dir_set_up, dir_tear_down)
	const struct CMUnitTest tests[] = {
		CASE(test_survey_write_gives_each_file_back_and_each_content),
		CASE(test_survey_measure_refuses_a_label_that_is_too_long),
	};

	return cmocka_run_group_tests_name("supervisor/survey_write", tests,
					   NULL, NULL);
}
