/* SPDX-License-Identifier: MIT */
/*
 * part_operands.h - parts of outputs that are given on a command line.
 *
 * Does: takes a manifest for the parts that it names; compares a part with the
 *       manifest that lies beside it.
 * Does not: say that parts are missing which no manifest was given for.
 * Runs in: the process of `bale unpack` or `bale verify`; manifests that are
 *          given are read by a child that is shut in, as who reads is not yet.
 */
#ifndef CLI_PART_OPERANDS_H
#define CLI_PART_OPERANDS_H

#include "supervisor/options.h"
#include "supervisor/sandbox.h"

/*
 * shape:  what is to be read instead of the operands: for a manifest the parts
 *         that it names and that are not given as well. Parts that are not
 *         there are told of and counted; a file with the name of a manifest
 *         that is none is an error.
 * owner:  part_operands_fini(), also on failure
 * errors: an exit code, with a line
 */
int
part_operands_expand(const struct options *options, struct text_list *out,
		     uint64_t *missing_nr);

/*
 * shape:  shuts the process in, but for these files, the manifests that may lie
 *         beside them, what the options name, and places for copies; dir_fd:
 *         a directory to write below, -1: there is none
 * errors: an exit code, with a line
 */
int
part_operands_enter(const struct options *options,
		    const struct text_list *files, int dir_fd);

/* Frees the list. */
void
part_operands_fini(struct text_list *operands);

enum part_word {
	PART_WORD_NONE = 0, /* no manifest tells of it */
	PART_WORD_SAME,
	PART_WORD_DIFFERS,
	PART_WORD_UNKNOWN /* there is one, and it cannot be read */
};

/* What the manifest beside a file says of it; one that cannot be read is told
 * of, once. */
enum part_word
part_operands_compare(const char *path);

#endif
