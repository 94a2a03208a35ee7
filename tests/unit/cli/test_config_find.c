/* SPDX-License-Identifier: MIT */
/*
 * test_config_find.c - where the configuration of a repository lies, and what
 * is not read for one.
 */
#include "tests/support/test_dir.h"

#include "cli/config_key.h"

/* Finds it from a directory: "SHOWN: TEXT", or the error: static. */
static const char *
find_from(const char *dir)
{
	static char out[DIR_TEXT_BYTES];
	char shown[CONFIG_SHOWN_BYTES];
	char *text;
	size_t bytes;
	int back = open(".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	int result;

	ASSERT_TRUE(back >= 0 && chdir(dir) == 0);
	result = config_file_find(shown, &text, &bytes);
	ASSERT_TRUE(fchdir(back) == 0);
	close(back);
	if (result != 0)
		return strerrorname_np(-result);
	ASSERT_EQ(bytes, strlen(text));
	snprintf(out, sizeof(out), "%s: %s", shown, text);
	free(text);
	return out;
}

static void
test_config_lies_here_or_beside_the_git_above(void **state)
{
	ASSERT_TRUE(mkdir("top", 0755) == 0 && mkdir("top/a", 0755) == 0 &&
		    mkdir("top/a/b", 0755) == 0 &&
		    mkdir("top/.agent", 0755) == 0);
	dir_write("top/.agent/config.yml", "top\n");
	/* without a repository only what lies here */
	assert_string_equal(find_from("top"), ".agent/config.yml: top\n");
	assert_string_equal(find_from("top/a/b"), "ENOENT");
	/* a worktree has a file .git */
	dir_write("top/.git", "gitdir: x\n");
	assert_string_equal(find_from("top/a/b"),
			    "../../.agent/config.yml: top\n");
	assert_string_equal(find_from("top/a"), "../.agent/config.yml: top\n");
	/* what lies here comes first */
	ASSERT_TRUE(mkdir("top/a/.agent", 0755) == 0);
	dir_write("top/a/.agent/config.yml", "a\n");
	assert_string_equal(find_from("top/a"), ".agent/config.yml: a\n");
	/* and not above, but beside .git */
	assert_string_equal(find_from("top/a/b"),
			    "../../.agent/config.yml: top\n");
	/* the nearest repository, though it has none */
	ASSERT_TRUE(mkdir("top/a/b/.git", 0755) == 0);
	assert_string_equal(find_from("top/a/b"), "ENOENT");
}

static void
test_config_by_a_link_stays_in_its_directory(void **state)
{
	ASSERT_TRUE(mkdir("in", 0755) == 0 && mkdir("in/.agent", 0755) == 0);
	dir_write("secret", "secret\n");
	dir_write("in/other.yml", "other\n");
	ASSERT_TRUE(symlink("../../secret", "in/.agent/config.yml") == 0);
	assert_string_equal(find_from("in"), "EXDEV");
	/* the user may name it */
	{
		char *text;
		size_t bytes;

		ASSERT_EQ(
			config_file_read("in/.agent/config.yml", &text, &bytes),
			0);
		assert_string_equal(text, "secret\n");
		free(text);
	}
	ASSERT_TRUE(unlink("in/.agent/config.yml") == 0);
	ASSERT_TRUE(symlink("../other.yml", "in/.agent/config.yml") == 0);
	assert_string_equal(find_from("in"), ".agent/config.yml: other\n");
}

static void
test_config_is_a_regular_file_of_a_bounded_size(void **state)
{
	char *text = NULL;
	size_t bytes;

	ASSERT_TRUE(mkfifo("fifo", 0600) == 0);
	ASSERT_EQ(config_file_read("fifo", &text, &bytes), -EINVAL);
	dir_write("most", "");
	ASSERT_TRUE(truncate("most", CONFIG_BYTES_MAX) == 0);
	ASSERT_EQ(config_file_read("most", &text, &bytes), 0);
	ASSERT_EQ(bytes, CONFIG_BYTES_MAX);
	free(text);
	ASSERT_TRUE(truncate("most", CONFIG_BYTES_MAX + 1) == 0);
	ASSERT_EQ(config_file_read("most", &text, &bytes), -EFBIG);
	ASSERT_EQ(config_file_read("gone", &text, &bytes), -ENOENT);
	assert_string_equal(config_file_error(-EFBIG),
			    "it is larger than 256 KiB");
	assert_string_equal(config_file_error(-ENOENT),
			    "No such file or directory");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(
			test_config_lies_here_or_beside_the_git_above,
			dir_set_up, dir_tear_down),
		cmocka_unit_test_setup_teardown(
			test_config_by_a_link_stays_in_its_directory,
			dir_set_up, dir_tear_down),
		cmocka_unit_test_setup_teardown(
			test_config_is_a_regular_file_of_a_bounded_size,
			dir_set_up, dir_tear_down),
	};

	return cmocka_run_group_tests_name("cli/config_find", tests, NULL,
					   NULL);
}
