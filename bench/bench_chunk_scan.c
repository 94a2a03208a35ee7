// SPDX-License-Identifier: MIT
/*
 * bench_chunk_scan.c - how fast structure is found, and what is found.
 *
 * Does: scans the files named on the command line, or all files with the
 *       suffix .c and .h below a directory, and cuts them into chunks, and
 *       says how fast that went over text that lies in memory.
 *
 *   bench_chunk_scan [OPTION]... [FILE|DIR]... (stages)
 *
 *     --language HINT  of all files (c)
 *     --defs           print the definitions instead, a JSON object a line;
 *                      files are then named on standard input, one a line
 *     --exports        the same, but how many names each file exports and its
 *                      path, with a tab between them
 *     --outlines       the same, but the signatures of each file; --doc: with
 *                      the first line of the comments before them
 *     --rounds N       the best one counts (5)
 */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "bench/bench_clock.h"
#include "lang/facts.h"
#include "stages/chunk/chunk_struct.h"
#include "tests/support/test_lang_whole.h"
#include "tests/support/test_cutter.h"

#define WINDOW_BYTES 6144
#define TEXT_MAX (256u << 20)

struct file {
	size_t off;
	size_t bytes;
};

struct texts {
	uint8_t *bytes;
	size_t nr;
	size_t room;
	struct file *files;
	size_t file_nr;
	size_t file_room;
};

struct settings {
	uint32_t lang;
	bool defs;
	bool exports;  /* instead */
	bool outlines; /* likewise */
	bool doc;
	int rounds;
};

static void *
grow(void *old, size_t bytes)
{
	void *new = realloc(old, bytes);

	if (new == NULL) {
		fputs("bench_chunk_scan: out of memory\n", stderr);
		exit(1);
	}
	return new;
}

static void
read_file(struct texts *texts, const char *path)
{
	FILE *file = fopen(path, "rb");
	size_t off = texts->nr;

	if (file == NULL) {
		fprintf(stderr, "bench_chunk_scan: cannot read %s\n", path);
		exit(1);
	}
	for (;;) {
		size_t got;

		if (texts->room - texts->nr < 1u << 16) {
			texts->room = texts->room * 2 + (1u << 20);
			texts->bytes = grow(texts->bytes, texts->room);
		}
		got = fread(texts->bytes + texts->nr, 1, 1u << 16, file);
		if (got == 0)
			break;
		texts->nr += got;
	}
	fclose(file);
	if (texts->file_nr == texts->file_room) {
		texts->file_room = texts->file_room * 2 + 64;
		texts->files = grow(texts->files,
				    texts->file_room * sizeof(struct file));
	}
	texts->files[texts->file_nr++] = (struct file){ off, texts->nr - off };
}

static bool
has_suffix(const char *name, const char *suffix)
{
	size_t a = strlen(name);
	size_t b = strlen(suffix);

	return a > b && strcmp(name + a - b, suffix) == 0;
}

static void
read_tree(struct texts *texts, const char *path)
{
	struct stat st;
	struct dirent **names;
	int nr;

	if (texts->nr > TEXT_MAX || lstat(path, &st) != 0)
		return;
	if (S_ISREG(st.st_mode)) {
		read_file(texts, path);
		return;
	}
	if (!S_ISDIR(st.st_mode))
		return;
	nr = scandir(path, &names, NULL, alphasort);
	for (int i = 0; i < nr; i++) {
		const char *name = names[i]->d_name;
		char *below;

		if (name[0] != '.' &&
		    (names[i]->d_type == DT_DIR || has_suffix(name, ".c") ||
		     has_suffix(name, ".h"))) {
			if (asprintf(&below, "%s/%s", path, name) < 0)
				exit(1);
			read_tree(texts, below);
			free(below);
		}
		free(names[i]);
	}
	if (nr >= 0)
		free(names);
}

static void
print_escaped(const uint8_t *text, size_t bytes)
{
	for (size_t i = 0; i < bytes; i++) {
		if (text[i] == '"' || text[i] == '\\')
			printf("\\%c", text[i]);
		else if (text[i] < 32 || text[i] == 127)
			printf("\\u%04x", text[i]);
		else
			putchar(text[i]);
	}
}

static void
print_text(const uint8_t *text, size_t bytes)
{
	putchar('"');
	for (size_t i = 0; i < bytes; i++) {
		if (text[i] == '"' || text[i] == '\\')
			printf("\\%c", text[i]);
		else if (text[i] < 32 || text[i] > 126)
			printf("\\u%04x", text[i]);
		else
			putchar(text[i]);
	}
	putchar('"');
}

struct printer {
	const char *path;
	const uint8_t *text;
};

static void
print_def(void *context, const struct lang_def *def)
{
	const struct printer *printer = context;

	printf("{\"file\":");
	print_text((const uint8_t *)printer->path, strlen(printer->path));
	printf(",\"kind\":\"%s\",\"name\":", lang_kind_word(def->kind));
	print_text(printer->text + def->name_off, def->name_bytes);
	printf(",\"lead\":%u,\"line\":%u,\"end\":%u,\"depth\":%u,"
	       "\"exported\":%s,\"declared\":%s}\n",
	       line_at(printer->text, def->lead_off), def->line,
	       end_line_of(printer->text, def), def->depth,
	       def->flags & LANG_DEF_EXPORTED ? "true" : "false",
	       def->flags & LANG_DEF_DECLARED ? "true" : "false");
}

/* What a file exports, counted as chunk_names.c does. */
struct exports {
	uint32_t lang;
	uint32_t nr;
	uint32_t all_nr;
	bool is_header;
};

static void
add_def(void *context, const struct lang_def *def)
{
	struct exports *exports = context;

	exports->nr += lang_is_export(exports->lang, exports->is_header, def);
}

static void
add_exports(void *context, enum lang_export what, uint32_t nr)
{
	struct exports *exports = context;

	if (what == LANG_EXPORT_ALL)
		exports->all_nr += nr;
	else if (what == LANG_EXPORT_NAMES || exports->is_header)
		exports->nr += nr;
}

static void
print_defs(const struct settings *settings, const char *path)
{
	struct texts texts = { 0 };
	struct printer printer = { .path = path };
	struct exports exports = {
		.lang = settings->lang,
		.is_header =
			lang_is_header((const uint8_t *)path, strlen(path)),
	};
	struct lang_sink sink = { .def = print_def, .context = &printer };
	struct lang_sink counts = { .def = add_def,
				    .exports = add_exports,
				    .context = &exports };
	struct lang_text text = { .at_end = true };
	struct lang_scan scan;

	read_file(&texts, path);
	text.bytes = texts.bytes;
	text.nr = texts.nr;
	printer.text = texts.bytes;
	lang_scan_init(&scan, settings->lang, WINDOW_BYTES);
	if (exports.is_header)
		counts.declare = add_def;
	lang_scan_feed(&scan, &text, UINT64_MAX,
		       settings->exports ? &counts : &sink);
	if (settings->exports)
		printf("%u\t%s\n",
		       exports.all_nr > 0 ? exports.all_nr : exports.nr, path);
	free(texts.bytes);
	free(texts.files);
}

static void
print_piece(void *context, const uint8_t *text, size_t bytes)
{
	(void)context;
	print_escaped(text, bytes);
}

static void
print_outline(const struct settings *settings, const char *path)
{
	struct texts texts = { 0 };
	struct lang_maker maker = { .doc = settings->doc };

	read_file(&texts, path);
	maker.is_header = lang_is_header((const uint8_t *)path, strlen(path));
	maker.lang = lang_of_text(settings->lang, (const uint8_t *)path,
				  strlen(path), texts.bytes, texts.nr);
	printf("{\"file\":");
	print_text((const uint8_t *)path, strlen(path));
	printf(",\"outline\":\"");
	lang_outline_of(maker, texts.bytes, texts.nr, print_piece);
	puts("\"}");
	free(texts.bytes);
	free(texts.files);
}

static uint64_t
scan_all(const struct settings *settings, const struct texts *texts)
{
	struct lang_scan scan;
	uint64_t sum = 0;

	for (size_t i = 0; i < texts->file_nr; i++) {
		struct lang_text text = {
			.bytes = texts->bytes + texts->files[i].off,
			.nr = texts->files[i].bytes,
			.at_end = true,
		};

		lang_scan_init(&scan, settings->lang, WINDOW_BYTES);
		lang_scan_feed(&scan, &text, UINT64_MAX, NULL);
		sum += scan.pos + scan.mark_nr;
	}
	return sum;
}

static uint64_t
cut_all(const struct settings *settings, const struct texts *texts)
{
	static struct chunk_cutter cutter;
	struct chunk_limits limits;
	uint64_t chunks = 0;

	chunk_limits_init(&limits, CHUNK_MAX_TOKENS, CHUNK_MIN_TOKENS);
	limits.join_bytes = 2048;
	for (size_t i = 0; i < texts->file_nr; i++) {
		struct lang_text text = {
			.bytes = texts->bytes + texts->files[i].off,
			.nr = texts->files[i].bytes,
			.at_end = true,
		};

		chunk_cutter_init(&cutter, settings->lang, &limits);
		while (chunk_cutter_next(&cutter, &text, &limits, NULL) > 0)
			chunks++;
	}
	return chunks;
}

static void
measure(const struct settings *settings, const struct texts *texts,
	const char *what,
	uint64_t (*run)(const struct settings *, const struct texts *))
{
	double best = 0;
	uint64_t result = 0;

	for (int i = 0; i < settings->rounds; i++) {
		double start = now_ms();
		double ms;

		result = run(settings, texts);
		ms = now_ms() - start;
		if (i == 0 || ms < best)
			best = ms;
	}
	printf("%s  %zu files, %.1f MB, %.1f ms, %.0f MB/s (%llu)\n", what,
	       texts->file_nr, (double)texts->nr / 1e6, best,
	       (double)texts->nr / 1e3 / best, (unsigned long long)result);
}

int
main(int argc, char **argv)
{
	struct settings settings = { .rounds = 5, .lang = LANG_C };
	struct texts texts = { 0 };
	char path[4096];
	int i = 1;

	for (; i < argc && strncmp(argv[i], "--", 2) == 0; i++) {
		const char *value = i + 1 < argc ? argv[i + 1] : "";

		if (strcmp(argv[i], "--defs") == 0) {
			settings.defs = true;
			continue;
		}
		if (strcmp(argv[i], "--exports") == 0) {
			settings.defs = settings.exports = true;
			continue;
		}
		if (strcmp(argv[i], "--outlines") == 0 ||
		    strcmp(argv[i], "--doc") == 0) {
			settings.defs = settings.outlines = true;
			settings.doc |= argv[i][2] == 'd';
			continue;
		}
		if (strcmp(argv[i], "--language") == 0)
			settings.lang = lang_find(value, strlen(value));
		else if (strcmp(argv[i], "--rounds") == 0)
			settings.rounds = atoi(value);
		i++;
	}
	while (settings.defs && fgets(path, sizeof(path), stdin) != NULL) {
		path[strcspn(path, "\n")] = '\0';
		if (settings.outlines)
			print_outline(&settings, path);
		else
			print_defs(&settings, path);
	}
	if (i == argc && !settings.defs)
		read_tree(&texts, "stages");
	for (; i < argc; i++)
		read_tree(&texts, argv[i]);
	if (texts.file_nr > 0) {
		measure(&settings, &texts, "scan", scan_all);
		measure(&settings, &texts, "cut ", cut_all);
	}
	free(texts.bytes);
	free(texts.files);
	return 0;
}
