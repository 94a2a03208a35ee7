// SPDX-License-Identifier: MIT
/*
 * test_collect_hostile.c - the walk over trees that mean harm.
 */
#include "tests/support/test_collect_scratch.h"

#include "stages/collect/collect_io_walk.h"

#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <sys/un.h>
#include <sys/wait.h>

static struct collect_walk *
create(const struct collect_options *options)
{
	struct collect_walk *walk;
	uint32_t bad_root;

	assert_int_equal(collect_walk_create(&walk, options, &bad_root), 0);
	return walk;
}

static void
bind_socket(const char *path)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

	strcpy(address.sun_path, path);
	assert_int_equal(bind(fd, (struct sockaddr *)&address, sizeof(address)),
			 0);
	close(fd);
}

static void
test_walk_fifo_socket_device_are_special(void **state)
{
	struct collect_options options = { SCRATCH_HERE };
	bool device;

	assert_int_equal(mkfifo("fifo", 0600), 0);
	bind_socket("socket");
	device = mknod("zero", S_IFCHR | 0600, makedev(1, 5)) == 0;
	scratch_expect(&options, device ? "[special] fifo\n[special] socket\n"
					  "[special] zero\n"
					: "[special] fifo\n[special] socket\n");
}

/* Even if the walk took them for files: opening does not wait, and refuses. */
static void
test_open_fifo_and_socket_are_refused_at_once(void **state)
{
	struct file_state file;

	assert_int_equal(mkfifo("fifo", 0600), 0);
	bind_socket("socket");
	assert_int_equal(mkdir("dir", 0700), 0);
	assert_int_equal(open_regular(AT_FDCWD, "fifo", &file), -ENXIO);
	assert_int_equal(open_regular(AT_FDCWD, "socket", &file), -ENXIO);
	assert_int_equal(open_regular(AT_FDCWD, "dir", &file), -EISDIR);
	assert_int_equal(collect_error_reason(-ENXIO), REASON_SPECIAL);
	assert_int_equal(collect_error_reason(-EISDIR), REASON_CHANGED);
}

static void
test_walk_links_are_listed_and_never_followed(void **state)
{
	struct collect_options options = { SCRATCH_HERE };
	struct file_state file;

	assert_int_equal(symlink("loop2", "loop1"), 0);
	assert_int_equal(symlink("loop1", "loop2"), 0);
	assert_int_equal(symlink("/etc/passwd", "out"), 0);
	assert_int_equal(symlink("..", "up"), 0);
	scratch_file("d/f", "\n");
	assert_int_equal(symlink("d", "e"), 0);
	scratch_expect(&options, "d/f\n[symlink] e\n[symlink] loop1\n"
				 "[symlink] loop2\n[symlink] out\n"
				 "[symlink] up\n");
	assert_int_equal(open_regular(AT_FDCWD, "out", &file), -ELOOP);
	assert_int_equal(open_regular(AT_FDCWD, "loop1", &file), -ELOOP);
	assert_int_equal(collect_error_reason(-ELOOP), REASON_SYMLINK);
}

static void
test_root_link_to_directory_is_followed_and_to_file_is_not(void **state)
{
	const char *const roots[] = { "to_dir", "to_file", "dangling" };
	struct collect_options options = { .roots = roots, .root_nr = 3 };

	scratch_file("d/f", "\n");
	assert_int_equal(symlink("d", "to_dir"), 0);
	assert_int_equal(symlink("/etc/passwd", "to_file"), 0);
	assert_int_equal(symlink("nowhere", "dangling"), 0);
	scratch_expect(&options, "d/f\n[symlink] to_file\n"
				 "[symlink] dangling\n");
}

static void
test_reopen_takes_no_path_that_leads_out(void **state)
{
	static const char *const bad[] = { "d/../f",   "d/f/",     "d//f",
					   "d/./f",    "e/d/../f", "d/",
					   "elsewhere" };
	const char *const roots[] = { "d", "." };
	struct collect_options options = { .roots = roots, .root_nr = 2 };
	struct collect_walk *walk;
	struct file_state file;
	int fd;

	scratch_file("f", "out\n");
	scratch_file("d/f", "in\n");
	scratch_file("d/g/h", "in\n");
	assert_int_equal(symlink("../f", "d/link"), 0);
	assert_int_equal(symlink("g", "d/e"), 0);
	walk = create(&options);
	for (size_t i = 0; i < ARRAY_LEN(bad); i++)
		assert_int_equal(collect_file_reopen(walk, 0, bad[i],
						     strlen(bad[i]), &file),
				 -EINVAL);
	assert_int_equal(collect_file_reopen(walk, 0, "d/link", 6, &file),
			 -ELOOP);
	assert_int_equal(collect_file_reopen(walk, 0, "d/e/h", 5, &file),
			 -ELOOP);
	assert_int_equal(collect_file_reopen(walk, 0, "d/x", 3, &file),
			 -ENOENT);
	assert_int_equal(collect_file_reopen(walk, 2, "d/f", 3, &file),
			 -EINVAL);
	assert_int_equal(collect_file_reopen(walk, 1, "/f", 2, &file), -EINVAL);
	fd = collect_file_reopen(walk, 0, "d/g/h", 5, &file);
	assert_true(fd >= 0);
	assert_int_equal(file.bytes, 3);
	close(fd);
	collect_walk_destroy(walk);
}

/* Directories called "d" in each other, and a file "f" at the end. */
static void
make_deep(size_t levels)
{
	int at = open(".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	for (size_t i = 0; i < levels; i++) {
		int next;

		assert_int_equal(mkdirat(at, "d", 0755), 0);
		next = openat(at, "d", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
		assert_true(next >= 0);
		close(at);
		at = next;
	}
	close(openat(at, "f", O_WRONLY | O_CREAT | O_CLOEXEC, 0644));
	close(at);
}

static void
test_walk_too_deep_is_reported_not_silent(void **state)
{
	struct collect_options options = { SCRATCH_HERE, .depth_max = 3 };

	make_deep(10);
	scratch_file("x", "\n");
	scratch_expect(&options, "[depth] d/d/d/d/\nx\n");
}

/* Its path is longer than PATH_MAX. LONG=1: ten thousand levels. */
static void
test_walk_of_thousands_of_levels_needs_two_descriptors(void **state)
{
	const size_t levels = getenv("LONG") != NULL ? 10000 : 2500;
	struct collect_options options = { SCRATCH_HERE,
					   .depth_max = (uint32_t)levels,
					   .fd_max = 2 };
	struct collect_walk *walk;
	struct collect_entry entry;
	struct file_state file;
	char *path;
	int fd;

	/* Without openat2() each way back costs a call for every level. */
	if (syscall(SYS_openat2, -1, "", NULL, 0) < 0 && errno == ENOSYS) {
		print_message("no openat2() here\n");
		skip();
	}
	make_deep(levels);
	scratch_file("x", "\n");
	walk = create(&options);
	assert_int_equal(collect_walk_next(walk, &entry), 1);
	assert_int_equal(entry.path_bytes, 2 * levels + 1);
	assert_string_equal(entry.name, "f");
	path = malloc(entry.path_bytes);
	assert_non_null(path);
	memcpy(path, entry.path, entry.path_bytes);
	fd = collect_file_reopen(walk, 0, path, 2 * levels + 1, &file);
	assert_true(fd >= 0);
	close(fd);
	assert_int_equal(collect_walk_next(walk, &entry), 1);
	assert_string_equal(entry.name, "x");
	assert_int_equal(collect_walk_next(walk, &entry), 0);
	assert_int_equal(collect_walk_seek(walk, 0, path, 2 * levels + 1), 0);
	assert_int_equal(collect_walk_next(walk, &entry), 1);
	assert_string_equal(entry.name, "x");
	free(path);
	collect_walk_destroy(walk);
}

static void
test_walk_names_are_bytes(void **state)
{
	struct collect_options options = { SCRATCH_HERE };
	char longest[256];
	char want[1024];

	memset(longest, 'n', 255);
	longest[255] = '\0';
	scratch_file("a\nb", "");
	scratch_file("\x1b[31mred", "");
	scratch_file("\xff\xfe", "");
	scratch_file("a\xe2\x80\xae"
		     "b",
		     "");
	scratch_file(" ", "");
	scratch_file(longest, "");
	snprintf(want, sizeof(want),
		 "\x1b[31mred\n \na\nb\na\xe2\x80\xae"
		 "b\n%s\n\xff\xfe\n",
		 longest);
	scratch_expect(&options, want);
}

static void
test_open_sparse_terabyte_reads_what_is_requested_for(void **state)
{
	static char slab[4096];
	struct collect_reader *reader;
	struct file_state file;
	struct collect_read one = { .to = slab, .bytes = sizeof(slab) };
	const off_t terabyte = (off_t)1 << 40;

	scratch_file("sparse", "x");
	if (truncate("sparse", terabyte) != 0) {
		print_message("the file system has no terabyte files\n");
		skip();
	}
	one.fd = open_regular(AT_FDCWD, "sparse", &file);
	assert_true(one.fd >= 0);
	assert_int_equal(file.bytes, terabyte);
	assert_int_equal(collect_reader_create(&reader, IO_AUTO, 1),
			 0);
	one.off = (uint64_t)terabyte - 100;
	collect_reader_run(reader, &one, 1);
	assert_int_equal(one.error, 0);
	assert_int_equal(one.got, 100);
	collect_reader_destroy(reader);
	close(one.fd);
}

/* Times of files are kept in ticks: until there is a later one. */
static void
next_tick(const char *name)
{
	struct stat before;
	struct stat now;

	assert_int_equal(stat(name, &before), 0);
	do {
		scratch_file("clock", "tick\n");
		assert_int_equal(stat("clock", &now), 0);
	} while (now.st_ctim.tv_sec == before.st_ctim.tv_sec &&
		 now.st_ctim.tv_nsec == before.st_ctim.tv_nsec);
}

static void
test_file_changed_while_it_is_open_is_noticed(void **state)
{
	static const char *const texts[] = { "longer than before\n", "",
					     "b\n" };
	struct file_state before;
	int fd;

	for (size_t i = 0; i < ARRAY_LEN(texts); i++) {
		scratch_file("f", "a\n");
		fd = open_regular(AT_FDCWD, "f", &before);
		assert_true(fd >= 0);
		assert_int_equal(file_is_unchanged(fd, &before), 0);
		next_tick("f");
		scratch_file("f", texts[i]);
		assert_int_equal(file_is_unchanged(fd, &before), -ESTALE);
		close(fd);
	}
	assert_int_equal(collect_error_reason(-ESTALE), REASON_CHANGED);
	assert_int_equal(file_is_unchanged(-1, &before), -EBADF);
}

/* What is there when it is listed may be a link when it is opened. */
static void
test_walk_directory_swapped_for_a_link_is_not_entered(void **state)
{
	struct collect_options options = { SCRATCH_HERE };
	struct collect_walk *walk;
	struct collect_entry entry;
	char *rest;

	scratch_file("a", "\n");
	scratch_file("b/f", "\n");
	scratch_file("c/f", "\n");
	walk = create(&options);
	assert_int_equal(collect_walk_next(walk, &entry), 1);
	assert_int_equal(rename("b", "gone"), 0);
	assert_int_equal(symlink("/etc", "b"), 0);
	assert_int_equal(rename("c", "away"), 0);
	rest = scratch_rest(walk);
	assert_string_equal(rest, "[vanished] b/\n[vanished] c/\n");
	free(rest);
	collect_walk_destroy(walk);
}

/* A directory that was closed for want of descriptors must be the same one. */
static void
test_walk_directory_moved_meanwhile_is_given_up(void **state)
{
	struct collect_options options = { SCRATCH_HERE, .fd_max = 2 };
	struct collect_walk *walk;
	struct collect_entry entry;
	char *rest;

	scratch_file("a/b/c/d/e/f", "\n");
	scratch_file("a/b/x", "\n");
	scratch_file("a/y", "\n");
	scratch_file("z", "\n");
	walk = create(&options);
	assert_int_equal(collect_walk_next(walk, &entry), 1);
	assert_int_equal(rename("a/b", "moved"), 0);
	scratch_file("a/b/another", "\n");
	rest = scratch_rest(walk);
	assert_string_equal(rest, "[vanished] a/b/c/\n[changed] a/b/\na/y\n"
				  "z\n");
	free(rest);
	collect_walk_destroy(walk);
}

static void
test_ignore_files_that_are_no_files_are_passed_over(void **state)
{
	struct collect_options options = { SCRATCH_HERE };
	struct collect_walk *walk;
	char *rest;
	int fd;

	assert_int_equal(mkfifo(".gitignore", 0600), 0);
	assert_int_equal(mkdir(".ignore", 0700), 0);
	assert_int_equal(symlink("rules", ".baleignore"), 0);
	scratch_file("rules", "a\n");
	scratch_file("a", "\n");
	scratch_file("d/a", "\n");
	fd = open("d/.ignore", O_WRONLY | O_CREAT | O_CLOEXEC, 0644);
	assert_int_equal(ftruncate(fd, IGNORE_RULES_BYTES_MAX + 1), 0);
	close(fd);
	walk = create(&options);
	rest = scratch_rest(walk);
	assert_string_equal(rest,
			    "[symlink] .baleignore\n[special] .gitignore\n"
			    "a\nd/.ignore\nd/a\nrules\n");
	free(rest);
	collect_walk_destroy(walk);
}

/* As somebody whom permissions stop: 0 if it went as it should. */
static int
walk_as_nobody(void)
{
	struct collect_options options = { SCRATCH_HERE };
	struct collect_walk *walk;
	struct collect_entry entry;
	struct file_state file;
	uint32_t bad_root;

	if (geteuid() == 0 && setresuid(65534, 65534, 65534) != 0)
		return 77;
	if (collect_walk_create(&walk, &options, &bad_root) != 0)
		return 1;
	if (collect_walk_next(walk, &entry) != 1 ||
	    entry.reason != REASON_UNREADABLE || entry.type != COLLECT_DIR ||
	    entry.path_bytes != 7 || memcmp(entry.path, "closed/", 7) != 0)
		return 2;
	if (collect_walk_next(walk, &entry) != 1 ||
	    entry.reason != REASON_NONE ||
	    open_regular(entry.dir_fd, entry.name, &file) != -EACCES)
		return 3;
	if (collect_walk_next(walk, &entry) != 0)
		return 4;
	return 0;
}

static void
test_walk_unreadable_directory_and_file_are_reported(void **state)
{
	int status;
	pid_t child;

	assert_int_equal(chmod(".", 0755), 0);
	scratch_file("closed/f", "\n");
	scratch_file("secret.c", "\n");
	assert_int_equal(chmod("closed", 0), 0);
	assert_int_equal(chmod("secret.c", 0), 0);
	child = fork();
	if (child == 0)
		_exit(walk_as_nobody());
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_true(WIFEXITED(status));
	if (WEXITSTATUS(status) == 77) {
		print_message("may not become somebody else\n");
		skip();
	}
	assert_int_equal(WEXITSTATUS(status), 0);
	assert_int_equal(collect_error_reason(-EACCES), REASON_UNREADABLE);
}

/* As on a kernel, or in a sandbox, that has not heard of openat2(). */
static int
walk_without_openat2(uint32_t answer)
{
	struct sock_filter filter[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS,
			 offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_openat2, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | answer),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog program = {
		.len = ARRAY_LEN(filter),
		.filter = filter,
	};
	struct collect_options options = { SCRATCH_HERE, .fd_max = 2 };
	struct collect_walk *walk;
	struct collect_entry entry;
	struct file_state file;
	uint32_t bad_root;
	int files = 0;
	int links = 0;

	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 ||
	    prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) != 0)
		return 77;
	if (collect_walk_create(&walk, &options, &bad_root) != 0)
		return 1;
	while (collect_walk_next(walk, &entry) == 1) {
		int fd = open_regular(entry.dir_fd, entry.name, &file);

		if (entry.reason == REASON_SYMLINK && fd == -ELOOP)
			links++;
		if (entry.reason == REASON_NONE && fd >= 0)
			files++;
	}
	if (files != 3 || links != 2)
		return 2;
	if (collect_file_reopen(walk, 0, "a/b/c/d/f", 9, &file) < 0 ||
	    file.bytes != 1)
		return 3;
	if (collect_file_reopen(walk, 0, "l/c/d/f", 7, &file) >= 0 ||
	    collect_file_reopen(walk, 0, "a/link", 6, &file) != -ELOOP)
		return 4;
	return 0;
}

static void
test_walk_without_openat2_is_as_safe(void **state)
{
	static const uint32_t answers[] = { ENOSYS, EPERM };

	scratch_file("a/b/c/d/f", "\n");
	scratch_file("a/b/f", "\n");
	scratch_file("z", "\n");
	assert_int_equal(symlink("/etc/passwd", "a/link"), 0);
	assert_int_equal(symlink("a/b", "l"), 0);
	for (size_t i = 0; i < ARRAY_LEN(answers); i++) {
		int status;
		pid_t child = fork();

		if (child == 0)
			_exit(walk_without_openat2(answers[i]));
		assert_int_equal(waitpid(child, &status, 0), child);
		assert_true(WIFEXITED(status));
		if (WEXITSTATUS(status) == 77) {
			print_message("no filters of system calls here\n");
			skip();
		}
		assert_int_equal(WEXITSTATUS(status), 0);
	}
}

int
main(void)
{
#define TEST(f) \
	cmocka_unit_test_setup_teardown(f, scratch_set_up, scratch_tear_down)
	const struct CMUnitTest tests[] = {
		TEST(test_walk_fifo_socket_device_are_special),
		TEST(test_open_fifo_and_socket_are_refused_at_once),
		TEST(test_walk_links_are_listed_and_never_followed),
		TEST(test_root_link_to_directory_is_followed_and_to_file_is_not),
		TEST(test_reopen_takes_no_path_that_leads_out),
		TEST(test_walk_too_deep_is_reported_not_silent),
		TEST(test_walk_of_thousands_of_levels_needs_two_descriptors),
		TEST(test_walk_names_are_bytes),
		TEST(test_open_sparse_terabyte_reads_what_is_requested_for),
		TEST(test_file_changed_while_it_is_open_is_noticed),
		TEST(test_walk_directory_swapped_for_a_link_is_not_entered),
		TEST(test_walk_directory_moved_meanwhile_is_given_up),
		TEST(test_ignore_files_that_are_no_files_are_passed_over),
		TEST(test_walk_unreadable_directory_and_file_are_reported),
		TEST(test_walk_without_openat2_is_as_safe),
	};

	return cmocka_run_group_tests_name("collect/hostile", tests, NULL,
					   NULL);
}
