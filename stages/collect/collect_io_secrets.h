/* SPDX-License-Identifier: MIT */
/*
 * collect_io_secrets.h - secrets in what is read.
 *
 * Does: finds them in files that are read as they are, and in texts of git;
 *       keeps in which line of which file one is, and by which rule.
 * Does not: replace any in files: collect_io_part.c reads those again.
 * Runs in: the collector.
 */
#ifndef COLLECT_COLLECT_IO_SECRETS_H
#define COLLECT_COLLECT_IO_SECRETS_H

#include "stages/collect/collect_io_git_text.h"
#include "stages/collect/collect_io_record.h"

#define FINDINGS_STEP_MAX 2048 /* of a step; of more only their number */

/*
 * shape:  room for what a step may find
 * errors: -errno
 * calls:  at the beginning of a step
 */
int
collect_secrets_reserve(struct collect_files *files);

/* Notes a secret of a file, or of a text of git, in its 1-based line, or that
 * the key noted last goes on. */
void
collect_secrets_note(struct collect_files *files, uint32_t file_idx,
		     const struct secrets_piece *piece, uint64_t line);

/*
 * shape:  looks for secrets in a part of a file that is UTF-8 and as it is:
 *         whether they are to be replaced, or exclude the file; other ones are
 *         noted. A part that is not the last one ends before what cannot be
 *         decided without the next
 */
void
collect_secrets_look_at(struct collect_files *files,
			struct collect_large *large, struct collect_part *part);

/* Keeps of a part what has to be known of it when the next one is read. */
void
collect_secrets_keep(struct collect_large *large,
		     const struct collect_part *part);

/*
 * shape:  takes the secrets out of a text of git, or tells of them
 * units:  what: FINDING_IN_GIT_LOG or FINDING_IN_GIT_DIFF
 * errors: as git_text_add(): the text is as it was
 */
int
collect_secrets_clean(struct collect_files *files, uint32_t what,
		      struct git_text *text);

#endif
