/* SPDX-License-Identifier: MIT */
/*
 * encoding.c - built-in encodings, and tokenizer.json files.
 */
#include "supervisor/encoding.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/diag.h"
#include "base/fd_io.h"
#include "supervisor/supervisor.h"
#include "tokenizer/models.h"
#include "tokenizer/tokenizer.h"
#include "tokenizer/tokenizer_hf.h"

#define JSON_BYTES_MAX (128u << 20)
#define NAME_BYTES 512
#define PAGE_BYTES 4096
#define LARGE_PAGE_BYTES (2u << 20)

bool
encoding_is_file(const char *name)
{
	size_t bytes = strlen(name);

	return bytes > 5 && strcmp(name + bytes - 5, ".json") == 0;
}

/* errors: -errno; *why tells what is wrong with what is in the file */
static int
open_json(const struct tokenizer **out, const char *path, const char **why)
{
	struct tokenizer *made;
	int fd = fd_open_input(path);
	size_t bytes;
	char *text;
	int error;

	if (fd < 0)
		return fd;
	error = fd_read_regular(fd, JSON_BYTES_MAX, &text, &bytes);
	close(fd);
	if (error != 0)
		return error;
	error = tokenizer_hf_load(&made, text, bytes, why);
	free(text);
	if (error != 0)
		return error;
	*out = made;
	return 0;
}

static void
say_what_is_wrong(const char *name, int error, const char *why)
{
	const char *quoted = QUOTED(name);

	if (why != NULL)
		diag_log(DIAG_ERROR,
			 "--encoding %s: unusable tokenizer.json: %s", quoted,
			 why);
	else if (error == -ENOENT && !encoding_is_file(name))
		diag_log(DIAG_ERROR,
			 "--encoding: unknown encoding %s: expected one "
			 "of " TOKENIZER_ENCODINGS ", or a file whose name "
			 "ends in .json%s",
			 quoted, TOKENIZER_ENCODING_HINT(name));
	else
		diag_log(DIAG_ERROR, "--encoding %s: %s", quoted,
			 fd_open_error(error));
}

/* What counts are made greater by; says so, and why. */
static uint32_t
margin_of(const struct tokenizer *tok, const struct options *options)
{
	const struct tokenizer_model *model =
		options->model == NULL ? NULL : tokenizer_model(options->model);
	uint32_t margin = options->pack.margin_percent;
	char warning[NAME_BYTES] = "";

	if (tokenizer_is_estimate(tok)) {
		if (margin < TOKENIZER_ESTIMATE_MARGIN)
			margin = TOKENIZER_ESTIMATE_MARGIN;
		snprintf(warning, sizeof(warning),
			 "the vocabulary of %s in this program is damaged "
			 "(checksum): counts are estimated, a quarter of the "
			 "bytes and a margin of %u %%; install bale again",
			 options->encoding, margin);
	} else if (margin != 0 && model != NULL) {
		snprintf(warning, sizeof(warning),
			 "%s %s: estimated with %s and a margin of %u %%%s",
			 options->model,
			 model->tokenizer == MODEL_PUBLISHED
				 ? "has a tokenizer that is not part of bale"
				 : "has no public tokenizer",
			 options->encoding, margin,
			 model->tokenizer == MODEL_PUBLISHED
				 ? "; --encoding FILE with its tokenizer.json "
				   "makes it exact, if it is byte-level BPE"
				 : "");
	}
	if (warning[0] != '\0')
		diag_log(DIAG_WARN, "%s", warning);
	return margin;
}

int
encoding_open(const struct tokenizer **out, uint32_t *margin_percent,
	      const struct options *options)
{
	const char *why = NULL, *name = options->encoding;
	int error = encoding_is_file(name) ? open_json(out, name, &why)
					   : tokenizer_open(out, name);

	if (error == 0) {
		*margin_percent = margin_of(*out, options);
		return EXIT_COMPLETE;
	}
	say_what_is_wrong(name, error, why);
	return error == -ENOMEM ? EXIT_RESOURCES : EXIT_USAGE;
}

/* Whether memory that was not touched yet lies in large pages: all of such a
 * page is there once a byte of it is. */
static bool
take_large_pages(uint8_t *mem, size_t bytes)
{
	if (madvise(mem, bytes, MADV_HUGEPAGE) != 0)
		return false;
	for (size_t at = 0; at < bytes; at += LARGE_PAGE_BYTES) {
		unsigned char is_there = 0;

		mem[at] = 0;
		if (mincore(mem + at + PAGE_BYTES, PAGE_BYTES, &is_there) !=
			    0 ||
		    !(is_there & 1))
			return false;
	}
	return true;
}

void
encoding_use_large_pages(const char *name)
{
	size_t image_bytes = tokenizer_image_bytes(name);
	size_t bytes = round_up_u64(image_bytes, LARGE_PAGE_BYTES);
	uint8_t *mem;
	uint8_t *first;

	if (image_bytes == 0)
		return;
	/* room for its beginning to be that of a large page */
	mem = mmap(NULL, bytes + LARGE_PAGE_BYTES, PROT_READ | PROT_WRITE,
		   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (mem == MAP_FAILED)
		return;
	first = mem + (-(uintptr_t)mem & (LARGE_PAGE_BYTES - 1));
	if (!take_large_pages(first, bytes)) {
		munmap(mem, bytes + LARGE_PAGE_BYTES);
		return;
	}
	tokenizer_move(first);
	mprotect(first, bytes, PROT_READ);
}
