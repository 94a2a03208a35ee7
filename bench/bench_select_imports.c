/* SPDX-License-Identifier: MIT */
/*
 * bench_select_imports.c - how fast importers are counted, and who they are.
 *
 * Does: scans the files that standard input names, a line "PATH<TAB>LANGUAGE"
 *       each, and counts importers, --rounds N times (5); the best one counts.
 *       --edges: prints "IMPORTER<TAB>IMPORTED" instead; a package that is
 *       imported as a whole is each of its files.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "catalogue/catalogue.h"
#include "lang/facts.h"
#include "stages/chunk/chunk_struct.h"
#include "tests/support/test_cutter.h"
#include "rank/imports.h"
#include "catalogue/names.h"

#define NAME_BYTES 256

struct name {
	uint8_t type;
	bool angled;
	size_t bytes;
	uint8_t text[NAME_BYTES];
};

struct file {
	char *path;
	size_t path_bytes;
	char *language;
	struct name *names;
	size_t name_nr;
};

static struct file *files;
static uint32_t file_nr;
static uint8_t text[16u << 20];
static size_t text_nr;
static struct file *in_work;

static void *
grow(void *old, size_t bytes)
{
	void *new = realloc(old, bytes);

	if (new == NULL) {
		fputs("bench_select_imports: out of memory\n", stderr);
		exit(1);
	}
	return new;
}

static void
keep(uint8_t type, size_t at, size_t bytes, bool angled)
{
	struct name *name;

	in_work->names = grow(in_work->names,
			      (in_work->name_nr + 1) * sizeof(*in_work->names));
	name = &in_work->names[in_work->name_nr++];
	name->type = type;
	name->angled = angled;
	name->bytes = bytes < UINT8_MAX ? bytes : UINT8_MAX;
	memcpy(name->text, text + at, name->bytes);
}

static void
reported_def(void *context, const struct lang_def *def)
{
	(void)context;
	if (def->name_bytes > 0 && def->kind != LANG_KIND_METHOD &&
	    def->kind != LANG_KIND_PROPERTY)
		keep(NAME_DEF, def->name_off, def->name_bytes, false);
}

static void
reported_import(void *context, uint64_t off, uint32_t bytes)
{
	size_t end = off + bytes + UINT8_MAX;

	(void)context;
	keep(NAME_IMPORT, off,
	     lang_import_extent(text, off, bytes,
				end < text_nr ? end : text_nr),
	     off > 0 && text[off - 1] == '<');
}

static void
read_file(struct file *file)
{
	FILE *in = fopen(file->path, "rb");
	struct lang_sink sink = { .open = reported_def,
				  .import = reported_import };
	struct chunk_limits limits;
	struct chunk_cutter cutter;
	struct lang_text all = { .bytes = text, .at_end = true };
	const struct lang_package *package = lang_package_of(
		(const uint8_t *)file->path, strlen(file->path));
	size_t bytes = 0;
	size_t at = 0;

	if (in == NULL)
		return;
	text_nr = fread(text, 1, sizeof(text), in);
	fclose(in);
	in_work = file;
	while (package != NULL) {
		size_t end = text_nr < 16384 ? text_nr : 16384;

		at = lang_package_next(package, text, at, end, &bytes);
		if (at >= end)
			break;
		keep(NAME_PACKAGE, at, bytes, false);
		at += bytes;
	}
	chunk_limits_init(&limits, 2000, 100);
	chunk_cutter_init(&cutter,
			  lang_find(file->language, strlen(file->language)),
			  &limits);
	for (at = 0; at < text_nr; at += bytes) {
		all.bytes = text + at;
		all.nr = text_nr - at;
		all.off = at;
		bytes = chunk_cutter_next(&cutter, &all, &limits, &sink);
		if (bytes == 0)
			break;
	}
}

static const uint8_t *
path_of(const void *context, uint32_t file_idx, size_t *bytes)
{
	(void)context;
	*bytes = files[file_idx].path_bytes;
	return (const uint8_t *)files[file_idx].path;
}

static void
add(struct imports *imports, const struct file *file)
{
	const struct name *package = NULL;

	imports_add(imports);
	for (size_t i = 0; i < file->name_nr; i++) {
		const struct name *name = &file->names[i];

		if (name->type == NAME_PACKAGE) {
			package = name;
			imports_add_package(imports, name->text, name->bytes);
		} else if (name->type == NAME_DEF && package != NULL) {
			imports_add_class(imports, package->text,
					  package->bytes, name->text,
					  name->bytes);
		}
	}
}

/* Whom the file in work was counted for. */
static void
print_hits(const struct imports *imports)
{
	uint32_t stamp = imports->file_idx + 1;

	for (uint32_t i = 0; i < file_nr; i++)
		if (imports->files[i].stamp == stamp)
			printf("%s\t%s\n", files[imports->file_idx].path,
			       files[i].path);
	for (uint32_t i = 0, first = 0; i < imports->members.nr; i++) {
		const struct imports_node *nodes = imports->members.nodes;

		if (nodes[i].hash != nodes[first].hash)
			first = i;
		if (imports->groups[first].stamp == stamp)
			printf("%s\t%s\n", files[imports->file_idx].path,
			       files[nodes[i].value].path);
	}
}

static void
count(struct imports *imports, const struct file *file)
{
	for (size_t i = 0; i < file->name_nr; i++) {
		const struct name *name = &file->names[i];

		if (name->type == NAME_IMPORT)
			imports_count(imports, name->text, name->bytes,
				      name->angled);
		else if (name->type == NAME_DEF)
			imports_count_module(imports, name->text, name->bytes);
	}
}

static void
read_list(void)
{
	char line[8192];

	while (fgets(line, sizeof(line), stdin) != NULL) {
		char *tab = strchr(line, '\t');

		line[strcspn(line, "\n")] = '\0';
		if (tab == NULL)
			continue;
		*tab = '\0';
		files = grow(files, (file_nr + 1) * sizeof(*files));
		files[file_nr++] = (struct file){ .path = strdup(line),
						  .path_bytes = strlen(line),
						  .language = strdup(tab + 1) };
	}
	for (uint32_t i = 0; i < file_nr; i++)
		read_file(&files[i]);
}

static double
seconds(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static double
count_all(bool edges)
{
	const struct imports_tree tree = { .path = path_of,
					   .file_nr = file_nr };
	struct imports imports;
	void *memory = grow(NULL, imports_bytes(file_nr));
	double begun;

	memset(memory, 0, imports_bytes(file_nr));
	begun = seconds();
	imports_init(&imports, &tree, memory);
	for (uint32_t i = 0; i < file_nr; i++) {
		imports_file(&imports, i);
		add(&imports, &files[i]);
	}
	for (uint32_t i = 0; i < file_nr; i++) {
		imports_file(&imports, i);
		count(&imports, &files[i]);
		if (edges)
			print_hits(&imports);
	}
	imports_end(&imports);
	begun = seconds() - begun;
	free(memory);
	return begun;
}

int
main(int argc, char **argv)
{
	bool edges = argc > 1 && strcmp(argv[1], "--edges") == 0;
	int rounds = argc > 2 && !edges ? atoi(argv[2]) : 5;
	double best = 1e9;
	size_t nr = 0;

	read_list();
	for (int i = 0; i < (edges ? 1 : rounds); i++) {
		double took = count_all(edges);

		best = took < best ? took : best;
	}
	if (edges)
		return 0;
	for (uint32_t i = 0; i < file_nr; i++)
		for (size_t k = 0; k < files[i].name_nr; k++)
			nr += files[i].names[k].type == NAME_IMPORT;
	printf("%u files, %zu imports: %.3f s, %.0f ns an import, %.1f MiB\n",
	       file_nr, nr, best, best * 1e9 / (double)(nr > 0 ? nr : 1),
	       (double)imports_bytes(file_nr) / 1048576);
	return 0;
}
