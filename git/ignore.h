/* SPDX-License-Identifier: MIT */
/*
 * ignore.h - the rules of one .gitignore.
 *
 * Does: reads the rules as git does, and finds the last that names a path.
 * Does not: open files of rules or chain them (io_rules.h).
 */
#ifndef GIT_IGNORE_H
#define GIT_IGNORE_H

#include <limits.h>

#include "base/glob.h"

enum ignore_verdict {
	IGNORE_NO_RULE = 0, /* no rule names the path */
	IGNORE_EXCLUDE,     /* the last rule that does says ignore */
	IGNORE_KEEP         /* the last rule that does begins with '!' */
};

struct ignore_rule {
	uint32_t pattern_off; /* in the text, after '!' */
	uint32_t pattern_bytes;
	uint32_t literal_bytes; /* before the first wild card */
	uint32_t next;          /* index + 1 of an earlier one of this chain */
	uint8_t flags;
};

/* The rules of one file, chained by the last byte of what they can match. */
struct ignore_rules {
	const char *text;
	const struct ignore_rule *rules;
	uint32_t rule_nr;
	uint32_t any; /* index + 1 of the last rule that ends in a wild card */
	uint32_t by_last[UCHAR_MAX + 1];
	bool fold;
};

#define IGNORE_RULES_BYTES_MAX (1u << 20) /* of one file of rules */

/* How many rules at most a text holds: room for ignore_rules_parse(). */
size_t
ignore_rules_room(const char *text, size_t bytes);

/*
 * shape:  parses a .gitignore for ignore_rules_match()
 * units:  at most IGNORE_RULES_BYTES_MAX bytes, the rest is ignored
 * owner:  text and room (ignore_rules_room() of them) stay the caller's and
 *         must outlive the rules
 * errors: none: a malformed rule matches nothing, as with git
 * source: gitignore(5); byte order mark, CRLF and blanks at the end as git
 */
void
ignore_rules_parse(struct ignore_rules *rules, struct ignore_rule *room,
		   const char *text, size_t bytes, bool fold);

/*
 * shape:  index + 1 of the last rule of one file that names a path, 0: none
 * units:  path relative to the directory of that file, its last component
 *         begins at name_off; no '/' at the end
 * calls:  the walk, for each name; parents first: a path below an ignored
 *         directory is never asked for
 */
uint32_t
ignore_rules_find(const struct ignore_rules *rules, const char *path,
		  size_t path_bytes, size_t name_off, bool is_dir);

/* The verdict of that rule. */
enum ignore_verdict
ignore_rules_match(const struct ignore_rules *rules, const char *path,
		   size_t path_bytes, size_t name_off, bool is_dir);

#endif
