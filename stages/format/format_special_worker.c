/* SPDX-License-Identifier: MIT */
/*
 * format_special_worker.c - a record for each text and run, never changed once
 * it is committed: a step done again writes the same.
 */
#include "stages/format/format_special_worker.h"

#include <string.h>

#include "stages/format/format_out_worker.h"
#include "catalogue/facts.h"
#include "catalogue/specials.h"

#define RECORDS_MAX 4096
#define KINDS_PER_RUN 32

/* The record of this text among those of the run, or a new one; NULL: there
 * is no room. */
static struct special *
record_of(struct worker *worker, uint32_t first, const uint8_t *text,
	  size_t bytes)
{
	struct format_state *state = worker->state;
	struct format_scratch *scratch = worker->scratch;
	struct special *special;
	int error;

	for (uint32_t i = first; i < state->special_nr; i++) {
		special = catalogue_special(&worker->catalogue, i);
		if (special->bytes == bytes &&
		    memcmp(special->text, text, bytes) == 0)
			return special;
	}
	if (state->special_nr - first == KINDS_PER_RUN ||
	    state->special_nr == RECORDS_MAX)
		return NULL;
	error = format_reserve(worker, &worker->catalogue.specials,
			       (state->special_nr + 1) * sizeof(*special));
	if (error != 0) {
		scratch->error = error;
		return NULL;
	}
	special = catalogue_special(&worker->catalogue, state->special_nr++);
	*special = (struct special){ .bytes = (uint8_t)bytes };
	memcpy(special->text, text, bytes);
	return special;
}

/* Remembers one text of a run. */
static void
add(struct worker *worker, const struct desc *in, uint32_t first, uint32_t line,
    const uint8_t *at, size_t bytes)
{
	struct format_state *state = worker->state;
	struct special *special = record_of(
		worker, first, at, min_size(bytes, SPECIAL_TEXT_BYTES));

	if (special == NULL) {
		state->special_left_out++;
	} else if (special->times++ == 0) {
		special->file_idx = in->file_idx;
		special->line = line;
	}
}

/* One that began in the run before, and goes on in this one. */
static void
join_held(struct worker *worker, const struct desc *in, const uint8_t *content)
{
	struct format_state *state = worker->state;
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
		add(worker, in, state->special_nr, in->line_first, joined,
		    bytes);
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
format_special_run(struct worker *worker, const struct desc *in,
		   const uint8_t *content)
{
	struct format_state *state = worker->state;
	const uint8_t *end = content + in->bytes;
	const uint8_t *counted = content;
	uint32_t first;
	uint32_t line = in->line_first;

	if ((catalogue_facts(&worker->catalogue, in->file_idx)->traits &
	     MARKUP_HAS_SPECIAL) == 0)
		return;
	join_held(worker, in, content);
	first = state->special_nr;
	for (const uint8_t *at = content;
	     (at = memmem(at, (size_t)(end - at), "<|", 2)) != NULL;) {
		size_t bytes = markup_special(at, end);

		for (; counted < at; counted++)
			line += *counted == '\n';
		if (bytes == 0) {
			at++;
			continue;
		}
		add(worker, in, first, line, at, bytes);
		at += bytes;
	}
	hold_end(state, in, content);
}

int
format_special_end(struct worker *worker)
{
	struct format_state *state = worker->state;
	struct catalogue *catalogue = &worker->catalogue;
	int error = format_reserve(worker, &catalogue->specials,
				   (state->special_nr + 1) *
					   sizeof(struct special));

	if (error == 0)
		*catalogue_special(catalogue, state->special_nr) =
			(struct special){ .file_idx = FILE_NONE,
					  .left_out = state->special_left_out };
	return error;
}
