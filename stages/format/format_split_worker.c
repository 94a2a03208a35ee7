/* SPDX-License-Identifier: MIT */
/*
 * format_split_worker.c - where an output is cut, and the writing of the parts.
 *
 * Does: cuts between files; a file that no part can hold, between its chunks;
 *       a chunk that no part can hold, behind a line; a line that no part can
 *       hold, behind a character.
 * Runs in: format.
 * Invariants:
 * 1. Cutting looks at bounds, writing counts each part as one text: if one is
 *    over the limit all is cut again, for that much less.
 * 2. What is cut is a function of the output and its places to cut at.
 */
#include "stages/format/format_split_worker.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/fault.h"
#include "stages/format/format_extra_worker.h"
#include "stages/format/format_io_output.h"
#include "stages/format/format_out_worker.h"
#include "catalogue/cuts.h"
#include "catalogue/files.h"
#include "rank/budget.h"
#include "stages/run.h"

#define WINDOW_BYTES (256u << 10)
#define TEXT_BYTES (64u << 10)
#define TRIES_MAX 16
#define BYTES_PER_TOKEN 4 /* about */
#define TOKENS_PER_BYTE 3 /* at most: U+FFFD, byte by byte */

struct split {
	struct markup_text text; /* first: spill() comes back from it */
	struct worker *worker;
	const struct markup_format *format;
	const struct markup_options *options;
	uint64_t limit;
	uint64_t cut_nr;
	uint64_t part_nr;    /* begun */
	uint64_t parts;      /* as the parts say; a guess while it is cut */
	uint64_t section_nr; /* of the part that is written */
	bool in_part;
	bool is_first; /* section of its part: there is none yet */
	bool writes;
	int error;
	uint64_t out_off;
	uint64_t tail_tokens; /* of what stands behind the files */
	uint64_t tree_tokens; /* of the tree's lines; both counted alone */
	uint32_t tree_file;   /* the last in it */
	struct cut_place at;
	struct cut_place part_from;
	struct token_stream now;
	struct token_stream kept;
	struct token_stream before;
	uint64_t window_off;
	size_t window_nr;
	char text_bytes[TEXT_BYTES];
	uint8_t window[WINDOW_BYTES];
};

/* ---- places ------------------------------------------------------------ */

static struct cut_record *
cut_at(const struct split *split, uint64_t idx)
{
	return catalogue_cut(&split->worker->catalogue, idx);
}

/* The place that a record stands for. */
static struct cut_place
place_of(const struct split *split, uint64_t idx, uint64_t file_cut)
{
	const struct cut_record *cut;

	if (idx < split->cut_nr && cut_at(split, idx)->kind == CUT_END)
		idx++;
	if (idx >= split->cut_nr)
		return (struct cut_place){ .cut = split->cut_nr,
					   .file_cut = split->cut_nr };
	cut = cut_at(split, idx);
	return (struct cut_place){
		.cut = idx,
		.file_cut = cut->kind == CUT_FILE ? idx : file_cut,
		.off = cut->kind == CUT_FILE ? cut->off : cut->content_off,
		.line = cut->line_first,
	};
}

static bool
is_same_place(const struct cut_place *a, const struct cut_place *b)
{
	return a->cut == b->cut && a->off == b->off;
}

/* Whether a section begins at this place. */
static bool
begins_file(const struct split *split, const struct cut_place *place)
{
	return place->cut == split->cut_nr ||
	       (place->cut == place->file_cut &&
		place->off == cut_at(split, place->cut)->off);
}

/* Whether the chunk of its record begins at this place. */
static bool
begins_chunk(const struct split *split, const struct cut_place *place)
{
	return place->off == cut_at(split, place->cut)->content_off;
}

static uint64_t
content_from(const struct split *split, const struct cut_place *from)
{
	return begins_file(split, from) ? cut_at(split, from->cut)->content_off
					: from->off;
}

/* Where the content of a piece ends that ends at this place. */
static uint64_t
content_until(const struct split *split, const struct cut_place *from,
	      const struct cut_place *until)
{
	if (until->file_cut != from->file_cut)
		return cut_at(split, cut_at(split, from->file_cut)->end_cut)
			->off;
	return begins_chunk(split, until) ? cut_at(split, until->cut)->off
					  : until->off;
}

/* ---- text on its way --------------------------------------------------- */

static void
give(struct split *split, uint8_t *bytes, size_t nr)
{
	struct iovec piece = { .iov_base = bytes, .iov_len = nr };
	const struct run *run = split->worker->run;
	int error;

	/* what count has counted is known there */
	token_stream_feed(run->tokenizer, run->segment.cache, &split->now,
			  bytes, nr);
	worker_beat(split->worker);
	if (!split->writes || nr == 0)
		return;
	error = format_write_all(split->worker->run->output_fd, &piece, 1,
				 split->out_off);
	if (split->error == 0)
		split->error = error;
	split->out_off += nr;
}

static void
give_text(struct split *split)
{
	size_t nr = (size_t)(split->text.at - split->text_bytes);

	split->text.at = split->text_bytes;
	split->text.room = sizeof(split->text_bytes);
	give(split, (uint8_t *)split->text_bytes, nr);
}

static void
spill(struct markup_text *text)
{
	give_text((struct split *)(void *)text);
}

/* The bytes of the output from an offset on, as many as there are room for. */
static void
look_at(struct split *split, uint64_t off, uint64_t until)
{
	int error;

	split->window_off = off;
	split->window_nr = (size_t)min_u64(until - off, WINDOW_BYTES);
	error = format_read_all(split->worker->run->output_fd, split->window,
				split->window_nr, off);
	if (error == 0)
		return;
	split->error = split->error == 0 ? error : split->error;
	memset(split->window, 0, split->window_nr);
}

static uint64_t
total(const struct split *split)
{
	return token_stream_count(split->worker->run->tokenizer, &split->now) +
	       split->tail_tokens + split->tree_tokens;
}

/* Content as it stands there; ends early where it cannot fit. */
static void
give_content(struct split *split, uint64_t from, uint64_t until)
{
	uint64_t step =
		split->writes ? WINDOW_BYTES
			      : min_u64(WINDOW_BYTES,
					4096 + split->limit * BYTES_PER_TOKEN);

	while (from < until &&
	       (split->writes || total(split) <= split->limit)) {
		look_at(split, from, min_u64(until, from + step));
		give(split, split->window, split->window_nr);
		from += split->window_nr;
	}
}

/* ---- sections ---------------------------------------------------------- */

/*
 * The header of a piece. Where it ends may not be known yet: then it says the
 * most that it may have to.
 */
static struct markup_section
describe(struct split *split, const struct cut_place *from,
	 const struct cut_place *until)
{
	const struct cut_record *file = cut_at(split, from->file_cut);
	bool in_file = until == NULL || until->file_cut == from->file_cut;
	struct format_lines lines = {
		.first = from->line,
		.last = file->line_last,
		.signatures = file->signatures,
	};
	struct markup_section section;

	if (file->signatures)
		lines.first = file->line_first;
	else if (until != NULL && in_file && begins_chunk(split, until))
		lines.last = cut_at(split, until->cut)->line_before;
	else if (until != NULL && in_file)
		lines.last = until->line - !until->mid_line;
	section = format_describe(split->worker, file->file_idx, &lines);
	section.is_first = split->is_first;
	section.is_whole =
		file->line_first == 1 && file->line_last == section.line_nr;
	section.goes_on = in_file;
	if (in_file)
		section.no_newline = until == NULL || until->mid_line;
	if (!begins_file(split, from))
		section.continued = from->mid_line ? MARKUP_CONTINUED_MID
						   : MARKUP_CONTINUED;
	return section;
}

static void
open_piece(struct split *split, const struct markup_section *section)
{
	split->format->open(&split->text, split->options, section);
	give_text(split);
	split->is_first = false;
}

static void
close_piece(struct split *split, const struct markup_section *section,
	    bool half_line)
{
	split->format->close(&split->text, section, half_line);
	give_text(split);
}

/* What of one section stands between two places, with all that it needs. */
static void
give_piece(struct split *split, const struct cut_place *from,
	   const struct cut_place *until)
{
	struct markup_section section = describe(split, from, until);
	const struct cut_record *end =
		cut_at(split, cut_at(split, from->file_cut)->end_cut);
	bool half_line = section.goes_on ? until->mid_line : end->half_line;

	open_piece(split, &section);
	if (section.empty || section.same_path != NULL)
		return;
	give_content(split, content_from(split, from),
		     content_until(split, from, until));
	close_piece(split, &section, half_line);
}

/* ---- parts ------------------------------------------------------------- */

static void
begin_part(struct split *split)
{
	const struct markup_part part = { .number = ++split->part_nr,
					  .nr = split->parts };

	token_stream_init(&split->now);
	split->in_part = true;
	split->is_first = true;
	split->tree_tokens = 0;
	split->tree_file = FILE_NONE;
	split->part_from = split->at;
	split->format->begin(&split->text, split->options, &part);
	give_text(split);
}

/* What stands behind the files. */
static void
give_tail(struct split *split, const struct format_files *files)
{
	split->format->files_end(&split->text, split->options,
				 split->section_nr);
	format_extras(split->worker, &split->text, files);
	split->format->end(&split->text);
	give_text(split);
}

static int
end_part(struct split *split)
{
	struct catalogue *catalogue = &split->worker->catalogue;
	int error = format_reserve(split->worker, &catalogue->parts,
				   split->part_nr * sizeof(struct part_record));

	split->in_part = false;
	if (error != 0)
		return error;
	*catalogue_part(catalogue, split->part_nr - 1) = (struct part_record){
		.from = split->part_from,
		.until = split->at,
	};
	return 0;
}

/* What a file adds to the tree of its part, counted alone. */
static void
add_to_tree(struct split *split, uint32_t file_idx)
{
	if (!split->options->tree || split->tree_file == file_idx)
		return;
	split->before = split->now;
	token_stream_init(&split->now);
	format_tree_lines(split->worker, &split->text, split->tree_file,
			  file_idx);
	give_text(split);
	split->tree_tokens +=
		token_stream_count(split->worker->run->tokenizer, &split->now);
	split->tree_file = file_idx;
	split->now = split->before;
}

/* ---- where to cut ------------------------------------------------------ */

/* All that is left of the section, if the part can hold it. */
static bool
take_rest(struct split *split)
{
	const struct cut_record *file = cut_at(split, split->at.file_cut);
	struct cut_place next =
		place_of(split, file->end_cut, split->at.file_cut);
	uint64_t tree_tokens = split->tree_tokens;
	uint32_t tree_file = split->tree_file;
	bool is_first = split->is_first;

	split->kept = split->now;
	add_to_tree(split, file->file_idx);
	give_piece(split, &split->at, &next);
	if (total(split) <= split->limit) {
		split->at = next;
		return true;
	}
	split->now = split->kept;
	split->tree_tokens = tree_tokens;
	split->tree_file = tree_file;
	split->is_first = is_first;
	return false;
}

/* As many chunks of the section as the part can hold. */
static bool
take_chunks(struct split *split)
{
	uint64_t end_cut = cut_at(split, split->at.file_cut)->end_cut;
	struct markup_section section = describe(split, &split->at, NULL);
	uint64_t from = content_from(split, &split->at);
	struct cut_place taken = split->at;

	add_to_tree(split, cut_at(split, end_cut)->file_idx);
	open_piece(split, &section);
	for (uint64_t i = split->at.cut + 1; i <= end_cut; i++) {
		give_content(split, from, cut_at(split, i)->off);
		split->kept = split->now;
		close_piece(split, &section, true);
		if (total(split) > split->limit)
			break;
		split->now = split->kept;
		taken = place_of(split, i, split->at.file_cut);
		from = cut_at(split, i)->off; /* and the mark of a gap */
	}
	if (is_same_place(&taken, &split->at))
		return false;
	split->at = taken;
	return true;
}

/* The number before a line, if there is one here. */
static size_t
number_bytes(const struct split *split, const uint8_t *at, const uint8_t *end)
{
	const uint8_t *from = at;

	if (!split->options->numbers)
		return 0;
	while (at < end && *at >= '0' && *at <= '9')
		at++;
	return end - at >= 2 && at > from && at[0] == ':' && at[1] == ' '
		       ? (size_t)(at - from) + 2
		       : 0;
}

/* Whether a line can end in what there is. */
static bool
has_newline(const struct split *split, const uint8_t *at, const uint8_t *end)
{
	const char *newline =
		split->format->escape == MARKUP_ESCAPE_JSON ? "\\n" : "\n";

	return memmem(at, (size_t)(end - at), newline, strlen(newline)) != NULL;
}

/* Behind the unit at `at`, as far as it can be told from what there is. */
static const uint8_t *
behind_unit(const struct split *split, const uint8_t *at, bool lines,
	    bool is_all, bool *newline)
{
	const uint8_t *end = split->window + split->window_nr;

	while (at < end && !*newline &&
	       (is_all || end - at >= MARKUP_ATOM_BYTES)) {
		at += markup_atom(split->format->escape, at, end, newline);
		if (!lines)
			break;
	}
	return at;
}

/*
 * Bytes from `off` on that are taken together: a line, or a character with
 * the number before it. 0: more than can be looked at.
 */
static size_t
unit_bytes(struct split *split, uint64_t off, uint64_t until, bool lines,
	   struct cut_place *place)
{
	for (int tries = 0; tries < 2; tries++) {
		const uint8_t *end;
		const uint8_t *from;
		const uint8_t *at;
		bool is_all;
		bool newline = false;

		if (off < split->window_off ||
		    off > split->window_off + split->window_nr || tries > 0)
			look_at(split, off, until);
		end = split->window + split->window_nr;
		is_all = split->window_off + split->window_nr >= until;
		from = split->window + (off - split->window_off);
		at = from;
		if (lines && !is_all && tries > 0 &&
		    !has_newline(split, from, end))
			return 0;
		if (!place->mid_line)
			at += number_bytes(split, from, end);
		at = behind_unit(split, at, lines, is_all, &newline);
		if (at > from && (newline || !lines || (is_all && at == end))) {
			place->line += newline;
			place->mid_line = !newline;
			return (size_t)(at - from);
		}
	}
	return 0;
}

/* As many lines, or characters, of the chunk as the part can hold. */
static bool
take_units(struct split *split, bool lines)
{
	uint64_t until = cut_at(split, split->at.cut + 1)->off;
	struct markup_section section = describe(split, &split->at, NULL);
	struct cut_place place = split->at;
	uint64_t bound;
	bool any = false;

	add_to_tree(split, cut_at(split, split->at.cut)->file_idx);
	open_piece(split, &section);
	place.off = content_from(split, &split->at);
	bound = total(split) + TOKENS_PER_BYTE * 64ull;
	look_at(split, place.off, until);
	while (place.off < until) {
		struct cut_place next = place;
		size_t nr = unit_bytes(split, place.off, until, lines, &next);
		uint8_t *from = split->window + (place.off - split->window_off);

		if (nr == 0)
			break;
		next.off += nr;
		bound += TOKENS_PER_BYTE * nr;
		if (bound > split->limit)
			split->kept = split->now;
		give(split, from, nr);
		if (bound > split->limit) {
			split->before = split->now;
			close_piece(split, &section, true);
			bound = total(split);
			if (bound > split->limit) {
				split->now = split->kept;
				break;
			}
			split->now = split->before;
		}
		place = next;
		any = true;
	}
	if (!any)
		return false;
	if (place.off >= until)
		place = place_of(split, split->at.cut + 1, split->at.file_cut);
	split->at = place;
	return true;
}

/* Begins the part again, as if nothing were in it. */
static void
begin_again(struct split *split)
{
	split->part_nr--;
	begin_part(split);
}

/* Some of a section that no part can hold; false: none of it. */
static bool
take_some(struct split *split)
{
	if (take_chunks(split))
		return true;
	begin_again(split);
	if (take_units(split, true))
		return true;
	begin_again(split);
	return take_units(split, false);
}

/* The rest of the section in a part of its own, else some of it, there or in
 * what is left of this part. 0, -errno, or 1: there is no way. */
static int
cut_section(struct split *split)
{
	struct cut_place begun = split->part_from;
	struct token_stream *saved = malloc(sizeof(*saved));
	uint64_t tree_tokens = split->tree_tokens;
	uint32_t tree_file = split->tree_file;
	int error;

	if (saved == NULL)
		return -ENOMEM;
	*saved = split->now;
	error = end_part(split);
	if (error == 0)
		begin_part(split);
	if (error == 0 && !take_rest(split)) {
		/* not even in one of its own: this part may have some */
		split->part_nr--;
		split->part_from = begun;
		split->now = *saved;
		split->tree_tokens = tree_tokens;
		split->tree_file = tree_file;
		split->is_first = false;
		if (take_chunks(split))
			error = end_part(split);
		if (error == 0 && split->at.cut < split->cut_nr)
			begin_part(split);
	}
	free(saved);
	return error;
}

/* Cuts all of it: 0, -errno, or 1: a part cannot hold anything. */
static int
cut_all(struct split *split)
{
	int error = 0;

	split->part_nr = 0;
	split->at = place_of(split, 0, 0);
	if (split->cut_nr == 0)
		return 0;
	begin_part(split);
	while (error == 0 && split->error == 0 &&
	       split->at.cut < split->cut_nr) {
		if (take_rest(split))
			continue;
		if (!split->is_first) {
			error = cut_section(split);
			continue;
		}
		if (!take_some(split))
			return 1;
		error = end_part(split);
		if (split->at.cut < split->cut_nr)
			begin_part(split);
	}
	return error == 0 && split->in_part ? end_part(split) : error;
}

/* ---- the parts --------------------------------------------------------- */

static void
write_part(struct split *split, struct part_record *part)
{
	struct cut_place at = part->from;
	const struct cut_place *until = &part->until;
	struct format_files files = { at.cut, until->cut };

	if (until->cut < split->cut_nr && !begins_file(split, until) &&
	    !begins_chunk(split, until))
		files.cut_end++;
	part->off = split->out_off;
	split->section_nr = 0;
	begin_part(split);
	while (at.cut < split->cut_nr && !is_same_place(&at, until)) {
		struct cut_place next =
			place_of(split, cut_at(split, at.file_cut)->end_cut, 0);

		if (until->file_cut == at.file_cut)
			next = *until;
		give_piece(split, &at, &next);
		split->section_nr++;
		at = next;
	}
	give_tail(split, &files);
	part->bytes = split->out_off - part->off;
	part->tokens =
		token_stream_count(split->worker->run->tokenizer, &split->now);
}

/* All parts; the most tokens that one is over the limit. */
static uint64_t
write_parts(struct split *split, uint64_t limit)
{
	struct format_state *state = split->worker->state;
	uint64_t over = 0;

	split->writes = true;
	split->parts = split->part_nr;
	split->part_nr = 0;
	split->out_off = state->offset;
	state->verdict_tokens = 0;
	while (split->part_nr < split->parts && split->error == 0) {
		struct part_record *part = catalogue_part(
			&split->worker->catalogue, split->part_nr);

		write_part(split, part);
		state->verdict_tokens =
			add_sat_u64(state->verdict_tokens, part->tokens);
		if (part->tokens > limit)
			over = max_u64(over, part->tokens - limit);
		FAULT("part_written");
	}
	state->verdict_bytes = split->out_off - state->offset;
	split->writes = false;
	return over;
}

static void
measure_tail(struct split *split)
{
	const struct format_files none = { 0, 0 };

	token_stream_init(&split->now);
	split->section_nr = split->cut_nr; /* no part has more */
	give_tail(split, &none);
	split->tail_tokens =
		token_stream_count(split->worker->run->tokenizer, &split->now);
}

/* Cuts, and writes, until no part is over the limit. */
static int
split_all(struct split *split, uint64_t limit)
{
	struct format_state *state = split->worker->state;
	uint64_t over = 1;
	int result = 0;

	split->limit = limit;
	split->parts = state->offset / BYTES_PER_TOKEN / limit + 1;
	measure_tail(split);
	for (int i = 0; i < TRIES_MAX && over > 0; i++) {
		result = cut_all(split);
		if (result != 0 || split->error != 0)
			break;
		over = write_parts(split, limit);
		if (over >= split->limit)
			break;
		split->limit -= over;
	}
	if (split->error != 0)
		return split->error;
	if (result < 0)
		return result;
	state->part_nr = over == 0 ? split->part_nr : 0;
	state->no_part = over == 0 ? 0
				   : cut_at(split, min_u64(split->at.cut,
							   split->cut_nr - 1))
						     ->file_idx +
					     1;
	return format_truncate(split->worker->run->output_fd,
			       state->offset +
				       (over == 0 ? state->verdict_bytes : 0));
}

int
format_split(struct worker *worker)
{
	struct format_state *state = worker->state;
	struct split *split;
	int error;

	state->part_nr = 0;
	state->no_part = 0;
	if (state->cut_nr == 0)
		return 0;
	split = calloc(1, sizeof(*split));
	if (split == NULL)
		return -ENOMEM;
	split->text.spill = spill;
	split->text.at = split->text_bytes;
	split->text.room = sizeof(split->text_bytes);
	split->worker = worker;
	split->options = &worker->run->job.markup;
	split->format = markup_table[split->options->kind];
	split->cut_nr = state->cut_nr;
	error = split_all(
		split, budget_counted_tokens(worker->run->job.split_tokens,
					     worker->run->job.margin_percent));
	free(split);
	return error;
}
