/* SPDX-License-Identifier: MIT */
/*
 * facts.h - facts about a file that single words of its text reveal.
 *
 * Does: finds open markers, the names that imports take, names of packages;
 *       says which definitions a file exports.
 * Does not: know chunks, or branches and calls (code.h).
 */
#ifndef LANG_FACTS_H
#define LANG_FACTS_H

#include "lang/scan.h"

/*
 * shape:  the offset of the next word of marker.def in a comment, from `from`
 *         on; bytes: there is none
 * units:  *word_bytes is its length
 */
size_t
lang_marker_next(const uint8_t *text, size_t from, size_t bytes,
		 size_t *word_bytes);

/*
 * shape:  the length of an import with the names that it takes from a module:
 *         "a.b import c, d", "a::{b, c}"; bytes: none
 * units:  [at, at + bytes) is the text that the scanner reported; nothing is
 *         read from `end` on
 */
size_t
lang_import_extent(const uint8_t *text, size_t at, size_t bytes, size_t end);

/* How a kind of file says what it is of. */
struct lang_package;

/* The kind by the path of a file; NULL: it does not say it. */
const struct lang_package *
lang_package_of(const uint8_t *path, size_t bytes);

/*
 * shape:  where the name of the next package or namespace stands that a file
 *         is of, or that a manifest names, from `from` on; end: there is none;
 *         of a tsconfig.json as lang_config_next()
 * calls:  with the beginning of a file
 */
size_t
lang_package_next(const struct lang_package *package, const uint8_t *text,
		  size_t from, size_t end, size_t *name_bytes);

/* ---- entry.c: where programs begin --------------------------------- */

enum lang_manifest {
	LANG_MANIFEST_NONE = 0,
	LANG_MANIFEST_CARGO,
	LANG_MANIFEST_PYPROJECT,
	LANG_MANIFEST_SETUP_PY,
	LANG_MANIFEST_SETUP_CFG
};

/*
 * shape:  where the next line of a manifest stands that says where a program or
 *         a library begins, from `from` on: its key, '=' and the value; end:
 *         there is none
 */
size_t
lang_entry_next(enum lang_manifest manifest, const uint8_t *text, size_t from,
		size_t end, size_t *bytes);

/* ---- export.c: what a file offers to others ------------------------ */

/* Whether a file is a header by its name: its declarations are exported. */
bool
lang_is_header(const uint8_t *path, size_t bytes);

/*
 * shape:  whether a definition is exported by the file: members belong to their
 *         class, and what C defines outside headers is visible outside the file
 *         only if it is a function
 */
bool
lang_is_export(uint32_t lang, bool is_header, const struct lang_def *def);

/* ---- config.c: where a script's modules are ----------------------- */

/* Whether a file is a tsconfig.json, a jsconfig.json or one they extend. */
bool
lang_config_is(const uint8_t *path, size_t bytes);

enum lang_config {
	LANG_CONFIG_MODULES = 0, /* of such a file: where modules are */
	/* of a package.json: its name, its "imports", where it begins */
	LANG_CONFIG_PACKAGE
};

/*
 * shape:  where the next piece of what is wanted of such a file stands, from
 *         `from` on: "key": "value", "key": [...] or "key": {...}, and of the
 *         name of a package the value alone; end: none
 */
size_t
lang_config_next(enum lang_config config, const uint8_t *text, size_t from,
		 size_t end, size_t *bytes);

#endif
