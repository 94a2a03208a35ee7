/* SPDX-License-Identifier: MIT */
/*
 * manifest_json.c - a manifest as any program may write it.
 *
 * Does: what manifest_read() refuses is parsed as JSON.
 * Limits: FILE_BYTES_MAX, as parsed JSON takes a multiple of it in memory.
 */
#include "supervisor/manifest.h"

#include <errno.h>
#include <jansson.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/fd_io.h"

#define FILE_BYTES_MAX (4u << 20) /* some 30,000 parts */

/* An integer that is not negative, of an object. */
static bool
take_u64(const json_t *object, const char *key, uint64_t *out)
{
	const json_t *value = json_object_get(object, key);

	if (!json_is_integer(value) || json_integer_value(value) < 0)
		return false;
	*out = (uint64_t)json_integer_value(value);
	return true;
}

static int
take_part(struct manifest *manifest, const json_t *object)
{
	const json_t *sha256 = json_object_get(object, "sha256");
	struct manifest_part part;

	if (!take_u64(object, "bytes", &part.bytes) ||
	    !take_u64(object, "tokens", &part.tokens) ||
	    !json_is_string(sha256) ||
	    !manifest_read_sha256(json_string_value(sha256), part.sha256))
		return -EPROTO;
	return manifest_add(manifest, &part);
}

static int
take_all(struct manifest *manifest, const json_t *root)
{
	const json_t *parts = json_object_get(root, "parts");
	size_t nr = json_array_size(parts);
	uint64_t version;
	int error = 0;

	if (!take_u64(root, "bale_manifest", &version) ||
	    version != MANIFEST_VERSION || nr == 0)
		return -EPROTO;
	for (size_t i = 0; i < nr && error == 0; i++)
		error = take_part(manifest, json_array_get(parts, i));
	return error;
}

static int
parse(struct manifest *manifest, const char *text, size_t bytes)
{
	json_t *root = json_loadb(text, bytes, JSON_REJECT_DUPLICATES, NULL);
	int error = root == NULL ? -EPROTO : take_all(manifest, root);

	json_decref(root);
	return error;
}

int
manifest_read_any(struct manifest *manifest, int dir_fd, const char *file)
{
	struct stat st;
	int error = manifest_read(manifest, dir_fd, file);
	size_t bytes;
	char *text;
	int fd;

	if (error != -EPROTO)
		return error;
	manifest_fini(manifest);
	fd = manifest_open(dir_fd, file, &st);
	if (fd < 0)
		return fd;
	error = fd_read_regular(fd, FILE_BYTES_MAX, &text, &bytes);
	close(fd);
	if (error != 0)
		return error;
	error = parse(manifest, text, bytes);
	free(text);
	return error;
}
