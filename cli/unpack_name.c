/* SPDX-License-Identifier: MIT */
/*
 * unpack_name.c - a path, part by part, as each system would fold it.
 *
 * Does: refuses what leads out of a directory, what no file system can hold,
 *       and what a version control system would take for its own: with a
 *       .git/config of somebody else's, the next `git status` runs what that
 *       says. So does what other systems would fold to such a name: case,
 *       trailing dots and blanks, streams, 8.3 names, characters that are
 *       ignored.
 * Does not: look at the file system.
 */
#include "cli/unpack_dir.h"

#include <stdlib.h>
#include <string.h>

#include "markup/markup.h"
#include "base/utf8.h"

#define FOLDED_BYTES 64 /* no name that matters is longer */

/* Folders of version control, and what their short names begin with. */
static const struct {
	const char *name;
	const char *short_name; /* before ~1; NULL: it has none */
} own_folders[] = {
	{ ".git", "git" }, { ".hg", "hg" },   { ".jj", "jj" },
	{ ".svn", "svn" }, { ".bzr", "bzr" }, { "_darcs", NULL },
};

static const char *const devices[] = { "con", "prn",    "aux",
				       "nul", "conin$", "conout$" };

/* A part of a path. */
struct part {
	const uint8_t *at;
	size_t nr;
};

/*
 * Characters that a file system may ignore when it compares names: those of
 * HFS+, and Default_Ignorable_Code_Point, which Linux' case-insensitive
 * directories go by.
 */
static bool
is_ignored(uint32_t c)
{
	static const struct {
		uint32_t first;
		uint32_t last;
	} ranges[] = {
		{ 0xad, 0xad },       { 0x34f, 0x34f },
		{ 0x61c, 0x61c },     { 0x115f, 0x1160 },
		{ 0x17b4, 0x17b5 },   { 0x180b, 0x180f },
		{ 0x200b, 0x200f },   { 0x202a, 0x202e },
		{ 0x2060, 0x206f },   { 0x3164, 0x3164 },
		{ 0xfe00, 0xfe0f },   { 0xfeff, 0xfeff },
		{ 0xffa0, 0xffa0 },   { 0xfff0, 0xfff8 },
		{ 0x1bca0, 0x1bca3 }, { 0x1d173, 0x1d17a },
		{ 0xe0000, 0xe0fff },
	};

	for (size_t i = 0; i < ARRAY_LEN(ranges); i++)
		if (c >= ranges[i].first && c <= ranges[i].last)
			return true;
	return false;
}

static char
fold_ascii(uint32_t c)
{
	if (c == 0x17f) /* the long s, which is an s to who folds case */
		return 's';
	return (char)(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
}

/*
 * A name as others may read it, cut off where it becomes too long to matter;
 * ended by NUL.
 */
static void
fold(struct part part, char folded[FOLDED_BYTES])
{
	const uint8_t *end = part.at + part.nr;
	size_t nr = 0;

	/* behind a colon stands the name of a stream */
	while (part.at < end && *part.at != ':' && nr < FOLDED_BYTES - 1) {
		uint32_t c = 0;
		size_t taken =
			utf8_decode(part.at, (size_t)(end - part.at), &c);

		if (taken == 0)
			c = *part.at;
		if (taken == 0 || !is_ignored(c))
			folded[nr++] =
				c < 0x80 || c == 0x17f ? fold_ascii(c) : '?';
		part.at += taken == 0 ? 1 : taken;
	}
	while (nr > 0 && (folded[nr - 1] == '.' || folded[nr - 1] == ' '))
		nr--;
	folded[nr] = '\0';
}

/* "git~1" and so on, of "git": any number, for there may be others. */
static bool
is_short_name(const char *folded, const char *short_name)
{
	size_t nr = strlen(short_name);

	return strncmp(folded, short_name, nr) == 0 && folded[nr] == '~' &&
	       folded[nr + 1] != '\0' &&
	       strspn(folded + nr + 1, "0123456789") == strlen(folded + nr + 1);
}

static bool
is_own_folder(struct part part)
{
	char folded[FOLDED_BYTES];

	fold(part, folded);
	for (size_t i = 0; i < ARRAY_LEN(own_folders); i++) {
		if (strcmp(folded, own_folders[i].name) == 0)
			return true;
		if (own_folders[i].short_name != NULL &&
		    is_short_name(folded, own_folders[i].short_name))
			return true;
	}
	return false;
}

/* The part that begins at *at and ends before one of two signs. */
static struct part
next_part(const uint8_t **at, const uint8_t *end, char sign, char other)
{
	struct part part = { .at = *at };

	while (*at < end && **at != (uint8_t)sign && **at != (uint8_t)other)
		++*at;
	part.nr = (size_t)(*at - part.at);
	if (*at < end)
		++*at;
	return part;
}

/* Windows leaves out blanks at the end, and what stands behind a colon. */
static bool
is_parent(struct part part)
{
	const uint8_t *end = part.at + part.nr;
	const uint8_t *colon = memchr(part.at, ':', part.nr);

	if (colon != NULL)
		end = colon;
	while (end > part.at && end[-1] == ' ')
		end--;
	return end - part.at == 2 && memcmp(part.at, "..", 2) == 0;
}

/* A part between slashes; to Windows a backslash is one, too. */
static const char *
part_wrong(struct part part)
{
	const uint8_t *at = part.at;
	const uint8_t *end = part.at + part.nr;

	if (part.nr > UNPACK_NAME_BYTES_MAX)
		return "has a name of more than 255 bytes";
	while (at < end) {
		struct part name = next_part(&at, end, '/', '\\');

		if (is_parent(name))
			return "leads out of the directory with ..";
		if (is_own_folder(name))
			return "belongs to a repository, which could run commands";
	}
	return NULL;
}

const char *
unpack_path_wrong(const uint8_t *path, size_t nr)
{
	const uint8_t *end = path + nr;
	const uint8_t *at = path;
	size_t depth = 0;

	if (nr == 0)
		return "is empty";
	if (path[0] == '/')
		return "is absolute";
	if (memchr(path, '\0', nr) != NULL)
		return "holds a NUL";
	if (path[nr - 1] == '/')
		return "ends with a slash";
	while (at < end) {
		struct part part = next_part(&at, end, '/', '/');
		const char *wrong = part_wrong(part);

		if (wrong != NULL)
			return wrong;
		if (++depth > UNPACK_DEPTH_MAX)
			return "is more than 512 directories deep";
	}
	if (end[-1] == '.' && (nr == 1 || end[-2] == '/'))
		return "names a directory";
	return NULL;
}

bool
unpack_name_is(const char *name, const char *folded)
{
	char own[FOLDED_BYTES];

	fold((struct part){ (const uint8_t *)name, strlen(name) }, own);
	return strcmp(own, folded) == 0;
}

static bool
is_device(struct part part)
{
	char folded[FOLDED_BYTES];
	size_t nr;

	fold(part, folded);
	nr = strcspn(folded, ".");
	while (nr > 0 && folded[nr - 1] == ' ')
		nr--;
	for (size_t i = 0; i < ARRAY_LEN(devices); i++)
		if (bytes_are(folded, nr, devices[i]))
			return true;
	return nr == 4 && folded[3] >= '0' && folded[3] <= '9' &&
	       (memcmp(folded, "com", 3) == 0 || memcmp(folded, "lpt", 3) == 0);
}

bool
unpack_path_is_device(const uint8_t *path, size_t nr)
{
	const uint8_t *end = path + nr;

	while (path < end)
		if (is_device(next_part(&path, end, '/', '\\')))
			return true;
	return false;
}

char *
unpack_path_plain(const uint8_t *path, size_t nr)
{
	const uint8_t *end = path + nr;
	char *plain = malloc(nr + 1);
	size_t put = 0;

	while (plain != NULL && path < end) {
		struct part part = next_part(&path, end, '/', '/');

		if (part.nr == 0 || (part.nr == 1 && part.at[0] == '.'))
			continue;
		if (put > 0)
			plain[put++] = '/';
		memcpy(plain + put, part.at, part.nr);
		put += part.nr;
	}
	if (plain != NULL)
		plain[put] = '\0';
	return plain;
}
