/* SPDX-License-Identifier: MIT */
/*
 * test_open_below.c - what lies below a directory is opened, and nothing else;
 * with openat2(2), and where the kernel has none.
 */
#include "tests/support/test_dir.h"

#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/syscall.h>

#include "base/open_below.h"

#define CHECK CHILD_CHECK

static int root = -1;

/* Refuses openat2(2), as kernels before 5.6 do. 0, or -1 and errno. */
static int
no_openat2(void)
{
	struct sock_filter code[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS,
			 offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_openat2, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ENOSYS),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	const struct sock_fprog filter = {
		.len = ARRAY_LEN(code),
		.filter = code,
	};

	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0)
		return -1;
	return (int)syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &filter);
}

static void
run(void *arg)
{
	void (*const *try)(void) = arg;

	root = open(".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	(*try)();
}

static void
run_without(void *arg)
{
	if (no_openat2() != 0)
		_exit(CHILD_SKIP);
	run(arg);
}

static void
run_twice(void (*try)(void))
{
	ASSERT_EQ(run_child(run, &try), CHILD_OK);
	run_child_or_skip(run_without, &try);
}

/* -errno, or 0 and the descriptor is closed. */
static int
code(int fd)
{
	if (fd >= 0)
		close(fd);
	return fd >= 0 ? 0 : fd;
}

static int
regular(const char *path)
{
	struct file_state file;

	return code(open_regular_deep(root, path, strlen(path), &file));
}

static int
directory(const char *path)
{
	return code(open_directory_deep(root, path, strlen(path)));
}

static void
make_tree(void)
{
	mkdir("d", 0700);
	mkdir("d/e", 0700);
	dir_write("d/e/f", "text");
	if (symlink("d", "link") == 0 && symlink("f", "d/e/link") == 0 &&
	    symlink("/", "out") == 0)
		mkfifo("p", 0600);
}

static void
try_tree(void)
{
	struct file_state file;
	struct stat status;
	int fd;

	make_tree();
	fd = open_regular_deep(root, "d/e/f", 5, &file);
	CHECK(fd >= 0 && fstat(fd, &status) == 0);
	CHECK(file.identity.dev == status.st_dev &&
	      file.identity.ino == status.st_ino && file.bytes == 4 &&
	      file.mode == status.st_mode);
	CHECK(file.mtime_ns == (int64_t)status.st_mtim.tv_sec * 1000000000 +
				       status.st_mtim.tv_nsec);
	CHECK((fcntl(fd, F_GETFD) & FD_CLOEXEC) != 0);
	close(fd);
	/* only so many bytes are the path */
	CHECK(code(open_directory_deep(root, "d/e/f", 3)) == 0);
	CHECK(directory("d") == 0 && directory("d/e") == 0);
	CHECK(code(open_directory(root, "d")) == 0);
	CHECK(directory("d/e/f") == -ENOTDIR);
	CHECK(directory("d/none") == -ENOENT);
	CHECK(regular("d/e") == -EISDIR);
	CHECK(regular("p") == -ENXIO);
	CHECK(regular("d/e/f/g") == -ENOTDIR);
}

static void
try_links(void)
{
	struct file_state file;
	int error;

	CHECK(regular("d/e/link") == -ELOOP);
	CHECK(code(open_regular(root, "link", &file)) == -ELOOP);
	error = directory("link");
	CHECK(error == -ELOOP || error == -ENOTDIR);
	error = directory("link/e");
	CHECK(error == -ELOOP || error == -ENOTDIR);
	error = directory("out/tmp");
	CHECK(error == -ELOOP || error == -ENOTDIR);
	error = regular("link/e/f");
	CHECK(error == -ELOOP || error == -ENOTDIR);
}

static void
try_wrong_paths(void)
{
	static const char *const wrong[] = {
		"",    "/",   "/d", "d/",   "d//e",   ".",
		"./d", "d/.", "..", "../x", "d/../d", "d/e/..",
	};

	for (size_t i = 0; i < ARRAY_LEN(wrong); i++) {
		CHECK(directory(wrong[i]) == -EINVAL);
		CHECK(regular(wrong[i]) == -EINVAL);
	}
	CHECK(code(open_directory_deep(root, "d\0e", 3)) == -EINVAL);
	/* dots alone are no way up */
	CHECK(mkdir("...", 0700) == 0 && directory("...") == 0);
	CHECK(mkdir("..x", 0700) == 0 && directory("..x") == 0);
	rmdir("...");
	rmdir("..x");
}

/* Longer than the kernel takes at once. */
static void
try_long_path(void)
{
	char name[201];
	char path[40 * 201];
	size_t bytes = 0;
	int fd = dup(root);

	memset(name, 'n', 200);
	name[200] = '\0';
	for (int i = 0; i < 40; i++) {
		int below;

		CHECK(mkdirat(fd, name, 0700) == 0 || errno == EEXIST);
		below = openat(fd, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
		CHECK(below >= 0);
		close(fd);
		fd = below;
		memcpy(path + bytes, name, 200);
		path[bytes + 200] = '/';
		bytes += 201;
	}
	/* the directory found is the one that was made last */
	for (int i = 1; i < 3; i++) {
		int found = open_directory_deep(root, path, bytes - 1);
		struct stat a, b;

		CHECK(found >= 0 && fstat(found, &a) == 0);
		CHECK(fstat(fd, &b) == 0 && a.st_ino == b.st_ino);
		close(found);
	}
	path[bytes - 2] = 'x';
	CHECK(code(open_directory_deep(root, path, bytes - 1)) == -ENOENT);
	close(fd);
}

static void
test_open_below_opens_files_and_directories(void **state)
{
	run_twice(try_tree);
}

static void
test_open_below_follows_no_link(void **state)
{
	make_tree();
	run_twice(try_links);
}

static void
test_open_below_of_no_walks_path_is_an_error(void **state)
{
	make_tree();
	run_twice(try_wrong_paths);
}

static void
test_open_below_of_a_very_long_path_is_found(void **state)
{
	run_twice(try_long_path);
}

static void
test_open_below_leaves_no_descriptor(void **state)
{
	int before = open_fds();
	int nr;

	make_tree();
	root = open(".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	regular("d/e/f");
	regular("d/e");
	regular("d/none/x");
	directory("d/e/f");
	directory("..");
	close(root);
	nr = open_fds();
	ASSERT_EQ(nr, before);
}

/* The file as it is now. */
static int
reopen(int fd, struct file_state *file)
{
	close(fd);
	return open_regular_deep(root, "d/e/f", 5, file);
}

static void
test_open_below_notices_that_a_file_changed(void **state)
{
	const struct timespec long_ago[2] = { { .tv_sec = 1 },
					      { .tv_sec = 1 } };
	struct file_state file;
	struct stat status;
	int fd;

	make_tree();
	root = open(".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	fd = open_regular_deep(root, "d/e/f", 5, &file);
	ASSERT_TRUE(fd >= 0);
	ASSERT_EQ(file_is_unchanged(fd, &file), 0);
	dir_write("d/e/f", "longer");
	ASSERT_EQ(file_is_unchanged(fd, &file), -ESTALE);
	/* who sets the old time again is given away by the time of that */
	fd = reopen(fd, &file);
	do {
		const struct timespec times[2] = {
			{ .tv_nsec = UTIME_OMIT },
			{ .tv_sec = file.mtime_ns / 1000000000,
			  .tv_nsec = file.mtime_ns % 1000000000 },
		};

		dir_write("d/e/f", "shorts");
		ASSERT_EQ(utimensat(root, "d/e/f", times, 0), 0);
		ASSERT_EQ(fstat(fd, &status), 0);
	} while ((int64_t)status.st_ctim.tv_sec * 1000000000 +
			 status.st_ctim.tv_nsec ==
		 file.ctime_ns);
	ASSERT_EQ(file_is_unchanged(fd, &file), -ESTALE);
	close(fd);
	ASSERT_EQ(file_is_unchanged(fd, &file), -EBADF);
	/* another one under its name */
	fd = open_regular_deep(root, "d/e/f", 5, &file);
	dir_write("other", "text");
	ASSERT_EQ(utimensat(root, "other", long_ago, 0), 0);
	close(fd);
	ASSERT_EQ(rename("other", "d/e/f"), 0);
	fd = open("d/e/f", O_RDONLY | O_CLOEXEC);
	ASSERT_EQ(file_is_unchanged(fd, &file), -ESTALE);
	close(fd);
	close(root);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(
			test_open_below_opens_files_and_directories, dir_set_up,
			dir_tear_down),
		cmocka_unit_test_setup_teardown(test_open_below_follows_no_link,
						dir_set_up, dir_tear_down),
		cmocka_unit_test_setup_teardown(
			test_open_below_of_no_walks_path_is_an_error,
			dir_set_up, dir_tear_down),
		cmocka_unit_test_setup_teardown(
			test_open_below_of_a_very_long_path_is_found,
			dir_set_up, dir_tear_down),
		cmocka_unit_test_setup_teardown(
			test_open_below_leaves_no_descriptor, dir_set_up,
			dir_tear_down),
		cmocka_unit_test_setup_teardown(
			test_open_below_notices_that_a_file_changed, dir_set_up,
			dir_tear_down),
	};

	return cmocka_run_group_tests_name("base/open_below", tests, NULL,
					   NULL);
}
