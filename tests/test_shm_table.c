/* SPDX-License-Identifier: MIT */
/*
 * test_shm_table.c - tables in mapped files: growing, full disks, memory
 * given back, writers replaced.
 */
#include "tests/test_shm.h"

#include <dirent.h>
#include <sys/stat.h>

#include "shm/table.h"

#define MIB (1024ull * 1024)
#define SPAN (1024 * MIB)

static int
entries_of(const char *dir)
{
	DIR *d = opendir(dir);
	int n = -2; /* . and .. */

	while (d != NULL && readdir(d) != NULL)
		n++;
	if (d != NULL)
		closedir(d);
	return n;
}

/* A folder of the test's own below TMPDIR. */
static const char *
scratch(void)
{
	static char path[4096];
	const char *tmp = getenv("TMPDIR");

	if (path[0] == '\0') {
		snprintf(path, sizeof(path), "%s/bale-table.XXXXXX",
			 tmp != NULL ? tmp : "/tmp");
		if (mkdtemp(path) == NULL)
			abort();
	}
	return path;
}

static int
teardown(void **state)
{
	return rmdir(scratch());
}

/* Proportional share of all mapped memory of this process. */
static uint64_t
pss_bytes(void)
{
	FILE *file = fopen("/proc/self/smaps_rollup", "r");
	unsigned long long kib = 0;
	char line[256];

	while (file != NULL && fgets(line, sizeof(line), file) != NULL)
		if (sscanf(line, "Pss: %llu kB", &kib) == 1)
			break;
	if (file != NULL)
		fclose(file);
	return kib * 1024;
}

static void
fill(const struct table *table, uint64_t bytes)
{
	for (uint64_t off = 0; off < bytes; off += 512)
		memcpy(table->base + off, &off, sizeof(off));
}

static bool
is_filled(const struct table *table, uint64_t bytes)
{
	for (uint64_t off = 0; off < bytes; off += 512)
		if (memcmp(table->base + off, &off, sizeof(off)) != 0)
			return false;
	return true;
}

static void
test_table_grown_step_by_step_keeps_place_and_bytes(void **state)
{
	struct table table;
	const uint8_t *base;

	ASSERT_EQ(table_create(&table, scratch(), SPAN), 0);
	base = table.base;
	for (uint64_t bytes = 1; bytes < 32 * MIB; bytes = bytes * 3 + 1) {
		struct stat stat;

		ASSERT_EQ(table_reserve(&table, bytes), 0);
		ASSERT_TRUE(table.base == base);
		ASSERT_TRUE(table.reserved_bytes >= bytes);
		ASSERT_EQ(fstat(table.fd, &stat), 0);
		ASSERT_TRUE((uint64_t)stat.st_size >= bytes);
		ASSERT_TRUE((uint64_t)stat.st_blocks * 512 >= bytes);
		fill(&table, bytes / 512 * 512);
	}
	ASSERT_TRUE(is_filled(&table, 10 * MIB));
	table_close(&table);
	table_close(&table); /* nothing: allowed */
}

/* verifies: R8 */
static void
test_table_beyond_its_span_is_refused(void **state)
{
	struct table table;

	ASSERT_EQ(table_create(&table, scratch(), 3 * MIB), 0);
	ASSERT_EQ(table_reserve(&table, 3 * MIB + 1), -EFBIG);
	ASSERT_EQ(table_reserve(&table, UINT64_MAX), -EFBIG);
	ASSERT_EQ(table.reserved_bytes, 0);
	ASSERT_EQ(table_reserve(&table, 3 * MIB), 0);
	fill(&table, 3 * MIB);
	ASSERT_EQ(table_reserve(&table, 3 * MIB + 1), -EFBIG);
	ASSERT_TRUE(is_filled(&table, 3 * MIB));
	table_close(&table);
}

static void
test_table_has_no_name(void **state)
{
	struct table table;
	struct stat stat;

	ASSERT_EQ(table_create(&table, scratch(), SPAN), 0);
	ASSERT_EQ(table_reserve(&table, MIB), 0);
	ASSERT_EQ(entries_of(scratch()), 0);
	ASSERT_EQ(fstat(table.fd, &stat), 0);
	ASSERT_EQ(stat.st_nlink, 0);
	ASSERT_EQ(stat.st_mode & 077, 0);
	table_close(&table);
}

static void
test_table_where_it_cannot_be_says_why(void **state)
{
	struct table table = { .fd = -7 };
	char path[8192];

	snprintf(path, sizeof(path), "%s/nowhere", scratch());
	ASSERT_EQ(table_create(&table, path, SPAN), -ENOENT);
	ASSERT_EQ(table_create(&table, "/dev/null", SPAN), -ENOTDIR);
	/* more than there is of address space; nothing is left of the file */
	ASSERT_EQ(table_create(&table, scratch(), 1ull << 60), -ENOMEM);
	ASSERT_EQ(table.fd, -7);
	ASSERT_EQ(entries_of(scratch()), 0);
}

static void
child_in_tmpdir(void *arg)
{
	struct table table;

	setenv("TMPDIR", arg, 1);
	CHILD_CHECK(table_create(&table, NULL, SPAN) ==
		    (*(char *)arg == '\0' ? 0 : -ENOENT));
}

static void
test_table_goes_where_tmpdir_says(void **state)
{
	char nowhere[] = "/nowhere/at/all";
	char empty[] = "";

	ASSERT_EQ(run_child(child_in_tmpdir, nowhere), CHILD_OK);
	ASSERT_EQ(run_child(child_in_tmpdir, empty), CHILD_OK);
}

static void
child_on_a_small_disk(void *arg)
{
	struct table table;
	uint64_t bytes = MIB;
	int error = 0;

	child_mount_tmpfs(scratch(), "size=8m");
	CHILD_CHECK(table_create(&table, scratch(), SPAN) == 0);
	while (error == 0 && bytes < 64 * MIB) {
		error = table_reserve(&table, bytes);
		if (error != 0)
			break;
		fill(&table, bytes); /* a SIGBUS here is the bug looked for */
		bytes += MIB;
	}
	CHILD_CHECK(error == -ENOSPC);
	CHILD_CHECK(bytes > 4 * MIB && bytes <= 9 * MIB);
	/* what it had, it has */
	CHILD_CHECK(table.reserved_bytes < bytes);
	CHILD_CHECK(is_filled(&table, bytes - MIB));
	fill(&table, table.reserved_bytes);
	/* and once there is room again, it goes on */
	if (mount("none", scratch(), "none", MS_REMOUNT, "size=32m") != 0)
		_exit(CHILD_SKIP);
	CHILD_CHECK(table_reserve(&table, bytes) == 0);
	fill(&table, bytes);
	CHILD_CHECK(is_filled(&table, bytes));
}

static void
test_table_on_a_full_disk_says_so_and_keeps_what_it_has(void **state)
{
	run_child_or_skip(child_on_a_small_disk, NULL);
}

static void
child_over_the_file_size_limit(void *arg)
{
	const struct rlimit small = { 4 * MIB, 4 * MIB };
	struct table table;

	signal(SIGXFSZ, SIG_IGN); /* as the supervisor does */
	setrlimit(RLIMIT_FSIZE, &small);
	CHILD_CHECK(table_create(&table, scratch(), SPAN) == 0);
	CHILD_CHECK(table_reserve(&table, 2 * MIB) == 0);
	CHILD_CHECK(table_reserve(&table, 5 * MIB) == -EFBIG);
	fill(&table, 2 * MIB);
}

static void
test_table_over_the_file_size_limit_says_so(void **state)
{
	ASSERT_EQ(run_child(child_over_the_file_size_limit, NULL), CHILD_OK);
}

/* verifies: NFR-016-10 */
static void
test_table_trimmed_keeps_the_bytes_and_gives_the_memory_back(void **state)
{
	struct table table;
	uint64_t before;

	ASSERT_EQ(table_create(&table, scratch(), SPAN), 0);
	table_trim(&table); /* empty: nothing to give */
	ASSERT_EQ(table_reserve(&table, 64 * MIB), 0);
	fill(&table, 64 * MIB);
	before = pss_bytes();
	table_trim(&table);
	ASSERT_TRUE(pss_bytes() + 60 * MIB < before);
	ASSERT_TRUE(is_filled(&table, 64 * MIB));
	table_close(&table);
}

static void
child_fills_32_mib(void *arg)
{
	struct table *table = arg;

	CHILD_CHECK(table_reserve(table, 32 * MIB) == 0);
	fill(table, 32 * MIB);
	kill(getpid(), SIGKILL);
}

/* A reader knows nothing of how much the writer has reserved. */
static void
test_table_trimmed_by_a_reader_gives_its_memory_back(void **state)
{
	struct table table;
	uint64_t before;

	ASSERT_EQ(table_create(&table, scratch(), SPAN), 0);
	ASSERT_EQ(run_child(child_fills_32_mib, &table), -SIGKILL);
	ASSERT_TRUE(is_filled(&table, 32 * MIB));
	before = pss_bytes();
	table_trim(&table);
	ASSERT_TRUE(pss_bytes() + 30 * MIB < before);
	ASSERT_TRUE(is_filled(&table, 32 * MIB));
	table_close(&table);
}

/* Reads and writes all over 64 MiB: the pages it has at most, in bytes. */
static uint64_t
walk_at_random(struct table *table, uint64_t faults_max)
{
	struct fault_meter meter = { 0 };
	uint64_t random = 7;
	uint64_t before;
	uint64_t most = 0;

	table_trim(table);
	before = pss_bytes();
	fault_meter_passed(&meter, 0);
	for (uint32_t i = 0; i < 40000; i++) {
		uint64_t at = random_next(&random) % (64 * MIB);

		if (i % 4 == 0)
			table->base[at]++;
		else
			random += table->base[at];
		if (fault_meter_passed(&meter, faults_max))
			table_trim(table);
		if (i % 256 == 0)
			most = max_u64(most, pss_bytes());
	}
	return most - before;
}

/* A read maps up to 16 pages at once: 256 faults are at most 16 MiB. */
static void
test_table_walked_at_random_stays_small_by_the_meter(void **state)
{
	struct table table;

	ASSERT_EQ(table_create(&table, scratch(), SPAN), 0);
	ASSERT_EQ(table_reserve(&table, 64 * MIB), 0);
	fill(&table, 64 * MIB);
	ASSERT_TRUE(walk_at_random(&table, 256) < 18 * MIB);
	/* and it is the meter that makes it so */
	ASSERT_TRUE(walk_at_random(&table, UINT64_MAX) > 40 * MIB);
	table_close(&table);
}

/* verifies: R5 */
static void
test_table_of_a_dead_writer_serves_its_replacement(void **state)
{
	struct table table;

	ASSERT_EQ(table_create(&table, scratch(), SPAN), 0);
	ASSERT_EQ(run_child(child_fills_32_mib, &table), -SIGKILL);
	/* this process plays the replacement: it knows of no reservation */
	ASSERT_EQ(table.reserved_bytes, 0);
	ASSERT_EQ(table_reserve(&table, MIB), 0);
	ASSERT_TRUE(is_filled(&table, 32 * MIB));
	ASSERT_EQ(table_reserve(&table, 40 * MIB), 0);
	fill(&table, 40 * MIB);
	ASSERT_TRUE(is_filled(&table, 40 * MIB));
	table_close(&table);
}

/* One file for both, and neither is in the way of the other. */
static void
test_table_part_is_a_table_of_its_own(void **state)
{
	struct table first;
	struct table part;
	struct stat st;

	ASSERT_EQ(table_create(&first, scratch(), 4 * MIB), 0);
	table_part(&part, &first, 2 * MIB);
	ASSERT_EQ(part.fd, first.fd);
	ASSERT_EQ(first.span_bytes, 2 * MIB);
	ASSERT_EQ(part.span_bytes, 2 * MIB);
	ASSERT_EQ(table_reserve(&part, MIB), 0);
	memset(part.base, 'p', MIB);
	ASSERT_EQ(table_reserve(&first, 2 * MIB), 0);
	memset(first.base, 'f', 2 * MIB);
	ASSERT_EQ(table_reserve(&first, 2 * MIB + 1), -EFBIG);
	ASSERT_EQ(table_reserve(&part, 2 * MIB + 1), -EFBIG);
	table_trim(&first);
	table_trim(&part);
	ASSERT_EQ(first.base[2 * MIB - 1], 'f');
	ASSERT_EQ(part.base[0], 'p');
	ASSERT_EQ(part.base[MIB - 1], 'p');
	ASSERT_EQ(fstat(first.fd, &st), 0);
	ASSERT_TRUE(st.st_size >= 3ll * (long long)MIB);
	table_close(&part);
	ASSERT_EQ(first.base[0], 'f');
	table_close(&first);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_table_part_is_a_table_of_its_own),
		cmocka_unit_test(
			test_table_grown_step_by_step_keeps_place_and_bytes),
		cmocka_unit_test(test_table_beyond_its_span_is_refused),
		cmocka_unit_test(test_table_has_no_name),
		cmocka_unit_test(test_table_where_it_cannot_be_says_why),
		cmocka_unit_test(test_table_goes_where_tmpdir_says),
		cmocka_unit_test(
			test_table_on_a_full_disk_says_so_and_keeps_what_it_has),
		cmocka_unit_test(test_table_over_the_file_size_limit_says_so),
		cmocka_unit_test(
			test_table_trimmed_keeps_the_bytes_and_gives_the_memory_back),
		cmocka_unit_test(
			test_table_trimmed_by_a_reader_gives_its_memory_back),
		cmocka_unit_test(
			test_table_walked_at_random_stays_small_by_the_meter),
		cmocka_unit_test(
			test_table_of_a_dead_writer_serves_its_replacement),
	};

	if (under_valgrind())
		return skip_all("valgrind walks over whole spans");
	return cmocka_run_group_tests_name("shm/table", tests, NULL, teardown);
}
