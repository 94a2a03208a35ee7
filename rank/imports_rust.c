/* SPDX-License-Identifier: MIT */
/*
 * imports_rust.c - paths of Rust, to the files of their modules.
 *
 * A module is known by the directory that those within it lie in: "src/" is
 * the crate, "src/a/" the module of src/a.rs or src/a/mod.rs.
 */
#include <string.h>

#include "rank/imports_find.h"

#define LEAVES_MAX 64 /* of the braces of one "use" */
#define DEPTH_MAX 8

static bool
is_root_name(struct imports_text name)
{
	return imports_text_is(name, "lib.rs") ||
	       imports_text_is(name, "main.rs");
}

/* The directory of what lies within the module of the file in work. */
static void
own_module(const struct imports *imports, struct imports_path *dir)
{
	struct imports_text name = {
		imports->path + imports->dir_bytes,
		imports->path_bytes - imports->dir_bytes,
	};

	imports_path_dir(dir, imports->path, imports->path_bytes);
	if (is_root_name(name) || imports_text_is(name, "mod.rs"))
		return;
	imports_path_go(dir, name.at, name.bytes - 3);
	imports_path_add(dir, "/");
}

static bool
is_crate_root(const struct imports *imports, struct imports_path *dir)
{
	return imports_at_with(imports, dir, "lib.rs") != IMPORTS_NONE ||
	       imports_at_with(imports, dir, "main.rs") != IMPORTS_NONE;
}

/* The nearest directory above with a lib.rs or main.rs. */
static bool
crate_of(const struct imports *imports, struct imports_path *dir)
{
	imports_path_dir(dir, imports->path, imports->path_bytes);
	do {
		if (is_crate_root(imports, dir))
			return true;
	} while (imports_path_up(dir));
	return false;
}

/* The file of a module, by the directory of what is in it. */
static uint32_t
file_of_module(const struct imports *imports, struct imports_path *dir)
{
	uint32_t file_idx = imports_at_with(imports, dir, "mod.rs");
	size_t bytes = dir->bytes;

	if (file_idx == IMPORTS_NONE && bytes > 0) {
		dir->bytes--;
		file_idx = imports_at_with(imports, dir, ".rs");
		imports_path_add(dir, "/");
	}
	if (file_idx == IMPORTS_NONE)
		file_idx = imports_at_with(imports, dir, "lib.rs");
	if (file_idx == IMPORTS_NONE)
		file_idx = imports_at_with(imports, dir, "main.rs");
	return file_idx;
}

/* The module that a part names, within one; false: there is none. */
static bool
enter(const struct imports *imports, struct imports_path *dir,
      struct imports_text part)
{
	size_t bytes = dir->bytes;

	imports_path_go(dir, part.at, part.bytes);
	if (imports_at_with(imports, dir, ".rs") != IMPORTS_NONE ||
	    imports_at_with(imports, dir, "/mod.rs") != IMPORTS_NONE) {
		imports_path_add(dir, "/");
		return true;
	}
	dir->bytes = bytes;
	dir->is_bad = false;
	return false;
}

/* The next part of a path; what is left of it in *rest. */
static struct imports_text
next_part(struct imports_text *rest)
{
	const uint8_t *end = memmem(rest->at, rest->bytes, "::", 2);
	struct imports_text part = { rest->at,
				     end == NULL ? rest->bytes
						 : (size_t)(end - rest->at) };
	size_t skip = end == NULL ? part.bytes : part.bytes + 2;

	rest->at += skip;
	rest->bytes -= skip;
	return imports_trim(part);
}

/* Where a path begins: a module, and whether the first part was used up. */
static bool
begin(const struct imports *imports, struct imports_text *path,
      struct imports_path *dir)
{
	struct imports_text rest = *path;
	struct imports_text part = next_part(&rest);

	if (imports_text_is(part, "crate")) {
		*path = rest;
		return crate_of(imports, dir);
	}
	own_module(imports, dir);
	if (imports_text_is(part, "self")) {
		*path = rest;
		return true;
	}
	while (imports_text_is(part, "super")) {
		*path = rest;
		if (!imports_path_up(dir))
			return false;
		part = next_part(&rest);
	}
	return true;
}

/* The crate of another directory of the tree. */
static bool
begin_crate(const struct imports *imports, struct imports_text *path,
	    struct imports_path *dir)
{
	struct imports_text rest = *path;
	struct imports_text part = next_part(&rest);
	uint32_t manifest = imports_nearest(
		imports, imports_hash(KEY_CRATE, part.at, part.bytes));

	if (manifest == IMPORTS_NONE)
		return false;
	imports_path_beside(imports, manifest, dir);
	imports_path_go(dir, (const uint8_t *)"src/", 4);
	imports_path_add(dir, "/");
	*path = rest;
	return is_crate_root(imports, dir);
}

/* a::b::c, no braces in it: the file of the innermost module it enters. */
static void
count_use(struct imports *imports, struct imports_text path)
{
	struct imports_text rest = path;
	struct imports_text first = next_part(&rest);
	struct imports_path dir;
	bool is_own = imports_text_is(first, "crate") ||
		      imports_text_is(first, "self") ||
		      imports_text_is(first, "super");
	bool entered = is_own;

	if (!begin(imports, &path, &dir))
		return;
	if (!is_own) {
		/* a module beside it, or else another crate */
		rest = path;
		if (enter(imports, &dir, next_part(&rest))) {
			path = rest;
			entered = true;
		} else {
			entered = begin_crate(imports, &path, &dir);
		}
	}
	if (!entered)
		return;
	while (path.bytes > 0 && enter(imports, &dir, next_part(&path)))
		;
	imports_hit(imports, file_of_module(imports, &dir));
}

struct leaves {
	struct imports *imports;
	uint32_t nr;
	size_t bytes; /* of the text before the braces */
	uint8_t text[1024];
};

/* Where the part of a list that begins at `at` ends: at a comma or brace. */
static size_t
item_end(struct imports_text list, size_t at)
{
	uint32_t depth = 0;

	for (; at < list.bytes; at++) {
		if (list.at[at] == '{')
			depth++;
		else if (list.at[at] == '}' && depth-- == 0)
			return at;
		else if (list.at[at] == ',' && depth == 0)
			return at;
	}
	return at;
}

static void
count_leaf(struct leaves *leaves, struct imports_text path)
{
	const uint8_t *as;

	path = imports_trim(path);
	as = memmem(path.at, path.bytes, " as ", 4);
	if (as != NULL)
		path.bytes = (size_t)(as - path.at);
	if (leaves->nr++ < LEAVES_MAX &&
	    path.bytes <= sizeof(leaves->text) - leaves->bytes) {
		memcpy(leaves->text + leaves->bytes, path.at, path.bytes);
		count_use(leaves->imports,
			  (struct imports_text){ leaves->text,
						 leaves->bytes + path.bytes });
	}
}

/* a::{b, c::{d, e}}: each of its leaves. */
static void
count_tree(struct leaves *leaves, struct imports_text tree, uint32_t depth)
{
	const uint8_t *brace;
	size_t before = leaves->bytes;
	size_t own;

	tree = imports_trim(tree);
	brace = memchr(tree.at, '{', tree.bytes);
	if (brace == NULL) {
		if (tree.bytes > 0)
			count_leaf(leaves, tree);
		return;
	}
	own = (size_t)(brace - tree.at);
	if (depth == DEPTH_MAX || own > sizeof(leaves->text) - before)
		return;
	memcpy(leaves->text + before, tree.at, own);
	leaves->bytes += own;
	for (size_t at = own + 1; at < tree.bytes && leaves->nr < LEAVES_MAX;) {
		size_t end = item_end(tree, at);

		count_tree(leaves,
			   (struct imports_text){ tree.at + at, end - at },
			   depth + 1);
		if (end < tree.bytes && tree.at[end] == '}')
			break;
		at = end + 1;
	}
	leaves->bytes = before;
}

void
imports_rust(struct imports *imports, struct imports_text text)
{
	struct leaves leaves = { .imports = imports };

	if (imports_begins(text, "::")) {
		text.at += 2;
		text.bytes -= 2;
	}
	count_tree(&leaves, text, 0);
}

void
imports_rust_module(struct imports *imports, struct imports_text name)
{
	struct imports_path dir;

	own_module(imports, &dir);
	if (!enter(imports, &dir, name)) {
		/* of a program of its own, such as src/bin/a.rs */
		imports_path_dir(&dir, imports->path, imports->path_bytes);
		if (!enter(imports, &dir, name))
			return;
	}
	imports_hit(imports, file_of_module(imports, &dir));
}
