/* SPDX-License-Identifier: MIT */
/*
 * input.c - files of `bale unpack` and `bale verify`.
 */
#include "cli/input.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zstd.h>
#include <zstd_errors.h>

#include "base/diag.h"
#include "base/fd_io.h"
#include "base/temp_file.h"
#include "stages/stage.h"
#include "supervisor/supervisor.h"

#define BLOCK_BYTES (256u << 10)
#define WINDOW_LOG_MAX 30 /* as of zstd where addresses are short */
#define LIMIT_MIN (1ull << 30)
#define LIMIT_RATIO 64 /* texts come to a tenth; duplicates to less */

/* A copy in the making. */
struct copy {
	int from;
	int to;
	const struct input_limits *limits;
	uint64_t file_bytes; /* 0: nobody knows */
	uint64_t read_nr;
	uint64_t written;
	uint64_t memory_max; /* UINT64_MAX: it lies on a disk */
	ZSTD_DCtx *zstd;     /* NULL: it is not compressed */
	size_t pending;      /* 0: between two frames */
};

uint64_t
input_default_limit(uint64_t read_nr)
{
	return max_u64(LIMIT_MIN, read_nr > UINT64_MAX / LIMIT_RATIO
					  ? UINT64_MAX
					  : LIMIT_RATIO * read_nr);
}

/* ---- where the copy lies ---- */

/* On a disk, if a place may be chosen. */
static int
open_temp(bool *in_memory)
{
	int fd = temp_file_open();

	*in_memory = fd < 0 || temp_file_is_in_memory(fd);
	return fd >= 0 ? fd : memfd_create("bale", MFD_CLOEXEC);
}

static int
put(struct copy *copy, const void *bytes, size_t nr)
{
	uint64_t limit = copy->limits->output_bytes != 0
				 ? copy->limits->output_bytes
				 : input_default_limit(copy->read_nr);

	copy->written += nr;
	if (copy->zstd != NULL && copy->written > limit)
		return -EFBIG;
	if (copy->written > copy->memory_max)
		return -ENOBUFS;
	return fd_write_all(copy->to, bytes, nr);
}

/* ---- zstd ---- */

#define MAGIC_BYTES 4

/* A frame, or what may stand before one and is skipped. */
static bool
is_zstd(const uint8_t *bytes, ssize_t nr)
{
	static const uint8_t frame[] = { 0x28, 0xb5, 0x2f, 0xfd };
	static const uint8_t skippable[] = { 0x2a, 0x4d, 0x18 };

	return nr >= MAGIC_BYTES &&
	       (memcmp(bytes, frame, MAGIC_BYTES) == 0 ||
		(bytes[0] >> 4 == 5 && memcmp(bytes + 1, skippable, 3) == 0));
}

/* Half of the memory is for the window; as much again is for its blocks. */
static int
open_zstd(struct copy *copy, const uint8_t *bytes, size_t nr)
{
	uint64_t window = copy->limits->memory_bytes / 2;
	unsigned long long size = ZSTD_getFrameContentSize(bytes, nr);
	uint64_t limit = copy->limits->output_bytes;
	int log = 63 - __builtin_clzll(window | 1u << 20);

	if (limit == 0 && copy->file_bytes > 0)
		limit = input_default_limit(copy->file_bytes);
	/* a frame that says how large it is needs no look at its blocks */
	if (limit > 0 && size != ZSTD_CONTENTSIZE_UNKNOWN &&
	    size != ZSTD_CONTENTSIZE_ERROR && size > limit)
		return -EFBIG;
	copy->zstd = ZSTD_createDCtx();
	if (copy->zstd == NULL)
		return -ENOMEM;
	log = log > WINDOW_LOG_MAX ? WINDOW_LOG_MAX : log;
	ZSTD_DCtx_setParameter(copy->zstd, ZSTD_d_windowLogMax, log);
	return 0;
}

static int
decompress(struct copy *copy, const uint8_t *bytes, size_t nr)
{
	static char out[BLOCK_BYTES];
	ZSTD_inBuffer from = { bytes, nr, 0 };
	ZSTD_outBuffer into = { out, sizeof(out), 0 };
	int error = 0;

	/* a full buffer may not have been all there is */
	while (error == 0 && (from.pos < from.size || into.pos == into.size)) {
		into.pos = 0;
		copy->pending = ZSTD_decompressStream(copy->zstd, &into, &from);
		if (ZSTD_isError(copy->pending))
			return ZSTD_getErrorCode(copy->pending) ==
					       ZSTD_error_frameParameter_windowTooLarge
				       ? -ENOBUFS
				       : -EBADMSG;
		error = put(copy, out, into.pos);
	}
	return error;
}

/* ---- the copy ---- */

/* As much as tells what it is, of a pipe that gives byte after byte. */
static ssize_t
read_first(int fd, uint8_t *bytes, size_t nr)
{
	ssize_t all = 0;
	ssize_t got = 1;

	while (got > 0 && all < MAGIC_BYTES) {
		got = fd_read_some(fd, bytes + all, nr - (size_t)all);
		all += got > 0 ? got : 0;
	}
	return got < 0 ? got : all;
}

static int
copy_all(struct copy *copy)
{
	static uint8_t bytes[BLOCK_BYTES];
	ssize_t got = read_first(copy->from, bytes, sizeof(bytes));
	int error = 0;

	if (is_zstd(bytes, got))
		error = open_zstd(copy, bytes, (size_t)got);
	while (error == 0 && got > 0) {
		copy->read_nr += (uint64_t)got;
		error = copy->zstd == NULL
				? put(copy, bytes, (size_t)got)
				: decompress(copy, bytes, (size_t)got);
		if (error == 0)
			got = fd_read_some(copy->from, bytes, sizeof(bytes));
	}
	ZSTD_freeDCtx(copy->zstd);
	if (error == 0 && got < 0)
		error = (int)got;
	return error == 0 && copy->pending != 0 ? -EBADMSG : error;
}

static int
map(struct input *input, int fd)
{
	struct stat st;
	void *bytes;

	if (fstat(fd, &st) != 0)
		return -errno;
	input->bytes = (const uint8_t *)"";
	if (st.st_size == 0)
		return 0;
	bytes = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
	if (bytes == MAP_FAILED)
		return -errno;
	madvise(bytes, (size_t)st.st_size, MADV_SEQUENTIAL);
	input->bytes = bytes;
	input->nr = (size_t)st.st_size;
	return 0;
}

int
input_open(struct input *input, const char *path,
	   const struct input_limits *limits)
{
	bool is_stdin = strcmp(path, "-") == 0;
	struct copy copy = { .limits = limits, .memory_max = UINT64_MAX };
	struct stat st;
	int error;

	*input = (struct input){ 0 };
	copy.from = is_stdin ? STDIN_FILENO
			     : open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
	if (copy.from < 0)
		return -errno;
	if (fstat(copy.from, &st) == 0 && S_ISREG(st.st_mode))
		copy.file_bytes = (uint64_t)st.st_size;
	/* a copy: the file may be cut short while it is mapped */
	copy.to = open_temp(&input->in_memory);
	if (input->in_memory)
		copy.memory_max = limits->memory_bytes;
	error = copy.to < 0 ? -errno : copy_all(&copy);
	if (!is_stdin)
		close(copy.from);
	input->read_nr = copy.read_nr;
	if (error == 0)
		error = map(input, copy.to);
	if (copy.to >= 0)
		close(copy.to);
	return error;
}

int
input_complain(const char *path, int error)
{
	const char *what = strerror(-error);
	int code = EXIT_USAGE;

	if (error == -EBADMSG)
		what = "its zstd data is damaged or truncated; pack it again";
	if (error == -EFBIG)
		what = "it decompresses to more than --max-output, or than 64 "
		       "times its size and 1G if that is not given; if it is "
		       "to be trusted, raise --max-output";
	if (error == -ENOBUFS)
		what = "reading it needs more than --memory: raise it; or, if "
		       "it is large, set TMPDIR to a directory on a disk";
	if (error == -ENOSPC || error == -EDQUOT)
		what = "no space left for a copy of it; set TMPDIR to a "
		       "directory that has some";
	if (error == -EFBIG || error == -ENOBUFS || error == -ENOSPC ||
	    error == -EDQUOT || error == -ENOMEM)
		code = EXIT_RESOURCES;
	return exit_with(code, "%s: %s", QUOTED(path), what);
}

void
input_close(struct input *input)
{
	union {
		const uint8_t *from;
		void *to;
	} at = { .from = input->bytes };

	if (input->nr > 0)
		munmap(at.to, input->nr);
	*input = (struct input){ 0 };
}
