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
#include "base/fd_io.h"
#include "base/new_file.h"

#define COMPLETIONS "completions"
#define MANIFESTS "manifests"
#define MANIFEST "manifest.jsonl"

void
batch_shard_mark(const struct shard *shard, struct batch_list *list)
{
	for (size_t i = 0; i < list->nr; i++)
		list->items[i].is_ours = shard_has(shard, list->items[i].id);
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
batch_shard_open(const struct shard *shard, struct batch_manifest *manifest)
{
	static char name[32];

	if (shard->nr == 1) {
		manifest->name = MANIFEST;
		manifest->home_fd = fcntl(manifest->dir_fd, F_DUPFD_CLOEXEC, 0);
		return manifest->home_fd < 0 ? -errno : 0;
	}
	snprintf(name, sizeof(name), "%05u.jsonl", shard->idx);
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

static int
remove_below(int dir_fd, const char *path)
{
	if (unlinkat(dir_fd, path, 0) != 0 && errno != ENOENT &&
	    errno != ENOTDIR)
		return -errno;
	return 0;
}

int
batch_shard_begin(const struct shard *shard,
		  const struct batch_manifest *manifest)
{
	char path[32];
	int error;

	completion_of(shard->idx, path);
	error = remove_below(manifest->dir_fd, path);
	/* of all parts: this one may come to something else now */
	if (error == 0 && shard->nr > 1)
		error = remove_below(manifest->dir_fd, MANIFEST);
	return error;
}

/* ---- the end ------------------------------------------------------------- */

static bool
is_complete(const struct shard *shard, const struct batch_manifest *manifest)
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
	fd_close(fd);
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
read_manifests(const struct shard *shard, const struct batch_manifest *manifest,
	       char **text, size_t *bytes)
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
merge(const struct shard *shard, const struct batch_manifest *manifest,
      struct batch_list *list, bool *is_whole)
{
	char *text;
	size_t bytes;
	int error = read_manifests(shard, manifest, &text, &bytes);

	*is_whole = error == 0 &&
		    (shard->nr == 1 ||
		     batch_manifest_find(manifest, list, text, bytes));
	if (*is_whole && shard->nr > 1)
		error = write_manifest(manifest, list, text);
	if (*is_whole && error == 0)
		error = batch_stats_write(manifest->dir_fd, text, bytes);
	if (error == 0 && !*is_whole)
		diag_log(DIAG_WARN,
			 "all %u parts are complete, but some are of other "
			 "options, or of another list or number of parts: "
			 "there is no " MANIFEST " of all; run them again",
			 shard->nr);
	free(text);
	return error;
}

int
batch_shard_end(const struct shard *shard, struct batch_manifest *manifest,
		struct batch_list *list, bool *is_whole)
{
	int home = open_below(manifest->dir_fd, COMPLETIONS);
	char path[32];
	int fd;

	*is_whole = false;
	if (home < 0)
		return home;
	close(home);
	completion_of(shard->idx, path);
	/* outputs and manifest are on the disk before it says so */
	fd = syncfs(manifest->dir_fd) != 0
		     ? -1
		     : openat(manifest->dir_fd, path,
			      O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
	if (fd < 0)
		return -errno;
	close(fd);
	return is_complete(shard, manifest)
		       ? merge(shard, manifest, list, is_whole)
		       : 0;
}
