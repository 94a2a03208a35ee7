/* SPDX-License-Identifier: MIT */
/*
 * batch_shard.c - parts of a list on several machines, which share DIR.
 *
 *   DIR/manifests/00003.jsonl   of a part, where there is more than one
 *   DIR/manifest.jsonl          of all; of one part, that of the only one
 *   DIR/completions/00003       the part is complete
 *   DIR/stats.json              sums
 */
#include "cli/batch.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/diag.h"
#include "base/exit_code.h"
#include "base/fd_io.h"
#include "base/new_file.h"

#define COMPLETIONS "completions"
#define MANIFESTS "manifests"
#define MANIFEST "manifest.jsonl"

/* ---- which part ---------------------------------------------------------- */

/* A number of the environment; false: there is none. */
static bool
read_variable(const char *name, uint64_t *out)
{
	const char *text = getenv(name);

	return text != NULL &&
	       option_read_number(text, strlen(text), 0, BATCH_SHARDS_MAX, out);
}

/* "3/64" */
static bool
read_shard(const char *text, uint64_t *idx, uint64_t *nr)
{
	const char *slash = strchr(text, '/');

	return slash != NULL &&
	       option_read_number(text, (size_t)(slash - text), 0,
				  BATCH_SHARDS_MAX, idx) &&
	       option_read_number(slash + 1, strlen(slash + 1), 1,
				  BATCH_SHARDS_MAX, nr);
}

/* An array is 0 to N-1 where N is said; else it is as long as it is, and begins
 * where it begins. */
static bool
read_slurm(uint64_t *idx, uint64_t *nr)
{
	uint64_t least = 0;
	uint64_t step = 1;

	if (!read_variable("SLURM_ARRAY_TASK_ID", idx))
		return false;
	if (*nr > 0)
		return true;
	if (!read_variable("SLURM_ARRAY_TASK_COUNT", nr) || *nr == 0)
		return false;
	read_variable("SLURM_ARRAY_TASK_MIN", &least);
	read_variable("SLURM_ARRAY_TASK_STEP", &step);
	*idx = *idx >= least ? (*idx - least) / (step > 0 ? step : 1) : *nr;
	return true;
}

int
batch_shard_find(struct batch_shard *shard, const struct batch_args *args)
{
	uint64_t nr = args->shard_nr;
	uint64_t idx = 0;

	if (args->shard != NULL) {
		if (!read_shard(args->shard, &idx, &nr))
			return exit_with(EXIT_USAGE,
					 "BALE-CLI-002 --shard: invalid value "
					 "%s: expected I/N, from 0/N to N-1/N",
					 WORD_QUOTED(args->shard));
	} else if (!read_slurm(&idx, &nr) && nr > 0 &&
		   !read_variable("JOB_COMPLETION_INDEX", &idx)) {
		return exit_with(
			EXIT_USAGE,
			"BALE-CLI-005 --shards %ju: nothing says which "
			"of them: neither SLURM_ARRAY_TASK_ID nor "
			"JOB_COMPLETION_INDEX is set; see --shard",
			nr);
	}
	if (nr == 0)
		nr = 1;
	if (idx >= nr)
		return exit_with(EXIT_USAGE,
				 "BALE-CLI-002 there is no part %ju of %ju; "
				 "they are 0 to %ju",
				 idx, nr, nr - 1);
	*shard = (struct batch_shard){ .idx = (uint32_t)idx,
				       .nr = (uint32_t)nr };
	snprintf(shard->name, sizeof(shard->name), "%05u", shard->idx);
	return EXIT_COMPLETE;
}

void
batch_shard_mark(const struct batch_shard *shard, struct batch_list *list)
{
	for (size_t i = 0; i < list->nr; i++)
		list->items[i].is_ours =
			list->items[i].id % shard->nr == shard->idx;
}

/* ---- directories --------------------------------------------------------- */

/* A directory below DIR, which is made if need be: its descriptor or -errno. */
static int
open_below(int dir_fd, const char *name)
{
	int fd;

	if (mkdirat(dir_fd, name, 0777) != 0 && errno != EEXIST)
		return -errno;
	fd = openat(dir_fd, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	return fd < 0 ? -errno : fd;
}

int
batch_shard_open(const struct batch_shard *shard,
		 struct batch_manifest *manifest)
{
	static char name[32];

	if (shard->nr == 1) {
		manifest->name = MANIFEST;
		manifest->home_fd = fcntl(manifest->dir_fd, F_DUPFD_CLOEXEC, 0);
		return manifest->home_fd < 0 ? -errno : 0;
	}
	snprintf(name, sizeof(name), "%s.jsonl", shard->name);
	manifest->name = name;
	manifest->home_fd = open_below(manifest->dir_fd, MANIFESTS);
	return manifest->home_fd < 0 ? manifest->home_fd : 0;
}

/* The completion of a part, as a path below DIR. */
static void
completion_of(uint32_t idx, char out[static 32])
{
	snprintf(out, 32, COMPLETIONS "/%05u", idx);
}

int
batch_shard_begin(const struct batch_shard *shard,
		  const struct batch_manifest *manifest)
{
	char path[32];

	completion_of(shard->idx, path);
	if (unlinkat(manifest->dir_fd, path, 0) != 0 && errno != ENOENT &&
	    errno != ENOTDIR)
		return -errno;
	return 0;
}

/* ---- the end ------------------------------------------------------------- */

static bool
is_complete(const struct batch_shard *shard,
	    const struct batch_manifest *manifest)
{
	char path[32];
	struct stat st;

	for (uint32_t i = 0; i < shard->nr; i++) {
		completion_of(i, path);
		if (fstatat(manifest->dir_fd, path, &st, 0) != 0)
			return false;
	}
	return true;
}

/* Adds a manifest to a text: 0 or -errno. */
static int
add_manifest(int home_fd, const char *name, char **text, size_t *bytes)
{
	int fd = openat(home_fd, name, O_RDONLY | O_CLOEXEC);
	char *more = NULL;
	char *wider;
	size_t more_bytes;
	int error = fd < 0 ? -errno : 0;

	if (error == 0)
		error = fd_read_all(fd, BATCH_LIST_MAX, &more, &more_bytes);
	if (fd >= 0)
		close(fd);
	if (error != 0)
		return error;
	wider = realloc(*text, *bytes + more_bytes + 1);
	if (wider != NULL) {
		memcpy(wider + *bytes, more, more_bytes);
		*text = wider;
		*bytes += more_bytes;
	}
	free(more);
	return wider == NULL ? -ENOMEM : 0;
}

/* The manifests of all parts, one after another. */
static int
read_manifests(const struct batch_shard *shard,
	       const struct batch_manifest *manifest, char **text,
	       size_t *bytes)
{
	char name[32];
	int error = 0;

	*text = NULL;
	*bytes = 0;
	if (shard->nr == 1)
		return add_manifest(manifest->home_fd, MANIFEST, text, bytes);
	for (uint32_t i = 0; i < shard->nr && error == 0; i++) {
		snprintf(name, sizeof(name), "%05u.jsonl", i);
		error = add_manifest(manifest->home_fd, name, text, bytes);
	}
	return error;
}

static int
write_manifest(const struct batch_manifest *manifest,
	       const struct batch_list *list, const char *text)
{
	int dir_fd = fcntl(manifest->dir_fd, F_DUPFD_CLOEXEC, 0);
	struct new_file file = NEW_FILE_NONE;
	int error = dir_fd < 0 ? -errno
			       : new_file_create_at(&file, dir_fd, MANIFEST);

	if (error == 0)
		error = batch_manifest_copy(list, text, file.fd);
	if (error == 0)
		return new_file_commit(&file, new_file_mode(), true);
	new_file_drop(&file);
	return error;
}

/* What all parts have come to, once each line of LIST is in one of them. */
static int
merge(const struct batch_shard *shard, const struct batch_manifest *manifest,
      struct batch_list *list, bool *is_whole)
{
	char *text;
	size_t bytes;
	int error = read_manifests(shard, manifest, &text, &bytes);

	if (error == 0 && (shard->nr == 1 ||
			   batch_manifest_find(manifest, list, text, bytes))) {
		*is_whole = true;
		if (shard->nr > 1)
			error = write_manifest(manifest, list, text);
		if (error == 0)
			error = batch_stats_write(manifest->dir_fd, text,
						  bytes);
	}
	free(text);
	return error;
}

int
batch_shard_end(const struct batch_shard *shard,
		struct batch_manifest *manifest, struct batch_list *list,
		bool *is_whole)
{
	int home = open_below(manifest->dir_fd, COMPLETIONS);
	int fd;

	*is_whole = false;
	if (home < 0)
		return home;
	/* outputs and manifest are on the disk before it says so */
	fd = syncfs(manifest->dir_fd) != 0
		     ? -1
		     : openat(home, shard->name, O_WRONLY | O_CREAT | O_CLOEXEC,
			      0666);
	close(home);
	if (fd < 0)
		return -errno;
	close(fd);
	return is_complete(shard, manifest)
		       ? merge(shard, manifest, list, is_whole)
		       : 0;
}
