/* SPDX-License-Identifier: MIT */
/*
 * baseline.c - see baseline.h.
 */
#include "report/baseline.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/exit_code.h"
#include "base/fd_io.h"
#include "base/stream.h"
#include "secrets/secrets.h"

#define BASELINE_BYTES_MAX (16u << 20)
#define LINE_BYTES (DIAG_QUOTED_BYTES + 64)
#define DIGEST_DIGITS 4

static int
compare(const void *one, const void *other)
{
	const char *const *a = one;
	const char *const *b = other;

	return strcmp(*a, *b);
}

static void
sort(struct text_list *lines)
{
	if (lines->nr > 0)
		qsort(lines->items, lines->nr, sizeof(*lines->items), compare);
}

/* Whether it is a digest, a rule and a place. */
static bool
is_line(const char *line)
{
	const char *rule = line + DIGEST_DIGITS + 1;
	size_t nr;

	if (strspn(line, "0123456789abcdef") != DIGEST_DIGITS ||
	    line[DIGEST_DIGITS] != ' ')
		return false;
	nr = strspn(rule, "abcdefghijklmnopqrstuvwxyz0123456789-");
	return nr > 0 && rule[nr] == ' ' && rule[nr + 1] != '\0';
}

/* Takes the lines of a text; *line: the one, from 1, that is none. */
static int
take_lines(char *text, size_t bytes, struct text_list *known, uint64_t *line)
{
	char *end = text + bytes;

	*line = 1;
	for (char *at = text; at < end; ++*line) {
		char *newline = memchr(at, '\n', (size_t)(end - at));

		/* behind the text there is a NUL */
		if (newline == NULL)
			newline = end;
		*newline = '\0';
		at[strcspn(at, "\r")] = '\0';
		if (*at != '\0' && *at != '#') {
			if (!is_line(at))
				return -EBADMSG;
			if (text_list_add(known, at) != 0)
				return -ENOMEM;
		}
		at = newline + 1;
	}
	return 0;
}

int
baseline_read(const struct options *options, struct text_list *known)
{
	const char *path = options->baseline_path;
	enum secrets_mode mode = options->pack.secrets;
	char *text;
	size_t bytes;
	uint64_t line;
	int error;

	if (options->new_baseline_path != NULL && mode != SECRETS_REDACT &&
	    mode != SECRETS_FAIL)
		return exit_with(EXIT_USAGE,
				 "--write-secrets-baseline needs --secrets "
				 "redact or fail: the others do not read all "
				 "of each secret");
	if (path == NULL)
		return EXIT_COMPLETE;
	error = file_read_all(path, BASELINE_BYTES_MAX, &text, &bytes);
	if (error != 0)
		return exit_with(EXIT_USAGE, "--secrets-baseline %s: %s",
				 QUOTED(path), fd_open_error(error));
	error = take_lines(text, bytes, known, &line);
	if (error != 0) {
		known->nr = 0;
		free(text);
	}
	if (error == -EBADMSG)
		return exit_with(EXIT_USAGE,
				 "--secrets-baseline %s: line %ju is not a "
				 "digest, a rule and a place; "
				 "--write-secrets-baseline makes such a file",
				 QUOTED(path), (uintmax_t)line);
	if (error != 0)
		return exit_out_of_memory();
	sort(known);
	return EXIT_COMPLETE;
}

static void
line_of(const struct report *report, const struct finding *finding,
	char out[static LINE_BYTES])
{
	char place[DIAG_QUOTED_BYTES];
	uint32_t digest = finding->digest;
	const char *in = report_finding_in(finding);

	if (in == NULL)
		in = report_quote_path(report, finding->file_idx, place,
				       sizeof(place));
	snprintf(out, LINE_BYTES, "%04x %s %s",
		 (digest >> 16 ^ digest) & 0xffff,
		 secrets_rule_name(finding->rule), in);
}

bool
baseline_has(const struct report *report, const struct finding *finding)
{
	const struct text_list *known = report->known;
	char line[LINE_BYTES];
	const char *key = line;

	if (known == NULL || known->nr == 0)
		return false;
	line_of(report, finding, line);
	return bsearch(&key, known->items, known->nr, sizeof(*known->items),
		       compare) != NULL;
}

static int
list_all(const struct report *report, struct text_list *lines)
{
	int error = 0;

	for (uint64_t i = 0; error == 0 && i < report->finding_nr; i++) {
		const struct finding *finding = report_finding(report, i);
		char line[LINE_BYTES];

		if (finding == NULL)
			continue;
		line_of(report, finding, line);
		error = text_list_add_copy(lines, line);
	}
	sort(lines);
	return error;
}

int
baseline_write(const struct report *report, int fd)
{
	struct text_list lines = { 0 };
	struct stream stream;
	int error = list_all(report, &lines);

	if (error == 0)
		error = stream_open(&stream, fd);
	if (error == 0) {
		fputs("# bale: known secrets, by digest, rule and place\n",
		      stream.file);
		for (size_t i = 0; i < lines.nr; i++)
			if (i == 0 ||
			    strcmp(lines.items[i - 1], lines.items[i]) != 0)
				fprintf(stream.file, "%s\n", lines.items[i]);
		error = stream_close(&stream);
	}
	text_list_free(&lines);
	return error;
}
