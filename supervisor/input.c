/* SPDX-License-Identifier: MIT */
/*
 * input.c - files of `bale unpack` and `bale verify`.
 */
#include "supervisor/input.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zstd.h>

#include "shm/fd_io.h"

#define BLOCK_BYTES (256u << 10)

static int
open_temp(void)
{
	const char *dir = getenv("TMPDIR");
	int fd = open(dir == NULL || *dir == '\0' ? "/tmp" : dir,
		      O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);

	return fd < 0 ? memfd_create("bale", MFD_CLOEXEC) : fd;
}

/* What was read, decompressed, to another file: 0 or -errno. */
static int
decompress(ZSTD_DCtx *context, int to, const char *bytes, size_t nr,
	   size_t *pending)
{
	static char out[BLOCK_BYTES];
	ZSTD_inBuffer from = { bytes, nr, 0 };
	int error = 0;

	while (error == 0 && from.pos < from.size) {
		ZSTD_outBuffer into = { out, sizeof(out), 0 };

		*pending = ZSTD_decompressStream(context, &into, &from);
		if (ZSTD_isError(*pending))
			return -EBADMSG;
		error = fd_write_all(to, out, into.pos);
	}
	return error;
}

/* Copies a stream into a nameless file, decompressed if it is zstd. */
static int
copy(int fd, int to)
{
	static char bytes[BLOCK_BYTES];
	static const char magic[] = "\x28\xb5\x2f\xfd";
	ZSTD_DCtx *context = NULL;
	size_t pending = 0;
	ssize_t got;
	int error = 0;

	got = fd_read_some(fd, bytes, sizeof(bytes));
	if (got >= 4 && memcmp(bytes, magic, 4) == 0) {
		context = ZSTD_createDCtx();
		if (context == NULL)
			return -ENOMEM;
	}
	for (; got > 0 && error == 0;
	     got = fd_read_some(fd, bytes, sizeof(bytes))) {
		if (context == NULL)
			error = fd_write_all(to, bytes, (size_t)got);
		else
			error = decompress(context, to, bytes, (size_t)got,
					   &pending);
		if (error != 0)
			break;
	}
	ZSTD_freeDCtx(context);
	if (error == 0 && got < 0)
		error = (int)got;
	return error == 0 && pending != 0 ? -EBADMSG : error;
}

static int
map(struct input *input, int fd)
{
	struct stat st;
	void *bytes;

	if (fstat(fd, &st) != 0)
		return -errno;
	*input = (struct input){ .bytes = (const uint8_t *)"" };
	if (st.st_size == 0)
		return 0;
	bytes = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
	if (bytes == MAP_FAILED)
		return -errno;
	madvise(bytes, (size_t)st.st_size, MADV_SEQUENTIAL);
	*input = (struct input){ bytes, (size_t)st.st_size };
	return 0;
}

int
input_open(struct input *input, const char *path)
{
	bool is_stdin = strcmp(path, "-") == 0;
	int fd = is_stdin ? STDIN_FILENO
			  : open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
	int temp = -1;
	int error;

	if (fd < 0)
		return -errno;
	/* a copy: the file may be cut short while it is mapped */
	temp = open_temp();
	error = temp < 0 ? -errno : copy(fd, temp);
	if (!is_stdin)
		close(fd);
	if (error == 0)
		error = map(input, temp);
	if (temp >= 0)
		close(temp);
	return error;
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
