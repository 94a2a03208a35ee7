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
#include "base/number_format.h"
#include "catalogue/files.h"
#include "stages/select/select_plan_parts.h"

#define DEPTH 2
#define NO_DIR UINT32_MAX
#define DIRS_MAX 1024
#define NAME_BYTES 64
#define LINE_BYTES (NAME_BYTES + 32)
#define TREE_PART 20       /* of the budget, one in so many */
#define TREE_TOKEN_BYTES 3 /* of its lines, a token has */

struct dir {
	const uint8_t *name; /* of the catalogue: the last part of its path */
	uint32_t name_bytes;
	uint32_t above; /* the directory that it is in; NO_DIR: none */
	uint64_t bytes; /* of the text below it */
};

struct dirs {
	const struct plan *plan;
	struct dir all[DIRS_MAX];
	uint32_t nr;
	uint32_t open[DEPTH]; /* the last one asked for at each depth */
};

bool
plan_directory_at(const struct plan *plan, const struct file_record *file,
		  uint32_t depth, const uint8_t **name, uint32_t *bytes)
{
	const uint8_t *at = catalogue_path(plan->planner->catalogue, file);
	const uint8_t *end = at + file->path_bytes;
	const uint8_t *root = at + file->root_bytes;
	bool is_one = plan->planner->job->root_nr == 1;
	const uint8_t *slash;

	if (is_one)
		at = root;
	slash = !is_one && *at == '/' && root > at + 1
			? root - 1
			: memchr(at, '/', (size_t)(end - at));
	while (slash != NULL && depth-- > 0) {
		at = slash + 1;
		slash = memchr(at, '/', (size_t)(end - at));
	}
	*name = at;
	*bytes = slash == NULL ? 0 : (uint32_t)(slash - at);
	return slash != NULL;
}

static bool
is_same(const struct dir *one, const struct dir *other)
{
	return one->above == other->above &&
	       one->name_bytes == other->name_bytes &&
	       memcmp(one->name, other->name, one->name_bytes) == 0;
}

/* Which one it is: most often that of the last file, but a PATH within another
 * one comes back to its directories. NO_DIR: there is no room for it. */
static uint32_t
find_or_add(struct dirs *dirs, const struct dir *part, uint32_t last)
{
	if (last < dirs->nr && is_same(&dirs->all[last], part))
		return last;
	for (uint32_t i = 0; i < dirs->nr; i++)
		if (is_same(&dirs->all[i], part))
			return i;
	if (dirs->nr == DIRS_MAX)
		return NO_DIR;
	dirs->all[dirs->nr] = *part;
	return dirs->nr++;
}

static void
add_file(struct dirs *dirs, uint32_t file_idx)
{
	const struct catalogue *catalogue = dirs->plan->planner->catalogue;
	const struct file_record *file = catalogue_file(catalogue, file_idx);
	const struct file_facts *facts = catalogue_facts(catalogue, file_idx);
	struct dir part = { .above = NO_DIR };

	if (file->root_idx == SOURCE_ROOT_TEXT)
		return;
	for (uint32_t depth = 0;
	     depth < DEPTH && plan_directory_at(dirs->plan, file, depth,
						&part.name, &part.name_bytes);
	     depth++) {
		uint32_t dir = find_or_add(dirs, &part, dirs->open[depth]);

		if (dir == NO_DIR)
			break;
		dirs->open[depth] = dir;
		if (select_has_content(facts))
			dirs->all[dir].bytes += facts->bytes;
		part.above = dir;
	}
}

/* Text of lines. */
struct lines {
	char *to;
	size_t room;
	size_t nr; /* more than room: there is none for them */
};

static void
write_line(const struct dir *dir, struct lines *lines)
{
	char line[LINE_BYTES];
	char name[NAME_BYTES];
	size_t bytes;

	diag_quote(name, sizeof(name), dir->name, dir->name_bytes);
	bytes = (size_t)snprintf(line, sizeof(line), "%s%s/ %s\n",
				 dir->above == NO_DIR ? "" : "  ", name,
				 BRIEF_TEXT(dir->bytes / TOKEN_BYTES));
	if (lines->nr + bytes <= lines->room)
		memcpy(lines->to + lines->nr, line, bytes);
	lines->nr += bytes;
}

/* The directories in one, behind each those in it, that have so many bytes; not
 * those of which all is left out, as node_modules. */
static void
write_dirs(const struct dirs *dirs, uint32_t above, uint64_t least,
	   struct lines *lines)
{
	uint32_t first = above == NO_DIR ? 0 : above + 1;
	uint64_t bytes =
		above == NO_DIR ? TOKEN_BYTES : max_u64(least, TOKEN_BYTES);

	for (uint32_t i = first; i < dirs->nr && lines->nr <= lines->room;
	     i++) {
		if (dirs->all[i].above != above || dirs->all[i].bytes < bytes)
			continue;
		write_line(&dirs->all[i], lines);
		write_dirs(dirs, i, least, lines);
	}
}

size_t
plan_write_directories(const struct plan *plan, char *to, size_t room)
{
	static struct dirs dirs; /* as large as a stack may not be */
	uint64_t most = plan->planner->job->available_tokens / TREE_PART *
			TREE_TOKEN_BYTES;

	dirs.plan = plan;
	dirs.nr = 0;
	room = (size_t)min_u64(room, most);
	for (uint64_t i = 0; i < plan->planner->file_nr; i++)
		add_file(&dirs, (uint32_t)i);
	for (uint64_t least = 0; least < UINT64_MAX / 4;
	     least = least * 2 + 1024) {
		struct lines lines = { .to = to, .room = room };

		write_dirs(&dirs, NO_DIR, least, &lines);
		if (lines.nr <= room)
			return lines.nr;
	}
	return 0;
}
