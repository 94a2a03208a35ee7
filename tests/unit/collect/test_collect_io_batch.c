/* SPDX-License-Identifier: MIT */
/*
 * test_collect_io_batch.c - files of a slab, read at once.
 */
#include "tests/support/test_collect_files.h"

#include "shm/layout.h"

static struct collect_batch batch;
static uint8_t slab[SLAB_BYTES];

/* The next batch as the worker begins it; how many files it has. */
static uint32_t
read_batch(uint32_t limit, uint32_t room)
{
	batch.item_nr = 0;
	batch.used = 0;
	batch.read_nr = 0;
	batch.limit = (uint32_t)min_u64(limit, batch.most);
	batch.room = room;
	batch.slab = slab;
	assert_int_equal(collect_find_place(rig_files), 0);
	if (!rig_place.walk_over)
		assert_int_equal(collect_batch_fill(&batch, rig_files), 0);
	collect_batch_read(&batch, rig_files);
	if (batch.item_nr > 0)
		collect_pass_item(rig_files, &batch.items[batch.item_nr - 1],
				  batch.item_nr);
	return batch.item_nr;
}

/* Files and their texts, and what became of them. */
static void
expect_items(const char *const *paths, const char *const *texts, uint32_t nr)
{
	for (uint32_t i = 0; i < nr; i++) {
		const struct collect_item *item = &batch.items[i];
		const struct file_record *record =
			catalogue_file(&rig_catalogue, item->file_idx);

		assert_int_equal(record->path_bytes, strlen(paths[i]));
		assert_memory_equal(collect_record_path(rig_files, record),
				    paths[i], strlen(paths[i]));
		assert_int_equal(item->fd, -1);
		if (texts[i] == NULL) {
			assert_int_not_equal(item->reason, REASON_NONE);
			continue;
		}
		assert_int_equal(item->reason, REASON_NONE);
		assert_int_equal(item->file.bytes, strlen(texts[i]));
		assert_memory_equal(slab + item->slab_off, texts[i],
				    strlen(texts[i]));
	}
}

static int
set_up(void **state)
{
	memset(&batch, 0, sizeof(batch));
	memset(slab, 0xdb, sizeof(slab));
	batch.most = COLLECT_BATCH_MAX;
	return rig_set_up(state);
}

static void
test_batch_holds_what_fits_in_order(void **state)
{
	static const char *const paths[] = { "a", "b", "c", "d", "e" };
	static const char *const texts[] = { "one", "two two", "", "44",
					     "five" };

	for (size_t i = 0; i < 5; i++)
		scratch_file(paths[i], texts[i]);
	rig_begin();
	/* 3 + 7 bytes, nothing, and 2: one more does not fit */
	assert_int_equal(read_batch(96, 12), 4);
	expect_items(paths, texts, 4);
	assert_int_equal(batch.items[0].slab_off, SLAB_HEAD_BYTES);
	assert_int_equal(batch.items[1].slab_off, SLAB_HEAD_BYTES + 3);
	assert_int_equal(batch.used, 12);
	assert_int_equal(rig_files->read_bytes, 12);
	/* that one begins the next */
	assert_int_equal(read_batch(96, 12), 1);
	expect_items(paths + 4, texts + 4, 1);
	assert_true(rig_place.walk_over);
	assert_int_equal(read_batch(96, 12), 0);
}

static void
test_batch_has_no_more_than_its_limit(void **state)
{
	char path[16];

	for (int i = 0; i < 20; i++) {
		snprintf(path, sizeof(path), "f%02d", i);
		scratch_file(path, path);
	}
	rig_begin();
	assert_int_equal(read_batch(7, 4096), 7);
	assert_int_equal(read_batch(1, 4096), 1);
	assert_int_equal(read_batch(96, 4096), 12);
}

/* One that is larger than a slab is not begun: it is queued, for itself. */
static void
test_batch_ends_before_a_large_file(void **state)
{
	static const char *const paths[] = { "a", "c" };
	static const char *const texts[] = { "one", "3" };
	const struct collect_item *queued;

	scratch_file("a", "one");
	scratch_file("b", "larger than a slab");
	scratch_file("c", "3");
	rig_begin();
	assert_int_equal(read_batch(96, 10), 1);
	expect_items(paths, texts, 1);
	assert_int_equal(read_batch(96, 10), 0);
	queued = collect_queue_first(&rig_files->queue);
	assert_non_null(queued);
	assert_int_equal(queued->file.bytes, 18);
	assert_true(queued->fd >= 0);
	/* as the worker does when its turn has begun */
	close(queued->fd);
	rig_files->queue.next++;
	collect_pass_item(rig_files, queued, 1);
	assert_int_equal(read_batch(96, 10), 1);
	expect_items(paths + 1, texts + 1, 1);
}

/* What has to be converted grows: it ends the batch, and comes alone. */
static void
test_batch_ends_before_a_file_to_be_converted(void **state)
{
	static const char *const paths[] = { "a", "c" };
	static const char *const texts[] = { "one", "3" };

	scratch_file("a", "one");
	scratch_file("b", "\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xff");
	scratch_file("c", "3");
	rig_begin();
	assert_int_equal(read_batch(96, 4096), 1);
	expect_items(paths, texts, 1);
	assert_int_equal(batch.alone_file, 2);
	assert_int_equal(batch.most, 1);
	assert_false(rig_place.walk_over);
	assert_int_equal(read_batch(96, 4096), 0);
	assert_int_equal(collect_queue_first(&rig_files->queue)->file_idx, 1);
	rig_files->queue.next++;
	collect_pass_item(rig_files, &rig_files->queue.items[0], 1);
	assert_int_equal(read_batch(96, 4096), 1);
	expect_items(paths + 1, texts + 1, 1);
	/* and kept as it is, there is nothing to be converted */
	rig_place = (struct collect_place){ 0 };
	batch.alone_file = 0;
	rig_begin();
	rig_files->keeps_mistakes = true;
	batch.most = COLLECT_BATCH_MAX;
	assert_int_equal(read_batch(96, 4096), 3);
}

static void
test_batch_leaves_out_what_is_no_text(void **state)
{
	static const char *const paths[] = { "a", "b.png", "c", "d" };
	static const char *const texts[] = { "one", NULL, NULL, "four" };

	scratch_file("a", "one");
	scratch_file("b.png", "\x89PNG\r\n\x1a\nx");
	assert_int_equal(mkfifo("c", 0644), 0);
	scratch_file("d", "four");
	rig_begin();
	assert_int_equal(read_batch(96, 4096), 4);
	expect_items(paths, texts, 4);
	assert_int_equal(batch.items[1].reason, REASON_BINARY);
	assert_int_equal(batch.items[2].reason, REASON_SPECIAL);
}

/* A file that changes between its opening and its reading is read again, or
 * left out: whole or not at all. */
static void
test_batch_file_that_changes_is_whole_or_left_out(void **state)
{
	static const struct {
		const char *now;
		uint8_t reason;
	} rows[] = { { "fewer", REASON_NONE },
		     { "as many.", REASON_NONE },
		     { "more than before", REASON_CHANGED },
		     { NULL, REASON_VANISHED } };

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		const struct collect_item *item = &batch.items[0];

		scratch_file("a", "the text");
		rig_place = (struct collect_place){ 0 };
		rig_begin();
		batch.item_nr = batch.used = batch.read_nr = 0;
		batch.most = batch.limit = COLLECT_BATCH_MAX;
		batch.room = 4096;
		batch.slab = slab;
		assert_int_equal(collect_find_place(rig_files), 0);
		assert_int_equal(collect_batch_fill(&batch, rig_files), 0);
		assert_int_equal(batch.item_nr, 1);
		assert_int_equal(unlink("a"), 0);
		if (rows[i].now != NULL)
			scratch_file("a", rows[i].now);
		/* the open one differs by its links alone, and by its time */
		collect_batch_read(&batch, rig_files);
		assert_int_equal(batch.item_nr, 1);
		if (item->reason != rows[i].reason)
			fail_msg("%s: %s", rows[i].now,
				 reason_text(item->reason));
		if (rows[i].reason != REASON_NONE)
			continue;
		assert_int_equal(item->file.bytes, strlen(rows[i].now));
		assert_memory_equal(slab + item->slab_off, rows[i].now,
				    strlen(rows[i].now));
		assert_int_equal(
			catalogue_file(&rig_catalogue, 0)->size_bytes,
			strlen(rows[i].now));
	}
}

#define BATCH(name) cmocka_unit_test_setup_teardown(name, set_up, rig_tear_down)

int
main(void)
{
	const struct CMUnitTest tests[] = {
		BATCH(test_batch_holds_what_fits_in_order),
		BATCH(test_batch_has_no_more_than_its_limit),
		BATCH(test_batch_ends_before_a_large_file),
		BATCH(test_batch_ends_before_a_file_to_be_converted),
		BATCH(test_batch_leaves_out_what_is_no_text),
		BATCH(test_batch_file_that_changes_is_whole_or_left_out),
	};

	return cmocka_run_group_tests_name("collect/collect_io_batch", tests,
					   NULL, NULL);
}
