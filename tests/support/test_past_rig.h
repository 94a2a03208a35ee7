/* SPDX-License-Identifier: MIT */
/*
 * test_past_rig.h - the past of a repository, read into a catalogue.
 */
#ifndef TESTS_SUPPORT_TEST_PAST_RIG_H
#define TESTS_SUPPORT_TEST_PAST_RIG_H

#include "tests/support/test_history_repo.h"

#include "stages/collect/collect_io_past.h"

static struct job job;
static struct history_ctx past;

static UNUSED int
job_set_up(void **state)
{
	memset(&job, 0, sizeof(job));
	return past_set_up(state);
}

#define WITH_JOB(name) \
	cmocka_unit_test_setup_teardown(name, job_set_up, rig_tear_down)

static UNUSED void
beat(void *context)
{
}

/* Reads and writes the past of a root; the first result that is no 0. */
static UNUSED int
read_past(const char *root)
{
	static const char *roots[1];
	static struct past_options options;
	char why[COLLECT_WHY_BYTES];
	int error;

	roots[0] = root;
	rig_walk_options.roots = roots;
	rig_place = (struct collect_place){ 0 };
	rig_begin();
	while (*rig_pass() != '\0')
		;
	job.roots = roots;
	job.root_nr = 1;
	options = (struct past_options){ .job = &job,
					 .object_bytes = MEMORY_BYTES,
					 .beat = beat };
	past = (struct history_ctx){ .options = &options,
				     .catalogue = &rig_catalogue,
				     .file_nr = rig_place.file_nr };
	assert_int_equal(history_find(&past.history, rig_files->walk,
				      MEMORY_BYTES, job.git_diff != NULL, why),
			 0);
	assert_non_null(past.history);
	error = past_read(&past);
	if (error == 0)
		error = past_write(&past);
	history_close(past.history);
	past_free(&past);
	return error;
}

/* The record of a path. */
static UNUSED uint32_t
file_of(const char *path)
{
	for (uint32_t i = 0; i < rig_place.file_nr; i++) {
		const struct file_record *record =
			catalogue_file(&rig_catalogue, i);

		if (record->path_bytes == strlen(path) &&
		    memcmp(collect_record_path(rig_files, record), path,
			   record->path_bytes) == 0)
			return i;
	}
	return FILE_NONE;
}

#endif
