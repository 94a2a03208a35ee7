/* SPDX-License-Identifier: MIT */
/*
 * test_imports_tree.h - a small tree, and who imports whom in it.
 */
#ifndef TESTS_SUPPORT_TEST_IMPORTS_TREE_H
#define TESTS_SUPPORT_TEST_IMPORTS_TREE_H

#include "tests/support/test_shm.h"

#include "rank/imports.h"

#define FILES_MAX 40

#define LINES_MAX 24

/*
 * A tree and what is imported in it: "+path" is a file, "=name" a package of
 * the last one, ".name" a class that it defines. "path < text" imports,
 * "path # name" is a module of Rust, "path << text" stands in angle brackets.
 * What is wanted is the edges, "a b", in the order of importers, then paths.
 */
struct example {
	const char *what;
	const char *lines[LINES_MAX];
	const char *edges[LINES_MAX];
};

static const char *paths[FILES_MAX];

static uint32_t path_nr;

static inline const uint8_t *
path_of(const void *context, uint32_t file_idx, size_t *bytes)
{
	(void)context;
	*bytes = strlen(paths[file_idx]);
	return (const uint8_t *)paths[file_idx];
}

static inline int
compare(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static inline uint32_t
index_of(const char *path, size_t bytes)
{
	for (uint32_t i = 0; i < path_nr; i++)
		if (strlen(paths[i]) == bytes &&
		    memcmp(paths[i], path, bytes) == 0)
			return i;
	fail_msg("no such file: %.*s", (int)bytes, path);
	return 0;
}

static inline void
add_files(struct imports *imports, const struct example *example)
{
	const char *package = NULL;

	for (size_t i = 0; example->lines[i] != NULL; i++) {
		const char *line = example->lines[i];
		const uint8_t *name = (const uint8_t *)line + 1;

		if (*line == '+') {
			imports_file(imports,
				     index_of(line + 1, strlen(line + 1)));
			imports_add(imports);
		} else if (*line == '=') {
			package = line + 1;
			imports_add_package(imports, name, strlen(package));
		} else if (*line == '.' && package != NULL) {
			imports_add_class(imports, (const uint8_t *)package,
					  strlen(package), name,
					  strlen(line + 1));
		}
	}
}

static inline void
count_line(struct imports *imports, const char *line)
{
	const char *text = strchr(line, ' ') + 3;
	bool angled = text[-2] == '<' && text[-1] == '<';

	imports_file(imports, index_of(line, strcspn(line, " ")));
	text += angled;
	if (text[-2] == '#')
		imports_count_module(imports, (const uint8_t *)text,
				     strlen(text));
	else
		imports_count(imports, (const uint8_t *)text, strlen(text),
			      angled);
}

/* Whether the file in work was counted for another. */
static inline bool
is_hit(const struct imports *imports, uint32_t file_idx)
{
	uint32_t stamp = imports->file_idx + 1;

	if (imports->files[file_idx].stamp == stamp)
		return true;
	for (uint32_t i = 0, first = 0; i < imports->members.nr; i++) {
		const struct imports_node *nodes = imports->members.nodes;

		if (nodes[i].hash != nodes[first].hash)
			first = i;
		if (nodes[i].value == file_idx &&
		    imports->groups[first].stamp == stamp)
			return true;
	}
	return false;
}

static inline void
check(const struct example *example)
{
	const struct imports_tree tree = { .path = path_of };
	struct imports_tree of = tree;
	struct imports imports;
	char *memory;
	char got[8192] = "";
	char want[8192] = "";
	size_t wanted[FILES_MAX] = { 0 };

	path_nr = 0;
	for (size_t i = 0; example->lines[i] != NULL; i++)
		if (example->lines[i][0] == '+')
			paths[path_nr++] = example->lines[i] + 1;
	qsort(paths, path_nr, sizeof(paths[0]), compare);
	of.file_nr = path_nr;
	memory = calloc(1, imports_bytes(path_nr));
	assert_non_null(memory);
	imports_init(&imports, &of, memory);
	add_files(&imports, example);
	for (uint32_t f = 0; f < path_nr; f++) {
		imports_file(&imports, f);
		for (size_t i = 0; example->lines[i] != NULL; i++) {
			const char *line = example->lines[i];

			if (strncmp(line, paths[f], strlen(paths[f])) == 0 &&
			    line[strlen(paths[f])] == ' ')
				count_line(&imports, line);
		}
		for (uint32_t i = 0; i < path_nr; i++)
			if (i != f && is_hit(&imports, i))
				sprintf(got + strlen(got), "%s %s\n", paths[f],
					paths[i]);
	}
	for (size_t i = 0; example->edges[i] != NULL; i++) {
		const char *to = strchr(example->edges[i], ' ') + 1;

		sprintf(want + strlen(want), "%s\n", example->edges[i]);
		wanted[index_of(to, strlen(to))]++;
	}
	if (strcmp(got, want) != 0)
		fail_msg("%s:\ngot\n%swant\n%s", example->what, got, want);
	imports_end(&imports);
	for (uint32_t i = 0; i < path_nr; i++)
		assert_int_equal(imports.files[i].importers, wanted[i]);
	free(memory);
}

#endif
