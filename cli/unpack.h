/* SPDX-License-Identifier: MIT */
/*
 * unpack.h - restores the files of outputs below a directory.
 *
 * Does: writes each complete file, copies duplicates of an earlier one,
 *       converts encodings back; names files that are incomplete, contradict
 *       their header, or are in the way.
 * Does not: write a part of a file, or more bytes than allowed.
 * Runs in: `bale unpack`.
 */
#ifndef CLI_UNPACK_H
#define CLI_UNPACK_H

#include "markup/read.h"
#include "stages/count/count_normal.h"
#include "catalogue/files.h"
#include "cli/unpack_dir.h"

/* The state of a conversion; zeroed, except the set, at the start. */
struct charset_back {
	enum charset to;
	bool begun;
	uint8_t held_nr;
	uint8_t held[4];
};

/* The state of the current file. */
enum unpack_state { UNPACK_WRITES = 0, UNPACK_PARTIAL, UNPACK_FAILED };

/* The state of unpacking. Zeroed, except the first block, at the start. */
struct unpack {
	struct unpack_dir *dir;
	bool force;         /* replaces files that are there already */
	uint64_t bytes_max; /* that may be written */
	bool lacks_parts;   /* of the output that is read */

	uint64_t written_nr;
	uint64_t partial_nr;
	bool has_signatures; /* that some of these are */
	uint64_t failed_nr;
	uint64_t bytes; /* written */

	void *written;           /* tsearch(3): paths of this run */
	struct unpack_file file; /* the current file, as all that follows */
	char *path;
	enum unpack_state state;
	bool goes_on;       /* it continues in the next part */
	uint64_t line_last; /* of what there is of it */
	uint64_t line_nr;   /* of all of it, as its last piece says */
	bool mid_line;      /* what there is of it ends within a line */
	struct charset_back back;
	char charset[32]; /* "": it was not converted */
	struct sha256 sha256;
	uint32_t hash; /* from its header */
	bool has_hash;
	bool said_absolute;
	bool said_device;
};

/* Begins with nothing unpacked, and no limit. */
void
unpack_init(struct unpack *unpack, struct unpack_dir *dir);

/*
 * shape:  unpacks one output, or a part of one
 * errors: -EBADMSG: *error says what and where; -EFBIG: bytes_max; -ENOMEM
 */
int
unpack_read(struct unpack *unpack, const uint8_t *bytes, size_t nr,
	    struct markup_error *error);

/* When all are read: names what was never finished, and frees. */
void
unpack_fini(struct unpack *unpack);

#endif
