/* SPDX-License-Identifier: MIT */
/*
 * format.h - the Markdown around the content.
 *
 * Does: headers, fences, gap marks.
 * Does not: touch content: a fence is longer than any run of backticks in it,
 *           so nothing in a file can end its section.
 *
 *   ## File: src/a.c (lines 1-50)
 *   ```c
 *   ...
 *   ```
 *   <blank line>
 *
 * What a file is that has no fences of its own:
 *   ## File: b.c (same as src/a.c)
 *   ## File: empty.c (empty)
 * One that was converted to UTF-8:
 *   ## File: old.txt (lines 1-9, from UTF-16LE)
 */
#ifndef FORMAT_FORMAT_H
#define FORMAT_FORMAT_H

#include "shm/base.h"

#define FORMAT_FENCE_MIN 3

/* A file's section, as its header tells of it. */
struct format_section {
	const char *path;    /* see format_quote() */
	const char *same_as; /* quoted; NULL: it has content of its own */
	const char *charset; /* it was converted from; NULL: UTF-8 */
	const char *hint;    /* of the language; not ended by NUL */
	uint32_t hint_bytes;
	uint64_t line_first;
	uint64_t line_last;
	uint32_t fence;  /* backticks */
	bool empty;      /* the file has no bytes */
	bool no_newline; /* the file does not end with a newline */
};

/* Text in the making, in memory of the caller. */
struct format_text {
	char *at;
	size_t room;
	bool short_of_room; /* some of it did not fit */
	/* makes room for more; NULL: what is there has to do */
	void (*spill)(struct format_text *text);
};

/* Backticks of a fence around content whose longest run this is. */
uint32_t
format_fence(uint32_t backtick_run);

/*
 * shape:  puts a name into quotes that holds " (" and has none yet: it could
 *         be taken for what headers say behind a name
 * owner:  the caller's, with room for two more bytes; printable already, so
 *         that nothing in it needs an escape
 */
void
format_quote(char *name);

/* The header line, and the opening fence if content follows. */
void
format_open(struct format_text *text, const struct format_section *section);

/* The closing fence, after the content's own last newline or a new one. */
void
format_close(struct format_text *text, uint32_t fence, bool needs_newline);

/* What stands in the place of lines that are left out. */
void
format_gap(struct format_text *text, uint64_t line_first, uint64_t line_last);

/* What stands where the rest of a file could not be had. */
void
format_broken(struct format_text *text, const char *reason);

#endif
