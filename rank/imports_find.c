/* SPDX-License-Identifier: MIT */
/*
 * imports_find.c - files by path, by the end of it, by what they are.
 */
#include "rank/imports_find.h"

#include <string.h>

#include "base/ascii.h"
#include "base/hash.h"

#define CANDIDATES_MAX 64 /* with one end: beyond it, none is meant */
#define FIND_GROUPS 3     /* of memory: where nodes start, nodes, the next */

/* ---- hashes ------------------------------------------------------------- */

uint64_t
imports_hash(enum imports_key key, const uint8_t *text, size_t bytes)
{
	return hash64(HASH64_BEGIN ^ key, text, bytes);
}

uint64_t
imports_hash_small(enum imports_key key, uint64_t hash, const uint8_t *text,
		   size_t bytes)
{
	if (hash == 0)
		hash = HASH64_BEGIN ^ key;
	for (size_t i = 0; i < bytes; i++) {
		uint8_t c = ascii_lower(text[i]);

		hash = hash64(hash, &c, 1);
	}
	return hash;
}

/* Of a path, by the hashes of its directory and of all of it. */
static uint64_t
join_hashes(uint64_t dir, uint64_t all)
{
	return (dir & ~(uint64_t)UINT32_MAX) | (uint32_t)all;
}

uint64_t
imports_hash_path(const uint8_t *text, size_t bytes)
{
	size_t dir = imports_dir_bytes(text, bytes);
	uint64_t hash = imports_hash(KEY_PATH, text, dir);

	return join_hashes(hash, hash64(hash, text + dir, bytes - dir));
}

/* ---- memory ------------------------------------------------------------- */

static void
touched(const struct imports *imports, uint32_t groups)
{
	if (imports->tree.touched != NULL)
		imports->tree.touched(imports->tree.context, groups);
}

/* As imports_index_find(), in an index that may not be mapped. */
static uint32_t
find(const struct imports *imports, const struct imports_index *index,
     uint64_t hash, uint32_t *first)
{
	touched(imports, FIND_GROUPS);
	return imports_index_find(index, hash, first);
}

/* ---- values ------------------------------------------------------------- */

void
imports_keep(struct imports *imports, uint64_t hash, uint32_t value)
{
	imports_index_add(&imports->names,
			  &(struct imports_node){ .hash = hash,
						  .value = value,
						  .dir = imports->dir });
}

uint32_t
imports_value_next(const struct imports *imports,
		   struct imports_value_walk *walk)
{
	const struct imports_index *names = &imports->names;

	if (walk->tried == 0)
		walk->next = find(imports, names, walk->hash, &walk->first) +
			     walk->first;
	if (walk->next == walk->first || walk->tried++ == CANDIDATES_MAX)
		return IMPORTS_NONE;
	return names->nodes[--walk->next].value;
}

uint32_t
imports_value(const struct imports *imports, uint64_t hash)
{
	struct imports_value_walk walk = { .hash = hash };

	return imports_value_next(imports, &walk);
}

/* ---- counts ------------------------------------------------------------- */

void
imports_join_group(struct imports *imports, uint64_t hash)
{
	const struct imports_index *members = &imports->members;
	const struct imports_node *last =
		members->nr > 0 ? &members->nodes[members->nr - 1] : NULL;

	/* told of a second time */
	if (last != NULL && last->value == imports->file_idx &&
	    last->hash == hash)
		return;
	imports_index_add(&imports->members,
			  &(struct imports_node){ .hash = hash,
						  .value = imports->file_idx });
}

static void
hit(const struct imports *imports, struct imports_count *count)
{
	touched(imports, 1);
	if (count->stamp == imports->file_idx + 1)
		return;
	count->stamp = imports->file_idx + 1;
	count->importers++;
}

void
imports_hit(struct imports *imports, uint32_t file_idx)
{
	if (file_idx != IMPORTS_NONE && file_idx != imports->file_idx)
		hit(imports, &imports->files[file_idx]);
}

bool
imports_hit_group(struct imports *imports, uint64_t hash)
{
	uint32_t first;

	if (find(imports, &imports->members, hash, &first) == 0)
		return false;
	hit(imports, &imports->groups[first]);
	return true;
}

/* ---- hashes of paths that are built -------------------------------------- */

static const struct imports_begin nothing = { 0, IMPORTS_PATH_HASH };

/* No more is hashed than there is of the path now. */
static void
unhash(struct imports_path *path)
{
	if (path->hashed.bytes <= path->bytes)
		return;
	if (path->dir.bytes > path->bytes)
		path->dir = nothing;
	path->hashed = path->dir;
}

/* imports_hash_path() of it. */
static uint64_t
hash_of(struct imports_path *path)
{
	unhash(path);
	while (path->hashed.bytes < path->bytes) {
		const uint8_t *c = &path->text[path->hashed.bytes++];

		path->hashed.hash = hash64(path->hashed.hash, c, 1);
		if (*c == '/')
			path->dir = path->hashed;
	}
	return join_hashes(path->dir.hash, path->hashed.hash);
}

/* ---- files -------------------------------------------------------------- */

static const uint8_t *
path_of(const struct imports *imports, uint32_t file_idx, size_t *bytes)
{
	return imports->tree.path(imports->tree.context, file_idx, bytes);
}

uint32_t
imports_at(const struct imports *imports, struct imports_path *path)
{
	struct imports_value_walk walk = { .hash = 0 };
	uint32_t file_idx;

	if (path->is_bad || path->bytes == 0)
		return IMPORTS_NONE;
	walk.hash = hash_of(path);
	if (!imports_dir_may_be(imports, path->dir.hash))
		return IMPORTS_NONE;
	while ((file_idx = imports_value_next(imports, &walk)) !=
	       IMPORTS_NONE) {
		size_t bytes;
		const uint8_t *other = path_of(imports, file_idx, &bytes);

		if (bytes == path->bytes &&
		    memcmp(other, path->text, bytes) == 0)
			break;
	}
	return file_idx;
}

bool
imports_has_dir(const struct imports *imports, struct imports_path *path)
{
	hash_of(path);
	return imports_dir_may_be(imports,
				  path->dir.bytes == path->bytes
					  ? path->dir.hash
					  : hash64(path->hashed.hash, "/", 1));
}

uint32_t
imports_at_with(const struct imports *imports, struct imports_path *path,
		const char *behind)
{
	size_t bytes = path->bytes;
	bool is_bad = path->is_bad;
	uint32_t file_idx;

	imports_path_add(path, behind);
	file_idx = imports_at(imports, path);
	path->bytes = bytes;
	path->is_bad = is_bad;
	return file_idx;
}

/* Whether a path ends in these parts, all of them whole. */
static bool
ends_in(const uint8_t *path, size_t path_bytes, const uint8_t *text,
	size_t bytes)
{
	if (bytes == 0)
		return true;
	return bytes <= path_bytes &&
	       memcmp(path + path_bytes - bytes, text, bytes) == 0 &&
	       (bytes == path_bytes || path[path_bytes - bytes - 1] == '/');
}

/* The best of those that were looked at. */
struct search {
	uint32_t file_idx; /* IMPORTS_NONE: none yet, or none is meant */
	uint32_t nr;
	bool is_tie;
	uint32_t common; /* directories that it has with the file in work */
	uint32_t deep;   /* directories that it is in */
};

static void
consider(const struct imports *imports, struct search *search,
	 const struct imports_node *node)
{
	uint32_t common = imports_dir_common(imports, node->dir, imports->dir);
	uint32_t deep = imports->dirs[node->dir].depth;

	if (search->nr++ == 0 || common > search->common ||
	    (common == search->common && deep < search->deep)) {
		search->file_idx = node->value;
		search->common = common;
		search->deep = deep;
		search->is_tie = false;
	} else if (common == search->common && deep == search->deep) {
		search->is_tie = true;
	}
}

/* The files of a hash in a directory that ends in `dirs`; the file in work is
 * not meant. */
static struct search
look_up(const struct imports *imports, uint64_t hash, struct imports_text dirs)
{
	struct search search = { .file_idx = IMPORTS_NONE };
	const struct imports_index *names = &imports->names;
	uint32_t first;
	uint32_t nr = find(imports, names, hash, &first);

	if (nr > CANDIDATES_MAX)
		return search;
	for (uint32_t i = first; i < first + nr; i++) {
		const struct imports_node *node = &names->nodes[i];

		if (node->value != imports->file_idx &&
		    imports_dir_ends(imports, node->dir, dirs))
			consider(imports, &search, node);
	}
	if (search.is_tie)
		search.file_idx = IMPORTS_NONE;
	return search;
}

/* Where the last `parts` parts of a path begin. */
static size_t
end_parts(const uint8_t *text, size_t bytes, uint32_t parts)
{
	size_t at = bytes;

	while (at > 0 && (text[at - 1] != '/' || --parts > 0))
		at--;
	return at;
}

/*
 * What was found for the file in work is found for others: below the first of
 * its directories in which there is no candidate, what they have in common with
 * each of these is the same. If its own directory has some, it is that alone.
 */
static void
keep_known(const struct imports *imports, struct imports_known *known,
	   uint64_t hash, const struct search *search)
{
	uint32_t depth = search->nr < 2 ? 0 : search->common + 1;

	known->hash = hash;
	known->file_idx = search->file_idx;
	known->dir =
		imports_dir_above(imports, imports->dir, depth) & INT32_MAX;
	known->is_exact = imports->dirs[imports->dir].depth < depth;
}

static bool
is_known(const struct imports *imports, const struct imports_known *known,
	 uint64_t hash)
{
	const struct imports_dir *dirs = imports->dirs;

	return known->hash == hash &&
	       (known->is_exact ? known->dir == imports->dir
				: imports_dir_above(imports, imports->dir,
						    dirs[known->dir].depth) ==
					  known->dir);
}

/* Most names are used again and again, and mean one file to many. */
uint32_t
imports_ending(const struct imports *imports, const uint8_t *text, size_t bytes)
{
	const struct imports_text dirs = { text,
					   imports_dir_bytes(text, bytes) };
	size_t from = end_parts(text, bytes, 2);
	enum imports_key key =
		memchr(text, '/', bytes) == NULL ? KEY_NAME : KEY_END;
	uint64_t hash = imports_hash(key, text + from, bytes - from);
	uint64_t all = from == 0 ? hash : imports_hash(key, text, bytes);
	struct imports_known *known = &imports->known[all % IMPORTS_KNOWN];
	bool is_candidate =
		ends_in(imports->path, imports->path_bytes, text, bytes);
	struct search search;

	if (!is_candidate && is_known(imports, known, all))
		return known->file_idx;
	search = look_up(imports, hash, dirs);
	if (!is_candidate)
		keep_known(imports, known, all, &search);
	return search.file_idx;
}

uint32_t
imports_nearest(const struct imports *imports, uint64_t hash)
{
	return look_up(imports, hash, (struct imports_text){ NULL, 0 })
		.file_idx;
}

/* ---- paths -------------------------------------------------------------- */

static void
put(struct imports_path *path, const uint8_t *text, size_t bytes)
{
	if (bytes > IMPORTS_PATH_BYTES - path->bytes) {
		path->is_bad = true;
		return;
	}
	unhash(path);
	if (bytes > 0)
		memcpy(path->text + path->bytes, text, bytes);
	path->bytes += bytes;
}

void
imports_path_add(struct imports_path *path, const char *text)
{
	put(path, (const uint8_t *)text, strlen(text));
}

void
imports_path_dir(struct imports_path *path, const uint8_t *text, size_t bytes)
{
	path->bytes = 0;
	path->is_bad = false;
	path->dir = nothing;
	path->hashed = nothing;
	put(path, text, imports_dir_bytes(text, bytes));
}

void
imports_path_beside(const struct imports *imports, uint32_t file_idx,
		    struct imports_path *path)
{
	size_t bytes;
	const uint8_t *text = path_of(imports, file_idx, &bytes);

	imports_path_dir(path, text, bytes);
}

bool
imports_path_up(struct imports_path *path)
{
	size_t bytes = path->bytes;

	if (bytes == 0)
		return false;
	bytes -= path->text[bytes - 1] == '/';
	path->bytes = imports_dir_bytes(path->text, bytes);
	return true;
}

static void
go_part(struct imports_path *path, const uint8_t *part, size_t bytes)
{
	if (bytes == 0 || (bytes == 1 && part[0] == '.'))
		return;
	if (bytes == 2 && part[0] == '.' && part[1] == '.') {
		if (!imports_path_up(path))
			path->is_bad = true;
		return;
	}
	if (path->bytes > 0 && path->text[path->bytes - 1] != '/')
		imports_path_add(path, "/");
	put(path, part, bytes);
}

void
imports_path_go(struct imports_path *path, const uint8_t *text, size_t bytes)
{
	size_t from = 0;

	for (size_t i = 0; i <= bytes; i++) {
		if (i < bytes && text[i] != '/')
			continue;
		go_part(path, text + from, i - from);
		from = i + 1;
	}
}

/* ---- texts -------------------------------------------------------------- */

bool
imports_begins(struct imports_text text, const char *with)
{
	return bytes_begin(text.at, text.at + text.bytes, with);
}

bool
imports_ends(struct imports_text text, const char *with)
{
	size_t bytes = strlen(with);

	return text.bytes >= bytes &&
	       memcmp(text.at + text.bytes - bytes, with, bytes) == 0;
}

bool
imports_text_is(struct imports_text text, const char *other)
{
	return text.bytes == strlen(other) && imports_begins(text, other);
}

static bool
is_blank(uint8_t c)
{
	return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == ';';
}

struct imports_text
imports_trim(struct imports_text text)
{
	while (text.bytes > 0 && is_blank(text.at[0])) {
		text.at++;
		text.bytes--;
	}
	while (text.bytes > 0 && is_blank(text.at[text.bytes - 1]))
		text.bytes--;
	return text;
}
