/* SPDX-License-Identifier: MIT */
/*
 * What a worker can and cannot do once it is shut in, tried in a child each:
 * the child says by its exit code or by its death how it went.
 */
#include "base/child_process.h"
#include "tests/support/test_sandbox.h"

#include <linux/openat2.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>

#include "base/diag.h"
#include "shm/table.h"
#include "shm/wait.h"
#include "catalogue/catalogue.h"

#define DIED 1000 /* + signal: what child() gives for a death */

static char root[256];
static char outside[300];
static char inside[300];
static char link_out[300];
static char output_path[300];
static struct run run;
static struct reach reach;
static struct wait_shm *waiter;

static const char *const stage_names[STAGE_NR] = {
	"collect", "chunk", "count", "dedup", "select", "format"
};

/* Small ones: valgrind has no room for the address space of real ones. */
static void
create_tables(struct catalogue *catalogue)
{
	assert_int_equal(catalogue_create(catalogue), 0);
}

static int
set_up(void **state)
{
	static const char *roots[1];
	char base[200];

	make_folder(base, sizeof(base), "bale-sandbox");
	snprintf(root, sizeof(root), "%s/root", base);
	snprintf(outside, sizeof(outside), "%s/outside", base);
	snprintf(inside, sizeof(inside), "%s/inside", root);
	snprintf(link_out, sizeof(link_out), "%s/link", root);
	snprintf(output_path, sizeof(output_path), "%s/output", base);
	assert_int_equal(mkdir(root, 0755), 0);
	make_file(outside);
	make_file(inside);
	assert_int_equal(symlink(outside, link_out), 0);
	roots[0] = root;
	run.job.roots = roots;
	run.job.root_nr = 1;
	run.output_fd = open(output_path, O_CREAT | O_RDWR | O_CLOEXEC, 0644);
	assert_true(run.output_fd > 2);
	create_tables(&run.catalogue);
	waiter = mmap(NULL, sizeof(*waiter), PROT_READ | PROT_WRITE,
		      MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	assert_true(waiter != MAP_FAILED);
	assert_int_equal(wait_init(waiter), 0);
	sandbox_probe(&sandbox);
	run.sandbox_layers = sandbox.layers;
	return 0;
}

static int
tear_down(void **state)
{
	catalogue_close(&run.catalogue);
	close(run.output_fd);
	unlink(link_out);
	unlink(inside);
	unlink(outside);
	unlink(output_path);
	rmdir(root);
	*strrchr(root, '/') = '\0';
	rmdir(root);
	return 0;
}

/* What `attempt` returns in a worker of that stage, or DIED + signal. */
static int
child(enum stage_id stage, int (*attempt)(void))
{
	pid_t pid = fork();
	int status;

	if (pid == 0) {
		if (child_process_no_core() != 0 ||
		    sandbox_enter(&run, stage, &reach) != 0)
			_exit(255);
		_exit(attempt());
	}
	assert_true(pid > 0);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	if (WIFSIGNALED(status)) {
		assert_false(WCOREDUMP(status));
		return DIED + WTERMSIG(status);
	}
	return WEXITSTATUS(status);
}

static void
expect(enum stage_id stage, int got, int want)
{
	if (got != want)
		fail_msg("%s: got %d, want %d", stage_names[stage], got, want);
}

static void
expect_everywhere(int (*attempt)(void), int want)
{
	for (int s = 0; s < STAGE_NR; s++)
		expect((enum stage_id)s, child((enum stage_id)s, attempt),
		       want);
}

static int
open_passwd(void)
{
	return try_open("/etc/passwd", O_RDONLY);
}

static int
open_inside(void)
{
	return try_open(inside, O_RDONLY);
}

static void
test_sandbox_open_without_a_right_fails(void **state)
{
	need(SANDBOX_SECCOMP);
	for (int s = STAGE_CHUNK; s < STAGE_NR; s++) {
		enum stage_id stage = (enum stage_id)s;

		expect(stage, child(stage, open_passwd), EPERM);
		expect(stage, child(stage, open_inside), EPERM);
	}
}

static int
read_inside(void)
{
	char text[8];
	int fd = open(inside, O_RDONLY | O_CLOEXEC);
	struct stat status;

	if (fd < 0 || fstat(fd, &status) != 0 ||
	    pread(fd, text, sizeof(text), 0) != 5)
		return errno;
	return close(fd) == 0 && memcmp(text, "text\n", 5) == 0 ? 0 : 1;
}

/* As the collector does it: beneath the root, no links. */
static int
open_beneath(void)
{
	struct open_how how = {
		.flags = O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK,
		.resolve = RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS,
	};
	char entries[1024];
	int dir = open(root, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	if (dir < 0)
		return errno;
	if (syscall(SYS_getdents64, dir, entries, sizeof(entries)) <= 0)
		return errno;
	return syscall(SYS_openat2, dir, "inside", &how, sizeof(how)) >= 0
		       ? 0
		       : errno;
}

static int
open_outside(void);

static void
test_sandbox_collect_reads_below_its_reach_too(void **state)
{
	need(SANDBOX_LANDLOCK);
	expect(STAGE_COLLECT, child(STAGE_COLLECT, open_outside), EACCES);
	reach.fds[0] = open(outside, O_PATH | O_CLOEXEC);
	reach.nr = 1;
	expect(STAGE_COLLECT, child(STAGE_COLLECT, open_outside), 0);
	expect(STAGE_CHUNK, child(STAGE_CHUNK, open_outside), EPERM);
	expect(STAGE_SELECT, child(STAGE_SELECT, open_outside), EPERM);
	close(reach.fds[0]);
	reach.nr = 0;
}

static void
test_sandbox_collect_below_the_root_reads(void **state)
{
	need(0);
	expect(STAGE_COLLECT, child(STAGE_COLLECT, read_inside), 0);
	expect(STAGE_COLLECT, child(STAGE_COLLECT, open_beneath), 0);
}

static int
open_outside(void)
{
	return try_open(outside, O_RDONLY);
}

static int
open_above(void)
{
	char path[400];

	snprintf(path, sizeof(path), "%s/../outside", root);
	return try_open(path, O_RDONLY);
}

static int
open_link(void)
{
	return try_open(link_out, O_RDONLY);
}

static int
list_above(void)
{
	char path[400];

	snprintf(path, sizeof(path), "%s/..", root);
	return try_open(path, O_RDONLY | O_DIRECTORY);
}

static int
openat2_outside(void)
{
	struct open_how how = { .flags = O_RDONLY };

	return syscall(SYS_openat2, AT_FDCWD, outside, &how, sizeof(how)) >= 0
		       ? 0
		       : errno;
}

static void
test_sandbox_collect_outside_the_root_fails(void **state)
{
	static int (*const attempts[])(void) = {
		open_passwd, open_outside, open_above,
		open_link,   list_above,   openat2_outside,
	};

	need(SANDBOX_LANDLOCK);
	for (size_t i = 0; i < ARRAY_LEN(attempts); i++)
		expect(STAGE_COLLECT, child(STAGE_COLLECT, attempts[i]),
		       EACCES);
}

static int
open_to_write(void)
{
	return try_open(inside, O_WRONLY);
}

static int
openat2_to_write(void)
{
	struct open_how how = { .flags = O_RDWR };

	return syscall(SYS_openat2, AT_FDCWD, inside, &how, sizeof(how)) >= 0
		       ? 0
		       : errno;
}

static void
test_sandbox_collect_writing_below_the_root_fails(void **state)
{
	need(SANDBOX_LANDLOCK | SANDBOX_SECCOMP);
	expect(STAGE_COLLECT, child(STAGE_COLLECT, open_to_write), EPERM);
	expect(STAGE_COLLECT, child(STAGE_COLLECT, openat2_to_write), EACCES);
}

static void
test_sandbox_collect_with_a_file_as_root_reads_it_alone(void **state)
{
	const char *file_root[] = { inside };
	const char *const *roots = run.job.roots;

	need(SANDBOX_LANDLOCK);
	run.job.roots = file_root;
	expect(STAGE_COLLECT, child(STAGE_COLLECT, read_inside), 0);
	expect(STAGE_COLLECT, child(STAGE_COLLECT, open_outside), EACCES);
	run.job.roots = roots;
}

static void
test_sandbox_root_that_is_not_there_gives_no_right(void **state)
{
	const char *no_root[] = { "/no/such/directory" };
	const char *const *roots = run.job.roots;

	need(SANDBOX_LANDLOCK);
	run.job.roots = no_root;
	expect(STAGE_COLLECT, child(STAGE_COLLECT, open_passwd), EACCES);
	run.job.roots = roots;
}

static int
try_execve(void)
{
	char *argv[] = { (char[]){ "true" }, NULL };

	execve("/bin/true", argv, NULL);
	return errno;
}

static int
try_socket(void)
{
	return socket(AF_UNIX, SOCK_STREAM, 0) >= 0 ? 0 : errno;
}

static int
try_ptrace(void)
{
	return ptrace(PTRACE_TRACEME, 0, NULL, NULL) == 0 ? 0 : errno;
}

static int
try_fork(void)
{
	pid_t pid = fork();

	if (pid == 0)
		_exit(0);
	return pid > 0 ? 0 : errno;
}

static int
try_unlink(void)
{
	return unlink(inside) == 0 ? 0 : errno;
}

static int
try_rename(void)
{
	return rename(inside, outside) == 0 ? 0 : errno;
}

static int
try_int80(void)
{
#ifdef __x86_64__
	long result;

	/* getpid by the door of 32-bit programs */
	__asm__ volatile("int $0x80" : "=a"(result) : "a"(20) : "memory");
	return result == -ENOSYS ? 0 : 1;
#else
	kill(getpid(), SIGSYS);
	return 1;
#endif
}

static void
test_sandbox_break_in_dies_of_sigsys(void **state)
{
	static int (*const attempts[])(void) = {
		try_execve, try_socket, try_ptrace, try_fork,
		try_unlink, try_rename, try_int80,
	};

	need(SANDBOX_SECCOMP);
	for (size_t i = 0; i < ARRAY_LEN(attempts); i++)
		expect_everywhere(attempts[i], DIED + SIGSYS);
	assert_int_equal(access(inside, F_OK), 0);
}

static int
map_code(void)
{
	void *memory = mmap(NULL, 4096, PROT_READ | PROT_EXEC,
			    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	return memory != MAP_FAILED ? 0 : errno;
}

static int
make_code(void)
{
	void *memory = mmap(NULL, 4096, PROT_READ | PROT_WRITE,
			    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	return mprotect(memory, 4096, PROT_READ | PROT_EXEC) == 0 ? 0 : errno;
}

static int
signal_the_parent(void)
{
	return kill(getppid(), SIGTERM) == 0 ? 0 : errno;
}

static void
test_sandbox_code_and_foreign_signals_are_refused(void **state)
{
	need(SANDBOX_SECCOMP);
	expect_everywhere(map_code, EPERM);
	expect_everywhere(make_code, EPERM);
	expect_everywhere(signal_the_parent, EPERM);
}

/* What the loop of stages/worker.c and the stages themselves do. */
static int
work(void)
{
	struct timespec now;
	char *big = malloc(8u << 20);
	uint8_t *record;

	if (big == NULL)
		return 1;
	memset(big, 1, 8u << 20);
	big = realloc(big, 16u << 20);
	free(big);
	if (clock_gettime(CLOCK_MONOTONIC, &now) != 0)
		return 2;
	wait_prepare(waiter);
	wait_sleep(waiter, 2000000);
	wait_prepare(waiter);
	wait_wake(waiter);
	wait_sleep(waiter, WAIT_BOUND_NS);
	/* a record that the supervisor has reserved */
	record = table_at(&run.catalogue.files, 0, 1);
	record[0] = 7;
	table_trim_all();
	if (record[0] != 7)
		return 3;
	return write(2, "", 0) == 0 ? 0 : 4;
}

static void
test_sandbox_work_of_a_stage_still_works(void **state)
{
	need(0);
	assert_int_equal(table_reserve(&run.catalogue.files, 64), 0);
	expect_everywhere(work, 0);
}

/* Errors of the log of a worker have to come through. */
static int
log_a_line(void)
{
	diag_init(STDERR_FILENO, DIAG_DEBUG, false, "");
	diag_log(DIAG_DEBUG, "%s", strerror(EIO));
	return 0;
}

static void
test_sandbox_log_line_of_a_worker_arrives(void **state)
{
	int saved = dup(STDERR_FILENO);
	int ends[2];
	char line[64] = "";

	need(0);
	assert_int_equal(pipe(ends), 0);
	dup2(ends[1], STDERR_FILENO);
	for (int s = 0; s < STAGE_NR; s++) {
		ssize_t n;

		child((enum stage_id)s, log_a_line);
		n = read(ends[0], line, sizeof(line) - 1);
		if (n <= 0 || strstr(line, "error") == NULL)
			break;
	}
	dup2(saved, STDERR_FILENO);
	close(saved);
	close(ends[0]);
	close(ends[1]);
	assert_string_equal(line, "bale: Input/output error\n");
}

static int table_now; /* that is tried */

static int
grow_table(void)
{
	const struct table *table = &run.catalogue.tables[table_now];
	int error = table_reserve(table, 3u << 20);

	if (error == 0)
		*(uint8_t *)table_at(table, (3u << 20) - 1, 1) = 1;
	return -error;
}

/* Each of them by its writers, and by nobody else. */
static void
test_sandbox_tables_grow_where_they_are_written(void **state)
{
	need(SANDBOX_SECCOMP);
	for (table_now = 0; table_now < TABLE_NR; table_now++) {
		const struct table *of = &run.catalogue.tables[table_now];
		uint32_t bits = 1u << table_now;

		/* the parts of a file are opened by the same number */
		for (int i = 0; i < TABLE_NR; i++)
			if (run.catalogue.tables[i].fd == of->fd)
				bits |= 1u << i;
		for (int s = 0; s < STAGE_NR; s++)
			expect((enum stage_id)s,
			       child((enum stage_id)s, grow_table),
			       stage_table[s].tables & bits ? 0 : EPERM);
	}
}

/* What is only to be read cannot be made writable again, nor mapped anew. */
static int
map_to_write(void)
{
	const struct table *table = &run.catalogue.tables[table_now];
	void *base = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED,
			  table->fd, 0);

	if (base == MAP_FAILED)
		return errno;
	return 0;
}

static int
map_to_read(void)
{
	const struct table *table = &run.catalogue.tables[table_now];

	return mmap(NULL, 4096, PROT_READ, MAP_SHARED, table->fd, 0) ==
			       MAP_FAILED
		       ? errno
		       : 0;
}

static int
make_writable(void)
{
	void *base = table_at(&run.catalogue.history, 0, 1);

	base = (void *)((uintptr_t)base & ~(uintptr_t)4095);
	if (mprotect(base, 4096, PROT_READ) != 0)
		return 1;
	return mprotect(base, 4096, PROT_READ | PROT_WRITE) == 0 ? 0 : errno;
}

static void
test_sandbox_memory_given_up_does_not_come_back(void **state)
{
	need(SANDBOX_SECCOMP);
	expect_everywhere(make_writable, EPERM);
	table_now = TABLE_SEEN;
	expect_everywhere(map_to_read, 0);
	for (int s = 0; s < STAGE_NR; s++)
		expect((enum stage_id)s, child((enum stage_id)s, map_to_write),
		       s == STAGE_DEDUP ? 0 : EPERM);
	table_now = TABLE_NAMES;
	for (int s = 0; s < STAGE_NR; s++)
		expect((enum stage_id)s, child((enum stage_id)s, map_to_write),
		       s == STAGE_CHUNK ? 0 : EPERM);
}

static int
write_output(void)
{
	struct stat status;

	if (pwrite(run.output_fd, "0123456789", 10, 0) != 10 ||
	    write(run.output_fd, "x", 1) != 1 ||
	    ftruncate(run.output_fd, 5) != 0 || fdatasync(run.output_fd) != 0 ||
	    fstat(run.output_fd, &status) != 0)
		return errno;
	return status.st_size == 5 ? 0 : 1;
}

static void
test_sandbox_output_is_written_by_format_alone(void **state)
{
	need(SANDBOX_SECCOMP);
	for (int s = 0; s < STAGE_NR; s++) {
		enum stage_id stage = (enum stage_id)s;

		expect(stage, child(stage, write_output),
		       stage == STAGE_FORMAT ? 0 : EPERM);
	}
}

static int
die_by_abort(void)
{
	abort();
}

static int
die_by_fault(void)
{
	signal(SIGSEGV, SIG_DFL); /* cmocka has a handler */
	kill(getpid(), SIGSEGV);
	return 0;
}

static void
test_sandbox_own_death_is_what_it_says(void **state)
{
	need(SANDBOX_SECCOMP);
	expect_everywhere(die_by_abort, DIED + SIGABRT);
	expect_everywhere(die_by_fault, DIED + SIGSEGV);
}

static void
test_sandbox_limits_of_a_worker_allow_no_core(void **state)
{
	struct rlimit limit;
	int status;
	pid_t pid = fork();

	if (pid == 0) {
		if (child_process_no_core() != 0 ||
		    getrlimit(RLIMIT_CORE, &limit) != 0)
			_exit(255);
		_exit(limit.rlim_cur == 1 && limit.rlim_max == 1 ? 0 : 1);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFEXITED(status));
#ifdef BALE_DEBUG
	assert_int_not_equal(WEXITSTATUS(status), 255);
#else
	assert_int_equal(WEXITSTATUS(status), 0);
#endif
}

static void
test_sandbox_describe_names_what_is_there_and_what_is_not(void **state)
{
	static const struct {
		struct sandbox sandbox;
		const char *want;
	} rows[] = {
		{ { SANDBOX_ALL, { 0 } },
		  "no_new_privs landlock seccomp capabilities" },
		{ { SANDBOX_NO_NEW_PRIVS | SANDBOX_CAPABILITIES, { 0 } },
		  "no_new_privs capabilities; missing: landlock (instrumented build) "
		  "seccomp (instrumented build)" },
		{ { SANDBOX_NO_NEW_PRIVS | SANDBOX_SECCOMP |
			    SANDBOX_CAPABILITIES,
		    { 0, ENOSYS } },
		  "no_new_privs seccomp capabilities; missing: landlock (ENOSYS)" },
		{ { 0, { EPERM, ENOSYS, EPERM, EPERM } },
		  "missing: no_new_privs (EPERM) landlock (ENOSYS) seccomp "
		  "(EPERM) capabilities (EPERM)" },
	};
	char text[SANDBOX_TEXT_BYTES];

	for (size_t i = 0; i < ARRAY_LEN(rows); i++)
		assert_string_equal(
			sandbox_describe(text, sizeof(text), &rows[i].sandbox),
			rows[i].want);
	assert_true(sandbox.layers & SANDBOX_NO_NEW_PRIVS);
}

/* Layers that are not to be put on are not; the others are. */
static void
test_sandbox_layers_that_are_not_there_are_left_out(void **state)
{
	need(SANDBOX_LANDLOCK | SANDBOX_SECCOMP);
	run.sandbox_layers = SANDBOX_NO_NEW_PRIVS | SANDBOX_SECCOMP;
	expect(STAGE_COLLECT, child(STAGE_COLLECT, open_outside), 0);
	expect(STAGE_COUNT, child(STAGE_COUNT, open_outside), EPERM);
	run.sandbox_layers = SANDBOX_NO_NEW_PRIVS | SANDBOX_LANDLOCK;
	expect(STAGE_COLLECT, child(STAGE_COLLECT, open_outside), EACCES);
	expect(STAGE_COUNT, child(STAGE_COUNT, try_ptrace), 0);
	run.sandbox_layers = 0;
	expect(STAGE_COUNT, child(STAGE_COUNT, open_outside), 0);
	run.sandbox_layers = sandbox.layers;
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_sandbox_open_without_a_right_fails),
		cmocka_unit_test(test_sandbox_collect_below_the_root_reads),
		cmocka_unit_test(test_sandbox_collect_outside_the_root_fails),
		cmocka_unit_test(
			test_sandbox_collect_reads_below_its_reach_too),
		cmocka_unit_test(
			test_sandbox_collect_writing_below_the_root_fails),
		cmocka_unit_test(
			test_sandbox_collect_with_a_file_as_root_reads_it_alone),
		cmocka_unit_test(
			test_sandbox_root_that_is_not_there_gives_no_right),
		cmocka_unit_test(test_sandbox_break_in_dies_of_sigsys),
		cmocka_unit_test(
			test_sandbox_code_and_foreign_signals_are_refused),
		cmocka_unit_test(test_sandbox_work_of_a_stage_still_works),
		cmocka_unit_test(test_sandbox_log_line_of_a_worker_arrives),
		cmocka_unit_test(
			test_sandbox_tables_grow_where_they_are_written),
		cmocka_unit_test(
			test_sandbox_memory_given_up_does_not_come_back),
		cmocka_unit_test(
			test_sandbox_output_is_written_by_format_alone),
		cmocka_unit_test(test_sandbox_own_death_is_what_it_says),
		cmocka_unit_test(test_sandbox_limits_of_a_worker_allow_no_core),
		cmocka_unit_test(
			test_sandbox_describe_names_what_is_there_and_what_is_not),
		cmocka_unit_test(
			test_sandbox_layers_that_are_not_there_are_left_out),
	};

	return cmocka_run_group_tests_name("supervisor/sandbox", tests, set_up,
					   tear_down);
}
