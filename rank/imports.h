/* SPDX-License-Identifier: MIT */
/*
 * imports.h - counts how many files import each file of a tree.
 *
 * Does: indexes the files by path, by the end of the path and by their
 *       declarations; finds the files that an import means, by the rules of its
 *       language, and counts the importing file, once.
 * Does not: read files or find imports in them; know anything outside the tree:
 *           an import that is not found there is external.
 * Runs in: select, at the end of the survey.
 * Invariants:
 * 1. Memory is that of imports_bytes(), whatever is imported.
 * 2. An import takes time bounded by its own length and CANDIDATES_MAX.
 * Limits: no search paths of compilers, no conditions, of bundlers' aliases
 *         only those of tsconfig.json; an import that means two equally near
 *         files counts for neither. Of more than two directories a file, some
 *         are taken for those above them.
 */
#ifndef RANK_IMPORTS_H
#define RANK_IMPORTS_H

#include "rank/imports_find.h"

/* units: bytes of memory for so many files */
uint64_t
imports_bytes(uint32_t file_nr);

/*
 * shape:  initialises the counts
 * owner:  memory of imports_bytes(), all zero, is the caller's
 */
void
imports_init(struct imports *imports, const struct imports_tree *tree,
	     void *memory);

/*
 * shape:  selects a file, to add it or to count its imports
 * calls:  before each of the functions below; first all files are added
 */
void
imports_file(struct imports *imports, uint32_t file_idx);

/* Adds the file under its path. */
void
imports_add(struct imports *imports);

/*
 * shape:  it is of a package or namespace, or of a manifest that names one
 * calls:  behind imports_add()
 */
void
imports_add_package(struct imports *imports, const uint8_t *name, size_t bytes);

/* Adds a definition of the file within that package. */
void
imports_add_class(struct imports *imports, const uint8_t *package,
		  size_t package_bytes, const uint8_t *name, size_t bytes);

/*
 * shape:  counts the file as an importer of what the text names
 * units:  text: as it is written, with what follows: "a.b import c, d";
 *         angled: stands between < and >
 */
void
imports_count(struct imports *imports, const uint8_t *text, size_t bytes,
	      bool angled);

/*
 * shape:  marks the file that a program or a library begins with, by what a
 *         manifest, the file in work, says: files[i].is_entry
 * units:  text: of NAME_PACKAGE; true: it says that, and of a file of the tree
 */
bool
imports_entry(struct imports *imports, const uint8_t *text, size_t bytes);

/* Counts a module declared by the file, beside it: Rust's "mod name;". */
void
imports_count_module(struct imports *imports, const uint8_t *name,
		     size_t bytes);

/*
 * shape:  the importers of all files are final: files[i].importers
 * calls:  once, at the end
 */
void
imports_end(struct imports *imports);

#endif
