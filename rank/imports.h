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

#include "base/base.h"

#define IMPORTS_NONE UINT32_MAX

/* How a language names what it imports. */
enum imports_how {
	IMPORTS_OTHER = 0, /* a path, from the file or from the top */
	IMPORTS_C,
	IMPORTS_SCRIPT, /* JavaScript, TypeScript */
	IMPORTS_PYTHON,
	IMPORTS_GO,
	IMPORTS_RUST,
	IMPORTS_JAVA, /* and Kotlin, Scala, Groovy */
	IMPORTS_CSHARP,
	IMPORTS_RUBY,
	IMPORTS_PHP
};

/* Where the paths of the files are. */
struct imports_tree {
	const uint8_t *(*path)(const void *context, uint32_t file_idx,
			       size_t *bytes);
	const void *context;
	uint32_t file_nr;
};

struct imports_node {
	uint64_t hash;  /* of what kind of name, and the name */
	uint32_t value; /* file, or group */
	uint32_t next;  /* index + 1 of one with the same head */
};

/* A file, or a group of files that are imported together. */
struct imports_count {
	uint32_t importers;
	uint32_t stamp; /* index + 1 of the last of them */
};

struct imports_member {
	uint32_t file_idx;
	uint32_t group;
};

#define IMPORTS_KNOWN 4096

/* A name that means one file, whoever uses it. */
struct imports_known {
	uint64_t hash; /* of all of it; 0: none */
	uint32_t file_idx;
	uint32_t pad;
};

#define IMPORTS_CONFIGS 512 /* files that say where modules are */
#define IMPORTS_ALIASES 2048
#define IMPORTS_ALIAS_TEXT (96u << 10)

/* A piece of what they say, in the text of all. */
struct imports_alias {
	uint32_t off;
	uint32_t bytes; /* 0: there is none */
};

/* A tsconfig.json, or its like. */
struct imports_config {
	uint32_t file_idx;
	uint32_t alias_first;
	uint32_t alias_nr;
	uint32_t has_base;
	struct imports_alias base;    /* "baseUrl" */
	struct imports_alias extends; /* the last of them */
};

struct imports {
	struct imports_tree tree;
	struct imports_known *known;
	uint32_t *heads;
	struct imports_config *configs;
	struct imports_alias *aliases; /* "pattern": ["target", ...] */
	uint8_t *alias_text;
	uint32_t config_nr;
	uint32_t alias_nr;
	uint32_t alias_text_bytes;
	struct imports_node *nodes;
	struct imports_count *files;
	struct imports_count *groups;
	struct imports_member *members;
	uint32_t head_mask;
	uint32_t node_nr;
	uint32_t node_max;
	uint32_t linked_nr; /* of the nodes, that are in chains */
	uint32_t group_nr;
	uint32_t group_max;
	uint32_t member_nr;
	uint32_t member_max;
	/* the file in work */
	uint32_t file_idx;
	enum imports_how how;
	const uint8_t *path;
	size_t path_bytes;
	size_t dir_bytes; /* of these, the slash included */
};

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
