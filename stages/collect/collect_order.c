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

#include "base/heap.h"

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

static bool
is_before(const void *text, const void *a, const void *b)
{
	return collect_order_compare(a, text, b, text) < 0;
}

void
collect_order_sort(struct collect_name *names, size_t nr, const char *text)
{
	const struct heap heap = { names, sizeof(*names), sizeof(*names),
				   is_before, text };

	heap_make(&heap, nr);
	heap_unmake(&heap, nr);
}
