/* SPDX-License-Identifier: MIT */
/*
 * encoding.h - the tokenizer that --encoding names.
 */
#ifndef SUPERVISOR_ENCODING_H
#define SUPERVISOR_ENCODING_H

#include <stdbool.h>
#include <stdint.h>

#include "base/nearest.h"

#define ENCODINGS                                                        \
	"o200k_base, o200k_harmony, cl100k_base, p50k_base, p50k_edit, " \
	"r50k_base, gpt2"

struct options;
struct tokenizer;

/*
 * shape:  whether the name of an encoding is that of a tokenizer.json: it ends
 *         with ".json"
 */
bool
encoding_is_file(const char *name);

/* Whether it is one of ENCODINGS; false: `hint` is nearest_hint(). */
bool
encoding_is_known(const char *name, char hint[static HINT_BYTES]);

/* The model that was probably meant by a name that is none: nearest_hint(). */
const char *
model_hint(const char *name, char out[static HINT_BYTES]);

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

#endif
