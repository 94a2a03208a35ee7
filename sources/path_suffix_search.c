/* SPDX-License-Identifier: MIT */
/*
 * path_suffix_search.c - a walk that looks for the ends of paths.
 *
 * Each name is a key, and so is each part of it that stands behind the name of
 * a tree; each end of a path is looked for among the sorted keys.
 */
#include "sources/path_suffix_search.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "base/array.h"
#include "base/fault.h"

#define TEXT_BYTES (32u << 20) /* of paths that are found */
#define TRIES 3
#define ANY_ROOT UINT32_MAX
#define BEHIND_MAX 4 /* parts of a name that are called as the tree is */

/* A name, or the part of it behind that of a tree, to be found. */
struct key {
	const char *text;
	uint32_t bytes;
	uint32_t name;
	uint32_t root; /* all of a path below it; ANY_ROOT: the end of one */
};

/* What the walk finds, in memory that both processes see. */
struct found {
	uint64_t nr;
	struct {
		uint32_t root;
		uint32_t bytes;
		uint64_t off; /* in the text */
	} files[2];
};

struct search_ctx {
	const struct source_list *list;
	uint32_t *first_equal; /* of each name the first that is the same */
	struct key *keys;      /* by their texts */
	size_t key_nr;
	size_t key_room;
	struct found *found; /* shared: one a name, then the text */
	char *text;
	uint64_t text_bytes;
};

/* ---- names -------------------------------------------------------------- */

static int
add_key(struct search_ctx *search_ctx, uint32_t name, size_t off, uint32_t root)
{
	const char *text = search_ctx->list->names[name] + off;

	if (ARRAY_RESERVE(search_ctx->keys, search_ctx->key_room,
			  search_ctx->key_nr + 1) != 0)
		return -ENOMEM;
	search_ctx->keys[search_ctx->key_nr++] = (struct key){
		.text = text,
		.bytes = (uint32_t)strlen(text),
		.name = name,
		.root = root,
	};
	return 0;
}

/* The last part of the path of a root; NULL: it has none. */
static const char *
name_of_root(const char *root)
{
	const char *slash = root == NULL ? NULL : strrchr(root, '/');

	return slash == NULL || slash[1] == '\0' ? NULL : slash + 1;
}

/* The parts of a name behind that of a tree, the last few. */
static int
add_keys_behind(struct search_ctx *search_ctx, uint32_t name, uint32_t root,
		const char *of_root)
{
	const char *text = search_ctx->list->names[name];
	size_t bytes = of_root == NULL ? 0 : strlen(of_root);
	size_t offs[BEHIND_MAX];
	size_t nr = 0;
	int error = 0;

	for (const char *at = text; at != NULL && bytes > 0;) {
		const char *part = *at == '/' ? at + 1 : at;

		if (strncmp(part, of_root, bytes) == 0 && part[bytes] == '/')
			offs[nr++ % BEHIND_MAX] =
				(size_t)(part - text) + bytes + 1;
		at = strchr(part, '/');
	}
	for (size_t i = 0; i < min_size(nr, BEHIND_MAX) && error == 0; i++)
		error = add_key(search_ctx, name, offs[i], root);
	return error;
}

static int
add_keys_of(struct search_ctx *search_ctx, uint32_t name)
{
	const struct source_list *list = search_ctx->list;
	int error = 0;

	if (list->names[name][0] != '/')
		error = add_key(search_ctx, name, 0, ANY_ROOT);
	for (uint32_t i = 0; i < list->scope.root_nr && error == 0; i++) {
		const char *typed = name_of_root(list->roots[2 * i]);
		const char *real = name_of_root(list->roots[2 * i + 1]);

		if (list->is_file[i])
			continue;
		if (typed != NULL && real != NULL && strcmp(typed, real) == 0)
			real = NULL;
		error = add_keys_behind(search_ctx, name, i, typed);
		if (error == 0)
			error = add_keys_behind(search_ctx, name, i, real);
	}
	return error;
}

static int
compare_names(const void *left, const void *right, void *context)
{
	char *const *names = context;
	uint32_t a = *(const uint32_t *)left;
	uint32_t b = *(const uint32_t *)right;
	int order = strcmp(names[a], names[b]);

	return order != 0 ? order : (a > b) - (a < b);
}

/* A log says the same of one file again and again. */
static int
find_first_equal(struct search_ctx *search_ctx)
{
	const struct source_list *list = search_ctx->list;
	uint32_t *order = calloc(list->name_nr, sizeof(*order));

	search_ctx->first_equal =
		calloc(list->name_nr, sizeof(*search_ctx->first_equal));
	if (order == NULL || search_ctx->first_equal == NULL) {
		free(order);
		return -ENOMEM;
	}
	for (size_t i = 0; i < list->name_nr; i++)
		order[i] = (uint32_t)i;
	qsort_r(order, list->name_nr, sizeof(*order), compare_names,
		list->names);
	for (size_t i = 0; i < list->name_nr; i++) {
		bool is_same = i > 0 && strcmp(list->names[order[i]],
					       list->names[order[i - 1]]) == 0;

		search_ctx->first_equal[order[i]] =
			is_same ? search_ctx->first_equal[order[i - 1]]
				: order[i];
	}
	free(order);
	return 0;
}

/* By their bytes, then by their length. */
static int
compare_keys(const void *left, const void *right)
{
	const struct key *a = left;
	const struct key *b = right;
	int order = memcmp(a->text, b->text, min_u64(a->bytes, b->bytes));

	return order != 0 ? order
			  : (a->bytes > b->bytes) - (a->bytes < b->bytes);
}

static int
add_keys(struct search_ctx *search_ctx)
{
	int error = find_first_equal(search_ctx);

	for (size_t i = 0; i < search_ctx->list->name_nr && error == 0; i++)
		if (search_ctx->first_equal[i] == i)
			error = add_keys_of(search_ctx, (uint32_t)i);
	if (search_ctx->key_nr > 0)
		qsort(search_ctx->keys, search_ctx->key_nr,
		      sizeof(*search_ctx->keys), compare_keys);
	return error;
}

/* ---- the walk ----------------------------------------------------------- */

/* A file that a name may be of: 0, or -ENOSPC. */
static int
take_file(struct search_ctx *search_ctx, uint32_t name, uint32_t root,
	  const char *path, size_t bytes)
{
	struct found *found = &search_ctx->found[name];
	uint64_t nr = found->nr;

	if (nr < ARRAY_LEN(found->files)) {
		/* under both names of its root, or behind two of its parts */
		if (nr == 1 && found->files[0].root == root &&
		    found->files[0].bytes == bytes &&
		    memcmp(search_ctx->text + found->files[0].off, path,
			   bytes) == 0)
			return 0;
		if (bytes > TEXT_BYTES - search_ctx->text_bytes)
			return -ENOSPC;
		memcpy(search_ctx->text + search_ctx->text_bytes, path, bytes);
		found->files[nr].root = root;
		found->files[nr].bytes = (uint32_t)bytes;
		found->files[nr].off = search_ctx->text_bytes;
		search_ctx->text_bytes += bytes;
	}
	found->nr++;
	return 0;
}

/* The end of a path that begins at `from`: every name that it is. */
static int
look_up(struct search_ctx *search_ctx, uint32_t root, const char *path,
	size_t bytes, size_t from)
{
	const struct key end = { .text = path + from,
				 .bytes = (uint32_t)(bytes - from) };
	const struct key *stop = search_ctx->keys + search_ctx->key_nr;
	const struct key *key =
		bsearch(&end, search_ctx->keys, search_ctx->key_nr, sizeof(end),
			compare_keys);
	int error = 0;

	while (key != NULL && key > search_ctx->keys &&
	       compare_keys(&key[-1], &end) == 0)
		key--;
	for (; key != NULL && key < stop && error == 0 &&
	       compare_keys(key, &end) == 0;
	     key++)
		if (key->root == ANY_ROOT || (key->root == root && from == 0))
			error = take_file(search_ctx, key->name, root, path,
					  bytes);
	return error;
}

static int
take_path(void *context, uint32_t root, const char *path, size_t bytes)
{
	struct search_ctx *search_ctx = context;
	int error = 0;

	FAULT("list");
	for (size_t at = bytes; at-- > 0 && error == 0;)
		if (at == 0 || path[at - 1] == '/')
			error = look_up(search_ctx, root, path, bytes, at);
	return error;
}

/* Again from the start, should the process that walks end by itself. */
static int
walk(struct search_ctx *search_ctx, uint64_t deadline_ns)
{
	const struct source_list *list = search_ctx->list;
	int error = -ECHILD;

	for (int i = 0; i < TRIES && error == -ECHILD; i++) {
		memset(search_ctx->found, 0,
		       list->name_nr * sizeof(*search_ctx->found));
		error = list->scope.walk(list->scope.trees, deadline_ns,
					 take_path, search_ctx);
	}
	return error;
}

/* ---- what came of it ----------------------------------------------------- */

/* Copied once and checked: another process has written it. */
static int
take_ends(const struct search_ctx *search_ctx, struct source_end *ends)
{
	const struct source_list *list = search_ctx->list;

	for (size_t i = 0; i < list->name_nr; i++) {
		const struct found found =
			search_ctx->found[search_ctx->first_equal[i]];

		ends[i].nr = found.nr;
		for (size_t k = 0; k < min_u64(found.nr, 2); k++) {
			uint32_t root = found.files[k].root;
			uint32_t bytes = found.files[k].bytes;
			uint64_t off = found.files[k].off;

			if (root >= list->scope.root_nr || bytes == 0 ||
			    off > TEXT_BYTES || bytes > TEXT_BYTES - off ||
			    memchr(search_ctx->text + off, '\0', bytes) != NULL)
				return -EPROTO;
			ends[i].files[k] = (struct source_end_file){
				.root = root,
				.bytes = bytes,
				.path = search_ctx->text + off,
			};
		}
	}
	return 0;
}

int
path_suffix_search_find(struct path_suffix_search *ends,
			const struct source_list *list, uint64_t deadline_ns)
{
	struct search_ctx search_ctx = { .list = list };
	size_t found_bytes = list->name_nr * sizeof(struct found);
	int error;

	*ends = (struct path_suffix_search){ 0 };
	ends->ends = calloc(list->name_nr, sizeof(*ends->ends));
	ends->memory_bytes = found_bytes + TEXT_BYTES;
	ends->memory = mmap(NULL, ends->memory_bytes, PROT_READ | PROT_WRITE,
			    MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (ends->memory == MAP_FAILED)
		ends->memory = NULL;
	if (ends->ends == NULL || ends->memory == NULL)
		return -ENOMEM;
	search_ctx.found = ends->memory;
	search_ctx.text = (char *)ends->memory + found_bytes;
	error = add_keys(&search_ctx);
	if (error == 0)
		error = walk(&search_ctx, deadline_ns);
	if (error == 0)
		error = take_ends(&search_ctx, ends->ends);
	free(search_ctx.first_equal);
	free(search_ctx.keys);
	return error;
}

void
path_suffix_search_fini(struct path_suffix_search *ends)
{
	free(ends->ends);
	if (ends->memory != NULL)
		munmap(ends->memory, ends->memory_bytes);
	*ends = (struct path_suffix_search){ 0 };
}
