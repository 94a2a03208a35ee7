/* SPDX-License-Identifier: MIT */
/*
 * kind.h - the kind of a file, by its path alone.
 *
 * Does: tests, texts, vendored and generated files, entry points, settings,
 *       examples: kind.def has the names.
 * Does not: read the file.
 */
#ifndef RANK_KIND_H
#define RANK_KIND_H

#include "base/base.h"

enum rank_kind {
	RANK_KIND_TEST = 1 << 0,
	RANK_KIND_DOC = 1 << 1, /* texts, data, settings */
	RANK_KIND_VENDORED = 1 << 2,
	RANK_KIND_GENERATED = 1 << 3,
	RANK_KIND_ENTRY = 1 << 4,
	RANK_KIND_CONFIG = 1 << 5, /* of the project: a part of DOC, mostly */
	/* examples, translations, what has changed: a part of DOC */
	RANK_KIND_ASIDE = 1 << 6,
	RANK_KIND_FRAME = 1 << 7 /* README, or what the build begins with */
};

/*
 * shape:  bits of enum rank_kind
 * units:  the path below the root, no NUL
 */
uint32_t
rank_kinds(const uint8_t *path, size_t bytes);

#define RANK_DIRECTORY_BYTES 240

/* Where the path was that was asked for last. All 0 at first. */
struct rank_directory {
	uint32_t bytes; /* of it, with its last '/' */
	uint32_t kinds;
	uint8_t path[RANK_DIRECTORY_BYTES];
};

/* rank_kinds() of one path after the other: most are of one directory. */
uint32_t
rank_kinds_next(struct rank_directory *last, const uint8_t *path, size_t bytes);

#endif
