/* SPDX-License-Identifier: MIT */
/*
 * test_catalogue.c - records where they belong, all tables or none.
 */
#include "tests/support/test_shm.h"

#include "catalogue/catalogue.h"
#include "catalogue/files.h"
#include "catalogue/plan.h"

static void
test_catalogue_made_and_closed_leaves_nothing(void **state)
{
	struct catalogue catalogue;
	int fds = open_fds();

	ASSERT_EQ(catalogue_create(&catalogue), 0);
	ASSERT_EQ(open_fds(), fds + 6);
	catalogue_close(&catalogue);
	ASSERT_EQ(open_fds(), fds);
	catalogue_close(&catalogue); /* nothing: allowed */
	ASSERT_EQ(open_fds(), fds);
}

static void
child_has_descriptors_for_some(void *arg)
{
	struct catalogue catalogue;
	struct rlimit limit;
	int fds = open_fds();
	int next = dup(0); /* the lowest that is free */

	CHILD_CHECK(next >= 0);
	close(next);
	limit.rlim_cur = limit.rlim_max = (rlim_t)next + 3;
	setrlimit(RLIMIT_NOFILE, &limit);
	CHILD_CHECK(catalogue_create(&catalogue) == -EMFILE);
	CHILD_CHECK(open_fds() == fds);
}

static void
test_catalogue_made_half_is_taken_back(void **state)
{
	ASSERT_EQ(run_child(child_has_descriptors_for_some, NULL), CHILD_OK);
}

/* The writer; the test itself reads. Each record tells its own number. */
static void
child_writes_records(void *arg)
{
	struct catalogue *catalogue = arg;
	const uint64_t nr = 5000;
	static const char text[] = "src/a.c";

	CHILD_CHECK(table_reserve(&catalogue->files,
				  nr * sizeof(struct file_record)) == 0);
	CHILD_CHECK(table_reserve(&catalogue->facts,
				  nr * sizeof(struct file_facts)) == 0);
	CHILD_CHECK(table_reserve(&catalogue->chunks,
				  nr * sizeof(struct chunk_record)) == 0);
	CHILD_CHECK(table_reserve(&catalogue->plan,
				  nr * sizeof(struct plan_entry)) == 0);
	CHILD_CHECK(table_reserve(&catalogue->paths, nr * 8) == 0);
	for (uint64_t i = 0; i < nr; i++) {
		*catalogue_file(catalogue, i) = (struct file_record){
			.path_off = i * 7,
			.path_bytes = sizeof(text) - 1,
			.size_bytes = i,
		};
		memcpy(table_at(&catalogue->paths, i * 7, sizeof(text) - 1),
		       text, sizeof(text) - 1);
		catalogue_facts(catalogue, i)->bytes = i + 1;
		catalogue_chunk(catalogue, i)->file_off = i + 2;
		catalogue_plan(catalogue, i)->chunk_idx = i + 3;
	}
	kill(getpid(), SIGKILL);
}

/* verifies: R5 */
static void
test_catalogue_of_a_dead_writer_is_read_whole(void **state)
{
	struct catalogue catalogue;

	ASSERT_EQ(catalogue_create(&catalogue), 0);
	ASSERT_EQ(run_child(child_writes_records, &catalogue), -SIGKILL);
	for (int round = 0; round < 2; round++) {
		for (uint64_t i = 0; i < 5000; i++) {
			const struct file_record *file =
				catalogue_file(&catalogue, i);

			ASSERT_EQ(file->size_bytes, i);
			ASSERT_EQ(file->path_bytes, 7);
			ASSERT_EQ(memcmp(catalogue_path(&catalogue, file),
					 "src/a.c", 7),
				  0);
			ASSERT_EQ(catalogue_facts(&catalogue, i)->bytes, i + 1);
			ASSERT_EQ(catalogue_chunk(&catalogue, i)->file_off,
				  i + 2);
			ASSERT_EQ(catalogue_plan(&catalogue, i)->chunk_idx,
				  i + 3);
		}
		table_trim_all(); /* and once more from the file */
	}
	catalogue_close(&catalogue);
}

enum accessor { FILES, FACTS, CHUNKS, PLAN, PATH_OFF, PATH_BYTES };

static struct catalogue out_of_range;

static void
child_reaches_too_far(void *arg)
{
	struct file_record file = { 0 };

	switch (*(enum accessor *)arg) {
	case FILES:
		catalogue_file(&out_of_range, UINT64_MAX / 64);
		break;
	case FACTS:
		catalogue_facts(&out_of_range, UINT64_MAX / 64);
		break;
	case CHUNKS:
		catalogue_chunk(&out_of_range, UINT64_MAX / 64);
		break;
	case PLAN:
		catalogue_plan(&out_of_range, out_of_range.plan.span_bytes / 8);
		break;
	case PATH_OFF:
		file.path_off = out_of_range.paths.span_bytes + 1;
		catalogue_path(&out_of_range, &file);
		break;
	case PATH_BYTES:
		file.path_off = out_of_range.paths.span_bytes - 1;
		file.path_bytes = 2;
		catalogue_path(&out_of_range, &file);
		break;
	}
}

/* verifies: R7 */
static void
test_catalogue_index_out_of_range_ends_the_process(void **state)
{
	ASSERT_EQ(catalogue_create(&out_of_range), 0);
	for (int i = FILES; i <= PATH_BYTES; i++) {
		enum accessor accessor = (enum accessor)i;

		ASSERT_EQ(run_child(child_reaches_too_far, &accessor),
			  -SIGABRT);
	}
	catalogue_close(&out_of_range);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_catalogue_made_and_closed_leaves_nothing),
		cmocka_unit_test(test_catalogue_made_half_is_taken_back),
		cmocka_unit_test(test_catalogue_of_a_dead_writer_is_read_whole),
		cmocka_unit_test(
			test_catalogue_index_out_of_range_ends_the_process),
	};

	if (under_valgrind())
		return skip_all("valgrind walks over whole spans");
	return cmocka_run_group_tests_name("shm/catalogue", tests, NULL, NULL);
}
