/* SPDX-License-Identifier: MIT */
/*
 * strip.c - texts without their comments.
 *
 * Does: leaves out what the scanner takes for a comment, but where it may be
 *       code or text: a comment too many is better than code that is broken.
 */
#include <string.h>

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
	bool has_operators; /* of several bytes, which blanks part */
	bool is_markup;     /* where only scripts have them */
	uint8_t *out;       /* written up to here */
};

static void
put(struct stripper *stripper, const void *text, size_t bytes)
{
	stripper->out = mempcpy(stripper->out, text, bytes);
}

/*
 * What a comment stood between: two words stay two, and two operators; two runs
 * of backticks are no longer one, or no fence would be long enough.
 */
static bool
would_join(const struct stripper *stripper, size_t from, size_t end)
{
	static const char signs[] = "+-&|<>=/*:.#!%^?";
	uint8_t before = stripper->text[from - 1];
	uint8_t behind = stripper->text[end];
	bool has_operators =
		stripper->has_operators &&
		!(stripper->is_markup && stripper->text[from] == '<');

	return (ascii_is_word(before) && ascii_is_word(behind)) ||
	       (before == '`' && behind == '`') ||
	       (has_operators && is_one_of(signs, before) &&
		is_one_of(signs, behind));
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
		if (from > stripper->begin && would_join(stripper, from, end))
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

/* What lies before a byte may be a tag: how far it is looked for. */
#define TAG_LOOK_BYTES 1024

/* Whether the > at `at` ends a tag, and no comparison, arrow or type. */
static bool
ends_tag(const uint8_t *text, size_t at, size_t least)
{
	size_t i = at;

	if (at == least || text[at - 1] == '=')
		return false;
	while (i > least && text[i - 1] != '<') {
		if (text[i - 1] == '>' && (i < 2 || text[i - 2] != '='))
			return false;
		i--;
	}
	if (i == least)
		return false;
	if (text[i] == '/' || text[i] == '>')
		return true;
	return ascii_is_word(text[i]) && (i < 2 || !ascii_is_word(text[i - 2]));
}

/* Whether what looks like a comment may be text between tags of JSX. */
static bool
may_be_jsx(const uint8_t *text, size_t at, size_t bytes)
{
	size_t least = at > TAG_LOOK_BYTES ? at - TAG_LOOK_BYTES : 0;
	size_t code = at;
	size_t i = at;

	while (code > 0 && lang_is_blank(text[code - 1]))
		code--;
	if (code == 0 || text[code - 1] == '{')
		return false;
	if (text[at - 1] == ':' ||
	    (text[code - 1] != '\n' &&
	     memmem(text + at, lang_line_end(text, at, bytes) - at, "</", 2) !=
		     NULL))
		return true;
	while (i > least && !is_one_of("<>{}", text[i - 1]))
		i--;
	if (i == least || text[i - 1] != '>')
		return false;
	code = lang_skip_blanks(text, i, at);
	return !is_one_of(");,:?&|]=", text[code]) &&
	       ends_tag(text, i - 1, least);
}

/* Whether it may be no comment, or not end where the scanner says. */
static bool
is_doubtful(const struct lang_maker *maker, uint64_t off, uint64_t end_off)
{
	const struct lang_text *text = maker->text;
	const uint8_t *bytes = text->bytes;
	size_t at;
	size_t end;

	if (off < text->off || off >= text->off + text->nr)
		return false;
	at = (size_t)(off - text->off);
	end = (size_t)min_u64(end_off - text->off, text->nr);
	switch (maker->lang) {
	case LANG_JAVASCRIPT:
	case LANG_JSX:
	case LANG_TSX:
		return may_be_jsx(bytes, at, text->nr);
	case LANG_PERL:
		/* s/#//, qw(#): only what begins a line is certain */
		while (at > 0 && lang_is_blank(bytes[at - 1]))
			at--;
		return at > 0 && bytes[at - 1] != '\n';
	case LANG_SQL:
		/* where one begins within another it ends in some dialects
		 * with the first, in others with the second */
		return end - at > 2 && lang_has(bytes, at, end, "/*") &&
		       memmem(bytes + at + 2, end - at - 2, "/*", 2) != NULL;
	default:
		return false;
	}
}

void
lang_maker_comment(void *context, uint64_t off, uint64_t end_off)
{
	struct lang_maker *maker = context;
	struct lang_comments *comments = maker->comments;

	if (comments == NULL || comments->nr == LANG_COMMENTS ||
	    off < comments->kept_off || end_off <= comments->base_off ||
	    end_off - comments->base_off > UINT32_MAX ||
	    is_doubtful(maker, off, end_off))
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

void
lang_comments_keep(struct lang_comments *comments, uint64_t off)
{
	uint64_t by = off - comments->base_off;
	uint32_t kept = 0;

	for (uint32_t i = 0; i < comments->nr; i++)
		if (comments->spans[i].from >= by)
			comments->spans[kept++] = comments->spans[i];
	comments->nr = kept;
	comments->kept_off = off;
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

/* Whether the text goes on within a comment. */
static bool
is_in_comment(const struct lang_scan *scan)
{
	uint8_t kind = scan->mode.kind;

	if (scan->unsure || kind == MODE_CODE)
		return false;
	return kind == MODE_LINE_COMMENT || kind == MODE_BLOCK_COMMENT ||
	       (scan->mode.flags & MODE_IS_COMMENT);
}

size_t
lang_strip_span(const struct lang_maker *maker, const struct lang_scan *scan,
		uint64_t from, uint64_t end, uint8_t *out)
{
	struct lang_comments *comments = maker->comments;
	const struct lang_text *text = maker->text;
	const struct lang *lang = lang_row(scan->lang);
	struct stripper stripper = {
		.text = text->bytes,
		.begin = (size_t)(from - text->off),
		.end = (size_t)(end - text->off),
		.done = (size_t)(from - text->off),
		.at_file_start = from == 0,
		.has_operators = !(lang->traits & TRAIT_RULES),
		.is_markup = lang->family == FAMILY_TAGS,
		.out = out,
	};

	for (uint32_t i = 0; i < comments->nr; i++)
		leave_out_part(&stripper, text,
			       comments->base_off + comments->spans[i].from,
			       comments->base_off + comments->spans[i].end);
	/* where it ends is not known, if it ends within the span */
	if (scan->pos < end)
		comments->kept_off = end;
	if (is_in_comment(scan) && scan->mode_off >= comments->kept_off &&
	    !is_doubtful(maker, scan->mode_off, UINT64_MAX))
		leave_out_part(&stripper, text, scan->mode_off, UINT64_MAX);
	put(&stripper, text->bytes + stripper.done,
	    stripper.end - stripper.done);
	if (stripper.out > out && stripper.out[-1] != '\n' &&
	    text->bytes[stripper.end - 1] == '\n')
		put(&stripper, "\n", 1);
	return (size_t)(stripper.out - out);
}
