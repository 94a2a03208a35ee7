/* SPDX-License-Identifier: MIT */
/*
 * walk.c - the walk over a text: lines, marks, frames.
 *
 * Does: what all families of languages need.
 * Does not: know a language; brace.c, lines.c, tags.c do.
 */
#include "lang/walk.h"

#include <string.h>

#include "base/hash.h"
#include "lang/text.h"

/* What the fields of a mark hold. */
#define MARK_LEVEL_MAX 0x3fffu

uint8_t
walk_kind(char letter)
{
	switch (letter) {
#define KIND(id, letter, word) \
	case letter:           \
		return LANG_KIND_##id;
#include "catalogue/def_kind.def"
#undef KIND
	default:
		return LANG_KIND_NONE;
	}
}

static uint32_t
line_of(struct walk *walk, uint64_t off)
{
	struct lang_scan *scan = walk->scan;
	size_t known = walk_index(walk, scan->line_off);
	size_t wanted = walk_index(walk, off);

	if (wanted >= known)
		scan->line += (uint32_t)lang_newlines(walk->text + known,
						      wanted - known);
	else
		scan->line -= (uint32_t)lang_newlines(walk->text + wanted,
						      known - wanted);
	scan->line_off = walk->off + wanted;
	return scan->line;
}

static bool
is_better(const struct lang_mark *a, const struct lang_mark *b)
{
	if ((a->kind == LANG_MARK_DEF) != (b->kind == LANG_MARK_DEF))
		return a->kind == LANG_MARK_DEF;
	if (a->level != b->level)
		return a->level < b->level;
	return a->kind > b->kind;
}

void
walk_mark(struct walk *walk, size_t at, uint8_t kind, uint32_t level)
{
	struct lang_scan *scan = walk->scan;
	struct lang_mark mark = {
		.off = (walk->off + at) & LANG_MARK_OFF_MAX,
		.level = min_u64(level, MARK_LEVEL_MAX) & MARK_LEVEL_MAX,
		.kind = kind & 3u,
	};
	struct lang_mark *last = &scan->marks[scan->mark_nr];

	if (mark.off <= scan->mark_after)
		return;
	/* where a definition begins may be known late: what was thought of as
	 * a place to cut since then lies within its signature */
	while (scan->mark_nr > 0 && last[-1].off > mark.off) {
		scan->mark_nr--;
		last--;
	}
	if (scan->mark_nr > 0 && mark.off - last[-1].off < scan->mark_step) {
		if (is_better(&mark, last - 1))
			last[-1] = mark;
		return;
	}
	if (scan->mark_nr == LANG_MARKS) {
		if (is_better(&mark, last - 1))
			last[-1] = mark;
		return;
	}
	*last = mark;
	scan->mark_nr++;
}

size_t
walk_line_start(struct walk *walk, size_t at)
{
	const uint8_t *newline;
	size_t from = walk->line_known;

	/* a line may be as long as the text, and asked for at each byte */
	if (at < walk->line_start)
		from = 0;
	else if (at <= from)
		return walk->line_start;
	newline =
		at == from ? NULL : memrchr(walk->text + from, '\n', at - from);
	if (newline != NULL)
		walk->line_start = (size_t)(newline - walk->text) + 1;
	else if (from == 0)
		walk->line_start = 0;
	walk->line_known = at;
	return walk->line_start;
}

size_t
walk_line_behind(const struct walk *walk, size_t at, bool *blank)
{
	const uint8_t *newline;
	size_t line;

	*blank = false;
	at = walk_skip_blanks(walk, at);
	if (at >= walk->bytes)
		return SIZE_MAX;
	newline = walk->text + at;
	if (*newline == '/') {
		size_t left = min_size(walk->bytes - at, 256);

		newline = memchr(newline, '\n', left);
		if (newline == NULL)
			return SIZE_MAX;
		left = (size_t)(newline - walk->text) - at;
		if (walk->text[at + 1] == '*' &&
		    memmem(walk->text + at, left, "*/", 2) == NULL)
			return SIZE_MAX;
		if (walk->text[at + 1] != '*' && walk->text[at + 1] != '/')
			return SIZE_MAX;
	}
	if (*newline != '\n')
		return SIZE_MAX;
	line = (size_t)(newline - walk->text) + 1;
	for (at = line; at < walk->bytes; at++) {
		if (walk->text[at] == '\n') {
			*blank = true;
			line = at + 1;
		} else if (!is_blank_byte(walk->text[at])) {
			break;
		}
	}
	return line;
}

void
walk_mark_line(struct walk *walk, size_t at)
{
	bool blank;
	size_t line = walk_line_behind(walk, at, &blank);

	if (line != SIZE_MAX)
		walk_mark(walk, line, blank ? LANG_MARK_BLANK : LANG_MARK_LINE,
			  walk->scan->depth);
}

/* A function within a class is a method. */
static uint8_t
kind_here(const struct lang_scan *scan, uint8_t kind)
{
	if (kind != LANG_KIND_FUNCTION)
		return kind;
	for (uint32_t i = scan->depth; i-- > 0;) {
		switch (scan->frames[i].kind) {
		case LANG_KIND_CLASS:
		case LANG_KIND_STRUCT:
		case LANG_KIND_ENUM:
		case LANG_KIND_INTERFACE:
		case LANG_KIND_IMPL:
		case LANG_KIND_OBJECT:
			return LANG_KIND_METHOD;
		case LANG_KIND_NONE:
			break;
		default:
			return kind;
		}
	}
	return kind;
}

static void
fill_frame(struct walk *walk, struct lang_frame *frame,
	   const struct def_start *start)
{
	size_t lead;
	size_t decl;

	ASSERT(start->name + start->name_bytes <= walk->bytes);
	frame->lead_off = walk->off + start->lead;
	frame->decl_off = walk->off + start->decl;
	frame->off = walk->off + start->at;
	/* 0: not known yet */
	frame->body_off = start->body == 0 ? 0 : walk->off + start->body;
	frame->name_off = walk->off + start->name;
	frame->name_bytes = (uint16_t)min_size(start->name_bytes, UINT16_MAX);
	frame->name_hash = hash32(HASH32_BEGIN, walk->text + start->name,
				  start->name_bytes);
	frame->kind = kind_here(walk->scan, start->kind);
	frame->flags = start->flags;
	if (walk->sink != NULL)
		frame->line = line_of(walk, frame->off);
	lead = walk_line_start(walk, start->lead);
	decl = walk_line_start(walk, start->decl);
	walk_mark(walk, lead, LANG_MARK_DEF, walk->scan->depth);
	if (decl > lead)
		walk_mark(walk, decl, LANG_MARK_DECLARATION, walk->scan->depth);
}

static uint16_t
def_depth(const struct lang_scan *scan)
{
	uint16_t depth = 0;

	for (uint32_t i = 0; i < scan->depth; i++)
		if (scan->frames[i].kind != LANG_KIND_NONE)
			depth++;
	return depth;
}

/* What is said of an impl is said of its members, and C# says nothing of its
 * namespaces. */
static bool
is_open(const struct lang_scan *scan, const struct lang_frame *frame)
{
	return (frame->flags & LANG_DEF_EXPORTED) ||
	       frame->kind == LANG_KIND_IMPL ||
	       (frame->kind == LANG_KIND_MODULE && scan->lang == LANG_CSHARP);
}

/* Whether others can reach what is defined here: of enum lang_def_flag. */
static uint8_t
reach_of(const struct lang_scan *scan)
{
	uint8_t flags = LANG_DEF_REACHED | LANG_DEF_OUTER;

	for (uint32_t i = 0; i < scan->depth; i++) {
		const struct lang_frame *frame = &scan->frames[i];

		if (frame->kind == LANG_KIND_NONE)
			continue;
		if (frame->kind == LANG_KIND_FUNCTION ||
		    frame->kind == LANG_KIND_METHOD ||
		    frame->kind == LANG_KIND_TEST)
			return 0;
		/* a script, whatever elements are around it */
		if (frame->type == FRAME_TOP)
			flags |= LANG_DEF_OUTER;
		else if (frame->kind != LANG_KIND_MODULE)
			flags = LANG_DEF_REACHED;
		if (!is_open(scan, frame))
			return 0;
	}
	return flags;
}

bool
walk_is_outer(const struct walk *walk)
{
	return (reach_of(walk->scan) & LANG_DEF_OUTER) != 0;
}

static struct lang_def
def_of(const struct walk *walk, const struct lang_frame *frame)
{
	return (struct lang_def){
		.lead_off = frame->lead_off,
		.decl_off = frame->decl_off,
		.off = frame->off,
		.body_off = frame->body_off,
		.name_off = frame->name_off,
		.name_bytes = frame->name_bytes,
		.line = frame->line,
		.lang = walk->scan->lang,
		.depth = def_depth(walk->scan),
		.kind = frame->kind,
		.flags = frame->flags | reach_of(walk->scan),
	};
}

static void
emit_open(struct walk *walk, const struct lang_frame *frame)
{
	struct lang_def def;

	if (walk->sink == NULL || walk->sink->open == NULL)
		return;
	def = def_of(walk, frame);
	walk->sink->open(walk->sink->context, &def);
}

bool
walk_push(struct walk *walk, uint8_t type, const struct def_start *start)
{
	struct lang_scan *scan = walk->scan;
	struct lang_frame *frame = &scan->frames[scan->depth];

	if (scan->depth == LANG_DEPTH) {
		scan->over++;
		return false;
	}
	/* most frames are brackets only, and nothing else of them is read */
	frame->type = type;
	frame->kind = LANG_KIND_NONE;
	frame->resume_off = 0;
	frame->name_hash = 0;
	frame->indent = 0;
	frame->flags = 0;
	frame->brace = 0;
	frame->declares = 0;
	frame->shut = 0;
	if (start != NULL) {
		fill_frame(walk, frame, start);
		if (frame->body_off != 0)
			emit_open(walk, frame);
	}
	scan->depth++;
	return true;
}

static void
emit_def(struct walk *walk, const struct lang_frame *frame, size_t end)
{
	struct lang_def def;

	if (walk->sink == NULL || walk->sink->def == NULL)
		return;
	def = def_of(walk, frame);
	def.end_off = walk->off + end;
	if (def.body_off == 0 || def.body_off > def.end_off)
		def.body_off = def.end_off;
	walk->sink->def(walk->sink->context, &def);
}

void
walk_body(struct walk *walk, size_t at)
{
	struct lang_scan *scan = walk->scan;
	struct lang_frame *frame = walk_frame(walk);

	/* of brackets alone nothing else is known */
	if (frame == NULL || frame->kind == LANG_KIND_NONE ||
	    frame->body_off != 0)
		return;
	frame->body_off = walk->off + at;
	/* the definition is not around itself */
	scan->depth--;
	emit_open(walk, frame);
	scan->depth++;
}

/* The line behind the end of a definition, whatever stands behind it. */
static void
mark_end(struct walk *walk, size_t end)
{
	const uint8_t *newline;
	size_t left = walk->bytes - min_size(end, walk->bytes);
	bool blank;
	size_t line = walk_line_behind(walk, end, &blank);

	if (line == SIZE_MAX) {
		newline = memchr(walk->text + end, '\n', min_size(left, 128));
		if (newline == NULL)
			return;
		line = walk_line_behind(walk, (size_t)(newline - walk->text),
					&blank);
	}
	if (line != SIZE_MAX)
		walk_mark(walk, line, LANG_MARK_DEF, walk->scan->depth);
}

void
walk_pop(struct walk *walk, size_t end)
{
	struct lang_scan *scan = walk->scan;
	struct lang_frame *frame;

	if (scan->over > 0) {
		scan->over--;
		return;
	}
	if (scan->depth == scan->floor)
		return;
	frame = &scan->frames[--scan->depth];
	if (frame->kind == LANG_KIND_NONE)
		return;
	if (frame->body_off == 0) {
		frame->body_off = walk->off + end;
		emit_open(walk, frame);
	}
	emit_def(walk, frame, end);
	mark_end(walk, end);
}

void
walk_single(struct walk *walk, const struct def_start *start, size_t end)
{
	struct lang_frame frame = { 0 };

	fill_frame(walk, &frame, start);
	emit_open(walk, &frame);
	emit_def(walk, &frame, end);
	mark_end(walk, end);
}

void
walk_member(struct walk *walk, const struct def_start *start, size_t end)
{
	struct lang_def def = {
		.lead_off = walk->off + start->lead,
		.decl_off = walk->off + start->decl,
		.off = walk->off + start->at,
		.body_off = walk->off + start->body,
		.end_off = walk->off + end,
		.name_off = walk->off + start->at,
		.lang = walk->scan->lang,
		.depth = def_depth(walk->scan),
		.flags = start->flags | reach_of(walk->scan),
	};

	if (walk->sink == NULL || walk->sink->member == NULL ||
	    !(def.flags & LANG_DEF_EXPORTED))
		return;
	/* a directive may stand within a statement that is told of later */
	if (walk->text[start->at] != '#') {
		if (def.off < walk->scan->member_end)
			return;
		walk->scan->member_end = def.end_off;
	}
	walk->sink->member(walk->sink->context, &def);
}

void
walk_declare(struct walk *walk, const struct def_start *start, size_t end)
{
	struct lang_def def = {
		.lead_off = walk->off + start->lead,
		.decl_off = walk->off + start->decl,
		.off = walk->off + start->at,
		.body_off = walk->off + end,
		.end_off = walk->off + end,
		.name_off = walk->off + start->name,
		.name_bytes = (uint32_t)start->name_bytes,
		.lang = walk->scan->lang,
		.depth = def_depth(walk->scan),
		.kind = kind_here(walk->scan, start->kind),
		.flags =
			start->flags | LANG_DEF_DECLARED | reach_of(walk->scan),
	};

	if (walk->sink != NULL && walk->sink->declare != NULL)
		walk->sink->declare(walk->sink->context, &def);
}

void
walk_import(struct walk *walk, size_t at, size_t bytes)
{
	if (walk->sink != NULL && walk->sink->import != NULL && bytes > 0)
		walk->sink->import(walk->sink->context, walk->off + at,
				   (uint32_t)min_size(bytes, UINT32_MAX));
}

void
walk_export(struct walk *walk, enum lang_export what, uint32_t nr)
{
	if (walk->sink != NULL && walk->sink->exports != NULL)
		walk->sink->exports(walk->sink->context, what, nr);
}

void
walk_listed(struct walk *walk, size_t at, size_t end)
{
	if (walk->sink != NULL && walk->sink->listed != NULL && at < end)
		walk->sink->listed(walk->sink->context, walk->off + at,
				   (uint32_t)min_size(end - at, UINT32_MAX));
}

void
lang_scan_init(struct lang_scan *scan, uint32_t lang, uint64_t window_bytes)
{
	memset(scan, 0, offsetof(struct lang_scan, conds));
	scan->attr_off = UINT64_MAX;
	scan->lang = lang;
	scan->line = 1;
	scan->at_line_start = 1;
	scan->mark_step = (uint32_t)min_u64(
		window_bytes / (LANG_MARKS - 16) + 1, UINT32_MAX);
}

void
walk_set_language(struct walk *walk, uint32_t lang)
{
	static struct walk_events made[LANG_NR];

	walk->scan->lang = lang;
	walk->lang = lang_get(lang);
	walk->events = &made[lang < LANG_NR ? lang : 0];
	walk->words = walk->lang == NULL ? NULL : lang_words(lang);
}

static void
walk_init(struct walk *walk, struct lang_scan *scan,
	  const struct lang_text *text, uint64_t until,
	  const struct lang_sink *sink)
{
	memset(walk, 0, sizeof(*walk));
	walk->scan = scan;
	walk->sink = sink;
	walk->text = text->bytes;
	walk->off = text->off;
	walk->bytes = text->nr;
	walk->at_end = text->at_end;
	walk->end = text->nr;
	if (!text->at_end)
		walk->end -= min_size(walk->end, LOOKAHEAD);
	/* what was lost between two pieces is passed over */
	if (scan->pos < text->off)
		scan->pos = text->off;
	walk->at = walk_index(walk, scan->pos);
	walk->until = min_size(walk_index(walk, until), walk->end);
	walk_set_language(walk, scan->lang);
}

void
lang_scan_feed(struct lang_scan *scan, const struct lang_text *text,
	       uint64_t until, const struct lang_sink *sink)
{
	struct walk walk;
	bool all;

	/* the statement at the end would be told again */
	if (scan->has_ended)
		return;
	walk_init(&walk, scan, text, until, sink);
	all = walk.at_end && walk.until == walk.end;
	scan->has_ended = all;
	if (walk.lang == NULL) {
		scan->pos = walk.off + walk.until;
		return;
	}
	if (walk.at < walk.until || all) {
		switch (walk.lang->family) {
		case FAMILY_BRACE:
			scan_braces(&walk);
			if (all) {
				lex_end(&walk);
				scan_braces_end(&walk);
			}
			break;
		case FAMILY_TAGS:
			scan_tags(&walk);
			if (all)
				lex_end(&walk);
			break;
		default:
			scan_lines(&walk);
			if (all) {
				lex_end(&walk);
				scan_lines_end(&walk);
			}
			break;
		}
	}
	if (scan->mode.kind == MODE_CODE)
		lex_code(&walk, min_size(walk.at, walk.bytes));
	scan->pos = walk.off + min_size(walk.at, walk.bytes);
	/* what lies before it may be gone when a line is asked for next */
	if (sink != NULL)
		line_of(&walk, scan->pos);
}
