/* SPDX-License-Identifier: MIT */
/*
 * source_entry.c - what is kept of places, within the memory there is for it:
 *                  requests, places that are not there, those refused.
 */
#include "sources/source_impl.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/diag.h"
#include "rank/dedup_ranges.h"

#define NAME_BYTES 512
#define TOLD_MAX 5 /* names of places that are refused, of one source */
/* An entry, with all that source_build.c makes of it and for a moment beside it:
 * sorting takes it twice; what the heap adds to a path. */
#define ENTRY_BYTES                                                     \
	(2 * sizeof(struct source_entry) + sizeof(struct source_file) + \
	 sizeof(struct source_request) + sizeof(struct dedup_range) +   \
	 4 * sizeof(uint64_t))
#define MISSING_BYTES (sizeof(struct source_missing) + 32)
#define NAME_COST 256 /* beside its bytes: keys, heads, what is found */

bool
source_has_room(struct source_list *list, uint64_t bytes)
{
	uint64_t held = list->entry_bytes + list->missing_bytes;

	if (add_sat_u64(held, bytes) <= list->bytes_max)
		return true;
	list->left_out++;
	return false;
}

int
source_add_entry(struct source_list *list, struct source_status *status,
		 struct source_entry *entry)
{
	uint64_t bytes = ENTRY_BYTES + strlen(entry->path);
	bool has_room = source_has_room(list, bytes);
	int error = has_room ? ARRAY_RESERVE(list->entries, list->entry_room,
					     list->entry_nr + 1)
			     : 0;

	if (!has_room || error != 0) {
		free(entry->path);
		return error;
	}
	entry->seq = list->entry_nr;
	list->entries[list->entry_nr++] = *entry;
	list->entry_bytes += bytes;
	status->places++;
	return 0;
}

void
source_say_refused(struct source_status *status, const char *path, size_t bytes,
		   int error)
{
	char source[NAME_BYTES];
	char name[NAME_BYTES];

	if (status->refused++ >= TOLD_MAX)
		return;
	diag_quote_text(source, sizeof(source), status->name);
	diag_quote(name, sizeof(name), (const uint8_t *)path, bytes);
	diag_log(DIAG_WARN, "--%s %s: %s: %s", status->option, source, name,
		 error == -EXDEV    ? "outside the PATHs: name a PATH that "
				      "contains it"
		 : error == -EISDIR ? "is a directory: name its files, or "
				      "give it as a PATH"
		 : error == -ELOOP  ? "is a symbolic link, and none is "
				      "followed: name the file itself"
		 : error == -ENXIO  ? "is a FIFO, a socket or a device, and "
				      "none is read"
		 : error == -ETIMEDOUT
			 ? "it was not read in time: see its timeout, and "
			   "--source-timeout"
			 : diag_errno(error));
}

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

/* A path, below a directory if there is one, as search() wants it. */
static int
keep_path(struct source_list *list, const struct source_dir *dir,
	  const struct source_place *place)
{
	bool is_absolute = (dir == NULL ? place->path : dir->path)[0] == '/';
	char *name = NULL;
	char *whole;
	int bytes =
		asprintf(&whole, "%.*s/%.*s", dir == NULL ? 0 : (int)dir->bytes,
			 dir == NULL ? "" : dir->path, (int)place->path_bytes,
			 place->path);

	if (bytes >= 0) {
		name = source_absolute("", whole, (size_t)bytes);
		free(whole);
	}
	if (name != NULL && !is_absolute)
		memmove(name, name + 1, strlen(name));
	return keep_name(list, name);
}

/* What is kept of a place, and what search() makes of its names. */
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
	if (missing.path == NULL ||
	    ARRAY_RESERVE(list->missing, list->missing_room,
			  list->missing_nr + 1) != 0) {
		free(missing.path);
		return -ENOMEM;
	}
	list->missing[list->missing_nr++] = missing;
	return 0;
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
