/* SPDX-License-Identifier: MIT */
/*
 * sink.h - what is told of an output that is read back, and to whom.
 */
#ifndef MARKUP_SINK_H
#define MARKUP_SINK_H

#include "markup/markup.h"

#define MARKUP_PATH_BYTES_MAX (256u << 10)

/* The facts in a file's header. Owner: the reader, for the one call. */
struct markup_file {
	const uint8_t *path;
	size_t path_bytes;
	const uint8_t *same_as; /* the path of an earlier file */
	size_t same_as_bytes;   /* 0: it has content of its own, or is empty */
	char charset[32];       /* it was converted from; "": UTF-8 */
	uint64_t line_first;
	uint64_t line_last;
	uint64_t line_nr; /* of the whole file; line_last if unknown */
	bool has_line_nr; /* it was told */
	bool empty;
	bool is_changed;    /* some characters were escaped or left out */
	bool is_signatures; /* only signatures */
	uint8_t continued;  /* enum markup_continued */
	bool goes_on;       /* the rest is in the next part */
	bool is_stripped;   /* its comments were left out */
	bool has_hash;      /* of the whole text of the file, as UTF-8: */
	uint32_t hash;      /* markup_hash() */
};

/* Who is told of it; each gives 0, or an errno that ends the reading. */
struct markup_sink {
	void *context;
	int (*file)(void *context, const struct markup_file *file);
	/* the functions from here on may be NULL */
	/* content, as it was, in parts */
	int (*text)(void *context, const uint8_t *text, size_t nr);
	/* some lines of the file, or its rest, are missing */
	int (*gap)(void *context);
	/* the content contradicts the header; end() follows */
	int (*mismatch)(void *context, const char *why);
	int (*end)(void *context);
};

#endif
