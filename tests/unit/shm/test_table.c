/* SPDX-License-Identifier: MIT */
/*
 * test_table.c - tables in mapped files: growing, memory given back, little
 * address space, writers replaced.
 */
#include "tests/support/test_table.h"

#include <sys/stat.h>

#include "base/new_file.h"

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

#define VIEWS_MAX 64

static void
test_table_grown_step_by_step_keeps_places_and_bytes(void **state)
{
	struct table table;
	struct {
		const uint8_t *at;
		uint64_t off;
	} places[VIEWS_MAX];
	size_t nr = 0;

	ASSERT_EQ(create(&table, SPAN), 0);
	for (uint64_t bytes = 512; bytes < 64 * MIB; bytes = bytes * 3 / 2) {
		struct stat stat;

		ASSERT_EQ(table_reserve(&table, bytes), 0);
		ASSERT_TRUE(table_backed_bytes(&table) >= bytes);
		ASSERT_EQ(fstat(table_fd(&table), &stat), 0);
		if (bytes > TABLE_HEAD_BYTES) {
			ASSERT_TRUE((uint64_t)stat.st_size >= bytes);
			ASSERT_TRUE((uint64_t)stat.st_blocks * 512 +
					    TABLE_HEAD_BYTES >=
				    bytes);
		}
		fill(&table, bytes / 512 * 512);
		ASSERT_TRUE(nr < VIEWS_MAX);
		places[nr].off = bytes / 512 * 512 - 512;
		places[nr].at = table_at(&table, places[nr].off, 512);
		nr++;
	}
	/* what was found before it grew, and moved, is the same memory still */
	for (size_t i = 0; i < nr; i++) {
		ASSERT_EQ(memcmp(places[i].at, &places[i].off, 8), 0);
		memset(table_at(&table, places[i].off, 512), (int)i, 512);
		ASSERT_EQ(places[i].at[511], i);
	}
	table_close(&table);
	table_close(&table); /* nothing: allowed */
}

/* verifies: R8 */
static void
test_table_beyond_its_span_is_refused(void **state)
{
	struct table table;

	ASSERT_EQ(create(&table, 3 * MIB), 0);
	ASSERT_EQ(table_reserve(&table, 3 * MIB + 1), -EFBIG);
	ASSERT_EQ(table_reserve(&table, UINT64_MAX), -EFBIG);
	ASSERT_EQ(table_backed_bytes(&table), TABLE_HEAD_BYTES);
	ASSERT_EQ(table_reserve(&table, 3 * MIB), 0);
	fill(&table, 3 * MIB);
	ASSERT_EQ(table_reserve(&table, 3 * MIB + 1), -EFBIG);
	ASSERT_TRUE(is_filled(&table, 3 * MIB));
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

/* verifies: NFR-016-10 */
static void
test_table_written_and_read_in_order_stays_small(void **state)
{
	struct table table;
	uint64_t before = pss_bytes();
	uint64_t most = 0;

	ASSERT_EQ(create(&table, SPAN), 0);
	ASSERT_EQ(table_reserve(&table, 64 * MIB), 0);
	for (int round = 0; round < 2; round++) {
		for (uint64_t off = 0; off < 64 * MIB; off += 512) {
			void *at = table_at(&table, off, sizeof(off));

			if (round == 0)
				memcpy(at, &off, sizeof(off));
			ASSERT_EQ(memcmp(at, &off, sizeof(off)), 0);
			if (off % MIB == 0)
				most = max_u64(most, pss_bytes());
		}
	}
	ASSERT_TRUE(most <= before + TABLE_RESIDENT_BYTES + 2 * MIB);
	table_trim_all();
	ASSERT_TRUE(pss_bytes() < before + 2 * MIB);
	ASSERT_TRUE(is_filled(&table, 64 * MIB));
	table_close(&table);
}

/* Reads and writes all over 64 MiB: the pages it has at most, in bytes. */
static uint64_t
walk_at_random(struct table *table, bool by_the_table)
{
	uint8_t *bytes = table_at(table, 0, 64 * MIB);
	uint64_t random = 7;
	uint64_t before;
	uint64_t most = 0;

	table_trim_all();
	before = pss_bytes();
	for (uint32_t i = 0; i < 40000; i++) {
		uint64_t off = random_next(&random) % (64 * MIB);
		uint8_t *at =
			by_the_table ? table_at(table, off, 1) : bytes + off;

		if (i % 4 == 0)
			++*at;
		else
			random += *at;
		if (i % 256 == 0)
			most = max_u64(most, pss_bytes());
	}
	return most > before ? most - before : 0;
}

static void
test_table_walked_at_random_stays_small(void **state)
{
	struct table table;

	ASSERT_EQ(create(&table, SPAN), 0);
	ASSERT_EQ(table_reserve(&table, 64 * MIB), 0);
	fill(&table, 64 * MIB);
	ASSERT_TRUE(walk_at_random(&table, true) <= TABLE_RESIDENT_BYTES + MIB);
	/* and it is table_at() that makes it so */
	ASSERT_TRUE(walk_at_random(&table, false) > 40 * MIB);
	/* who says that much is touched otherwise stays small as well */
	table_touched(&table, TABLE_TOUCHES_MAX);
	ASSERT_TRUE(walk_at_random(&table, true) <= TABLE_RESIDENT_BYTES + MIB);
	table_close(&table);
}

/* Several tables, each of them large: it is the process that is bounded. */
static void
test_table_beside_others_stays_small(void **state)
{
	struct table tables[4];
	uint64_t before = pss_bytes();
	uint64_t most = 0;

	for (size_t t = 0; t < ARRAY_LEN(tables); t++) {
		ASSERT_EQ(create(&tables[t], SPAN), 0);
		ASSERT_EQ(run_child(child_fills_32_mib, &tables[t]), -SIGKILL);
	}
	for (uint64_t off = 0; off < 32 * MIB; off += 512) {
		for (size_t t = 0; t < ARRAY_LEN(tables); t++)
			ASSERT_EQ(memcmp(table_at(&tables[t], off, 8), &off, 8),
				  0);
		if (off % MIB == 0)
			most = max_u64(most, pss_bytes());
	}
	ASSERT_TRUE(most <= before + TABLE_RESIDENT_BYTES + 3 * MIB);
	for (size_t t = 0; t < ARRAY_LEN(tables); t++)
		table_close(&tables[t]);
}

static void
test_table_walked_far_is_a_sign_of_life(void **state)
{
	_Atomic uint64_t heartbeat = 0;
	struct table table;

	ASSERT_EQ(create(&table, SPAN), 0);
	ASSERT_EQ(table_reserve(&table, 16 * MIB), 0);
	table_beat(&heartbeat);
	fill(&table, 16 * MIB);
	table_beat(NULL);
	ASSERT_TRUE(heartbeat >=
		    16 * MIB / TABLE_GROUP_BYTES / TABLE_TOUCHES_MAX);
	/* standing still is none */
	table_trim_all();
	table_beat(&heartbeat);
	heartbeat = 0;
	for (int i = 0; i < 100000; i++)
		table_at(&table, (uint64_t)i % 100 * 512, 512);
	table_beat(NULL);
	ASSERT_EQ(heartbeat, 0);
	table_close(&table);
}

/* ---- address space ------------------------------------------------------- */

/* This process may map so much more than it has now. */
static void
limit_address_space(uint64_t more)
{
	FILE *file = fopen("/proc/self/statm", "r");
	unsigned long pages = 0;
	struct rlimit limit;

	CHILD_CHECK(file != NULL && fscanf(file, "%lu", &pages) == 1);
	fclose(file);
	limit.rlim_cur = limit.rlim_max =
		pages * (uint64_t)sysconf(_SC_PAGESIZE) + more;
	CHILD_CHECK(setrlimit(RLIMIT_AS, &limit) == 0);
}

static void
child_has_little_address_space(void *arg)
{
	struct table table;

	limit_address_space(48 * MIB);
	/* what it could grow to takes nothing */
	CHILD_CHECK(create(&table, 1ull << 40) == 0);
	CHILD_CHECK(table_reserve(&table, 16 * MIB) == 0);
	fill(&table, 16 * MIB);
	CHILD_CHECK(is_filled(&table, 16 * MIB));
	CHILD_CHECK(table_reserve(&table, 128 * MIB) == -ENOMEM);
	CHILD_CHECK(is_filled(&table, 16 * MIB));
	table_close(&table);
	/* and nothing was kept */
	CHILD_CHECK(create(&table, 1ull << 40) == 0);
	CHILD_CHECK(table_reserve(&table, 16 * MIB) == 0);
}

static void
test_table_takes_no_more_address_space_than_it_uses(void **state)
{
	if (IS_SANITIZED)
		skip(); /* shadow memory is address space */
	ASSERT_EQ(run_child(child_has_little_address_space, NULL), CHILD_OK);
}

static void
child_reads_without_address_space(void *arg)
{
	const struct table *table = arg;

	limit_address_space(4 * MIB);
	table_end_with(5);
	table_at(table, 31 * MIB, 512);
}

static void
test_table_reader_without_address_space_ends_with_its_code(void **state)
{
	struct table table;

	if (IS_SANITIZED)
		skip();
	ASSERT_EQ(create(&table, SPAN), 0);
	ASSERT_EQ(run_child(child_fills_32_mib, &table), -SIGKILL);
	ASSERT_EQ(run_child(child_reads_without_address_space, &table), 5);
	table_close(&table);
}

/* ---- that others have, too ------------------------------------------------ */

static void
child_is_sent_sigbus(void *arg)
{
	(void)arg;
	table_lost_with(7);
	raise(SIGBUS);
}

static void
test_table_sigbus_that_is_sent_ends_the_process(void **state)
{
	ASSERT_EQ(run_child(child_is_sent_sigbus, NULL), -SIGBUS);
}

struct cut_off {
	struct table table;
	uint64_t left_bytes; /* of 4 MiB */
	bool is_known;       /* the address of what is read */
};

static void
child_reads_what_is_cut_off(void *arg)
{
	const struct cut_off *it = arg;
	const uint8_t *known = table_at(&it->table, 3 * MIB, 1);

	CHILD_CHECK(*known == 'x');
	table_lost_with(7);
	CHILD_CHECK(ftruncate(table_fd(&it->table), (off_t)it->left_bytes) == 0);
	if (!it->is_known)
		known = table_at(&it->table, 4 * MIB - 4096, 1);
	CHILD_CHECK(*(volatile const uint8_t *)known == 'x');
}

static void
test_table_that_others_cut_off_ends_the_process(void **state)
{
	static const struct {
		uint64_t left_bytes;
		bool is_known;
		int code;
	} cases[] = { { 2 * MIB, true, 7 },
		      { 2 * MIB, false, 7 },
		      { 4 * MIB, true, CHILD_OK },
		      { 4 * MIB, false, CHILD_OK } };

	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct cut_off it = { .left_bytes = cases[i].left_bytes,
				      .is_known = cases[i].is_known };
		int fd = new_file_nameless(scratch());

		for (off_t off = 0; off < (off_t)(4 * MIB); off += 4096)
			ASSERT_EQ(pwrite(fd, "x", 1, off), 1);
		ASSERT_EQ(table_open(&it.table, fd, 4 * MIB), 0);
		ASSERT_EQ(run_child(child_reads_what_is_cut_off, &it),
			  cases[i].code);
		table_close(&it.table);
	}
}

/* ---- only to be read ------------------------------------------------------ */

static void
child_writes_protected(void *arg)
{
	const struct table *table = arg;
	uint8_t *early = table_at(table, 100, 1);

	signal(SIGSEGV, SIG_DFL); /* cmocka has a handler */
	CHILD_CHECK(table_protect(table, 1, 0) == 0);
	CHILD_CHECK(is_filled(table, 32 * MIB));
	/* by an address from before, as by one of a view that grew since */
	if (*early == 0)
		*(uint8_t *)table_at(table, 31 * MIB, 1) = 1;
	else
		*early = 1;
}

static void
test_table_protected_is_read_and_not_written(void **state)
{
	struct table table;

	if (IS_SANITIZED)
		skip(); /* its report of a SEGV is no SIGSEGV */
	ASSERT_EQ(create(&table, SPAN), 0);
	ASSERT_EQ(run_child(child_fills_32_mib, &table), -SIGKILL);
	ASSERT_EQ(run_child(child_writes_protected, &table), -SIGSEGV);
	memset(table_at(&table, 100, 1), 1, 1); /* this process still may */
	ASSERT_EQ(run_child(child_writes_protected, &table), -SIGSEGV);
	table_close(&table);
}

#define AMONG_NR 5

struct among {
	struct table tables[AMONG_NR];
	uint32_t writable; /* a bit a table */
	uint32_t at;       /* the table that is written */
};

static void
child_writes_one_of_several(void *arg)
{
	const struct among *among = arg;
	const struct table *table = &among->tables[among->at];

	signal(SIGSEGV, SIG_DFL);
	CHILD_CHECK(table_protect(among->tables, AMONG_NR, among->writable) ==
		    0);
	*(uint8_t *)table_at(table, TABLE_HEAD_BYTES - 1, 1) = 1;
	CHILD_CHECK(table_reserve(table, 2 * MIB) == 0);
	*(uint8_t *)table_at(table, MIB, 1) = 1;
	CHILD_CHECK(kill(getpid(), SIGKILL) == 0);
}

/* Every set of tables that may be written, also where one has grown. */
static void
test_table_protected_are_all_but_those_of_the_set(void **state)
{
	struct among among = { .writable = 0 };
	struct table_heads heads;

	if (IS_SANITIZED)
		skip();
	ASSERT_EQ(table_heads_open(&heads, AMONG_NR + 1), 0);
	ASSERT_EQ(table_create_among(&among.tables[0], &heads, SPAN), 0);
	for (uint32_t i = 1; i < AMONG_NR; i++) {
		struct table *table = &among.tables[i];

		ASSERT_EQ(i % 2 == 0
				  ? table_create_among(table, &heads, SPAN)
				  : table_part(table, &among.tables[i - 1],
					       SPAN / 2, &heads),
			  0);
		ASSERT_TRUE((uint8_t *)table_at(table, 0, 1) ==
			    (uint8_t *)table_at(table - 1, 0, 1) +
				    TABLE_HEAD_BYTES);
	}
	table_heads_close(&heads);
	for (; among.writable < 1u << AMONG_NR; among.writable++) {
		if (among.writable == 1u << (AMONG_NR - 1))
			ASSERT_EQ(table_reserve(&among.tables[2], 4 * MIB), 0);
		for (among.at = 0; among.at < AMONG_NR; among.at++)
			ASSERT_EQ(run_child(child_writes_one_of_several,
					    &among),
				  among.writable & 1u << among.at ? -SIGKILL
								  : -SIGSEGV);
	}
	for (uint32_t i = AMONG_NR; i-- > 0;)
		table_close(&among.tables[i]);
}

/* ---- what others have written -------------------------------------------- */

struct beyond {
	const struct table *table;
	uint64_t off;
	uint64_t bytes;
};

static void
child_reads_beyond(void *arg)
{
	const struct beyond *beyond = arg;

	memset(table_at(beyond->table, beyond->off, beyond->bytes), 1, 1);
}

/* verifies: R7 */
static void
test_table_read_beyond_its_file_is_our_own_bug(void **state)
{
	struct table table;
	uint64_t end;
	struct beyond reads[6];

	ASSERT_EQ(create(&table, SPAN), 0);
	ASSERT_EQ(run_child(child_fills_32_mib, &table), -SIGKILL);
	end = table_backed_bytes(&table);
	ASSERT_TRUE(end >= 32 * MIB && end < 64 * MIB);
	reads[0] = (struct beyond){ &table, end - 1, 1 };
	reads[1] = (struct beyond){ &table, end, 1 };
	reads[2] = (struct beyond){ &table, end - 8, 9 };
	reads[3] = (struct beyond){ &table, SPAN - 1, 1 };
	reads[4] = (struct beyond){ &table, SPAN, 1 };
	reads[5] = (struct beyond){ &table, UINT64_MAX - 3, 8 };
	/* never a SIGBUS */
	for (size_t i = 0; i < ARRAY_LEN(reads); i++)
		ASSERT_EQ(run_child(child_reads_beyond, &reads[i]),
			  i == 0 ? CHILD_OK : -SIGABRT);
	table_close(&table);
}

/* verifies: R5 */
static void
test_table_of_a_dead_writer_serves_its_replacement(void **state)
{
	struct table table;

	ASSERT_EQ(create(&table, SPAN), 0);
	ASSERT_EQ(run_child(child_fills_32_mib, &table), -SIGKILL);
	/* this process plays the replacement: it knows of no reservation */
	ASSERT_EQ(table_reserve(&table, MIB), 0);
	ASSERT_TRUE(is_filled(&table, 32 * MIB));
	ASSERT_EQ(table_reserve(&table, 40 * MIB), 0);
	fill(&table, 40 * MIB);
	ASSERT_TRUE(is_filled(&table, 40 * MIB));
	table_close(&table);
}

static void
child_fills_the_head(void *arg)
{
	struct table *table = arg;

	CHILD_CHECK(table_reserve(table, TABLE_HEAD_BYTES) == 0);
	fill(table, TABLE_HEAD_BYTES);
	kill(getpid(), SIGKILL);
}

/* Where a sanitizer reports a SEGV the process exits, with another code. */
static bool
is_ended_by_segv(int ended)
{
	return IS_SANITIZED ? ended != CHILD_OK : ended == -SIGSEGV;
}

static void
child_writes_a_protected_head(void *arg)
{
	struct table *table = arg;

	CHILD_CHECK(table_protect(table, 1, 0) == 0);
	/* also where it is mapped once more */
	CHILD_CHECK(is_filled(table, TABLE_HEAD_BYTES));
	*(uint8_t *)table_at(table, 0, 1) = 1;
}

/* verifies: R5 */
static void
test_table_head_is_memory_of_all_processes(void **state)
{
	struct table table;
	struct stat stat;
	const uint8_t *first;

	ASSERT_EQ(create(&table, SPAN), 0);
	first = table_at(&table, 512, 8);
	ASSERT_EQ(run_child(child_fills_the_head, &table), -SIGKILL);
	ASSERT_TRUE(is_filled(&table, TABLE_HEAD_BYTES));
	ASSERT_EQ(fstat(table_fd(&table), &stat), 0);
	ASSERT_EQ(stat.st_size, 0);
	ASSERT_TRUE(is_ended_by_segv(
		run_child(child_writes_a_protected_head, &table)));
	ASSERT_EQ(table_reserve(&table, MIB), 0);
	ASSERT_TRUE(is_filled(&table, TABLE_HEAD_BYTES));
	ASSERT_TRUE(is_ended_by_segv(
		run_child(child_writes_a_protected_head, &table)));
	/* the old place and the new one are the same memory */
	ASSERT_TRUE(table_at(&table, 512, 8) != first);
	memset(table_at(&table, 512, 8), 'n', 8);
	ASSERT_EQ(*first, 'n');
	/* the file behind it begins where the head ends */
	fill(&table, MIB);
	ASSERT_TRUE(is_filled(&table, MIB));
	ASSERT_EQ(fstat(table_fd(&table), &stat), 0);
	ASSERT_TRUE((uint64_t)stat.st_blocks * 512 < 2 * MIB);
	table_close(&table);
}

/* One file for both, and neither is in the way of the other. */
static void
test_table_part_is_a_table_of_its_own(void **state)
{
	struct table first;
	struct table part;
	struct stat st;

	ASSERT_EQ(create(&first, 4 * MIB), 0);
	ASSERT_EQ(table_part(&part, &first, 2 * MIB, NULL), 0);
	ASSERT_EQ(table_fd(&part), table_fd(&first));
	ASSERT_EQ(first.span_bytes, 2 * MIB);
	ASSERT_EQ(part.span_bytes, 2 * MIB);
	ASSERT_EQ(table_reserve(&part, MIB), 0);
	memset(table_at(&part, 0, MIB), 'p', MIB);
	ASSERT_EQ(table_reserve(&first, 2 * MIB), 0);
	memset(table_at(&first, 0, 2 * MIB), 'f', 2 * MIB);
	ASSERT_EQ(table_reserve(&first, 2 * MIB + 1), -EFBIG);
	ASSERT_EQ(table_reserve(&part, 2 * MIB + 1), -EFBIG);
	table_trim_all();
	ASSERT_EQ(*(char *)table_at(&first, 2 * MIB - 1, 1), 'f');
	ASSERT_EQ(*(char *)table_at(&part, 0, 1), 'p');
	ASSERT_EQ(*(char *)table_at(&part, MIB - 1, 1), 'p');
	table_clear(&part, 1, MIB - 2);
	ASSERT_EQ(*(char *)table_at(&part, 0, 1), 'p');
	ASSERT_EQ(*(char *)table_at(&part, 1, 1), 0);
	ASSERT_EQ(*(char *)table_at(&part, MIB - 2, 1), 0);
	ASSERT_EQ(*(char *)table_at(&part, MIB - 1, 1), 'p');
	ASSERT_EQ(fstat(table_fd(&first), &st), 0);
	ASSERT_TRUE(st.st_size >= 3ll * (long long)MIB);
	table_close(&part);
	ASSERT_EQ(*(char *)table_at(&first, 0, 1), 'f');
	table_close(&first);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_table_part_is_a_table_of_its_own),
		cmocka_unit_test(test_table_head_is_memory_of_all_processes),
		cmocka_unit_test(
			test_table_grown_step_by_step_keeps_places_and_bytes),
		cmocka_unit_test(test_table_beyond_its_span_is_refused),
		cmocka_unit_test(
			test_table_written_and_read_in_order_stays_small),
		cmocka_unit_test(test_table_walked_at_random_stays_small),
		cmocka_unit_test(test_table_beside_others_stays_small),
		cmocka_unit_test(test_table_walked_far_is_a_sign_of_life),
		cmocka_unit_test(
			test_table_takes_no_more_address_space_than_it_uses),
		cmocka_unit_test(
			test_table_reader_without_address_space_ends_with_its_code),
		cmocka_unit_test(
			test_table_that_others_cut_off_ends_the_process),
		cmocka_unit_test(
			test_table_sigbus_that_is_sent_ends_the_process),
		cmocka_unit_test(test_table_protected_is_read_and_not_written),
		cmocka_unit_test(
			test_table_protected_are_all_but_those_of_the_set),
		cmocka_unit_test(
			test_table_read_beyond_its_file_is_our_own_bug),
		cmocka_unit_test(
			test_table_of_a_dead_writer_serves_its_replacement),
	};

	if (under_valgrind())
		return skip_all("valgrind walks over whole spans");
	return cmocka_run_group_tests_name("shm/table", tests, NULL, teardown);
}
