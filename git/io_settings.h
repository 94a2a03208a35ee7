/* SPDX-License-Identifier: MIT */
/*
 * io_settings.h - the few of git's settings that decide what it lists.
 *
 * Does: see io_settings.c.
 * Runs in: the collector, below collect_io_walk.c.
 */
#ifndef GIT_IO_SETTINGS_H
#define GIT_IO_SETTINGS_H

#include "git/io_git_dir.h"
#include "git/io_rules.h"

/* Settings for all work trees: of the system and the user. */
struct git_user {
	struct rules_budget *budget;   /* of all rules */
	const struct rule_file *rules; /* core.excludesFile; NULL: none */
	char *path;                    /* of that file; NULL: none */
	char *home;                    /* NULL: none */
	char *xdg;                     /* where git keeps its own; NULL: none */
};

struct git_settings {
	char *excludes;    /* core.excludesFile, as it was written; NULL: not */
	bool own_excludes; /* and the repository itself says so */
	bool fold;
	uint32_t hash_bytes;
};

/*
 * shape:  the settings of a repository (NULL: of none), and with shared those
 *         of system and user, which it overrides
 * owner:  git_settings_free()
 * errors: -ENOMEM; a malformed file counts up to there
 * calls:  shared: before the process shuts itself in
 */
int
git_settings_read(struct git_settings *settings, struct rules_budget *budget,
		  const struct git_user *user, const struct git_dir *git,
		  bool shared);

/* Frees what was read. */
void
git_settings_free(struct git_settings *settings);

/*
 * shape:  the path of the user's file of rules by these settings; NULL: none,
 *         or it is relative
 * owner:  the caller's, for free()
 */
char *
git_user_path(const struct git_user *user, const struct git_settings *settings);

/* The surroundings, and the rules that hold for all. errors: -ENOMEM */
int
git_user_init(struct git_user *user, struct rules_budget *budget);

/* Frees what was read, and gives its room back to the budget. */
void
git_user_fini(struct git_user *user, struct rules_budget *budget);

#endif
