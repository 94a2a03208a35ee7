/* SPDX-License-Identifier: MIT */
/*
 * format_split.c - where an output is cut, and the writing of the parts.
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
#include "stages/format/format.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/fault.h"
#include "catalogue/cuts.h"
#include "catalogue/files.h"
#include "rank/budget.h"

#define STEP_BYTES (256u << 10) /* looked at in one go, and of one line */
#define TEXT_BYTES (64u << 10)
#define TRIES_MAX 16
#define BYTES_PER_TOKEN 4 /* about */
#define TOKENS_PER_BYTE 3 /* at most: U+FFFD, byte by byte */
#define CLOSE_BYTES 64    /* at most, of what ends a section */

/* What a piece of a section ends behind. */
enum unit { UNIT_CHUNK = 0, UNIT_LINE, UNIT_CHARACTER };

/* A part, as far as it is filled. */
struct fill {
	struct token_stream stream;
	uint64_t tree_tokens; /* of the tree's lines, counted alone */
	uint32_t tree_file;   /* the last in it */
	bool is_first;        /* section of its part: there is none yet */
};

struct split {
	struct markup_text text; /* first: spill() comes back from it */
	struct format *format;
	uint64_t limit;
	uint64_t cut_nr;
	uint64_t part_nr; /* begun */
	uint64_t parts;   /* as the parts say; a guess while it is cut */
	bool writes;
	int error;
	uint64_t out_off;
	uint64_t tail_tokens; /* of what stands behind the files */
	struct cut_place at;
	struct cut_place part_from;
	struct token_stream *fed; /* by what is given */
	struct fill now;
	struct fill kept; /* without the piece that is tried */
	struct fill part; /* what a part had before its rest was tried alone */
	struct token_stream aside;
	uint64_t window_off;
	size_t window_nr;
	char text_bytes[TEXT_BYTES];
	uint8_t window[2 * STEP_BYTES];
};

/* ---- places ------------------------------------------------------------ */

static struct cut_record *
cut_at(const struct split *split, uint64_t idx)
{
	struct cut_record *cut = catalogue_cut(split->format->catalogue, idx);

	ASSERT(cut_record_valid(cut));
	return cut;
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

/* Behind the section that a place is in. */
static struct cut_place
end_of_section(const struct split *split, const struct cut_place *place)
{
	return place_of(split, cut_at(split, place->file_cut)->end_cut, 0);
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
	struct format *format = split->format;
	int error;

	token_stream_feed(format->tokenizer, format->cache, split->fed, bytes,
			  nr);
	format->beat(format->worker);
	if (!split->writes || nr == 0)
		return;
	error = format->write(format->fd, &piece, 1, split->out_off);
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

/* STEP_BYTES of the output from an offset on, or all of them until another. */
static uint8_t *
look_at(struct split *split, uint64_t off, uint64_t until)
{
	struct format *format = split->format;
	uint64_t end = split->window_off + split->window_nr;
	int error;

	if (off < split->window_off || off > end ||
	    end - off < min_u64(until - off, STEP_BYTES)) {
		split->window_off = off;
		split->window_nr = min_size(until - off, sizeof(split->window));
		error = format->read(format->fd, split->window,
				     split->window_nr, off);
		if (error != 0) {
			split->error = split->error == 0 ? error : split->error;
			memset(split->window, 0, split->window_nr);
		}
	}
	return split->window + (off - split->window_off);
}

/* What the part comes to, if it ends here. */
static uint64_t
total(const struct split *split)
{
	return token_stream_count(split->format->tokenizer,
				  &split->now.stream) +
	       split->tail_tokens + split->now.tree_tokens;
}

/* Content as it stands there; ends early where it cannot fit. */
static void
give_content(struct split *split, uint64_t from, uint64_t until)
{
	uint64_t step =
		split->writes ? STEP_BYTES
			      : min_u64(STEP_BYTES,
					4096 + split->limit * BYTES_PER_TOKEN);

	while (from < until) {
		size_t nr = min_size(until - from, step);

		give(split, look_at(split, from, until), nr);
		from += nr;
		if (!split->writes && from < until &&
		    total(split) > split->limit)
			break;
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
	struct section_lines lines = {
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
	section = format_describe(split->format, file->file_idx, &lines);
	section.is_first = split->now.is_first;
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
	split->format->markup->open(&split->text, &split->format->job->markup,
				    section);
	give_text(split);
	split->now.is_first = false;
}

static void
close_piece(struct split *split, const struct markup_section *section,
	    bool half_line)
{
	markup_close(&split->text, split->format->markup, section, half_line);
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

	open_piece(split, &section);
	if (section.empty || section.same_path != NULL)
		return;
	give_content(split, content_from(split, from),
		     content_until(split, from, until));
	close_piece(split, &section,
		    section.goes_on ? until->mid_line : end->half_line);
}

/* ---- parts ------------------------------------------------------------- */

static void
begin_part(struct split *split)
{
	const struct markup_part part = { .number = ++split->part_nr,
					  .nr = split->parts };

	split->now.tree_tokens = 0;
	split->now.tree_file = FILE_NONE;
	split->now.is_first = true;
	token_stream_init(&split->now.stream);
	split->part_from = split->at;
	split->text.preamble =
		part.number == 1 ? split->format->text.preamble : NULL;
	split->format->markup->begin(&split->text, &split->format->job->markup,
				     &part);
	give_text(split);
}

/* What stands behind the files, of so many sections. */
static void
give_tail(struct split *split, const struct format_files *files,
	  uint64_t section_nr)
{
	const struct format *format = split->format;

	format->markup->files_end(&split->text, &format->job->markup,
				  section_nr);
	format_extras(split->format, &split->text, files);
	markup_end(&split->text, format->markup);
	give_text(split);
}

/* The part ends here, and another one begins if there is more. */
static void
end_part(struct split *split)
{
	const struct catalogue *catalogue = split->format->catalogue;
	int error = format_reserve(split->format, &catalogue->parts,
				   split->part_nr * sizeof(struct part_record));

	if (error != 0) {
		split->error = error;
		return;
	}
	*catalogue_part(catalogue, split->part_nr - 1) = (struct part_record){
		.from = split->part_from,
		.until = split->at,
	};
	if (split->at.cut < split->cut_nr)
		begin_part(split);
}

/* What a file adds to the tree of its part, counted alone. */
static void
add_to_tree(struct split *split, uint32_t file_idx)
{
	struct fill *now = &split->now;
	struct token_stream *alone = &split->aside;

	if (!split->format->job->markup.tree || now->tree_file == file_idx)
		return;
	token_stream_init(alone);
	split->fed = alone;
	format_tree_lines(split->format, &split->text, now->tree_file,
			  file_idx);
	give_text(split);
	split->fed = &now->stream;
	now->tree_tokens += token_stream_count(split->format->tokenizer, alone);
	now->tree_file = file_idx;
}

/* ---- where to cut ------------------------------------------------------ */

/* All that is left of the section, if the part can hold it. */
static bool
take_rest(struct split *split)
{
	struct cut_place next = end_of_section(split, &split->at);

	split->kept = split->now;
	add_to_tree(split, cut_at(split, split->at.file_cut)->file_idx);
	give_piece(split, &split->at, &next);
	if (total(split) <= split->limit) {
		split->at = next;
		return true;
	}
	split->now = split->kept;
	return false;
}

/* The number before a line, if there is one here. */
static size_t
number_bytes(const struct split *split, const uint8_t *at, const uint8_t *end)
{
	const uint8_t *from = at;

	if (!split->format->job->markup.numbers)
		return 0;
	while (at < end && *at >= '0' && *at <= '9')
		at++;
	return end - at >= 2 && at > from && at[0] == ':' && at[1] == ' '
		       ? (size_t)(at - from) + 2
		       : 0;
}

/*
 * Bytes from a place on that are taken together: a line, or a character with
 * the number before it. 0: more than can be looked at.
 */
static size_t
unit_bytes(struct split *split, struct cut_place *place, uint64_t until,
	   enum unit unit)
{
	enum markup_escape escape = split->format->markup->escape;
	const uint8_t *from = look_at(split, place->off, until);
	uint64_t nr = min_u64(until, split->window_off + split->window_nr) -
		      place->off;
	const uint8_t *end = from + nr;
	const uint8_t *at = from;
	bool is_all = place->off + nr == until;
	bool newline = false;

	if (!place->mid_line)
		at += number_bytes(split, from, end);
	do {
		if (at == end || (!is_all && end - at < MARKUP_ATOM_BYTES))
			break;
		at += markup_atom(escape, at, end, &newline);
	} while (unit == UNIT_LINE && !newline);
	if (at == from ||
	    (unit == UNIT_LINE && !newline && !(is_all && at == end)))
		return 0;
	place->line += newline;
	place->mid_line = !newline;
	return (size_t)(at - from);
}

/* Behind the unit at a place; *until: where its content ends. The same place:
 * there is none. */
static struct cut_place
next_place(struct split *split, const struct cut_place *place, enum unit unit,
	   uint64_t *until)
{
	struct cut_place next = *place;
	size_t nr;

	*until = cut_at(split, place->cut + 1)->off;
	if (unit != UNIT_CHUNK) {
		nr = place->off < *until
			     ? unit_bytes(split, &next, *until, unit)
			     : 0;
		next.off += nr;
		if (nr == 0 || next.off < *until) {
			*until = next.off;
			return next;
		}
	}
	return place_of(split, place->cut + 1, place->file_cut);
}

/*
 * As many chunks of the section as the part can hold, or lines or characters
 * of its chunk; false: none. What they come to is looked at when it could be
 * over the limit.
 */
static bool
take_units(struct split *split, enum unit unit)
{
	const struct cut_place begun = split->at;
	struct markup_section section = describe(split, &begun, NULL);
	uint64_t end_cut = unit == UNIT_CHUNK
				   ? cut_at(split, begun.file_cut)->end_cut
				   : begun.cut + 1;
	struct cut_place place = begun;
	uint64_t from;
	uint64_t bound;
	uint64_t until;

	add_to_tree(split, cut_at(split, begun.cut)->file_idx);
	open_piece(split, &section);
	place.off = content_from(split, &begun);
	from = place.off;
	bound = total(split) + TOKENS_PER_BYTE * CLOSE_BYTES;
	while (place.cut < end_cut) {
		struct cut_place next = next_place(split, &place, unit, &until);

		if (is_same_place(&next, &place))
			break;
		bound += TOKENS_PER_BYTE * (until - from);
		give_content(split, from, until);
		if (bound > split->limit) {
			split->kept = split->now;
			close_piece(split, &section, true);
			bound = total(split);
			if (bound > split->limit)
				break;
			split->now = split->kept;
		}
		from = until;
		place = next;
		split->at = next;
	}
	return !is_same_place(&split->at, &begun);
}

/* Some of a section that no part can hold; false: none of it. */
static bool
take_some(struct split *split)
{
	for (int unit = UNIT_CHUNK; unit <= UNIT_CHARACTER; unit++) {
		if (take_units(split, (enum unit)unit))
			return true;
		/* the part begins again, as if nothing were in it */
		split->part_nr--;
		begin_part(split);
	}
	return false;
}

/* The rest of the section in a part of its own; or, if not even one of its own
 * can hold it, some chunks in what is left of this part. */
static void
cut_section(struct split *split)
{
	struct cut_place begun = split->part_from;

	split->part = split->now;
	end_part(split);
	if (split->error != 0 || take_rest(split))
		return;
	split->part_nr--;
	split->part_from = begun;
	split->now = split->part;
	take_units(split, UNIT_CHUNK);
	end_part(split);
}

/* Cuts all of it; false: a part cannot hold anything, or there is an error. */
static bool
cut_all(struct split *split)
{
	split->part_nr = 0;
	split->at = place_of(split, 0, 0);
	begin_part(split);
	while (split->error == 0 && split->at.cut < split->cut_nr) {
		if (take_rest(split))
			continue;
		if (!split->now.is_first)
			cut_section(split);
		else if (take_some(split))
			end_part(split);
		else
			return false;
	}
	end_part(split);
	return split->error == 0;
}

/* ---- the parts --------------------------------------------------------- */

static void
write_part(struct split *split, struct part_record *part)
{
	struct cut_place at = part->from;
	const struct cut_place *until = &part->until;
	struct format_files files = { at.cut, until->cut };
	uint64_t section_nr = 0;

	if (until->cut < split->cut_nr && !begins_file(split, until) &&
	    !begins_chunk(split, until))
		files.cut_end++;
	part->off = split->out_off;
	begin_part(split);
	while (at.cut < split->cut_nr && !is_same_place(&at, until)) {
		struct cut_place next = until->file_cut == at.file_cut
						? *until
						: end_of_section(split, &at);

		give_piece(split, &at, &next);
		section_nr++;
		at = next;
	}
	give_tail(split, &files, section_nr);
	part->bytes = split->out_off - part->off;
	part->tokens = token_stream_count(split->format->tokenizer,
					  &split->now.stream);
}

/* All parts; the most tokens that one is over the limit. */
static uint64_t
write_parts(struct split *split, uint64_t limit)
{
	struct format_state *state = split->format->state;
	uint64_t over = 0;

	split->writes = true;
	split->parts = split->part_nr;
	split->part_nr = 0;
	split->out_off = state->offset;
	state->verdict.tokens = 0;
	while (split->part_nr < split->parts && split->error == 0) {
		struct part_record *part = catalogue_part(
			split->format->catalogue, split->part_nr);

		write_part(split, part);
		state->verdict.tokens =
			add_sat_u64(state->verdict.tokens, part->tokens);
		if (part->tokens > limit)
			over = max_u64(over, part->tokens - limit);
		FAULT("part_written");
	}
	state->verdict.bytes = split->out_off - state->offset;
	split->writes = false;
	return over;
}

static void
measure_tail(struct split *split)
{
	const struct format_files none = { 0, 0 };

	token_stream_init(&split->now.stream);
	give_tail(split, &none, split->cut_nr); /* no part has more */
	split->tail_tokens = token_stream_count(split->format->tokenizer,
						&split->now.stream);
}

/* Cuts, and writes, until no part is over the limit: 0 or -errno. */
static int
split_all(struct split *split, uint64_t limit)
{
	struct format_state *state = split->format->state;
	uint64_t over = 1;

	split->limit = limit;
	split->parts = state->offset / BYTES_PER_TOKEN / limit + 1;
	measure_tail(split);
	for (int i = 0; i < TRIES_MAX && over > 0 && cut_all(split); i++) {
		over = write_parts(split, limit);
		if (over >= split->limit)
			break;
		split->limit -= over;
	}
	if (over == 0)
		state->verdict.part_nr = split->part_nr;
	else
		state->verdict.no_part =
			cut_at(split, min_u64(split->at.cut, split->cut_nr - 1))
				->file_idx +
			1;
	return split->error;
}

int
format_split(struct format *format, uint64_t *end)
{
	struct format_state *state = format->state;
	struct split *split;
	int error;

	state->verdict.part_nr = 0;
	state->verdict.no_part = 0;
	*end = state->offset;
	if (state->cut_nr == 0)
		return 0;
	split = calloc(1, sizeof(*split));
	if (split == NULL)
		return -ENOMEM;
	split->text.spill = spill;
	split->text.at = split->text_bytes;
	split->text.room = sizeof(split->text_bytes);
	split->format = format;
	split->fed = &split->now.stream;
	split->cut_nr = state->cut_nr;
	format_describe_all(format);
	error = split_all(split,
			  budget_counted_tokens(format->job->split_tokens,
						format->job->margin_percent));
	free(split);
	if (state->verdict.part_nr > 0)
		*end += state->verdict.bytes;
	return error;
}
