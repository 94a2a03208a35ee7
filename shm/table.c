/* SPDX-License-Identifier: MIT */
/*
 * table.c - mapped, unlinked files.
 */
#include "shm/table.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#define EXTENT_BYTES (1u << 20) /* reserved at a time */
#define PATH_BYTES 4096

static int
open_unlinked(const char *dir)
{
	char path[PATH_BYTES];
	int fd = open(dir, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);

	if (fd >= 0)
		return fd;
	if (errno != EOPNOTSUPP && errno != EISDIR && errno != EINVAL)
		return -errno;
	if (snprintf(path, sizeof(path), "%s/bale.XXXXXX", dir) >=
	    (int)sizeof(path))
		return -ENAMETOOLONG;
	fd = mkostemp(path, O_CLOEXEC);
	if (fd < 0)
		return -errno;
	unlink(path);
	return fd;
}

int
table_create(struct table *table, const char *dir, uint64_t span_bytes)
{
	void *base;
	int fd;

	if (dir == NULL)
		dir = getenv("TMPDIR");
	if (dir == NULL || *dir == '\0')
		dir = "/tmp";
	fd = open_unlinked(dir);
	if (fd < 0)
		return fd;
	base = mmap(NULL, span_bytes, PROT_READ | PROT_WRITE,
		    MAP_SHARED | MAP_NORESERVE, fd, 0);
	if (base == MAP_FAILED) {
		int error = errno;

		close(fd);
		return -error;
	}
	/* random access by several processes: no read-ahead around faults, and
	 * no two megabytes of a large folio mapped by one of them */
	madvise(base, span_bytes, MADV_RANDOM);
	madvise(base, span_bytes, MADV_NOHUGEPAGE);
	*table = (struct table){ .base = base,
				 .span_bytes = span_bytes,
				 .fd = fd };
	return 0;
}

void
table_close(struct table *table)
{
	if (table->base == NULL)
		return;
	munmap(table->base, table->span_bytes);
	if (!table->is_part)
		close(table->fd);
	*table = (struct table){ .fd = -1 };
}

void
table_part(struct table *part, struct table *of, uint64_t off)
{
	ASSERT(off < of->span_bytes && of->reserved_bytes == 0);
	*part = (struct table){ .base = of->base + off,
				.span_bytes = of->span_bytes - off,
				.file_off = of->file_off + off,
				.fd = of->fd,
				.is_part = true };
	of->span_bytes = off;
}

int
table_reserve(struct table *table, uint64_t bytes)
{
	return table_reserve_at(table, 0, bytes);
}

int
table_reserve_at(struct table *table, uint64_t from, uint64_t bytes)
{
	uint64_t want;
	int error;

	if (bytes <= table->reserved_bytes)
		return 0;
	if (from > table->span_bytes || bytes > table->span_bytes - from)
		return -EFBIG;
	/* an eighth more each time, so that the calls stay few */
	want = round_up_u64(bytes + bytes / 8, EXTENT_BYTES);
	want = min_u64(want, table->span_bytes - from);
	do
		error = posix_fallocate(table->fd,
					(off_t)(table->file_off + from),
					(off_t)want);
	while (error == EINTR);
	if (error != 0)
		return -error;
	table->reserved_bytes = want;
	return 0;
}

void
table_trim(const struct table *table)
{
	/* shared file pages: only the mapping goes, the bytes stay */
	madvise(table->base, table->span_bytes, MADV_DONTNEED);
}

bool
fault_meter_passed(struct fault_meter *meter, uint64_t faults)
{
	struct rusage usage;
	uint64_t all;

	if (getrusage(RUSAGE_SELF, &usage) != 0)
		return true;
	all = (uint64_t)usage.ru_minflt + (uint64_t)usage.ru_majflt;
	if (all - meter->faults <= faults)
		return false;
	meter->faults = all;
	return true;
}
