/* SPDX-License-Identifier: MIT */
/*
 * source_find.c - places that are not there as they are written.
 *
 * A tool names files as they lie from where it was at work: a directory of the
 * tree, one beside it, or the same tree on another machine. Such a place is
 * looked for in the trees by the end of its path, when all sources are read.
 */
#include <errno.h>
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/array.h"
#include "base/clock.h"
#include "base/diag.h"
#include "sources/path_suffix_search.h"
#include "sources/source_impl.h"
#include "base/exit_code.h"

#define NAME_BYTES 512
#define TOLD_MAX 5 /* places of all sources, each once */
#define MISSING_BYTES (sizeof(struct source_missing) + 32)
#define NAME_COST 256 /* beside its bytes: keys, heads, what is found */

/* ---- keeping ------------------------------------------------------------ */

/* Takes over the name. */
static int
keep_name(struct source_list *list, char *name)
{
	if (name == NULL)
		return -ENOMEM;
	if (ARRAY_RESERVE(list->names, list->name_room, list->name_nr + 1) !=
	    0) {
		free(name);
		return -ENOMEM;
	}
	list->names[list->name_nr++] = name;
	return 0;
}

/* A path, below a directory if there is one, as path_suffix_search_find() wants it. */
static int
keep_path(struct source_list *list, const struct source_dir *dir,
	  const struct source_place *place)
{
	bool is_absolute = (dir == NULL ? place->path : dir->path)[0] == '/';
	char *below = dir == NULL ? strdup("") : strndup(dir->path, dir->bytes);
	char *name;

	if (below == NULL)
		return -ENOMEM;
	if (!is_absolute && dir != NULL) {
		char *whole = source_absolute("", below, strlen(below));

		free(below);
		below = whole;
	}
	name = below == NULL
		       ? NULL
		       : source_absolute(below, place->path, place->path_bytes);
	free(below);
	if (name != NULL && !is_absolute)
		memmove(name, name + 1, strlen(name));
	return keep_name(list, name);
}

static int
keep_missing(struct source_list *list, const struct source_missing *missing)
{
	int error = ARRAY_RESERVE(list->missing, list->missing_room,
				  list->missing_nr + 1);

	if (error != 0)
		return error;
	list->missing[list->missing_nr++] = *missing;
	return 0;
}

/* What is kept of a place, and what path_suffix_search_find() makes of its names. */
static uint64_t
missing_cost(const struct source_place *place)
{
	uint64_t bytes = MISSING_BYTES + place->path_bytes;

	for (size_t i = 0; i <= place->dir_nr; i++)
		bytes += NAME_COST + place->path_bytes +
			 (i < place->dir_nr ? place->dirs[i].bytes : 0);
	return bytes;
}

int
source_keep_missing(struct source_list *list, const struct source_place *place,
		    const struct source_missing *like)
{
	struct source_missing missing = *like;
	uint64_t bytes = missing_cost(place);
	int error = 0;

	if (place->path_bytes == 0 ||
	    memchr(place->path, '\0', place->path_bytes) != NULL ||
	    !source_has_room(list, bytes))
		return 0;
	list->missing_bytes += bytes;
	missing.name_first = list->name_nr;
	if (place->path[0] != '/')
		for (size_t i = place->dir_nr; i-- > 0 && error == 0;)
			error = keep_path(list, &place->dirs[i], place);
	if (error == 0 && !place->is_below)
		error = keep_path(list, NULL, place);
	missing.name_nr = list->name_nr - missing.name_first;
	if (error != 0)
		return error;
	missing.path = strndup(place->path, place->path_bytes);
	error = missing.path == NULL ? -ENOMEM : keep_missing(list, &missing);
	if (error != 0)
		free(missing.path);
	return error;
}

void
source_forget_missing(struct source_list *list)
{
	for (size_t i = 0; i < list->name_nr; i++)
		free(list->names[i]);
	for (size_t i = 0; i < list->missing_nr; i++)
		free(list->missing[i].path);
	free(list->names);
	free(list->missing);
	list->names = NULL;
	list->missing = NULL;
	list->name_nr = list->name_room = 0;
	list->missing_nr = list->missing_room = 0;
	list->missing_bytes = 0;
}

/* ---- finding ------------------------------------------------------------ */

static const char *
quote_file(char out[static NAME_BYTES], const struct source_end_file *file)
{
	return diag_quote(out, NAME_BYTES, (const uint8_t *)file->path,
			  file->bytes);
}

static void
say_ambiguous(const struct source_list *list,
	      const struct source_missing *missing,
	      const struct source_end *end)
{
	const struct source_status *status =
		&list->statuses[missing->status_idx];
	char name[NAME_BYTES];
	char first[NAME_BYTES];
	char second[NAME_BYTES];
	char more[64] = "";

	if (end->nr > 2)
		snprintf(more, sizeof(more), " or %llu others",
			 (unsigned long long)end->nr - 2);
	diag_log(DIAG_WARN,
		 "--%s %s: %s could be %s or %s%s: not taken; name the one "
		 "that is meant with --reference",
		 status->option, QUOTED(status->name),
		 diag_quote_text(name, sizeof(name), missing->path),
		 quote_file(first, &end->files[0]),
		 quote_file(second, &end->files[1]), more);
}

static int
add_found(struct source_list *list, const struct source_missing *missing,
	  const struct source_end_file *file)
{
	struct source_entry entry = {
		.request = missing->request,
		.root = (uint16_t)file->root,
		.path = strndup(file->path, file->bytes),
	};

	if (entry.path == NULL)
		return -ENOMEM;
	return source_add_entry(list, &list->statuses[missing->status_idx],
				&entry);
}

/* What the first of its names that are found at all is. */
static const struct source_end *
end_of(const struct source_missing *missing,
       const struct path_suffix_search *ends)
{
	for (size_t i = 0; i < missing->name_nr; i++) {
		const struct source_end *end =
			&ends->ends[missing->name_first + i];

		if (end->nr > 0)
			return end;
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
take_all(struct source_list *list, const struct path_suffix_search *ends)
{
	struct reported ambiguous = { .nr = 0 };
	struct reported refused = { .nr = 0 };

	for (size_t i = 0; i < list->missing_nr; i++) {
		const struct source_missing *missing = &list->missing[i];
		const struct source_end *end = end_of(missing, ends);
		int error = 0;

		if (end == NULL)
			refuse(list, missing, &refused);
		else if (end->nr == 1)
			error = add_found(list, missing, &end->files[0]);
		else if (may_emit(&ambiguous, missing->path))
			say_ambiguous(list, missing, end);
		if (error != 0)
			return error;
	}
	if (ambiguous.more > 0)
		diag_log(DIAG_WARN,
			 "%llu more places that sources name could be several "
			 "files: not taken",
			 (unsigned long long)ambiguous.more);
	return 0;
}

int
source_find_missing(struct source_list *list)
{
	uint64_t limit_ns = list->options->timeout_s * NS_PER_S;
	struct path_suffix_search ends;
	int error;

	if (list->missing_nr == 0)
		return 0;
	error = path_suffix_search_find(&ends, list, clock_now_ns() + limit_ns);
	if (error == 0) {
		error = take_all(list, &ends);
	} else if (error != -ENOMEM) {
		list->is_degraded = true;
		diag_log(DIAG_ERROR,
			 "%llu places that sources name are not there as they "
			 "are written, and could not be looked for: %s",
			 (unsigned long long)list->missing_nr,
			 error == -ETIMEDOUT
				 ? "the trees were not listed in time: see "
				   "--source-timeout"
			 : error == -ECHILD
				 ? "the process that lists the trees was ended"
				 : strerror(-error));
		error = 0;
	}
	path_suffix_search_fini(&ends);
	source_forget_missing(list);
	/* a long log's names are not to be kept for all of the run */
	malloc_trim(0);
	return error;
}
