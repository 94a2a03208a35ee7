/* SPDX-License-Identifier: MIT */
/*
 * format_extra.c - the directory tree and the instructions.
 *
 * They stand at the end: which files there are is known when the last one has
 * been read, and the output may be on its way by then.
 */
#include "stages/format/format.h"

#include <string.h>

#include "base/diag.h"
#include "catalogue/cuts.h"
#include "catalogue/files.h"
#include "catalogue/history.h"
#include "catalogue/plan.h"

/* The directory tree on its way: a line for each new part of a path. */
struct tree {
	struct format *format;
	struct markup_text *text;
	const struct format_files *files; /* NULL: all that is packed */
	struct markup_rules rules;
	const uint8_t *before; /* the path of the file before */
	size_t before_bytes;
	bool measures; /* 1: only finds the longest run of the mark */
	uint32_t mark_run;
	char mark;
};

/* "  name/" */
static void
add_line(struct tree *tree, const uint8_t *name, size_t bytes, unsigned depth,
	 bool is_dir)
{
	const char *quoted =
		diag_quote(tree->format->path, FORMAT_NAME_BYTES, name, bytes);
	size_t nr = strlen(quoted);

	if (tree->measures) {
		uint32_t run = markup_longest_run(quoted, nr, tree->mark);

		tree->mark_run = run > tree->mark_run ? run : tree->mark_run;
		return;
	}
	for (unsigned i = 0; i < depth; i++)
		markup_add_string(tree->text, "  ");
	markup_add_escaped(tree->text, &tree->rules, quoted, nr);
	markup_add_escaped(tree->text, &tree->rules, is_dir ? "/\n" : "\n",
			   is_dir ? 2 : 1);
}

/* Lines for the directories that the file before was not in, and its own. */
static void
add_file(struct tree *tree, uint32_t file_idx)
{
	const struct catalogue *catalogue = tree->format->catalogue;
	const struct file_record *file = catalogue_file(catalogue, file_idx);
	const uint8_t *path = catalogue_path(catalogue, file);
	size_t bytes = file->path_bytes;
	size_t from = 0;
	unsigned depth = 0;
	bool shared = true;

	for (size_t i = 1; i < bytes; i++) {
		if (path[i] != '/')
			continue;
		shared = shared && tree->before_bytes > i &&
			 memcmp(tree->before, path, i + 1) == 0;
		if (!shared)
			add_line(tree, path + from, i - from, depth, true);
		from = i + 1;
		depth++;
	}
	add_line(tree, path + from, bytes - from, depth, false);
	tree->before = path;
	tree->before_bytes = bytes;
}

/* The file of a place to cut at, or else of an entry of the plan, or of all. */
static uint32_t
file_at(const struct tree *tree, uint64_t idx)
{
	const struct catalogue *catalogue = tree->format->catalogue;

	if (tree->files != NULL)
		return catalogue_cut(catalogue, idx)->file_idx;
	if (tree->format->job->takes_all)
		return (uint32_t)idx;
	return catalogue_chunk(catalogue,
			       catalogue_plan(catalogue, idx)->chunk_idx)
		->file_idx;
}

/* What has a place to cut at is in the output. */
static bool
is_packed(const struct tree *tree, uint32_t file_idx)
{
	const struct catalogue *catalogue = tree->format->catalogue;

	return tree->files != NULL ||
	       (catalogue_file(catalogue, file_idx)->reason == REASON_NONE &&
		catalogue_facts(catalogue, file_idx)->reason == REASON_NONE);
}

static void
walk(struct tree *tree, bool measures)
{
	const struct format *format = tree->format;
	const struct format_files all = { 0, format->job->takes_all
						     ? format->file_nr
						     : format->plan_nr };
	const struct format_files *files =
		tree->files != NULL ? tree->files : &all;
	uint32_t before = FILE_NONE;

	tree->measures = measures;
	tree->before = NULL;
	tree->before_bytes = 0;
	for (uint64_t i = files->cut_first; i < files->cut_end; i++) {
		uint32_t file_idx = file_at(tree, i);

		if (file_idx != before && is_packed(tree, file_idx))
			add_file(tree, file_idx);
		before = file_idx;
	}
}

static void
add_tree(struct format *format, struct markup_text *text,
	 const struct format_files *files)
{
	struct tree tree = { .format = format,
			     .text = text,
			     .files = files,
			     .mark = format->markup->mark };

	markup_rules_init_extra(&tree.rules, &format->job->markup);
	walk(&tree, true);
	markup_extra_open(text, format->markup, MARKUP_TREE, tree.mark_run);
	walk(&tree, false);
	markup_extra_close(text, format->markup, MARKUP_TREE, tree.mark_run);
}

void
format_tree_lines(struct format *format, struct markup_text *text,
		  uint32_t file_before, uint32_t file_idx)
{
	struct tree tree = { .format = format, .text = text };

	markup_rules_init_extra(&tree.rules, &format->job->markup);
	if (file_before != FILE_NONE) {
		const struct file_record *file =
			catalogue_file(format->catalogue, file_before);

		tree.before = catalogue_path(format->catalogue, file);
		tree.before_bytes = file->path_bytes;
	}
	add_file(&tree, file_idx);
}

static void
add_text(const struct format *format, struct markup_text *text,
	 enum markup_extra extra, const char *bytes, size_t nr)
{
	uint32_t run = markup_longest_run(bytes, nr, format->markup->mark);
	struct markup_rules rules;

	markup_rules_init_extra(&rules, &format->job->markup);
	markup_extra_open(text, format->markup, extra, run);
	markup_add_escaped(text, &rules, bytes, nr);
	markup_extra_close(text, format->markup, extra, run);
}

/* What collect has written down of git, if anything. */
static void
add_git(const struct format *format, struct markup_text *text,
	enum markup_extra extra, uint64_t off, uint64_t bytes)
{
	if (bytes > 0)
		add_text(format, text, extra,
			 table_at(&format->catalogue->history, off, bytes),
			 bytes);
}

void
format_extras(struct format *format, struct markup_text *text,
	      const struct format_files *files)
{
	const struct markup_options *options = &format->job->markup;
	const struct history_head *git = catalogue_history(format->catalogue);

	ASSERT(history_head_valid(git));
	if (options->tree)
		add_tree(format, text, files);
	add_git(format, text, MARKUP_GIT_LOG, git->log_off, git->log_bytes);
	add_git(format, text, MARKUP_GIT_DIFF, git->diff_off, git->diff_bytes);
	if (options->instructions != NULL && !format->markup->places_extras)
		add_text(format, text, MARKUP_INSTRUCTIONS,
			 options->instructions, options->instructions_bytes);
}
