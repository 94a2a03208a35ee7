/* SPDX-License-Identifier: MIT */
/*
 * encoding.h - the tokenizer that --encoding names.
 */
#ifndef SUPERVISOR_ENCODING_H
#define SUPERVISOR_ENCODING_H

#include <stdbool.h>
#include <stdint.h>

struct options;
struct tokenizer;

/*
 * shape:  whether the name of an encoding is that of a tokenizer.json: it ends
 *         with ".json"
 */
bool
encoding_is_file(const char *name);

/*
 * shape:  the tokenizer that the options ask for: a built-in encoding, or a
 *         Hugging Face tokenizer.json. *margin_percent is what counts have to
 *         be made greater by; where it is not 0 they are estimates, which has
 *         been said
 * owner:  the process, until its end; forked workers share it
 * errors: the exit code to end with; what is wrong has been said
 * calls:  each command that counts, before any fork
 */
int
encoding_open(const struct tokenizer **out, uint32_t *margin_percent,
	      const struct options *options);

/*
 * shape:  puts the vocabulary of a built-in encoding into large pages, where the
 *         kernel has any: a process that is forked after that has all of it
 *         mapped from its start, and looks it up without a miss. It takes as
 *         much memory once more, of this process and all its children together
 * calls:  a process that forks many others which count
 */
void
encoding_use_large_pages(const char *name);

#endif
