/* SPDX-License-Identifier: MIT */
/*
 * files.h - the files that collect finds, a record each, and their paths.
 *
 *   files [file_record ...]  place and status, when dispatched; file_idx is the
 *                            canonical order: root by root, paths by bytes
 *   paths [bytes ...]        where file_record points
 */
#ifndef CATALOGUE_FILES_H
#define CATALOGUE_FILES_H

#include "catalogue/catalogue.h"
#include "catalogue/desc.h"

#define FILE_NONE UINT32_MAX

/* How a file is converted: from an encoding that is not UTF-8, or to less than
 * it holds. */
enum charset {
	CHARSET_UTF8 = 0,
	CHARSET_UTF16_LE, /* with a byte order mark */
	CHARSET_UTF16_BE,
	CHARSET_UNMARKED_LE, /* UTF-16, too */
	CHARSET_UNMARKED_BE,
	CHARSET_WESTERN, /* Latin-1 or Windows-1252 */
	CHARSET_GB18030, /* these three in the order of enum charset_pairs */
	CHARSET_SHIFT_JIS,
	CHARSET_EUC_KR,
	CHARSET_CYRILLIC,    /* Windows-1251 */
	CHARSET_WITH_BASE64, /* UTF-8; notes stand in place of base64 */
	CHARSET_LARGE_DATA,  /* UTF-8; of which the head is kept */
	CHARSET_NOTEBOOK,    /* UTF-8; of which the sources of cells are kept */
	CHARSET_WITH_SECRETS, /* by name alone: see file_record.has_secrets */
	CHARSET_NR
};

static_assert(MARK_NR == 8, "every bit of the flags is one");

struct file_record {
	uint64_t path_off; /* in paths: root and path below it, no NUL; then
			    * the hint for code fences */
	uint32_t path_bytes;
	uint32_t root_bytes; /* of these the root's part */
	uint64_t size_bytes;
	int64_t mtime_ns;
	union {
		struct {
			int64_t ctime_ns;
			uint64_t ino;
			uint64_t dev;
		};
		uint8_t object[24]; /* with --rev: the name of its object */
	};
	uint16_t root_idx;
	uint8_t language;    /* index in the table of languages */
	uint8_t has_secrets; /* 1: it is packed without its secrets */
	uint8_t reason;      /* enum reason: why it was not read */
	uint8_t charset;     /* enum charset */
	uint8_t flags;       /* enum mark */
	uint8_t hint_bytes;  /* of the hint behind the path */
};

/* A smaller file has few branches: its sections are chosen without. */
#define BRANCHES_BYTES 24000

/* Whether sections of the file are chosen by their branches, too. A report has
 * those of smaller files as well, which must not change what is packed. */
static inline bool
file_has_branches(const struct file_record *file)
{
	return file->size_bytes >= BRANCHES_BYTES;
}

/*
 * shape:  whether every field is in range; table_at() checks where the path is
 * calls:  readers of another process's files
 */
static inline bool
file_record_valid(const struct file_record *file)
{
	return file->root_bytes <= file->path_bytes &&
	       file->reason < REASON_NR && file->charset < CHARSET_NR;
}

/* Whether the survey estimates the tokens of a file; from: 1 + the first that
 * it does, 0: it counts all. */
static inline bool
file_is_estimated(uint32_t from, uint32_t file_idx)
{
	return from != 0 && file_idx + 1 >= from;
}

/* A file, by its index. */
CATALOGUE_RECORDS(files, file_record, 64, catalogue_file);

/* The SHA-256 of the bytes of a file. */
struct content_record {
	uint8_t sha256[SHA256_BYTES];
};

/* That of a file, by its index, where a survey is kept. */
CATALOGUE_RECORDS(contents, content_record, 32, catalogue_content);

/* The path of a file, followed by its hint. */
static inline const uint8_t *
catalogue_path(const struct catalogue *catalogue,
	       const struct file_record *file)
{
	return table_at(&catalogue->paths, file->path_off,
			(uint64_t)file->path_bytes + file->hint_bytes);
}

/* The language as code fences name it ("c"), hint_bytes of it. */
static inline const char *
catalogue_hint(const struct catalogue *catalogue,
	       const struct file_record *file)
{
	return (const char *)catalogue_path(catalogue, file) + file->path_bytes;
}

/* Whether content is left out, so that there is no way back. */
static inline bool
charset_elides(enum charset charset)
{
	return charset >= CHARSET_WITH_BASE64 &&
	       charset <= CHARSET_WITH_SECRETS;
}

/*
 * The encoding that a file was converted from: "UTF-16LE", "invalid UTF-8";
 * NULL: UTF-8. Constant text.
 */
const char *
charset_name(const struct file_record *file);

/* The name of an encoding; is_repaired: a file in it had invalid bytes. */
const char *
charset_text(enum charset charset, bool is_repaired);

/* Whether the text of a file differs from its bytes. */
static inline bool
file_is_converted(const struct file_record *file)
{
	return file->charset != CHARSET_UTF8 || file->has_secrets != 0 ||
	       (file->flags & MARK_REPAIRED) != 0;
}

#endif
