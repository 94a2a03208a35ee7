/* SPDX-License-Identifier: MIT */
/*
 * fuzz_markup_template.c - a template from a stranger (--template).
 *
 * Input: one byte for what is packed, then the template. It is refused with
 * a line of it and a reason, or its sections are balanced; a walk in two
 * pieces writes what one walk writes, wherever it is cut; and a run of files
 * is written without a byte too many.
 *
 * verifies: FR-016-139
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "markup/templated.h"
#include "base/hash.h"
#include "tests/fuzz/fuzz_expect.h"

#define TEMPLATE_BYTES_MAX 4096
#define CUTS_MAX 64
#define ROOM 600 /* of a text in the making: it spills all the time */

/* ---- values: every name has some, by its first byte --------------------- */

struct sum {
	uint64_t hash;
	uint64_t bytes;
};

static void
add(struct sum *sum, const void *bytes, size_t nr)
{
	sum->hash = hash64(sum->hash, bytes, nr);
	sum->bytes += nr;
}

static bool
find(void *context, const void *node, const char *name, size_t nr,
     const void **found)
{
	if (nr == 0 || name[0] == 'n')
		return false;
	*found = name;
	return true;
}

static bool
is_true(void *context, const void *node)
{
	return *(const char *)node < 'u';
}

static size_t
item_nr(void *context, const void *node)
{
	return SIZE_MAX;
}

static const void *
item(void *context, const void *node, size_t at)
{
	abort();
}

static void
put(void *context, const void *node, bool raw)
{
	add(context, raw ? "!" : "?", 1);
	add(context, node, 1);
}

static void
text(void *context, const char *bytes, size_t nr)
{
	add(context, bytes, nr);
}

static struct sum
walk(const struct template *template, struct sum sum, uint32_t from,
     uint32_t until)
{
	const struct template_view view = { &sum, find, is_true, item_nr,
					    item, put,  text };

	template_walk(template, &view, "r", NULL,
		      (struct template_range){ from, until });
	return sum;
}

static void
check_steps(const struct template *template)
{
	const struct sum none = { .hash = HASH64_BEGIN };
	struct sum whole =
		walk(template, none, TEMPLATE_NO_STEP, TEMPLATE_NO_STEP);
	uint32_t cuts = (uint32_t)min_u64(template->step_nr, CUTS_MAX);

	for (uint32_t i = 0; i < template->step_nr; i++) {
		const struct template_step *step = &template->steps[i];

		if (step->kind != TEMPLATE_SECTION &&
		    step->kind != TEMPLATE_INVERTED)
			continue;
		expect(step->pair > i && step->pair < template->step_nr &&
			       template->steps[step->pair].pair == i &&
			       template->steps[step->pair].kind == TEMPLATE_END,
		       "a section has its end");
	}
	for (uint32_t i = 0; i < cuts; i++) {
		struct sum first = walk(template, none, TEMPLATE_NO_STEP, i);
		struct sum both = walk(template, first, i, TEMPLATE_NO_STEP);

		/* nobody goes on with an end, but with what is behind it */
		if (template->steps[i].kind == TEMPLATE_END)
			continue;
		expect(both.hash == whole.hash && both.bytes == whole.bytes,
		       "two pieces are the whole");
	}
}

/* ---- a run of files ------------------------------------------------------ */

static char room[ROOM];

static void
spill(struct markup_text *out)
{
	out->at = room;
	out->room = sizeof(room);
}

static void
write_files(const struct templated *templated, uint8_t what)
{
	const struct markup_options options = {
		.kind = MARKUP_TEMPLATE,
		.numbers = what & 1,
		.header = what & 2 ? "<head>\n" : NULL,
		.header_bytes = what & 2 ? 7 : 0,
		.instructions = what & 4 ? "do \"it\"\n" : NULL,
		.instructions_bytes = what & 4 ? 8 : 0,
		.templated = templated,
	};
	const struct markup_format *format = markup_table[MARKUP_TEMPLATE];
	struct markup_text out = { .options = &options, .spill = spill };

	spill(&out);
	format->begin(&out, &options, NULL);
	for (uint32_t i = 0; i < (what >> 3 & 3u); i++) {
		struct markup_section section = {
			.name = (const uint8_t *)"a&\xff<b>",
			.name_bytes = 7,
			.path = "\"a&\\xff<b>\"",
			.charset = i == 1 ? "UTF-16LE" : NULL,
			.hint = "chtml",
			.hint_bytes = i == 2 ? 0 : 1,
			.line_first = 1 + i,
			.line_last = 9,
			.line_nr = 9,
			.mark_run = i == 0 ? 0 : 700,
			.traits = (uint8_t)(what >> 5),
			.is_first = i == 0,
			.empty = i == 2,
			.no_newline = i == 1,
			.signatures = what & 0x80,
			.bytes = 50,
			.chunk_line = 1 + i,
		};

		format->open(&out, &options, &section);
		if (!out.drops_content) {
			markup_add(&out, "content\n", 8);
			format->gap(&out, &section, 5, 7);
			markup_add(&out, "more", 4);
		}
		if (i == 1)
			format->broken(&out, &section, "changed");
		markup_close(&out, format, &section, true);
	}
	format->files_end(&out, &options, 2);
	markup_end(&out, format);
	expect(out.at >= room && out.room <= sizeof(room) &&
		       out.at + out.room == room + sizeof(room),
	       "within its room");
}

static void
check_error(const struct template_error *error, const uint8_t *bytes, size_t nr)
{
	uint32_t lines = 1;

	for (size_t i = 0; i < nr; i++)
		lines += bytes[i] == '\n';
	expect(error->line >= 1 && error->line <= lines, "a line of it");
	expect(error->what[0] != '\0' &&
		       memchr(error->what, '\0', sizeof(error->what)) != NULL,
	       "a reason");
	for (const char *at = error->what; *at != '\0'; at++)
		expect(*at >= ' ' && *at < 0x7f, "that can be shown");
}

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t bytes_nr)
{
	const char *source = (const char *)bytes + 1;
	struct template_error error;
	struct template template;
	struct templated templated;

	if (bytes_nr < 1 || bytes_nr > TEMPLATE_BYTES_MAX)
		return 0;
	bytes_nr--;
	if (template_parse(&template, source, bytes_nr, &error) == 0) {
		check_steps(&template);
		template_free(&template);
	} else {
		check_error(&error, bytes + 1, bytes_nr);
	}
	if (templated_parse(&templated, source, bytes_nr, &error) == 0) {
		write_files(&templated, bytes[0]);
		template_free(&templated.template);
	} else {
		check_error(&error, bytes + 1, bytes_nr);
	}
	return 0;
}
