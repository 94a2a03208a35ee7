/* SPDX-License-Identifier: MIT */
/*
 * vocab_images.h - the images that are part of the program.
 */
#ifndef TOKENIZER_VOCAB_IMAGES_H
#define TOKENIZER_VOCAB_IMAGES_H

#include <stddef.h>
#include <stdint.h>

/*
 * shape:  the image of a vocabulary, NULL if there is none of this name
 * units:  *len_bytes in bytes
 */
const void *
vocab_image(const char *name, size_t *len_bytes);

/*
 * shape:  a tokenizer without a vocabulary under the name of an existing one
 */
const void *
vocab_image_stand_in(const char *name);

/* An image and where it ends, by the name that the assembler gave it. */
#define VOCAB_IMAGE(type, name, array)                 \
	extern const type image_##name array           \
		__attribute__((visibility("hidden"))); \
	extern const uint8_t image_end_##name[]        \
		__attribute__((visibility("hidden")))

/* The tables of classes (unicode.h) and of normal forms (nfc.h). */
struct unicode_table;
struct nfc_table;
VOCAB_IMAGE(struct unicode_table, unicode, );
VOCAB_IMAGE(struct nfc_table, nfc, );

#endif
