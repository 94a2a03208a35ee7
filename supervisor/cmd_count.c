/* SPDX-License-Identifier: MIT */
/*
 * cmd_count.c - `bale count`: a line for each file, and their total.
 *
 * Does: streams each file through the tokenizer, so that a file of any size
 *       takes the same memory; with --ids, prints the ids, one a line.
 * Does not: go into directories (`bale tree` does), start workers.
 * Runs in: the one process there is.
 */
#include "supervisor/cmd_count.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "shm/diag.h"
#include "shm/fd_io.h"
#include "supervisor/encoding.h"
#include "supervisor/supervisor.h"
#include "tokenizer/tokenizer.h"

#define BLOCK_BYTES (256u << 10)
/* Less text does without a cache, more has the one that packing has. */
#define SMALL_WORTH_BYTES (64u << 10)
#define SMALL_CACHE_LOG2 16
#define LARGE_WORTH_BYTES (4u << 20)
#define LARGE_CACHE_LOG2 19
#define HUGE_PAGE_BYTES (2u << 20)

struct counting {
	const struct tokenizer *tokenizer;
	struct tokenizer_cache *cache; /* NULL: not worth it yet */
	unsigned cache_log2;           /* 0: there is none */
	uint64_t bytes;                /* of all files so far */
	struct pack_options pack;      /* for the margin of a model */
	bool print_ids;
	int width;
	uint8_t *text; /* text_room bytes */
	size_t text_room;
	uint32_t *ids;
	size_t id_room;
	struct token_stream stream;
};

/* A larger cache begins empty: what was in the small one is soon back. */
static void
make_cache(struct counting *counting, unsigned log2)
{
	size_t bytes = tokenizer_cache_bytes(log2);
	void *memory;

	if (counting->cache_log2 >= log2)
		return;
	counting->cache_log2 = log2; /* if there is no room, not again */
	memory = aligned_alloc(HUGE_PAGE_BYTES, (bytes + HUGE_PAGE_BYTES - 1) /
							HUGE_PAGE_BYTES *
							HUGE_PAGE_BYTES);
	if (memory == NULL)
		return;
	/* Asked for before the first touch; without it is slower, not wrong. */
	if (bytes >= HUGE_PAGE_BYTES)
		madvise(memory, bytes, MADV_HUGEPAGE);
	free(counting->cache);
	counting->cache = tokenizer_cache_init(memory, log2);
}

/* Tokens of an open file; -errno */
static int64_t
count_stream(struct counting *counting, int fd)
{
	ssize_t got;

	token_stream_init(&counting->stream);
	while ((got = fd_read_some(fd, counting->text, BLOCK_BYTES)) > 0) {
		counting->bytes += (uint64_t)got;
		if (counting->bytes > LARGE_WORTH_BYTES)
			make_cache(counting, LARGE_CACHE_LOG2);
		else if (counting->bytes > SMALL_WORTH_BYTES)
			make_cache(counting, SMALL_CACHE_LOG2);
		token_stream_feed(counting->tokenizer, counting->cache,
				  &counting->stream, counting->text,
				  (size_t)got);
	}
	if (got < 0)
		return got;
	return (int64_t)token_stream_count(counting->tokenizer,
					   &counting->stream);
}

/* Room for so many bytes of text and for their ids. */
static int
grow(struct counting *counting, size_t bytes)
{
	uint8_t *text = realloc(counting->text, bytes);
	uint32_t *ids;

	if (text == NULL)
		return -ENOMEM;
	counting->text = text;
	counting->text_room = bytes;
	ids = realloc(counting->ids,
		      tokenizer_encode_bound(bytes) * sizeof(*ids));
	if (ids == NULL)
		return -ENOMEM;
	counting->ids = ids;
	counting->id_room = tokenizer_encode_bound(bytes);
	return 0;
}

static uint64_t
print_ids(struct counting *counting, size_t bytes)
{
	size_t nr = tokenizer_encode(counting->tokenizer, counting->text, bytes,
				     counting->ids);

	for (size_t i = 0; i < nr; i++)
		printf("%u\n", counting->ids[i]);
	return nr;
}

/*
 * Ids of an open file, block by block, cut where a piece begins whatever
 * stands around it. Tokens, or -errno.
 */
static int64_t
print_stream(struct counting *counting, int fd)
{
	uint64_t tokens = 0;
	size_t held = 0;
	ssize_t got;

	for (;;) {
		struct token_span span;

		if (held + BLOCK_BYTES > counting->text_room ||
		    counting->ids == NULL) {
			int error = grow(counting, 2 * held + 2 * BLOCK_BYTES);

			if (error != 0)
				return error;
		}
		got = fd_read_some(fd, counting->text + held, BLOCK_BYTES);
		if (got <= 0)
			break;
		held += (size_t)got;
		tokenizer_span(counting->tokenizer, NULL, counting->text, held,
			       &span);
		if (!span.found)
			continue;
		tokens += print_ids(counting, span.tail_off);
		held -= span.tail_off;
		memmove(counting->text, counting->text + span.tail_off, held);
	}
	if (got < 0)
		return got;
	return (int64_t)(tokens + print_ids(counting, held));
}

static int64_t
count_fd(struct counting *counting, int fd)
{
	return counting->print_ids ? print_stream(counting, fd)
				   : count_stream(counting, fd);
}

static int64_t
count_file(struct counting *counting, const char *path)
{
	int64_t tokens;
	int fd;

	if (strcmp(path, "-") == 0)
		return count_fd(counting, STDIN_FILENO);
	fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
	if (fd < 0)
		return -errno;
	posix_fadvise(fd, 0, 0, POSIX_FADV_SEQUENTIAL);
	tokens = count_fd(counting, fd);
	close(fd);
	return tokens;
}

static void
print_line(const struct counting *counting, uint64_t tokens, const char *path)
{
	char name[8192];

	if (counting->print_ids)
		return;
	if (path == NULL) {
		printf("%llu\n", (unsigned long long)tokens);
		return;
	}
	printf("%*llu %s\n", counting->width, (unsigned long long)tokens,
	       diag_quote_text(name, sizeof(name), path));
}

/* Digits of the most tokens there can be, as wc does it for bytes. */
static int
column_width(const struct text_list *paths)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < paths->nr; i++) {
		struct stat st;

		if (strcmp(paths->items[i], "-") == 0)
			return 7; /* not known before it is read */
		if (stat(paths->items[i], &st) == 0 && S_ISREG(st.st_mode))
			sum = add_sat_u64(sum, (uint64_t)st.st_size);
	}
	return snprintf(NULL, 0, "%llu", (unsigned long long)sum);
}

static int
count_all(struct counting *counting, const struct text_list *paths)
{
	int code = EXIT_COMPLETE;
	uint64_t total = 0;

	counting->width = column_width(paths);
	for (size_t i = 0; i < paths->nr; i++) {
		const char *path = paths->items[i];
		int64_t tokens = count_file(counting, path);
		char name[512];

		if (tokens < 0) {
			fflush(stdout);
			diag_log(DIAG_ERROR, "%s: %s",
				 diag_quote_text(name, sizeof(name), path),
				 strerror((int)-tokens));
			code = EXIT_DEGRADED;
			continue;
		}
		tokens = (int64_t)pack_model_tokens(&counting->pack,
						    (uint64_t)tokens);
		total = add_sat_u64(total, (uint64_t)tokens);
		print_line(counting, (uint64_t)tokens, path);
	}
	if (paths->nr > 1)
		print_line(counting, total, "total");
	return code;
}

static int
count_stdin(struct counting *counting)
{
	int64_t tokens = count_fd(counting, STDIN_FILENO);

	if (tokens < 0) {
		diag_log(DIAG_ERROR, "stdin: %s", strerror((int)-tokens));
		return EXIT_DEGRADED;
	}
	print_line(counting,
		   pack_model_tokens(&counting->pack, (uint64_t)tokens), NULL);
	return EXIT_COMPLETE;
}

int
cmd_count(const struct options *options)
{
	static struct counting counting;
	int code = encoding_open(&counting.tokenizer,
				 &counting.pack.margin_percent, options);

	if (code != EXIT_COMPLETE)
		return code;
	if (options->print_ids && tokenizer_is_estimate(counting.tokenizer)) {
		diag_log(DIAG_ERROR, "--ids: without a vocabulary there are "
				     "none; bale count estimates");
		return EXIT_INTERNAL;
	}
	counting.print_ids = options->print_ids;
	counting.text_room = BLOCK_BYTES;
	counting.text = malloc(counting.text_room);
	if (counting.text == NULL)
		return EXIT_RESOURCES;
	code = options->operands.nr == 0
		       ? count_stdin(&counting)
		       : count_all(&counting, &options->operands);
	free(counting.text);
	free(counting.ids);
	free(counting.cache);
	if (fflush(stdout) != 0 || ferror(stdout)) {
		diag_log(DIAG_ERROR, "stdout: %s", strerror(errno));
		return EXIT_OUTPUT;
	}
	return code;
}
