/* SPDX-License-Identifier: MIT */
/*
 * config_yaml.c - libyaml's events to entries.
 *
 * Does: mappings, lists and scalars, each with its place; keys in snake case;
 *       has libyaml run in a child that can do nothing but compute, and looks
 *       at each entry that it found: the file is whoever's the repository is.
 * Does not: know any key; take anchors, aliases, tags, several documents or
 *           keys that are no text: a configuration needs none of them, and
 *           each is a way to make much of little.
 * Limits: those of config_yaml.h; the time is linear, but for a look at the keys
 *         that a mapping has before each of its keys.
 */
#include "cli/config_yaml.h"

#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <yaml.h>

#include "base/child_process.h"
#include "base/diag.h"
#include "base/exit_code.h"
#include "supervisor/sandbox.h"

/* A mapping or list that is open. */
struct level {
	uint32_t entry;    /* its number */
	size_t path_bytes; /* of its own path */
	bool is_map;
	bool has_key; /* of a mapping: the key was read, its value comes */
};

struct reader {
	yaml_parser_t parser;
	struct config_entries *out;
	struct level levels[CONFIG_DEPTH_MAX];
	uint32_t depth;
	uint32_t documents;
	struct config_place key_place;
	char path[CONFIG_PATH_BYTES];
};

static struct config_place
place_of(const yaml_mark_t *mark)
{
	return (struct config_place){ .line = (uint32_t)mark->line + 1,
				      .column = (uint32_t)mark->column + 1 };
}

__attribute__((format(printf, 3, 4))) static int
fail(struct reader *reader, const yaml_mark_t *mark, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vsnprintf(reader->out->fault.text, sizeof(reader->out->fault.text),
		  format, args);
	va_end(args);
	reader->out->fault.place = place_of(mark);
	return -EBADMSG;
}

void
config_snake_case(char *out, size_t size, const char *key)
{
	size_t n = 0;

	for (size_t i = 0; key[i] != '\0' && n + 2 < size; i++) {
		unsigned char c = (unsigned char)key[i];

		if (isupper(c) && i > 0 &&
		    !isupper((unsigned char)key[i - 1]) && key[i - 1] != '_' &&
		    key[i - 1] != '-')
			out[n++] = '_';
		out[n++] = c == '-'   ? '_'
			   : c == '.' ? '/' /* dots part keys */
				      : (char)tolower(c);
	}
	out[n] = '\0';
}

static struct level *
top(struct reader *reader)
{
	return reader->depth == 0 ? NULL : &reader->levels[reader->depth - 1];
}

/* Where a text is put; CONFIG_NO_TEXT: there is no room. */
static uint32_t
put_text(struct config_entries *out, const char *text)
{
	size_t bytes = strlen(text) + 1;
	uint32_t off = out->texts_bytes;

	if (bytes > CONFIG_TEXTS_BYTES - off)
		return CONFIG_NO_TEXT;
	memcpy(out->texts + off, text, bytes);
	out->texts_bytes += (uint32_t)bytes;
	return off;
}

/* Adds an entry below the level that is open, under the current path. */
static int
add(struct reader *reader, enum config_kind kind, const char *value,
    const yaml_mark_t *mark)
{
	struct config_entries *out = reader->out;
	struct level *level = top(reader);
	struct config_entry *entry = &out->items[out->nr];

	if (out->nr == CONFIG_ENTRIES_MAX)
		return fail(reader, mark, "more than %d keys and values",
			    CONFIG_ENTRIES_MAX);
	*entry = (struct config_entry){
		.path_off = put_text(out, reader->path),
		.value_off = CONFIG_NO_TEXT,
		.kind = kind,
		.depth = reader->depth,
		.parent = level == NULL ? 0 : level->entry,
		.place = place_of(mark),
	};
	if (value != NULL)
		entry->value_off = put_text(out, value);
	if (entry->path_off == CONFIG_NO_TEXT ||
	    (value != NULL && entry->value_off == CONFIG_NO_TEXT))
		return fail(reader, mark,
			    "its keys are too long, or too deep in each other");
	/* a mapping begins with its first key, which is not what it is named */
	if (level != NULL && level->is_map && value == NULL &&
	    kind != CONFIG_SCALAR)
		entry->place = reader->key_place;
	out->nr++;
	return 0;
}

/* The value of a key has been read: the next scalar is a key again. */
static void
end_value(struct reader *reader)
{
	struct level *level = top(reader);

	if (level == NULL)
		return;
	level->has_key = false;
	reader->path[level->path_bytes] = '\0';
}

static int
open_level(struct reader *reader, bool is_map, const yaml_event_t *event)
{
	struct level *level = top(reader);
	int error;

	if (level != NULL && level->is_map && !level->has_key)
		return fail(reader, &event->start_mark, "a key must be a text");
	if (reader->depth == CONFIG_DEPTH_MAX)
		return fail(reader, &event->start_mark,
			    "nested more than %d deep", CONFIG_DEPTH_MAX);
	error = add(reader, is_map ? CONFIG_MAP : CONFIG_LIST, NULL,
		    &event->start_mark);
	if (error != 0)
		return error;
	reader->levels[reader->depth++] = (struct level){
		.entry = reader->out->nr - 1,
		.path_bytes = strlen(reader->path),
		.is_map = is_map,
	};
	return 0;
}

static int
take_key(struct reader *reader, const yaml_event_t *event)
{
	const char *text = (const char *)event->data.scalar.value;
	struct level *level = top(reader);
	size_t bytes = event->data.scalar.length;
	char key[CONFIG_KEY_BYTES * 2];

	if (bytes == 0)
		return fail(reader, &event->start_mark, "a key is empty");
	if (bytes > CONFIG_KEY_BYTES || strlen(text) != bytes)
		return fail(reader, &event->start_mark,
			    "a key is longer than %d bytes, or has a NUL in it",
			    CONFIG_KEY_BYTES);
	config_snake_case(key, sizeof(key), text);
	if (level->path_bytes + strlen(key) + 2 > CONFIG_PATH_BYTES)
		return fail(reader, &event->start_mark,
			    "the keys on the way here are too long");
	snprintf(reader->path + level->path_bytes,
		 CONFIG_PATH_BYTES - level->path_bytes, "%s%s",
		 level->path_bytes > 0 ? "." : "", key);
	reader->key_place = place_of(&event->start_mark);
	level->has_key = true;
	return 0;
}

static bool
is_null(const yaml_event_t *event)
{
	const char *text = (const char *)event->data.scalar.value;

	return event->data.scalar.style == YAML_PLAIN_SCALAR_STYLE &&
	       (*text == '\0' || strcmp(text, "~") == 0 ||
		strcasecmp(text, "null") == 0);
}

static int
take_scalar(struct reader *reader, const yaml_event_t *event)
{
	const char *text = (const char *)event->data.scalar.value;
	size_t bytes = event->data.scalar.length;
	struct level *level = top(reader);
	int error;

	if (level == NULL && is_null(event))
		return 0; /* a document of nothing */
	if (level == NULL)
		return fail(reader, &event->start_mark,
			    "a configuration is a mapping: key: value");
	if (level->is_map && !level->has_key)
		return take_key(reader, event);
	if (bytes > CONFIG_VALUE_BYTES || strlen(text) != bytes)
		return fail(reader, &event->start_mark,
			    "a value is longer than %d bytes, or has a NUL in "
			    "it",
			    CONFIG_VALUE_BYTES);
	error = add(reader, level->is_map ? CONFIG_SCALAR : CONFIG_ITEM,
		    is_null(event) ? NULL : text, &event->start_mark);
	if (error == 0 && level->is_map)
		end_value(reader);
	return error;
}

/* What is a key, a value or the beginning of some. */
static int
take_node(struct reader *reader, const yaml_event_t *event)
{
	bool is_list = event->type == YAML_SEQUENCE_START_EVENT;

	if (is_list && reader->depth == 0)
		return fail(reader, &event->start_mark,
			    "a configuration is a mapping: key: value");
	/* all of them begin with an anchor and, but for an alias, a tag */
	if (event->data.alias.anchor != NULL)
		return fail(reader, &event->start_mark,
			    "anchors and aliases are not supported; write the "
			    "value where it is meant");
	if (event->data.scalar.tag != NULL)
		return fail(reader, &event->start_mark,
			    "tags are not supported; write the plain value");
	return event->type == YAML_SCALAR_EVENT
		       ? take_scalar(reader, event)
		       : open_level(reader, !is_list, event);
}

static int
take_event(struct reader *reader, const yaml_event_t *event)
{
	switch (event->type) {
	case YAML_DOCUMENT_START_EVENT:
		if (reader->documents++ == 0)
			return 0;
		return fail(reader, &event->start_mark,
			    "a second document; a configuration is one");
	case YAML_ALIAS_EVENT:
	case YAML_SCALAR_EVENT:
	case YAML_MAPPING_START_EVENT:
	case YAML_SEQUENCE_START_EVENT:
		return take_node(reader, event);
	case YAML_MAPPING_END_EVENT:
	case YAML_SEQUENCE_END_EVENT:
		ASSERT(reader->depth > 0); /* libyaml pairs its events */
		reader->depth--;
		end_value(reader);
		return 0;
	default:
		return 0;
	}
}

/* Where a byte stands that is no text; the library knows only its offset. */
static yaml_mark_t
mark_of_byte(const yaml_parser_t *parser)
{
	const unsigned char *text = parser->input.string.start;
	yaml_mark_t mark = { .index = parser->problem_offset };

	for (size_t i = 0; i < mark.index; i++) {
		mark.line += text[i] == '\n';
		/* characters, not the bytes of one */
		mark.column =
			text[i] == '\n'
				? 0
				: mark.column + ((text[i] & 0xc0) != 0x80);
	}
	return mark;
}

static int
fail_syntax(struct reader *reader)
{
	const yaml_parser_t *parser = &reader->parser;
	yaml_mark_t mark = parser->problem_mark;
	const char *problem = parser->problem;

	if (parser->error == YAML_MEMORY_ERROR)
		return -ENOMEM;
	if (parser->error == YAML_READER_ERROR)
		mark = mark_of_byte(parser);
	return fail(reader, &mark, "not YAML: %s",
		    problem != NULL ? problem : "unknown error");
}

/* Whether two entries are one key of one mapping. */
static bool
is_duplicate(const struct config_entries *all, uint32_t a, uint32_t b)
{
	uint32_t parent = all->items[a].parent;

	return parent == all->items[b].parent &&
	       all->items[parent].kind == CONFIG_MAP &&
	       strcmp(config_entry_path(all, a), config_entry_path(all, b)) ==
		       0;
}

/* The first key, in the order of the file, that stands there before. */
static int
refuse_duplicates(struct config_entries *all)
{
	/* the first is the root; what is below an entry comes after it */
	for (uint32_t i = 1; i < all->nr; i++) {
		uint32_t first = all->items[i].parent + 1;

		while (first < i && !is_duplicate(all, first, i))
			first++;
		if (first == i)
			continue;
		snprintf(all->fault.text, sizeof(all->fault.text),
			 "%s is given twice, first in line %u",
			 QUOTED(config_entry_path(all, i)),
			 all->items[first].place.line);
		all->fault.place = all->items[i].place;
		return -EBADMSG;
	}
	return 0;
}

static int
read_events(struct reader *reader)
{
	bool is_end = false;
	int error = 0;

	while (error == 0 && !is_end) {
		yaml_event_t event;

		if (yaml_parser_parse(&reader->parser, &event) == 0)
			return fail_syntax(reader);
		is_end = event.type == YAML_STREAM_END_EVENT;
		error = take_event(reader, &event);
		yaml_event_delete(&event);
	}
	return error;
}

static int
read_text(struct reader *reader, const char *text, size_t bytes)
{
	int error;

	if (bytes > CONFIG_BYTES_MAX)
		return fail(reader, &(yaml_mark_t){ .line = 0 },
			    "larger than %u KiB", CONFIG_BYTES_MAX >> 10);
	if (yaml_parser_initialize(&reader->parser) == 0)
		return -ENOMEM;
	yaml_parser_set_encoding(&reader->parser, YAML_UTF8_ENCODING);
	yaml_parser_set_input_string(&reader->parser,
				     (const unsigned char *)text, bytes);
	error = read_events(reader);
	yaml_parser_delete(&reader->parser);
	return error != 0 ? error : refuse_duplicates(reader->out);
}

int
config_yaml_read(const char *text, size_t bytes, struct config_entries *out)
{
	struct reader reader = { .out = out };

	out->nr = 0;
	out->texts_bytes = 0;
	out->result = read_text(&reader, text, bytes);
	return out->result;
}

struct config_entries *
config_entries_new(void)
{
	return helper_memory(sizeof(struct config_entries));
}

void
config_entries_free(struct config_entries *entries)
{
	if (entries != NULL)
		munmap(entries, sizeof(*entries));
}

/* Whether a text of no more bytes begins there, and ends among the texts. */
static bool
is_text(const struct config_entries *entries, uint32_t off, size_t bytes_max)
{
	return off < CONFIG_TEXTS_BYTES &&
	       memchr(entries->texts + off, '\0',
		      min_size(CONFIG_TEXTS_BYTES - off, bytes_max + 1)) !=
		       NULL;
}

bool
config_entries_valid(const struct config_entries *entries)
{
	if (entries->nr > CONFIG_ENTRIES_MAX)
		return false;
	for (uint32_t i = 0; i < entries->nr; i++) {
		const struct config_entry *it = &entries->items[i];

		if (it->kind > CONFIG_LIST || it->depth > CONFIG_DEPTH_MAX ||
		    (i == 0 ? it->parent != 0 : it->parent >= i) ||
		    !is_text(entries, it->path_off, CONFIG_PATH_BYTES - 1) ||
		    (it->value_off != CONFIG_NO_TEXT &&
		     !is_text(entries, it->value_off, CONFIG_VALUE_BYTES)))
			return false;
	}
	return true;
}

/* ---- in a child -------------------------------------------------------- */

/* What the child has to do. */
struct parse_ctx {
	const char *text;
	size_t bytes;
	struct config_entries *out;
};

/* calls: the child */
static int
parse(void *context)
{
	const struct parse_ctx *ctx = context;

	config_yaml_read(ctx->text, ctx->bytes, ctx->out);
	return EXIT_COMPLETE;
}

/* What the child has left, whatever that is; it has ended. */
static int
take_result(struct config_entries *out)
{
	if (out->result == 0 && config_entries_valid(out))
		return 0;
	out->nr = 0;
	out->fault.text[sizeof(out->fault.text) - 1] = '\0';
	if (out->result == -ENOMEM || out->result == -EBADMSG)
		return out->result;
	return -EPROTO;
}

int
config_yaml_read_apart(unsigned layers, const char *text, size_t bytes,
		       struct config_entries *out)
{
	struct parse_ctx ctx = { .text = text, .bytes = bytes, .out = out };
	const struct sandbox_child child = {
		.active = layers,
		.what = "the configuration file",
		.work = parse,
		.context = &ctx,
	};
	int error = -EPROTO;

	if (sandbox_run_child(&child) == EXIT_COMPLETE)
		error = take_result(out);
	if (error != -EPROTO)
		return error;
	out->nr = 0;
	out->fault.place = (struct config_place){ .line = 0 };
	snprintf(out->fault.text, sizeof(out->fault.text),
		 "the process that parses it did not finish");
	return -EBADMSG;
}
