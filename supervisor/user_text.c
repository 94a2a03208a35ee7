/* SPDX-License-Identifier: MIT */
/*
 * user_text.c - the user's own texts, checked before there are workers.
 */
#include "supervisor/user_text.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "markup/read.h"
#include "markup/templated.h"
#include "base/child_process.h"
#include "base/fd_io.h"
#include "rank/phrase.h"
#include "rank/query_declared.h"
#include "sources/source_parse.h"
#include "supervisor/sandbox.h"
#include "supervisor/supervisor.h"
#include "tokenizer/tokenizer.h"

#define TEXT_BYTES_MAX (4u << 20)
#define QUERY_BYTES_MAX (1u << 20)
/* What a name takes, here and in the walk: measured with lists of 200,000 to
 * 800,000 names. */
#define NAME_COPIES 2
#define NAME_COST 40

struct own_text {
	char *at;
	size_t nr;
};

static int
read_file(const char *path, struct own_text *text)
{
	/* a file of that name, not stdin */
	int error = file_read_all(strcmp(path, "-") == 0 ? "./-" : path,
				  TEXT_BYTES_MAX, &text->at, &text->nr);

	/* in the place of the NUL */
	if (error == 0 && text->nr > 0 && text->at[text->nr - 1] != '\n')
		text->at[text->nr++] = '\n';
	return error;
}

/* What is not UTF-8 in it becomes U+FFFD, as in files; 0 or -ENOMEM. */
static int
make_valid(const struct options *options, struct own_text *text)
{
	const uint8_t *bytes = (const uint8_t *)text->at;
	char *valid;
	size_t nr;

	if (options->pack.invalid_utf8 == INVALID_UTF8_KEEP ||
	    tokenizer_valid_len(bytes, text->nr) == text->nr)
		return 0;
	valid = malloc(3 * text->nr);
	if (valid == NULL)
		return -ENOMEM;
	tokenizer_repair(bytes, text->nr, true, (uint8_t *)valid, &nr);
	free(text->at);
	*text = (struct own_text){ valid, nr };
	return 0;
}

/*
 * The line, from 1, that bale unpack would take for a file's header, or for
 * what a part says of itself; 0: none. Where content is escaped there can be
 * none.
 */
static uint64_t
line_of_header(enum markup_kind kind, const struct own_text *text)
{
	const char *end = text->at + text->nr;
	uint64_t line = 1;

	if (kind >= MARKUP_NR ||
	    markup_table[kind]->escape != MARKUP_ESCAPE_NONE)
		return 0;
	for (const char *at = text->at; at < end; line++) {
		const char *newline = memchr(at, '\n', (size_t)(end - at));
		size_t nr = (size_t)((newline == NULL ? end : newline) - at);

		if (markup_begins_file(MARKUP_MARKDOWN, at, nr) ||
		    markup_begins_file(MARKUP_PLAIN, at, nr) ||
		    (line == 1 && markup_begins_part(at, nr)))
			return line;
		at += nr + 1;
	}
	return 0;
}

static int
count_file(void *context, const struct markup_file *file)
{
	(void)file;
	++*(uint64_t *)context;
	return 0;
}

/* Whether bale unpack finds the one file in an output; or -ENOMEM. */
static int
find_one_file(enum markup_kind kind, const char *output, size_t nr, bool *found)
{
	const uint8_t *bytes = (const uint8_t *)output;
	uint64_t file_nr = 0;
	const struct markup_sink sink = {
		.context = &file_nr,
		.file = count_file,
	};
	struct markup_error wrong;
	struct markup_part part;
	enum markup_kind found_kind;
	int result = markup_read_part(bytes, nr, &part);

	if (result == 0)
		result = markup_detect(bytes, nr, &found_kind);
	if (result == 0)
		result = markup_read(kind, bytes, nr, &sink, &wrong);
	*found = result == 0 && part.nr == 0 && found_kind == kind &&
		 file_nr == 1;
	return result == -ENOMEM ? -ENOMEM : 0;
}

/*
 * Whether an output is still read as what it is with a header in front, which
 * could look like a part, or as XML or JSON do: bale unpack is asked, with a
 * file whose content makes the most of it. 0 or -ENOMEM.
 */
static int
is_readable_behind(enum markup_kind kind, const struct own_text *header,
		   bool *readable)
{
	static const char *const files[MARKUP_NR] = {
		[MARKUP_MARKDOWN] = "\n\n## File: x (lines 1-2)\n```\n"
				    "?>\n<bale>\n```\n\n",
		[MARKUP_PLAIN] = "\n\n======== File: x (lines 1-2)\n"
				 "?>\n<bale>\n========\n\n",
	};
	char *output;
	size_t nr;
	int result;

	*readable = true;
	if (kind >= MARKUP_NR || files[kind] == NULL)
		return 0;
	nr = header->nr + strlen(files[kind]);
	output = malloc(nr);
	if (output == NULL)
		return -ENOMEM;
	memcpy(output, header->at, header->nr);
	memcpy(output + header->nr, files[kind], nr - header->nr);
	result = find_one_file(kind, output, nr, readable);
	free(output);
	return result;
}

static int
refuse_line(const char *option, uint64_t line)
{
	return exit_with(
		EXIT_USAGE,
		"--%s: line %ju looks like the header of a packed file, or "
		"of a part; indent it, or use --format xml or json",
		option, line);
}

static int
take(const struct options *options, const char *option, const char *path,
     struct own_text *text)
{
	enum markup_kind kind = options->pack.markup.kind;
	bool readable = true;
	uint64_t line;
	int error = path == NULL ? 0 : read_file(path, text);

	if (error != 0)
		return exit_with(EXIT_USAGE, "--%s %s: %s", option,
				 QUOTED(path), fd_open_error(error));
	if (make_valid(options, text) != 0)
		return exit_out_of_memory();
	line = line_of_header(kind, text);
	if (line > 0)
		return refuse_line(option, line);
	if (strcmp(option, "header") == 0 &&
	    is_readable_behind(kind, text, &readable) != 0)
		return exit_out_of_memory();
	if (readable)
		return 0;
	return exit_with(
		EXIT_USAGE,
		"--%s: bale unpack would take it for the start of another "
		"output; put a line of words in front, or use --format xml or "
		"json",
		option);
}

/*
 * What a child makes of a template, in memory that it shares with us. Who walks
 * through the steps later is shut in as well.
 */
struct parsing {
	struct own_text text;
	struct parsed {
		int result;
		struct template_error wrong;
		struct templated templated;
		struct template_step steps[];
	} * parsed;
	size_t step_max;
};

static size_t
parsed_bytes(size_t step_max)
{
	return sizeof(struct parsed) + step_max * sizeof(struct template_step);
}

static int
parse_template(void *context)
{
	const struct parsing *parsing = context;
	struct parsed *parsed = parsing->parsed;
	struct template *template = &parsed->templated.template;
	int result = templated_parse(&parsed->templated, parsing->text.at,
				     parsing->text.nr, &parsed->wrong);

	if (result == 0) {
		ASSERT(template->step_nr <= parsing->step_max);
		memcpy(parsed->steps, template->steps,
		       template->step_nr * sizeof(*template->steps));
		free(template->steps);
		template->steps = parsed->steps;
	}
	parsed->result = result;
	return EXIT_COMPLETE;
}

/* To the end of the process: 0, or an exit code and a line. */
static int
parse_apart(const struct options *options, struct parsing *parsing,
	    const char *name, struct templated *out)
{
	const struct sandbox_child child = {
		.active = options->sandbox_layers,
		.what = name,
		.work = parse_template,
		.context = parsing,
	};
	struct parsed *parsed;
	int code;

	/* a tag has five bytes, and a text between two has one */
	parsing->step_max = parsing->text.nr / 2 + 2;
	parsed = helper_memory(parsed_bytes(parsing->step_max));
	if (parsed == NULL)
		return exit_out_of_memory();
	parsing->parsed = parsed;
	code = sandbox_run_child(&child);
	if (code != EXIT_COMPLETE)
		return code;
	parsed->wrong.what[sizeof(parsed->wrong.what) - 1] = '\0';
	*out = parsed->templated;
	out->template.steps = parsed->steps;
	mprotect(parsed, parsed_bytes(parsing->step_max), PROT_READ);
	if (parsed->result == -ENOMEM ||
	    out->template.step_nr > parsing->step_max)
		return exit_out_of_memory();
	if (parsed->result == 0)
		return EXIT_COMPLETE;
	return exit_with(EXIT_USAGE, "BALE-TPL-001: %s:%u: %s", name,
			 parsed->wrong.line, parsed->wrong.what);
}

/* What --template says, and that it has a place for what else is given. */
static int
read_template(const struct options *options, struct markup_options *markup)
{
	/* to the end of the process */
	static struct templated templated;
	static struct parsing parsing;
	const char *path = options->template_path;
	const char *lacks = NULL;
	const char *name = QUOTED(path);
	int error = read_file(path, &parsing.text);
	int code;

	if (error != 0)
		return exit_with(EXIT_USAGE, "--template %s: %s", name,
				 fd_open_error(error));
	error = make_valid(options, &parsing.text);
	if (error != 0) {
		free(parsing.text.at);
		return exit_out_of_memory();
	}
	code = parse_apart(options, &parsing, name, &templated);
	if (code != EXIT_COMPLETE) {
		free(parsing.text.at);
		return code;
	}
	markup->templated = &templated;
	if (markup->tree && templated.tree == TEMPLATE_NO_STEP)
		lacks = "tree";
	if (options->header != NULL && !templated.has_header)
		lacks = "header";
	if (options->instructions_path != NULL && !templated.has_instructions)
		lacks = "instructions";
	markup->tree = templated.tree != TEMPLATE_NO_STEP;
	markup->preamble = markup->preamble && templated.has_preamble;
	if (lacks == NULL)
		return 0;
	return exit_with(EXIT_USAGE, "BALE-TPL-002: --%s: %s has no {{%s}}",
			 lacks, name, lacks);
}

int
own_text_read(const struct options *options, struct markup_options *markup)
{
	const char *header = options->header;
	struct own_text text = { 0 };
	int code = 0;

	if (options->template_path != NULL)
		code = read_template(options, markup);
	if (code == 0 && header != NULL) {
		if (header[0] != '@') {
			text.nr = strlen(header);
			text.at = strdup(header);
			if (text.at == NULL)
				return exit_out_of_memory();
		}
		code = take(options, "header",
			    header[0] == '@' ? header + 1 : NULL, &text);
		markup->header = text.at;
		markup->header_bytes = text.nr;
	}
	if (code != 0 || options->instructions_path == NULL)
		return code;
	text = (struct own_text){ 0 };
	code = take(options, "instructions", options->instructions_path, &text);
	markup->instructions = text.at;
	markup->instructions_bytes = text.nr;
	return code;
}

/* ---- a task, and names of files ------------------------------------------ */

static int
add_frame(void *context, const struct source_place *place)
{
	anchors_add_frame(context, place->path, place->path_bytes,
			  place->line_first);
	return 0;
}

/* What a text names: places as in logs, and the rest. */
static int
read_anchors(const uint8_t *text, size_t bytes, struct anchors *anchors)
{
	char *copy = malloc(bytes + 1);
	int64_t nr;

	if (copy == NULL)
		return -ENOMEM;
	memcpy(copy, text, bytes);
	copy[bytes] = '\0';
	nr = source_parse_tool(copy, bytes, add_frame, anchors);
	free(copy);
	if (nr >= 0)
		anchors_read(anchors, text, bytes);
	return nr < 0 ? (int)nr : 0;
}

/* A query with what the text has, or NULL if that is nothing. The text is
 * changed. */
static int
make_query(uint8_t *text, size_t bytes, struct query **out)
{
	struct query *query = malloc(sizeof(*query));
	int error;

	if (query == NULL)
		return -ENOMEM;
	query_text_plain(text, bytes);
	query_init(query, text, bytes);
	error = read_anchors(text, bytes, &query->anchors);
	query_declared_init(query);
	phrase_init(query, text, bytes);
	if (query->nr == 0 || error != 0) {
		free(query);
		query = NULL;
	}
	*out = query;
	return error;
}

int
query_text_read(const char *text, struct query **out)
{
	size_t bytes;
	char *content;
	int error;

	*out = NULL;
	if (text[0] == '@') {
		error = file_read_all(text + 1, QUERY_BYTES_MAX, &content,
				      &bytes);
	} else {
		content = strdup(text);
		bytes = strlen(text);
		error = content == NULL ? -ENOMEM : 0;
	}
	if (error == 0)
		error = make_query((uint8_t *)content, bytes, out);
	free(content);
	return error;
}

/* What a backslash and these characters mean; *nr of them. -1: nothing. */
static int
escaped(const char *at, size_t *nr)
{
	static const char letters[] = "abtnvfr\"\\";
	static const char meant[] = "\a\b\t\n\v\f\r\"\\";
	const char *letter = *at == '\0' ? NULL : strchr(letters, *at);
	int value = 0;

	*nr = letter != NULL ? 1 : 3;
	if (letter != NULL)
		return meant[letter - letters];
	for (size_t i = 0; i < 3; i++) {
		if (at[i] < '0' || at[i] > '7')
			return -1;
		value = value * 8 + (at[i] - '0');
	}
	return value == 0 || value > 0xff ? -1 : value;
}

/* A name that is quoted as in C becomes what it means, in its place: without
 * -z git writes names so that have other than ASCII. */
static void
unquote_name(char *name)
{
	size_t end = strlen(name) - 1;
	size_t nr = 0;
	size_t used;
	char *plain;

	if (end < 2 || name[0] != '"' || name[end] != '"')
		return;
	plain = strndup(name + 1, end - 1);
	for (size_t i = 0; plain != NULL && plain[i] != '\0'; i += used) {
		int c = (unsigned char)plain[i];

		used = 1;
		if (c == '\\') {
			c = escaped(plain + i + 1, &used);
			used++;
		}
		/* it is no such name */
		if (c < 0 || (c == '"' && used == 1)) {
			free(plain);
			return;
		}
		plain[nr++] = (char)c;
	}
	if (plain != NULL)
		memcpy(name, plain, nr);
	if (plain != NULL)
		name[nr] = '\0';
	free(plain);
}

static int
split_names(char *text, size_t bytes, char end, uint64_t bytes_max,
	    struct text_list *list)
{
	uint64_t names_max = (bytes_max - NAME_COPIES * bytes) / NAME_COST;
	char *stop = text + bytes;

	while (text < stop) {
		char *next = memchr(text, end, (size_t)(stop - text));

		if (next == NULL)
			next = stop;
		*next = '\0';
		/* as Windows ends lines; a name with one can be quoted */
		if (end != '\0' && next > text && next[-1] == '\r')
			next[-1] = '\0';
		if (end != '\0' && *text == '"')
			unquote_name(text);
		if (*text != '\0' && list->nr == names_max)
			return -EFBIG;
		if (*text != '\0' && text_list_add(list, text) != 0)
			return -ENOMEM;
		text = next + 1;
	}
	return 0;
}

int
file_list_read(const char *path, bool by_nul, uint64_t bytes_max,
	       struct text_list *list)
{
	char *text;
	size_t bytes;
	int error = file_read_all(path, bytes_max / NAME_COPIES, &text, &bytes);

	if (error == 0)
		error = split_names(text, bytes, by_nul ? '\0' : '\n',
				    bytes_max, list);
	if (error != 0 || list->nr == 0)
		free(text);
	return error;
}
