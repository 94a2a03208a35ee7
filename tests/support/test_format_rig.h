/* SPDX-License-Identifier: MIT */
/*
 * test_format_rig.h - an output without a worker: it lies in memory, and so
 *                     does what it is made of.
 */
#ifndef TESTS_SUPPORT_TEST_FORMAT_RIG_H
#define TESTS_SUPPORT_TEST_FORMAT_RIG_H

#include "tests/support/test_shm.h"

#include "catalogue/facts.h"
#include "catalogue/files.h"
#include "stages/format/format.h"

#define OUT_MAX (4u << 20)

static struct job job;
static struct catalogue facts_of_all;
static struct format_state state;
static struct format *format;
static struct slabs slabs;
static uint64_t path_next;
static uint8_t out[OUT_MAX];
static size_t out_bytes;
static int write_nr;

static inline int
write_here(int fd, struct iovec *pieces, size_t nr, uint64_t offset)
{
	write_nr++;
	for (size_t i = 0; i < nr; i++) {
		ASSERT_TRUE(offset + pieces[i].iov_len <= OUT_MAX);
		memcpy(out + offset, pieces[i].iov_base, pieces[i].iov_len);
		offset += pieces[i].iov_len;
		out_bytes = offset > out_bytes ? offset : out_bytes;
	}
	return fd;
}

static inline int
read_here(int fd, void *to, size_t nr, uint64_t offset)
{
	ASSERT_TRUE(offset + nr <= out_bytes);
	memcpy(to, out + offset, nr);
	return fd;
}

static inline int
truncate_here(int fd, uint64_t bytes)
{
	ASSERT_TRUE(bytes <= out_bytes);
	out_bytes = bytes;
	return fd;
}

static inline void
beat_nothing(struct worker *worker)
{
	(void)worker;
}

/* An output in Markdown of all files that there are. */
static inline int
format_setup(void **unused)
{
	(void)unused;
	memset(&job, 0, sizeof(job));
	memset(&state, 0, sizeof(state));
	job.takes_all = true;
	ASSERT_EQ(catalogue_create(&facts_of_all), 0);
	slabs = (struct slabs){ calloc(1, SLAB_BYTES), 1 };
	format = calloc(1, sizeof(*format));
	ASSERT_TRUE(slabs.base != NULL && format != NULL);
	ASSERT_EQ(tokenizer_open(&format->tokenizer, "cl100k_base"), 0);
	format->job = &job;
	format->catalogue = &facts_of_all;
	format->slabs = &slabs;
	format->state = &state;
	format->write = write_here;
	format->read = read_here;
	format->truncate = truncate_here;
	format->reserve = table_reserve;
	format->beat = beat_nothing;
	path_next = 0;
	out_bytes = 0;
	write_nr = 0;
	return 0;
}

static inline int
format_teardown(void **unused)
{
	(void)unused;
	catalogue_close(&facts_of_all);
	free(slabs.base);
	free(format);
	return 0;
}

/* What the job says is known by now: a step begins. */
static inline void
format_begin(void)
{
	format_out_init(format);
	format_out_begin(format);
}

static inline struct file_facts *
add_file(uint32_t file_idx, const char *path, const char *text)
{
	size_t bytes = strlen(text);
	struct file_record *file;
	struct file_facts *facts;

	ASSERT_EQ(table_reserve(&facts_of_all.files,
				(file_idx + 1) * sizeof(*file)),
		  0);
	ASSERT_EQ(table_reserve(&facts_of_all.facts,
				(file_idx + 1) * sizeof(*facts)),
		  0);
	ASSERT_EQ(table_reserve(&facts_of_all.paths, path_next + strlen(path)),
		  0);
	memcpy(table_at(&facts_of_all.paths, path_next, strlen(path)), path,
	       strlen(path));
	file = catalogue_file(&facts_of_all, file_idx);
	*file = (struct file_record){ .path_off = path_next,
				      .path_bytes = (uint32_t)strlen(path) };
	path_next += strlen(path);
	facts = catalogue_facts(&facts_of_all, file_idx);
	*facts = (struct file_facts){
		.bytes = bytes,
		.same_as = FILE_NONE,
		.next_copy = FILE_NONE,
		.no_newline = bytes > 0 && text[bytes - 1] != '\n',
	};
	for (size_t i = 0; i < bytes; i++)
		facts->line_nr += text[i] == '\n';
	facts->line_nr += facts->no_newline;
	format->file_nr = file_idx + 1;
	return facts;
}

/* Content from a line on, in the one slab; what was in it has been written. */
static inline struct desc
make_run(uint32_t file_idx, uint32_t line, const char *text, uint8_t flags)
{
	struct desc run = {
		.kind = DESC_RUN,
		.flags = flags,
		.file_idx = file_idx,
		.slab_off = SLAB_HEAD_BYTES,
		.bytes = (uint32_t)strlen(text),
		.line_first = line,
	};

	memcpy(slabs.base + SLAB_HEAD_BYTES, text, run.bytes);
	for (uint32_t i = 0; i < run.bytes; i++)
		run.line_nr += text[i] == '\n';
	run.line_nr += run.bytes > 0 && text[run.bytes - 1] != '\n';
	return run;
}

/* A step of one run. */
static inline void
take_run(uint32_t file_idx, uint32_t line, const char *text, uint8_t flags)
{
	struct desc run = make_run(file_idx, line, text, flags);

	format_out_begin(format);
	format_take(format, &run);
	ASSERT_EQ(format_out_end(format), 0);
}

/* A step of a whole file. */
static inline void
take_file(uint32_t file_idx, const char *path, const char *text)
{
	add_file(file_idx, path, text);
	take_run(file_idx, 1, text, DESC_LAST);
}

static inline void
finish(void)
{
	format_out_begin(format);
	ASSERT_EQ(format_finish(format, 1), 0);
	ASSERT_EQ(state.verdict_pass, 1);
}

static inline uint64_t
count(const void *text, size_t bytes)
{
	return tokenizer_count(format->tokenizer, NULL, text, bytes);
}

static inline void
assert_out(const char *want)
{
	if (out_bytes != strlen(want) || memcmp(out, want, out_bytes) != 0)
		fail_msg("got\n%.*s\nwant\n%s", (int)out_bytes, out, want);
}

#endif
