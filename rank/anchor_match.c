/* SPDX-License-Identifier: MIT */
/*
 * anchor_match.c - whether a path is that of a place.
 */
#include <string.h>

#include "rank/anchor.h"

/* The component that ends there. */
static const uint8_t *
component(const uint8_t *path, const uint8_t *end)
{
	const uint8_t *slash = memrchr(path, '/', (size_t)(end - path));

	return slash == NULL ? path : slash + 1;
}

/* Components that two paths have in common at their ends; *all: of one of them
 * these are all. */
static uint32_t
common_ends(const uint8_t *a, size_t a_bytes, const uint8_t *b, size_t b_bytes,
	    bool *all)
{
	const uint8_t *a_end = a + a_bytes;
	const uint8_t *b_end = b + b_bytes;
	uint32_t nr = 0;

	for (;;) {
		const uint8_t *a_at = component(a, a_end);
		const uint8_t *b_at = component(b, b_end);

		*all = false;
		if (a_end - a_at != b_end - b_at ||
		    memcmp(a_at, b_at, (size_t)(a_end - a_at)) != 0)
			return nr;
		nr++;
		*all = a_at == a || b_at == b;
		if (*all)
			return nr;
		a_end = a_at - 1;
		b_end = b_at - 1;
	}
}

static bool
has_byte(const uint8_t *at, const uint8_t *end, char c)
{
	return memchr(at, c, (size_t)(end - at)) != NULL;
}

/* A path without the extension. */
static size_t
stem_bytes(const uint8_t *path, size_t bytes)
{
	const uint8_t *dot = memrchr(path, '.', bytes);

	return dot != NULL && dot > path && !has_byte(dot, path + bytes, '/')
		       ? (size_t)(dot - path)
		       : bytes;
}

/* A path without what a module's name does not have. */
static size_t
module_bytes(const uint8_t *path, size_t bytes)
{
	static const char *const inner[] = { "/__init__", "/mod", "/index",
					     "/lib" };

	bytes = stem_bytes(path, bytes);
	for (size_t i = 0; i < ARRAY_LEN(inner); i++) {
		size_t nr = strlen(inner[i]);

		if (bytes > nr && memcmp(path + bytes - nr, inner[i], nr) == 0)
			return bytes - nr;
	}
	return bytes;
}

static uint32_t
match_module(const struct anchor_place *place, const uint8_t *path,
	     size_t bytes)
{
	const uint8_t *module = (const uint8_t *)place->path;
	size_t nr = place->bytes;
	bool all;

	bytes = module_bytes(path, bytes);
	for (;;) {
		uint32_t common = common_ends(path, bytes, module, nr, &all);
		const uint8_t *slash = memrchr(module, '/', nr);

		/* as many as it has, or more than the path */
		if (all && common > 0)
			return common;
		if (slash == NULL)
			return 0;
		nr = (size_t)(slash - module);
	}
}

/* The components of a path that a place has. */
static uint32_t
match_path(const struct anchor_place *place, const uint8_t *path, size_t bytes)
{
	bool all;
	uint32_t common = common_ends(path, bytes, (const uint8_t *)place->path,
				      place->bytes, &all);

	return all || common >= 2 ? common : 0;
}

uint32_t
anchor_match(const struct anchor_place *place, const uint8_t *path,
	     size_t bytes)
{
	uint32_t common;

	if (place->kind == ANCHOR_MODULE)
		return match_module(place, path, bytes);
	common = match_path(place, path, bytes);
	/* "src/parser" */
	return common == 0 && memchr(place->path, '/', place->bytes) != NULL
		       ? match_path(place, path, stem_bytes(path, bytes))
		       : common;
}

uint32_t
anchor_in_directory(const struct anchor_place *directory, const uint8_t *path,
		    size_t bytes)
{
	const uint8_t *end = component(path, path + bytes);
	const uint8_t *at = path;

	/* "a/b/c.c": a/b/ and b/ are the ends of what it is in */
	while (at < end) {
		const uint8_t *behind = at + directory->bytes;

		if (end - at > directory->bytes && *behind == '/' &&
		    memcmp(at, directory->path, directory->bytes) == 0)
			return behind + 1 == end ? 2 : 1;
		at = (const uint8_t *)memchr(at, '/', (size_t)(end - at)) + 1;
	}
	return 0;
}
