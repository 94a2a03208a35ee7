/* SPDX-License-Identifier: MIT */
/*
 * test_collect_files.h - the files of a tree and their records, as a collector
 * has them, without a worker.
 */
#ifndef TESTS_SUPPORT_TEST_COLLECT_FILES_H
#define TESTS_SUPPORT_TEST_COLLECT_FILES_H

#include "tests/support/test_collect_scratch.h"

#include "stages/collect/collect_io_record.h"

static struct catalogue rig_catalogue;
static struct collect_place rig_place;
static struct sources rig_sources;
static struct collect_options rig_walk_options;
static struct collect_files *rig_files; /* NULL: none */

static UNUSED void
rig_at_file(void *context, uint32_t file_idx)
{
}

/* What a process knows is gone. */
static UNUSED void
rig_forget(void)
{
	if (rig_files == NULL)
		return;
	collect_close(rig_files);
	collect_walk_destroy(rig_files->walk);
	collect_reader_destroy(rig_files->reader);
	free(rig_files->given);
	free(rig_files);
	rig_files = NULL;
}

/* A process begins, or takes up where another one stopped. */
static UNUSED void
rig_begin(void)
{
	uint32_t bad;

	rig_forget();
	rig_files = calloc(1, sizeof(*rig_files));
	assert_non_null(rig_files);
	rig_files->catalogue = &rig_catalogue;
	rig_files->place = &rig_place;
	rig_files->sources = &rig_sources;
	rig_files->roots = rig_walk_options.roots;
	rig_files->is_rev = rig_walk_options.rev != NULL;
	rig_files->max_file_bytes = UINT64_MAX;
	rig_files->at_file = rig_at_file;
	rig_files->open_fd = -1;
	rig_files->next_path_off = rig_place.path_bytes;
	assert_int_equal(
		collect_walk_create(&rig_files->walk, &rig_walk_options, &bad),
		0);
	assert_int_equal(collect_reader_create(&rig_files->reader, IO_READ, 8),
			 0);
}

static UNUSED int
rig_set_up(void **state)
{
	scratch_set_up(state);
	rig_place = (struct collect_place){ 0 };
	rig_sources = (struct sources){ .text_fd = -1 };
	rig_walk_options = (struct collect_options){ SCRATCH_HERE };
	return catalogue_create(&rig_catalogue);
}

static UNUSED int
rig_tear_down(void **state)
{
	rig_forget();
	catalogue_close(&rig_catalogue);
	return scratch_tear_down(state);
}

/* The next file: its path, "[reason] path", or "" at the end. */
static UNUSED const char *
rig_next(struct collect_item *item)
{
	static char text[4200];
	const struct file_record *record;
	int got = collect_find_place(rig_files);

	assert_int_equal(got, 0);
	got = collect_next_item(rig_files, (uint32_t)rig_place.file_nr, item);
	assert_in_range(got, 0, 1);
	if (got == 0)
		return "";
	record = catalogue_file(&rig_catalogue, item->file_idx);
	assert_true(file_record_valid(record));
	snprintf(text, sizeof(text), "%s%s%s%.*s",
		 item->reason != REASON_NONE ? "[" : "",
		 item->reason != REASON_NONE ? reason_text(item->reason) : "",
		 item->reason != REASON_NONE ? "] " : "",
		 (int)record->path_bytes,
		 collect_record_path(rig_files, record));
	return text;
}

/* The same, which is then dispatched and closed. */
static UNUSED const char *
rig_pass(void)
{
	struct collect_item item;
	const char *text = rig_next(&item);

	if (*text == '\0')
		return text;
	if (item.fd >= 0)
		collect_close_fd(rig_files, item.fd);
	collect_pass_item(rig_files, &item, 1);
	return text;
}

/* All files up to one are dispatched; its index. */
static UNUSED uint32_t
rig_pass_to(const char *path)
{
	const char *got;

	do {
		got = rig_pass();
		assert_true(*got != '\0');
	} while (strcmp(got, path) != 0);
	return (uint32_t)rig_place.file_nr - 1;
}

#define CASE(name) \
	cmocka_unit_test_setup_teardown(name, rig_set_up, rig_tear_down)

#endif
