/* SPDX-License-Identifier: MIT */
/*
 * batch_manifest.c - a JSON object for each line that is done.
 *
 * A line is appended by one write(2), and by two where it is longer than the
 * buffer: what a kill leaves of it is no JSON, or has no end.
 */
#include "cli/batch.h"

#include <errno.h>
#include <fcntl.h>
#include <jansson.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/emit.h"
#include "base/fault.h"
#include "base/fd_io.h"
#include "base/new_file.h"
#include "base/number_format.h"
#include "supervisor/output.h"

#define HEX_ID_BYTES 17
#define LOCK_TRIES 40 /* of 100 ms: what a killed batch began is gone by then */

static const char *const class_names[BATCH_CLASS_NR] = {
	[BATCH_DONE] = "done",
	[BATCH_DEGRADED] = "degraded",
	[BATCH_FAILED] = "failed",
	[BATCH_RETRY] = "retry",
};

const char *batch_class_name(enum batch_class class)
{
	return class_names[class];
}

enum batch_class
batch_class_named(const char *name)
{
	int i = BATCH_CLASS_NR - 1;

	while (i > BATCH_WAITING && strcmp(class_names[i], name) != 0)
		i--;
	return (enum batch_class)i;
}

/* ---- what is there from before ------------------------------------------- */

/* A line in a manifest. */
struct span {
	uint64_t off;
	uint64_t bytes;
};

static void
print_id(char out[static HEX_ID_BYTES], uint64_t id)
{
	snprintf(out, HEX_ID_BYTES, "%016jx", (uintmax_t)id);
}

static uint64_t
id_at(const json_t *record, const char *key)
{
	const char *text = json_string_value(json_object_get(record, key));

	return text == NULL ? 0 : strtoull(text, NULL, 16);
}

/* Whether an output is what a line of the manifest says. */
static bool
is_there(const struct batch_manifest *manifest, const char *name,
	 const json_t *record)
{
	const char *want = json_string_value(json_object_get(record, "sha256"));
	uint8_t digest[SHA256_BYTES];
	char hex[2 * SHA256_BYTES + 1];
	int64_t bytes = -1;
	int fd = openat(manifest->dir_fd, name,
			O_RDONLY | O_CLOEXEC | O_NONBLOCK);

	if (fd >= 0)
		bytes = output_sha256(fd, 0, UINT64_MAX, digest);
	fd_close(fd);
	if (bytes < 0 || want == NULL ||
	    bytes != json_integer_value(json_object_get(record, "bytes")))
		return false;
	return strcmp(figure_hex(hex, digest, SHA256_BYTES), want) == 0;
}

/* The class that a line of the manifest gives its item, if it still holds. */
static void
take_record(const struct batch_manifest *manifest, struct batch_list *list,
	    const json_t *record, const struct span *span)
{
	struct batch_item *item = batch_list_find(list, id_at(record, "id"));
	const char *name = json_string_value(json_object_get(record, "class"));
	enum batch_class class =
		name == NULL ? BATCH_WAITING : batch_class_named(name);

	if (item == NULL || !item->is_ours || item->class != BATCH_WAITING ||
	    class == BATCH_WAITING || class == BATCH_RETRY ||
	    id_at(record, "options") != manifest->options)
		return;
	if ((class == BATCH_DONE || class == BATCH_DEGRADED) &&
	    (item->name == NULL || !is_there(manifest, item->name, record)))
		return;
	item->class = class;
	item->record_off = span->off;
	item->record_bytes = span->bytes;
}

typedef void
record_fn(const struct batch_manifest *manifest, struct batch_list *list,
	  const json_t *record, const struct span *span);

/* All lines that have an end. */
static void
for_records(const struct batch_manifest *manifest, struct batch_list *list,
	    const char *text, size_t bytes, record_fn *take)
{
	const char *at = text;
	const char *newline;

	while ((newline = memchr(at, '\n', bytes - (size_t)(at - text))) !=
	       NULL) {
		const struct span span = { (uint64_t)(at - text),
					   (uint64_t)(newline + 1 - at) };
		json_t *record =
			json_loadb(at, (size_t)(newline - at), 0, NULL);

		if (record != NULL)
			take(manifest, list, record, &span);
		json_decref(record);
		at = newline + 1;
	}
}

/* The same; how many bytes the lines have that stand. */
static uint64_t
take_records(const struct batch_manifest *manifest, struct batch_list *list,
	     const char *text, size_t bytes)
{
	uint64_t kept = 0;

	for_records(manifest, list, text, bytes, take_record);
	for (size_t i = 0; i < list->nr; i++)
		kept += list->items[i].record_bytes;
	return kept;
}

static void
find_record(const struct batch_manifest *manifest, struct batch_list *list,
	    const json_t *record, const struct span *span)
{
	struct batch_item *item = batch_list_find(list, id_at(record, "id"));

	if (item == NULL || id_at(record, "options") != manifest->options)
		return;
	item->record_off = span->off;
	item->record_bytes = span->bytes;
}

bool
batch_manifest_find(const struct batch_manifest *manifest,
		    struct batch_list *list, const char *text, size_t bytes)
{
	for (size_t i = 0; i < list->nr; i++)
		list->items[i].record_bytes = 0;
	for_records(manifest, list, text, bytes, find_record);
	for (size_t i = 0; i < list->nr; i++)
		if (list->items[i].record_bytes == 0)
			return false;
	return true;
}

/* ---- files --------------------------------------------------------------- */

/* Waits for a batch that was killed, whose last processes have it still. */
static int
lock(int fd)
{
	for (int i = 0; flock(fd, LOCK_EX | LOCK_NB) != 0; i++) {
		if (errno != EWOULDBLOCK && errno != EINTR)
			return -errno;
		if (i == LOCK_TRIES)
			return -EBUSY;
		usleep(100000);
	}
	return 0;
}

/* The file of that name, locked: another may have taken its place meanwhile. */
static int
open_locked(struct batch_manifest *manifest)
{
	struct stat own;
	struct stat named;
	int error = 0;

	while (error == 0) {
		int fd = openat(manifest->home_fd, manifest->name,
				O_RDONLY | O_CREAT | O_CLOEXEC, 0666);

		if (fd < 0)
			return -errno;
		error = lock(fd);
		if (error == 0 && fstat(fd, &own) == 0 &&
		    fstatat(manifest->home_fd, manifest->name, &named, 0) ==
			    0 &&
		    own.st_ino == named.st_ino && own.st_dev == named.st_dev) {
			manifest->lock_fd = fd;
			return 0;
		}
		close(fd);
	}
	return error;
}

static int
open_append(struct batch_manifest *manifest)
{
	manifest->fd = openat(manifest->home_fd, manifest->name,
			      O_WRONLY | O_APPEND | O_CLOEXEC);
	return manifest->fd < 0 ? -errno : 0;
}

int
batch_manifest_copy(const struct batch_list *list, const char *text, int fd)
{
	int error = 0;

	for (size_t i = 0; i < list->nr && error == 0; i++)
		error = fd_write_all(fd, text + list->items[i].record_off,
				     list->items[i].record_bytes);
	return error;
}

/* The lock is that of the new file from before it has its name. */
static int
put_in_place(struct batch_manifest *manifest, struct new_file *file)
{
	char path[32];
	int fd;

	snprintf(path, sizeof(path), "/proc/self/fd/%d", file->fd);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	/* a hidden name has a lock; nobody sweeps while the manifest has one */
	flock(file->fd, LOCK_UN);
	if (fd < 0 || flock(fd, LOCK_EX | LOCK_NB) != 0) {
		int error = -errno;

		fd_close(fd);
		new_file_drop(file);
		return error;
	}
	close(manifest->lock_fd);
	manifest->lock_fd = fd;
	return new_file_commit(file, new_file_mode(), true);
}

/* The manifest anew, of the lines of all items that have one. */
static int
rewrite(struct batch_manifest *manifest, const struct batch_list *list,
	const char *text)
{
	int dir_fd = fcntl(manifest->home_fd, F_DUPFD_CLOEXEC, 0);
	struct new_file file = NEW_FILE_NONE;
	int error = dir_fd < 0
			    ? -errno
			    : new_file_create_at(&file, dir_fd, manifest->name);

	if (error != 0)
		return error;
	error = batch_manifest_copy(list, text, file.fd);
	if (error != 0) {
		new_file_drop(&file);
		return error;
	}
	error = put_in_place(manifest, &file);
	FAULT("manifest_replaced");
	if (error != 0)
		return error;
	fd_close(manifest->fd);
	return open_append(manifest);
}

/* Where the lines are, now that they are in order. */
static void
place_records(struct batch_manifest *manifest, struct batch_list *list)
{
	manifest->bytes = 0;
	for (size_t i = 0; i < list->nr; i++) {
		list->items[i].record_off = manifest->bytes;
		manifest->bytes += list->items[i].record_bytes;
	}
}

static int
read_all(const struct batch_manifest *manifest, char **text, size_t *bytes)
{
	if (lseek(manifest->lock_fd, 0, SEEK_SET) != 0)
		return -errno;
	return fd_read_all(manifest->lock_fd, BATCH_LIST_MAX, text, bytes);
}

int
batch_manifest_open(struct batch_manifest *manifest, struct batch_list *list)
{
	char *text = NULL;
	size_t bytes = 0;
	int error = open_locked(manifest);

	new_file_sweep(manifest->home_fd, manifest->name);
	if (error == 0)
		error = read_all(manifest, &text, &bytes);
	if (error == 0 && take_records(manifest, list, text, bytes) == bytes) {
		manifest->bytes = bytes;
		error = open_append(manifest);
	} else if (error == 0) {
		error = rewrite(manifest, list, text);
		place_records(manifest, list);
	}
	free(text);
	return error;
}

int
batch_manifest_sort(struct batch_manifest *manifest, struct batch_list *list)
{
	uint64_t end = 0;
	bool is_sorted = true;
	char *text;
	size_t bytes;
	int error;

	for (size_t i = 0; i < list->nr; i++) {
		is_sorted &= list->items[i].record_off == end;
		end += list->items[i].record_bytes;
	}
	if (is_sorted)
		return 0;
	error = read_all(manifest, &text, &bytes);
	if (error == 0)
		error = rewrite(manifest, list, text);
	if (error == 0)
		place_records(manifest, list);
	free(text);
	return error;
}

/* ---- a line ---------------------------------------------------------------
 */

static void
emit_id(struct emitter *out, const char *key, uint64_t id)
{
	char hex[HEX_ID_BYTES];

	print_id(hex, id);
	emit_text(out, key, hex);
}

static void
emit_text_or_null(struct emitter *out, const char *key, const char *text)
{
	if (text == NULL || *text == '\0')
		emit_null(out, key);
	else
		emit_text(out, key, text);
}

/* What was asked for. */
static void
emit_item(struct emitter *out, const struct batch_item *item)
{
	emit_id(out, "id", item->id);
	if (item->path == NULL)
		emit_null(out, "path");
	else
		emit_path(out, "path", (const uint8_t *)item->path,
			  strlen(item->path));
	for (size_t i = 0; i < item->setting_nr; i++) {
		const struct batch_setting *setting = &item->settings[i];

		if (setting->option == OPTION_REV)
			emit_text(out, "rev", setting->text);
	}
}

/* What the run came to, of one that has an output or a reason for none. */
static void
emit_outcome(struct emitter *out, const struct outcome *outcome)
{
	emit_u64(out, "files_seen", outcome->files_seen);
	emit_u64(out, "files", outcome->files_packed);
	emit_begin(out, "left_out", '{');
	for (unsigned i = 0; i < REPORT_REASON_NR; i++)
		if (outcome->files_left_out[i] > 0)
			emit_u64(out, report_reason_text(i),
				 outcome->files_left_out[i]);
	emit_end(out, '}');
	if (outcome->has_revision)
		emit_hex(out, "revision", outcome->revision,
			 sizeof(outcome->revision));
	else
		emit_null(out, "revision");
	if (outcome->has_output) {
		emit_u64(out, "tokens", outcome->tokens);
		emit_u64(out, "bytes", outcome->bytes);
		emit_hex(out, "sha256", outcome->sha256, SHA256_BYTES);
	}
	emit_u64(out, "peak_bytes", outcome->peak_pss_bytes);
}

static int
write_record(const struct batch_manifest *manifest,
	     const struct batch_item *item, const struct batch_result *result)
{
	bool has_output =
		result->class == BATCH_DONE || result->class == BATCH_DEGRADED;
	struct emitter out;

	emit_init(&out, manifest->fd);
	emit_begin(&out, NULL, '{');
	emit_item(&out, item);
	emit_id(&out, "options", manifest->options);
	emit_text(&out, "class", batch_class_name(result->class));
	if (result->exit_code < 0)
		emit_null(&out, "exit_code");
	else
		emit_u64(&out, "exit_code", (uint64_t)result->exit_code);
	emit_text_or_null(&out, "code", result->code);
	emit_text_or_null(&out, "message", result->said);
	emit_text_or_null(&out, "output", has_output ? item->name : NULL);
	if (result->outcome.is_known)
		emit_outcome(&out, &result->outcome);
	emit_double(&out, "seconds",
		    (double)(result->wall_ns / NS_PER_MS) / 1000);
	emit_end(&out, '}');
	emit_line(&out);
	return emit_finish(&out);
}

int
batch_manifest_add(struct batch_manifest *manifest, struct batch_item *item,
		   const struct batch_result *result)
{
	int error = write_record(manifest, item, result);
	off_t end = lseek(manifest->fd, 0, SEEK_END);

	FAULT("manifest_line");
	if (error != 0)
		return error;
	if (end < 0)
		return -errno;
	item->class = result->class;
	item->record_off = manifest->bytes;
	item->record_bytes = (uint64_t)end - manifest->bytes;
	manifest->bytes = (uint64_t)end;
	return 0;
}

void
batch_manifest_close(struct batch_manifest *manifest)
{
	fd_close(manifest->fd);
	fd_close(manifest->lock_fd);
	fd_close(manifest->home_fd);
	fd_close(manifest->dir_fd);
	*manifest = BATCH_MANIFEST_NONE;
}
