/* SPDX-License-Identifier: MIT */
/*
 * imports_module.c - the file that a path of a module of JavaScript or
 *                    TypeScript means: endings, what is compiled, index files.
 */
#include <string.h>

#include "rank/imports_find.h"

static const char *const script_ends[] = {
	".ts",  ".tsx", ".d.ts", ".js",  ".jsx",  ".mjs",
	".cjs", ".mts", ".cts",  ".vue", ".json", ".svelte",
};

/* What is compiled to it is meant. */
static const struct {
	const char *written;
	const char *meant[2];
} compiled[] = {
	{ ".js", { ".ts", ".tsx" } },
	{ ".jsx", { ".tsx", NULL } },
	{ ".mjs", { ".mts", NULL } },
	{ ".cjs", { ".cts", NULL } },
};

static uint32_t
as_compiled(const struct imports *imports, struct imports_path *path)
{
	size_t bytes = path->bytes;
	uint32_t file_idx = IMPORTS_NONE;

	for (size_t i = 0; i < ARRAY_LEN(compiled); i++) {
		size_t end = strlen(compiled[i].written);

		if (bytes <= end || memcmp(path->text + bytes - end,
					   compiled[i].written, end) != 0)
			continue;
		path->bytes = bytes - end;
		for (int k = 0; k < 2 && compiled[i].meant[k] != NULL &&
				file_idx == IMPORTS_NONE;
		     k++)
			file_idx = imports_at_with(imports, path,
						   compiled[i].meant[k]);
		imports_path_add(path, compiled[i].written);
	}
	return file_idx;
}

static uint32_t
with_ends(const struct imports *imports, struct imports_path *path)
{
	uint32_t file_idx = IMPORTS_NONE;

	for (size_t i = 0;
	     i < ARRAY_LEN(script_ends) && file_idx == IMPORTS_NONE; i++)
		file_idx = imports_at_with(imports, path, script_ends[i]);
	return file_idx;
}

static uint32_t
index_of(const struct imports *imports, struct imports_path *path)
{
	size_t bytes = path->bytes;
	uint32_t file_idx;

	imports_path_go(path, (const uint8_t *)"index", 5);
	file_idx = with_ends(imports, path);
	path->bytes = bytes;
	return file_idx;
}

uint32_t
imports_module_at(const struct imports *imports, struct imports_path *path)
{
	uint32_t file_idx;

	if (path->is_bad)
		return IMPORTS_NONE;
	file_idx = imports_at(imports, path);
	if (file_idx == IMPORTS_NONE)
		file_idx = as_compiled(imports, path);
	if (file_idx == IMPORTS_NONE && path->bytes > 0 &&
	    path->text[path->bytes - 1] != '/')
		file_idx = with_ends(imports, path);
	if (file_idx == IMPORTS_NONE)
		file_idx = index_of(imports, path);
	return file_idx;
}
