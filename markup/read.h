/* SPDX-License-Identifier: MIT */
/*
 * read.h - an output read back: which files are in it, and their content.
 *
 * Does: all formats of markup.h, as they are written there; XML and JSON also
 *       as another program would write them again, JSON in any layout and
 *       order of keys.
 * Does not: trust what it reads: lengths, depths, names, and the lines that a
 *           header promises are checked, time is linear. What names mean for a
 *           file system is for the caller.
 */
#ifndef MARKUP_READ_H
#define MARKUP_READ_H

#include "markup/sink.h"

struct markup_error {
	uint64_t line; /* of the output, from 1 */
	const char *what;
};

/*
 * shape:  the format that an output is in
 * errors: -EBADMSG: none of them, or there is no file in it; -ENOMEM
 */
int
markup_detect(const uint8_t *bytes, size_t nr, enum markup_kind *kind);

/*
 * shape:  whether a text begins as an output does that has no text of a user
 *         in front, in whatever format
 * units:  the first 512 bytes are enough
 */
bool
markup_begins_output(const uint8_t *bytes, size_t nr);

/* Whether the preamble of an output in Markdown or plain text stands below a
 * text of a user's: by the lines that it begins with. */
bool
markup_has_preamble(const uint8_t *bytes, size_t nr);

/*
 * shape:  the part that an output claims to be, a number of 1 to part->nr; both
 *         are 0 if it claims nothing
 * errors: -EBADMSG: an impossible part; -ENOMEM
 */
int
markup_read_part(const uint8_t *bytes, size_t nr, struct markup_part *part);

/*
 * shape:  passes every file of a whole output to the sink, in its order
 * errors: -EBADMSG: *error says what and where; -ENOMEM; the sink's own
 */
int
markup_read(enum markup_kind kind, const uint8_t *bytes, size_t nr,
	    const struct markup_sink *sink, struct markup_error *error);

#endif
