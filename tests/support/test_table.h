/* SPDX-License-Identifier: MIT */
/*
 * test_table.h - what the tests of tables share: a folder, a table, its bytes.
 */
#ifndef TESTS_SUPPORT_TEST_TABLE_H
#define TESTS_SUPPORT_TEST_TABLE_H

#include "tests/support/test_shm.h"

#include "shm/table.h"

#define MIB (1024ull * 1024)
#define SPAN (1024 * MIB)

/* A folder of the test's own below TMPDIR. */
static inline const char *
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

static inline int
teardown(void **state)
{
	return rmdir(scratch());
}

static inline void
fill(const struct table *table, uint64_t bytes)
{
	for (uint64_t off = 0; off < bytes; off += 512)
		memcpy(table_at(table, off, sizeof(off)), &off, sizeof(off));
}

static inline bool
is_filled(const struct table *table, uint64_t bytes)
{
	for (uint64_t off = 0; off < bytes; off += 512)
		if (memcmp(table_at(table, off, sizeof(off)), &off,
			   sizeof(off)) != 0)
			return false;
	return true;
}

/* As those of a run are: its file is there from the start, in scratch(). */
static inline int
create(struct table *table, uint64_t span_bytes)
{
	struct table_heads heads;
	int error;

	setenv("TMPDIR", scratch(), 1);
	ASSERT_EQ(table_heads_open(&heads, 1), 0);
	error = table_create_among(table, &heads, span_bytes);
	table_heads_close(&heads);
	return error;
}

#endif
