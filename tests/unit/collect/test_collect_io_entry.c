/* SPDX-License-Identifier: MIT */
/*
 * test_collect_io_entry.c - the next file: of the walk, of the sources, again
 * after a death.
 */
#include "tests/support/test_collect_files.h"

static void
make_tree(void)
{
	scratch_file("a.c", "int a;\n");
	scratch_file("d/b.py", "b\n");
	scratch_file("d/id_rsa", "secret\n");
	scratch_file("e.txt", "a larger one\n");
	assert_int_equal(symlink("a.c", "z"), 0);
}

static const char *const in_order[] = { "a.c", "d/b.py", "[secret] d/id_rsa",
					"e.txt", "[symlink] z", "" };

static void
test_entry_next_file_has_a_record(void **state)
{
	make_tree();
	rig_begin();
	for (size_t i = 0; i < ARRAY_LEN(in_order); i++) {
		const struct file_record *record;
		struct stat st;

		assert_string_equal(rig_pass(), in_order[i]);
		if (*in_order[i] == '\0' || *in_order[i] == '[')
			continue;
		record = catalogue_file(&rig_catalogue, i);
		assert_int_equal(stat(in_order[i], &st), 0);
		assert_int_equal(record->size_bytes, st.st_size);
		assert_int_equal(record->ino, st.st_ino);
		assert_int_equal(record->dev, st.st_dev);
		assert_int_equal(record->root_bytes, 0);
	}
	assert_int_equal(rig_place.file_nr, 5);
	assert_int_equal(catalogue_file(&rig_catalogue, 1)->language,
			 LANG_PYTHON);
}

/* Whenever a process dies, the next one gives what was not dispatched. */
static void
test_entry_replacement_goes_on_behind_the_last_dispatched(void **state)
{
	struct collect_item item;

	make_tree();
	for (size_t i = 0; i < ARRAY_LEN(in_order); i++) {
		rig_begin();
		assert_string_equal(rig_next(&item), in_order[i]);
		if (*in_order[i] == '\0')
			break;
		if (item.fd >= 0)
			close(item.fd);
		/* it dies with it in hand */
		rig_begin();
		assert_string_equal(rig_pass(), in_order[i]);
	}
}

static void
test_entry_queued_files_come_first_and_open(void **state)
{
	struct collect_item items[3];
	struct collect_item again;

	make_tree();
	rig_begin();
	for (int i = 0; i < 3; i++) {
		rig_next(&items[i]);
		collect_pass_item(rig_files, &items[i], 1);
	}
	/* nothing of them was dispatched after all */
	rig_place.file_nr = 0;
	close(items[1].fd);
	items[1].fd = -1;
	assert_null(collect_queue_first(&rig_files->queue));
	collect_queue_put_first(&rig_files->queue, &items[1], 2);
	collect_queue_put_first(&rig_files->queue, &items[0], 1);
	assert_int_equal(collect_queue_first(&rig_files->queue)->file_idx, 0);
	assert_string_equal(rig_next(&again), "a.c");
	assert_int_equal(again.fd, items[0].fd);
	close(again.fd);
	collect_pass_item(rig_files, &again, 1);
	/* closed meanwhile, and opened again */
	assert_string_equal(rig_next(&again), "d/b.py");
	assert_true(again.fd >= 0);
	close(again.fd);
	collect_pass_item(rig_files, &again, 1);
	assert_string_equal(rig_pass(), "[secret] d/id_rsa");
	assert_string_equal(rig_pass(), "e.txt");
}

static void
test_entry_what_is_not_to_be_read_has_a_reason(void **state)
{
	struct stat st;
	struct file_identity output;

	make_tree();
	assert_int_equal(stat("e.txt", &st), 0);
	output = (struct file_identity){ st.st_dev, st.st_ino };
	rig_walk_options.outputs = &output;
	rig_walk_options.output_nr = 1;
	rig_begin();
	rig_files->max_file_bytes = 7;
	assert_string_equal(rig_pass(), "a.c"); /* of 7 bytes */
	rig_place = (struct collect_place){ 0 };
	rig_begin();
	rig_files->max_file_bytes = 6;
	rig_files->skip_file = 2;
	rig_files->skip_reason = REASON_POISON;
	assert_string_equal(rig_pass(), "[too-large] a.c");
	assert_string_equal(rig_pass(), "[poison] d/b.py");
	assert_string_equal(rig_pass(), "[secret] d/id_rsa");
	assert_string_equal(rig_pass(), "[output] e.txt");
}

/* Sorted by root and path, as they have to be. */
static void
set_sources(struct source_file *files, uint32_t nr)
{
	for (uint32_t i = 0; i < nr; i++)
		files[i].path_bytes = (uint32_t)strlen(files[i].path);
	rig_sources.files = files;
	rig_sources.file_nr = nr;
}

/* What the walk does not come by, and texts; each once, also after a death. */
static void
test_entry_sources_follow_the_walk(void **state)
{
	static struct source_file files[] = {
		{ .path = "a.c" },
		{ .path = "d/deep.c" },
		{ .path = "d/id_rsa" },
		{ .path = "gone.c" },
		{ .path = "text.py",
		  .root = SOURCE_ROOT_TEXT,
		  .text_off = 7,
		  .text_bytes = 5 },
	};
	static const char *const wants[] = {
		".gitignore",	    "a.c",		 "e.txt",
		"[symlink] z",	    "d/deep.c",		 "[secret] d/id_rsa",
		"[vanished] gone.c", "text.py",		 "",
	};
	const struct file_record *record;

	make_tree();
	scratch_file("d/deep.c", "\n");
	scratch_file(".gitignore", "d/\n");
	scratch_file("texts", "before text");
	rig_sources.text_fd = open("texts", O_RDONLY | O_CLOEXEC);
	assert_int_equal(unlink("texts"), 0);
	set_sources(files, ARRAY_LEN(files));
	for (size_t i = 0; i < ARRAY_LEN(wants); i++) {
		if (i % 2 == 0)
			rig_begin();
		assert_string_equal(rig_pass(), wants[i]);
	}
	assert_true(rig_place.tree_over);
	record = catalogue_file(&rig_catalogue, rig_place.file_nr - 1);
	assert_int_equal(record->root_idx, SOURCE_ROOT_TEXT);
	assert_int_equal(record->language, LANG_PYTHON);
	assert_int_equal(record->size_bytes, 5);
	assert_int_equal(collect_base_off(rig_files, record), 7);
	assert_int_equal(collect_base_off(rig_files,
					  catalogue_file(&rig_catalogue, 0)),
			 0);
	/* the file of all texts stays open */
	assert_int_equal(fcntl(rig_sources.text_fd, F_GETFD), FD_CLOEXEC);
	rig_forget();
	close(rig_sources.text_fd);
}

static void
test_entry_errors_are_reasons(void **state)
{
	static const struct {
		int error;
		enum reason want;
	} rows[] = {
		{ 0, REASON_NONE },	      { -ENOENT, REASON_VANISHED },
		{ -ENOTDIR, REASON_VANISHED }, { -ELOOP, REASON_SYMLINK },
		{ -EXDEV, REASON_SYMLINK },    { -ENXIO, REASON_SPECIAL },
		{ -ENODEV, REASON_SPECIAL },   { -ESTALE, REASON_CHANGED },
		{ -EISDIR, REASON_CHANGED },   { -ETIMEDOUT, REASON_TIMEOUT },
		{ -EFBIG, REASON_TOO_LARGE },  { -EACCES, REASON_UNREADABLE },
		{ -EIO, REASON_UNREADABLE },
	};

	for (size_t i = 0; i < ARRAY_LEN(rows); i++)
		assert_int_equal(collect_error_reason(rows[i].error),
				 rows[i].want);
}

/* Outside of git, where the rules leave nothing, they were meant for another
 * place. */
static void
test_entry_rules_that_leave_nothing_are_seen(void **state)
{
	const struct collect_counts none = { 0 };

	scratch_file("a.c", "\n");
	scratch_file(".ignore", "*\n");
	rig_begin();
	assert_string_equal(rig_pass(), "");
	assert_true(collect_ignores_all(true, rig_files->walk,
					&rig_files->walk->counts));
	assert_false(collect_ignores_all(false, rig_files->walk,
					 &rig_files->walk->counts));
	assert_false(collect_ignores_all(true, rig_files->walk, &none));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		CASE(test_entry_next_file_has_a_record),
		CASE(test_entry_replacement_goes_on_behind_the_last_dispatched),
		CASE(test_entry_queued_files_come_first_and_open),
		CASE(test_entry_what_is_not_to_be_read_has_a_reason),
		CASE(test_entry_sources_follow_the_walk),
		CASE(test_entry_errors_are_reasons),
		CASE(test_entry_rules_that_leave_nothing_are_seen),
	};

	return cmocka_run_group_tests_name("collect/collect_io_entry", tests,
					   NULL, NULL);
}
