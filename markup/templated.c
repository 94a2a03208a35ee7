/* SPDX-License-Identifier: MIT */
/*
 * templated.c - what a template may name, and what that is of a section.
 */
#include "markup/templated.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

/* What names are looked up in. */
enum scope { SCOPE_ROOT = 0, SCOPE_FILE, SCOPE_CHUNK, SCOPE_GAP };

enum node_id {
	NODE_ROOT = 0,
#define NAME(id, scope, name) NODE_##id,
#include "markup/templated.def"
#undef NAME
	NODE_NR
};

/* A node is a place in this table. */
static const struct name {
	const char *name;
	uint8_t scope; /* it is found in */
} names[NODE_NR] = {
	[NODE_ROOT] = { "", SCOPE_ROOT },
#define NAME(id, scope, name) [NODE_##id] = { name, SCOPE_##scope },
#include "markup/templated.def"
#undef NAME
};

/* A section on its way into the text. */
struct shown {
	struct markup_text *text;
	const struct markup_options *options;
	const struct markup_section *section;
	enum markup_escape escape;
	bool drops_newline; /* of the text that comes next */
};

static enum node_id
id_of(const void *node)
{
	return (enum node_id)((const struct name *)node - names);
}

static bool
find(void *context, const void *node, const char *name, size_t nr,
     const void **found)
{
	enum node_id in = id_of(node);
	enum scope scope = in == NODE_FILES    ? SCOPE_FILE
			   : in == NODE_CHUNKS ? SCOPE_CHUNK
			   : in == NODE_GAP    ? SCOPE_GAP
					       : SCOPE_ROOT;

	(void)context;
	if (scope == SCOPE_ROOT && in != NODE_ROOT)
		return false; /* a text has no parts */
	for (size_t i = 1; i < NODE_NR; i++) {
		if (names[i].scope != scope ||
		    !bytes_are(name, nr, names[i].name))
			continue;
		*found = &names[i];
		return true;
	}
	return false;
}

static bool
has_content(const struct markup_section *section)
{
	return !section->empty && section->same_path == NULL;
}

/* Whether a file has it; only of what stands in {{#files}}. */
static bool
is_true_of(const struct shown *shown, enum node_id id)
{
	static const uint8_t traits[] = {
		[NODE_CONTROL] = MARKUP_HAS_CONTROL,
		[NODE_BIDI] = MARKUP_HAS_BIDI,
		[NODE_ZERO_WIDTH] = MARKUP_HAS_INVISIBLE,
	};
	const struct markup_section *section = shown->section;

	if (id < ARRAY_LEN(traits) && traits[id] != 0)
		return (section->traits & traits[id]) != 0;
	switch (id) {
	case NODE_LANGUAGE:
		return section->hint_bytes > 0;
	case NODE_IS_FIRST:
		return section->is_first;
	case NODE_IS_WHOLE:
		return section->line_first == 1 && !section->signatures &&
		       section->line_last == section->line_nr;
	case NODE_IS_EMPTY:
		return section->empty;
	case NODE_SAME_AS:
		return section->same_path != NULL;
	case NODE_COPIES:
		return markup_has_copies(section);
	case NODE_IS_SIGNATURES:
		return section->signatures;
	case NODE_IS_IN_PART:
		return section->in_part;
	case NODE_CHARSET:
		return section->charset != NULL;
	case NODE_NO_NEWLINE:
		return section->no_newline;
	case NODE_CONTENT:
	case NODE_CHUNKS:
		return has_content(section);
	case NODE_CHUNK_IS_FIRST:
		return section->gap_last == 0;
	case NODE_GAP:
		return section->gap_last != 0;
	default:
		return true;
	}
}

/* A text that stands for all files; NULL: there is none, or id is none. */
static const char *
text_of(const struct shown *shown, enum node_id id, size_t *nr)
{
	const struct markup_options *options = shown->options;
	const struct markup_preamble none = { .text = NULL };
	const struct markup_preamble *preamble = shown->text->preamble;

	if (preamble == NULL)
		preamble = &none;
	switch (id) {
	case NODE_HEADER:
		*nr = options->header_bytes;
		return options->header;
	case NODE_INSTRUCTIONS:
		*nr = options->instructions_bytes;
		return options->instructions;
	case NODE_PREAMBLE:
		*nr = preamble->text_bytes;
		return preamble->text;
	case NODE_DIRECTORIES:
		*nr = preamble->directories_bytes;
		return preamble->directories;
	default:
		return NULL;
	}
}

static bool
is_true(void *context, const void *node)
{
	const struct shown *shown = context;
	enum node_id id = id_of(node);
	size_t nr;

	if (id == NODE_HEADER || id == NODE_INSTRUCTIONS ||
	    id == NODE_PREAMBLE || id == NODE_DIRECTORIES)
		return text_of(shown, id, &nr) != NULL;
	if (id == NODE_TREE || id == NODE_FILES || id == NODE_ROOT)
		return true;
	if (id == NODE_NUMBERED)
		return shown->options->numbers;
	return shown->section != NULL && is_true_of(shown, id);
}

/* Files and chunks come one at a time: there is no list of them. */
static size_t
item_nr(void *context, const void *node)
{
	(void)context;
	(void)node;
	return SIZE_MAX;
}

static const void *
item(void *context, const void *node, size_t at)
{
	(void)context;
	(void)at;
	return node;
}

static void
put_bytes(struct shown *shown, const void *bytes, size_t nr, bool raw)
{
	struct markup_rules rules;

	markup_rules_of_escape(&rules,
			       raw ? MARKUP_ESCAPE_NONE : shown->escape);
	markup_add_escaped(shown->text, &rules, bytes, nr);
}

/* A name as it is shown; in JSON its bytes, which JSON can say. */
static void
put_path(struct shown *shown, const char *path, const uint8_t *name, size_t nr,
	 bool raw)
{
	if (raw || shown->escape != MARKUP_ESCAPE_JSON)
		put_bytes(shown, path, strlen(path), raw);
	else
		markup_add_json_inside(shown->text, name, nr);
}

static void
put_copies(struct shown *shown, const struct markup_copies *copies, bool raw)
{
	char list[MARKUP_COPIES_BYTES];

	put_bytes(shown, list, markup_copies(list, copies), raw);
}

static uint64_t
number_of(const struct markup_section *section, enum node_id id)
{
	switch (id) {
	case NODE_LINE_FIRST:
		return section->line_first;
	case NODE_LINE_LAST:
		return section->line_last;
	case NODE_LINE_NR:
		return section->line_nr;
	case NODE_BYTES:
		return section->bytes;
	case NODE_CHUNK_LINE:
		return section->chunk_line;
	case NODE_GAP_FIRST:
		return section->gap_first;
	case NODE_GAP_LAST:
		return section->gap_last;
	default:
		return UINT64_MAX;
	}
}

static void
put_of_file(struct shown *shown, enum node_id id, bool raw)
{
	const struct markup_section *section = shown->section;
	uint64_t number = number_of(section, id);

	if (number != UINT64_MAX)
		markup_add_format(shown->text, "%ju", number);
	else if (id == NODE_PATH)
		put_path(shown, section->path, section->name,
			 section->name_bytes, raw);
	else if (id == NODE_SAME_AS && section->same_path != NULL)
		put_path(shown, section->same_path, section->same_as,
			 section->same_as_bytes, raw);
	else if (id == NODE_COPIES && markup_has_copies(section))
		put_copies(shown, &section->copies, raw);
	else if (id == NODE_LANGUAGE)
		put_bytes(shown, section->hint, section->hint_bytes, raw);
	else if (id == NODE_CHARSET && section->charset != NULL)
		put_bytes(shown, section->charset, strlen(section->charset),
			  raw);
	else if (id == NODE_FENCE)
		markup_add_run(shown->text, '`',
			       markup_fence(section->mark_run, 3));
}

static void
put(void *context, const void *node, bool raw)
{
	struct shown *shown = context;
	enum node_id id = id_of(node);
	size_t nr = 0;
	const char *text = text_of(shown, id, &nr);

	shown->drops_newline &= id == NODE_CONTENT;
	if (text != NULL)
		put_bytes(shown, text, nr, raw);
	else if (shown->section != NULL)
		put_of_file(shown, id, raw);
}

static void
add_text(void *context, const char *text, size_t nr)
{
	struct shown *shown = context;

	if (shown->drops_newline && nr > 0 && *text == '\n') {
		text++;
		nr--;
	}
	shown->drops_newline = false;
	markup_add(shown->text, text, nr);
}

/* Writes a range of the template; whether its end was come by. */
static bool
show(struct markup_text *text, const struct markup_section *section,
     struct template_range range, bool drops_newline)
{
	const struct templated *templated = text->options->templated;
	struct shown shown = {
		.text = text,
		.options = text->options,
		.section = section,
		.escape = templated->template.escape,
		.drops_newline = drops_newline,
	};
	const struct template_view view = {
		.context = &shown,
		.find = find,
		.is_true = is_true,
		.item_nr = item_nr,
		.item = item,
		.put = put,
		.text = add_text,
	};

	return template_walk(&templated->template, &view, &names[NODE_ROOT],
			     NULL, range);
}

static uint32_t
end_of(const struct templated *templated, uint32_t section)
{
	return templated->template.steps[section].pair;
}

static void
begin(struct markup_text *text, const struct markup_options *options,
      const struct markup_part *part)
{
	const struct template_range range = { TEMPLATE_NO_STEP,
					      options->templated->files };

	(void)part;
	show(text, NULL, range, false);
}

static void
files_end(struct markup_text *text, const struct markup_options *options,
	  uint64_t section_nr)
{
	const struct templated *templated = text->options->templated;
	const struct template_range range = {
		end_of(templated, templated->files) + 1, templated->tree
	};

	(void)options;
	(void)section_nr;
	show(text, NULL, range, false);
}

static void
end(struct markup_text *text)
{
	const struct templated *templated = text->options->templated;
	const struct template_range range = { templated->tree,
					      TEMPLATE_NO_STEP };

	if (templated->tree != TEMPLATE_NO_STEP)
		show(text, NULL, range, false);
}

static void
open(struct markup_text *text, const struct markup_options *options,
     const struct markup_section *section)
{
	const struct templated *templated = options->templated;
	struct template_range range = { templated->files,
					end_of(templated, templated->files) };
	bool shows =
		templated->content != TEMPLATE_NO_STEP && has_content(section);

	if (shows)
		range.until = templated->content;
	/* it may stand where this file does not come by */
	text->drops_content = !show(text, section, range, false) || !shows;
}

static void
close(struct markup_text *text, const struct markup_section *section,
      bool half_line)
{
	const struct templated *templated = text->options->templated;
	const struct template_range range = {
		templated->content, end_of(templated, templated->files)
	};

	if (templated->content == TEMPLATE_NO_STEP)
		return; /* all was written when it began */
	show(text, section, range,
	     !half_line && templated->content_escape != MARKUP_ESCAPE_JSON);
}

/* A text of ours where content stands. */
static void
add_as_content(struct markup_text *text, const struct markup_section *section,
	       void (*add)(struct markup_text *, const struct markup_section *,
			   uint64_t, uint64_t),
	       uint64_t line_first, uint64_t line_last)
{
	struct markup_text line = { 0 };
	struct markup_rules rules;
	char bytes[512];

	line.at = bytes;
	line.room = sizeof(bytes);
	add(&line, section, line_first, line_last);
	markup_rules_of_escape(&rules,
			       text->options->templated->content_escape);
	markup_add_escaped(text, &rules, bytes, (size_t)(line.at - bytes));
}

static void
gap(struct markup_text *text, const struct markup_section *section,
    uint64_t line_first, uint64_t line_last)
{
	const struct templated *templated = text->options->templated;
	struct markup_section next = *section;
	struct template_range range = { templated->content, 0 };

	if (templated->chunks == TEMPLATE_NO_STEP) {
		add_as_content(text, section, markup_add_gap, line_first,
			       line_last);
		return;
	}
	range.until = end_of(templated, templated->chunks);
	show(text, section, range,
	     templated->content_escape != MARKUP_ESCAPE_JSON);
	next.chunk_line = line_last + 1;
	next.gap_first = line_first;
	next.gap_last = line_last;
	range = (struct template_range){ templated->chunks,
					 templated->content };
	show(text, &next, range, false);
}

static void
broken(struct markup_text *text, const struct markup_section *section,
       const char *reason)
{
	(void)section;
	markup_add_string(text, "... (");
	markup_add_string(text, reason);
	markup_add_string(text, ")");
}

const struct markup_format markup_templated = {
	.name = "template",
	.escape = MARKUP_ESCAPE_NONE, /* as the template says */
	.mark = '`',
	.places_extras = true,
	.begin = begin,
	.files_end = files_end,
	.end = end,
	.open = open,
	.close = close,
	.gap = gap,
	.broken = broken,
};

/* ---- which templates there can be -------------------------------------- */

static int
fail(struct template_error *error, const struct template_step *step,
     const char *what)
{
	error->line = step == NULL ? 1 : step->line;
	snprintf(error->what, sizeof(error->what), "%s", what);
	return -EINVAL;
}

static bool
is_named(const struct template_step *step, enum node_id id)
{
	return bytes_are(step->at, step->nr, names[id].name);
}

static bool
is_known(const struct template_step *step)
{
	const char *at = step->at;
	const char *end = at + step->nr;

	if (step->nr == 1 && *at == '.')
		return true;
	while (at < end) {
		const char *dot = memchr(at, '.', (size_t)(end - at));
		struct template_step part = { .at = at };
		bool known = false;

		part.nr = (uint32_t)((dot == NULL ? end : dot) - at);
		for (unsigned i = 1; i < NODE_NR; i++)
			known |= is_named(&part, (enum node_id)i);
		if (!known)
			return false;
		at = dot == NULL ? end : dot + 1;
	}
	return true;
}

static bool
is_within(const struct template *template, uint32_t step, uint32_t section)
{
	return section != TEMPLATE_NO_STEP && step > section &&
	       step < template->steps[section].pair;
}

/* Remembers a step that there may be one of. */
static int
only_one(struct templated *templated, uint32_t *place, uint32_t idx,
	 struct template_error *error)
{
	if (*place != TEMPLATE_NO_STEP)
		return fail(error, &templated->template.steps[idx],
			    "files, chunks, content and tree go by once, so a "
			    "template has each of them once");
	*place = idx;
	return 0;
}

static int
look_at_files(struct templated *templated, uint32_t idx, unsigned depth,
	      struct template_error *error)
{
	const struct template_step *step = &templated->template.steps[idx];

	if (step->kind != TEMPLATE_SECTION)
		return fail(error, step, "files must be {{#files}}");
	if (depth > 0)
		return fail(error, step, "{{#files}} stands in no section");
	return only_one(templated, &templated->files, idx, error);
}

/* What there may be one of, and where: `why` if this is elsewhere. */
static int
look_at_place(struct templated *templated, uint32_t *place, uint32_t idx,
	      const char *why, struct template_error *error)
{
	bool in_files = is_within(&templated->template, idx, templated->files);
	bool behind_files = templated->files != TEMPLATE_NO_STEP && !in_files;

	if (place == &templated->tree ? behind_files : in_files)
		return only_one(templated, place, idx, error);
	return fail(error, &templated->template.steps[idx], why);
}

static int
look_at(struct templated *templated, uint32_t idx, unsigned depth,
	struct template_error *error)
{
	const struct template_step *step = &templated->template.steps[idx];
	bool is_value =
		step->kind == TEMPLATE_VALUE || step->kind == TEMPLATE_RAW;
	char shown[TEMPLATE_SHOWN];

	if (step->kind == TEMPLATE_TEXT || step->kind == TEMPLATE_END)
		return 0;
	if (!is_known(step)) {
		snprintf(error->what, sizeof(error->what),
			 "no such name: %s; docs/formats.md lists them",
			 template_shown(shown, step->at, step->nr));
		error->line = step->line;
		return -EINVAL;
	}
	templated->has_header |= is_named(step, NODE_HEADER);
	templated->has_instructions |= is_named(step, NODE_INSTRUCTIONS);
	templated->has_preamble |= is_named(step, NODE_PREAMBLE) ||
				   is_named(step, NODE_DIRECTORIES);
	if (is_named(step, NODE_FILES))
		return look_at_files(templated, idx, depth, error);
	if (is_named(step, NODE_CHUNKS) && step->kind == TEMPLATE_SECTION)
		return look_at_place(templated, &templated->chunks, idx,
				     "{{#chunks}} stands in {{#files}}", error);
	if (is_named(step, NODE_CONTENT) && is_value)
		return look_at_place(templated, &templated->content, idx,
				     "{{content}} stands in {{#files}}", error);
	if (is_named(step, NODE_TREE) && is_value)
		return look_at_place(templated, &templated->tree, idx,
				     "{{tree}} stands behind {{/files}}: it is "
				     "known when all files are",
				     error);
	return 0;
}

static enum markup_escape
escape_at(const struct templated *templated, uint32_t step)
{
	const struct template *template = &templated->template;

	return step == TEMPLATE_NO_STEP ||
			       template->steps[step].kind == TEMPLATE_RAW
		       ? MARKUP_ESCAPE_NONE
		       : template->escape;
}

static int
check(struct templated *templated, struct template_error *error)
{
	const struct template *template = &templated->template;
	unsigned depth = 0;
	int result = 0;

	for (uint32_t i = 0; i < template->step_nr && result == 0; i++) {
		uint8_t kind = template->steps[i].kind;

		depth -= kind == TEMPLATE_END;
		result = look_at(templated, i, depth, error);
		depth += kind == TEMPLATE_SECTION || kind == TEMPLATE_INVERTED;
	}
	if (result != 0)
		return result;
	if (templated->files == TEMPLATE_NO_STEP)
		return fail(error, NULL,
			    "no {{#files}}: nothing would be packed");
	if (templated->chunks != TEMPLATE_NO_STEP &&
	    !is_within(template, templated->content, templated->chunks))
		return fail(error, &template->steps[templated->chunks],
			    "{{#chunks}} has to hold {{content}}");
	templated->content_escape = escape_at(templated, templated->content);
	templated->tree_escape = escape_at(templated, templated->tree);
	return 0;
}

int
templated_parse(struct templated *templated, const char *source, size_t nr,
		struct template_error *error)
{
	int result;

	*templated = (struct templated){
		.files = TEMPLATE_NO_STEP,
		.chunks = TEMPLATE_NO_STEP,
		.content = TEMPLATE_NO_STEP,
		.tree = TEMPLATE_NO_STEP,
	};
	result = template_parse(&templated->template, source, nr, error);
	if (result == 0)
		result = check(templated, error);
	if (result != 0)
		template_free(&templated->template);
	return result;
}
