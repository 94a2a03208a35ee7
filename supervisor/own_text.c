/* SPDX-License-Identifier: MIT */
/*
 * own_text.c - the user's header and instructions.
 */
#include "supervisor/own_text.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "markup/templated.h"
#include "supervisor/supervisor.h"

#define TEXT_BYTES_MAX (4u << 20)

struct own_text {
	char *at;
	size_t nr;
};

static int
read_all(int fd, struct own_text *text)
{
	for (;;) {
		ssize_t got = read(fd, text->at + text->nr,
				   TEXT_BYTES_MAX + 1 - text->nr);

		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return -errno;
		text->nr += (size_t)got;
		if (text->nr > TEXT_BYTES_MAX)
			return -EFBIG;
		if (got == 0)
			return 0;
	}
}

static int
read_file(const char *path, struct own_text *text)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
	int error;

	if (fd < 0)
		return -errno;
	/* and a newline */
	text->at = malloc(TEXT_BYTES_MAX + 2);
	error = text->at == NULL ? -ENOMEM : read_all(fd, text);
	close(fd);
	if (error != 0) {
		free(text->at);
		*text = (struct own_text){ 0 };
		return error;
	}
	if (text->nr > 0 && text->at[text->nr - 1] != '\n')
		text->at[text->nr++] = '\n';
	return 0;
}

/*
 * The line, from 1, that bale unpack would take for a file's header; 0: none.
 * Where content is escaped there can be none.
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

		if (markup_begins_file(kind, at, nr))
			return line;
		at += nr + 1;
	}
	return 0;
}

static int
take(const char *option, const char *path, enum markup_kind kind,
     struct own_text *text)
{
	char name[512];
	uint64_t line;
	int error = path == NULL ? 0 : read_file(path, text);

	if (error != 0) {
		diag_log(DIAG_ERROR, "%s %s: %s", option,
			 diag_quote_text(name, sizeof(name), path),
			 strerror(-error));
		return EXIT_USAGE;
	}
	line = line_of_header(kind, text);
	if (line == 0)
		return 0;
	diag_log(DIAG_ERROR,
		 "%s: line %llu looks like the header of a packed file; "
		 "indent it, or use --format xml or json",
		 option, (unsigned long long)line);
	return EXIT_USAGE;
}

/* What --template says, and that it has a place for what else is given. */
static int
read_template(const struct options *options, struct markup_options *markup)
{
	static struct templated templated; /* to the end of the process */
	const char *path = options->template_path;
	struct template_error wrong;
	struct own_text text = { 0 };
	const char *lacks = NULL;
	char name[512];
	int error = read_file(path, &text);

	diag_quote_text(name, sizeof(name), path);
	if (error != 0) {
		diag_log(DIAG_ERROR, "--template %s: %s", name,
			 strerror(-error));
		return EXIT_USAGE;
	}
	error = templated_parse(&templated, text.at, text.nr, &wrong);
	if (error != 0)
		free(text.at);
	if (error == -ENOMEM)
		return EXIT_RESOURCES;
	if (error != 0) {
		diag_log(DIAG_ERROR, "BALE-TPL-001: %s:%u: %s", name,
			 wrong.line, wrong.what);
		return EXIT_USAGE;
	}
	markup->templated = &templated;
	if (markup->tree && templated.tree == TEMPLATE_NO_STEP)
		lacks = "tree";
	if (options->header != NULL && !templated.has_header)
		lacks = "header";
	if (options->instructions_path != NULL && !templated.has_instructions)
		lacks = "instructions";
	markup->tree = templated.tree != TEMPLATE_NO_STEP;
	if (lacks == NULL)
		return 0;
	diag_log(DIAG_ERROR, "BALE-TPL-002: --%s: %s has no {{%s}}", lacks,
		 name, lacks);
	return EXIT_USAGE;
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
				return EXIT_RESOURCES;
		}
		code = take("--header", header[0] == '@' ? header + 1 : NULL,
			    markup->kind, &text);
		markup->header = text.at;
		markup->header_bytes = text.nr;
	}
	if (code != 0 || options->instructions_path == NULL)
		return code;
	text = (struct own_text){ 0 };
	code = take("--instructions", options->instructions_path, markup->kind,
		    &text);
	markup->instructions = text.at;
	markup->instructions_bytes = text.nr;
	return code;
}
