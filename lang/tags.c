/* SPDX-License-Identifier: MIT */
/*
 * tags.c - HTML, XML and what is written like them.
 *
 * Does: elements that nest, comments, CDATA, the contents of style; names as
 *       definitions what a reader would call a section: in XML the elements
 *       just below the root, in HTML a few by name, in components the
 *       outermost. Scripts are left to script.c.
 */
#include "lang/walk.h"

#include <string.h>

#include "base/hash.h"

#define TAG_BYTES_MAX 16384

static const char void_tags[] =
	"area base br col embed hr img input link meta param source track wbr "
	"!doctype";
static const char section_tags[] =
	"head body header footer main nav section article aside form table "
	"template script style dialog fieldset svg";

struct tag {
	size_t at; /* the < */
	size_t name;
	size_t name_bytes;
	size_t end; /* behind the > */
	bool closes;
	bool empty; /* /> */
};

static bool
is_name_byte(uint8_t c)
{
	return is_word_byte(c) || c == '-' || c == ':' || c == '.' || c == '!';
}

/* Reads a tag; false if it does not end here, or is none. Where one did not
 * end, only short ones are looked for. */
static bool
read_tag(struct walk *walk, size_t at, struct tag *tag)
{
	size_t most = at < walk->no_tag ? LANG_LOOK_BYTES : TAG_BYTES_MAX;
	size_t stop = min_size(walk->bytes, at + most);
	uint8_t quote = 0;
	size_t i = at + 1;

	tag->at = at;
	tag->closes = walk_byte(walk, i) == '/';
	i += tag->closes;
	tag->name = i;
	while (i < stop && is_name_byte(walk->text[i]))
		i++;
	tag->name_bytes = i - tag->name;
	if (tag->name_bytes == 0)
		return false;
	for (; i < stop; i++) {
		uint8_t c = walk->text[i];

		if (quote != 0) {
			if (c == quote)
				quote = 0;
		} else if (c == '"' || c == '\'') {
			quote = c;
		} else if (c == '>') {
			tag->empty = walk->text[i - 1] == '/';
			tag->end = i + 1;
			return true;
		}
	}
	walk->no_tag = max_u64(walk->no_tag, stop);
	return false;
}

static uint32_t
hash_name(const struct walk *walk, const struct tag *tag)
{
	return hash32(HASH32_BEGIN, walk->text + tag->name, tag->name_bytes);
}

static bool
is_section(const struct walk *walk, const struct tag *tag)
{
	uint32_t depth = walk->scan->depth;
	uint64_t traits = walk->lang->traits;

	if (traits & TRAIT_BLOCKS)
		return depth == 0;
	if (traits & TRAIT_HTML)
		return lang_word_any_case(section_tags, walk->text + tag->name,
					  tag->name_bytes, NULL);
	return depth == 1;
}

static void
open_tag(struct walk *walk, const struct tag *tag)
{
	struct def_start start = {
		.lead = walk_line_start(walk, tag->at),
		.decl = tag->at,
		.at = tag->at,
		.body = tag->end,
		.name = tag->name,
		.name_bytes = tag->name_bytes,
		.kind = LANG_KIND_SECTION,
		.flags = LANG_DEF_EXPORTED,
	};
	bool named = is_section(walk, tag);

	if (walk_push(walk, FRAME_CLASS, named ? &start : NULL) && !named)
		walk_frame(walk)->name_hash = hash_name(walk, tag);
}

/* What was left open within is closed with it. */
static void
close_tag(struct walk *walk, const struct tag *tag)
{
	struct lang_scan *scan = walk->scan;
	uint32_t hash = hash_name(walk, tag);
	uint32_t depth = scan->depth;

	if (scan->over > 0) {
		scan->over--;
		return;
	}
	while (depth > 0 && scan->frames[depth - 1].name_hash != hash)
		depth--;
	if (depth == 0)
		return;
	while (scan->depth >= depth)
		walk_pop(walk, scan->depth == depth ? tag->end : tag->at);
}

/* script and style hold no tags; behind a script in a language that is known
 * script_scan() goes on. */
static size_t
skip_raw(struct walk *walk, const struct tag *tag)
{
	static const char *const raw[] = { "script", "style" };
	uint32_t lang = LANG_NONE;

	if (!(walk->lang->traits & TRAIT_HTML))
		return tag->end;
	if (walk_word_is(walk, tag->name, tag->name_bytes, raw[0]) &&
	    walk->scan->over == 0)
		lang = script_language(walk, tag->name + tag->name_bytes,
				       tag->end - 1);
	if (lang != LANG_NONE) {
		script_begin(walk, tag->end, lang);
		return tag->end;
	}
	for (size_t i = 0; i < ARRAY_LEN(raw); i++) {
		size_t bytes = strlen(raw[i]);
		uint8_t term[10] = { '<', '/' };

		if (tag->name_bytes != bytes ||
		    memcmp(walk->text + tag->name, raw[i], bytes) != 0)
			continue;
		memcpy(term + 2, raw[i], bytes);
		/* the term is read again, as the tag that it is */
		walk->scan->aux[0] = (uint32_t)(bytes + 2);
		return lex_term(walk, tag->end, term, bytes + 2);
	}
	return tag->end;
}

static size_t
markup(struct walk *walk, size_t at)
{
	struct tag tag;
	size_t left = walk->bytes - at;

	if (left >= 4 && memcmp(walk->text + at, "<!--", 4) == 0)
		return lex_block_comment(walk, at, "-->");
	if (left >= 9 && memcmp(walk->text + at, "<![CDATA[", 9) == 0)
		return lex_term(walk, at, (const uint8_t *)"]]>", 3);
	if (left >= 2 && walk->text[at + 1] == '?')
		return lex_term(walk, at, (const uint8_t *)"?>", 2);
	if (!read_tag(walk, at, &tag))
		return at + 1;
	if (walk_byte(walk, tag.name) == '!' ||
	    ((walk->lang->traits & TRAIT_HTML) &&
	     lang_word_any_case(void_tags, walk->text + tag.name,
				tag.name_bytes, NULL)))
		return tag.end;
	if (tag.closes) {
		close_tag(walk, &tag);
	} else if (!tag.empty) {
		open_tag(walk, &tag);
		walk_mark_line(walk, tag.end);
		return skip_raw(walk, &tag);
	}
	walk_mark_line(walk, tag.end);
	return tag.end;
}

void
scan_tags(struct walk *walk)
{
	struct lang_scan *scan = walk->scan;

	lang_set_add(&walk->events->set, '<');
	lang_finder_init(&walk->finder, &walk->events->set, walk->text,
			 walk->end);
	if (scan->lang == LANG_ASTRO && scan->pos == 0 &&
	    scan->script == LANG_NONE)
		script_begin_fenced(walk);
	while (walk->at < walk->until || scan->script != LANG_NONE) {
		if (scan->script != LANG_NONE) {
			if (!script_scan(walk))
				break;
			continue;
		}
		if (scan->mode.kind != MODE_CODE) {
			walk->at = lex_resume(walk, walk->at);
			if (scan->mode.kind == MODE_CODE && scan->aux[0] != 0) {
				walk->at -= scan->aux[0];
				scan->aux[0] = 0;
			}
			continue;
		}
		if (scan->aux[0] != 0) {
			walk->at -= scan->aux[0];
			scan->aux[0] = 0;
		}
		walk->at = lang_finder_next(&walk->finder, walk->at);
		if (walk->at < walk->end)
			walk->at = markup(walk, walk->at);
	}
	if (walk->at_end && walk->at >= walk->end) {
		walk->at = walk->end;
		while (scan->depth > 0)
			walk_pop(walk, walk->bytes);
	}
}
