/* SPDX-License-Identifier: MIT */
/*
 * catalogue.c - making and closing the tables.
 */
#include "catalogue/catalogue.h"

#include <sys/resource.h>

#include "shm/layout.h"

#define RECORDS_LEAST (1ull << 20) /* bytes of a table of records */
#define RECORDS_MOST (1ull << 33)
#define FILE_RECORDS 7 /* of which a file has so many, at most */

/* A limit on the size of files is shared by the tables of one. */
static uint64_t
records_bytes(void)
{
	struct rlimit limit;
	uint64_t share;

	if (getrlimit(RLIMIT_FSIZE, &limit) != 0 ||
	    limit.rlim_cur == RLIM_INFINITY)
		return RECORDS_MOST;
	share = limit.rlim_cur / FILE_RECORDS;
	share -= share % LAYOUT_PAGE_BYTES;
	return min_u64(max_u64(share, RECORDS_LEAST), RECORDS_MOST);
}

int
catalogue_create(struct catalogue *catalogue)
{
	const uint64_t RECORDS = records_bytes();
	struct table_heads heads;
	int error = table_heads_open(&heads, TABLE_NR);

	*catalogue = (struct catalogue){ 0 };
	if (error != 0)
		return error;
#define TABLE(name, NAME, of, file_span, off)                                  \
	if (error == 0)                                                        \
		error = (file_span) > 0                                        \
				? table_create_among(&catalogue->name, &heads, \
						     (file_span))              \
				: table_part(&catalogue->name, &catalogue->of, \
					     (off), &heads);
#include "catalogue/catalogue.def"
	table_heads_close(&heads);
	if (error == 0)
		error = table_reserve(&catalogue->history, HISTORY_HEAD_BYTES);
	if (error != 0)
		catalogue_close(catalogue);
	return error;
}

void
catalogue_close(struct catalogue *catalogue)
{
	/* parts before what they are part of */
	for (int i = TABLE_NR; i-- > 0;)
		table_close(&catalogue->tables[i]);
	table_close(&catalogue->survey.table);
}

int
catalogue_protect(const struct catalogue *catalogue, uint32_t writable)
{
	return table_protect(catalogue->tables, TABLE_NR, writable);
}
