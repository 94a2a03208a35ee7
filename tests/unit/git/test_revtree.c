/* SPDX-License-Identifier: MIT */
/*
 * test_revtree.c - entries of tree objects, and trees that git would not write.
 */
#include "tests/support/test_shm.h"

#include "base/base.h"
#include "git/git.h"

static uint8_t bytes[1024];
static size_t nr;

static void
add(const char *mode, const char *name)
{
	nr += (size_t)snprintf((char *)bytes + nr, sizeof(bytes) - nr, "%s %s",
			       mode, name) +
	      1;
	memset(bytes + nr, (int)nr, REVTREE_NAME_BYTES);
	nr += REVTREE_NAME_BYTES;
}

static void
test_revtree_entries_are_what_stands_there(void **state)
{
	struct revtree tree = { bytes, bytes };
	struct revtree_entry entry;

	nr = 0;
	ASSERT_EQ(revtree_next(&tree, &entry), 0);
	add("100644", "a b");
	add("40000", "d");
	add("160000", "module");
	tree = (struct revtree){ bytes, bytes + nr };
	ASSERT_EQ(revtree_next(&tree, &entry), 1);
	assert_string_equal(entry.name, "a b");
	ASSERT_EQ(entry.bytes, 3);
	ASSERT_EQ(entry.mode, 0100644);
	ASSERT_EQ(entry.object[0], 11);
	ASSERT_TRUE(!revtree_is_dir(&entry));
	ASSERT_EQ(revtree_next(&tree, &entry), 1);
	ASSERT_TRUE(revtree_is_dir(&entry));
	ASSERT_EQ(revtree_next(&tree, &entry), 1);
	ASSERT_EQ(entry.mode & REVTREE_MODE_KIND, REVTREE_MODE_SUBMODULE);
	ASSERT_EQ(revtree_next(&tree, &entry), 0);
	ASSERT_TRUE(revtree_find(bytes, nr, "d", 1, &entry));
	ASSERT_EQ(entry.mode, 040000);
	ASSERT_TRUE(!revtree_find(bytes, nr, "a", 1, &entry));
	ASSERT_TRUE(revtree_valid(bytes, nr));
	/* cut anywhere but between entries it is none */
	for (size_t cut = 0; cut < nr; cut++)
		ASSERT_EQ(revtree_valid(bytes, cut),
			  cut == 0 || cut == 31 || cut == 59);
}

/* Against both read entry by entry. */
static void
test_revtree_same_entries_are_skipped(void **state)
{
	struct revtree whole;
	uint8_t other[sizeof(bytes)];

	nr = 0;
	add("100644", "a");
	add("40000", "b");
	add("100644", "c");
	whole = (struct revtree){ bytes, bytes + nr };
	for (size_t at = 0; at <= nr; at++) {
		struct revtree a = whole;
		struct revtree b = { other, other + nr };
		struct revtree ends = whole;
		struct revtree_entry entry;
		const uint8_t *same = whole.at;

		memcpy(other, bytes, nr);
		if (at < nr)
			other[at] ^= 1;
		while (revtree_next(&ends, &entry) == 1 &&
		       memcmp(bytes, other, (size_t)(ends.at - bytes)) == 0)
			same = ends.at;
		revtree_skip_same(&a, &b);
		ASSERT_EQ(a.at - bytes, same - bytes);
		ASSERT_EQ(b.at - other, same - bytes);
	}
	/* one that is cut off is left to revtree_next() */
	for (size_t cut = 0; cut < nr; cut++) {
		struct revtree a = { bytes, bytes + cut };
		struct revtree b = whole;

		revtree_skip_same(&a, &b);
		ASSERT_EQ(a.at - bytes, cut < 29 ? 0 : cut < 57 ? 29 : 57);
		ASSERT_EQ(a.at - bytes, b.at - bytes);
	}
}

static bool
is_valid_with(const char *mode, const char *name)
{
	nr = 0;
	add(mode, name);
	return revtree_valid(bytes, nr);
}

static void
test_revtree_names_that_no_file_can_have_are_refused(void **state)
{
	ASSERT_TRUE(is_valid_with("100644", "a"));
	ASSERT_TRUE(is_valid_with("100644", ".gitignore"));
	ASSERT_TRUE(is_valid_with("100644", "..."));
	ASSERT_TRUE(!is_valid_with("100644", ""));
	ASSERT_TRUE(!is_valid_with("100644", "."));
	ASSERT_TRUE(!is_valid_with("100644", ".."));
	ASSERT_TRUE(!is_valid_with("100644", "../x"));
	ASSERT_TRUE(!is_valid_with("100644", "a/b"));
	ASSERT_TRUE(!is_valid_with("40000", ".git"));
	ASSERT_TRUE(!is_valid_with("40000", ".GiT"));
	ASSERT_TRUE(!is_valid_with("", "a"));
	ASSERT_TRUE(!is_valid_with("100648", "a"));
	ASSERT_TRUE(is_valid_with("0100644", "a"));
	ASSERT_TRUE(!is_valid_with("00100644", "a"));
}

/* As git has it: a folder is sorted as if its name ended with a slash. */
static void
test_revtree_order_is_that_of_paths(void **state)
{
	static const struct {
		const char *modes[2];
		const char *names[2];
		bool valid;
	} cases[] = {
		{ { "100644", "100644" }, { "a", "b" }, true },
		{ { "100644", "100644" }, { "b", "a" }, false },
		{ { "100644", "100644" }, { "a", "a" }, false },
		{ { "100644", "40000" }, { "a.c", "a" }, true },
		{ { "40000", "100644" }, { "a", "a.c" }, false },
		{ { "40000", "100644" }, { "a", "a0" }, true },
		{ { "100644", "100644" }, { "a", "a.c" }, true },
		{ { "100644", "100644" }, { "z", "\xc3\xa4" }, true },
	};

	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		nr = 0;
		for (int k = 0; k < 2; k++)
			add(cases[i].modes[k], cases[i].names[k]);
		ASSERT_EQ(revtree_valid(bytes, nr), cases[i].valid);
	}
}

#define OBJECT "\1\2\3\4\5\6\7\10\11\12\13\14\15\16\17\20\21\22\23\24"

#define check_tree(text, want) \
	assert_int_equal(revtree_valid(text, sizeof(text) - 1), want)

static void
test_revtree_only_what_git_would_write_is_valid(void **state)
{
	check_tree("", true);
	check_tree("100644 a\0" OBJECT "40000 b\0" OBJECT, true);
	/* a folder's name ends with a slash: "a.b" is before "a/" */
	check_tree("100644 a.b\0" OBJECT "40000 a\0" OBJECT, true);
	check_tree("40000 a\0" OBJECT "100644 a.b\0" OBJECT, false);
	check_tree("40000 a\0" OBJECT "100644 a0\0" OBJECT, true);
	check_tree("100644 a\0" OBJECT "100644 a\0" OBJECT, false);
	check_tree("100644 b\0" OBJECT "100644 a\0" OBJECT, false);
	check_tree("100644 a/b\0" OBJECT, false);
	check_tree("100644 ..\0" OBJECT, false);
	check_tree("40000 .\0" OBJECT, false);
	check_tree("40000 .GIT\0" OBJECT, false);
	check_tree("100644 .gitignore\0" OBJECT, true);
	check_tree("100644 \0" OBJECT, false);
	check_tree("100648 a\0" OBJECT, false);
	check_tree("10064400 a\0" OBJECT, false);
	check_tree("100644 a\0too short", false);
	check_tree("100644 a", false);
	check_tree("100644", false);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_revtree_entries_are_what_stands_there),
		cmocka_unit_test(test_revtree_same_entries_are_skipped),
		cmocka_unit_test(
			test_revtree_names_that_no_file_can_have_are_refused),
		cmocka_unit_test(test_revtree_order_is_that_of_paths),
		cmocka_unit_test(
			test_revtree_only_what_git_would_write_is_valid),
	};

	return cmocka_run_group_tests_name("git/revtree", tests, NULL, NULL);
}
