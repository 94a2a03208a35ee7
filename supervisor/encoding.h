/* SPDX-License-Identifier: MIT */
/*
 * encoding.h - the tokenizer that --encoding names.
 */
#ifndef SUPERVISOR_ENCODING_H
#define SUPERVISOR_ENCODING_H

struct tokenizer;

/*
 * shape:  the tokenizer of a built-in encoding, or that of a Hugging Face
 *         tokenizer.json, which is a name that ends with ".json"
 * owner:  the process, until its end; forked workers share it
 * errors: the exit code to end with; what is wrong has been said
 * calls:  each command that counts, before any fork
 */
int
encoding_open(const struct tokenizer **out, const char *name);

#endif
