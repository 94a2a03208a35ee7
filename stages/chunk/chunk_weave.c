/* SPDX-License-Identifier: MIT */
/*
 * chunk_weave.c - chunks among the signatures of their file.
 */
#include "stages/chunk/chunk_weave.h"

/* On the way through the signatures. */
struct weaving {
	const struct chunk_outline *outline;
	const struct chunk_weave_sink *sink;
	uint8_t flags;   /* of a run that another one follows */
	struct desc run; /* of signatures, that goes on */
	uint32_t next;   /* chunk */
};

/* The run so far; another one begins behind it. */
static void
end_run(struct weaving *weaving, uint8_t flags)
{
	struct desc *run = &weaving->run;
	uint32_t bytes = run->bytes;

	run->flags = flags;
	weaving->sink->emit(weaving->sink->context, run);
	run->slab_off += bytes;
	run->bytes = 0;
	run->rest_bytes = 0;
	run->line_nr = 0;
}

static void
give_chunk(struct weaving *weaving)
{
	weaving->sink->emit(weaving->sink->context,
			    &weaving->outline->chunks[weaving->next++]);
}

/* Bytes of a signature, of which so many are taken; line: 0: unknown. */
static void
add(struct weaving *weaving, size_t bytes, size_t taken, uint32_t line)
{
	struct desc *run = &weaving->run;

	if (taken > 0 && run->rest_bytes > 0)
		end_run(weaving, weaving->flags);
	run->bytes += (uint32_t)bytes;
	run->rest_bytes += (uint32_t)(bytes - taken);
	if (taken == 0 || line == 0)
		return;
	if (run->line_nr == 0)
		run->line_first = line;
	if (line >= run->line_first)
		run->line_nr = line - run->line_first + 1;
}

/* Chunks that begin before a line, or with it. */
static void
give_chunks_before(struct weaving *weaving, uint32_t line)
{
	while (weaving->next < weaving->outline->chunk_nr &&
	       weaving->outline->chunks[weaving->next].line_first <= line) {
		if (weaving->run.bytes > 0)
			end_run(weaving, weaving->flags);
		give_chunk(weaving);
	}
}

void
chunk_weave(const struct chunk_outline *outline, const struct desc *whole,
	    const struct lang_outline_span *spans,
	    const struct chunk_weave_sink *sink)
{
	uint32_t nr = chunk_signature_nr(outline);
	struct weaving weaving = { .outline = outline,
				   .sink = sink,
				   .flags = (uint8_t)(whole->flags | DESC_MORE),
				   .run = *whole };
	size_t taken_end = spans->taken_bytes;
	size_t span_end = taken_end + spans->left_bytes;

	weaving.run.bytes = 0;
	for (uint32_t n = 0; n <= nr; n++) {
		size_t from = chunk_signature_at(outline, n);
		size_t end = n == nr ? outline->bytes
				     : chunk_signature_at(outline, n + 1);
		uint32_t line =
			n == 0 ? 0 : outline->signatures->list[n - 1].line;
		size_t taken;

		while (from >= span_end && from < end) {
			spans++;
			taken_end = span_end + spans->taken_bytes;
			span_end = taken_end + spans->left_bytes;
		}
		taken = from < taken_end ? min_size(taken_end, end) - from : 0;
		give_chunks_before(&weaving, line);
		add(&weaving, end - from,
		    chunk_signature_in_full(outline, n) ? 0 : taken, line);
	}
	if (weaving.run.bytes > 0 || !(whole->flags & DESC_MORE))
		end_run(&weaving, whole->flags);
	while (weaving.next < outline->chunk_nr)
		give_chunk(&weaving);
}
