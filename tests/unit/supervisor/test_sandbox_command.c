/* SPDX-License-Identifier: MIT */
/*
 * What a command can and cannot do once it is shut in, tried in a child each,
 * and what becomes of work that is given to a child.
 */
#include "tests/support/test_sandbox.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "base/diag.h"
#include "base/exit_code.h"
#include "base/new_file.h"

static char dir[200];    /* that may be written below */
static char inside[300]; /* a file in it */
static char named[300];  /* a file that may be read */
static char other[300];  /* one that may not */

static int
set_up(void **state)
{
	char base[150];

	make_folder(base, sizeof(base), "bale-command");
	snprintf(dir, sizeof(dir), "%s/dir", base);
	snprintf(inside, sizeof(inside), "%s/inside", dir);
	snprintf(named, sizeof(named), "%s/named", base);
	snprintf(other, sizeof(other), "%s/other", base);
	assert_int_equal(mkdir(dir, 0755), 0);
	make_file(inside);
	make_file(named);
	make_file(other);
	sandbox_probe(&sandbox);
	return 0;
}

static int
tear_down(void **state)
{
	unlink(inside);
	unlink(named);
	unlink(other);
	rmdir(dir);
	*strrchr(dir, '/') = '\0';
	rmdir(dir);
	return 0;
}

/* What `attempt` returns in a command that has these places. */
static int
child(const struct sandbox_place *places, size_t nr, int (*attempt)(void))
{
	pid_t pid = fork();
	int status;

	if (pid == 0) {
		if (sandbox_enter_command(sandbox.layers, places, nr) != 0)
			_exit(255);
		_exit(attempt());
	}
	assert_true(pid > 0);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFEXITED(status));
	return WEXITSTATUS(status);
}

static int
read_named(void)
{
	char text[8];
	int fd = open(named, O_RDONLY | O_CLOEXEC);

	if (fd < 0)
		return errno;
	return read(fd, text, sizeof(text)) == 5 ? 0 : 1;
}

static int
read_other(void)
{
	return try_open(other, O_RDONLY);
}

static int
write_named(void)
{
	return try_open(named, O_WRONLY);
}

static int
write_other(void)
{
	return try_open(other, O_WRONLY | O_CREAT | O_TRUNC);
}

/* As unpack does it: a new name, the old one replaced, a directory, away. */
static int
write_inside(void)
{
	char temp[320];
	char below[320];
	int fd;

	snprintf(temp, sizeof(temp), "%s.new", inside);
	snprintf(below, sizeof(below), "%s/below", dir);
	fd = open(temp, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0644);
	if (fd < 0 || write(fd, "text\n", 5) != 5 || fchmod(fd, 0600) != 0 ||
	    close(fd) != 0)
		return errno;
	if (renameat2(AT_FDCWD, temp, AT_FDCWD, inside, 0) != 0)
		return errno;
	if (mkdirat(AT_FDCWD, below, 0755) != 0)
		return errno;
	return 0;
}

static int
move_out(void)
{
	return renameat2(AT_FDCWD, inside, AT_FDCWD, other, 0) == 0 ? 0 : errno;
}

static int
remove_other(void)
{
	return unlinkat(AT_FDCWD, other, 0) == 0 ? 0 : errno;
}

static int
make_socket(void)
{
	return socket(AF_UNIX, SOCK_STREAM, 0) >= 0 ? 0 : errno;
}

static int
run_program(void)
{
	char *argv[] = { (char[]){ "true" }, NULL };

	execve("/bin/true", argv, NULL);
	return errno;
}

static int
make_process(void)
{
	pid_t pid = fork();

	if (pid == 0)
		_exit(0);
	return pid > 0 ? 0 : errno;
}

static void
test_command_without_places_opens_nothing(void **state)
{
	need(SANDBOX_SECCOMP | SANDBOX_LANDLOCK);
	assert_int_equal(child(NULL, 0, read_named), EPERM);
	assert_int_equal(child(NULL, 0, write_other), EPERM);
}

static void
test_command_reads_what_was_named_and_writes_nothing(void **state)
{
	const struct sandbox_place place = { .path = named };

	need(SANDBOX_SECCOMP | SANDBOX_LANDLOCK);
	assert_int_equal(child(&place, 1, read_named), 0);
	assert_int_equal(child(&place, 1, read_other), EACCES);
	assert_int_equal(child(&place, 1, write_named), EPERM);
	assert_int_equal(child(&place, 1, write_other), EPERM);
	assert_int_equal(child(&place, 1, remove_other), EPERM);
}

static void
test_command_writes_below_its_directory_alone(void **state)
{
	int fd = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	const struct sandbox_place places[] = {
		{ .path = named },
		{ .fd = fd, .access = SANDBOX_WRITES },
	};
	char below[320];

	need(SANDBOX_SECCOMP | SANDBOX_LANDLOCK);
	assert_int_equal(child(places, 2, write_inside), 0);
	snprintf(below, sizeof(below), "%s/below", dir);
	assert_int_equal(rmdir(below), 0);
	assert_int_equal(child(places, 2, read_named), 0);
	assert_int_equal(child(places, 2, write_named), EACCES);
	assert_int_equal(child(places, 2, read_other), EACCES);
	assert_int_equal(child(places, 2, write_other), EACCES);
	assert_int_equal(child(places, 2, remove_other), EACCES);
	assert_int_not_equal(child(places, 2, move_out), 0);
	assert_int_equal(access(inside, F_OK), 0);
	close(fd);
}

static void
test_command_of_any_kind_has_no_way_out(void **state)
{
	const struct sandbox_place reads = { .path = named };
	const struct sandbox_place writes = { .path = dir,
					      .access = SANDBOX_WRITES };
	const struct sandbox_place *const kinds[] = { NULL, &reads, &writes };

	need(SANDBOX_SECCOMP);
	for (size_t i = 0; i < ARRAY_LEN(kinds); i++) {
		size_t nr = kinds[i] != NULL;

		assert_int_equal(child(kinds[i], nr, make_socket), EPERM);
		assert_int_equal(child(kinds[i], nr, run_program), EPERM);
		assert_int_equal(child(kinds[i], nr, make_process), EPERM);
	}
}

/* What `attempt` returns in what a server has started. */
static int
started(int (*attempt)(void))
{
	pid_t pid = fork();
	int status;

	if (pid == 0) {
		if (sandbox_enter_server(sandbox.layers, NULL) != 0)
			_exit(255);
		pid = fork();
		if (pid == 0)
			_exit(attempt());
		_exit(waitpid(pid, &status, 0) == pid ? WEXITSTATUS(status)
						      : 254);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	return WEXITSTATUS(status);
}

static int
make_temp(void)
{
	int fd = temp_file_open();

	return fd < 0 ? -fd : write(fd, "a", 1) == 1 ? 0 : errno;
}

static int
make_shared(void)
{
	int fd = shm_open("/bale-test-server", O_RDWR | O_CREAT, 0600);

	if (fd < 0)
		return errno;
	return shm_unlink("/bale-test-server") == 0 ? 0 : errno;
}

static int
connect_to_network(void)
{
	const struct sockaddr_in address = {
		.sin_family = AF_INET,
		.sin_port = htons(9),
		.sin_addr.s_addr = htonl(INADDR_LOOPBACK),
	};
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

	connect(fd, (const struct sockaddr *)&address, sizeof(address));
	return errno;
}

static void
test_server_and_what_it_starts_read_and_share_and_no_more(void **state)
{
	char kept[4096] = "";
	int error;

	need(SANDBOX_LANDLOCK);
	/* the scratch directory may lie in that for temporary files */
	if (getenv("TMPDIR") != NULL)
		snprintf(kept, sizeof(kept), "%s", getenv("TMPDIR"));
	setenv("TMPDIR", "/var/tmp", 1);
	assert_int_equal(started(read_named), 0);
	assert_int_equal(started(read_other), 0);
	assert_int_equal(started(make_process), 0);
	assert_int_equal(started(make_temp), 0);
	assert_int_equal(started(make_shared), 0);
	if (strncmp(dir, "/dev/shm/", 9) != 0) {
		assert_int_equal(started(write_named), EACCES);
		assert_int_equal(started(remove_other), EACCES);
	}
	assert_int_equal(started(run_program), EACCES);
	/* where the kernel can (6.7), before anybody is asked */
	error = started(connect_to_network);
	assert_true(error == EACCES || error == ECONNREFUSED);
	if (*kept != '\0')
		setenv("TMPDIR", kept, 1);
	else
		unsetenv("TMPDIR");
}

static void
test_command_place_that_is_not_there_is_passed_over(void **state)
{
	const struct sandbox_place places[] = {
		{ .path = "/no/such/file" },
		{ .path = named },
	};
	int ends[2];
	char path[64];
	const struct sandbox_place piped = { .path = path };

	need(0);
	assert_int_equal(child(places, 2, read_named), 0);
	/* as a shell names what it pipes: <(command) */
	assert_int_equal(pipe(ends), 0);
	snprintf(path, sizeof(path), "/dev/fd/%d", ends[0]);
	assert_int_not_equal(child(&piped, 1, read_other), 255);
	close(ends[0]);
	close(ends[1]);
}

/* ---- work for a child ------------------------------------------------------ */

static int
take_number(void *context)
{
	int *shared = context;

	return *shared += 7;
}

static int
die(void *context)
{
	signal(SIGABRT, SIG_DFL);
	abort();
}

static int
open_anything(void *context)
{
	return try_open("/dev/null", O_RDONLY);
}

static int
say(void *context)
{
	fputs(context, stdout);
	return 3;
}

static int
run(int (*work)(void *), void *context)
{
	const struct sandbox_child it = {
		.active = sandbox.layers,
		.what = "a thing",
		.work = work,
		.context = context,
	};

	return sandbox_run_child(&it);
}

static void
test_child_gives_its_exit_code_and_what_it_shares(void **state)
{
	int *shared = mmap(NULL, sizeof(*shared), PROT_READ | PROT_WRITE,
			   MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	need(0);
	assert_true(shared != MAP_FAILED);
	assert_int_equal(run(take_number, shared), 7);
	assert_int_equal(*shared, 7);
	munmap(shared, sizeof(*shared));
}

static void
test_child_that_dies_is_an_internal_error_with_a_line(void **state)
{
	int saved = dup(STDERR_FILENO);
	char line[256] = "";
	int ends[2];
	ssize_t got;

	need(0);
	assert_int_equal(pipe(ends), 0);
	dup2(ends[1], STDERR_FILENO);
	assert_int_equal(run(die, NULL), EXIT_INTERNAL);
	dup2(saved, STDERR_FILENO);
	got = read(ends[0], line, sizeof(line) - 1);
	close(ends[0]);
	close(ends[1]);
	close(saved);
	assert_true(got > 0);
	assert_non_null(strstr(line, "a thing: "));
	assert_non_null(strstr(line, "signal 6"));
}

static void
test_child_can_compute_and_write_what_is_open(void **state)
{
	need(SANDBOX_SECCOMP);
	assert_int_equal(run(open_anything, NULL), EPERM);
	assert_int_equal(run(say, (char[]){ "" }), 3);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_command_without_places_opens_nothing),
		cmocka_unit_test(
			test_command_reads_what_was_named_and_writes_nothing),
		cmocka_unit_test(test_command_writes_below_its_directory_alone),
		cmocka_unit_test(test_command_of_any_kind_has_no_way_out),
		cmocka_unit_test(
			test_server_and_what_it_starts_read_and_share_and_no_more),
		cmocka_unit_test(
			test_command_place_that_is_not_there_is_passed_over),
		cmocka_unit_test(
			test_child_gives_its_exit_code_and_what_it_shares),
		cmocka_unit_test(
			test_child_that_dies_is_an_internal_error_with_a_line),
		cmocka_unit_test(test_child_can_compute_and_write_what_is_open),
	};

	return cmocka_run_group_tests_name("supervisor/sandbox_command", tests,
					   set_up, tear_down);
}
