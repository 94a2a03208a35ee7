/* SPDX-License-Identifier: MIT */
/*
 * test_supervisor_part_set.c - all parts take their places, or none.
 *
 * States in which a killed process leaves a directory are made by hand; what
 * really leaves them is killed in tests/kill/ and kill_supervisor_step.
 */
#include "supervisor/part_set.h"

#include "base/diag.h"
#include "tests/support/test_dir.h"

#define STAGE ".o.md.parts.tmp"

static void
put(int fd, const char *text, struct manifest_part *part)
{
	ASSERT_TRUE(fd >= 0);
	ASSERT_EQ(write(fd, text, strlen(text)), strlen(text));
	ASSERT_EQ(manifest_hash(fd, part), 0);
	close(fd);
}

/* A set of `nr` parts with that text and their number, all but in place. */
static void
prepare(struct part_set *set, const char *text, uint64_t nr)
{
	ASSERT_EQ(part_set_open(set, "o.md", nr), 0);
	for (uint64_t i = 0; i < nr; i++) {
		char content[64];

		snprintf(content, sizeof(content), "%s%llu", text,
			 (unsigned long long)i + 1);
		put(part_set_create(set, i + 1), content,
		    &set->parts.parts[i]);
	}
	ASSERT_EQ(part_set_end(set, "o200k_base"), 0);
}

static int
publish(const char *text, uint64_t nr)
{
	struct part_set set;
	char *failed;
	int error;

	prepare(&set, text, nr);
	error = part_set_place(&set, &failed);
	if (error == 0)
		error = part_set_commit(&set);
	part_set_close(&set);
	free(failed);
	return error;
}

/* Whether the manifest names what is there, and there is nothing else. */
static void
expect_set(const char *text, uint64_t nr)
{
	struct manifest manifest;
	char want[DIR_TEXT_BYTES] = "";
	size_t at = 0;

	ASSERT_EQ(manifest_read(&manifest, AT_FDCWD, "o.md.manifest.json"), 0);
	ASSERT_EQ(manifest.nr, nr);
	for (uint64_t i = 0; i < nr; i++) {
		char *file = manifest_part_name("o.md", i + 1, nr);
		char content[64];

		snprintf(content, sizeof(content), "%s%llu", text,
			 (unsigned long long)i + 1);
		ASSERT_TEXT(file, content);
		ASSERT_TRUE(
			manifest_matches(&manifest.parts[i], AT_FDCWD, file));
		at += (size_t)snprintf(want + at, sizeof(want) - at, "%s ",
				       file);
		free(file);
	}
	snprintf(want + at, sizeof(want) - at, "o.md.manifest.json");
	ASSERT_NAMES(".", want);
	manifest_fini(&manifest);
}

static void
test_part_set_takes_the_place_of_another(void **state)
{
	ASSERT_EQ(publish("a", 3), 0);
	expect_set("a", 3);
	ASSERT_EQ(publish("b", 5), 0);
	expect_set("b", 5);
	ASSERT_EQ(publish("c", 2), 0);
	expect_set("c", 2);
	ASSERT_EQ(publish("d", 1000), 0);
	ASSERT_TRUE(access("o-0001.md", F_OK) == 0);
	ASSERT_TRUE(access("o-001.md", F_OK) != 0);
	ASSERT_EQ(publish("e", 2), 0);
	expect_set("e", 2);
}

static void
test_part_set_that_is_not_published_leaves_all_as_it_was(void **state)
{
	struct part_set set;

	ASSERT_EQ(publish("a", 2), 0);
	prepare(&set, "b", 4);
	part_set_close(&set);
	expect_set("a", 2);
}

static void
test_part_set_keeps_the_mode_of_what_it_replaces(void **state)
{
	struct stat st;

	ASSERT_EQ(publish("a", 2), 0);
	ASSERT_EQ(chmod("o-002.md", 0600), 0);
	ASSERT_EQ(publish("b", 2), 0);
	ASSERT_EQ(stat("o-002.md", &st), 0);
	ASSERT_EQ(st.st_mode & 07777, 0600);
}

static void
test_part_set_leaves_what_a_user_wrote(void **state)
{
	ASSERT_EQ(publish("a", 4), 0);
	dir_write("o-003.md", "a user's");
	dir_write("o-notes.md", "a user's");
	dir_write("o-0004.md", "a user's");
	ASSERT_EQ(publish("b", 2), 0);
	ASSERT_TEXT("o-003.md", "a user's");
	ASSERT_NAMES(".", "o-0004.md o-001.md o-002.md o-003.md o-notes.md "
			  "o.md.manifest.json");
}

/* What cannot be put aside is seen when the others are. */
static void
test_part_set_that_cannot_be_published_is_undone(void **state)
{
	struct part_set set;
	char *failed;

	ASSERT_EQ(publish("a", 3), 0);
	prepare(&set, "b", 5);
	ASSERT_EQ(mkdir("o-005.md", 0777), 0);
	ASSERT_EQ(part_set_place(&set, &failed), -EISDIR);
	assert_string_equal(failed, "o-005.md");
	free(failed);
	part_set_close(&set);
	ASSERT_EQ(rmdir("o-005.md"), 0);
	expect_set("a", 3);
}

static void
test_part_set_that_is_withdrawn_leaves_all_as_it_was(void **state)
{
	struct part_set set;
	char *failed;

	ASSERT_EQ(publish("a", 3), 0);
	prepare(&set, "b", 5);
	ASSERT_EQ(part_set_place(&set, &failed), 0);
	ASSERT_TRUE(failed == NULL);
	ASSERT_TEXT("o-005.md", "b5");
	part_set_withdraw(&set);
	/* once is enough */
	part_set_withdraw(&set);
	part_set_close(&set);
	expect_set("a", 3);
}

static void
test_part_set_has_no_place_where_something_else_is(void **state)
{
	struct part_set set;

	ASSERT_EQ(mkdir("o-001.md", 0777), 0);
	ASSERT_EQ(mkfifo("o-002.md", 0666), 0);
	ASSERT_EQ(part_set_open(&set, "o.md", 2), 0);
	ASSERT_EQ(part_set_create(&set, 1), -EISDIR);
	ASSERT_EQ(part_set_create(&set, 2), -EINVAL);
	part_set_close(&set);
	ASSERT_NAMES(".", "o-001.md o-002.md");
	ASSERT_EQ(part_set_open(&set, "none/o.md", 1), -ENOENT);
	ASSERT_EQ(symlink("/tmp", STAGE), 0);
	ASSERT_EQ(part_set_open(&set, "o.md", 1), -EEXIST);
	ASSERT_EQ(unlink(STAGE), 0);
	if (geteuid() == 0) {
		ASSERT_EQ(mkdir(STAGE, 0777), 0);
		ASSERT_EQ(chown(STAGE, 12345, 12345), 0);
		ASSERT_EQ(part_set_open(&set, "o.md", 1), -EEXIST);
		part_set_sweep("o.md");
		ASSERT_EQ(rmdir(STAGE), 0);
	}
}

/* ---- what a killed process leaves ---------------------------------------- */

/* Everything up to publishing, by a child that is gone then. */
static void
prepare_and_die(void *arg)
{
	struct part_set set;
	int fd;

	(void)arg;
	if (part_set_open(&set, "o.md", 3) != 0)
		_exit(2);
	for (uint64_t i = 0; i < 3; i++) {
		char text[] = "b1";

		text[1] = (char)('1' + i);
		fd = part_set_create(&set, i + 1);
		if (fd < 0 || write(fd, text, 2) != 2 ||
		    manifest_hash(fd, &set.parts.parts[i]) != 0)
			_exit(3);
	}
	if (part_set_end(&set, "o200k_base") != 0)
		_exit(4);
	_exit(0);
}

static void
move(const char *from, const char *to)
{
	ASSERT_EQ(rename(from, to), 0);
}

static void
test_part_set_sweep_removes_what_was_not_ended(void **state)
{
	ASSERT_EQ(publish("a", 2), 0);
	ASSERT_EQ(run_child(prepare_and_die, NULL), 0);
	ASSERT_NAMES(STAGE, "lock manifest o-001.md o-002.md o-003.md");
	part_set_sweep("other.md");
	ASSERT_TRUE(access(STAGE, F_OK) == 0);
	part_set_sweep("o.md");
	expect_set("a", 2);
	/* killed before there was a lock */
	ASSERT_EQ(mkdir(STAGE, 0700), 0);
	part_set_sweep("o.md");
	expect_set("a", 2);
	/* the next set does without a sweep */
	ASSERT_EQ(run_child(prepare_and_die, NULL), 0);
	ASSERT_EQ(publish("c", 4), 0);
	expect_set("c", 4);
}

/* Stops after the n-th rename of publishing two parts by three. */
static void
test_part_set_sweep_undoes_what_was_half_in_place(void **state)
{
	static const char *const renames[][2] = {
		{ "o.md.manifest.json", STAGE "/old/o.md.manifest.json" },
		{ "o-001.md", STAGE "/old/o-001.md" },
		{ "o-002.md", STAGE "/old/o-002.md" },
		{ STAGE "/o-001.md", "o-001.md" },
		{ STAGE "/o-002.md", "o-002.md" },
		{ STAGE "/o-003.md", "o-003.md" },
	};

	for (size_t n = 0; n <= ARRAY_LEN(renames); n++) {
		ASSERT_EQ(publish("a", 2), 0);
		ASSERT_EQ(run_child(prepare_and_die, NULL), 0);
		ASSERT_EQ(mkdir(STAGE "/old", 0700), 0);
		for (size_t i = 0; i < n; i++)
			move(renames[i][0], renames[i][1]);
		part_set_sweep("o.md");
		expect_set("a", 2);
	}
	/* and after the last one, that of the manifest, all is there */
	ASSERT_EQ(run_child(prepare_and_die, NULL), 0);
	ASSERT_EQ(mkdir(STAGE "/old", 0700), 0);
	for (size_t i = 0; i < ARRAY_LEN(renames); i++)
		move(renames[i][0], renames[i][1]);
	move(STAGE "/manifest", "o.md.manifest.json");
	part_set_sweep("o.md");
	expect_set("b", 3);
}

/* Undoing may be killed as well, after any of its renames. */
static void
test_part_set_sweep_goes_on_with_what_was_half_undone(void **state)
{
	static const char *const back[][2] = {
		{ "o-001.md", STAGE "/o-001.md" },
		{ "o-002.md", STAGE "/o-002.md" },
		{ STAGE "/old/o-002.md", "o-002.md" },
		{ STAGE "/old/o-001.md", "o-001.md" },
		{ STAGE "/old/o.md.manifest.json", "o.md.manifest.json" },
	};

	for (size_t n = 0; n <= ARRAY_LEN(back); n++) {
		/* the same bytes: what is restored is like what was put back */
		ASSERT_EQ(publish("b", 2), 0);
		ASSERT_EQ(run_child(prepare_and_die, NULL), 0);
		ASSERT_EQ(mkdir(STAGE "/old", 0700), 0);
		move("o.md.manifest.json", STAGE "/old/o.md.manifest.json");
		move("o-001.md", STAGE "/old/o-001.md");
		move("o-002.md", STAGE "/old/o-002.md");
		move(STAGE "/o-001.md", "o-001.md");
		move(STAGE "/o-002.md", "o-002.md");
		for (size_t i = 0; i < n; i++)
			move(back[i][0], back[i][1]);
		part_set_sweep("o.md");
		expect_set("b", 2);
	}
}

static void
test_part_set_sweep_leaves_what_a_user_wrote_meanwhile(void **state)
{
	ASSERT_EQ(publish("a", 2), 0);
	ASSERT_EQ(run_child(prepare_and_die, NULL), 0);
	ASSERT_EQ(mkdir(STAGE "/old", 0700), 0);
	move("o.md.manifest.json", STAGE "/old/o.md.manifest.json");
	move("o-001.md", STAGE "/old/o-001.md");
	move("o-002.md", STAGE "/old/o-002.md");
	move(STAGE "/o-001.md", "o-001.md");
	/* one in the place of a new part, one in that of an old one */
	dir_write("o-001.md", "a user's");
	dir_write("o-002.md", "a user's, too");
	part_set_sweep("o.md");
	ASSERT_TEXT("o-001.md", "a user's");
	ASSERT_TEXT("o-002.md", "a user's, too");
	ASSERT_TRUE(access(STAGE, F_OK) != 0);
}

static void
test_part_set_sweep_touches_no_directory_of_a_user(void **state)
{
	ASSERT_EQ(mkdir(STAGE, 0777), 0);
	dir_write(STAGE "/thesis", "mine");
	part_set_sweep("o.md");
	ASSERT_NAMES(STAGE, "thesis");
	/* and with all names but one of ours */
	dir_write(STAGE "/lock", "");
	dir_write(STAGE "/o-001.md", "");
	part_set_sweep("o.md");
	ASSERT_NAMES(STAGE, "thesis");
	ASSERT_EQ(publish("a", 2), 0);
	ASSERT_NAMES(STAGE, "thesis");
}

/* ---- several at once ----------------------------------------------------- */

static void
publish_often(void *arg)
{
	const char *text = arg;
	struct part_set set;
	char *failed;

	for (int k = 0; k < 12; k++) {
		uint64_t nr = (uint64_t)(text[0] - 'a') + 2;

		if (part_set_open(&set, "o.md", nr) != 0)
			_exit(2);
		for (uint64_t i = 0; i < nr; i++) {
			char content[64];
			int bytes = snprintf(content, sizeof(content), "%s%llu",
					     text, (unsigned long long)i + 1);
			int fd = part_set_create(&set, i + 1);

			if (fd < 0 ||
			    write(fd, content, (size_t)bytes) != bytes ||
			    manifest_hash(fd, &set.parts.parts[i]) != 0)
				_exit(3);
			close(fd);
		}
		if (part_set_end(&set, "o200k_base") != 0 ||
		    part_set_place(&set, &failed) != 0 ||
		    part_set_commit(&set) != 0)
			_exit(4);
		part_set_close(&set);
	}
}

static void
test_part_set_of_many_at_once_is_one_of_them(void **state)
{
	char texts[8][2];
	pid_t pids[8];
	struct manifest manifest;
	char text[2] = "";

	for (int i = 0; i < 8; i++) {
		texts[i][0] = (char)('a' + i);
		texts[i][1] = '\0';
		pids[i] = start_child(publish_often, texts[i]);
	}
	for (int i = 0; i < 8; i++)
		ASSERT_EQ(wait_for(pids[i]), 0);
	ASSERT_EQ(manifest_read(&manifest, AT_FDCWD, "o.md.manifest.json"), 0);
	text[0] = (char)('a' + (int)manifest.nr - 2);
	expect_set(text, manifest.nr);
	manifest_fini(&manifest);
}

int
main(void)
{
#define TEST(name) \
	cmocka_unit_test_setup_teardown(name, dir_set_up, dir_tear_down)
	const struct CMUnitTest tests[] = {
		TEST(test_part_set_takes_the_place_of_another),
		TEST(test_part_set_that_is_not_published_leaves_all_as_it_was),
		TEST(test_part_set_keeps_the_mode_of_what_it_replaces),
		TEST(test_part_set_leaves_what_a_user_wrote),
		TEST(test_part_set_that_cannot_be_published_is_undone),
		TEST(test_part_set_that_is_withdrawn_leaves_all_as_it_was),
		TEST(test_part_set_has_no_place_where_something_else_is),
		TEST(test_part_set_sweep_removes_what_was_not_ended),
		TEST(test_part_set_sweep_undoes_what_was_half_in_place),
		TEST(test_part_set_sweep_goes_on_with_what_was_half_undone),
		TEST(test_part_set_sweep_leaves_what_a_user_wrote_meanwhile),
		TEST(test_part_set_sweep_touches_no_directory_of_a_user),
		TEST(test_part_set_of_many_at_once_is_one_of_them),
	};

	diag_init(STDERR_FILENO, DIAG_ERROR, false, "test");
	return cmocka_run_group_tests_name("supervisor/part_set", tests, NULL,
					   NULL);
}
