/* SPDX-License-Identifier: MIT */
/*
 * unpack.h - the files of outputs, as they were, below a directory.
 *
 * Does: writes each file that is whole, copies those that are the same as an
 *       earlier one, converts back what was converted; names what is not
 *       whole, or not what its header says, and what stands in the way.
 * Does not: write a part of a file, or more bytes than it may.
 * Runs in: `bale unpack`.
 */
#ifndef CLI_UNPACK_H
#define CLI_UNPACK_H

#include "markup/read.h"
#include "stages/count/count_normal.h"
#include "catalogue/files.h"
#include "cli/unpack_dir.h"

/* A conversion under way; zeroed, but for the set, at the start. */
struct charset_back {
	enum charset to;
	bool begun;
	uint8_t held_nr;
	uint8_t held[4];
};

/* What came of the file in work. */
enum unpack_state { UNPACK_WRITES = 0, UNPACK_PARTIAL, UNPACK_FAILED };

/* What it is about. Zeroed but for the first block at the start. */
struct unpack {
	struct unpack_dir *dir;
	bool force;         /* replaces files that are there already */
	uint64_t bytes_max; /* that may be written */
	bool lacks_parts;   /* of the output that is read */

	uint64_t written_nr;
	uint64_t partial_nr;
	uint64_t failed_nr;
	uint64_t bytes; /* written */

	void *written;           /* tsearch(3): paths of this run */
	struct unpack_file file; /* in work, as all that follows */
	char *path;
	enum unpack_state state;
	bool goes_on;       /* it has more in the next part */
	uint64_t line_last; /* of what there is of it */
	uint64_t line_nr;   /* of all of it, as its last piece says */
	bool mid_line;      /* what there is of it ends within a line */
	struct charset_back back;
	char charset[32]; /* "": it was not converted */
	struct count_sha256 sha256;
	uint32_t hash; /* that it should have */
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
