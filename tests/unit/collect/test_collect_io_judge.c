/* SPDX-License-Identifier: MIT */
/*
 * test_collect_io_judge.c - what options and defaults make of names.
 */
#include "tests/support/test_collect_scratch.h"

#include "stages/collect/collect_io_walk.h"

static void
make_tree(void)
{
	scratch_file(".ignore", "out/\n*.log\n");
	scratch_file("a.c", "\n");
	scratch_file("a.log", "\n");
	scratch_file("env/pyvenv.cfg", "\n");
	scratch_file("env/x.py", "\n");
	scratch_file("node_modules/m/i.js", "\n");
	scratch_file("out/deep/x.c", "\n");
	scratch_file("out/y.c", "\n");
}

static void
test_judge_force_include_goes_below_what_is_left_out(void **state)
{
#define REST                                             \
	"[dependency] env/pyvenv.cfg\n[dependency] env/x.py\n" \
	"[dependency] node_modules/m/i.js\n"
	static const struct {
		const char *forced;
		const char *want;
	} cases[] = {
		{ "none", ".ignore\na.c\n" REST },
		{ "a.log", ".ignore\na.c\na.log\n" REST },
		{ "out/deep/*.c", ".ignore\na.c\n[dependency] env/\n"
				  "[dependency] node_modules/\n"
				  "out/deep/x.c\n" },
		{ "out/", ".ignore\na.c\n" REST "out/deep/x.c\nout/y.c\n" },
		{ "*.py", ".ignore\na.c\n[dependency] env/pyvenv.cfg\nenv/x.py\n"
			  "[dependency] node_modules/m/i.js\n" },
		{ "node_modules/*/i.js", ".ignore\na.c\n[dependency] env/\n"
					 "node_modules/m/i.js\n" },
	};

	make_tree();
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct collect_options options = {
			SCRATCH_HERE,
			.forced = &cases[i].forced,
			.forced_nr = 1,
			.default_excludes = true,
		};

		/* a name alone may lie anywhere: all is entered for it */
		scratch_expect(&options, cases[i].want);
	}
}

static void
test_judge_notes_which_excludes_left_something_out(void **state)
{
	const char *const excludes[] = { "*.h", "out/y.c", "a.*", "env/",
					 "*.c", "!x",	   "/a.c" };
	struct collect_options options = { SCRATCH_HERE,
					   .exclude = excludes,
					   .exclude_nr = 7,
					   .no_ignore = true };
	struct collect_entry entry;
	struct collect_walk *walk;
	uint32_t bad_root;

	make_tree();
	assert_int_equal(collect_walk_create(&walk, &options, &bad_root), 0);
	while (collect_walk_next(walk, &entry) == 1)
		;
	/* all that match, not the last one alone */
	assert_int_equal(walk->counts.excludes_met,
			 1 << 1 | 1 << 2 | 1 << 3 | 1 << 4 | 1 << 6);
	collect_walk_destroy(walk);
}

int
main(void)
{
#define TEST(f) \
	cmocka_unit_test_setup_teardown(f, scratch_set_up, scratch_tear_down)
	const struct CMUnitTest tests[] = {
		TEST(test_judge_force_include_goes_below_what_is_left_out),
		TEST(test_judge_notes_which_excludes_left_something_out),
	};

	return cmocka_run_group_tests_name("collect/judge", tests, NULL, NULL);
}
