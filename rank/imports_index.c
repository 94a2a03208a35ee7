/* SPDX-License-Identifier: MIT */
/*
 * imports_index.c - names sorted by hash, and directories.
 *
 * The memory of a large tree does not fit into what a process has mapped
 * (table.h). So names are sorted, by parts that fit, with as many places in use
 * as there are parts; all that are kept under one hash lie side by side, and so
 * do the paths of a directory. How near two files are, and whether a path ends
 * in a longer name, their directories say, of which there are few.
 */
#include "base/hash.h"
#include "base/heap.h"
#include "base/sorted.h"
#include "rank/imports_find.h"

#define PART_BITS 5 /* of a hash: in so many parts at once */
#define PARTS (1u << PART_BITS)
#define PART_NODES 16384    /* sorted where they lie */
#define PART_GROUPS 5       /* of table.h, that these take */
#define NODES_PER_LOOK 1024 /* while they are put in parts */
#define NODES_PER_START 8

size_t
imports_dir_bytes(const uint8_t *path, size_t bytes)
{
	while (bytes > 0 && path[bytes - 1] != '/')
		bytes--;
	return bytes;
}

/* ---- sorting ------------------------------------------------------------ */

static bool
comes_before(const void *context, const void *a, const void *b)
{
	const struct imports_node *x = a;
	const struct imports_node *y = b;

	(void)context;
	return x->hash != y->hash ? x->hash < y->hash : x->value < y->value;
}

static void
touched(const struct imports_tree *tree, uint32_t groups)
{
	if (tree->touched != NULL)
		tree->touched(tree->context, groups);
}

static void
sort_part(struct imports_node *nodes, size_t nr,
	  const struct imports_tree *tree)
{
	HEAP_SORT(nodes, nr, comes_before);
	touched(tree, PART_GROUPS);
}

/* The part that a node belongs to by PART_BITS of its hash. */
static uint32_t
part_of(const struct imports_node *node, uint32_t shift)
{
	return (uint32_t)(node->hash >> shift) % PARTS;
}

/* Where the parts begin, one behind the other, and end. */
static void
measure_parts(const struct imports_node *nodes, uint32_t nr, uint32_t shift,
	      uint32_t starts[PARTS + 1], const struct imports_tree *tree)
{
	uint32_t sum = 0;

	for (uint32_t i = 0; i < nr; i++) {
		starts[part_of(&nodes[i], shift)]++;
		if (i % NODES_PER_LOOK == 0)
			touched(tree, PART_GROUPS);
	}
	for (uint32_t i = 0; i <= PARTS; i++) {
		uint32_t of_part = i < PARTS ? starts[i] : 0;

		starts[i] = sum;
		sum += of_part;
	}
}

/* Swaps each node to the next free place of its part. */
static void
fill_parts(struct imports_node *nodes, uint32_t shift,
	   const uint32_t starts[PARTS + 1], const struct imports_tree *tree)
{
	uint32_t next[PARTS];
	uint32_t looks = 0;

	for (uint32_t i = 0; i < PARTS; i++)
		next[i] = starts[i];
	for (uint32_t i = 0; i < PARTS; i++) {
		while (next[i] < starts[i + 1]) {
			struct imports_node node = nodes[next[i]];
			uint32_t part = part_of(&node, shift);

			nodes[next[i]] = nodes[next[part]];
			nodes[next[part]++] = node;
			if (looks++ % NODES_PER_LOOK == 0)
				touched(tree, PARTS);
		}
	}
}

/* Those that are the same in all bits from shift + PART_BITS on. */
static void
sort_nodes(struct imports_node *nodes, uint32_t nr, uint32_t shift,
	   const struct imports_tree *tree)
{
	uint32_t starts[PARTS + 1] = { 0 };

	if (nr <= PART_NODES || shift < PART_BITS) {
		sort_part(nodes, nr, tree);
		return;
	}
	measure_parts(nodes, nr, shift, starts, tree);
	fill_parts(nodes, shift, starts, tree);
	for (uint32_t i = 0; i < PARTS; i++)
		sort_nodes(nodes + starts[i], starts[i + 1] - starts[i],
			   shift - PART_BITS, tree);
}

/* Bits of a hash that say where to look for it. */
static uint32_t
start_bits(uint32_t nr)
{
	uint32_t bits = 1;

	while (nr >> bits > NODES_PER_START)
		bits++;
	return bits;
}

uint32_t
imports_index_starts(uint32_t max)
{
	return (1u << start_bits(max)) + 1;
}

void
imports_index_add(struct imports_index *index, const struct imports_node *node)
{
	if (index->nr < index->max)
		index->nodes[index->nr++] = *node;
}

void
imports_index_sort(struct imports_index *index, const struct imports_tree *tree)
{
	uint32_t start = 0;

	sort_nodes(index->nodes, index->nr, 64 - PART_BITS, tree);
	index->start_bits = start_bits(index->nr);
	for (uint32_t i = 0; i <= index->nr; i++) {
		uint64_t end = i < index->nr ? index->nodes[i].hash >>
						       (64 - index->start_bits)
					     : 1u << index->start_bits;

		while (start <= end)
			index->starts[start++] = i;
		if (i % NODES_PER_LOOK == 0)
			touched(tree, PART_GROUPS);
	}
}

static bool
is_before_hash(const void *node, const void *hash)
{
	const struct imports_node *it = node;

	return it->hash < *(const uint64_t *)hash;
}

/* The first node, from `from` up to `end`, whose hash is not less. */
static uint32_t
first_from(const struct imports_index *index, uint64_t hash, uint32_t from,
	   uint32_t end)
{
	return from + (uint32_t)sorted_first(index->nodes + from, end - from,
					     sizeof(index->nodes[0]), &hash,
					     is_before_hash);
}

uint32_t
imports_index_find(const struct imports_index *index, uint64_t hash,
		   uint32_t *first)
{
	uint64_t start =
		index->start_bits > 0 ? hash >> (64 - index->start_bits) : 0;
	uint32_t end = index->start_bits > 0 ? index->starts[start + 1] : 0;
	uint32_t from = index->start_bits > 0 ? index->starts[start] : 0;

	*first = first_from(index, hash, from, end);
	if (*first == end || index->nodes[*first].hash != hash)
		return 0;
	if (*first + 1 == end || index->nodes[*first + 1].hash != hash)
		return 1;
	return (hash == UINT64_MAX ? end
				   : first_from(index, hash + 1, *first, end)) -
	       *first;
}

/* ---- directories -------------------------------------------------------- */

static void
note_dir(struct imports *imports, uint64_t hash)
{
	uint64_t bit = hash & (imports->dir_bit_nr - 1);

	imports->dir_bits[bit / 64] |= 1ull << bit % 64;
}

bool
imports_dir_may_be(const struct imports *imports, uint64_t hash)
{
	uint64_t bit = hash & (imports->dir_bit_nr - 1);

	return (imports->dir_bits[bit / 64] >> bit % 64 & 1) ||
	       imports->dir_nr == imports->dir_max;
}

void
imports_dir_begin(struct imports *imports)
{
	imports->dirs[0].hash = IMPORTS_PATH_HASH;
	imports->dir_nr = 1;
	note_dir(imports, IMPORTS_PATH_HASH);
}

/* Files come by path: the last one's directory, or one above it, is above. */
uint32_t
imports_dir_enter(struct imports *imports)
{
	const uint8_t *path = imports->path;
	uint32_t dir = imports->last_dir;
	size_t from;

	while (imports->dirs[dir].bytes > imports->dir_bytes ||
	       hash64(IMPORTS_PATH_HASH, path, imports->dirs[dir].bytes) !=
		       imports->dirs[dir].hash)
		dir = imports->dirs[dir].parent;
	from = imports->dirs[dir].bytes;
	for (size_t i = from; i < imports->dir_bytes; i++) {
		const struct imports_dir *above = &imports->dirs[dir];

		if (path[i] != '/' || imports->dir_nr == imports->dir_max)
			continue;
		imports->dirs[imports->dir_nr] = (struct imports_dir){
			.hash = hash64(above->hash, path + from, i + 1 - from),
			.name = hash64(HASH64_BEGIN, path + from, i + 1 - from),
			.bytes = (uint32_t)i + 1,
			.depth = above->depth + 1,
			.parent = dir,
		};
		note_dir(imports, imports->dirs[imports->dir_nr].hash);
		from = i + 1;
		dir = imports->dir_nr++;
	}
	return dir;
}

uint32_t
imports_dir_above(const struct imports *imports, uint32_t dir, uint32_t depth)
{
	while (imports->dirs[dir].depth > depth)
		dir = imports->dirs[dir].parent;
	return dir;
}

bool
imports_dir_ends(const struct imports *imports, uint32_t dir,
		 struct imports_text text)
{
	while (text.bytes > 0) {
		size_t from = imports_dir_bytes(text.at, text.bytes - 1);

		if (imports->dirs[dir].name !=
		    hash64(HASH64_BEGIN, text.at + from, text.bytes - from))
			return false;
		dir = imports->dirs[dir].parent;
		text.bytes = from;
	}
	return true;
}

uint32_t
imports_dir_common(const struct imports *imports, uint32_t a, uint32_t b)
{
	const struct imports_dir *dirs = imports->dirs;

	a = imports_dir_above(imports, a, dirs[b].depth);
	b = imports_dir_above(imports, b, dirs[a].depth);
	while (dirs[a].hash != dirs[b].hash) {
		a = dirs[a].parent;
		b = dirs[b].parent;
	}
	return dirs[a].depth;
}
