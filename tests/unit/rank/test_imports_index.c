/* SPDX-License-Identifier: MIT */
/*
 * test_imports_index.c - names by hash, however many there are and however
 * alike; what directories have in common.
 */
#include "tests/support/test_imports_tree.h"

#include <time.h>

#define NODES_MAX 300000u

static uint64_t seed = 1;

static uint64_t
draw(void)
{
	seed = seed * 6364136223846793005u + 1442695040888963407u;
	return seed ^ seed >> 29;
}

static uint32_t groups_touched;

static void
see_touched(const void *context, uint32_t groups)
{
	(void)context;
	groups_touched += groups;
}

static int
compare_nodes(const void *a, const void *b)
{
	const struct imports_node *x = a;
	const struct imports_node *y = b;

	if (x->hash != y->hash)
		return x->hash < y->hash ? -1 : 1;
	return (x->value > y->value) - (x->value < y->value);
}

/* Each hash of `all`, which is sorted, has its nodes; others have none. */
static void
find_all(const struct imports_index *index, const struct imports_node *all)
{
	uint32_t first;

	for (uint32_t i = 0, nr; i < index->nr; i += nr) {
		for (nr = 1;
		     i + nr < index->nr && all[i + nr].hash == all[i].hash;)
			nr++;
		assert_int_equal(imports_index_find(index, all[i].hash, &first),
				 nr);
		assert_memory_equal(&index->nodes[first], &all[i],
				    nr * sizeof(*all));
		if (i > 0 && all[i - 1].hash + 1 != all[i].hash)
			assert_int_equal(imports_index_find(index,
							    all[i].hash - 1,
							    &first),
					 0);
	}
}

static void
test_imports_index_finds_what_was_added(void **state)
{
	static const uint32_t sizes[] = { 0, 1, 2, 9, 1000, NODES_MAX };
	/* all differ; few do; all begin alike; the last ones there are */
	static const uint64_t masks[][2] = { { UINT64_MAX, 0 },
					     { 0x8040, 0x7 },
					     { 0xffff, 0xabcull << 52 },
					     { 0x1f, UINT64_MAX - 0x1f } };
	const struct imports_tree tree = { .touched = see_touched };
	struct imports_node *all = calloc(NODES_MAX, sizeof(*all));
	struct imports_index index = {
		.nodes = calloc(NODES_MAX, sizeof(*all)),
		.starts = calloc(imports_index_starts(NODES_MAX),
				 sizeof(uint32_t)),
	};

	(void)state;
	for (size_t s = 0; s < ARRAY_LEN(sizes); s++) {
		for (size_t m = 0; m < ARRAY_LEN(masks); m++) {
			index.nr = 0;
			index.max = sizes[s];
			for (uint32_t i = 0; i < sizes[s]; i++) {
				all[i] = (struct imports_node){
					.hash = (draw() & masks[m][0]) |
						masks[m][1],
					.value = sizes[s] - i,
					.dir = i,
				};
				imports_index_add(&index, &all[i]);
			}
			/* there is no room for another */
			imports_index_add(&index, &all[0]);
			assert_int_equal(index.nr, sizes[s]);
			groups_touched = 0;
			imports_index_sort(&index, &tree);
			/* no more is used between two signs of it */
			assert_in_range(groups_touched, sizes[s] / 4096,
					UINT32_MAX);
			qsort(all, sizes[s], sizeof(*all), compare_nodes);
			find_all(&index, all);
		}
	}
	free(index.nodes);
	free(index.starts);
	free(all);
}

static void
test_imports_index_without_nodes_has_none(void **state)
{
	const struct imports_index none = { 0 };
	uint32_t first;

	(void)state;
	assert_int_equal(imports_index_find(&none, 1, &first), 0);
}

/* Roots may stand in any order, and one in another. */
static void
test_imports_directories_have_what_their_paths_have_in_common(void **state)
{
	static const char *const of[] = { "x/a/b/1", "x/a/b/2", "x/a-b/1",
					  "x/a/3",   "y/a/b/1", "x/a/b/4",
					  "5",       "/x/a/1",  "x/a/b/c/d/6" };
	const struct imports_tree tree = { .path = path_of,
					   .file_nr = ARRAY_LEN(of) };
	char *memory = calloc(1, imports_bytes(tree.file_nr));
	struct imports imports;

	(void)state;
	assert_non_null(memory);
	memcpy(paths, of, sizeof(of));
	imports_init(&imports, &tree, memory);
	for (uint32_t i = 0; i < tree.file_nr; i++) {
		imports_file(&imports, i);
		imports_add(&imports);
	}
	for (uint32_t a = 0; a < tree.file_nr; a++) {
		for (uint32_t b = 0; b < tree.file_nr; b++) {
			uint32_t want = 0;

			for (size_t i = 0; of[a][i] == of[b][i] && of[a][i];
			     i++)
				want += of[a][i] == '/';
			assert_int_equal(imports_dir_common(&imports,
							    imports.dir_of[a],
							    imports.dir_of[b]),
					 want);
		}
	}
	free(memory);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_imports_index_finds_what_was_added),
		cmocka_unit_test(test_imports_index_without_nodes_has_none),
		cmocka_unit_test(
			test_imports_directories_have_what_their_paths_have_in_common),
	};

	return cmocka_run_group_tests_name("rank/imports_index", tests, NULL,
					   NULL);
}
