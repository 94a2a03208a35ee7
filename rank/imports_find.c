/* SPDX-License-Identifier: MIT */
/*
 * imports_find.c - files by path, by the end of it, by what they are.
 */
#include "rank/imports_find.h"

#include <string.h>

#include "base/ascii.h"
#include "base/hash.h"

#define CANDIDATES_MAX 64 /* with one end: beyond it, none is meant */
#define PENDING_MAX 16384 /* nodes that are put in chains together */
#define SLICES 1024       /* of the buckets, one after the other */
#define NEXT_PENDING UINT32_MAX

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

static uint32_t
bucket_idx(const struct imports *imports, uint64_t hash)
{
	return (uint32_t)(hash ^ hash >> 32) & imports->bucket_mask;
}

static uint32_t *
bucket_of(const struct imports *imports, uint64_t hash)
{
	return &imports->buckets[bucket_idx(imports, hash)];
}

/* A node that is in no chain. */
static void
add_node(struct imports *imports, uint64_t hash, uint32_t value)
{
	imports->nodes[imports->node_nr++] = (struct imports_node){
		.hash = hash,
		.value = value,
		.next = NEXT_PENDING,
	};
}

/* Puts node `nr` (index + 1) in its chain. */
static void
link_node(struct imports *imports, uint32_t nr)
{
	struct imports_node *node = &imports->nodes[nr - 1];
	uint32_t *bucket = bucket_of(imports, node->hash);

	node->next = *bucket;
	*bucket = nr;
}

/*
 * Buckets are all over a table whose pages are given back: one by one, each
 * node would bring in a page of them. So they are gone through from end to
 * end, with lists of the nodes of each slice; within one, in the order in
 * which they were kept.
 */
void
imports_link(struct imports *imports)
{
	uint32_t slices[SLICES] = { 0 };
	uint32_t per_slice = imports->bucket_mask / SLICES + 1;

	for (uint32_t nr = imports->node_nr; nr > imports->linked_nr; nr--) {
		struct imports_node *node = &imports->nodes[nr - 1];
		uint32_t slice = bucket_idx(imports, node->hash) / per_slice;

		if (node->next != NEXT_PENDING)
			continue; /* a group */
		node->next = slices[slice];
		slices[slice] = nr;
	}
	for (uint32_t i = 0; i < SLICES; i++) {
		for (uint32_t nr = slices[i], next; nr != 0; nr = next) {
			next = imports->nodes[nr - 1].next;
			link_node(imports, nr);
		}
	}
	imports->linked_nr = imports->node_nr;
}

void
imports_keep(struct imports *imports, uint64_t hash, uint32_t value)
{
	if (imports->node_nr == imports->node_max)
		return;
	if (imports->node_nr - imports->linked_nr == PENDING_MAX)
		imports_link(imports);
	add_node(imports, hash, value);
}

/* The first of a hash from node `at` (index + 1) on; NULL: no more. */
static const struct imports_node *
node_from(const struct imports *imports, uint32_t at, uint64_t hash)
{
	for (; at != 0; at = imports->nodes[at - 1].next)
		if (imports->nodes[at - 1].hash == hash)
			return &imports->nodes[at - 1];
	return NULL;
}

uint32_t
imports_value_next(const struct imports *imports,
		   struct imports_value_walk *walk)
{
	const struct imports_node *node;

	if (walk->tried == 0)
		walk->next = *bucket_of(imports, walk->hash);
	node = node_from(imports, walk->next, walk->hash);
	if (node == NULL || walk->tried++ == CANDIDATES_MAX)
		return IMPORTS_NONE;
	walk->next = node->next;
	return node->value;
}

uint32_t
imports_value(const struct imports *imports, uint64_t hash)
{
	struct imports_value_walk walk = { .hash = hash };

	return imports_value_next(imports, &walk);
}

/* ---- counts ------------------------------------------------------------- */

uint32_t
imports_group(struct imports *imports, uint64_t hash)
{
	uint32_t group = imports_value(imports, hash);

	if (group != IMPORTS_NONE)
		return group;
	if (imports->group_nr == imports->group_max ||
	    imports->node_nr == imports->node_max)
		return IMPORTS_NONE;
	/* the next file of it looks for it */
	add_node(imports, hash, imports->group_nr);
	link_node(imports, imports->node_nr);
	return imports->group_nr++;
}

void
imports_join_group(struct imports *imports, uint64_t hash)
{
	uint32_t group = imports_group(imports, hash);
	const struct imports_member *last =
		imports->member_nr > 0
			? &imports->members[imports->member_nr - 1]
			: NULL;

	if (group == IMPORTS_NONE || imports->member_nr == imports->member_max)
		return;
	/* told of a second time */
	if (last != NULL && last->file_idx == imports->file_idx &&
	    last->group == group)
		return;
	imports->members[imports->member_nr++] = (struct imports_member){
		.file_idx = imports->file_idx,
		.group = group,
	};
}

static void
hit(const struct imports *imports, struct imports_count *count)
{
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
	uint32_t group = imports_value(imports, hash);

	if (group != IMPORTS_NONE)
		hit(imports, &imports->groups[group]);
	return group != IMPORTS_NONE;
}

/* ---- files -------------------------------------------------------------- */

static const uint8_t *
path_of(const struct imports *imports, uint32_t file_idx, size_t *bytes)
{
	return imports->tree.path(imports->tree.context, file_idx, bytes);
}

uint32_t
imports_at(const struct imports *imports, const struct imports_path *path)
{
	struct imports_value_walk walk = {
		.hash = imports_hash(KEY_PATH, path->text, path->bytes),
	};
	uint32_t file_idx;

	if (path->is_bad || path->bytes == 0)
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

/* How near a path is to the file in work. */
struct nearness {
	uint32_t common; /* directories from the top that are the same */
	uint32_t deep;   /* directories */
};

static struct nearness
nearness_of(const struct imports *imports, const uint8_t *path, size_t bytes)
{
	struct nearness near = { 0 };
	bool same = true;

	for (size_t i = 0; i < bytes; i++) {
		same = same && i < imports->dir_bytes &&
		       path[i] == imports->path[i];
		if (path[i] != '/')
			continue;
		near.deep++;
		near.common += same;
	}
	return near;
}

static int
compare(const struct nearness *a, const struct nearness *b)
{
	if (a->common != b->common)
		return a->common > b->common ? 1 : -1;
	if (a->deep != b->deep)
		return a->deep < b->deep ? 1 : -1;
	return 0;
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
	uint32_t file_idx; /* IMPORTS_NONE: none yet */
	uint32_t nr;
	bool is_tie;
	bool has_self;        /* the file in work is one that was passed over */
	struct nearness near; /* of it, once there are two */
};

static void
consider(const struct imports *imports, struct search *search,
	 uint32_t file_idx)
{
	size_t bytes;
	const uint8_t *path;
	struct nearness near;
	int order;

	if (search->nr++ == 0) {
		search->file_idx = file_idx;
		return;
	}
	if (search->nr == 2) {
		path = path_of(imports, search->file_idx, &bytes);
		search->near = nearness_of(imports, path, bytes);
	}
	path = path_of(imports, file_idx, &bytes);
	near = nearness_of(imports, path, bytes);
	order = compare(&near, &search->near);
	if (order > 0) {
		search->file_idx = file_idx;
		search->near = near;
	}
	search->is_tie = order == 0 || (search->is_tie && order < 0);
}

/* The files of a hash whose path ends so; the file in work is not meant. */
static struct search
look_up(const struct imports *imports, uint64_t hash, struct imports_text end)
{
	struct search search = { .file_idx = IMPORTS_NONE };
	struct imports_value_walk walk = { .hash = hash };
	uint32_t file_idx;

	while ((file_idx = imports_value_next(imports, &walk)) !=
	       IMPORTS_NONE) {
		size_t bytes;
		const uint8_t *path = path_of(imports, file_idx, &bytes);

		if (!ends_in(path, bytes, end.at, end.bytes))
			continue;
		if (file_idx == imports->file_idx)
			search.has_self = true;
		else
			consider(imports, &search, file_idx);
	}
	/* there are more of them, too */
	if (search.is_tie || walk.tried > CANDIDATES_MAX)
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
 * Most names are used again and again, and mean one file, whoever uses them:
 * what was found last for a hash is found at once.
 */
uint32_t
imports_ending(const struct imports *imports, const uint8_t *text, size_t bytes)
{
	size_t from = end_parts(text, bytes, 2);
	enum imports_key key =
		memchr(text, '/', bytes) == NULL ? KEY_NAME : KEY_END;
	uint64_t hash = imports_hash(key, text + from, bytes - from);
	uint64_t all = from == 0 ? hash : imports_hash(key, text, bytes);
	struct imports_known *known = &imports->known[all % IMPORTS_KNOWN];
	struct search search;

	if (known->hash == all && known->file_idx != imports->file_idx)
		return known->file_idx;
	search = look_up(imports, hash, (struct imports_text){ text, bytes });
	if (search.nr == 1 && !search.has_self)
		*known = (struct imports_known){ .hash = all,
						 .file_idx = search.file_idx };
	return search.file_idx;
}

uint32_t
imports_nearest(const struct imports *imports, uint64_t hash)
{
	return look_up(imports, hash, (struct imports_text){ NULL, 0 })
		.file_idx;
}

/* ---- paths -------------------------------------------------------------- */

size_t
imports_dir_bytes(const uint8_t *path, size_t bytes)
{
	while (bytes > 0 && path[bytes - 1] != '/')
		bytes--;
	return bytes;
}

static void
put(struct imports_path *path, const uint8_t *text, size_t bytes)
{
	if (bytes > IMPORTS_PATH_BYTES - path->bytes) {
		path->is_bad = true;
		return;
	}
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
