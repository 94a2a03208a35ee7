/* SPDX-License-Identifier: MIT */
/*
 * imports_script.c - modules of JavaScript, TypeScript and Python.
 */
#include <string.h>

#include "rank/imports_find.h"

#define NAMES_MAX 128 /* of one import */

/* ---- JavaScript --------------------------------------------------------- */

/* "@/a": below "src" of one of the directories above. */
static uint32_t
below_src(const struct imports *imports, struct imports_text rest)
{
	struct imports_path path;
	uint32_t file_idx = IMPORTS_NONE;

	imports_path_dir(&path, imports->path, imports->path_bytes);
	while (file_idx == IMPORTS_NONE && !path.is_bad) {
		size_t bytes = path.bytes;

		imports_path_go(&path, (const uint8_t *)"src", 3);
		imports_path_go(&path, rest.at, rest.bytes);
		file_idx = imports_module_at(imports, &path);
		path.bytes = bytes;
		path.is_bad = false;
		if (!imports_path_up(&path))
			break;
	}
	return file_idx;
}

/* Where the code of a package may lie, below its package.json. */
static uint32_t
in_package(const struct imports *imports, uint32_t manifest,
	   struct imports_text rest)
{
	static const char *const mains[] = { "src", "", "lib", "src/main" };
	struct imports_path path;
	uint32_t file_idx = IMPORTS_NONE;
	size_t bytes;

	imports_path_beside(imports, manifest, &path);
	bytes = path.bytes;
	for (size_t i = 0; i < ARRAY_LEN(mains) && file_idx == IMPORTS_NONE;
	     i++) {
		path.bytes = bytes;
		imports_path_go(&path, (const uint8_t *)mains[i],
				strlen(mains[i]));
		imports_path_go(&path, rest.at, rest.bytes);
		file_idx = imports_module_at(imports, &path);
	}
	return file_idx;
}

/* A package of the same tree: "name/rest", "@scope/name/rest". */
static uint32_t
package_at(const struct imports *imports, struct imports_text text)
{
	const uint8_t *end = text.at + text.bytes;
	const uint8_t *slash = memchr(text.at, '/', text.bytes);
	struct imports_text rest = { end, 0 };
	uint32_t manifest;

	if (text.at[0] == '@' && slash != NULL)
		slash = memchr(slash + 1, '/', (size_t)(end - slash - 1));
	if (slash != NULL) {
		rest = (struct imports_text){ slash + 1,
					      (size_t)(end - slash - 1) };
		text.bytes = (size_t)(slash - text.at);
	}
	manifest = imports_nearest(imports,
				   imports_hash(KEY_NPM, text.at, text.bytes));
	return manifest == IMPORTS_NONE ? IMPORTS_NONE
					: in_package(imports, manifest, rest);
}

/* What no configuration says the place of. */
static uint32_t
by_name(const struct imports *imports, struct imports_text text)
{
	if (!imports_begins(text, "@/") && !imports_begins(text, "~/"))
		return package_at(imports, text);
	text.at += 2;
	text.bytes -= 2;
	return below_src(imports, text);
}

void
imports_script(struct imports *imports, struct imports_text text)
{
	const uint8_t *query = memchr(text.at, '?', text.bytes);
	struct imports_path path;
	uint32_t file_idx;

	if (query != NULL) /* "./a.svg?raw" */
		text.bytes = (size_t)(query - text.at);
	if (text.bytes == 0)
		return;
	if (text.at[0] == '.') {
		imports_path_dir(&path, imports->path, imports->path_bytes);
		imports_path_go(&path, text.at, text.bytes);
		file_idx = imports_module_at(imports, &path);
	} else {
		file_idx = imports_alias(imports, text);
		if (file_idx == IMPORTS_NONE)
			file_idx = by_name(imports, text);
	}
	imports_hit(imports, file_idx);
}

/* ---- Python ------------------------------------------------------------- */

/* a.b: a/b below a path. */
static void
go_dotted(struct imports_path *path, struct imports_text name)
{
	size_t from = 0;

	for (size_t i = 0; i <= name.bytes; i++) {
		if (i < name.bytes && name.at[i] != '.')
			continue;
		imports_path_go(path, name.at + from, i - from);
		from = i + 1;
	}
}

/* a.b: a/b.py, a/b.pyi or a/b/__init__.py below a path. */
uint32_t
imports_python_at(const struct imports *imports, struct imports_path *path,
		  struct imports_text name)
{
	static const char *const ends[] = { ".py", ".pyi", "/__init__.py",
					    "/__init__.pyi" };
	size_t bytes = path->bytes;
	uint32_t file_idx = IMPORTS_NONE;
	size_t skip;

	go_dotted(path, name);
	/* a directory itself: its __init__ alone */
	skip = path->bytes == bytes ? 2 : 0;
	if (skip > 0 && path->bytes > 0 && path->text[path->bytes - 1] == '/')
		path->bytes--;
	for (size_t i = skip; i < ARRAY_LEN(ends) && file_idx == IMPORTS_NONE;
	     i++) {
		if (*ends[i] == '/' && !imports_has_dir(imports, path))
			break;
		file_idx = imports_at_with(imports, path, ends[i]);
	}
	path->bytes = bytes;
	path->is_bad = false;
	return file_idx;
}

/* Names behind "import", one by one: the first word of each. */
static bool
next_name(struct imports_text *rest, struct imports_text *name)
{
	size_t at = 0;
	size_t end;

	while (at < rest->bytes &&
	       (rest->at[at] <= ' ' || rest->at[at] == ',' ||
		rest->at[at] == '(' || rest->at[at] == ')' ||
		rest->at[at] == '\\' || rest->at[at] == '#')) {
		if (rest->at[at] == '#')
			while (at < rest->bytes && rest->at[at] != '\n')
				at++;
		else
			at++;
	}
	end = at;
	while (end < rest->bytes && rest->at[end] > ' ' &&
	       rest->at[end] != ',' && rest->at[end] != ')' &&
	       rest->at[end] != '#')
		end++;
	*name = (struct imports_text){ rest->at + at, end - at };
	/* "as other" is none of them */
	while (end < rest->bytes && rest->at[end] != ',' &&
	       rest->at[end] != '#')
		end++;
	rest->at += end;
	rest->bytes -= end;
	return name->bytes > 0;
}

/*
 * What is imported of a module that lies at a path: its own submodules, or
 * else what it defines. false: there is no such module there.
 */
static bool
count_python(struct imports *imports, struct imports_path *base,
	     struct imports_text module, struct imports_text names)
{
	uint32_t of_module = imports_python_at(imports, base, module);
	size_t bytes = base->bytes;
	struct imports_text name;
	bool needs_module = names.bytes == 0;
	bool found = of_module != IMPORTS_NONE;
	bool is_dir;

	go_dotted(base, module);
	/* or it has no submodules */
	is_dir = imports_has_dir(imports, base);
	for (int nr = 0; nr < NAMES_MAX && next_name(&names, &name); nr++) {
		uint32_t file_idx =
			is_dir ? imports_python_at(imports, base, name)
			       : IMPORTS_NONE;

		imports_hit(imports, file_idx);
		found |= file_idx != IMPORTS_NONE;
		needs_module |= file_idx == IMPORTS_NONE;
	}
	base->bytes = bytes;
	base->is_bad = false;
	if (needs_module)
		imports_hit(imports, of_module);
	return found;
}

static bool
is_package(const struct imports *imports, struct imports_path *dir)
{
	return imports_at_with(imports, dir, "__init__.py") != IMPORTS_NONE;
}

/*
 * An absolute name: below one of the directories above that is no package
 * itself, or below its "src".
 */
static void
count_absolute(struct imports *imports, struct imports_text module,
	       struct imports_text names)
{
	struct imports_path dir;

	imports_path_dir(&dir, imports->path, imports->path_bytes);
	do {
		size_t bytes = dir.bytes;

		if (is_package(imports, &dir))
			continue;
		if (count_python(imports, &dir, module, names))
			return;
		imports_path_go(&dir, (const uint8_t *)"src/", 4);
		if (imports_has_dir(imports, &dir) &&
		    count_python(imports, &dir, module, names))
			return;
		dir.bytes = bytes;
		dir.is_bad = false;
	} while (imports_path_up(&dir));
}

static void
count_relative(struct imports *imports, struct imports_text module,
	       struct imports_text names)
{
	struct imports_path dir;

	imports_path_dir(&dir, imports->path, imports->path_bytes);
	while (module.bytes > 0 && module.at[0] == '.') {
		module.at++;
		module.bytes--;
		if (module.bytes > 0 && module.at[0] == '.' &&
		    !imports_path_up(&dir))
			return;
	}
	count_python(imports, &dir, module, names);
}

void
imports_python(struct imports *imports, struct imports_text text)
{
	const struct imports_text none = { text.at, 0 };
	const uint8_t *import = memmem(text.at, text.bytes, " import", 7);
	struct imports_text name;

	if (import != NULL) {
		struct imports_text module = { text.at,
					       (size_t)(import - text.at) };
		struct imports_text names = {
			import + 7, (size_t)(text.at + text.bytes - import) - 7
		};

		module = imports_trim(module);
		if (module.bytes > 0 && module.at[0] == '.')
			count_relative(imports, module, names);
		else
			count_absolute(imports, module, names);
		return;
	}
	for (int nr = 0; nr < NAMES_MAX && next_name(&text, &name); nr++) {
		if (name.at[0] == '.')
			count_relative(imports, name, none);
		else
			count_absolute(imports, name, none);
	}
}
