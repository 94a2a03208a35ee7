/* SPDX-License-Identifier: MIT */
/*
 * select_directories.c - the tree of directories that an overview begins with.
 *
 *   src/ 410k
 *     core/ 96k
 *
 * Does: finds the directories down to DEPTH, and the text below each; leaves
 *       small ones of the last level out until the rest has room.
 * Does not: count tokens: of what is left out they may be estimates, so a
 *           token is taken for TOKEN_BYTES bytes.
 * Runs in: select.
 * Limits: DIRS_MAX directories; names of NAME_BYTES are cut short.
 */
#include <stdio.h>
#include <string.h>

#include "base/diag.h"
#include "catalogue/files.h"
#include "stages/select/select_plan_parts.h"

#define DEPTH 2
#define DIRS_MAX 1024
#define NAME_BYTES 64
#define TOKEN_BYTES 4
#define LINE_BYTES (NAME_BYTES + 32)
#define TREE_PART 20       /* of the budget, one in so many */
#define TREE_TOKEN_BYTES 3 /* of its lines, a token has */

struct dir {
	const uint8_t *name; /* of the catalogue: the last part of its path */
	uint32_t name_bytes;
	uint32_t depth;
	uint64_t bytes; /* of the text below it */
};

struct dirs {
	const struct plan *plan;
	struct dir all[DIRS_MAX];
	uint32_t nr;
	uint32_t open[DEPTH]; /* those that the last file is in, */
	uint32_t open_nr;
};

/* The part of the path of a file that is its directory number `depth`; false:
 * it is in no such directory. */
static bool
part_at(const struct plan *plan, const struct file_record *file, uint32_t depth,
	struct dir *part)
{
	const uint8_t *path = catalogue_path(plan->planner->catalogue, file);
	const uint8_t *end = path + file->path_bytes;
	const uint8_t *slash;

	path += plan->planner->job->root_nr == 1 ? file->root_bytes : 0;
	for (uint32_t i = 0; path < end; i++) {
		slash = memchr(path, '/', (size_t)(end - path));
		if (slash == NULL)
			return false;
		if (i == depth) {
			part->name = path;
			part->name_bytes = (uint32_t)(slash - path);
			part->depth = depth;
			return true;
		}
		path = slash + 1;
	}
	return false;
}

static void
add_file(struct dirs *dirs, uint32_t file_idx)
{
	const struct catalogue *catalogue = dirs->plan->planner->catalogue;
	const struct file_record *file = catalogue_file(catalogue, file_idx);
	const struct file_facts *facts = catalogue_facts(catalogue, file_idx);
	uint32_t depth;

	if (file->root_idx == SOURCE_ROOT_TEXT)
		return;
	for (depth = 0; depth < DEPTH; depth++) {
		struct dir part = { 0 };
		const struct dir *open = &dirs->all[dirs->open[depth]];

		if (!part_at(dirs->plan, file, depth, &part))
			break;
		if (depth >= dirs->open_nr ||
		    open->name_bytes != part.name_bytes ||
		    memcmp(open->name, part.name, part.name_bytes) != 0) {
			if (dirs->nr == DIRS_MAX)
				break;
			dirs->open[depth] = dirs->nr;
			dirs->open_nr = depth + 1;
			dirs->all[dirs->nr++] = part;
		}
		if (select_has_content(facts))
			dirs->all[dirs->open[depth]].bytes += facts->bytes;
	}
	dirs->open_nr = depth;
}

/* "410k", "1.2M" */
static void
write_tokens(char out[16], uint64_t tokens)
{
	if (tokens < 1000)
		snprintf(out, 16, "%u", (unsigned)tokens);
	else if (tokens < 1000000)
		snprintf(out, 16, "%uk", (unsigned)(tokens / 1000));
	else
		snprintf(out, 16, "%u.%uM", (unsigned)(tokens / 1000000),
			 (unsigned)(tokens / 100000 % 10));
}

/* The lines, less directories of the last level with fewer bytes; how many
 * bytes, or more than `room`: there is no room for them. */
static size_t
write_lines(const struct dirs *dirs, uint64_t least, char *to, size_t room)
{
	size_t nr = 0;

	for (uint32_t i = 0; i < dirs->nr; i++) {
		const struct dir *dir = &dirs->all[i];
		char line[LINE_BYTES];
		char name[NAME_BYTES];
		char tokens[16];
		size_t bytes;

		/* not those of which all is left out, as node_modules */
		if (dir->bytes < TOKEN_BYTES ||
		    (dir->depth > 0 && dir->bytes < least))
			continue;
		diag_quote(name, sizeof(name), dir->name, dir->name_bytes);
		write_tokens(tokens, dir->bytes / TOKEN_BYTES);
		bytes = (size_t)snprintf(line, sizeof(line), "%*s%s/ %s\n",
					 (int)(2 * dir->depth), "", name,
					 tokens);
		if (bytes > room - nr)
			return room + 1;
		memcpy(to + nr, line, bytes);
		nr += bytes;
	}
	return nr;
}

size_t
plan_write_directories(const struct plan *plan, char *to, size_t room)
{
	static struct dirs dirs; /* as large as a stack may not be */
	uint64_t most = plan->planner->job->available_tokens / TREE_PART *
			TREE_TOKEN_BYTES;
	size_t nr = 0;

	dirs.plan = plan;
	dirs.nr = 0;
	dirs.open_nr = 0;
	room = (size_t)min_u64(room, most);
	for (uint64_t i = 0; i < plan->planner->file_nr; i++)
		add_file(&dirs, (uint32_t)i);
	for (uint64_t least = 0; least < UINT64_MAX / 4;
	     least = least * 2 + 1024) {
		nr = write_lines(&dirs, least, to, room);
		if (nr <= room)
			return nr;
	}
	return 0;
}
