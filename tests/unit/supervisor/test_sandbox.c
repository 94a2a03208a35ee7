/* SPDX-License-Identifier: MIT */
/*
 * What a worker can and cannot do once it is shut in, tried in a child each:
 * the child says by its exit code or by its death how it went.
 */
#include "tests/support/test_sandbox_child.h"

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
			if (table_fd(&run.catalogue.tables[i]) == table_fd(of))
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
			  table_fd(table), 0);

	if (base == MAP_FAILED)
		return errno;
	return 0;
}

static int
map_to_read(void)
{
	const struct table *table = &run.catalogue.tables[table_now];

	return mmap(NULL, 4096, PROT_READ, MAP_SHARED, table_fd(table), 0) ==
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
