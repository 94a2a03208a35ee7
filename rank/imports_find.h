/* SPDX-License-Identifier: MIT */
/*
 * imports_find.h - finds the files of a tree by name, for the resolvers of
 * languages.
 *
 * Does not: serve files other than imports*.c.
 */
#ifndef RANK_IMPORTS_FIND_H
#define RANK_IMPORTS_FIND_H

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
	IMPORTS_PHP,
	IMPORTS_DOTTED /* a module, whose parts end its path */
};

/* Where the paths of the files are. */
struct imports_tree {
	const uint8_t *(*path)(const void *context, uint32_t file_idx,
			       size_t *bytes);
	/* so much of the memory was used, as table_touched(); or NULL */
	void (*touched)(const void *context, uint32_t groups);
	const void *context;
	uint32_t file_nr;
};

struct imports_node {
	uint64_t hash;  /* of the kind of name, and the name */
	uint32_t value; /* file, or configuration */
	uint32_t dir;   /* of the file */
};

/* Nodes by hash: imports_index.c. */
struct imports_index {
	struct imports_node *nodes;
	uint32_t *starts; /* by the first bits of a hash: the first node */
	uint32_t start_bits;
	uint32_t nr;
	uint32_t max;
};

/* A directory; 0 is the one above all. Two may be the same one. */
struct imports_dir {
	uint64_t hash;  /* of its path, the last slash included */
	uint64_t name;  /* of the last part of that */
	uint32_t bytes; /* of that path */
	uint32_t depth; /* directories in it */
	uint32_t parent;
	uint32_t pad;
};

/* A file, or a group of files that are imported together. */
struct imports_count {
	uint32_t importers;
	uint32_t stamp;        /* index + 1 of the last of them */
	uint32_t header : 31;  /* index + 1 of that of a source file of C; 0:
				  none */
	uint32_t is_entry : 1; /* a manifest says that something begins there */
};

#define IMPORTS_KNOWN 4096

/* What a name means to every file below a directory; or in it, if is_exact. */
struct imports_known {
	uint64_t hash; /* of all of it; 0: none */
	uint32_t file_idx;
	uint32_t dir : 31;
	uint32_t is_exact : 1;
};

#define IMPORTS_CONFIGS 512 /* files with module paths */
#define IMPORTS_ALIASES 2048
#define IMPORTS_ALIAS_TEXT (96u << 10)

/* A piece of their text, in the text of all. */
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
	struct imports_config *configs;
	struct imports_alias *aliases; /* "pattern": ["target", ...] */
	uint8_t *alias_text;
	uint32_t config_nr;
	uint32_t alias_nr;
	uint32_t alias_text_bytes;
	struct imports_index names;
	struct imports_index members; /* files of groups */
	bool is_sorted;               /* both are */
	struct imports_count *files;
	struct imports_count *groups; /* at the place of the first member */
	struct imports_dir *dirs;
	uint32_t *dir_of;  /* by file */
	uint32_t last_dir; /* of the file that was added last */
	uint32_t dir_nr;
	uint32_t dir_max;
	uint64_t *dir_bits;  /* by hash: which of them there may be */
	uint32_t dir_bit_nr; /* a power of two */
	/* the file in work */
	uint32_t file_idx;
	enum imports_how how;
	const uint8_t *path;
	size_t path_bytes;
	size_t dir_bytes; /* of these, the slash included */
	uint32_t dir;
};

#define IMPORTS_PATH_BYTES 4096

/* The kinds of names: they are hashed separately. */
enum imports_key {
	KEY_PATH = 1,   /* all of it */
	KEY_END,        /* its last two parts */
	KEY_NAME,       /* its last part */
	KEY_DIR,        /* group: the Go files of a directory */
	KEY_PACKAGE,    /* group: a package, a namespace */
	KEY_CLASS,      /* what a file defines in a namespace */
	KEY_MODULE,     /* manifest: go.mod */
	KEY_NPM,        /* package.json */
	KEY_CRATE,      /* Cargo.toml */
	KEY_CONFIG,     /* tsconfig.json and its like: its directory */
	KEY_CONFIG_FILE /* and itself */
};

/* The beginning of a path, with its hash. */
struct imports_begin {
	size_t bytes;
	uint64_t hash;
};

/* A path being built. Who makes it longer calls a function; `bytes` may be set to
 * what it was before. */
struct imports_path {
	size_t bytes;
	bool is_bad; /* leads out of the tree, or is too long */
	/* what is hashed of it, and of that up to the last slash: paths that are
	 * looked for one after the other begin alike */
	struct imports_begin hashed;
	struct imports_begin dir;
	uint8_t text[IMPORTS_PATH_BYTES];
};

/* A piece of text, passed by value. */
struct imports_text {
	const uint8_t *at;
	size_t bytes;
};

/* The hash of a path begins with it. */
#define IMPORTS_PATH_HASH (HASH64_BEGIN ^ KEY_PATH)

/* The hash of a text as a key of that kind. */
uint64_t
imports_hash(enum imports_key key, const uint8_t *text, size_t bytes);

/* The same for text in small letters. */
uint64_t
imports_hash_small(enum imports_key key, uint64_t hash, const uint8_t *text,
		   size_t bytes);

/* The hash of a path as KEY_PATH; of a directory they lie side by side. */
uint64_t
imports_hash_path(const uint8_t *text, size_t bytes);

/* Stores a value under a hash; without room it is dropped. */
void
imports_keep(struct imports *imports, uint64_t hash, uint32_t value);

/* A value that is kept under a hash; IMPORTS_NONE: there is none. */
uint32_t
imports_value(const struct imports *imports, uint64_t hash);

/* An iterator over the values of a hash, which is set, all else zero. */
struct imports_value_walk {
	uint64_t hash;
	uint32_t first; /* of the nodes */
	uint32_t next;  /* behind that of the next value */
	uint32_t tried;
};

/* The next one, the last that was kept first; IMPORTS_NONE: no more. */
uint32_t
imports_value_next(const struct imports *imports,
		   struct imports_value_walk *walk);

/* Adds the current file to the group of a hash. */
void
imports_join_group(struct imports *imports, uint64_t hash);

/* Sorts both indexes, once: all files are added, and are looked for from now on. */
void
imports_sort(struct imports *imports);

/* Counts the current file as an importer; of IMPORTS_NONE nothing. */
void
imports_hit(struct imports *imports, uint32_t file_idx);

/* The same for a group; whether there is one. */
bool
imports_hit_group(struct imports *imports, uint64_t hash);

/* The file of exactly this path, or IMPORTS_NONE. */
uint32_t
imports_at(const struct imports *imports, struct imports_path *path);

/* The same with a suffix, the path left unchanged. */
uint32_t
imports_at_with(const struct imports *imports, struct imports_path *path,
		const char *behind);

/*
 * shape:  the nearest file whose path ends in these parts, or IMPORTS_NONE:
 *         that with the most directories in common with the file in work,
 *         then the one with the fewest; of two that are equal, none
 */
uint32_t
imports_ending(const struct imports *imports, const uint8_t *text,
	       size_t bytes);

/* The nearest of those kept under a hash; the same. */
uint32_t
imports_nearest(const struct imports *imports, uint64_t hash);

/* ---- imports_index.c ----------------------------------------------------- */

/* units: entries of starts for at most so many nodes */
uint32_t
imports_index_starts(uint32_t max);

/* Adds a node; without room it is dropped. */
void
imports_index_add(struct imports_index *index, const struct imports_node *node);

/* Sorts all nodes; calls: before any is looked for. */
void
imports_index_sort(struct imports_index *index,
		   const struct imports_tree *tree);

/* The nodes of a hash, by value: how many, from *first on. */
uint32_t
imports_index_find(const struct imports_index *index, uint64_t hash,
		   uint32_t *first);

/* Of all directories there is the one above all. */
void
imports_dir_begin(struct imports *imports);

/* The directory of the file in work, which is to be added. */
uint32_t
imports_dir_enter(struct imports *imports);

/* Whether there may be a directory with this hash: no is right. */
bool
imports_dir_may_be(const struct imports *imports, uint64_t hash);

/* The directory itself, or one above, that is not deeper than this. */
uint32_t
imports_dir_above(const struct imports *imports, uint32_t dir, uint32_t depth);

/* Whether a directory ends in these, each with a slash behind it. */
bool
imports_dir_ends(const struct imports *imports, uint32_t dir,
		 struct imports_text text);

/* How many directories from the top two have in common. */
uint32_t
imports_dir_common(const struct imports *imports, uint32_t a, uint32_t b);

/* ---- paths -------------------------------------------------------------- */

/* Begins with the directory of a path, its last slash included. */
void
imports_path_dir(struct imports_path *path, const uint8_t *text, size_t bytes);

/* The same of a file of the tree. */
void
imports_path_beside(const struct imports *imports, uint32_t file_idx,
		    struct imports_path *path);

/* Appends parts: "." stays, ".." goes up; slashes stand between them. */
void
imports_path_go(struct imports_path *path, const uint8_t *text, size_t bytes);

/* Whether there may be a directory of this path, with or without a slash behind
 * it: no is right. */
bool
imports_has_dir(const struct imports *imports, struct imports_path *path);

/* Appends this text unchanged. */
void
imports_path_add(struct imports_path *path, const char *text);

/* Cuts the last part off; false: there is none. */
bool
imports_path_up(struct imports_path *path);

/* Bytes of a path's directory, its last slash included. */
size_t
imports_dir_bytes(const uint8_t *path, size_t bytes);

/* Whether a text begins or ends with another; whether it is another. */
bool
imports_begins(struct imports_text text, const char *with);
bool
imports_ends(struct imports_text text, const char *with);
bool
imports_text_is(struct imports_text text, const char *other);

/* Without the blanks around it. */
struct imports_text
imports_trim(struct imports_text text);

/* ---- languages ---------------------------------------------------------- */

/* Counts the files that an import of the language means. */
void
imports_python(struct imports *imports, struct imports_text text);
void
imports_script(struct imports *imports, struct imports_text text);

/* A module: a file, one with an ending, or the index of a directory. */
uint32_t
imports_module_at(const struct imports *imports, struct imports_path *path);

/* A module of Python below a path, "a.b": a file, or the directory's own. */
uint32_t
imports_python_at(const struct imports *imports, struct imports_path *path,
		  struct imports_text name);

/* ---- imports_alias.c --------------------------------------------- */

/* tsconfig.json and its like, by the name. */
bool
imports_is_config(struct imports_text name);

/* Adds one setting of the current file, a configuration; as JSON. */
void
imports_add_config(struct imports *imports, struct imports_text text);

/* The file that a name means for the current file by its configurations. */
uint32_t
imports_alias(const struct imports *imports, struct imports_text text);

/* Rust: what `use` names; and `mod name`, which is a file. */
void
imports_rust(struct imports *imports, struct imports_text text);
void
imports_rust_module(struct imports *imports, struct imports_text name);

#endif
