/* SPDX-License-Identifier: MIT */
/*
 * collect_order.c - the canonical order of the names of one directory.
 *
 * Does: compares and sorts names by bytes, a '/' after those of directories:
 *       then "a-b" comes before all of "a/", as it does between whole paths.
 * Does not: know locales; use qsort(), which asks the system for the size of
 *           its memory when an array is large.
 */
#include "stages/collect/collect.h"

#include <string.h>

uint64_t
collect_order_key(const char *name, size_t bytes, bool is_dir)
{
	uint64_t key = 0;

	for (size_t i = 0; i < sizeof(key); i++) {
		unsigned char c = 0;

		if (i < bytes)
			c = (unsigned char)name[i];
		else if (i == bytes && is_dir)
			c = '/';
		key = key << 8 | c;
	}
	return key;
}

int
collect_order_compare(const struct collect_name *a, const char *a_text,
		      const struct collect_name *b, const char *b_text)
{
	size_t both = min_size(a->bytes, b->bytes);
	int order;
	int a_next;
	int b_next;

	if (a->key != b->key)
		return a->key < b->key ? -1 : 1;
	order = memcmp(a_text + a->off, b_text + b->off, both);
	if (order != 0)
		return order;
	a_next = a->bytes > both          ? (unsigned char)a_text[a->off + both]
		 : a->type == COLLECT_DIR ? '/'
					  : -1;
	b_next = b->bytes > both          ? (unsigned char)b_text[b->off + both]
		 : b->type == COLLECT_DIR ? '/'
					  : -1;
	return a_next - b_next;
}

#define RUN_NR 8 /* sorted by insertion before runs are merged */

static void
sort_run(struct collect_name *names, size_t nr, const char *text)
{
	for (size_t i = 1; i < nr; i++) {
		struct collect_name name = names[i];
		size_t to = i;

		while (to > 0 &&
		       collect_order_compare(&name, text, &names[to - 1],
					     text) < 0) {
			names[to] = names[to - 1];
			to--;
		}
		names[to] = name;
	}
}

/* Two sorted runs that lie one after the other, into `to`. */
static void
merge_runs(struct collect_name *to, const struct collect_name *from,
	   size_t first_nr, size_t nr, const char *text)
{
	size_t a = 0;
	size_t b = first_nr;

	for (size_t i = 0; i < nr; i++) {
		bool take_a =
			b == nr || (a < first_nr &&
				    collect_order_compare(&from[a], text,
							  &from[b], text) <= 0);

		to[i] = from[take_a ? a++ : b++];
	}
}

void
collect_order_sort(struct collect_name *names, struct collect_name *scratch,
		   size_t nr, const char *text)
{
	struct collect_name *from = names;
	struct collect_name *to = scratch;

	for (size_t i = 0; i < nr; i += RUN_NR)
		sort_run(names + i, min_size(RUN_NR, nr - i), text);
	for (size_t run = RUN_NR; run < nr; run *= 2) {
		struct collect_name *swap = from;

		for (size_t i = 0; i < nr; i += 2 * run)
			merge_runs(to + i, from + i, min_size(run, nr - i),
				   min_size(2 * run, nr - i), text);
		from = to;
		to = swap;
	}
	if (from != names)
		memcpy(names, from, nr * sizeof(*names));
}
