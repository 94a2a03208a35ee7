/* SPDX-License-Identifier: MIT */
/*
 * collect_io_past_renames.c - files that had another path.
 *
 * A commit renames a path if the only path that it makes with some content is
 * the only one that it takes away with it. Commits are gone through from the
 * newest on, so what is known of a path is what became of it later.
 *
 * Runs in: collect, when the walk is over.
 */
#include "stages/collect/collect_io_past.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* What a path of older commits is called now. */
struct rename {
	uint64_t from; /* both are keys */
	uint64_t to;
	bool is_known;
};

/* A path that a commit made or took away. */
struct end {
	const uint8_t *blob;
	uint32_t at;
	bool is_gone;
};

struct renames {
	struct history_ctx *past;
	struct rename *slots; /* open addressing, at most half full */
	uint32_t slot_nr;     /* a power of two */
	struct end *ends;     /* of the commit in work */
};

/* The rename of a path, or the slot that it would have. */
static struct rename *
slot_of(const struct renames *renames, uint64_t key)
{
	uint64_t at = key;

	while (renames->slots[at & (renames->slot_nr - 1)].is_known &&
	       renames->slots[at & (renames->slot_nr - 1)].from != key)
		at++;
	return &renames->slots[at & (renames->slot_nr - 1)];
}

static int
compare_ends(const void *a, const void *b)
{
	const struct end *x = a;
	const struct end *y = b;
	int order = memcmp(x->blob, y->blob, COLLECT_OBJECT_BYTES);

	return order != 0                 ? order
	       : x->is_gone != y->is_gone ? x->is_gone - y->is_gone
	       : x->at < y->at            ? -1
					  : x->at > y->at;
}

/* What a commit made and took away, by content; *nr of them. */
static void
find_ends(const struct renames *renames, const struct past *commit,
	  uint32_t *nr)
{
	const struct history_ctx *past = renames->past;

	*nr = 0;
	for (uint32_t i = 0; i < commit->path_nr; i++) {
		uint32_t at = commit->path_first + i;

		if (past->paths[at].what != PAST_CHANGED)
			renames->ends[(*nr)++] = (struct end){
				past->blobs[at],
				at,
				past->paths[at].what == PAST_GONE,
			};
	}
	qsort(renames->ends, *nr, sizeof(*renames->ends), compare_ends);
}

/* The path that a commit made was the other one before. */
static void
note_rename(struct renames *renames, uint32_t made, uint32_t gone)
{
	struct past_path *paths = renames->past->paths;

	*slot_of(renames, paths[gone].key) = (struct rename){
		.from = paths[gone].key,
		.to = paths[made].key,
		.is_known = true,
	};
	paths[made].what = PAST_CHANGED;
}

static void
note_renames(struct renames *renames, const struct past *commit)
{
	const struct end *ends = renames->ends;
	uint32_t same;
	uint32_t nr;

	find_ends(renames, commit, &nr);
	for (uint32_t i = 0; i < nr; i += same) {
		for (same = 1;
		     i + same < nr && memcmp(ends[i].blob, ends[i + same].blob,
					     COLLECT_OBJECT_BYTES) == 0;)
			same++;
		if (same == 2 && !ends[i].is_gone && ends[i + 1].is_gone)
			note_rename(renames, ends[i].at, ends[i + 1].at);
	}
}

/* The paths of a commit by what they are called now. */
static void
rename_paths(const struct renames *renames, const struct past *commit)
{
	struct past_path *path = renames->past->paths + commit->path_first;

	for (uint32_t left = commit->path_nr; left > 0; left--, path++) {
		const struct rename *known = slot_of(renames, path->key);

		/* what is gone is no file, and may have got its path later */
		if (known->is_known && path->what != PAST_GONE)
			path->key = known->to;
	}
}

/* Paths that are gone, and the most that a commit changed. */
static void
count_paths(const struct history_ctx *past, uint32_t *gone_nr, uint32_t *most)
{
	*gone_nr = 0;
	*most = 0;
	for (uint32_t i = 0; i < past->path_nr; i++)
		*gone_nr += past->paths[i].what == PAST_GONE;
	for (uint32_t i = 0; i < past->commit_nr; i++)
		if (past->commits[i].path_nr > *most)
			*most = past->commits[i].path_nr;
}

int
past_follow_renames(struct history_ctx *past)
{
	struct renames renames = { .past = past, .slot_nr = 2 };
	uint32_t gone_nr;
	uint32_t most;
	int error = -ENOMEM;

	count_paths(past, &gone_nr, &most);
	if (gone_nr == 0)
		return 0;
	while (renames.slot_nr < 2 * gone_nr)
		renames.slot_nr *= 2;
	renames.slots = calloc(renames.slot_nr, sizeof(*renames.slots));
	renames.ends = calloc(most, sizeof(*renames.ends));
	if (renames.slots == NULL || renames.ends == NULL)
		goto out;
	for (uint32_t i = 0; i < past->commit_nr; i++) {
		rename_paths(&renames, &past->commits[i]);
		note_renames(&renames, &past->commits[i]);
	}
	error = 0;
out:
	free(renames.slots);
	free(renames.ends);
	return error;
}
