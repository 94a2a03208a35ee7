/* SPDX-License-Identifier: MIT */
/*
 * query_text.h - the lines of a query, and which of them are the task.
 *
 * Does: tells the task from what people are asked to add to it, or what comes
 *       with it: comments of issue templates, their headings, check lists,
 *       lists of versions, descriptions of a machine, quoted replies, trailers
 *       of commits; and code and logs from sentences.
 * Does not: know words or what they weigh (query.c).
 * Invariants:
 * 1. All input is foreign: any bytes are read in linear time.
 * 2. The first line that has anything in it is the task.
 */
#ifndef RANK_QUERY_TEXT_H
#define RANK_QUERY_TEXT_H

#include "base/base.h"

enum query_line {
	QUERY_LINE_TASK = 0,
	QUERY_LINE_CODE,     /* between fences, or indented */
	QUERY_LINE_COMMENT,  /* of a template, in HTML */
	QUERY_LINE_TEMPLATE, /* a heading or check box of one */
	QUERY_LINE_MACHINE,  /* versions, the environment */
	QUERY_LINE_QUOTE,    /* of what somebody else wrote */
	QUERY_LINE_TRAILER,  /* of a commit */
	QUERY_LINE_NR
};

/* true: what it says is of the task. */
static inline bool
query_line_counts(enum query_line line)
{
	return line <= QUERY_LINE_CODE;
}

/* A text that is read; owner: the caller's, zeroed but for the first two. */
struct query_text {
	const uint8_t *at;
	const uint8_t *end;
	bool is_begun; /* the first line has been read */
	bool is_mid_line;
	bool in_fence;
	bool in_comment;
	bool is_reply;           /* what is quoted now somebody else wrote */
	bool never_ends;         /* a comment that begins in the rest */
	uint8_t section;         /* of a machine, by its heading; 0: none */
	enum query_line of_line; /* that is read in parts */
};

/* A line, or what of it a comment leaves, with its newline. */
struct query_span {
	const uint8_t *text;
	size_t bytes;
	enum query_line line;
};

/*
 * shape:  spaces in place of what typesetting has for blanks, quotes and dashes:
 *         no-break spaces, curly quotes, full-width signs. A text that was
 *         copied from a page has them where words end
 * calls:  before anything else reads the text
 */
void
query_text_plain(uint8_t *text, size_t bytes);

/* The next one; false: there is none. */
bool
query_text_next(struct query_text *text, struct query_span *span);

#endif
