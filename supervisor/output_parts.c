/* SPDX-License-Identifier: MIT */
/*
 * output_parts.c - the parts of an output, each into a file of its own.
 */
#include "supervisor/output_parts.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
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

/* Of the file as it lies: what is not compressed may be known already. */
static int
take_hash(struct manifest_part *line, const struct output_parts_source *source,
	  uint64_t i, int fd)
{
	if (source->sha256 == NULL || output_is_zstd(source->path))
		return manifest_hash(fd, line);
	line->bytes = catalogue_part(source->catalogue, i)->bytes;
	memcpy(line->sha256, source->sha256 + i * SHA256_BYTES, SHA256_BYTES);
	return 0;
}

static int
write_part(struct output_parts *parts, const struct output_parts_source *source,
	   const char *file, uint64_t i)
{
	const struct part_record *record = catalogue_part(source->catalogue, i);
	struct manifest_part *line = &parts->manifest.parts[i];
	int fd = part_set_create(&parts->set, file);
	int error;

	if (fd < 0)
		return fd;
	error = output_is_zstd(file)
			? output_compress(source->output, record->off,
					  record->bytes, fd)
			: copy_part(source->output, record, fd);
	if (error == 0)
		error = take_hash(line, source, i, fd);
	line->tokens = budget_model_tokens(record->tokens,
					   source->job->margin_percent);
	if (close(fd) != 0 && error == 0)
		error = -errno;
	FAULT("part_written");
	return error;
}

int
output_parts_prepare(struct output_parts *parts,
		     const struct output_parts_source *source, char **failed)
{
	int error;

	*parts = OUTPUT_PARTS_NONE;
	*failed = NULL;
	error = manifest_init(&parts->manifest, source->nr);
	if (error == 0)
		error = part_set_open(&parts->set, source->path);
	for (uint64_t i = 0; i < source->nr && error == 0; i++) {
		/* in the hidden directory it has no directory in front */
		char *file =
			manifest_part_name(parts->set.name, i + 1, source->nr);

		error = file == NULL ? -ENOMEM
				     : write_part(parts, source, file, i);
		if (error != 0)
			*failed = manifest_part_name(source->path, i + 1,
						     source->nr);
		free(file);
	}
	if (error == 0)
		error = part_set_end(&parts->set, &parts->manifest,
				     source->encoding);
	if (error != 0 && *failed == NULL)
		*failed = strdup(source->path);
	return error;
}

int
output_parts_ready(struct output_parts *parts, const char *path, char **failed)
{
	uint64_t number;
	int error = part_set_place(&parts->set, &parts->manifest, &number);

	*failed = NULL;
	if (error != 0)
		*failed = number == 0 ? strdup(path)
				      : manifest_part_name(path, number,
							   parts->manifest.nr);
	parts->are_placed = error == 0;
	return error;
}

int
output_parts_commit(struct output_parts *parts)
{
	parts->are_placed = false;
	return part_set_commit(&parts->set, &parts->manifest);
}

void
output_parts_withdraw(struct output_parts *parts)
{
	if (parts->are_placed)
		part_set_withdraw(&parts->set, &parts->manifest);
	parts->are_placed = false;
}

void
output_parts_close(struct output_parts *parts)
{
	part_set_close(&parts->set);
	manifest_fini(&parts->manifest);
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
	const char *slash = strrchr(path, '/');
	struct leftovers left = { .name = slash == NULL ? path : slash + 1,
				  .nr = nr };
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
