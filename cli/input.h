/* SPDX-License-Identifier: MIT */
/*
 * input.h - reads an output: mapped whole, decompressed if need be.
 *
 * Does: accepts a manifest for the parts that it names; compares a part with
 *       the manifest beside it.
 * Does not: report missing parts without a manifest.
 * Runs in: the process of `bale unpack` or `bale verify`; named manifests are
 *          read by a confined child, as the reader is not confined yet.
 * Invariants:
 * 1. The mapped text is a copy that nobody else can cut short.
 * 2. The copy is within its limit, and no more than that is ever written of
 *    compressed input.
 */
#ifndef CLI_INPUT_H
#define CLI_INPUT_H

#include "supervisor/options.h"
#include "supervisor/sandbox.h"

/* The limits of an input. */
struct input_limits {
	uint64_t memory_bytes; /* for a window, or a copy in memory */
	uint64_t output_bytes; /* for what decompresses; 0: by its size */
};

struct input {
	const uint8_t *bytes;
	size_t nr;
	uint64_t read_nr; /* as they were, compressed or not */
	bool in_memory;   /* the copy lies there */
};

/*
 * shape:  the content of a file, or of stdin for "-"; frames of zstd are
 *         decompressed. The copy lies in a nameless file in $TMPDIR or, if
 *         that is not set, in /tmp or /var/tmp, whichever is on a disk
 * owner:  input_close()
 * errors: -errno; -EBADMSG: damaged zstd; -E2BIG: it decompresses to more
 *         than output_bytes; -ENOBUFS: its window, or a copy that can only
 *         lie in memory, would be larger than memory_bytes; -EDQUOT, -ENOSPC:
 *         no room for the copy
 */
int
input_open(struct input *input, const char *path,
	   const struct input_limits *limits);

/* Logs an error of input_open(), and returns an exit code. */
int
input_complain(const char *path, int error);

/*
 * shape:  the default limit of what an input decompresses to, and of what is
 *         written of it
 */
uint64_t
input_default_limit(uint64_t read_nr);

/* Unmaps what was read; accepts what holds nothing. */
void
input_close(struct input *input);

/* ---- parts and their manifests -------------------------------------------- */

/*
 * shape:  what is to be read instead of the operands: for a manifest the parts
 *         that it names and that are not given as well. Parts that are not
 *         there are told of and counted; a file with the name of a manifest
 *         that is none is an error.
 * owner:  text_list_free(), also on failure
 * errors: an exit code, with a line
 */
int
part_operands_expand(const struct options *options, struct text_list *out,
		     uint64_t *missing_nr);

/*
 * shape:  confines the process to these files, the manifests beside them, files
 *         of the options, and places for copies; dir_fd: a directory to write
 *         below, -1: none
 * errors: an exit code, with a line
 */
int
part_operands_enter(const struct options *options,
		    const struct text_list *files, int dir_fd);

enum part_word {
	PART_WORD_NONE = 0, /* no manifest names it */
	PART_WORD_SAME,
	PART_WORD_DIFFERS,
	PART_WORD_UNKNOWN /* the manifest cannot be read */
};

/* Compares a file with the manifest beside it; warns once if that cannot be
 * read. */
enum part_word
part_operands_compare(const char *path);

#endif
