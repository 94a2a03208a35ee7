/* SPDX-License-Identifier: MIT */
/*
 * test_batch_manifest.c - lines of a manifest, and which of them still hold.
 */
#include "tests/support/test_dir.h"

#include <fcntl.h>

#include "base/sha256.h"
#include "cli/batch.h"

#define LINES "one\ntwo\nthree\n"

static struct batch_list list;
static struct batch_manifest manifest;

static void
open_manifest(uint64_t options)
{
	batch_list_fini(&list);
	ASSERT_EQ(batch_list_read(&list, LINES, strlen(LINES), ".md"), 0);
	batch_manifest_close(&manifest);
	manifest.name = "manifest.jsonl";
	manifest.options = options;
	manifest.dir_fd = open(".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	manifest.home_fd = open(".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	for (size_t i = 0; i < list.nr; i++)
		list.items[i].is_ours = true;
	ASSERT_EQ(batch_manifest_open(&manifest, &list), 0);
}

static int
set_up(void **state)
{
	manifest = BATCH_MANIFEST_NONE;
	return dir_set_up(state);
}

static int
tear_down(void **state)
{
	batch_list_fini(&list);
	batch_manifest_close(&manifest);
	return dir_tear_down(state);
}

static void
add(size_t idx, enum batch_class class)
{
	struct batch_item *item = &list.items[idx];
	struct batch_result result = { .class = class, .code = "BALE-CTX-004",
				       .said = "a \"message\"",
				       .wall_ns = 12000000 };

	if (class == BATCH_DONE) {
		dir_write(item->name, "text");
		sha256_of("text", 4, result.outcome.sha256);
		result.outcome.bytes = 4;
		result.outcome.has_output = true;
		result.outcome.is_known = true;
		result.outcome.files_left_out[REPORT_EMPTY] = 2;
	}
	ASSERT_EQ(batch_manifest_add(&manifest, item, &result), 0);
}

/* The classes that the lines have when it is opened, as "done failed -". */
static void
assert_classes(const char *want)
{
	char got[64] = "";

	for (size_t i = 0; i < list.nr; i++) {
		const char *name = batch_class_name(list.items[i].class);

		strcat(got, i > 0 ? " " : "");
		strcat(got, name == NULL ? "-" : name);
	}
	assert_string_equal(got, want);
}

static void
test_batch_manifest_remembers_what_is_done(void **state)
{
	open_manifest(1);
	assert_classes("- - -");
	add(2, BATCH_DONE);
	add(0, BATCH_FAILED);
	open_manifest(1);
	assert_classes("failed - done");
	assert_non_null(strstr(dir_read("manifest.jsonl"),
			       "\"left_out\":{\"empty\":2}"));
	assert_non_null(strstr(dir_read("manifest.jsonl"),
			       "\"code\":\"BALE-CTX-004\",\"message\":\"a "
			       "\\\"message\\\"\""));
	/* opened anew where they stand as they should: not touched */
	open_manifest(2);
	assert_classes("- - -");
	assert_string_equal(dir_read("manifest.jsonl"), "");
}

static void
test_batch_manifest_drops_what_does_not_hold(void **state)
{
	struct stat st;

	open_manifest(1);
	add(0, BATCH_DONE);
	add(1, BATCH_DONE);
	add(2, BATCH_RETRY);
	dir_write(list.items[0].name, "texT");
	open_manifest(1);
	assert_classes("- done -");
	add(0, BATCH_DONE);
	ASSERT_EQ(unlink(list.items[1].name), 0);
	open_manifest(1);
	assert_classes("done - -");
	/* a line that is torn at any byte */
	ASSERT_EQ(stat("manifest.jsonl", &st), 0);
	for (off_t bytes = st.st_size - 1; bytes >= 0; bytes--) {
		ASSERT_EQ(truncate("manifest.jsonl", bytes), 0);
		open_manifest(1);
		assert_classes("- - -");
		assert_string_equal(dir_read("manifest.jsonl"), "");
		add(0, BATCH_DONE);
	}
	open_manifest(1);
	assert_classes("done - -");
}

/* Not the order in which they ended. */
static void
test_batch_manifest_ends_in_the_order_of_the_list(void **state)
{
	const char *text;

	open_manifest(1);
	add(2, BATCH_DONE);
	add(0, BATCH_FAILED);
	add(1, BATCH_DONE);
	ASSERT_EQ(batch_manifest_sort(&manifest, &list), 0);
	text = dir_read("manifest.jsonl");
	assert_true(strstr(text, "\"one\"") < strstr(text, "\"two\""));
	assert_true(strstr(text, "\"two\"") < strstr(text, "\"three\""));
	open_manifest(1);
	assert_classes("failed done done");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(
			test_batch_manifest_remembers_what_is_done, set_up,
			tear_down),
		cmocka_unit_test_setup_teardown(
			test_batch_manifest_drops_what_does_not_hold, set_up,
			tear_down),
		cmocka_unit_test_setup_teardown(
			test_batch_manifest_ends_in_the_order_of_the_list,
			set_up, tear_down),
	};

	return cmocka_run_group_tests_name("cli/batch_manifest", tests, NULL,
					   NULL);
}
