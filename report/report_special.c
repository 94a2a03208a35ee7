/* SPDX-License-Identifier: MIT */
/*
 * report_special.c - sums of what looks like a special token.
 */
#include "report/report.h"

#include <string.h>

#include "base/emit.h"
#include "markup/markup.h"
#include "tokenizer/tokenizer.h"
#include "catalogue/history.h"
#include "catalogue/specials.h"

#define KINDS_MAX 64  /* different ones of a text beside the files */
#define NAMES_MAX 256 /* file names */

struct writing {
	struct emitter *out;
	const struct report *report;
	uint64_t name_nr; /* told of */
	uint64_t left_out;
};

/* ---- one of them ------------------------------------------------------- */

static void
finish(struct writing *writing, const struct special *special, bool has_line)
{
	struct emitter *out = writing->out;
	const uint8_t *text = (const uint8_t *)special->text;
	size_t bytes = min_size(special->bytes, SPECIAL_TEXT_BYTES);

	if (has_line)
		emit_u64(out, "line", special->line);
	else
		emit_null(out, "line");
	emit_bytes(out, "token", text, bytes);
	emit_bool(out, "in_encoding",
		  tokenizer_has_special(writing->report->run->tokenizer, text,
					bytes));
	emit_u64(out, "count", special->times);
	emit_end(out, '}');
}

static void
write_of_file(struct writing *writing, const struct special *special,
	      bool has_line)
{
	emit_begin(writing->out, NULL, '{');
	emit_text(writing->out, "in", has_line ? "file" : "name");
	report_emit_path(writing->report, special->file_idx, "path",
			 writing->out);
	finish(writing, special, has_line);
}

/* ---- in files ---------------------------------------------------------- */

static bool
is_same(const struct special *a, const struct special *b)
{
	return a->file_idx == b->file_idx && a->bytes == b->bytes &&
	       memcmp(a->text, b->text, SPECIAL_TEXT_BYTES) == 0;
}

/*
 * One text of one file, from as many runs as it is in. The records of a file
 * lie side by side, a run's after the other's.
 */
static void
write_files(struct writing *writing)
{
	const struct catalogue *catalogue = &writing->report->run->catalogue;
	uint64_t first = 0; /* of the file */
	uint64_t i = 0;

	/* the last one is of no file */
	while (catalogue_special(catalogue, i)->file_idx <
	       writing->report->files_seen) {
		struct special sum = *catalogue_special(catalogue, i);
		bool seen = false;

		if (catalogue_special(catalogue, first)->file_idx !=
		    sum.file_idx)
			first = i;
		for (uint64_t k = first; k < i && !seen; k++)
			seen = is_same(catalogue_special(catalogue, k), &sum);
		for (uint64_t k = ++i;
		     !seen &&
		     catalogue_special(catalogue, k)->file_idx == sum.file_idx;
		     k++)
			if (is_same(catalogue_special(catalogue, k), &sum))
				sum.times +=
					catalogue_special(catalogue, k)->times;
		if (!seen)
			write_of_file(writing, &sum, true);
	}
	writing->left_out = catalogue_special(catalogue, i)->left_out;
}

/* ---- in texts beside them ---------------------------------------------- */

/* Those of a text, each kind once: how many kinds. */
static uint32_t
find(const uint8_t *text, size_t bytes, struct special kinds[KINDS_MAX],
     uint64_t *left_out)
{
	const uint8_t *end = text + bytes;
	const uint8_t *counted = text;
	uint32_t line = 1;
	uint32_t nr = 0;

	for (const uint8_t *at = text;
	     (at = memmem(at, (size_t)(end - at), "<|", 2)) != NULL;) {
		size_t length = markup_special(at, end);
		struct special one = { .times = 1 };
		uint32_t i = 0;

		if (length == 0) {
			at++;
			continue;
		}
		for (; counted < at; counted++)
			line += *counted == '\n';
		one.line = line;
		one.bytes = (uint8_t)min_size(length, SPECIAL_TEXT_BYTES);
		memcpy(one.text, at, one.bytes);
		at += length;
		while (i < nr && !is_same(&kinds[i], &one))
			i++;
		if (i < nr)
			kinds[i].times++;
		else if (nr < KINDS_MAX)
			kinds[nr++] = one;
		else
			++*left_out;
	}
	return nr;
}

static void
write_text(struct writing *writing, const char *in, const void *text,
	   size_t bytes)
{
	struct special kinds[KINDS_MAX];
	uint32_t nr =
		bytes == 0 ? 0 : find(text, bytes, kinds, &writing->left_out);

	for (uint32_t i = 0; i < nr; i++) {
		emit_begin(writing->out, NULL, '{');
		emit_text(writing->out, "in", in);
		finish(writing, &kinds[i], true);
	}
}

/* ---- in names ---------------------------------------------------------- */

static void
look_at_name(struct writing *writing, uint32_t file_idx)
{
	struct special kinds[KINDS_MAX];
	size_t bytes;
	const uint8_t *path = report_path(writing->report, file_idx, &bytes);
	uint32_t nr;

	if (memmem(path, bytes, "<|", 2) == NULL)
		return;
	nr = find(path, bytes, kinds, &writing->left_out);
	for (uint32_t i = 0; i < nr; i++) {
		if (writing->name_nr++ >= NAMES_MAX) {
			writing->left_out++;
			continue;
		}
		kinds[i].file_idx = file_idx;
		write_of_file(writing, &kinds[i], false);
	}
}

/* Of each file of which something is packed; its ranges stand side by side. */
static void
write_names(struct writing *writing)
{
	uint32_t before = FILE_NONE;

	for (uint64_t i = 0; i < writing->report->item_nr; i++) {
		const struct report_item *item =
			report_item(writing->report, i);

		if (!item->is_packed || item->file_idx == before)
			continue;
		before = item->file_idx;
		look_at_name(writing, before);
	}
}

void
report_emit_specials(const struct report *report, struct emitter *out)
{
	const struct run *run = report->run;
	const struct markup_options *texts = &run->job.markup;
	const struct history_head *git = catalogue_history(&run->catalogue);
	const struct table *history = &run->catalogue.history;
	struct writing writing = { .out = out, .report = report };

	emit_begin(out, "special_tokens", '[');
	if (report->has_output) {
		write_files(&writing);
		write_names(&writing);
		write_text(&writing, "header", texts->header,
			   texts->header_bytes);
		write_text(&writing, "git-log",
			   table_at(history, git->log_off, git->log_bytes),
			   git->log_bytes);
		write_text(&writing, "git-diff",
			   table_at(history, git->diff_off, git->diff_bytes),
			   git->diff_bytes);
		write_text(&writing, "instructions", texts->instructions,
			   texts->instructions_bytes);
	}
	emit_end(out, ']');
	emit_u64(out, "special_tokens_left_out", writing.left_out);
}
