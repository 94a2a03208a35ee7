/* SPDX-License-Identifier: MIT */
/*
 * strip.c - texts without their comments.
 */
#include <string.h>

#include "base/ascii.h"
#include "lang/outline.h"
#include "lang/text.h"
#include "lang/walk.h"

/* A text on its way, or a part of one. */
struct stripper {
	const uint8_t *text;
	size_t begin;
	size_t end;
	size_t done; /* written or left out up to here */
	bool at_file_start;
	uint8_t *out; /* written up to here */
};

static void
put(struct stripper *stripper, const void *text, size_t bytes)
{
	stripper->out = mempcpy(stripper->out, text, bytes);
}

/*
 * What a comment stood between: two words stay two; two runs of backticks are
 * no longer one, or no fence would be long enough.
 */
static bool
would_join(uint8_t before, uint8_t behind)
{
	return (ascii_is_word(before) && ascii_is_word(behind)) ||
	       (before == '`' && behind == '`');
}

static void
leave_out(struct stripper *stripper, size_t from, size_t end)
{
	const uint8_t *text = stripper->text;
	size_t before = from;
	size_t behind = lang_skip_blanks(text, end, stripper->end);

	if (from < stripper->done || (stripper->at_file_start && from == 0 &&
				      end > 1 && memcmp(text, "#!", 2) == 0))
		return;
	while (before > stripper->done && lang_is_blank(text[before - 1]))
		before--;
	if (behind < stripper->end && text[behind] != '\n') {
		/* code follows on the line */
		put(stripper, text + stripper->done, from - stripper->done);
		if (from > stripper->begin &&
		    would_join(text[from - 1], text[end]))
			put(stripper, " ", 1);
		stripper->done = end;
		return;
	}
	put(stripper, text + stripper->done, before - stripper->done);
	stripper->done = behind;
	/* nothing else on the line: its newline goes, too */
	if ((before == stripper->begin || text[before - 1] == '\n') &&
	    behind < stripper->end)
		stripper->done = behind + 1;
}

void
lang_maker_comment(void *context, uint64_t off, uint64_t end_off)
{
	struct lang_maker *maker = context;
	struct lang_comments *comments = maker->comments;

	if (comments == NULL || comments->nr == LANG_COMMENTS ||
	    end_off <= comments->base_off ||
	    end_off - comments->base_off > UINT32_MAX)
		return;
	/* it may have begun in a chunk that is done with */
	off = max_u64(off, comments->base_off);
	comments->spans[comments->nr].from =
		(uint32_t)(off - comments->base_off);
	comments->spans[comments->nr++].end =
		(uint32_t)(end_off - comments->base_off);
}

void
lang_comments_forget(struct lang_comments *comments, uint64_t off)
{
	uint64_t by = off - comments->base_off;
	uint32_t kept = 0;

	for (uint32_t i = 0; i < comments->nr; i++) {
		uint64_t from = comments->spans[i].from;
		uint64_t end = comments->spans[i].end;

		if (end <= by)
			continue;
		comments->spans[kept].from = (uint32_t)(max_u64(from, by) - by);
		comments->spans[kept++].end = (uint32_t)(end - by);
	}
	comments->nr = kept;
	comments->base_off = off;
}

/* The part of a comment that lies in the span. */
static void
leave_out_part(struct stripper *stripper, const struct lang_text *text,
	       uint64_t off, uint64_t end_off)
{
	uint64_t begin = text->off + stripper->begin;
	uint64_t end = text->off + stripper->end;

	off = max_u64(off, begin);
	end_off = min_u64(end_off, end);
	if (off < end_off)
		leave_out(stripper, (size_t)(off - text->off),
			  (size_t)(end_off - text->off));
}

size_t
lang_strip_span(const struct lang_maker *maker, const struct lang_scan *scan,
		uint64_t from, uint64_t end, uint8_t *out)
{
	const struct lang_comments *comments = maker->comments;
	const struct lang_text *text = maker->text;
	struct stripper stripper = {
		.text = text->bytes,
		.begin = (size_t)(from - text->off),
		.end = (size_t)(end - text->off),
		.done = (size_t)(from - text->off),
		.at_file_start = from == 0,
		.out = out,
	};

	for (uint32_t i = 0; i < comments->nr; i++)
		leave_out_part(&stripper, text,
			       comments->base_off + comments->spans[i].from,
			       comments->base_off + comments->spans[i].end);
	if (scan->mode.kind == MODE_LINE_COMMENT ||
	    scan->mode.kind == MODE_BLOCK_COMMENT ||
	    (scan->mode.kind != MODE_CODE &&
	     (scan->mode.flags & MODE_IS_COMMENT)))
		leave_out_part(&stripper, text, scan->mode_off, UINT64_MAX);
	put(&stripper, text->bytes + stripper.done,
	    stripper.end - stripper.done);
	if (stripper.out > out && stripper.out[-1] != '\n' &&
	    text->bytes[stripper.end - 1] == '\n')
		put(&stripper, "\n", 1);
	return (size_t)(stripper.out - out);
}
