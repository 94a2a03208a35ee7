// SPDX-License-Identifier: MIT
/*
 * test_collect_walk.c - the walk over trees as they should be.
 */
#include "tests/support/test_collect_scratch.h"

#include "stages/collect/collect_io_walk.h"

#include <sys/resource.h>

static void
make_small_tree(void)
{
	scratch_file("a.c", "int a;\n");
	scratch_file("a/b.c", "int b;\n");
	scratch_file("a/z/deep.h", "\n");
	scratch_file("a-b/x.py", "\n");
	scratch_file("a0", "\n");
	scratch_file("b/README.md", "# b\n");
	assert_int_equal(mkdir("empty", 0755), 0);
}

/* "a-b/" comes before "a.c", and that before all of "a/". */
static void
test_walk_small_tree_is_in_byte_order_of_paths(void **state)
{
	struct collect_options options = { SCRATCH_HERE };

	make_small_tree();
	scratch_expect(&options, "a-b/x.py\na.c\na/b.c\na/z/deep.h\na0\n"
				 "b/README.md\n");
}

static void
test_walk_entries_carry_language_marks_and_place(void **state)
{
	struct collect_options options = { SCRATCH_HERE };
	struct collect_walk *walk;
	struct collect_entry entry;
	uint32_t bad_root;

	scratch_file("vendor/lib.min.js", "\n");
	scratch_file("x.cpp", "\n");
	assert_int_equal(collect_walk_create(&walk, &options, &bad_root), 0);
	assert_int_equal(collect_walk_next(walk, &entry), 1);
	assert_int_equal(entry.lang, LANG_JAVASCRIPT);
	assert_int_equal(entry.marks, MARK_VENDORED | MARK_MINIFIED);
	assert_string_equal(entry.name, "lib.min.js");
	assert_int_equal(faccessat(entry.dir_fd, entry.name, R_OK, 0), 0);
	assert_int_equal(collect_walk_next(walk, &entry), 1);
	assert_int_equal(entry.lang, LANG_CPP);
	assert_int_equal(entry.marks, 0);
	assert_int_equal(collect_walk_next(walk, &entry), 0);
	assert_int_equal(collect_walk_next(walk, &entry), 0);
	collect_walk_destroy(walk);
}

static void
test_walk_roots_are_shown_from_here(void **state)
{
	const char *const roots[] = { "./a//", "b/../b", "a.c", "./a0" };
	struct collect_options options = { .roots = roots, .root_nr = 4 };

	make_small_tree();
	scratch_expect(&options, "a/b.c\na/z/deep.h\nb/README.md\na.c\n"
				 "a0\n");
}

static void
test_walk_shows_absolute_paths_if_asked_to(void **state)
{
	char path[4096];
	char want[8192];
	const char *const roots[] = { path };
	struct collect_options options = { .roots = roots,
					   .root_nr = 1,
					   .paths = PATHS_ABSOLUTE };

	assert_non_null(getcwd(path, sizeof(path)));
	scratch_file("x", "\n");
	snprintf(want, sizeof(want), "%s/x\n", path);
	scratch_expect(&options, want);
}

/* What is named twice is walked once: where it was named by itself. */
static void
test_walk_overlapping_roots_give_each_path_once(void **state)
{
	const char *const roots[] = { ".", "a", "./a", "b/README.md", "." };
	struct collect_options options = { .roots = roots, .root_nr = 5 };

	make_small_tree();
	scratch_expect(&options, "a-b/x.py\na.c\na0\na/b.c\na/z/deep.h\n"
				 "b/README.md\n");
}

static void
test_walk_missing_root_is_named(void **state)
{
	const char *const roots[] = { ".", "nowhere" };
	struct collect_options options = { .roots = roots, .root_nr = 2 };
	struct collect_walk *walk;
	uint32_t bad_root;

	assert_int_equal(collect_walk_create(&walk, &options, &bad_root),
			 -ENOENT);
	assert_int_equal(bad_root, 1);
	options.root_nr = 0;
	assert_int_equal(collect_walk_create(&walk, &options, &bad_root),
			 -EINVAL);
}

static void
test_walk_ignore_files_hold_without_git(void **state)
{
	struct collect_options options = { SCRATCH_HERE, .hidden = true };

	make_small_tree();
	scratch_file(".gitignore", "*.c\n!/a.c\nz/\n");
	scratch_file("a/.gitignore", "!b.c\n");
	scratch_expect(&options, ".gitignore\na-b/x.py\na.c\na/.gitignore\n"
				 "a/b.c\na0\nb/README.md\n");
	options.no_ignore = true;
	scratch_expect(&options,
		       ".gitignore\na-b/x.py\na.c\na/.gitignore\na/b.c\n"
		       "a/z/deep.h\na0\nb/README.md\n");
}

/* The more specific kind of file decides, whatever the depth. */
static void
test_walk_own_ignore_files_override_gitignore(void **state)
{
	struct collect_options options = { SCRATCH_HERE };

	make_small_tree();
	scratch_file("a/.gitignore", "b.c\n");
	scratch_file(".ignore", "!b.c\na0\n");
	scratch_file(".baleignore", "!a0\nREADME.md\n");
	scratch_expect(&options,
		       ".baleignore\n.ignore\na-b/x.py\na.c\na/.gitignore\n"
		       "a/b.c\na/z/deep.h\na0\n");
}

static void
test_walk_counts_what_it_passes(void **state)
{
	const char *const exclude[] = { "b/" };
	struct collect_options options = { SCRATCH_HERE, .exclude = exclude,
					   .exclude_nr = 1 };
	struct collect_walk *walk;
	const struct collect_counts *counts;
	uint32_t bad_root;

	make_small_tree();
	scratch_file(".gitignore", "a0\n*.py\n/a/\n");
	scratch_file(".venv/x", "\n");
	assert_int_equal(collect_walk_create(&walk, &options, &bad_root), 0);
	free(scratch_rest(walk));
	counts = &walk->counts;
	assert_int_equal(counts->ignored_files, 2);
	assert_int_equal(counts->ignored_dirs, 1);
	assert_int_equal(counts->excluded_dirs, 1);
	assert_int_equal(counts->hidden_dirs, 1);
	collect_walk_destroy(walk);
}

static void
test_walk_lists_what_is_ignored_when_requested(void **state)
{
	struct collect_options options = { SCRATCH_HERE, .list_ignored = true };

	make_small_tree();
	scratch_file(".ignore", "a/\na0\n");
	scratch_expect(&options, ".ignore\na-b/x.py\na.c\n[ignored] a/\n"
				 "[ignored] a0\nb/README.md\n");
}

static void
test_walk_include_and_exclude_are_patterns_of_paths(void **state)
{
	const char *const include[] = { "*.c", "/b/" };
	const char *const exclude[] = { "z", "/a.c", "#odd" };
	struct collect_options options = { SCRATCH_HERE, .include = include,
					   .include_nr = 2 };

	make_small_tree();
	scratch_file("#odd", "\n");
	scratch_expect(&options, "a.c\na/b.c\nb/README.md\n");
	options.exclude = exclude;
	options.exclude_nr = 3;
	scratch_expect(&options, "a/b.c\nb/README.md\n");
	options.include_nr = 0;
	scratch_expect(&options, "a-b/x.py\na/b.c\na0\nb/README.md\n");
}

static void
test_walk_leaves_out_the_output(void **state)
{
	struct stat st;
	struct file_identity output;
	struct collect_options options = { SCRATCH_HERE, .outputs = &output,
					   .output_nr = 1 };

	make_small_tree();
	assert_int_equal(stat("b/README.md", &st), 0);
	output.dev = st.st_dev;
	output.ino = st.st_ino;
	scratch_expect(&options, "a-b/x.py\na.c\na/b.c\na/z/deep.h\na0\n"
				 "[output] b/README.md\n");
}

static void
test_walk_lock_files_and_secrets_have_a_reason(void **state)
{
	struct collect_options options = { SCRATCH_HERE,
					   .hidden = true,
					   .default_excludes = true };

	scratch_file(".env", "A=1\n");
	scratch_file(".env.example", "A=\n");
	scratch_file("Cargo.lock", "\n");
	scratch_file("id_rsa", "\n");
	scratch_file("x.pem", "\n");
	scratch_expect(&options,
		       "[secret] .env\n.env.example\n[lock-file] Cargo.lock\n"
		       "[secret] id_rsa\n[secret] x.pem\n");
}

/* A walk of this shape has every case of coming back to a level. */
static void
make_wide_tree(void)
{
	char path[256];

	for (int i = 0; i < 40; i++) {
		snprintf(path, sizeof(path), "d%02d/e/f/g/h%d/x%d.c", i % 7, i,
			 i);
		scratch_file(path, "\n");
		snprintf(path, sizeof(path), "d%02d/e/%04d-%0*d", i % 7, i,
			 i * 4 + 1, i);
		scratch_file(path, "\n");
	}
	/* what is left out by its neighbours, and by what it holds */
	scratch_file("d01/e/package.json", "\n");
	scratch_file("d01/e/dist/a/b", "\n");
	scratch_file("d02/e/0000/venv/pyvenv.cfg", "\n");
	scratch_file("d02/e/0000/venv/a/b", "\n");
	scratch_file("d03/.ignore", "h1*\n");
	assert_int_equal(symlink("x", "d01/e/link"), 0);
}

/* However little it may keep in memory and open, it gives the same. */
static void
test_walk_with_little_room_gives_the_same(void **state)
{
	static const uint32_t windows[] = { 1, 5000, 20000, 0 };
	struct collect_options options = { SCRATCH_HERE,
					   .default_excludes = true };
	char *want;

	make_wide_tree();
	want = scratch_walk(&options);
	assert_non_null(strstr(want, "[build-output] d01/e/dist/"));
	assert_non_null(strstr(want, "[dependency] d02/e/0000/venv/"));
	for (size_t i = 0; i < ARRAY_LEN(windows); i++) {
		for (uint32_t fds = 1; fds < 6; fds++) {
			options.listing_bytes_max = windows[i];
			options.fd_max = fds;
			scratch_expect(&options, want);
		}
	}
	free(want);
}

/* A replacement goes on behind any entry, with the same counts at the end. */
static void
test_walk_seek_goes_on_behind_every_entry(void **state)
{
	const char *const roots[] = { "d03", ".", "d01/e/link" };
	struct collect_options options = { .roots = roots,
					   .root_nr = 3,
					   .listing_bytes_max = 5000,
					   .default_excludes = true };
	struct scratch_log log = { .text = calloc(1, 1) };
	struct collect_walk *first;
	struct collect_walk *second;
	struct collect_entry entry;
	struct collect_counts counts;
	uint32_t bad_root;

	make_wide_tree();
	assert_int_equal(collect_walk_create(&first, &options, &bad_root), 0);
	assert_int_equal(collect_walk_create(&second, &options, &bad_root), 0);
	while (collect_walk_next(first, &entry) == 1) {
		char *got;
		char *want;

		counts = first->counts;
		second->counts = counts;
		assert_int_equal(collect_walk_seek(second, entry.root,
						   entry.path,
						   entry.path_bytes),
				 0);
		got = scratch_rest(second);
		scratch_add(&log, &entry);
		want = scratch_walk(&options);
		assert_memory_equal(want, log.text, log.bytes);
		assert_string_equal(got, want + log.bytes);
		free(got);
		free(want);
	}
	assert_memory_equal(&first->counts,
			    &second->counts, sizeof(counts));
	collect_walk_destroy(first);
	collect_walk_destroy(second);
	free(log.text);
}

static void
seek_to(struct collect_walk *walk, const char *path, const char *want)
{
	char *got;

	assert_int_equal(collect_walk_seek(walk, 0, path, strlen(path)), 0);
	got = scratch_rest(walk);
	assert_string_equal(got, want);
	free(got);
}

static void
test_walk_seek_to_what_is_gone_goes_on_where_it_was(void **state)
{
	struct collect_options options = { SCRATCH_HERE };
	struct collect_walk *walk;
	uint32_t bad_root;

	make_small_tree();
	assert_int_equal(collect_walk_create(&walk, &options, &bad_root), 0);
	seek_to(walk, "a/gone/x", "a/z/deep.h\na0\nb/README.md\n");
	seek_to(walk, "a/b.c/was/dir", "a/z/deep.h\na0\nb/README.md\n");
	seek_to(walk, "a/z", "a/z/deep.h\na0\nb/README.md\n");
	seek_to(walk, "a/z/", "a0\nb/README.md\n");
	seek_to(walk, "a/", "a0\nb/README.md\n");
	seek_to(walk, "zzz", "");
	seek_to(walk, "./", "");
	assert_int_equal(collect_walk_seek(walk, 1, "x", 1), -EINVAL);
	collect_walk_destroy(walk);
}

static void
test_walk_of_many_names_stays_within_its_window(void **state)
{
	struct collect_options options = { SCRATCH_HERE,
					   .listing_bytes_max = 64 << 10 };
	struct collect_walk *walk;
	struct collect_entry entry;
	uint32_t bad_root;
	char name[32];

	for (int i = 0; i < 20000; i++) {
		int fd;

		/* In no order that the directory could have. */
		snprintf(name, sizeof(name), "%05d", i * 7919 % 20000);
		fd = open(name, O_WRONLY | O_CREAT | O_CLOEXEC, 0644);
		assert_true(fd >= 0);
		close(fd);
	}
	assert_int_equal(collect_walk_create(&walk, &options, &bad_root), 0);
	for (int i = 0; i < 20000; i++) {
		assert_int_equal(collect_walk_next(walk, &entry), 1);
		snprintf(name, sizeof(name), "%05d", i);
		assert_string_equal(entry.name, name);
	}
	assert_int_equal(collect_walk_next(walk, &entry), 0);
	collect_walk_destroy(walk);
}

static void
count_told(void *context)
{
	++*(uint64_t *)context;
}

/* Nobody takes a walk for stuck that passes many names by. */
static void
test_walk_that_gives_nothing_says_that_it_goes_on(void **state)
{
	static const char *const patterns[] = { "*.o" };
	uint64_t reported = 0;
	struct collect_options options = { SCRATCH_HERE, .exclude = patterns,
					   .exclude_nr = 1,
					   .walking = count_told,
					   .context = &reported };
	char name[32];

	for (int i = 0; i < 10000; i++) {
		snprintf(name, sizeof(name), "%05d.o", i);
		scratch_file(name, "");
	}
	scratch_expect(&options, "");
	/* by names, and by what the kernel lists at once */
	assert_in_range(reported, 10000 / 4096 + 1, 100);
}

static void
test_walk_out_of_descriptors_goes_on_when_there_are_some(void **state)
{
	struct collect_options options = { SCRATCH_HERE };
	struct scratch_log log = { .text = calloc(1, 1) };
	struct rlimit before;
	struct rlimit few;
	struct collect_walk *walk;
	struct collect_entry entry;
	uint32_t bad_root;
	char *want;
	int short_nr = 0;
	int got;

	make_wide_tree();
	want = scratch_walk(&options);
	assert_int_equal(getrlimit(RLIMIT_NOFILE, &before), 0);
	assert_int_equal(collect_walk_create(&walk, &options, &bad_root), 0);
	while ((got = collect_walk_next(walk, &entry)) != 0) {
		if (got == 1) {
			scratch_add(&log, &entry);
			few = before;
			few.rlim_cur = 3;
		} else {
			assert_int_equal(got, -EMFILE);
			short_nr++;
			few = before;
		}
		assert_int_equal(setrlimit(RLIMIT_NOFILE, &few), 0);
	}
	setrlimit(RLIMIT_NOFILE, &before);
	assert_true(short_nr > 0);
	assert_string_equal(log.text, want);
	collect_walk_destroy(walk);
	free(log.text);
	free(want);
}

static void
test_walk_of_a_list_gives_its_files_in_order(void **state)
{
	const char *const files[] = {
		"b/README.md", "./a//z/deep.h", "gone/x",     "a-b/x.py", "a",
		"a/b.c",       "a/b.c",         "Cargo.lock", "id_rsa",   "link"
	};
	const char *const exclude[] = { "a-b/" };
	const char *const roots[] = { "." };
	struct collect_options options = {
		.roots = roots,
		.root_nr = 1,
		.files = files,
		.file_nr = ARRAY_LEN(files),
		.exclude = exclude,
		.exclude_nr = 1,
	};
	struct collect_walk *walk;
	struct collect_entry entry;
	struct file_state file;
	uint32_t bad;
	char *rest;

	make_small_tree();
	scratch_file(".gitignore", "*\n");
	scratch_file("Cargo.lock", "\n");
	scratch_file("id_rsa", "\n");
	assert_int_equal(symlink("a0", "link"), 0);
	scratch_expect(&options,
		       "Cargo.lock\n[directory] a\na/b.c\na/z/deep.h\n"
		       "b/README.md\n[vanished] gone/x\n[secret] id_rsa\n"
		       "[symlink] link\n");
	assert_int_equal(collect_walk_create(&walk, &options, &bad), 0);
	assert_int_equal(collect_walk_seek(walk, 0, "a/c", 3), 0);
	assert_int_equal(collect_walk_next(walk, &entry), 1);
	assert_string_equal(entry.name, "deep.h");
	close(open_regular(entry.dir_fd, entry.name, &file));
	assert_int_equal(file.bytes, 1);
	assert_int_equal(collect_walk_seek(walk, 0, "b/README.md", 11), 0);
	rest = scratch_rest(walk);
	assert_string_equal(rest, "[vanished] gone/x\n[secret] id_rsa\n"
				  "[symlink] link\n");
	free(rest);
	collect_walk_destroy(walk);
}

static void
test_walk_of_a_list_refuses_what_is_not_below_the_root(void **state)
{
	static const char *const bad_files[] = { "/etc/passwd", "../x", "a/..",
						 "./",          "",     "." };
	struct collect_walk *walk;
	uint32_t bad;

	for (size_t i = 0; i < ARRAY_LEN(bad_files); i++) {
		const char *const files[] = { "ok", bad_files[i] };
		struct collect_options options = { SCRATCH_HERE, .files = files,
						   .file_nr = 2 };

		assert_int_equal(collect_walk_create(&walk, &options, &bad),
				 -EINVAL);
		assert_int_equal(bad, 1);
	}
}

int
main(void)
{
#define TEST(f) \
	cmocka_unit_test_setup_teardown(f, scratch_set_up, scratch_tear_down)
	const struct CMUnitTest tests[] = {
		TEST(test_walk_small_tree_is_in_byte_order_of_paths),
		TEST(test_walk_entries_carry_language_marks_and_place),
		TEST(test_walk_roots_are_shown_from_here),
		TEST(test_walk_shows_absolute_paths_if_asked_to),
		TEST(test_walk_overlapping_roots_give_each_path_once),
		TEST(test_walk_missing_root_is_named),
		TEST(test_walk_ignore_files_hold_without_git),
		TEST(test_walk_own_ignore_files_override_gitignore),
		TEST(test_walk_counts_what_it_passes),
		TEST(test_walk_lists_what_is_ignored_when_requested),
		TEST(test_walk_include_and_exclude_are_patterns_of_paths),
		TEST(test_walk_leaves_out_the_output),
		TEST(test_walk_lock_files_and_secrets_have_a_reason),
		TEST(test_walk_with_little_room_gives_the_same),
		TEST(test_walk_seek_goes_on_behind_every_entry),
		TEST(test_walk_seek_to_what_is_gone_goes_on_where_it_was),
		TEST(test_walk_of_many_names_stays_within_its_window),
		TEST(test_walk_that_gives_nothing_says_that_it_goes_on),
		TEST(test_walk_of_a_list_gives_its_files_in_order),
		TEST(test_walk_of_a_list_refuses_what_is_not_below_the_root),
		TEST(test_walk_out_of_descriptors_goes_on_when_there_are_some),
	};

	return cmocka_run_group_tests_name("collect/walk", tests, NULL, NULL);
}
