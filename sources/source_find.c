/* SPDX-License-Identifier: MIT */
/*
 * source_find.c - places that are not there as they are written.
 *
 * A tool names files as they lie from where it was at work: a directory of the
 * tree, one beside it, or the same tree on another machine. Such a place is
 * looked for in the trees by the end of its path, when all sources are read:
 *
 *   src/a.c                    lib/src/a.c of the tree
 *   /srv/ci/repo/src/a.c       src/a.c of a tree called "repo"
 *
 * Each name is a key, and so is each part of it that stands behind the name of
 * a tree; each end of a path that the walk gives is looked for among the sorted
 * keys, in a process of its own.
 * Invariants:
 * 1. Time grows with the bytes of paths and the logarithm of the names.
 * 2. What is found depends on names and trees alone.
 */
#include <errno.h>
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include "base/array.h"
#include "base/child_process.h"
#include "base/clock.h"
#include "base/diag.h"
#include "base/fault.h"
#include "sources/source_impl.h"
#include "sources/source_list.h"

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
	uint64_t nr; /* files; of the first two which */
	struct found_file {
		uint32_t root;
		uint32_t bytes; /* of the path below it; no NUL */
		uint64_t off;   /* in the text */
	} files[2];
};

struct search_ctx {
	const struct source_list *list;
	uint32_t *first_equal; /* of each name the first that is the same */
	struct key *keys;      /* by their texts */
	size_t key_nr;
	size_t key_room;
	struct found *found; /* shared: one a name, then the text */
	size_t found_bytes;
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

	return compare_bytes(a->text, a->bytes, b->text, b->bytes);
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
	/* without any there is no array that could be searched */
	const struct key *key =
		search_ctx->key_nr == 0
			? NULL
			: bsearch(&end, search_ctx->keys, search_ctx->key_nr,
				  sizeof(end), compare_keys);
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

/* Another process has written it, and has ended since. */
static bool
is_found_valid(const struct search_ctx *search_ctx)
{
	const struct source_list *list = search_ctx->list;

	for (size_t i = 0; i < list->name_nr; i++) {
		const struct found *found = &search_ctx->found[i];

		for (size_t k = 0; k < min_u64(found->nr, 2); k++) {
			const struct found_file *file = &found->files[k];

			if (file->root >= list->scope.root_nr ||
			    file->bytes == 0 || file->off > TEXT_BYTES ||
			    file->bytes > TEXT_BYTES - file->off ||
			    memchr(search_ctx->text + file->off, '\0',
				   file->bytes) != NULL)
				return false;
		}
	}
	return true;
}

/*
 * shape:  has the trees walked and looks for list->names: absolute
 *         without "." and "..", or relative likewise
 * owner:  search_fini(), whatever is returned
 * errors: -ETIMEDOUT: not by the deadline; -ENOSPC: there is too much; -ECHILD:
 *         the process ended by itself, three times; -errno
 */
static int
search(struct search_ctx *search_ctx, uint64_t deadline_ns)
{
	int error;

	search_ctx->found_bytes =
		search_ctx->list->name_nr * sizeof(struct found);
	search_ctx->found = helper_memory(search_ctx->found_bytes + TEXT_BYTES);
	if (search_ctx->found == NULL)
		return -ENOMEM;
	search_ctx->text = (char *)search_ctx->found + search_ctx->found_bytes;
	error = add_keys(search_ctx);
	if (error == 0)
		error = walk(search_ctx, deadline_ns);
	return error == 0 && !is_found_valid(search_ctx) ? -EPROTO : error;
}

static void
search_fini(struct search_ctx *search_ctx)
{
	free(search_ctx->first_equal);
	free(search_ctx->keys);
	if (search_ctx->text != NULL)
		munmap(search_ctx->found, search_ctx->found_bytes + TEXT_BYTES);
}

#define NAME_BYTES 512
#define TOLD_MAX 5 /* places of all sources, each once */

/* ---- finding ------------------------------------------------------------ */

static const char *
quote_file(char out[static NAME_BYTES], const struct search_ctx *search_ctx,
	   const struct found_file *file)
{
	return diag_quote(out, NAME_BYTES,
			  (const uint8_t *)search_ctx->text + file->off,
			  file->bytes);
}

static void
say_ambiguous(const struct search_ctx *search_ctx,
	      const struct source_missing *missing, const struct found *found)
{
	const struct source_list *list = search_ctx->list;
	const struct source_status *status =
		&list->statuses[missing->status_idx];
	char name[NAME_BYTES];
	char first[NAME_BYTES];
	char second[NAME_BYTES];
	char more[64] = "";

	if (found->nr > 2)
		snprintf(more, sizeof(more), " or %llu others",
			 (unsigned long long)found->nr - 2);
	diag_log(DIAG_WARN,
		 "--%s %s: %s could be %s or %s%s, so it is ignored; name the "
		 "right one with --reference",
		 status->option, QUOTED(status->name),
		 diag_quote_text(name, sizeof(name), missing->path),
		 quote_file(first, search_ctx, &found->files[0]),
		 quote_file(second, search_ctx, &found->files[1]), more);
}

static int
add_found(struct source_list *list, const struct source_missing *missing,
	  const struct search_ctx *search_ctx, const struct found_file *file)
{
	struct source_entry entry = {
		.request = missing->request,
		.root = (uint16_t)file->root,
		.path = strndup(search_ctx->text + file->off, file->bytes),
	};

	if (entry.path == NULL)
		return -ENOMEM;
	return source_add_entry(list, &list->statuses[missing->status_idx],
				&entry);
}

/* What the first of its names that are found at all is. */
static const struct found *
found_of(const struct search_ctx *search_ctx,
	 const struct source_missing *missing)
{
	for (size_t i = 0; i < missing->name_nr; i++) {
		size_t name = missing->name_first + i;
		const struct found *found =
			&search_ctx->found[search_ctx->first_equal[name]];

		if (found->nr > 0)
			return found;
	}
	return NULL;
}

/* Places that something has been said of. */
struct reported {
	const char *paths[TOLD_MAX];
	size_t nr;
	uint64_t more; /* that it would have been said of as well */
};

/* Whether it is to be said of a path, for the first time. */
static bool
may_emit(struct reported *reported, const char *path)
{
	for (size_t i = 0; i < reported->nr; i++)
		if (strcmp(reported->paths[i], path) == 0)
			return false;
	if (reported->nr == TOLD_MAX) {
		reported->more++;
		return false;
	}
	reported->paths[reported->nr++] = path;
	return true;
}

/* A place that is nowhere: a log names much that is no file of ours. */
static void
refuse(struct source_list *list, const struct source_missing *missing,
       struct reported *reported)
{
	struct stat status;

	if (!missing->is_sure &&
	    (missing->error != -EXDEV || lstat(missing->path, &status) != 0))
		return;
	if (may_emit(reported, missing->path))
		source_say_refused(&list->statuses[missing->status_idx],
				   missing->path, strlen(missing->path),
				   missing->error);
}

static int
take_all(struct source_list *list, const struct search_ctx *search_ctx)
{
	struct reported ambiguous = { .nr = 0 };
	struct reported refused = { .nr = 0 };

	for (size_t i = 0; i < list->missing_nr; i++) {
		const struct source_missing *missing = &list->missing[i];
		const struct found *found = found_of(search_ctx, missing);
		int error = 0;

		if (found == NULL)
			refuse(list, missing, &refused);
		else if (found->nr == 1)
			error = add_found(list, missing, search_ctx,
					  &found->files[0]);
		else if (may_emit(&ambiguous, missing->path))
			say_ambiguous(search_ctx, missing, found);
		if (error != 0)
			return error;
	}
	if (ambiguous.more > 0)
		diag_log(DIAG_WARN,
			 "%llu more places that sources name could be several "
			 "files, so they are ignored",
			 (unsigned long long)ambiguous.more);
	return 0;
}

int
source_find_missing(struct source_list *list)
{
	uint64_t limit_ns = list->options->timeout_s * NS_PER_S;
	struct search_ctx search_ctx = { .list = list };
	int error;

	if (list->missing_nr == 0)
		return 0;
	error = search(&search_ctx, clock_now_ns() + limit_ns);
	if (error == 0) {
		error = take_all(list, &search_ctx);
	} else if (error != -ENOMEM) {
		list->is_degraded = true;
		diag_log(DIAG_ERROR,
			 "sources name %llu place%s that could not be found as "
			 "written, nor be searched for: %s",
			 (unsigned long long)list->missing_nr,
			 list->missing_nr == 1 ? "" : "s",
			 error == -ETIMEDOUT
				 ? "the trees were not listed in time: see "
				   "--source-timeout"
			 : error == -ECHILD
				 ? "the process that lists the trees was killed"
				 : diag_errno(error));
		error = 0;
	}
	search_fini(&search_ctx);
	source_forget_missing(list);
	/* a long log's names are not to be kept for all of the run */
	malloc_trim(0);
	return error;
}
