/* SPDX-License-Identifier: MIT */
/*
 * collect_io_past_lines.c - the lines that came with past commits, as a table of
 * the catalogue.
 *
 * Does: reads versions of files; gathers lines and writes them.
 * Does not: compare texts (collect_heat.h); know which files and versions
 *           matter; look at the work tree: where that differs from the last
 *           commit, lines are off by a few.
 * Runs in: collect, when the history is written.
 * Limits: PAST_LINES_FILES_MAX files, PAST_LINES_MAX ranges of lines; versions
 *         of VERSION_BYTES.
 */
#include "stages/collect/collect_io_past.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define VERSION_BYTES ((size_t)1 << 20)
#define VERSION_BYTES_ALL (64ull << 20)

struct past_lines *
past_lines_create(struct history_ctx *history_ctx, uint64_t object_nr)
{
	struct past_lines *lines = malloc(sizeof(*lines));

	if (lines == NULL)
		return NULL;
	history_ctx->history->left = object_nr;
	history_ctx->history->left_bytes = VERSION_BYTES_ALL;
	lines->past = history_ctx;
	lines->hot_nr = 0;
	lines->line_nr = 0;
	lines->text = (struct repo_object){ 0 };
	lines->lines = malloc(PAST_LINES_MAX * sizeof(lines->lines[0]));
	if (lines->lines != NULL)
		return lines;
	free(lines);
	return NULL;
}

void
past_lines_free(struct past_lines *lines)
{
	if (lines == NULL)
		return;
	repo_object_close(&lines->text);
	free(lines->lines);
	free(lines);
}

/* Where there is no memory for an object, there is none for what follows either.
 * Owner: *object is the caller's, for repo_object_close(), also if this fails. */
static int
read_version(const struct past_lines *lines, const struct past_path *path,
	     struct repo_object *object)
{
	int error;

	if (path->what == PAST_GONE)
		return -ENOENT;
	error = history_read_blob(lines->past->history,
				  lines->past->blobs[path->at], object);
	if (error == -ENOMEM) {
		lines->past->head.is_partial = 1;
		lines->past->head.is_short = 1;
		return -EDQUOT;
	}
	return error == 0 && object->bytes > VERSION_BYTES ? -EFBIG : error;
}

int
past_lines_begin(struct past_lines *lines, const struct past_path *path)
{
	int error;

	repo_object_close(&lines->text);
	lines->text = (struct repo_object){ 0 };
	collect_heat_begin(&lines->heat, NULL, 0);
	error = read_version(lines, path, &lines->text);
	if (error == 0)
		collect_heat_begin(&lines->heat, lines->text.data,
				   lines->text.bytes);
	return error;
}

int
past_lines_version(struct past_lines *lines, const struct past_path *path,
		   const struct heat_span *commits)
{
	struct repo_object object = { 0 };
	int error;

	if (path == NULL) {
		collect_heat_version(&lines->heat, (const uint8_t *)"", 0,
				     commits);
		return 0;
	}
	error = read_version(lines, path, &object);
	if (error == 0)
		collect_heat_version(&lines->heat, object.data, object.bytes,
				     commits);
	repo_object_close(&object);
	return error;
}

/* So many lines behind those that are there are of a file. */
static void
add_hot(struct past_lines *lines, uint32_t file_idx, uint32_t nr)
{
	if (lines->hot_nr == PAST_LINES_FILES_MAX)
		return;
	lines->hots[lines->hot_nr++] = (struct history_hot){
		.file_idx = file_idx,
		.lines_off = lines->line_nr * sizeof(struct history_lines),
		.lines_nr = nr,
	};
	lines->line_nr += nr;
}

void
past_lines_end(struct past_lines *lines, uint32_t file_idx)
{
	add_hot(lines, file_idx,
		collect_heat_lines(&lines->heat, lines->lines + lines->line_nr,
				   PAST_LINES_MAX - lines->line_nr));
}

int
past_lines_take(struct past_lines *lines, uint32_t file_idx,
		const struct past_memo *memo)
{
	const struct history_cost cost = { memo->object_nr,
					   memo->object_bytes };
	uint32_t nr = memo->bytes / sizeof(lines->lines[0]);

	if (nr > PAST_LINES_MAX - lines->line_nr ||
	    history_skip(lines->past->history, &cost) != 0)
		return -EAGAIN;
	memcpy(lines->lines + lines->line_nr, memo + 1,
	       nr * sizeof(lines->lines[0]));
	add_hot(lines, file_idx, nr);
	return 0;
}

static int
compare_hots(const void *a, const void *b)
{
	const struct history_hot *x = a;
	const struct history_hot *y = b;

	return x->file_idx < y->file_idx ? -1 : x->file_idx > y->file_idx;
}

int
past_lines_write(struct past_lines *lines, struct history_head *head,
		 uint64_t off)
{
	const struct table *table = &lines->past->catalogue->history;
	uint64_t bytes = lines->line_nr * sizeof(struct history_lines);
	uint64_t hot_bytes = lines->hot_nr * sizeof(lines->hots[0]);
	int error;

	off = round_up_u64(off, 8);
	head->hot_off = round_up_u64(off + bytes, 8);
	error = table_reserve(table, head->hot_off + hot_bytes);
	if (error != 0 || lines->hot_nr == 0)
		return error;
	for (uint32_t i = 0; i < lines->hot_nr; i++)
		lines->hots[i].lines_off += off;
	qsort(lines->hots, lines->hot_nr, sizeof(lines->hots[0]), compare_hots);
	if (bytes > 0)
		memcpy(table_at(table, off, bytes), lines->lines, bytes);
	memcpy(table_at(table, head->hot_off, hot_bytes), lines->hots,
	       hot_bytes);
	head->hot_nr = lines->hot_nr;
	return 0;
}
