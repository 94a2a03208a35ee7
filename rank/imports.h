/* SPDX-License-Identifier: MIT */
/*
 * imports.h - how many files import each file of a tree.
 *
 * Does: keeps the files by path, by the end of the path and by what they
 *       declare; finds what an import names, as its language has it, and
 *       counts the file that imports it, once.
 * Does not: read files or find imports in them; know what lies outside of
 *           the tree: what is not found there is external.
 * Runs in: select, at the end of the survey.
 * Invariants:
 * 1. Memory is that of imports_bytes(), whatever is imported.
 * 2. An import takes time bounded by its own length and CANDIDATES_MAX.
 * Limits: no search paths of compilers, no conditions, of bundlers' aliases
 *         those of tsconfig.json; what two files could be meant by, equally near, counts
 *         for neither.
 */
#ifndef RANK_IMPORTS_H
#define RANK_IMPORTS_H

#include "rank/imports_find.h"

/* units: bytes of memory for so many files */
uint64_t
imports_bytes(uint32_t file_nr);

/*
 * shape:  ready for the first file
 * owner:  memory of imports_bytes(), all zero, is the caller's
 */
void
imports_init(struct imports *imports, const struct imports_tree *tree,
	     void *memory);

/*
 * shape:  goes to a file, to add it or to count what it imports
 * calls:  before each of the functions below; first all files are added
 */
void
imports_file(struct imports *imports, uint32_t file_idx);

/* The file can be found by its path. */
void
imports_add(struct imports *imports);

/*
 * shape:  it is of a package or namespace, or of a manifest that names one
 * calls:  behind imports_add()
 */
void
imports_add_package(struct imports *imports, const uint8_t *name, size_t bytes);

/* It defines this within that package. */
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

/* A module that the file says lies beside it: Rust's "mod name;". */
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
