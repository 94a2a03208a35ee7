/* SPDX-License-Identifier: MIT */
/*
 * format_special.c - a record for each text and run, never changed once
 * it is committed: a step done again writes the same.
 */
#include "stages/format/format.h"

#include <string.h>

#include "catalogue/facts.h"
#include "catalogue/specials.h"

#define RECORDS_MAX 4096
#define KINDS_PER_RUN 32

/* A run that is looked through. */
struct special_run {
	struct format *format;
	uint32_t file_idx;
	uint32_t first; /* of the records: the first one of this run */
};

/* The record of this text among those of the run, or a new one; NULL: there
 * is no room. */
static struct special *
record_of(const struct special_run *run, const uint8_t *text, size_t bytes)
{
	struct format *format = run->format;
	struct format_state *state = format->state;
	struct special *special;
	int error;

	for (uint32_t i = run->first; i < state->special_nr; i++) {
		special = catalogue_special(format->catalogue, i);
		if (special->bytes == bytes &&
		    memcmp(special->text, text, bytes) == 0)
			return special;
	}
	if (state->special_nr - run->first == KINDS_PER_RUN ||
	    state->special_nr == RECORDS_MAX)
		return NULL;
	error = format_reserve(format, &format->catalogue->specials,
			       (state->special_nr + 1) * sizeof(*special));
	if (error != 0) {
		format->error = error;
		return NULL;
	}
	special = catalogue_special(format->catalogue, state->special_nr++);
	*special = (struct special){ .bytes = (uint8_t)bytes };
	memcpy(special->text, text, bytes);
	return special;
}

/* Remembers one text of a run. */
static void
add(const struct special_run *run, uint32_t line, const uint8_t *at,
    size_t bytes)
{
	struct special *special =
		record_of(run, at, min_size(bytes, SPECIAL_TEXT_BYTES));

	if (special == NULL) {
		run->format->state->special_left_out++;
	} else if (special->times++ == 0) {
		special->file_idx = run->file_idx;
		special->line = line;
	}
}

/* One that began in the run before, and goes on in this one; it is none of
 * those that this one has. */
static void
join_held(struct special_run *run, const struct desc *in,
	  const uint8_t *content)
{
	struct format_state *state = run->format->state;
	uint8_t joined[2 * FORMAT_SPECIAL_BYTES];
	size_t held = state->special_held;
	size_t more = min_size(in->bytes, FORMAT_SPECIAL_BYTES);
	size_t bytes;

	state->special_held = 0;
	if (held == 0 || held > FORMAT_SPECIAL_BYTES)
		return;
	memcpy(joined, state->special_bytes, held);
	memcpy(joined + held, content, more);
	bytes = markup_special(joined, joined + held + more);
	if (bytes > held)
		add(run, in->line_first, joined, bytes);
	run->first = state->special_nr;
}

/* What may be the start of one, at the end of a run of a chunk. */
static void
hold_end(struct format_state *state, const struct desc *in,
	 const uint8_t *content)
{
	size_t nr = min_size(in->bytes, FORMAT_SPECIAL_BYTES - 1);
	const uint8_t *from = content + in->bytes - nr;
	const uint8_t *at = memrchr(from, '<', nr);

	if ((in->flags & DESC_MORE) == 0 || at == NULL)
		return;
	state->special_held = (uint32_t)(content + in->bytes - at);
	memcpy(state->special_bytes, at, state->special_held);
}

void
format_special_run(struct format *format, const struct desc *in,
		   const uint8_t *content)
{
	struct special_run run = { format, in->file_idx,
				   format->state->special_nr };
	const uint8_t *end = content + in->bytes;
	const uint8_t *counted = content;
	uint32_t line = in->line_first;

	if ((catalogue_facts(format->catalogue, in->file_idx)->traits &
	     MARKUP_HAS_SPECIAL) == 0)
		return;
	join_held(&run, in, content);
	for (const uint8_t *at = content;
	     (at = memmem(at, (size_t)(end - at), "<|", 2)) != NULL;) {
		size_t bytes = markup_special(at, end);

		for (; counted < at; counted++)
			line += *counted == '\n';
		if (bytes == 0) {
			at++;
			continue;
		}
		add(&run, line, at, bytes);
		at += bytes;
	}
	hold_end(format->state, in, content);
}

int
format_special_end(struct format *format)
{
	const struct format_state *state = format->state;
	int error = format_reserve(format, &format->catalogue->specials,
				   (state->special_nr + 1) *
					   sizeof(struct special));

	if (error == 0)
		*catalogue_special(format->catalogue, state->special_nr) =
			(struct special){ .file_idx = FILE_NONE,
					  .left_out = state->special_left_out };
	return error;
}
