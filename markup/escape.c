/* SPDX-License-Identifier: MIT */
/*
 * escape.c - content on its way into a format.
 *
 * Does: escapes, numbers before lines, and what becomes of characters that
 *       are not seen, in one go; goes on wherever it was cut.
 * Does not: lose anything: what a format cannot carry as it is stands in it
 *           as an escape that says which byte it was.
 */
#include <stdio.h>
#include <string.h>

#include "base/unicode_invisible.h"
#include "base/utf8.h"
#include "markup/markup.h"

/* Where an escape is written to. */
struct out {
	uint8_t *at;
	const struct markup_rules *rules;
	struct markup_flow *flow;
};

static bool
is_layout(uint32_t c)
{
	return c == '\t' || c == '\n' || c == '\r' || c == '\f';
}

static bool
is_escaped(enum markup_escape escape, uint8_t c)
{
	switch (escape) {
	case MARKUP_ESCAPE_CDATA:
		return c >= 0x80 || c == ']' || c == '>' ||
		       (c < 0x20 && c != '\t' && c != '\n');
	case MARKUP_ESCAPE_JSON:
		return c >= 0x80 || c < 0x20 || c == '"' || c == '\\';
	case MARKUP_ESCAPE_HTML:
		return c != '\0' && strchr("&<>\"'", c) != NULL;
	case MARKUP_ESCAPE_NONE:
		break;
	}
	return false;
}

static bool
is_stop(const struct markup_rules *rules, uint8_t c)
{
	if (rules->numbers && c == '\n')
		return true;
	if (rules->unicode != MARKUP_UNICODE_MARK &&
	    (c >= 0x7f || (c < 0x20 && !is_layout(c))))
		return true;
	return is_escaped(rules->escape, c);
}

void
markup_rules_set(struct markup_rules *rules, enum markup_escape escape,
		 enum markup_unicode unicode, bool numbers)
{
	*rules = (struct markup_rules){ .escape = escape,
					.unicode = unicode,
					.numbers = numbers };
	for (unsigned c = 0; c < 256; c++)
		rules->stops[c] = is_stop(rules, (uint8_t)c);
}

void
markup_rules_of_escape(struct markup_rules *rules, enum markup_escape escape)
{
	markup_rules_set(rules, escape, MARKUP_UNICODE_MARK, false);
}

static void
put(struct out *out, const char *text)
{
	size_t nr = strlen(text);

	memcpy(out->at, text, nr);
	out->at += nr;
}

static void
put_byte(struct out *out, uint8_t c)
{
	*out->at++ = c;
}

static void
put_hex(struct out *out, const char *before, uint32_t value, unsigned digits)
{
	static const char hex[] = "0123456789abcdef";

	put(out, before);
	while (digits-- > 0)
		put_byte(out, (uint8_t)hex[value >> 4 * digits & 15]);
}

/* A byte that XML has no way to say. */
static void
put_cdata_byte(struct out *out, uint8_t c)
{
	put_hex(out, "]]><byte hex=\"", c, 2);
	put(out, "\"/><![CDATA[");
}

static void
put_ascii_cdata(struct out *out, uint8_t c)
{
	uint8_t brackets = out->flow->bracket_nr;

	out->flow->bracket_nr = 0;
	if (c == '>' && brackets == 2) {
		put(out, "]]><![CDATA[>");
	} else if (c == '\r') {
		/* a parser would make a line's end of it */
		put(out, "]]>&#13;<![CDATA[");
	} else if (c < 0x20 && c != '\t' && c != '\n') {
		put_cdata_byte(out, c);
	} else {
		if (c == ']')
			out->flow->bracket_nr =
				brackets == 2 ? 2 : brackets + 1;
		put_byte(out, c);
	}
}

static void
put_ascii_json(struct out *out, uint8_t c)
{
	static const char letters[] = "\b\f\n\r\t\"\\";
	static const char escapes[] = "bfnrt\"\\";
	const char *letter = c == 0 ? NULL : strchr(letters, c);

	if (letter != NULL) {
		put_byte(out, '\\');
		put_byte(out, (uint8_t)escapes[letter - letters]);
	} else if (c < 0x20) {
		put_hex(out, "\\u", c, 4);
	} else {
		put_byte(out, c);
	}
}

static void
put_ascii_html(struct out *out, uint8_t c)
{
	switch (c) {
	case '&':
		put(out, "&amp;");
		break;
	case '<':
		put(out, "&lt;");
		break;
	case '>':
		put(out, "&gt;");
		break;
	case '"':
		put(out, "&quot;");
		break;
	case '\'':
		put(out, "&#39;");
		break;
	default:
		put_byte(out, c);
	}
}

static void
put_ascii(struct out *out, uint8_t c)
{
	switch (out->rules->escape) {
	case MARKUP_ESCAPE_HTML:
		put_ascii_html(out, c);
		break;
	case MARKUP_ESCAPE_CDATA:
		put_ascii_cdata(out, c);
		break;
	case MARKUP_ESCAPE_JSON:
		put_ascii_json(out, c);
		break;
	case MARKUP_ESCAPE_NONE:
		put_byte(out, c);
		break;
	}
}

/* A byte that is no part of any character. */
static void
put_malformed(struct out *out, uint8_t c)
{
	out->flow->bracket_nr = 0;
	switch (out->rules->escape) {
	case MARKUP_ESCAPE_CDATA:
		put_cdata_byte(out, c);
		break;
	case MARKUP_ESCAPE_JSON:
		/* what Python calls surrogateescape */
		put_hex(out, "\\udc", c, 2);
		break;
	case MARKUP_ESCAPE_HTML:
	case MARKUP_ESCAPE_NONE:
		put_byte(out, c);
		break;
	}
}

/* Visible, and through the format's own escape: a backslash may need one. */
static void
put_shown(struct out *out, const char *how, uint32_t c)
{
	char text[24];

	snprintf(text, sizeof(text), how, c);
	for (const char *p = text; *p != '\0'; p++)
		put_ascii(out, (uint8_t)*p);
}

static void
put_character(struct out *out, const uint8_t *at, size_t nr, uint32_t c)
{
	enum markup_unicode unicode = out->rules->unicode;

	if (unicode != MARKUP_UNICODE_MARK && is_invisible(c) &&
	    !is_layout(c)) {
		if (unicode == MARKUP_UNICODE_ESCAPE)
			put_shown(out, "\\u{%x}", c);
		return;
	}
	if (nr == 1) {
		put_ascii(out, (uint8_t)c);
		return;
	}
	out->flow->bracket_nr = 0;
	if (out->rules->escape == MARKUP_ESCAPE_CDATA &&
	    (c == 0xfffe || c == 0xffff)) {
		for (size_t i = 0; i < nr; i++)
			put_cdata_byte(out, at[i]);
		return;
	}
	memcpy(out->at, at, nr);
	out->at += nr;
}

static void
begin_line(struct out *out)
{
	struct markup_flow *flow = out->flow;
	char number[24];

	if (flow->mid_line)
		return;
	flow->mid_line = 1;
	if (!out->rules->numbers)
		return;
	snprintf(number, sizeof(number),
		 "%llu: ", (unsigned long long)flow->line);
	put(out, number);
	flow->bracket_nr = 0;
}

static void
end_line(struct markup_flow *flow)
{
	flow->mid_line = 0;
	flow->line++;
}

/* One character or malformed byte, `cut` ones aside; bytes taken. */
static size_t
put_one(struct out *out, const uint8_t *at, const uint8_t *end, bool at_end,
	bool *cut)
{
	uint32_t c;
	size_t nr = utf8_decode(at, (size_t)(end - at), &c);

	*cut = nr == 0 && !at_end && utf8_is_cut(at, end);
	if (*cut)
		return 0;
	begin_line(out);
	if (nr > 0)
		put_character(out, at, nr, c);
	else if (out->rules->unicode == MARKUP_UNICODE_ESCAPE)
		put_shown(out, "\\x{%x}", *at);
	else if (out->rules->unicode == MARKUP_UNICODE_MARK)
		put_malformed(out, *at);
	if (nr == 1 && *at == '\n')
		end_line(out->flow);
	return nr > 0 ? nr : 1;
}

/* Goes on with what was held; false: there is still not enough. */
static bool
run_held(struct out *out, struct markup_rest *rest)
{
	struct markup_flow *flow = out->flow;

	while (flow->held_nr > 0) {
		uint8_t window[8];
		size_t held = flow->held_nr;
		size_t more =
			min_size(4 - held, (size_t)(rest->end - rest->at));
		size_t used;
		bool cut;

		memcpy(window, flow->held, held);
		memcpy(window + held, rest->at, more);
		used = put_one(out, window, window + held + more, false, &cut);
		if (cut) {
			memcpy(flow->held, window, held + more);
			flow->held_nr = (uint8_t)(held + more);
			rest->at += more;
			return false;
		}
		if (used >= held) {
			rest->at += used - held;
			flow->held_nr = 0;
		} else {
			memmove(flow->held, flow->held + used, held - used);
			flow->held_nr = (uint8_t)(held - used);
		}
	}
	return true;
}

/* The stretch that needs no look, as far as there is room. */
static size_t
run_plain(struct out *out, const uint8_t *from, const uint8_t *end)
{
	const uint8_t *stops = out->rules->stops;
	const uint8_t *at = from;
	size_t nr;

	while (at < end && stops[*at] == 0)
		at++;
	nr = (size_t)(at - from);
	if (nr == 0)
		return 0;
	begin_line(out);
	memcpy(out->at, from, nr);
	out->at += nr;
	out->flow->bracket_nr = 0;
	if (!out->rules->numbers && from[nr - 1] == '\n')
		/* its number is of interest where lines are numbered only */
		out->flow->mid_line = 0;
	return nr;
}

size_t
markup_escape_run(const struct markup_rules *rules, struct markup_flow *flow,
		  struct markup_rest *rest, uint8_t *to, size_t room)
{
	struct out out = { .at = to, .rules = rules, .flow = flow };
	const uint8_t *limit = to + room;

	while (rest->at < rest->end && limit - out.at >= MARKUP_STEP_BYTES) {
		size_t left = (size_t)(limit - out.at) - MARKUP_STEP_BYTES / 2;
		size_t taken;
		bool cut;

		if (flow->held_nr > 0) {
			if (!run_held(&out, rest))
				break;
			continue;
		}
		left = min_size(left, (size_t)(rest->end - rest->at));
		taken = run_plain(&out, rest->at, rest->at + left);
		rest->at += taken;
		if (taken > 0)
			continue;
		taken = put_one(&out, rest->at, rest->end, false, &cut);
		if (cut) {
			flow->held_nr = (uint8_t)(rest->end - rest->at);
			memcpy(flow->held, rest->at, flow->held_nr);
			taken = flow->held_nr;
		}
		rest->at += taken;
	}
	return (size_t)(out.at - to);
}

size_t
markup_escape_end(const struct markup_rules *rules, struct markup_flow *flow,
		  uint8_t *to)
{
	struct out out = { .at = to, .rules = rules, .flow = flow };
	size_t nr = flow->held_nr;
	uint8_t held[3];
	bool cut;

	memcpy(held, flow->held, sizeof(held));
	flow->held_nr = 0;
	for (size_t at = 0; at < nr;)
		at += put_one(&out, held + at, held + nr, true, &cut);
	return (size_t)(out.at - to);
}
