/* SPDX-License-Identifier: MIT */
/*
 * imports_entry.c - the files that a manifest says a program or a library
 * begins with.
 *
 * Does: finds them beside the manifest: paths of Rust and JavaScript, modules of
 *       Python; of what a build writes the source, below "src".
 * Limits: a build that writes under other names is not understood.
 */
#include <string.h>

#include "base/ascii.h"
#include "rank/imports.h"
#include "rank/imports_find.h"

/* What stands behind the '=', or in the last quotes of a line of JSON. */
static struct imports_text
value_of(struct imports_text line, bool is_json)
{
	const uint8_t *at = memchr(line.at, '=', line.bytes);
	const uint8_t *end = line.at + line.bytes;
	struct imports_text value = { line.at, 0 };

	if (is_json && line.bytes > 1 && end[-1] == '"') {
		at = memrchr(line.at, '"', line.bytes - 1);
		end--;
	}
	if (at == NULL)
		return value;
	value = imports_trim(
		(struct imports_text){ at + 1, (size_t)(end - at) - 1 });
	if (!is_json && value.bytes > 1 &&
	    (value.at[0] == '"' || value.at[0] == '\'')) {
		const uint8_t *quote =
			memchr(value.at + 1, value.at[0], value.bytes - 1);

		value.at++;
		value.bytes = quote == NULL ? 0 : (size_t)(quote - value.at);
	}
	return value;
}

/* dist/esm/index.mjs is written of src/index or src/esm/index. */
static uint32_t
source_of(const struct imports *imports, struct imports_text built)
{
	const uint8_t *dot = memrchr(built.at, '.', built.bytes);
	const uint8_t *slash;
	struct imports_path path;
	uint32_t file_idx = IMPORTS_NONE;

	if (dot != NULL &&
	    memchr(dot, '/', (size_t)(built.at + built.bytes - dot)) == NULL)
		built.bytes = (size_t)(dot - built.at);
	while (file_idx == IMPORTS_NONE &&
	       (slash = memchr(built.at, '/', built.bytes)) != NULL) {
		built.bytes -= (size_t)(slash + 1 - built.at);
		built.at = slash + 1;
		imports_path_dir(&path, imports->path, imports->path_bytes);
		imports_path_go(&path, (const uint8_t *)"src", 3);
		imports_path_go(&path, built.at, built.bytes);
		if (built.bytes > 0)
			file_idx = imports_module_at(imports, &path);
	}
	return file_idx;
}

static uint32_t
script_entry(const struct imports *imports, struct imports_text value)
{
	struct imports_path path;
	uint32_t file_idx;

	if (value.bytes == 0 || memchr(value.at, '*', value.bytes) != NULL)
		return IMPORTS_NONE;
	imports_path_dir(&path, imports->path, imports->path_bytes);
	imports_path_go(&path, value.at, value.bytes);
	file_idx = imports_module_at(imports, &path);
	if (file_idx != IMPORTS_NONE || imports_begins(value, "../"))
		return file_idx;
	if (imports_begins(value, "./")) {
		value.at += 2;
		value.bytes -= 2;
	}
	return source_of(imports, value);
}

static uint32_t
rust_entry(const struct imports *imports, struct imports_text value)
{
	struct imports_path path;

	imports_path_dir(&path, imports->path, imports->path_bytes);
	imports_path_go(&path, value.at, value.bytes);
	return imports_at(imports, &path);
}

/* A module, "flask.cli:main", or a package of the name of a project. */
static uint32_t
python_entry(const struct imports *imports, struct imports_text value)
{
	static const char *const below[] = { "", "src/" };
	uint8_t module[UINT8_MAX];
	size_t bytes = 0;
	uint32_t file_idx = IMPORTS_NONE;

	while (bytes < value.bytes && bytes < sizeof(module) &&
	       value.at[bytes] > ' ' && value.at[bytes] != ':' &&
	       value.at[bytes] != '[') {
		module[bytes] = value.at[bytes] == '-' ? '_' : value.at[bytes];
		bytes++;
	}
	for (int small = 0; small < 2 && bytes > 0; small++) {
		for (size_t i = 0;
		     i < ARRAY_LEN(below) && file_idx == IMPORTS_NONE; i++) {
			struct imports_path path;

			imports_path_dir(&path, imports->path,
					 imports->path_bytes);
			imports_path_go(&path, (const uint8_t *)below[i],
					strlen(below[i]));
			file_idx = imports_python_at(
				imports, &path,
				(struct imports_text){ module, bytes });
		}
		for (size_t i = 0; i < bytes; i++)
			module[i] = ascii_lower(module[i]);
	}
	return file_idx;
}

bool
imports_entry(struct imports *imports, const uint8_t *text, size_t bytes)
{
	const size_t dir = imports->dir_bytes;
	struct imports_text name = { imports->path + dir,
				     imports->path_bytes - dir };
	struct imports_text line = { text, bytes };
	bool is_json = imports_text_is(name, "package.json");
	struct imports_text value = value_of(line, is_json);
	uint32_t file_idx = IMPORTS_NONE;

	if (value.bytes == 0)
		return false;
	imports_sort(imports);
	if (is_json)
		file_idx = bytes > 1 && text[0] == '"' && text[1] != '#'
				   ? script_entry(imports, value)
				   : IMPORTS_NONE;
	else if (imports_text_is(name, "Cargo.toml"))
		file_idx = rust_entry(imports, value);
	else if (imports_text_is(name, "pyproject.toml") ||
		 imports_text_is(name, "setup.cfg") ||
		 imports_text_is(name, "setup.py"))
		file_idx = python_entry(imports, value);
	if (file_idx == IMPORTS_NONE)
		return false;
	imports->files[file_idx].is_entry = 1;
	return true;
}
