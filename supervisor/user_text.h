/* SPDX-License-Identifier: MIT */
/*
 * user_text.h - texts of the user's own that stand in the output: --header and
 * --instructions.
 */
#ifndef SUPERVISOR_USER_TEXT_H
#define SUPERVISOR_USER_TEXT_H

#include "supervisor/options.h"

/*
 * shape:  reads them into *markup, which keeps them until the process ends;
 *         0 or an exit code: a file cannot be read, is too large, or holds a
 *         line that could be taken for the beginning of a packed file, or
 *         makes of the output another
 * calls:  cmd_pack(), before the first fork
 */
int
own_text_read(const struct options *options, struct markup_options *markup);

#endif
