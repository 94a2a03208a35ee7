/* SPDX-License-Identifier: MIT */
/*
 * revtree.c - the entries of a tree object of git.
 *
 * Does: one entry after the other; says whether a tree is one that git itself
 *       would write.
 * Does not: read objects.
 *
 *   | mode in octal | ' ' | name | NUL | 20 bytes: what it is | ...
 *
 * source: gitformat-pack(5), git-fsck(1)
 */
#include "git/git.h"

#include <errno.h>
#include <string.h>

#define MODE_DIGITS_MAX 7

int
revtree_next(struct revtree *tree, struct revtree_entry *entry)
{
	const uint8_t *at = tree->at;
	const uint8_t *nul;
	uint32_t mode = 0;

	if (at == tree->end)
		return 0;
	for (int i = 0; at < tree->end && *at != ' '; i++, at++) {
		if (i == MODE_DIGITS_MAX || *at < '0' || *at > '7')
			return -EINVAL;
		mode = mode * 8 + (*at - '0');
	}
	if (at == tree->end || at == tree->at)
		return -EINVAL;
	at++;
	nul = memchr(at, 0, (size_t)(tree->end - at));
	if (nul == NULL || tree->end - nul - 1 < REVTREE_NAME_BYTES)
		return -EINVAL;
	entry->name = (const char *)at;
	entry->bytes = (size_t)(nul - at);
	entry->mode = mode;
	entry->object = nul + 1;
	tree->at = nul + 1 + REVTREE_NAME_BYTES;
	return 1;
}

void
revtree_skip_same(struct revtree *a, struct revtree *b)
{
	while (a->at < a->end) {
		size_t left = (size_t)(a->end - a->at);
		const uint8_t *nul = memchr(a->at, 0, left);
		size_t bytes;

		if (nul == NULL)
			return;
		bytes = (size_t)(nul - a->at) + 1 + REVTREE_NAME_BYTES;
		if (bytes > left || bytes > (size_t)(b->end - b->at) ||
		    memcmp(a->at, b->at, bytes) != 0)
			return;
		a->at += bytes;
		b->at += bytes;
	}
}

bool
revtree_is_dir(const struct revtree_entry *entry)
{
	return (entry->mode & REVTREE_MODE_KIND) == REVTREE_MODE_DIR;
}

/* Also where names fold case. */
static bool
is_git_folder(const char *name)
{
	static const char folder[] = ".git";
	size_t i = 0;

	while (folder[i] != '\0' && (name[i] | 0x20) == (folder[i] | 0x20))
		i++;
	return folder[i] == '\0' && name[i] == '\0';
}

/* What git refuses to check out: it would not be where its path says. */
static bool
is_name(const struct revtree_entry *entry)
{
	const char *name = entry->name;

	if (entry->bytes == 0 || entry->bytes > REVTREE_PATH_PART_MAX ||
	    memchr(name, '/', entry->bytes) != NULL)
		return false;
	return strcmp(name, ".") != 0 && strcmp(name, "..") != 0 &&
	       !is_git_folder(name);
}

int
revtree_compare(const struct revtree_entry *a, const struct revtree_entry *b)
{
	size_t bytes = min_size(a->bytes, b->bytes);
	int order = memcmp(a->name, b->name, bytes);
	/* a folder's name ends with '/', and all others with NUL */
	int x = revtree_is_dir(a) ? '/' : 0;
	int y = revtree_is_dir(b) ? '/' : 0;

	if (order != 0)
		return order;
	if (a->bytes > bytes)
		x = (uint8_t)a->name[bytes];
	if (b->bytes > bytes)
		y = (uint8_t)b->name[bytes];
	return x - y;
}

bool
revtree_valid(const void *bytes, size_t nr)
{
	struct revtree tree = { .at = bytes,
				.end = (const uint8_t *)bytes + nr };
	struct revtree_entry last = { 0 };
	struct revtree_entry entry;
	int got;

	while ((got = revtree_next(&tree, &entry)) == 1) {
		if (!is_name(&entry) ||
		    (last.name != NULL && revtree_compare(&last, &entry) >= 0))
			return false;
		last = entry;
	}
	return got == 0;
}

bool
revtree_find(const void *bytes, size_t nr, const char *name, size_t name_bytes,
	     struct revtree_entry *entry)
{
	struct revtree tree = { .at = bytes,
				.end = (const uint8_t *)bytes + nr };

	while (revtree_next(&tree, entry) == 1) {
		if (entry->bytes == name_bytes &&
		    memcmp(entry->name, name, name_bytes) == 0)
			return true;
	}
	return false;
}
