/* SPDX-License-Identifier: MIT */
/*
 * collect_io_tasks.c - reading past commits as tasks.
 */
#include "stages/collect/collect_io_tasks.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/ascii.h"
#include "rank/kind.h"
#include "rank/priority.h"
#include "stages/collect/collect_io_walk.h"

#define LOOKED_AT_MAX 3000u
#define FILE_BYTES_MAX ((size_t)4 << 20)
#define MESSAGE_BYTES_LEAST 40u
#define MESSAGE_WORDS_LEAST 5u

/* A file that a commit changed. */
struct change {
	uint8_t from[COMMIT_OBJECT_BYTES];
	uint8_t to[COMMIT_OBJECT_BYTES];
	uint32_t path_off;
};

struct tasks_ctx {
	struct commit_tasks *tasks;
	struct history *history;
	const char *prefix; /* of the root in the repository */
	size_t prefix_bytes;
	struct change changes[COMMIT_FILES_MAX];
	uint32_t change_nr;       /* may be more than there is room for */
	struct commit_file *file; /* in work */
	uint32_t line_nr;         /* that it had */
	bool is_full;             /* the commit in work has no room */
};

/* ---- texts and ranges ---------------------------------------------------- */

/* A copy with a NUL, of two pieces; *off is where it is. */
static bool
add_text(struct commit_tasks *tasks, const char *first, const char *text,
	 size_t bytes, uint32_t *off)
{
	size_t before = strlen(first);
	char *to = tasks->text + tasks->text_bytes;

	if (before + bytes + 1 > COMMIT_TEXT_BYTES - tasks->text_bytes)
		return false;
	memcpy(to, first, before);
	memcpy(to + before, text, bytes);
	to[before + bytes] = '\0';
	*off = tasks->text_bytes;
	tasks->text_bytes += (uint32_t)(before + bytes + 1);
	return true;
}

/* Lines a to b of the file in work, which is no more than it has. */
static void
add_range(struct tasks_ctx *ctx, uint32_t first, uint32_t last)
{
	struct commit_tasks *tasks = ctx->tasks;
	struct commit_file *file = ctx->file;

	first = first == 0 ? 1 : first;
	last = (uint32_t)min_u64(last, ctx->line_nr);
	if (first > last)
		return;
	if (tasks->range_nr == COMMIT_RANGES_MAX) {
		ctx->is_full = true;
		return;
	}
	tasks->ranges[tasks->range_nr++] = (struct commit_range){ first, last };
	file->range_nr++;
	file->line_nr += last - first + 1;
}

/* A git_diff_hunk_cb: what is put between two lines has changed both. */
static int
take_hunk(const git_diff_delta *delta, const git_diff_hunk *hunk, void *payload)
{
	uint32_t first = (uint32_t)hunk->old_start;
	uint32_t nr = (uint32_t)hunk->old_lines;

	(void)delta;
	add_range(payload, first, nr == 0 ? first + 1 : first + nr - 1);
	return 0;
}

static uint32_t
count_lines(const struct repo_object *object)
{
	uint32_t nr = 0;

	for (size_t at = 0; at < object->bytes; nr++) {
		const uint8_t *end =
			memchr(object->data + at, '\n', object->bytes - at);

		at = end == NULL ? object->bytes
				 : (size_t)(end - object->data) + 1;
	}
	return nr;
}

/* The ranges of two contents; -EINVAL: one of them is no text. */
static int
compare(struct tasks_ctx *ctx, const struct repo_object *before,
	const struct repo_object *after)
{
	git_diff_options options;

	if (before->bytes > FILE_BYTES_MAX || after->bytes > FILE_BYTES_MAX)
		return -EFBIG;
	if (gitlib.git_diff_options_init(&options, GIT_DIFF_OPTIONS_VERSION) !=
	    0)
		return -EIO;
	options.context_lines = 0;
	options.flags = GIT_DIFF_INDENT_HEURISTIC;
	ctx->line_nr = count_lines(before);
	return gitlib_errno(gitlib.git_diff_buffers(
		before->data, before->bytes, NULL, after->data, after->bytes,
		NULL, &options, NULL, NULL, take_hunk, NULL, ctx));
}

/* ---- a commit ------------------------------------------------------------ */

/* Whether it is code by its name, and a pack could have it. */
static bool
is_code(const struct collect_walk *walk, const char *path, size_t bytes)
{
	const char *slash = memrchr(path, '/', bytes);
	const char *name = slash == NULL ? path : slash + 1;
	size_t name_bytes = bytes - (size_t)(name - path);
	const struct file_record file = {
		.language = (uint8_t)collect_kind_lang(&walk->kinds, name,
						       name_bytes),
		.flags =
			collect_kind_file_labels(&walk->kinds, name, name_bytes)
				.marks,
	};

	return rank_class_of_file(&file,
				  rank_kinds((const uint8_t *)path, bytes)) ==
		       RANK_CLASS_CODE &&
	       history_may_show(walk, path);
}

/* A history_changed. */
static bool
add_change(void *context, const char *path, size_t bytes)
{
	struct tasks_ctx *ctx = context;
	struct history *history = ctx->history;
	char below[HISTORY_PATH_BYTES];
	struct change *change;

	if (history->changed_from == NULL || history->changed_to == NULL ||
	    memcmp(history->changed_from, history->changed_to,
		   COMMIT_OBJECT_BYTES) == 0 ||
	    bytes <= ctx->prefix_bytes ||
	    memcmp(path, ctx->prefix, ctx->prefix_bytes) != 0)
		return true;
	bytes -= ctx->prefix_bytes;
	memcpy(below, path + ctx->prefix_bytes, bytes);
	below[bytes] = '\0';
	if (!is_code(history->walk, below, bytes))
		return true;
	if (ctx->change_nr++ >= COMMIT_FILES_MAX)
		return false;
	change = &ctx->changes[ctx->change_nr - 1];
	memcpy(change->from, history->changed_from, sizeof(change->from));
	memcpy(change->to, history->changed_to, sizeof(change->to));
	ctx->is_full |=
		!add_text(ctx->tasks, "", below, bytes, &change->path_off);
	return true;
}

/* What a commit changed in a file; nothing, if that cannot be known. */
static int
add_file(struct tasks_ctx *ctx, struct commit_task *task,
	 const struct change *change)
{
	struct repo_object before = { 0 };
	struct repo_object after = { 0 };
	int error = history_read_blob(ctx->history, change->from, &before);

	ctx->file = &task->files[task->file_nr];
	*ctx->file =
		(struct commit_file){ .path_off = change->path_off,
				      .range_first = ctx->tasks->range_nr };
	if (error == 0)
		error = history_read_blob(ctx->history, change->to, &after);
	if (error == 0)
		error = compare(ctx, &before, &after);
	task->file_nr += ctx->file->range_nr > 0;
	repo_object_close(&before);
	repo_object_close(&after);
	return error == -ENOENT || error == -EFBIG ? 0 : error;
}

/* Whether somebody could work by the message alone. */
static bool
is_short(const struct commit *says)
{
	const uint8_t *text = (const uint8_t *)says->message;
	size_t first = says->message_bytes;
	size_t last = 0;
	size_t words = 0;

	for (size_t i = 0; i < says->message_bytes; i++) {
		if (text[i] <= ' ')
			continue;
		first = min_size(first, i);
		last = i;
		words += i == first || text[i - 1] <= ' ';
	}
	return words < MESSAGE_WORDS_LEAST ||
	       last + 1 - first < MESSAGE_BYTES_LEAST;
}

/* The message up to a NUL. That it begins with '@' says nothing here. */
static bool
add_message(struct commit_tasks *tasks, struct commit_task *task,
	    const struct commit *says)
{
	size_t bytes = strnlen(says->message, min_size(says->message_bytes,
						       COMMIT_MESSAGE_BYTES));

	return add_text(tasks, *says->message == '@' ? " " : "", says->message,
			bytes, &task->message_off);
}

static int
oid_of(uint8_t out[COMMIT_OBJECT_BYTES], const char *digits)
{
	git_oid id;

	if (gitlib.git_oid_fromstrn(&id, digits, COMMIT_NAME_DIGITS) != 0)
		return -EINVAL;
	memcpy(out, id.id, COMMIT_OBJECT_BYTES);
	return 0;
}

/* A task of it: COMMIT_REASON_NR; else why it is none, or -errno. */
static int
make_task(struct tasks_ctx *ctx, struct commit_task *task,
	  const struct history_commit_at *commit)
{
	const struct commit *says = &commit->says;
	int error;

	if (says->parent_nr > 1)
		return COMMIT_MERGE;
	if (says->parent_nr == 0)
		return COMMIT_NO_PARENT;
	if (is_short(says))
		return COMMIT_SHORT;
	memcpy(task->commit, commit->id, sizeof(task->commit));
	error = oid_of(task->parent, commit_parent(says, 0));
	if (error == 0)
		error = history_changes(ctx->history, add_change, ctx);
	if (error == -ENOENT || error == -ENODATA)
		return COMMIT_NO_PARENT;
	if (error == 0 && ctx->change_nr > COMMIT_FILES_MAX)
		return COMMIT_MANY_FILES;
	for (uint32_t i = 0; i < ctx->change_nr && error == 0; i++)
		error = add_file(ctx, task, &ctx->changes[i]);
	if (error != 0)
		return error;
	if (task->file_nr == 0)
		return ctx->change_nr == 0 ? COMMIT_NO_CODE : COMMIT_LOST;
	if (!add_message(ctx->tasks, task, says) || ctx->is_full)
		return COMMIT_LOST;
	return COMMIT_REASON_NR;
}

/* 0, or -errno: no more commits can be read. */
static int
add_commit(struct tasks_ctx *ctx, const struct history_commit_at *commit)
{
	struct commit_tasks *tasks = ctx->tasks;
	uint32_t text_bytes = tasks->text_bytes;
	uint32_t range_nr = tasks->range_nr;
	int result;

	ctx->change_nr = 0;
	ctx->is_full = false;
	tasks->tasks[tasks->nr].file_nr = 0;
	result = make_task(ctx, &tasks->tasks[tasks->nr], commit);
	if (result == COMMIT_REASON_NR) {
		tasks->nr++;
		return 0;
	}
	tasks->text_bytes = text_bytes;
	tasks->range_nr = range_nr;
	if (result >= 0)
		tasks->left_out[result]++;
	return result < 0 ? result : 0;
}

int
tasks_read(struct commit_tasks *tasks, struct history *history, const char *rev)
{
	struct tasks_ctx ctx = { .tasks = tasks, .history = history };
	struct history_commit_at commit;
	uint32_t wanted = (uint32_t)min_u64(tasks->wanted_nr, COMMIT_TASKS_MAX);
	int result = history_begin(history, 0, rev);

	ctx.prefix = history_prefix(history, 0, 0, &ctx.prefix_bytes);
	for (uint32_t i = 0;
	     result == 0 && i < LOOKED_AT_MAX && tasks->nr < wanted; i++) {
		result = history_next(history, &commit);
		if (result == 0)
			break;
		if (result > 0)
			result = add_commit(&ctx, &commit);
	}
	if (result != 0 && result != -EDQUOT)
		snprintf(tasks->why, sizeof(tasks->why), "%s",
			 result == -ENOENT ? "no such commit" : gitlib_error());
	return result == -EDQUOT ? 0 : result;
}
