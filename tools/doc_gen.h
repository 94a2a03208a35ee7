/* SPDX-License-Identifier: MIT */
/*
 * doc_gen.h - what the generators of manual and completions share.
 */
#ifndef TOOLS_DOC_GEN_H
#define TOOLS_DOC_GEN_H

#include "cli/command_line.h"

/* Option number i of a command; NULL: there is none behind the last. */
const struct option_spec *
doc_option_at(enum command command, size_t i);

/* Each writes one file to stdout. */
void
doc_write_bash(void);
void
doc_write_zsh(void);
void
doc_write_fish(void);

#endif
