/* SPDX-License-Identifier: MIT */
/*
 * kind.c - the table of names, looked through.
 */
#include "rank/kind.h"

#include <string.h>

#include "base/ascii.h"

struct name {
	const char *text;
	uint64_t head; /* its first eight bytes; zeros behind a shorter one */
	uint32_t bytes;
	uint32_t kind;
};

#define BYTE(text, i) ((uint64_t)(text "\0\0\0\0\0\0\0")[i] << 8 * (i))
#define HEAD(text)                                                       \
	(BYTE(text, 0) | BYTE(text, 1) | BYTE(text, 2) | BYTE(text, 3) | \
	 BYTE(text, 4) | BYTE(text, 5) | BYTE(text, 6) | BYTE(text, 7))
#define KINDS_ASIDE (RANK_KIND_ASIDE | RANK_KIND_DOC)
#define KINDS_TEST RANK_KIND_TEST
#define KINDS_DOC RANK_KIND_DOC
#define KINDS_VENDORED RANK_KIND_VENDORED
#define KINDS_GENERATED RANK_KIND_GENERATED
#define KINDS_ENTRY RANK_KIND_ENTRY
#define KINDS_CONFIG RANK_KIND_CONFIG
#define KINDS_BUILD (RANK_KIND_CONFIG | RANK_KIND_FRAME)
#define KINDS_README (RANK_KIND_DOC | RANK_KIND_FRAME)
#define NAME(text, kind) { text, HEAD(text), sizeof(text) - 1, KINDS_##kind },

static const struct name directories[] = {
#define DIRECTORY(name, kind) NAME(name, kind)
#include "rank/kind.def"
};

static const struct name extensions[] = {
#define EXTENSION(name, kind) NAME(name, kind)
#include "rank/kind.def"
};

static const struct name file_names[] = {
#define FILE_NAME(name, kind) NAME(name, kind)
#include "rank/kind.def"
};

static const struct name begins[] = {
#define BEGINS(name, kind) NAME(name, kind)
#include "rank/kind.def"
};

static const struct name ends[] = {
#define ENDS(name, kind) NAME(name, kind)
#include "rank/kind.def"
};

static const struct name infixes[] = {
#define INFIX(name, kind) NAME(name, kind)
#include "rank/kind.def"
};

static const struct name stems[] = {
#define STEM(name, kind) NAME(name, kind)
#include "rank/kind.def"
};

static const struct name tongues[] = {
#define TONGUE(code) NAME(code, ASIDE)
#include "rank/kind.def"
};

/* A part of a path. */
struct part {
	const uint8_t *text;
	size_t bytes;
};

static bool
is_same(const uint8_t *text, const char *name, size_t bytes)
{
	for (size_t i = 0; i < bytes; i++)
		if (ascii_lower(text[i]) != (uint8_t)name[i])
			return false;
	return true;
}

/* Kinds of all names that this is; `whole`: not only begins or ends with. */
static uint32_t
kinds_of(const struct name *names, size_t nr, struct part part)
{
	uint64_t head = 0;
	uint32_t kinds = 0;

	for (size_t i = 0; i < part.bytes && i < sizeof(head); i++)
		head |= (uint64_t)ascii_lower(part.text[i]) << 8 * i;
	for (size_t i = 0; i < nr; i++)
		if (names[i].head == head && names[i].bytes == part.bytes &&
		    is_same(part.text, names[i].text, part.bytes))
			kinds |= names[i].kind;
	return kinds;
}

static uint32_t
kinds_of_ends(struct part stem)
{
	uint32_t kinds = 0;

	for (size_t i = 0; i < ARRAY_LEN(begins); i++) {
		size_t bytes = begins[i].bytes;

		if (bytes <= stem.bytes &&
		    is_same(stem.text, begins[i].text, bytes))
			kinds |= begins[i].kind;
	}
	for (size_t i = 0; i < ARRAY_LEN(ends); i++) {
		size_t bytes = ends[i].bytes;

		if (bytes <= stem.bytes &&
		    is_same(stem.text + stem.bytes - bytes, ends[i].text,
			    bytes))
			kinds |= ends[i].kind;
	}
	return kinds;
}

/* FooTest.java, FooTests.cs, jvmTest/: a capital, so that "latest" is none. */
static bool
is_test_class(struct part stem)
{
	static const char *const words[] = { "Test", "Tests", "Spec", "IT" };

	for (size_t i = 0; i < ARRAY_LEN(words); i++) {
		size_t bytes = strlen(words[i]);

		if (stem.bytes > bytes &&
		    memcmp(stem.text + stem.bytes - bytes, words[i], bytes) ==
			    0 &&
		    ascii_lower(stem.text[stem.bytes - bytes - 1]) ==
			    stem.text[stem.bytes - bytes - 1])
			return true;
	}
	return false;
}

/* Of what its name begins or ends with, only whether it has tests. */
static uint32_t
kinds_of_directory(struct part name)
{
	uint32_t kinds = kinds_of(directories, ARRAY_LEN(directories), name) |
			 (kinds_of_ends(name) & RANK_KIND_TEST);

	return kinds | (is_test_class(name) ? RANK_KIND_TEST : 0);
}

static uint32_t
kinds_of_name(struct part name)
{
	const uint8_t *end = name.text + name.bytes;
	const uint8_t *dot =
		name.bytes > 1 ? memchr(name.text + 1, '.', name.bytes - 1)
			       : NULL;
	struct part stem = { name.text, dot == NULL
						? name.bytes
						: (size_t)(dot - name.text) };
	uint32_t kinds = kinds_of(file_names, ARRAY_LEN(file_names), name) |
			 kinds_of(stems, ARRAY_LEN(stems), stem) |
			 kinds_of_ends(stem);

	if (is_test_class(stem))
		kinds |= RANK_KIND_TEST;
	while (dot != NULL) {
		struct part part = { dot + 1, (size_t)(end - dot - 1) };

		dot = memchr(part.text, '.', part.bytes);
		if (dot == NULL)
			return kinds | kinds_of(extensions,
						ARRAY_LEN(extensions), part);
		part.bytes = (size_t)(dot - part.text);
		kinds |= kinds_of(infixes, ARRAY_LEN(infixes), part);
	}
	return kinds;
}

static bool
is_tongue(const uint8_t *text)
{
	return kinds_of(tongues, ARRAY_LEN(tongues),
			(struct part){ text, 2 }) != 0;
}

/* "zh", "pt-BR" */
static bool
is_of_tongue(struct part directory)
{
	return directory.bytes >= 2 && directory.bytes <= 7 &&
	       (directory.bytes == 2 || directory.text[2] == '-' ||
		directory.text[2] == '_') &&
	       is_tongue(directory.text);
}

/* Whether a text is in a directory of a language, or "readme_ja.md", "a.ja.po". */
static bool
is_translation(const uint8_t *path, size_t bytes)
{
	struct part part = { path, 0 };
	const uint8_t *dot;

	for (size_t i = 0; i < bytes; i++) {
		if (path[i] != '/')
			continue;
		part.bytes = (size_t)(path + i - part.text);
		if (is_of_tongue(part))
			return true;
		part.text = path + i + 1;
	}
	part.bytes = (size_t)(path + bytes - part.text);
	dot = memrchr(part.text, '.', part.bytes);
	return dot != NULL && dot - part.text > 3 && is_tongue(dot - 2) &&
	       memchr("._-", dot[-3], 3) != NULL;
}

/* Of all directories of a path, which ends with a '/' or is empty. */
static uint32_t
kinds_of_directories(const uint8_t *path, size_t bytes)
{
	uint32_t kinds = 0;
	struct part part = { path, 0 };

	for (size_t i = 0; i < bytes; i++) {
		if (path[i] != '/')
			continue;
		part.bytes = (size_t)(path + i - part.text);
		kinds |= kinds_of_directory(part);
		part.text = path + i + 1;
	}
	return kinds;
}

/* Of a path, by its directories, which have those kinds, and its name. */
static uint32_t
kinds_of_path(const uint8_t *path, size_t bytes, size_t directory_bytes,
	      uint32_t kinds)
{
	kinds |= kinds_of_name((struct part){ path + directory_bytes,
					      bytes - directory_bytes });
	if ((kinds & RANK_KIND_DOC) && is_translation(path, bytes))
		kinds |= RANK_KIND_ASIDE;
	return kinds;
}

static size_t
directory_bytes(const uint8_t *path, size_t bytes)
{
	const uint8_t *slash = memrchr(path, '/', bytes);

	return slash == NULL ? 0 : (size_t)(slash - path) + 1;
}

uint32_t
rank_kinds(const uint8_t *path, size_t bytes)
{
	size_t nr = directory_bytes(path, bytes);

	return kinds_of_path(path, bytes, nr, kinds_of_directories(path, nr));
}

uint32_t
rank_kinds_next(struct rank_directory *last, const uint8_t *path, size_t bytes)
{
	size_t nr = directory_bytes(path, bytes);

	if (nr > sizeof(last->path))
		return rank_kinds(path, bytes);
	if (nr != last->bytes || memcmp(path, last->path, nr) != 0) {
		last->bytes = (uint32_t)nr;
		last->kinds = kinds_of_directories(path, nr);
		memcpy(last->path, path, nr);
	}
	return kinds_of_path(path, bytes, nr, last->kinds);
}
