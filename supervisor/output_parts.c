/* SPDX-License-Identifier: MIT */
/*
 * output_parts.c - the parts of an output, each into a file of its own.
 */
#include "supervisor/output_parts.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "shm/diag.h"

#define DIGITS_MIN 3
#define DIGITS_MAX 9
#define COPY_BYTES (1u << 20)

static int
digits_of(uint64_t nr)
{
	int digits = 1;

	while (nr >= 10) {
		nr /= 10;
		digits++;
	}
	return digits < DIGITS_MIN ? DIGITS_MIN : digits;
}

static char *
name_of(const char *path, uint64_t number, int digits)
{
	const char *slash = strrchr(path, '/');
	const char *base = slash == NULL ? path : slash + 1;
	const char *end = path + strlen(path);
	const char *dot = NULL;
	char *name;

	if (output_is_zstd(base))
		end -= strlen(".zst");
	for (const char *at = base + 1; at < end; at++)
		if (*at == '.')
			dot = at;
	if (dot == NULL)
		dot = end;
	if (asprintf(&name, "%.*s-%0*llu%s", (int)(dot - path), path, digits,
		     (unsigned long long)number, dot) < 0)
		return NULL;
	return name;
}

char *
output_part_name(const char *path, uint64_t number, uint64_t nr)
{
	return name_of(path, number, digits_of(nr));
}

void
output_never_pack_parts(struct run *run, const char *path)
{
	for (int digits = DIGITS_MIN; digits <= DIGITS_MAX; digits++) {
		uint32_t before = run->output_nr;

		for (uint64_t i = 1;; i++) {
			char *name = name_of(path, i, digits);
			uint32_t known = run->output_nr;

			output_never_pack(run, name);
			free(name);
			if (run->output_nr == known)
				break;
		}
		if (run->output_nr == before && digits > DIGITS_MIN)
			break;
	}
}

static int
copy_part(const struct output *output, const struct part_record *part, int to)
{
	off64_t from = (off64_t)part->off;
	uint64_t left = part->bytes;

	while (left > 0) {
		ssize_t copied = copy_file_range(output->fd, &from, to, NULL,
						 min_u64(left, COPY_BYTES), 0);

		if (copied < 0 && errno == EINTR)
			continue;
		if (copied <= 0)
			return copied == 0 ? -EIO : -errno;
		left -= (uint64_t)copied;
	}
	return 0;
}

/* Each part is an open file until all get their names. */
static void
raise_limit(void)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_NOFILE, &limit) == 0) {
		limit.rlim_cur = limit.rlim_max;
		setrlimit(RLIMIT_NOFILE, &limit);
	}
}

/* One of an earlier, longer run would be taken for one of these. */
static void
warn_of_more(const char *path, uint64_t nr)
{
	char *name = output_part_name(path, nr + 1, nr);
	char quoted[1024];
	struct stat st;

	if (name != NULL && digits_of(nr + 1) == digits_of(nr) &&
	    stat(name, &st) == 0)
		diag_log(DIAG_WARN,
			 "%s is there from before and is none of these %llu "
			 "parts; remove it",
			 diag_quote_text(quoted, sizeof(quoted), name),
			 (unsigned long long)nr);
	free(name);
}

static int
write_part(const struct output *output, const struct part_record *record,
	   const char *name, struct output *part)
{
	int error = output_open_part(part, name);

	if (error != 0)
		return error;
	return output_is_zstd(name) ? output_compress(output, record->off,
						      record->bytes, part->fd)
				    : copy_part(output, record, part->fd);
}

int
output_deliver_parts(const struct output *output,
		     const struct catalogue *catalogue, uint64_t nr,
		     const char *path, char **failed)
{
	struct output *parts = calloc(nr, sizeof(*parts));
	uint64_t written = 0;
	uint64_t at = 0;
	int error = parts == NULL ? -ENOMEM : 0;

	raise_limit();
	for (; written < nr && error == 0; written++) {
		char *name = output_part_name(path, written + 1, nr);

		at = written;
		error = name == NULL
				? -ENOMEM
				: write_part(output,
					     catalogue_part(catalogue, written),
					     name, &parts[written]);
		free(name);
	}
	for (uint64_t i = 0; i < nr && error == 0; i++) {
		at = i;
		error = output_link(&parts[i]);
	}
	/* should the end come between two names, there are fewer parts, which
	 * each part tells, and not some of an earlier run */
	for (uint64_t i = nr; nr > 1 && i > 0 && error == 0; i--) {
		at = i - 1;
		error = output_unlink_old(&parts[at]);
	}
	for (uint64_t i = 0; i < nr && error == 0; i++) {
		at = i;
		error = output_rename(&parts[i]);
	}
	for (uint64_t i = 0; i < written; i++)
		output_close(&parts[i]);
	free(parts);
	*failed = error == 0 ? NULL : output_part_name(path, at + 1, nr);
	if (error == 0)
		warn_of_more(path, nr);
	return error;
}
