/* SPDX-License-Identifier: MIT */
/*
 * git.h - git's files, read as text and as bytes.
 *
 * Does: the syntax of configuration files, the entries of an index, of a tree,
 *       the lines of a commit.
 * Does not: open any (io_work_tree.h).
 * Runs in: the collector; tests.
 */
#ifndef GIT_GIT_H
#define GIT_GIT_H

#include "base/base.h"

/* ---- configuration: config_file.c -------------------------------- */

#define GITCONFIG_NAME_BYTES 256
#define GITCONFIG_VALUE_BYTES 4096

/* One setting: [section "part"] key = value. Strings end with NUL. */
struct gitconfig {
	const char *at; /* what is left of the text */
	const char *end;
	char section[GITCONFIG_NAME_BYTES]; /* in lower case */
	char part[GITCONFIG_NAME_BYTES];
	char key[GITCONFIG_NAME_BYTES]; /* in lower case */
	char value[GITCONFIG_VALUE_BYTES];
	bool has_value; /* "key" alone means true */
};

/* owner: text must outlive it */
void
gitconfig_init(struct gitconfig *config, const char *text, size_t bytes);

/*
 * shape:  1: the next setting is in *config; 0: there are no more; -EINVAL
 * errors: -EINVAL: git would refuse the file; stop there
 */
int
gitconfig_next(struct gitconfig *config);

/* Whether the setting is of that section and has that key. */
bool
gitconfig_is(const struct gitconfig *config, const char *section,
	     const char *key);

/* What git takes for true. */
bool
gitconfig_true(const struct gitconfig *config);

/* ---- the index: index.c ---------------------------------------- */

#define INDEX_HEAD_BYTES 12
#define INDEX_PATH_BYTES 16384

struct index_reader {
	uint32_t version; /* 2, 3 or 4 */
	uint32_t left;    /* entries that are still to come */
	uint32_t hash_bytes;
	uint32_t mode;     /* of the last entry */
	size_t path_bytes; /* of the last entry */
	char path[INDEX_PATH_BYTES];
};

#define INDEX_MODE_KIND 0170000
#define INDEX_MODE_SUBMODULE 0160000

/* errors: -EINVAL: not an index of a version that git has */
int
index_reader_init(struct index_reader *reader, const void *head, size_t bytes,
		  uint32_t hash_bytes);

/*
 * shape:  1: the next entry is in *reader, and took *used bytes; 0: it is not
 *         whole, give more bytes from the same place; -EINVAL
 * calls:  while reader->left is not 0
 */
int
index_reader_next(struct index_reader *reader, const void *bytes, size_t nr,
		  size_t *used);

/*
 * A bitmap in git's compressed form (EWAH): runs of equal words, and literal
 * words.
 */
struct index_bits {
	const uint8_t *at;
	const uint8_t *end;
	uint64_t run_words;     /* of run_word, still to come */
	uint64_t run_word;      /* all ones or all zeros */
	uint64_t literal_words; /* as they are, after the run */
	uint64_t word;
	uint32_t left; /* bits of the word */
};

/*
 * shape:  a bitmap that begins there; *used is how long it is
 * errors: -EINVAL: it is cut off
 */
int
index_bits_init(struct index_bits *bits, const void *bytes, size_t nr,
		size_t *used);

/* The next bit; zero behind the last. */
bool
index_bits_next(struct index_bits *bits);

/* The part of an index about its base (core.splitIndex). */
struct index_link {
	const uint8_t *base; /* hash_bytes: of its name; all zero: none */
	struct index_bits deleted;
	struct index_bits replaced;
};

/*
 * shape:  1: the link among the extensions behind the last entry; 0: none
 * errors: -EINVAL: malformed
 */
int
index_link_find(struct index_link *link, const void *bytes, size_t nr,
		uint32_t hash_bytes);

/* ---- trees: revtree.c ------------------------------------------ */

#define REVTREE_NAME_BYTES 20 /* of what an object is named by */
#define REVTREE_PATH_PART_MAX 4096

#define REVTREE_MODE_KIND 0170000
#define REVTREE_MODE_DIR 0040000
#define REVTREE_MODE_FILE 0100000
#define REVTREE_MODE_LINK 0120000
#define REVTREE_MODE_SUBMODULE 0160000

struct revtree {
	const uint8_t *at;
	const uint8_t *end;
};

struct revtree_entry {
	const char *name; /* NUL at the end */
	size_t bytes;
	uint32_t mode;
	const uint8_t *object; /* REVTREE_NAME_BYTES */
};

/* 1: the next entry; 0: there are no more; -EINVAL: this is no tree. */
int
revtree_next(struct revtree *tree, struct revtree_entry *entry);

/* Goes past the entries with which both go on and which are the same. */
void
revtree_skip_same(struct revtree *a, struct revtree *b);

/* Whether the entry is a directory. */
bool
revtree_is_dir(const struct revtree_entry *entry);

/* Canonical order: that of paths, and of trees as git writes them. */
int
revtree_compare(const struct revtree_entry *a, const struct revtree_entry *b);

/*
 * shape:  whether git would write this tree: names that can be those of files,
 *         each once, in order. A name "../x" is in none.
 */
bool
revtree_valid(const void *bytes, size_t nr);

/* Whether a tree has that name; *entry is it. */
bool
revtree_find(const void *bytes, size_t nr, const char *name, size_t name_bytes,
	     struct revtree_entry *entry);

/* ---- commits: commit.c ----------------------------------------- */

#define COMMIT_NAME_DIGITS 40

/* The fields of a commit. No text ends with NUL; all lie in the parsed text. */
struct commit {
	const char *tree;    /* COMMIT_NAME_DIGITS */
	const char *parents; /* commit_parent() */
	uint32_t parent_nr;
	const char *author; /* the name alone */
	size_t author_bytes;
	int64_t author_s; /* since 1970 */
	int author_zone;  /* minutes before UTC's midnight: +0130 is 90 */
	int64_t time_s;   /* of the committer */
	const char *message;
	size_t message_bytes;
};

/*
 * shape:  the lines of a commit object
 * owner:  text must outlive it
 * errors: -EINVAL: git would not write it so
 */
int
commit_parse(struct commit *commit, const char *text, size_t bytes);

/* The digits of parent i. */
const char *
commit_parent(const struct commit *commit, uint32_t i);

/* What git calls the subject: the first paragraph; *bytes of it. */
const char *
commit_subject(const struct commit *commit, size_t *bytes);

#endif
