/* SPDX-License-Identifier: MIT */
/*
 * test_collect_commit.c - collect/commit: the lines of a commit object.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "git/git.h"
#include "tests/support/test_shm.h"

#define TREE "tree 0123456789012345678901234567890123456789\n"
#define PARENT_A "parent aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\n"
#define PARENT_B "parent bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb\n"
#define AUTHOR "author A. U. Thor <a@b.c> 1700000000 -0330\n"
#define COMMITTER "committer C <c@d> 1700000060 +0200\n"

static void
test_commit_as_git_writes_it_is_read(void **state)
{
	static const char text[] = TREE PARENT_A PARENT_B AUTHOR COMMITTER
		"gpgsig -----BEGIN\n author X <x> 1 +0000\n -----END\n"
		"\nSubject line\n goes on\n\nBody\n";
	struct commit commit;
	const char *subject;
	size_t bytes;

	ASSERT_EQ(commit_parse(&commit, text, sizeof(text) - 1), 0);
	ASSERT_EQ(commit.parent_nr, 2);
	assert_memory_equal(commit.tree, "0123456789", 10);
	assert_memory_equal(commit_parent(&commit, 0), "aaaaa", 5);
	assert_memory_equal(commit_parent(&commit, 1), "bbbbb", 5);
	ASSERT_EQ(commit.author_bytes, strlen("A. U. Thor"));
	assert_memory_equal(commit.author, "A. U. Thor", 10);
	ASSERT_EQ(commit.author_s, 1700000000);
	ASSERT_EQ(commit.author_zone, -(3 * 60 + 30));
	ASSERT_EQ(commit.time_s, 1700000060);
	subject = commit_subject(&commit, &bytes);
	ASSERT_EQ(bytes, strlen("Subject line\n goes on"));
	assert_memory_equal(subject, "Subject line\n goes on", bytes);
}

static void
test_commit_that_git_would_not_write_is_refused(void **state)
{
	static const char *const texts[] = {
		"",
		"tree 0123\n",
		TREE,
		TREE AUTHOR "\n",
		TREE COMMITTER "\nx",
		PARENT_A TREE AUTHOR COMMITTER "\n",
		"tree 01234567890123456789012345678901234567890\n" AUTHOR
			COMMITTER "\n",
	};

	for (size_t i = 0; i < ARRAY_LEN(texts); i++) {
		struct commit commit;

		ASSERT_EQ(commit_parse(&commit, texts[i], strlen(texts[i])),
			  -EINVAL);
	}
}

/* What is odd about people is no reason to lose a commit. */
static void
test_commit_of_odd_people_is_read(void **state)
{
	static const struct {
		const char *author;
		size_t name_bytes;
		int64_t seconds;
		int zone;
	} cases[] = {
		{ "author  <> 5 +0000\n", 0, 5, 0 },
		{ "author x\n", 0, 0, 0 },
		{ "author a <b <c> d> 7 -0001\n", 1, 7, -1 },
		{ "author a <b> 99999999999999999999999 +0000\n", 1, 0, 0 },
		{ "author a <b> 8 +99999999999\n", 1, 8, 0 },
		{ "author a <b> -8 +0000\n", 1, 0, 0 },
	};

	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct commit commit;
		char text[512];
		int nr = snprintf(text, sizeof(text), TREE "%s" COMMITTER "\n",
				  cases[i].author);

		ASSERT_EQ(commit_parse(&commit, text, (size_t)nr), 0);
		ASSERT_EQ(commit.author_bytes, cases[i].name_bytes);
		ASSERT_EQ(commit.author_s, cases[i].seconds);
		ASSERT_EQ(commit.author_zone, cases[i].zone);
		ASSERT_EQ(commit.message_bytes, 0);
	}
}

/* Cut off anywhere, and with each byte changed: read or refused, no more. */
static void
test_commit_damaged_anywhere_is_read_or_refused(void **state)
{
	static const char text[] =
		TREE PARENT_A AUTHOR COMMITTER "\nSubject\n\nBody";
	char copy[sizeof(text)];
	struct commit commit;
	size_t bytes;

	for (size_t i = 0; i < sizeof(text); i++) {
		char *exact = malloc(i + 1);

		memcpy(exact, text, i);
		if (commit_parse(&commit, exact, i) == 0)
			commit_subject(&commit, &bytes);
		free(exact);
		memcpy(copy, text, sizeof(text));
		copy[i] = '\n';
		if (commit_parse(&commit, copy, sizeof(text) - 1) == 0)
			assert_true(commit.message <= copy + sizeof(text) - 1);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_commit_as_git_writes_it_is_read),
		cmocka_unit_test(
			test_commit_that_git_would_not_write_is_refused),
		cmocka_unit_test(test_commit_of_odd_people_is_read),
		cmocka_unit_test(
			test_commit_damaged_anywhere_is_read_or_refused),
	};

	return cmocka_run_group_tests_name("collect/commit", tests, NULL, NULL);
}
