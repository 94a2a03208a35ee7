/* SPDX-License-Identifier: MIT */
/*
 * test_shm_new_file.c - a file gets its name when it is whole, and what a
 * killed process left goes; with nameless files and without.
 *
 * Each case is run by a child, and by one without nameless files.
 */
#include "tests/support/test_dir.h"

#include <sys/stat.h>

#include "base/new_file.h"
#include "base/signals.h"
#include "tests/support/no_tmpfile.h"

#define CHECK CHILD_CHECK

static void
run_with(void *arg)
{
	void (*const *run)(void) = arg;

	(*run)();
}

static void
run_without(void *arg)
{
	if (no_tmpfile() != 0)
		_exit(CHILD_SKIP);
	run_with(arg);
}

/* In a child, and in one without nameless files. */
static void
run_twice(void (*run)(void))
{
	ASSERT_EQ(run_child(run_with, &run), CHILD_OK);
	run_child_or_skip(run_without, &run);
}

static void
put(const char *path, const char *text, bool replaces, int want)
{
	struct new_file file;
	int error = new_file_create(&file, path);

	CHECK(error == 0);
	CHECK(write(file.fd, text, strlen(text)) == (ssize_t)strlen(text));
	CHECK(new_file_commit(&file, 0640, replaces) == want);
	CHECK(file.fd == -1 && file.dir_fd == -1 && file.hidden[0] == '\0');
}

static void
try_commit(void)
{
	struct stat st;

	put("a", "one", false, 0);
	CHECK_TEXT("a", "one");
	CHECK(stat("a", &st) == 0 && (st.st_mode & 07777) == 0640);
	CHECK(st.st_nlink == 1);
	put("a", "two", false, -EEXIST);
	CHECK_TEXT("a", "one");
	put("a", "three", true, 0);
	CHECK_TEXT("a", "three");
	put("./b", "four", true, 0);
	CHECK_NAMES(".", "a b");
	unlink("a");
	unlink("b");
}

static void
test_new_file_commit_replaces_or_not(void **state)
{
	run_twice(try_commit);
}

static void
try_drop(void)
{
	struct new_file file;

	dir_write("a", "old");
	CHECK(new_file_create(&file, "a") == 0);
	new_file_drop(&file);
	new_file_drop(&file);
	CHECK_TEXT("a", "old");
	CHECK_NAMES(".", "a");
	unlink("a");
}

static void
try_ready(void)
{
	struct new_file file;
	sigset_t before;

	put("a", "one", false, 0);
	signals_block(&before);
	for (int i = 0; i < 2; i++) {
		CHECK(new_file_create(&file, "a") == 0);
		CHECK(write(file.fd, "two", 3) == 3);
		CHECK(new_file_ready(&file, 0640) == 0);
		CHECK_TEXT("a", "one");
		CHECK(access(file.hidden, F_OK) == 0);
		if (i == 0)
			new_file_drop(&file);
		else
			CHECK(new_file_commit(&file, 0640, true) == 0);
		CHECK_NAMES(".", "a");
	}
	signals_restore(&before);
	CHECK_TEXT("a", "two");
	unlink("a");
}

/* It has a name by then, which goes with the signal. */
static void
try_signal_when_ready(void)
{
	pid_t pid = fork();
	int status;

	if (pid == 0) {
		struct new_file file;
		sigset_t before;

		signal(SIGTERM, SIG_DFL);
		signals_init();
		signals_block(&before);
		if (new_file_create(&file, "a") != 0 ||
		    new_file_ready(&file, 0640) != 0)
			_exit(1);
		raise(SIGTERM);
		signals_restore(&before);
		_exit(2);
	}
	CHECK(waitpid(pid, &status, 0) == pid);
	CHECK(WIFSIGNALED(status) && WTERMSIG(status) == SIGTERM);
	CHECK_NAMES(".", "");
}

static void
test_new_file_that_is_ready_has_all_but_its_name(void **state)
{
	run_twice(try_ready);
	run_twice(try_signal_when_ready);
}

static void
test_new_file_that_is_dropped_leaves_nothing(void **state)
{
	run_twice(try_drop);
}

static void
try_links(void)
{
	struct new_file file;

	CHECK(mkdir("d", 0777) == 0);
	CHECK(symlink("d/real", "link") == 0);
	put("link", "one", true, 0);
	CHECK_TEXT("d/real", "one");
	put("link", "two", true, 0);
	CHECK_TEXT("d/real", "two");
	CHECK_NAMES(".", "d link");
	CHECK_NAMES("d", "real");
	CHECK(symlink("loop", "loop") == 0);
	CHECK(new_file_create(&file, "loop") == -ELOOP);
	unlink("loop");
	unlink("link");
	unlink("d/real");
	rmdir("d");
}

static void
test_new_file_is_written_through_links(void **state)
{
	run_twice(try_links);
}

static void
try_wrong_targets(void)
{
	struct new_file file;
	char name[300];

	CHECK(new_file_create(&file, "none/a") == -ENOENT);
	CHECK(new_file_create(&file, "none/") == -EISDIR);
	CHECK(mkdir("d", 0777) == 0);
	put("d", "one", true, -EISDIR);
	put("d", "one", false, -EEXIST);
	dir_write("f", "old");
	CHECK(new_file_create(&file, "f/a") == -ENOTDIR);
	memset(name, 'n', sizeof(name));
	name[255] = '\0';
	put(name, "long", true, 0);
	put(name, "longer", true, 0);
	CHECK_TEXT(name, "longer");
	unlink(name);
	name[255] = 'n';
	name[256] = '\0';
	CHECK(new_file_create(&file, name) == -ENAMETOOLONG);
	CHECK_NAMES(".", "d f");
	unlink("f");
	rmdir("d");
}

static void
test_new_file_for_a_wrong_target_is_an_error(void **state)
{
	run_twice(try_wrong_targets);
}

/* A hidden name as a killed process leaves it. */
static void
abandon(const char *target, char hidden[NEW_FILE_NAME_BYTES], int *locked_fd)
{
	struct new_file file;

	CHECK(new_file_create(&file, target) == 0);
	if (file.hidden[0] == '\0') {
		/* where it has none it gets one for a moment: made here */
		new_file_drop(&file);
		return;
	}
	strcpy(hidden, file.hidden);
	*locked_fd = file.fd;
}

static void
try_sweep(void)
{
	char hidden[NEW_FILE_NAME_BYTES] = "";
	char other[NEW_FILE_NAME_BYTES];
	int locked_fd = -1;
	int dir_fd = open(".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	abandon("a.md", hidden, &locked_fd);
	if (hidden[0] == '\0') {
		close(dir_fd);
		return;
	}
	/* whoever made it is at work */
	new_file_sweep(dir_fd, "a.md");
	CHECK(access(hidden, F_OK) == 0);
	/* now it is dead */
	close(locked_fd);
	new_file_sweep(dir_fd, "b.md");
	CHECK(access(hidden, F_OK) == 0);
	/* has another name, is in use, a link, a directory, somebody else's */
	CHECK(link(hidden, "second") == 0);
	new_file_sweep(dir_fd, "a.md");
	CHECK(access(hidden, F_OK) == 0);
	unlink("second");
	strcpy(other, hidden);
	other[8] = other[8] == '0' ? '1' : '0';
	dir_write(other, "a user's");
	dir_write(".a.md.0123456789abcdef.tmp", "a user's");
	dir_write(".a.md.tmp", "a user's");
	new_file_sweep(dir_fd, NULL);
	CHECK(access(hidden, F_OK) != 0);
	CHECK(access(other, F_OK) == 0);
	CHECK(access(".a.md.0123456789abcdef.tmp", F_OK) == 0);
	CHECK(access(".a.md.tmp", F_OK) == 0);
	/* the name is good: what stands for it is not */
	CHECK(symlink(".a.md.tmp", hidden) == 0);
	new_file_sweep(dir_fd, "a.md");
	CHECK(unlink(hidden) == 0);
	CHECK(mkdir(hidden, 0777) == 0);
	new_file_sweep(dir_fd, "a.md");
	CHECK(rmdir(hidden) == 0);
	CHECK(mkfifo(hidden, 0666) == 0);
	new_file_sweep(dir_fd, "a.md");
	CHECK(unlink(hidden) == 0);
	if (geteuid() == 0) {
		dir_write(hidden, "somebody else's");
		CHECK(chown(hidden, 12345, 12345) == 0);
		new_file_sweep(dir_fd, "a.md");
		CHECK(unlink(hidden) == 0);
	}
	unlink(other);
	unlink(".a.md.0123456789abcdef.tmp");
	unlink(".a.md.tmp");
	CHECK_NAMES(".", "");
	close(dir_fd);
}

static void
test_new_file_sweep_takes_what_is_abandoned_and_nothing_else(void **state)
{
	run_twice(try_sweep);
}

/* Killed at any moment, and the next one finds its way. */
static void
try_killed(void)
{
	_Atomic int *puts = mmap(NULL, sizeof(*puts), PROT_READ | PROT_WRITE,
				 MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	CHECK(puts != MAP_FAILED);
	for (int i = 0; i < 30; i++) {
		pid_t pid;
		int status;

		*puts = 0;
		pid = fork();
		if (pid == 0) {
			for (;; ++*puts)
				put("k", "whole", true, 0);
		}
		/* wherever in the next one it is when the signal comes */
		while (*puts < i % 6)
			sched_yield();
		for (volatile int spin = 0; spin < 997 * i; spin++)
			;
		kill(pid, SIGKILL);
		CHECK(waitpid(pid, &status, 0) == pid);
		CHECK(WIFSIGNALED(status));
		CHECK(access("k", F_OK) != 0 ||
		      strcmp(dir_read("k"), "whole") == 0);
		put("k", "whole", true, 0);
		CHECK_NAMES(".", "k");
	}
	unlink("k");
	munmap(puts, sizeof(*puts));
}

static void
test_new_file_of_a_killed_process_is_swept(void **state)
{
	run_twice(try_killed);
}

/* Eight at once: one of them is there, whole, and nothing else. */
static void
try_many(void)
{
	pid_t pids[8];
	int status;

	for (int i = 0; i < 8; i++) {
		pids[i] = fork();
		if (pids[i] == 0) {
			char text[16];

			memset(text, 'a' + i, sizeof(text));
			text[15] = '\0';
			for (int k = 0; k < 50; k++)
				put("m", text, true, 0);
			_exit(0);
		}
	}
	for (int i = 0; i < 8; i++) {
		CHECK(waitpid(pids[i], &status, 0) == pids[i]);
		CHECK(status == 0);
	}
	CHECK_NAMES(".", "m");
	CHECK(strlen(dir_read("m")) == 15);
	CHECK(strspn(dir_read("m"), (char[]){ dir_read("m")[0], '\0' }) == 15);
	unlink("m");
}

static void
test_new_file_of_many_at_once_is_one_of_them(void **state)
{
	run_twice(try_many);
}

/* Made in one directory, it gets its name in another; or goes there. */
static void
try_move(void)
{
	struct new_file file;
	pid_t pid;
	int status;

	CHECK(mkdir("d", 0700) == 0);
	CHECK(new_file_create(&file, "a") == 0);
	CHECK(write(file.fd, "one", 3) == 3);
	CHECK(new_file_move(&file, open("d", O_PATH | O_CLOEXEC)) == 0);
	CHECK_NAMES(".", "d");
	CHECK(new_file_commit(&file, 0640, false) == 0);
	CHECK_TEXT("d/a", "one");
	CHECK_NAMES("d", "a");
	unlink("d/a");

	pid = fork();
	if (pid == 0) {
		signal(SIGTERM, SIG_DFL);
		signals_init();
		if (new_file_create(&file, "a") != 0 ||
		    new_file_move(&file, open("d", O_PATH | O_CLOEXEC)) != 0)
			_exit(1);
		raise(SIGTERM);
		_exit(2);
	}
	CHECK(waitpid(pid, &status, 0) == pid);
	CHECK(WIFSIGNALED(status) && WTERMSIG(status) == SIGTERM);
	CHECK_NAMES("d", "");
	CHECK(rmdir("d") == 0);
	CHECK_NAMES(".", "");
}

static void
test_new_file_moves_to_another_directory(void **state)
{
	run_twice(try_move);
}

static void
try_nameless(void)
{
	struct stat st;
	int fd;

	CHECK(mkdir("t", 0777) == 0);
	fd = new_file_nameless("t");
	CHECK(fd >= 0);
	CHECK(fstat(fd, &st) == 0 && st.st_nlink == 0);
	CHECK(write(fd, "x", 1) == 1);
	CHECK_NAMES("t", "");
	close(fd);
	rmdir("t");
	CHECK(new_file_nameless("t") == -ENOENT);
}

static void
test_new_file_nameless_has_no_name(void **state)
{
	run_twice(try_nameless);
}

static void
test_new_file_temp_files_may_be_lent(void **state)
{
	const int fds[] = { temp_file_open(), temp_file_open() };
	int other;

	temp_file_lend(fds, 2);
	ASSERT_EQ(temp_file_open(), fds[1]);
	ASSERT_EQ(temp_file_open(), fds[0]);
	other = temp_file_open();
	ASSERT_TRUE(other >= 0 && other != fds[0] && other != fds[1]);
	close(fds[0]);
	close(fds[1]);
	close(other);
}

int
main(void)
{
#define TEST(name) \
	cmocka_unit_test_setup_teardown(name, dir_set_up, dir_tear_down)
	const struct CMUnitTest tests[] = {
		TEST(test_new_file_commit_replaces_or_not),
		TEST(test_new_file_that_is_ready_has_all_but_its_name),
		TEST(test_new_file_that_is_dropped_leaves_nothing),
		TEST(test_new_file_is_written_through_links),
		TEST(test_new_file_for_a_wrong_target_is_an_error),
		TEST(test_new_file_sweep_takes_what_is_abandoned_and_nothing_else),
		TEST(test_new_file_of_a_killed_process_is_swept),
		TEST(test_new_file_of_many_at_once_is_one_of_them),
		TEST(test_new_file_moves_to_another_directory),
		TEST(test_new_file_nameless_has_no_name),
		TEST(test_new_file_temp_files_may_be_lent),
	};

	return cmocka_run_group_tests_name("shm/new_file", tests, NULL, NULL);
}
