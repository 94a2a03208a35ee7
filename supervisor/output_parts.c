/* SPDX-License-Identifier: MIT */
/*
 * output_parts.c - the parts of an output, each into a file of its own.
 */
#include "supervisor/output_parts.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/diag.h"
#include "base/fault.h"
#include "catalogue/cuts.h"
#include "rank/budget.h"

#define COPY_BYTES (1u << 20)

static int
never_pack(void *context, int dir_fd, const char *file)
{
	output_never_pack_at(context, dir_fd, file);
	return 0;
}

void
output_never_pack_parts(struct run *run, const char *path)
{
	part_set_each(path, never_pack, run);
}

static int
copy_part(const struct output *output, const struct part_record *record, int to)
{
	off64_t from = (off64_t)record->off;
	uint64_t left = record->bytes;

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

/* sha256: of the part, NULL: not known yet */
static int
write_part(struct supervisor *supervisor, uint64_t i, const uint8_t *sha256)
{
	const struct output *output = &supervisor->output;
	const struct part_record *record =
		catalogue_part(&supervisor->run.catalogue, i);
	struct part_set *set = &supervisor->parts;
	struct manifest_part *line = &set->parts.parts[i];
	bool is_zstd = output_is_zstd(set->name);
	int fd = part_set_create(set, i + 1);
	int error;

	if (fd < 0)
		return fd;
	error = is_zstd ? output_compress(output, record->off, record->bytes,
					  fd)
			: copy_part(output, record, fd);
	/* of the file as it lies: what is not compressed may be known */
	if (error == 0 && (is_zstd || sha256 == NULL)) {
		error = manifest_hash(fd, line);
	} else if (error == 0) {
		line->bytes = record->bytes;
		memcpy(line->sha256, sha256, SHA256_BYTES);
	}
	line->tokens = budget_model_tokens(record->tokens,
					   supervisor->run.job.margin_percent);
	if (close(fd) != 0 && error == 0)
		error = -errno;
	FAULT("part_written");
	return error;
}

int
output_parts_prepare(struct supervisor *supervisor, const uint8_t *sha256,
		     char **failed)
{
	const char *path = supervisor->options->output_path;
	uint64_t nr = supervisor->run.segment.control->verdict.part_nr;
	int error = part_set_open(&supervisor->parts, path, nr);
	uint64_t number = 0; /* of the part in work */

	for (; error == 0 && number < nr; number++)
		error = write_part(
			supervisor, number,
			sha256 == NULL ? NULL : sha256 + number * SHA256_BYTES);
	if (error == 0) {
		number = 0;
		error = part_set_end(&supervisor->parts,
				     supervisor->options->encoding);
	}
	*failed = error == 0    ? NULL
		  : number == 0 ? strdup(path)
				: manifest_part_name(path, number, nr);
	return error;
}

struct leftovers {
	const char *name;
	uint64_t nr; /* of the parts that there are now */
	uint64_t found_nr;
	char first[NAME_MAX + 1];
};

static int
find_leftover(void *context, int dir_fd, const char *file)
{
	struct leftovers *left = context;

	(void)dir_fd;
	if (!manifest_is_part_name(left->name, file) ||
	    manifest_part_number(left->name, file, left->nr) != 0)
		return 0;
	if (left->found_nr++ == 0 || strcmp(file, left->first) < 0)
		snprintf(left->first, sizeof(left->first), "%s", file);
	return 0;
}

void
output_parts_warn(const char *path, uint64_t nr)
{
	struct leftovers left = { .name = basename(path), .nr = nr };
	char more[48] = " is";

	part_set_each(path, find_leftover, &left);
	if (left.found_nr > 1)
		snprintf(more, sizeof(more), " and %llu more are",
			 (unsigned long long)left.found_nr - 1);
	if (left.found_nr > 0)
		diag_log(DIAG_WARN,
			 "%s%s left over from an earlier run and none of "
			 "these %llu parts; remove %s",
			 QUOTED(left.first), more, (unsigned long long)nr,
			 left.found_nr > 1 ? "them" : "it");
}
