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
 * shape:  a tokenizer without a vocabulary under the name of one that is there
 */
const void *
vocab_image_stand_in(const char *name);

/*
 * shape:  the table of Unicode classes, see unicode.h
 */
const void *
vocab_image_unicode(void);

/* Its size. */
size_t
vocab_image_unicode_bytes(void);

/*
 * shape:  the table of normalising, see nfc.h
 */
const void *
vocab_image_nfc(void);

/* The size of the table of normal forms. */
size_t
vocab_image_nfc_bytes(void);

#endif
