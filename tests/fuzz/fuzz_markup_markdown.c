/* SPDX-License-Identifier: MIT */
/*
 * fuzz_markup_markdown.c - what is packed is read back as it was, whatever
 * files are called and hold.
 *
 * Input: files, one after the other: three bytes (length of the name, length
 * of the content, how it is told of), the name, the content.
 *
 * verifies: FR-016-135, FR-016-136
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/diag.h"
#include "markup/markup.h"
#include "tests/support/test_format_parse.h"

#define NAME_BYTES 2048
#define TEXT_BYTES (1u << 20)
#define FILES_MAX 200

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t bytes_nr);

struct file {
	const uint8_t *name;
	size_t name_bytes;
	const uint8_t *content;
	size_t content_bytes;
	int same_as; /* -1: none */
	unsigned long long line_first;
};

static struct file files[FILES_MAX];
static char output[TEXT_BYTES + 4]; /* the parser looks a bit ahead */

static int
read_files(const uint8_t *bytes, size_t nr)
{
	int n = 0;

	while (n < FILES_MAX && nr >= 3) {
		struct file *file = &files[n];
		size_t name_bytes = bytes[0];
		size_t content_bytes = bytes[1];
		uint8_t how = bytes[2];

		bytes += 3;
		nr -= 3;
		if (name_bytes > nr)
			name_bytes = nr;
		if (content_bytes > nr - name_bytes)
			content_bytes = nr - name_bytes;
		*file = (struct file){
			.name = bytes,
			.name_bytes = name_bytes,
			.content = bytes + name_bytes,
			.content_bytes = content_bytes,
			.same_as = (how & 1) && n > 0 ? (how >> 1) % n : -1,
			.line_first = 1 + (how >> 1),
		};
		bytes += name_bytes + content_bytes;
		nr -= name_bytes + content_bytes;
		n++;
	}
	return n;
}

static const char *
quoted(char *out, const struct file *file)
{
	return diag_quote(out, NAME_BYTES, file->name, file->name_bytes);
}

static uint32_t
run_of_backticks(const struct file *file)
{
	uint32_t longest = 0;
	uint32_t run = 0;

	for (size_t i = 0; i < file->content_bytes; i++) {
		run = file->content[i] == '`' ? run + 1 : 0;
		longest = run > longest ? run : longest;
	}
	return longest;
}

static bool
is_whole(const struct file *file)
{
	return file->content[file->content_bytes - 1] == '\n';
}

static void
write_file(struct markup_text *text, const struct file *file)
{
	char name[NAME_BYTES];
	char other[NAME_BYTES];
	const struct markup_options options = { .kind = MARKUP_MARKDOWN };
	struct markup_section section = {
		.path = quoted(name, file),
		.same_path = file->same_as < 0
				     ? NULL
				     : quoted(other, &files[file->same_as]),
		.hint = "c",
		.hint_bytes = 1,
		.line_first = file->line_first,
		.line_last = file->line_first + 7,
		.line_nr = file->line_first + 7,
		.mark_run = run_of_backticks(file),
		.empty = file->content_bytes == 0,
	};

	section.no_newline = !section.empty && !is_whole(file);
	markup_markdown.open(text, &options, &section);
	if (section.empty || section.same_path != NULL)
		return;
	memcpy(text->at, file->content, file->content_bytes);
	text->at += file->content_bytes;
	text->room -= file->content_bytes;
	markup_markdown.close(text, &section, section.no_newline);
}

static void
expect(bool so, const char *what, int file)
{
	if (so)
		return;
	fprintf(stderr, "file %d: not as it was: %s\n%s\n", file, what, output);
	abort();
}

static void
check_file(struct parser *p, int n)
{
	static struct parsed got;
	const struct file *file = &files[n];
	const struct file *other;

	expect(parse_section(p, &got), "a section", n);
	expect(got.path_bytes == file->name_bytes &&
		       memcmp(got.path, file->name, file->name_bytes) == 0,
	       "its name", n);
	if (file->same_as >= 0) {
		other = &files[file->same_as];
		expect(got.same_as_bytes == other->name_bytes &&
			       memcmp(got.same_as, other->name,
				      other->name_bytes) == 0,
		       "the name of the same", n);
		return;
	}
	expect(got.empty == (file->content_bytes == 0), "whether empty", n);
	if (got.empty)
		return;
	expect(got.no_newline == !is_whole(file), "its end", n);
	expect(got.line_first == file->line_first &&
		       got.line_last == file->line_first + 7,
	       "its lines", n);
	expect(got.content_bytes == file->content_bytes &&
		       memcmp(got.content, file->content,
			      file->content_bytes) == 0,
	       "its content", n);
	expect(got.hint_bytes == 1 && *got.hint == 'c', "its hint", n);
}

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t bytes_nr)
{
	int nr = read_files(bytes, bytes_nr);
	struct markup_text text = { .at = output, .room = TEXT_BYTES };
	struct parser p = { .at = output };

	for (int i = 0; i < nr; i++)
		write_file(&text, &files[i]);
	expect(!text.short_of_room, "room", -1);
	memset(text.at, 0, 4);
	p.end = text.at;
	for (int i = 0; i < nr; i++)
		check_file(&p, i);
	expect(p.at == p.end, "its end", nr);
	return 0;
}
