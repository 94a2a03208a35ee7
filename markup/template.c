/* SPDX-License-Identifier: MIT */
/*
 * template.c - a template into its steps, as the Mustache specification has
 * it: delimiters that change, tags alone on their line.
 */
#include "markup/template.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"

#define DELIMITER_BYTES 16

struct parser {
	struct template *template;
	struct template_error *error;
	const char *start;
	const char *at;
	const char *end;
	uint32_t line;
	char open[DELIMITER_BYTES];
	char close[DELIMITER_BYTES];
	uint32_t sections[TEMPLATE_DEPTH_MAX];
	unsigned depth;
};

/* A tag, from its delimiter to behind the other. */
struct tag {
	const char *start;
	const char *end;
	char type; /* 0: a value */
	const char *name;
	size_t nr;
};

const char *
template_shown(char shown[TEMPLATE_SHOWN], const char *name, size_t nr)
{
	size_t at;

	nr = min_size(nr, TEMPLATE_SHOWN - 1);
	for (at = 0; at < nr; at++)
		shown[at] = name[at] >= ' ' && name[at] < 0x7f ? name[at] : '?';
	shown[at] = '\0';
	return shown;
}

static int
fail(struct parser *parser, const char *format, const char *name, size_t nr)
{
	char shown[TEMPLATE_SHOWN];

	parser->error->line = parser->line;
	snprintf(parser->error->what, sizeof(parser->error->what), "%s%s%s",
		 format, nr > 0 ? ": " : "", template_shown(shown, name, nr));
	return -EINVAL;
}

static int
add_step(struct parser *parser, enum template_kind kind, const char *at,
	 size_t nr)
{
	struct template *template = parser->template;

	if (ARRAY_RESERVE(template->steps, template->step_room,
			  template->step_nr + 1ul) != 0)
		return -ENOMEM;
	template->steps[template->step_nr++] = (struct template_step){
		.at = at,
		.nr = (uint32_t)nr,
		.line = parser->line,
		.kind = (uint8_t)kind,
	};
	return 0;
}

static bool
is_blank(char c)
{
	return c == ' ' || c == '\t';
}

static bool
is_space(char c)
{
	return is_blank(c) || c == '\n' || c == '\r';
}

static const char *
find(const char *at, const char *end, const char *word)
{
	return memmem(at, (size_t)(end - at), word, strlen(word));
}

/* What stands between the delimiters of the next tag: 0 or -EINVAL. */
static int
read_tag(struct parser *parser, struct tag *tag)
{
	const char *at = tag->start + strlen(parser->open);
	char closing[DELIMITER_BYTES + 1];
	const char *stop;

	tag->type = '\0';
	while (at < parser->end && is_space(*at))
		at++;
	if (at < parser->end && strchr("#^/!=&{><$%", *at) != NULL &&
	    *at != '\0')
		tag->type = *at++;
	snprintf(closing, sizeof(closing), "%s%s",
		 tag->type == '{'   ? "}"
		 : tag->type == '=' ? "="
				    : "",
		 parser->close);
	stop = find(at, parser->end, closing);
	if (stop == NULL)
		return fail(parser, "a tag without end", tag->start,
			    (size_t)(parser->end - tag->start));
	tag->end = stop + strlen(closing);
	while (at < stop && is_space(*at))
		at++;
	while (stop > at && is_space(stop[-1]))
		stop--;
	tag->name = at;
	tag->nr = (size_t)(stop - at);
	return 0;
}

/*
 * A tag that writes nothing, alone on its line, takes the line with it. Where
 * the text before it ends, and what follows begins.
 */
static void
take_line(const struct parser *parser, struct tag *tag, const char **text_end)
{
	const char *from = tag->start;
	const char *until = tag->end;

	if (tag->type == '\0' || tag->type == '&' || tag->type == '{')
		return;
	while (from > parser->start && is_blank(from[-1]))
		from--;
	if (from > parser->start && from[-1] != '\n')
		return;
	while (until < parser->end && is_blank(*until))
		until++;
	if (until < parser->end && *until == '\r')
		until++;
	if (until < parser->end && *until != '\n')
		return;
	*text_end = from > parser->at ? from : parser->at;
	tag->end = until < parser->end ? until + 1 : until;
}

/* "<% %>" */
static int
set_delimiters(struct parser *parser, const struct tag *tag)
{
	const char *at = tag->name;
	const char *end = at + tag->nr;
	size_t open = 0;
	size_t close = 0;

	while (at + open < end && !is_space(at[open]))
		open++;
	while (close < tag->nr - open && !is_space(end[-1 - (long)close]))
		close++;
	if (open == 0 || close == 0 || open + close >= tag->nr ||
	    open >= DELIMITER_BYTES || close >= DELIMITER_BYTES ||
	    memchr(at, '=', tag->nr) != NULL)
		return fail(parser, "delimiters of no kind", at, tag->nr);
	snprintf(parser->open, sizeof(parser->open), "%.*s", (int)open, at);
	snprintf(parser->close, sizeof(parser->close), "%.*s", (int)close,
		 end - close);
	return 0;
}

static int
set_escape(struct parser *parser, const struct tag *tag)
{
	static const struct {
		const char *words;
		enum markup_escape escape;
	} escapes[] = { { "escape html", MARKUP_ESCAPE_HTML },
			{ "escape xml", MARKUP_ESCAPE_HTML },
			{ "escape json", MARKUP_ESCAPE_JSON },
			{ "escape none", MARKUP_ESCAPE_NONE } };

	for (size_t i = 0; i < ARRAY_LEN(escapes); i++) {
		if (!bytes_are(tag->name, tag->nr, escapes[i].words))
			continue;
		parser->template->escape = escapes[i].escape;
		return 0;
	}
	return fail(parser, "known are escape html, xml, json and none",
		    tag->name, tag->nr);
}

static int
open_section(struct parser *parser, const struct tag *tag)
{
	if (parser->depth == TEMPLATE_DEPTH_MAX)
		return fail(parser, "sections too deep", tag->name, tag->nr);
	parser->sections[parser->depth++] = parser->template->step_nr;
	return add_step(parser,
			tag->type == '#' ? TEMPLATE_SECTION : TEMPLATE_INVERTED,
			tag->name, tag->nr);
}

static int
close_section(struct parser *parser, const struct tag *tag)
{
	struct template_step *section;
	uint32_t idx;
	int error;

	if (parser->depth == 0)
		return fail(parser, "a section's end without its begin",
			    tag->name, tag->nr);
	idx = parser->sections[--parser->depth];
	section = &parser->template->steps[idx];
	if (section->nr != tag->nr ||
	    memcmp(section->at, tag->name, tag->nr) != 0)
		return fail(parser, "another section has to end first",
			    section->at, section->nr);
	section->pair = parser->template->step_nr;
	error = add_step(parser, TEMPLATE_END, tag->name, tag->nr);
	if (error == 0)
		parser->template->steps[parser->template->step_nr - 1].pair =
			idx;
	return error;
}

static int
take_tag(struct parser *parser, const struct tag *tag)
{
	if (tag->type == '!')
		return 0;
	if (tag->type == '=')
		return set_delimiters(parser, tag);
	if (tag->type == '%')
		return set_escape(parser, tag);
	if (tag->type == '>')
		return fail(parser,
			    "a template is one file: there are no partials",
			    tag->name, tag->nr);
	if (tag->type == '<' || tag->type == '$')
		return fail(parser, "templates inherit nothing", tag->name,
			    tag->nr);
	if (tag->nr == 0)
		return fail(parser, "a tag without a name", NULL, 0);
	for (size_t i = 0; i < tag->nr; i++)
		if (is_space(tag->name[i]))
			return fail(parser, "a name with blanks", tag->name,
				    tag->nr);
	if (tag->type == '#' || tag->type == '^')
		return open_section(parser, tag);
	if (tag->type == '/')
		return close_section(parser, tag);
	return add_step(parser,
			tag->type == '\0' ? TEMPLATE_VALUE : TEMPLATE_RAW,
			tag->name, tag->nr);
}

static void
count_lines(struct parser *parser, const char *until)
{
	for (; parser->at < until; parser->at++)
		parser->line += *parser->at == '\n';
}

static int
parse_all(struct parser *parser)
{
	int error = 0;

	while (error == 0 && parser->at < parser->end) {
		struct tag tag = {
			.start = find(parser->at, parser->end, parser->open),
		};
		const char *from = parser->at;
		const char *text_end;

		if (tag.start == NULL)
			return add_step(parser, TEMPLATE_TEXT, from,
					(size_t)(parser->end - from));
		count_lines(parser, tag.start);
		error = read_tag(parser, &tag);
		if (error != 0)
			break;
		text_end = tag.start;
		parser->at = from;
		take_line(parser, &tag, &text_end);
		parser->at = tag.start;
		if (text_end > from)
			error = add_step(parser, TEMPLATE_TEXT, from,
					 (size_t)(text_end - from));
		if (error == 0)
			error = take_tag(parser, &tag);
		count_lines(parser, tag.end);
	}
	return error;
}

int
template_parse(struct template *template, const char *source, size_t nr,
	       struct template_error *error)
{
	struct parser parser = {
		.template = template,
		.error = error,
		.start = source,
		.at = source,
		.end = source + nr,
		.line = 1,
		.open = "{{",
		.close = "}}",
	};
	int result;

	*template = (struct template){ .escape = MARKUP_ESCAPE_HTML };
	*error = (struct template_error){ 0 };
	result = parse_all(&parser);
	if (result == 0 && parser.depth > 0) {
		const struct template_step *section =
			&template->steps[parser.sections[parser.depth - 1]];

		parser.line = section->line;
		result = fail(&parser, "a section without end", section->at,
			      section->nr);
	}
	if (result != 0)
		template_free(template);
	return result;
}

void
template_free(struct template *template)
{
	free(template->steps);
	*template = (struct template){ 0 };
}

/* ---- walking ----------------------------------------------------------- */

struct walk {
	const struct template *template;
	const struct template_view *view;
	const void *stack[TEMPLATE_DEPTH_MAX + 2];
	unsigned depth;
	struct template_range range;
	bool begun; /* is in the range */
	bool ended; /* is behind it */
};

static bool
look_up(const struct walk *walk, const char *name, size_t nr,
	const void **found)
{
	const struct template_view *view = walk->view;
	const char *end = name + nr;
	const char *dot;
	unsigned i = walk->depth;
	bool got = false;

	if (nr == 1 && *name == '.') {
		*found = walk->stack[walk->depth - 1];
		return true;
	}
	dot = memchr(name, '.', nr);
	while (i > 0 && !got)
		got = view->find(view->context, walk->stack[--i], name,
				 (size_t)((dot == NULL ? end : dot) - name),
				 found);
	while (got && dot != NULL) {
		name = dot + 1;
		dot = memchr(name, '.', (size_t)(end - name));
		got = view->find(view->context, *found, name,
				 (size_t)((dot == NULL ? end : dot) - name),
				 found);
	}
	return got;
}

static void
walk_steps(struct walk *walk, uint32_t from, uint32_t until);

static void
walk_section(struct walk *walk, uint32_t idx)
{
	const struct template_step *step = &walk->template->steps[idx];
	const struct template_view *view = walk->view;
	const void *node = NULL;
	bool found = look_up(walk, step->at, step->nr, &node);
	size_t nr = found ? view->item_nr(view->context, node) : 0;
	bool shown =
		found &&
		(nr != SIZE_MAX ? nr > 0 : view->is_true(view->context, node));

	if (step->kind == TEMPLATE_INVERTED) {
		if (!shown)
			walk_steps(walk, idx + 1, step->pair);
		return;
	}
	if (!shown)
		return;
	walk->depth++;
	for (size_t i = 0; i < (nr == SIZE_MAX ? 1 : nr); i++) {
		walk->stack[walk->depth - 1] =
			nr == SIZE_MAX ? node
				       : view->item(view->context, node, i);
		walk_steps(walk, idx + 1, step->pair);
	}
	walk->depth--;
}

static void
walk_value(const struct walk *walk, const struct template_step *step)
{
	const struct template_view *view = walk->view;
	const void *node;

	if (look_up(walk, step->at, step->nr, &node))
		view->put(view->context, node, step->kind == TEMPLATE_RAW);
}

static void
walk_steps(struct walk *walk, uint32_t from, uint32_t until)
{
	const struct template_view *view = walk->view;

	for (uint32_t i = from; i < until && !walk->ended; i++) {
		const struct template_step *step = &walk->template->steps[i];
		bool shown;

		if (i == walk->range.from)
			walk->begun = true;
		if (i == walk->range.until) {
			walk->ended = true;
			break;
		}
		shown = walk->begun;
		if (step->kind == TEMPLATE_SECTION ||
		    step->kind == TEMPLATE_INVERTED) {
			walk_section(walk, i);
			i = step->pair;
			if (!walk->ended && i == walk->range.until)
				walk->ended = walk->begun;
		} else if (shown && step->kind == TEMPLATE_TEXT) {
			view->text(view->context, step->at, step->nr);
		} else if (shown && step->kind != TEMPLATE_END) {
			walk_value(walk, step);
		}
	}
}

bool
template_walk(const struct template *template, const struct template_view *view,
	      const void *root, const void *node, struct template_range range)
{
	struct walk walk = {
		.template = template,
		.view = view,
		.stack = { root, node },
		.depth = node == NULL ? 1 : 2,
		.range = range,
		.begun = range.from == TEMPLATE_NO_STEP,
	};

	walk_steps(&walk, 0, template->step_nr);
	return walk.ended;
}
