/* SPDX-License-Identifier: MIT */
/*
 * vocab_image.c - makes the images that are part of the program.
 *
 * usage: vocab_image IN OUT
 *
 * Does: turn data/NAME.vocab.zst (see vocab_convert.cjs) into the image of a
 *       vocabulary, data/unicode_class.txt into the table of classes and
 *       data/unicode_nfc.txt into that of normalising.
 * Runs in: the build.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

#include "tokenizer/unicode.h"
#include "tokenizer/vocab_build.h"
#include "tools/vocab_image.h"

_Noreturn void
fail(const char *file, const char *why)
{
	fprintf(stderr, "vocab_image: %s: %s\n", file, why);
	exit(1);
}

uint8_t *
read_file(const char *path, size_t *len)
{
	FILE *file = fopen(path, "rb");
	uint8_t *mem;
	long size;

	if (file == NULL || fseek(file, 0, SEEK_END) != 0 ||
	    (size = ftell(file)) < 0 || fseek(file, 0, SEEK_SET) != 0)
		fail(path, strerror(errno));
	mem = malloc((size_t)size + 1);
	if (mem == NULL || fread(mem, 1, (size_t)size, file) != (size_t)size)
		fail(path, "cannot be read");
	fclose(file);
	mem[size] = '\0';
	*len = (size_t)size;
	return mem;
}

void
write_file(const char *path, const void *mem, size_t len)
{
	FILE *file = fopen(path, "wb");

	if (file == NULL || fwrite(mem, 1, len, file) != len ||
	    fclose(file) != 0)
		fail(path, "cannot be written");
}

static uint8_t *
decompress(const char *path, size_t *len)
{
	size_t packed_len;
	uint8_t *packed = read_file(path, &packed_len);
	unsigned long long size = ZSTD_getFrameContentSize(packed, packed_len);
	uint8_t *mem;

	if (size > 64u << 20)
		fail(path, "no zstd frame of a sane size");
	mem = malloc((size_t)size + 1);
	if (mem == NULL)
		fail(path, "out of memory");
	*len = ZSTD_decompress(mem, (size_t)size, packed, packed_len);
	if (ZSTD_isError(*len))
		fail(path, ZSTD_getErrorName(*len));
	free(packed);
	return mem;
}

/* A reader of bytes that ends the program where there are too few. */
struct cursor {
	const char *path;
	const uint8_t *at;
	size_t left;
};

static const uint8_t *
take(struct cursor *cursor, size_t len)
{
	const uint8_t *at = cursor->at;

	if (cursor->left < len)
		fail(cursor->path, "is too short");
	cursor->at += len;
	cursor->left -= len;
	return at;
}

static void
make_vocab(const char *in, const char *out)
{
	struct cursor cursor = { in, NULL, 0 };
	struct vocab_source source = { .name = NULL };
	uint32_t ranks_nr, specials_nr, i;
	struct vocab_token *ids;
	size_t len;
	void *mem;

	cursor.at = decompress(in, &cursor.left);
	if (memcmp(take(&cursor, 8), "balevoc1", 8) != 0)
		fail(in, "is no vocabulary");
	source.pattern = vocab_load32(take(&cursor, 4));
	ranks_nr = vocab_load32(take(&cursor, 4));
	specials_nr = vocab_load32(take(&cursor, 4));
	source.name = (const char *)take(&cursor, 32);
	ids = calloc(1u << VOCAB_ID_BITS, sizeof(*ids));
	if (ids == NULL || ranks_nr >= 1u << VOCAB_ID_BITS ||
	    source.name[31] != '\0')
		fail(in, "is out of bounds");
	source.ranks_nr = ranks_nr;
	source.ids_nr = ranks_nr;
	for (i = 0; i < ranks_nr; i++) {
		ids[i].len = *take(&cursor, 1);
		ids[i].bytes = take(&cursor, ids[i].len);
	}
	for (i = 0; i < specials_nr; i++) {
		uint32_t id = vocab_load32(take(&cursor, 4));

		if (id >= (1u << VOCAB_ID_BITS) - 1 || ids[id].len != 0)
			fail(in, "has a special token out of place");
		ids[id].len = *take(&cursor, 1);
		ids[id].bytes = take(&cursor, ids[id].len);
		ids[id].is_special = true;
		if (id >= source.ids_nr)
			source.ids_nr = id + 1;
	}
	source.ids = ids;
	len = vocab_build_bytes(&source);
	mem = len ? aligned_alloc(64, len) : NULL;
	if (mem == NULL)
		fail(in, "cannot be made into an image");
	memset(mem, 0, len);
	if (vocab_build(mem, &source) != 0)
		fail(in, "breaks a rule of tokenizer/vocab.h");
	write_file(out, mem, len);
}

static uint8_t
class_bit(const char *path, const char *name)
{
	static const char *const names[] = { "other",  "punct",  "upper",
					     "lower",  "letter", "mark",
					     "number", "space",  "newline" };
	uint8_t bit;

	for (bit = 0; bit < sizeof(names) / sizeof(names[0]); bit++)
		if (strcmp(name, names[bit]) == 0)
			return bit;
	fail(path, "has an unknown class");
}

static void
make_classes(const char *in, const char *out)
{
	size_t len, bytes = sizeof(struct unicode_table), i, j;
	uint8_t *classes = calloc(1, MAX_RUNES);
	struct unicode_table *table = calloc(1, bytes + MAX_RUNES);
	char *line, *rest = (char *)read_file(in, &len);
	uint16_t used = 0;

	if (classes == NULL || table == NULL)
		fail(in, "out of memory");
	while ((line = strsep(&rest, "\n")) != NULL) {
		unsigned first, last;
		char name[16];

		if (line[0] == '#' || line[0] == '\0')
			continue;
		if (sscanf(line, "%x %x %15s", &first, &last, name) != 3 ||
		    last < first || last >= MAX_RUNES)
			fail(in, "has a line that is no range");
		memset(classes + first, class_bit(in, name), last - first + 1);
	}
	memcpy(table->magic, "baleuni", 8);
	for (i = 0; i < UNICODE_BLOCKS; i++) {
		for (j = 0; j < used; j++)
			if (memcmp(table->classes + 128 * j, classes + 128 * i,
				   128) == 0)
				break;
		if (j == used)
			memcpy(table->classes + 128 * used++, classes + 128 * i,
			       128);
		table->blocks[i] = (uint16_t)j;
	}
	bytes += (size_t)used * 128;
	table->image_bytes = (uint32_t)bytes;
	table->checksum = unicode_checksum(table, bytes);
	write_file(out, table, bytes);
}

int
main(int argc, char **argv)
{
	if (argc != 3)
		fail("usage", "vocab_image IN OUT");
	if (strstr(argv[1], "unicode_class") != NULL)
		make_classes(argv[1], argv[2]);
	else if (strstr(argv[1], "unicode_nfc") != NULL)
		make_nfc(argv[1], argv[2]);
	else
		make_vocab(argv[1], argv[2]);
	return 0;
}
