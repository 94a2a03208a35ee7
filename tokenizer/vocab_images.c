/* SPDX-License-Identifier: MIT */
/*
 * vocab_images.c - the images that are part of the program.
 *
 * The assembler takes the images that tools/vocab_image.c made into a
 * read-only section of its own, aligned to pages: nothing is copied, nothing
 * is relocated, and all processes share the same pages of the program's file.
 */
#include "tokenizer/vocab_images.h"

#include <string.h>

#include "tokenizer/vocab.h"

#ifndef VOCAB_IMAGES_DIR
#define VOCAB_IMAGES_DIR "build/data"
#endif

#define INCLUDE_IMAGE(name, file)                                 \
	__asm__(".pushsection .rodata.images, \"a\", @progbits\n" \
		".balign 4096\n"                                  \
		".globl image_" #name "\n"                        \
		".hidden image_" #name "\n"                       \
		"image_" #name ":\n"                              \
		".incbin \"" VOCAB_IMAGES_DIR "/" file "\"\n"     \
		".globl image_end_" #name "\n"                    \
		".hidden image_end_" #name "\n"                   \
		"image_end_" #name ":\n"                          \
		".byte 0\n"                                       \
		".popsection\n")

INCLUDE_IMAGE(unicode, "unicode_class.img");
INCLUDE_IMAGE(nfc, "unicode_nfc.img");
#define VOCAB(name)                        \
	INCLUDE_IMAGE(name, #name ".img"); \
	VOCAB_IMAGE(uint8_t, name, []);
#include "tokenizer/vocab_images.def"
#undef VOCAB

/* Encodings that cut and merge text as another one, and differ in their
 * special tokens only, which no text becomes. */
static const char *const aliases[][2] = {
	{ "gpt2", "r50k_base" },
	{ "p50k_edit", "p50k_base" },
	{ "o200k_harmony", "o200k_base" },
};

static const char *
without_alias(const char *name)
{
	size_t i;

	for (i = 0; i < sizeof(aliases) / sizeof(aliases[0]); i++)
		if (strcmp(name, aliases[i][0]) == 0)
			return aliases[i][1];
	return name;
}

const void *
vocab_image_stand_in(const char *name)
{
#define VOCAB(id) { .name = #id },
	static const struct tokenizer stand_ins[] = {
#include "tokenizer/vocab_images.def"
	};
#undef VOCAB
	size_t i;

	name = without_alias(name);
	for (i = 0; i < sizeof(stand_ins) / sizeof(stand_ins[0]); i++)
		if (strcmp(name, stand_ins[i].name) == 0)
			return &stand_ins[i];
	return NULL;
}

const void *
vocab_image(const char *name, size_t *len_bytes)
{
	name = without_alias(name);
#define VOCAB(id)                                                   \
	if (strcmp(name, #id) == 0) {                               \
		*len_bytes = (size_t)(image_end_##id - image_##id); \
		return image_##id;                                  \
	}
#include "tokenizer/vocab_images.def"
#undef VOCAB
	return NULL;
}
