/* SPDX-License-Identifier: MIT */
/*
 * vocab_image.h - what the parts of the tool that makes images share.
 */
#ifndef TOOLS_VOCAB_IMAGE_H
#define TOOLS_VOCAB_IMAGE_H

#include <stddef.h>
#include <stdint.h>

#define MAX_RUNES 0x110000u

/* Says what is wrong with a file and ends the program. */
_Noreturn void
fail(const char *file, const char *why);

/* All of a file, ended by NUL; *len without it. Never fails. */
uint8_t *
read_file(const char *path, size_t *len);

/* Writes a whole file, or ends the program. */
void
write_file(const char *path, const void *mem, size_t len);

/* data/unicode_nfc.txt to the table of tokenizer/nfc.h. */
void
make_nfc(const char *in, const char *out);

#endif
