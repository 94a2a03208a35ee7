/* SPDX-License-Identifier: MIT */
/*
 * test_chunk_golden.c - a small text of each language: what is found in it,
 *                       its signatures, and it without its comments.
 *
 * tests/golden/chunk/HINT.in is the text, HINT.out what is expected. With
 * GOLDEN_UPDATE=1 in the environment the latter are written anew.
 */
#include "tests/support/test_shm.h"

#include <dirent.h>

#include "lang/outline.h"
#include "stages/chunk/chunk_struct.h"
#include "tests/support/test_lang_whole.h"
#include "tests/support/test_cutter.h"

#define FOLDER "tests/golden/chunk"
#define ROOM (1u << 16)

struct out {
	const uint8_t *text;
	size_t nr;
	char bytes[ROOM];
};

static void
add(struct out *out, const void *bytes, size_t nr)
{
	assert_true(nr < ROOM - out->nr);
	memcpy(out->bytes + out->nr, bytes, nr);
	out->nr += nr;
	out->bytes[out->nr] = '\0';
}

static void
add_text(struct out *out, const char *text)
{
	add(out, text, strlen(text));
}

static void
add_piece(void *context, const uint8_t *text, size_t nr)
{
	add(context, text, nr);
}

static void
add_def(void *context, const struct lang_def *def)
{
	struct out *out = context;
	uint32_t lead = line_at(out->text, def->lead_off);
	char line[256];

	snprintf(line, sizeof(line), "%*s%s %.*s lines %u-%u",
		 2 * (int)def->depth, "", lang_kind_word(def->kind),
		 (int)def->name_bytes, (const char *)out->text + def->name_off,
		 def->line, end_line_of(out->text, def));
	add_text(out, line);
	if (lead != def->line) {
		snprintf(line, sizeof(line), " lead %u", lead);
		add_text(out, line);
	}
	if (def->flags & LANG_DEF_EXPORTED)
		add_text(out, " exported");
	if (def->flags & LANG_DEF_DECLARED)
		add_text(out, " declared");
	add_text(out, "\n");
}

static void
add_import(void *context, uint64_t off, uint32_t bytes)
{
	struct out *out = context;

	add_text(out, "import ");
	add(out, out->text + off, bytes);
	add_text(out, "\n");
}

static size_t
read_file(const char *name, const char *suffix, uint8_t *bytes)
{
	char path[512];
	FILE *file;
	size_t nr;

	snprintf(path, sizeof(path), FOLDER "/%s%s", name, suffix);
	file = fopen(path, "rb");
	if (file == NULL)
		return 0;
	nr = fread(bytes, 1, ROOM - 1, file);
	fclose(file);
	bytes[nr] = '\0';
	return nr;
}

static void
write_file(const char *name, const struct out *out)
{
	char path[512];
	FILE *file;

	snprintf(path, sizeof(path), FOLDER "/%s.out", name);
	file = fopen(path, "wb");
	assert_non_null(file);
	fwrite(out->bytes, 1, out->nr, file);
	fclose(file);
}

/* The chunks of a text when few bytes are many: where they begin and end. */
static void
add_chunks(struct out *out, uint32_t lang, const uint8_t *text, size_t nr)
{
	static struct chunk_cutter cutter;
	struct lang_text whole = { text, 0, nr, true };
	struct chunk_limits limits;
	uint32_t line = 1;
	size_t got;

	chunk_limits_init(&limits, 50, 10);
	chunk_cutter_init(&cutter, lang, &limits);
	while ((got = chunk_cutter_next(&cutter, &whole, &limits, NULL)) > 0) {
		const uint8_t *from = text + cutter.start - got;
		uint32_t lines = 0;
		char entry[64];

		for (size_t i = 0; i < got; i++)
			lines += from[i] == '\n';
		snprintf(entry, sizeof(entry), "chunk %u-%u\n", line,
			 line + lines - 1);
		add_text(out, entry);
		line += lines;
	}
}

static void
make_golden(struct out *out, uint32_t lang, const uint8_t *text, size_t nr,
	    bool has_chunks)
{
	static struct lang_scan scan;
	struct lang_text whole = { text, 0, nr, true };
	struct lang_sink sink = {
		.def = add_def,
		.import = add_import,
		.context = out,
	};

	out->text = text;
	out->nr = 0;
	lang_scan_init(&scan, lang, nr);
	lang_scan_feed(&scan, &whole, UINT64_MAX, &sink);
	if (has_chunks)
		add_chunks(out, lang, text, nr);
	add_text(out, "---- signatures\n");
	lang_outline(lang, text, nr, true, add_piece, out);
	add_text(out, "---- without comments\n");
	lang_strip(lang, text, nr, add_piece, out);
}

static void
check_file(const char *name)
{
	static uint8_t text[ROOM];
	static uint8_t want[ROOM];
	static struct out out;
	uint32_t lang = lang_find(name, strlen(name));
	size_t nr = read_file(name, ".in", text);
	size_t want_nr;

	if (lang == LANG_NONE)
		fail_msg("%s: no such language", name);
	make_golden(&out, lang, text, nr, true);
	if (getenv("GOLDEN_UPDATE") != NULL)
		write_file(name, &out);
	want_nr = read_file(name, ".out", want);
	if (want_nr != out.nr || memcmp(want, out.bytes, want_nr) != 0)
		fail_msg("%s: got:\n%s\nwant:\n%s", name, out.bytes,
			 (const char *)want);
}

static void
drop_returns(struct out *out)
{
	size_t nr = 0;

	for (size_t i = 0; i < out->nr; i++)
		if (out->bytes[i] != '\r')
			out->bytes[nr++] = out->bytes[i];
	out->nr = nr;
	out->bytes[nr] = '\0';
}

/* With CR LF the same is found, at the same lines; sizes are others. */
static void
check_line_ends(const char *name)
{
	static uint8_t text[ROOM];
	static uint8_t longer[ROOM];
	static struct out want;
	static struct out got;
	uint32_t lang = lang_find(name, strlen(name));
	size_t nr = read_file(name, ".in", text);
	size_t longer_nr = 0;

	for (size_t i = 0; i < nr; i++) {
		assert_true(longer_nr < ROOM - 2);
		if (text[i] == '\n' && (i == 0 || text[i - 1] != '\r'))
			longer[longer_nr++] = '\r';
		longer[longer_nr++] = text[i];
	}
	make_golden(&want, lang, text, nr, false);
	make_golden(&got, lang, longer, longer_nr, false);
	drop_returns(&want);
	drop_returns(&got);
	if (got.nr != want.nr || memcmp(got.bytes, want.bytes, got.nr) != 0)
		fail_msg("%s: got:\n%s\nwant:\n%s", name, got.bytes,
			 want.bytes);
}

static void
add_comment(void *context, uint64_t off, uint64_t end_off)
{
	add_import(context, off, (uint32_t)(end_off - off));
}

/* Wherever a text ends: what is told at its end is told once. */
static void
check_ends(const char *name)
{
	static struct lang_scan scan;
	static uint8_t text[ROOM];
	static struct out out;
	uint32_t lang = lang_find(name, strlen(name));
	size_t nr = read_file(name, ".in", text);
	const struct lang_sink sink = {
		.def = add_def,
		.declare = add_def,
		.import = add_import,
		.comment = add_comment,
		.context = &out,
	};

	out.text = text;
	for (size_t end = 1; end <= nr; end++) {
		const struct lang_text whole = { text, 0, end, true };
		size_t reported;

		if (text[end - 1] != '\n' && end < nr)
			continue;
		out.nr = 0;
		lang_scan_init(&scan, lang, end);
		lang_scan_feed(&scan, &whole, end, &sink);
		reported = out.nr;
		lang_scan_feed(&scan, &whole, UINT64_MAX, &sink);
		if (out.nr != reported)
			fail_msg("%s, %zu bytes: told again:\n%s", name, end,
				 out.bytes + reported);
	}
}

/* verifies: AC-016-006 */
/* verifies: FR-016-38, FR-016-39, FR-016-40, FR-016-41, FR-016-49 */
static void
test_chunk_golden_texts_of_all_languages(void **state)
{
	struct dirent **names;
	int nr = scandir(FOLDER, &names, NULL, alphasort);
	int seen = 0;

	assert_true(nr > 0);
	for (int i = 0; i < nr; i++) {
		char *dot = strrchr(names[i]->d_name, '.');

		if (dot != NULL && strcmp(dot, ".in") == 0) {
			*dot = '\0';
			check_file(names[i]->d_name);
			check_line_ends(names[i]->d_name);
			check_ends(names[i]->d_name);
			seen++;
		}
		free(names[i]);
	}
	free(names);
	assert_true(seen >= 45);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_chunk_golden_texts_of_all_languages),
	};

	return cmocka_run_group_tests_name("chunk/golden", tests, NULL, NULL);
}
