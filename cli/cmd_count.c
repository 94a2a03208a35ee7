/* SPDX-License-Identifier: MIT */
/*
 * cmd_count.c - `bale count`: a line for each file, and their total.
 *
 * Does: streams each file through the tokenizer, so that a file of any size
 *       takes the same memory; with --ids, prints the ids, one a line; with
 *       --json, docs/count.schema.json.
 * Does not: go into directories: where all that is named are some, main() has
 *           them counted as by `bale tree`.
 * Runs in: one process, and where several regular files have enough text for
 *          more, helpers that count some of them (cli/work_share.h).
 */
#include "cli/command_line.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/diag.h"
#include "base/fd_io.h"
#include "base/number_format.h"
#include "supervisor/encoding.h"
#include "base/emit.h"
#include "supervisor/sandbox.h"
#include "base/stream.h"
#include "cli/work_share.h"
#include "supervisor/supervisor.h"
#include "tokenizer/tokenizer.h"
#include "rank/budget.h"
#include "stages/job.h"

#define BLOCK_BYTES (256u << 10)
/* Less text does without a cache, more has the one that packing has. */
#define SMALL_WORTH_BYTES (64u << 10)
#define SMALL_CACHE_LOG2 16
#define LARGE_WORTH_BYTES (4u << 20)
#define LARGE_CACHE_LOG2 19
#define HUGE_PAGE_BYTES (2u << 20)
#define STDIN_BYTES 9999999 /* for as many digits as wc has */
/* A process more costs as much as counting a part of this. */
#define SHARE_WORTH_BYTES (2u << 20)

struct counting {
	const struct options *options;
	const struct text_list *paths; /* none: stdin */
	struct work_share share;       /* of regular files, if they are many */
	const struct tokenizer *tokenizer;
	struct tokenizer_cache *cache; /* NULL: not worth it yet */
	unsigned cache_log2;           /* 0: there is none */
	uint64_t bytes;                /* of all files so far */
	struct job pack;               /* for the margin of a model */
	bool print_ids;
	int64_t *counted;     /* of each file, if that is known; or NULL */
	struct emitter *json; /* NULL: lines */
	int width;
	uint8_t *text; /* text_room bytes */
	size_t text_room;
	uint32_t *ids;
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
	return 0;
}

static uint64_t
print_ids(struct counting *counting, size_t bytes)
{
	size_t nr = tokenizer_encode(counting->tokenizer, counting->text, bytes,
				     counting->ids);

	for (size_t i = 0; i < nr; i++) {
		if (counting->json != NULL)
			emit_u64(counting->json, NULL, counting->ids[i]);
		else
			printf("%u\n", counting->ids[i]);
	}
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

/* NULL and "-" are stdin. */
static int64_t
count_path(struct counting *counting, const char *path)
{
	int64_t tokens;
	int fd;

	if (path == NULL || strcmp(path, "-") == 0)
		return count_fd(counting, STDIN_FILENO);
	fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
	if (fd < 0)
		return -errno;
	posix_fadvise(fd, 0, 0, POSIX_FADV_SEQUENTIAL);
	tokens = count_fd(counting, fd);
	close(fd);
	return tokens;
}

static int64_t
count_item(void *counting, uint64_t idx)
{
	const struct counting *here = counting;

	return count_path(counting, here->paths->items[idx]);
}

static int64_t
count_file(struct counting *counting, size_t idx)
{
	if (counting->counted != NULL)
		return counting->counted[idx];
	if (counting->paths->nr == 0)
		return count_path(counting, NULL);
	return counting->share.shm == NULL
		       ? count_item(counting, idx)
		       : work_share_result(&counting->share, idx);
}

static void
print_line(const struct counting *counting, uint64_t tokens, const char *path)
{
	char name[8192]; /* no path is cut */

	if (counting->print_ids)
		return;
	if (path == NULL) {
		printf("%ju\n", tokens);
		return;
	}
	printf("%*ju %s\n", counting->width, tokens,
	       diag_quote_text(name, sizeof(name), path));
}

/* The object of a file; its text is counted between the two. */
static void
emit_begin_file(const struct counting *counting, const char *path)
{
	struct emitter *out = counting->json;

	emit_begin(out, NULL, '{');
	if (path == NULL)
		emit_null(out, "path");
	else
		emit_path(out, "path", (const uint8_t *)path, strlen(path));
	if (counting->print_ids)
		emit_begin(out, "ids", '[');
}

static const char *
directory_error(const struct counting *counting)
{
	if (counting->print_ids)
		return "Is a directory; --ids is for files";
	if (counting->paths->nr == 0)
		return "Is a directory; name it: bale count DIR";
	return "Is a directory; files and directories cannot be counted "
	       "together";
}

/* What a result below 0 means. */
static const char *
count_error(const struct counting *counting, int64_t result, char *out,
	    size_t size)
{
	int signal_nr = (int)-result - WORK_KILLED;

	if (result == -EISDIR)
		return directory_error(counting);
	if (signal_nr < 0)
		return diag_errno((int)result);
	snprintf(out, size,
		 "the process that counts it was killed by signal "
		 "%d (%s)",
		 signal_nr, strsignal(signal_nr));
	return out;
}

static void
emit_end_file(const struct counting *counting, int64_t tokens,
	      const char *error)
{
	struct emitter *out = counting->json;

	if (counting->print_ids)
		emit_end(out, ']');
	if (tokens < 0)
		emit_text(out, "error", error);
	else
		emit_u64(out, "tokens", (uint64_t)tokens);
	emit_end(out, '}');
}

/* Tokens of a file, as its model has them, or -errno; both are said. */
static int64_t
tell_file(struct counting *counting, size_t idx)
{
	const char *path =
		counting->paths->nr > 0 ? counting->paths->items[idx] : NULL;
	const char *error = NULL;
	char text[128];
	int64_t tokens;

	if (counting->json != NULL)
		emit_begin_file(counting, path);
	tokens = count_file(counting, idx);
	if (tokens >= 0)
		tokens = (int64_t)budget_model_tokens(
			(uint64_t)tokens, counting->pack.margin_percent);
	else
		error = count_error(counting, tokens, text, sizeof(text));
	if (counting->json != NULL)
		emit_end_file(counting, tokens, error);
	else if (tokens >= 0)
		print_line(counting, (uint64_t)tokens, path);
	if (tokens >= 0)
		return tokens;
	fflush(stdout);
	diag_log(DIAG_ERROR, "%s: %s", path == NULL ? "stdin" : QUOTED(path),
		 error);
	return tokens;
}

/* All files, or stdin: *total; 0 or EXIT_DEGRADED. */
static int
count_all(struct counting *counting, uint64_t *total)
{
	int code = EXIT_COMPLETE;

	*total = 0;
	for (size_t i = 0; i < max_u64(counting->paths->nr, 1); i++) {
		int64_t tokens = tell_file(counting, i);

		if (tokens < 0)
			code = EXIT_DEGRADED;
		else
			*total = add_sat_u64(*total, (uint64_t)tokens);
	}
	return code;
}

/* With --fail-over all is counted before a line is written: 0 or an exit code. */
static int
check_size(struct counting *counting)
{
	uint64_t most = counting->options->fail_over_tokens;
	uint64_t nr = max_u64(counting->paths->nr, 1);
	int64_t *counted;
	uint64_t total = 0;

	if (most == 0)
		return EXIT_COMPLETE;
	counted = calloc(nr, sizeof(*counted));
	if (counted == NULL)
		return exit_out_of_memory();
	for (size_t i = 0; i < nr; i++) {
		counted[i] = count_file(counting, i);
		if (counted[i] > 0)
			total = add_sat_u64(
				total, budget_model_tokens(
					       (uint64_t)counted[i],
					       counting->pack.margin_percent));
	}
	counting->counted = counted;
	if (total <= most)
		return EXIT_COMPLETE;
	return exit_with(EXIT_FRAME,
			 "BALE-BUD-008: there are %s tokens, %s more than "
			 "--fail-over %s; nothing is written",
			 COUNT_TEXT(total), COUNT_TEXT(total - most),
			 COUNT_TEXT(most));
}

static int
count_lines(struct counting *counting)
{
	uint64_t total;
	int code = count_all(counting, &total);

	if (counting->paths->nr > 1)
		print_line(counting, total, "total");
	return stream_finish_stdout() == 0 ? code : EXIT_OUTPUT;
}

static int
count_json(struct counting *counting)
{
	static struct emitter out;
	uint64_t total;
	int error;
	int code;

	counting->json = &out;
	emit_init(&out, STDOUT_FILENO);
	emit_begin(&out, NULL, '{');
	emit_u64(&out, "version", 1);
	emit_text(&out, "encoding", counting->options->encoding);
	emit_bool(&out, "estimated", counting->pack.margin_percent != 0);
	emit_begin(&out, "files", '[');
	code = count_all(counting, &total);
	emit_end(&out, ']');
	emit_u64(&out, "tokens", total);
	emit_end(&out, '}');
	emit_line(&out);
	error = emit_finish(&out);
	return error == 0 ? code : exit_cannot_write(NULL, error);
}

/* ---- before the first byte of a file ------------------------------------- */

/* Sums up the sizes of the files; false: some must be read in their order. */
static bool
sum_sizes(const struct text_list *paths, uint64_t *sum)
{
	bool is_regular = true;

	*sum = 0;
	for (size_t i = 0; i < paths->nr; i++) {
		struct stat st;

		if (strcmp(paths->items[i], "-") == 0) {
			*sum = STDIN_BYTES; /* not known before it is read */
			return false;
		}
		if (stat(paths->items[i], &st) != 0)
			continue;
		if (S_ISREG(st.st_mode))
			*sum = add_sat_u64(*sum, (uint64_t)st.st_size);
		else
			is_regular &= S_ISDIR(st.st_mode);
	}
	return is_regular;
}

/* Confines the process, and opens what it counts with. */
static int
enter(struct counting *counting)
{
	/* it tells numbers alone; a rule for each of many files takes longer */
	const struct sandbox_place all = { .path = "/" };
	int code = sandbox_enter_command(counting->options->sandbox_layers,
					 &all, 1);

	return code == EXIT_COMPLETE
		       ? encoding_open(&counting->tokenizer,
				       &counting->pack.margin_percent,
				       counting->options)
		       : code;
}

/* In a helper; what is wrong the command itself says. */
static bool
begin_helper(void *counting)
{
	diag_init(-1, DIAG_ERROR, false, "");
	return enter(counting) == EXIT_COMPLETE;
}

/* As many digits as the most tokens there can be have, as wc does it for
 * bytes; and helpers, if there is so much that they are worth it. */
static void
plan(struct counting *counting)
{
	struct work work = { .item_nr = counting->paths->nr,
			     .begin = begin_helper,
			     .item = count_item,
			     .context = counting };
	uint64_t bytes;
	bool can_share = sum_sizes(counting->paths, &bytes);
	uint64_t nr = min_u64(bytes / SHARE_WORTH_BYTES, work.item_nr);

	counting->width = snprintf(NULL, 0, "%ju", bytes);
	if (!can_share || counting->print_ids || nr < 2)
		return;
	work.helper_nr = (uint32_t)min_u64(nr, options_cpu_nr()) - 1;
	if (work.helper_nr > 0)
		work_share_begin(&counting->share, &work);
}

int
cmd_count(struct command_line *line)
{
	static struct counting counting;
	int code;

	counting.options = &line->run;
	counting.paths = &line->run.operands;
	counting.print_ids = line->run.print_ids;
	counting.text_room = BLOCK_BYTES;
	counting.text = malloc(counting.text_room);
	if (counting.text == NULL)
		return exit_out_of_memory();
	plan(&counting);
	code = enter(&counting);
	if (code != EXIT_COMPLETE)
		return code;
	if (counting.print_ids && tokenizer_is_estimate(counting.tokenizer))
		return exit_with(EXIT_INTERNAL,
				 "--ids: without a vocabulary there are "
				 "none; bale count estimates");
	if (!counting.print_ids)
		code = check_size(&counting);
	if (code == EXIT_COMPLETE)
		code = line->run.json ? count_json(&counting)
				      : count_lines(&counting);
	work_share_end(&counting.share);
	free(counting.text);
	free(counting.ids);
	free(counting.counted);
	free(counting.cache);
	return code;
}
