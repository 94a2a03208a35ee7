/* SPDX-License-Identifier: MIT */
/*
 * io_rules.h - files of ignore rules, chained from the inside out.
 *
 * Does: reads .gitignore and its kin; asks a chain of them about a path.
 * Runs in: the collector, below collect_io_walk.c.
 *
 *   src/net/.gitignore -> src/.gitignore -> .gitignore -> info/exclude -> ...
 *
 * The first file of a chain that has a rule for a path decides.
 */
#ifndef GIT_IO_RULES_H
#define GIT_IO_RULES_H

#include "git/ignore.h"

/* Kinds of rules, the most specific first: the first that decides wins. */
enum rules_kind { RULES_BALE = 0, RULES_IGNORE, RULES_GIT, RULES_KIND_NR };

/* What they are called in a directory. */
extern const char *const rules_names[RULES_KIND_NR];

struct rule_file {
	const struct rule_file *outer;
	size_t base_bytes; /* of the path before what its rules look at */
	size_t text_bytes;
	size_t memory; /* of this structure and all that it holds */
	struct ignore_rules rules;
	/* the rules and the text follow */
};

#define RULES_LINK_BYTES 512

/* The memory left for rules; a hostile tree may contain any amount. */
struct rules_budget {
	size_t left_bytes;
	char link[RULES_LINK_BYTES]; /* the first of git's own that is a link,
				      * and was not read for that; "": none */
};

#define RULES_BYTES_MAX (8u << 20) /* of all files of rules at one time */

/* The place where rules apply. */
struct rule_place {
	struct rules_budget *budget;
	const struct rule_file *outer; /* the rules after them in the chain */
	size_t base_bytes; /* of the full path, up to their directory */
	bool fold;
};

/*
 * shape:  *out is the file's rules in front of place->outer; if there is no such
 *         file or it cannot be used, *out is that itself
 * owner:  if *out is not outer, it is the caller's, for rule_file_close()
 * errors: -EMFILE, -ENFILE, -ENOMEM
 * calls:  follow: a link may be followed, which git does but for .gitignore
 */
int
rule_file_open(const struct rule_file **out, const struct rule_place *place,
	       int dir_fd, const char *name, bool follow);

/* The same from a descriptor, which it takes over, or an error in its place. */
int
rule_file_take(const struct rule_file **out, const struct rule_place *place,
	       int fd);

/*
 * shape:  the same of a text
 * errors: -ENOMEM: there is no room for it; *out stays what it is
 */
int
rule_file_make(const struct rule_file **out, const struct rule_place *place,
	       const char *text, size_t bytes);

/* owner: NULL is accepted */
void
rule_file_close(const struct rule_file *file, struct rules_budget *budget);

/*
 * shape:  the verdict of a chain on a path
 * units:  path: full, without '/' at the end; its last component at name_off
 */
enum ignore_verdict
rule_chain_match(const struct rule_file *chain, const char *path,
		 size_t path_bytes, size_t name_off, bool is_dir);

/* Whether a chain of patterns names the path of a file, or a directory on its
 * way. */
bool
rule_chain_names(const struct rule_file *chain, const char *path, size_t bytes);

/* Keeps the name of a repository's own file that is a link, and is passed over
 * for that, which the user did not mean. */
void
rules_keep_link(struct rules_budget *budget, int dir_fd, const char *path);

#endif
