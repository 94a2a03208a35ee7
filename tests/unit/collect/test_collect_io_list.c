/* SPDX-License-Identifier: MIT */
/*
 * test_collect_io_list.c - the names of a directory, through windows of any
 * size, against scandir(3).
 */
#include "tests/support/test_collect_scratch.h"

#include "stages/collect/collect_io_list.h"

#define NAMES 700

/* As it is in a path: a directory's name with its '/'. */
static char names[NAMES][48];
static size_t name_nr;

static int
by_bytes(const void *a, const void *b)
{
	return strcmp(a, b);
}

/* Some files and directories whose names differ late, and what there is. */
static void
make_names(void)
{
	struct dirent **entries;
	char name[40];
	int nr;

	for (int i = 0; i < NAMES; i++) {
		snprintf(name, sizeof(name), "%s%03d%.*s",
			 i % 3 == 0 ? "a-long-beginning-" : "x", i / 2,
			 i % 2 * 5, "-tail");
		if (i % 7 == 0)
			assert_int_equal(mkdir(name, 0755), 0);
		else
			scratch_file(name, "");
	}
	nr = scandir(".", &entries, NULL, NULL);
	name_nr = 0;
	for (int i = 0; i < nr; i++) {
		if (entries[i]->d_name[0] != '.')
			snprintf(names[name_nr++], sizeof(names[0]), "%.40s%s",
				 entries[i]->d_name,
				 entries[i]->d_type == DT_DIR ? "/" : "");
		free(entries[i]);
	}
	free(entries);
	assert_int_equal(name_nr, NAMES);
	qsort(names, name_nr, sizeof(names[0]), by_bytes);
}

/* All names from `first` on, window after window. */
static void
check_from(struct list_tools *tools, int fd, size_t first, bool inclusive)
{
	struct list list = { 0 };
	char last[48] = "";
	struct list_from from = { 0 };
	size_t at = first;

	if (first > 0 || inclusive) {
		snprintf(last, sizeof(last), "%s", names[first]);
		from = (struct list_from){ .text = last,
					   .inclusive = inclusive };
		at += !inclusive;
	}
	do {
		from.bytes = strcspn(last, "/");
		from.is_dir = last[from.bytes] == '/';
		assert_int_equal(list_fill(&list, tools, fd, &from), 0);
		assert_true(list.is_known);
		for (uint32_t i = 0; i < list.name_nr; i++, at++) {
			const struct collect_name *name = &list.names[i];
			const char *text = list.text + name->off;

			snprintf(last, sizeof(last), "%s%s", text,
				 name->type == COLLECT_DIR ? "/" : "");
			assert_true(at < name_nr);
			assert_string_equal(last, names[at]);
			assert_int_equal(name->bytes, strlen(text));
		}
		/* a window is the smaller half of what it can hold, or more */
		assert_true(!list.is_cut || list.name_nr > 0);
		assert_true(list_memory(&list) <= 4 * tools->window_bytes);
		from = (struct list_from){ .text = last };
	} while (list.is_cut);
	assert_int_equal(at, name_nr);
	list_drop(&list, false);
	assert_int_equal(list_memory(&list), 0);
}

static void
test_list_through_any_window_gives_all_in_order(void **state)
{
	static const size_t windows[] = { 0, 5000, 20000, 1 << 20 };
	int fd = open(".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	make_names();
	for (size_t i = 0; i < ARRAY_LEN(windows); i++) {
		struct list_tools tools;

		assert_int_equal(list_tools_init(&tools, windows[i]), 0);
		check_from(&tools, fd, 0, false);
		check_from(&tools, fd, 1, true);
		check_from(&tools, fd, NAMES / 2, false);
		check_from(&tools, fd, NAMES - 1, true);
		list_tools_fini(&tools);
	}
	close(fd);
}

static void
test_list_says_what_names_are_and_which_are_special(void **state)
{
	static const struct {
		const char *name;
		enum collect_type type;
	} wants[] = { { ".baleignore", COLLECT_FILE },
		      { ".git", COLLECT_DIR },
		      { ".gitignore", COLLECT_FILE },
		      { "dir", COLLECT_DIR },
		      { "fifo", COLLECT_SPECIAL },
		      { "link", COLLECT_LINK },
		      { "out", COLLECT_FILE } };
	const struct list_from all = { 0 };
	int fd = open(".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	struct list_tools tools;
	struct list list = { 0 };
	uint64_t inode;
	struct stat st;

	scratch_file(".gitignore", "");
	scratch_file(".baleignore", "");
	scratch_file("out", "");
	mkdir(".git", 0755);
	mkdir("dir", 0755);
	assert_int_equal(mkfifo("fifo", 0644), 0);
	assert_int_equal(symlink("dir", "link"), 0);
	assert_int_equal(stat("out", &st), 0);
	inode = st.st_ino;
	assert_int_equal(list_tools_init(&tools, 1 << 20), 0);
	tools.output_inodes = &inode;
	tools.output_nr = 1;
	assert_int_equal(list_fill(&list, &tools, fd, &all), 0);
	assert_int_equal(list.name_nr, ARRAY_LEN(wants));
	for (size_t i = 0; i < ARRAY_LEN(wants); i++) {
		assert_string_equal(list.text + list.names[i].off,
				    wants[i].name);
		assert_int_equal(list.names[i].type, wants[i].type);
		assert_int_equal(list.names[i].mark,
				 i == 6 ? MARK_OUTPUT : 0);
		assert_int_equal(list_look_at(fd, wants[i].name),
				 wants[i].type);
	}
	assert_int_equal(list.has, LIST_HAS_GIT | LIST_HAS_GITIGNORE |
					   LIST_HAS_BALEIGNORE);
	assert_int_equal(list_look_at(fd, "gone"), COLLECT_FILE);
	assert_int_equal(list_fill_one(&list, &tools, fd, "dir"), 0);
	assert_int_equal(list.name_nr, 1);
	assert_int_equal(list.names[0].type, COLLECT_DIR);
	assert_string_equal(list.text + list.names[0].off, "dir");
	list_drop(&list, false);
	list_tools_fini(&tools);
	close(fd);
}

/* Names from elsewhere come with what belongs to them, however often the
 * window is cut. */
static void
test_list_keeps_what_comes_with_a_name(void **state)
{
	const struct list_from all = { 0 };
	struct list_tools tools;
	struct list list = { 0 };

	assert_int_equal(list_tools_init(&tools, 4096), 0);
	tools.extra_bytes = sizeof(uint32_t);
	for (uint32_t i = 0; i < 2000; i++) {
		uint32_t nr = i * 1237 % 2000; /* in no order */
		char name[16];
		const struct list_entry entry = {
			.name = name,
			.bytes = (size_t)snprintf(name, sizeof(name), "%05u",
						  nr),
			.type = COLLECT_FILE,
			.extra = &nr,
		};

		assert_int_equal(list_add(&list, &tools, &entry, &all), 0);
	}
	assert_int_equal(list_end(&list, 0), 0);
	assert_true(list.is_cut && list.name_nr > 20);
	for (uint32_t i = 0; i < list.name_nr; i++) {
		const char *text = list.text + list.names[i].off;
		uint32_t nr;

		memcpy(&nr, text + list.names[i].bytes + 1, sizeof(nr));
		assert_int_equal(nr, i);
		assert_int_equal(atoi(text), i);
	}
	/* what failed is empty */
	assert_int_equal(list_end(&list, -EIO), -EIO);
	assert_int_equal(list.name_nr, 0);
	assert_false(list.is_known);
	list_drop(&list, false);
	list_tools_fini(&tools);
}

int
main(void)
{
#define TEST(f) \
	cmocka_unit_test_setup_teardown(f, scratch_set_up, scratch_tear_down)
	const struct CMUnitTest tests[] = {
		TEST(test_list_through_any_window_gives_all_in_order),
		TEST(test_list_says_what_names_are_and_which_are_special),
		TEST(test_list_keeps_what_comes_with_a_name),
	};

	return cmocka_run_group_tests_name("collect/collect_io_list", tests,
					   NULL, NULL);
}
