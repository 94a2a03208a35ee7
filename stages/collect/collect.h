/* SPDX-License-Identifier: MIT */
/*
 * collect.h - which files belong to a tree, and of what kind they are.
 *
 * Does: gitignore rules, the canonical order, kinds of files by name and by
 *       content, character sets and their conversion to UTF-8.
 * Does not: open, list or read anything (collect_io.h), or know of processes.
 * Runs in: the collector; tests.
 *
 * Paths are bytes: no encoding is assumed, no length is the longest, and only
 * '/' and NUL cannot be in a name.
 */
#ifndef COLLECT_COLLECT_H
#define COLLECT_COLLECT_H

#include <assert.h>
#include <limits.h>

#include "catalogue/desc.h"
#include "base/glob.h"

/* ---- ignore rules: ignore.c ------------------------------------ */

enum collect_verdict {
	COLLECT_NO_RULE = 0, /* no rule names the path */
	COLLECT_IGNORE,      /* the last rule that does says ignore */
	COLLECT_KEEP         /* the last rule that does begins with '!' */
};

struct ignore_rule {
	uint32_t pattern_off; /* in the text, after '!' */
	uint32_t pattern_bytes;
	uint32_t literal_bytes; /* before the first wild card */
	uint32_t next;          /* index + 1 of an earlier one of this chain */
	uint8_t flags;
};

/* The rules of one file, chained by the last byte of what they can match. */
struct ignore_rules {
	const char *text;
	const struct ignore_rule *rules;
	uint32_t rule_nr;
	uint32_t any; /* index + 1 of the last that ends in a wild card */
	uint32_t by_last[UCHAR_MAX + 1];
	bool fold;
};

#define COLLECT_RULES_BYTES_MAX (1u << 20) /* of one file of rules */

/* How many rules at most a text holds: room for ignore_rules_parse(). */
size_t
ignore_rules_room(const char *text, size_t bytes);

/*
 * shape:  reads a .gitignore; later ignore_rules_match() answers from it
 * units:  bytes at most COLLECT_RULES_BYTES_MAX, the rest is not looked at
 * owner:  text and room (ignore_rules_room() of them) stay the caller's and
 *         must outlive the rules
 * errors: none: what is no rule matches nothing, as with git
 * source: gitignore(5); byte order mark, CRLF and blanks at the end as git
 */
void
ignore_rules_parse(struct ignore_rules *rules, struct ignore_rule *room,
		   const char *text, size_t bytes, bool fold);

/*
 * shape:  index + 1 of the last rule of one file that names a path, 0: none
 * units:  path relative to the directory of that file, its last component
 *         begins at name_off; no '/' at the end
 * calls:  the walk, for each name; parents first: a path below an ignored
 *         directory is never asked for
 */
uint32_t
ignore_rules_find(const struct ignore_rules *rules, const char *path,
		  size_t path_bytes, size_t name_off, bool is_dir);

/* The verdict of that rule. */
enum collect_verdict
ignore_rules_match(const struct ignore_rules *rules, const char *path,
		   size_t path_bytes, size_t name_off, bool is_dir);

/* ---- canonical order: collect_order.c ---------------------------------- */

/*
 * A name in a listing. key: the first 8 bytes, '/' after a directory's name
 * included, so that most comparisons are one of integers.
 */
struct collect_name {
	uint64_t key;
	uint32_t off; /* in the listing's text */
	uint16_t bytes;
	uint8_t type; /* enum collect_type */
	uint8_t mark; /* for the listing's owner */
};

static_assert(sizeof(struct collect_name) == 16, "four to a cache line");

enum collect_type {
	COLLECT_FILE = 0,
	COLLECT_DIR,
	COLLECT_LINK,
	COLLECT_SPECIAL /* FIFO, socket, device */
};

/* The key of a name. */
uint64_t
collect_order_key(const char *name, size_t bytes, bool is_dir);

/*
 * shape:  negative, 0, positive: order of two names of one directory, such
 *         that a walk which descends in this order meets paths in byte order
 * units:  text is what the offsets of both are in
 */
int
collect_order_compare(const struct collect_name *a, const char *a_text,
		      const struct collect_name *b, const char *b_text);

/*
 * shape:  sorts names in place
 * owner:  scratch has room for nr names
 * errors: none; n log n in the worst case
 */
void
collect_order_sort(struct collect_name *names, struct collect_name *scratch,
		   size_t nr, const char *text);

/* ---- kinds of files by name: collect_kind.c ---------------------------- */

enum collect_lang {
	COLLECT_LANG_NONE = 0,
#define LANG(id, name, fence, suffixes, names, shebangs) COLLECT_LANG_##id,
#include "lang/languages.def"
#undef LANG
	COLLECT_LANG_NR
};

#define COLLECT_KINDS_SLOTS 2048
#define COLLECT_KINDS_NAMES_MAX 256

/* Indexes over languages.def and file_names.def. */
struct collect_kinds {
	struct collect_word {
		const char *text; /* NULL: free */
		uint16_t bytes;
		uint8_t lang;
		uint8_t what; /* suffix, name or interpreter */
	} words[COLLECT_KINDS_SLOTS];
	struct ignore_rules names;
	struct ignore_rule names_room[COLLECT_KINDS_NAMES_MAX];
	/* see find_head_words() */
	uint8_t head_shift[UCHAR_MAX + 1];
	uint32_t head_last[UCHAR_MAX + 1]; /* words with it last in a window */
	size_t head_window;
};

/* calls: once per process, before the others of this section */
void
collect_kinds_init(struct collect_kinds *kinds);

/* Language of a file by its name alone; NONE: not known. */
enum collect_lang
collect_kind_lang(const struct collect_kinds *kinds, const char *name,
		  size_t bytes);

/* The same by a first line that begins with "#!"; NONE: no such line. */
enum collect_lang
collect_kind_shebang(const struct collect_kinds *kinds, const char *head,
		     size_t bytes);

/* Marks that the name of a file gives (enum mark). */
unsigned
collect_kind_file_labels(const struct collect_kinds *kinds, const char *name,
			 size_t bytes);

/* Marks that the name of a directory gives to all below it. */
unsigned
collect_kind_dir_labels(const char *name, size_t bytes);

/*
 * shape:  marks that the first bytes of a file give: GENERATED by what its
 *         header says, MINIFIED by the length of its lines
 * units:  bytes of UTF-8 text; 8 KiB are enough
 */
unsigned
collect_kind_head_labels(const struct collect_kinds *kinds,
			 enum collect_lang lang, const char *head,
			 size_t bytes);

/*
 * shape:  whether the text of a MARK_TOKEN file (.npmrc) sets a token or a
 *         password, to a value and not to the name of a variable
 */
bool
collect_kind_has_token(const char *text, size_t bytes);

/* "C++"; "text" for NONE. owner: constant text */
const char *
collect_lang_name(enum collect_lang lang);

/* What to write after a Markdown fence: "cpp"; "" for NONE. */
const char *
collect_lang_fence(enum collect_lang lang);

/* ---- character sets: collect_text.c ------------------------------------ */

enum collect_text {
	COLLECT_TEXT_UTF8 = 0, /* ASCII and nothing at all included; a byte
				* order mark is a character like any other */
	COLLECT_TEXT_UTF8_BAD, /* mostly; what is not becomes U+FFFD */
	COLLECT_TEXT_UTF16_LE, /* with or without a byte order mark */
	COLLECT_TEXT_UTF16_BE,
	COLLECT_TEXT_WESTERN, /* Latin-1 or Windows-1252, surely */
	COLLECT_TEXT_UNKNOWN, /* text, but in what? REASON_ENCODING */
	COLLECT_TEXT_BINARY   /* REASON_BINARY */
};

/*
 * shape:  what a file is by its beginning, or by all of it
 * units:  8 KiB tell; is_whole: there are no more bytes in the file
 * calls:  once a file. What follows a beginning may belie it:
 *         collect_text_goes_on() looks at that
 */
enum collect_text
collect_text_probe(const void *head, size_t bytes, bool is_whole);

/*
 * shape:  whether a part of a text is UTF-8: all characters that begin in it,
 *         where the last one may end in what follows
 * units:  `ahead`: the bytes that follow, 3 of them, fewer at the end of the
 *         text. *carried: bytes at the start of the part that end a character
 *         of the part before; on return those of the next part
 */
bool
collect_text_goes_on(const uint8_t *part, size_t bytes, const uint8_t *ahead,
		     size_t ahead_bytes, uint32_t *carried);

/* A conversion to UTF-8, some bytes at a time. */
struct collect_convert {
	enum collect_text from;
	uint8_t held[4]; /* the start of a character that was cut off */
	uint8_t held_nr;
	bool begun;
	bool repaired; /* there was what is no character: it is U+FFFD */
};

/* Begins a text in that charset. */
void
collect_convert_init(struct collect_convert *convert, enum collect_text from);

/* Bytes that so many bytes become at most, in one call. */
size_t
collect_convert_room(enum collect_text from, size_t bytes);

/*
 * shape:  converts all of it; returns the bytes written
 * units:  is_last: nothing follows, so that what is cut off is U+FFFD
 * owner:  `to` has collect_convert_room() bytes and does not overlap `from`
 * errors: none: what is malformed becomes U+FFFD; the byte order mark of
 *         UTF-16 goes away
 */
size_t
collect_convert_run(struct collect_convert *convert, const void *from,
		    size_t bytes, bool is_last, char *to);

#endif
