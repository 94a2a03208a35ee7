/* SPDX-License-Identifier: MIT */
/*
 * doc_gen.h - what the generators of manual and completions share.
 */
#ifndef TOOLS_DOC_GEN_H
#define TOOLS_DOC_GEN_H

#include "supervisor/options.h"

/* One option of one command, whichever table it is from. */
struct doc_row {
	const char *name;
	const char *argument; /* NULL: a flag */
	const char *optional; /* what may stand behind a flag: "[=REV]" */
	const char *standard; /* NULL: none, or the help says it */
	const char *help;
	char letter; /* 0: none */
};

/* Option number i of a command; false: there is none behind the last. */
bool
doc_row_at(enum command command, size_t i, struct doc_row *out);

/* Each writes one file to stdout. */
void
doc_write_bash(void);
void
doc_write_zsh(void);
void
doc_write_fish(void);

#endif
