/* SPDX-License-Identifier: MIT */
/*
 * config_key.h - which option a path of a configuration file means.
 *
 * Does: both spellings of the documents, paths without the sections in front,
 *       the nearest path to one that is not known, and what no file may set.
 * Does not: look at values; complain.
 */
#ifndef CLI_CONFIG_KEY_H
#define CLI_CONFIG_KEY_H

#include "cli/config.h"

/* What a path stands for. */
struct config_key {
	int option; /* enum option_id; -1: a section, or not known */
	bool is_section;
};

/* The key of a path; with no option and no section it is not known. */
struct config_key
config_key_find(const char *path);

/* The nearest key, or section, to a path that is neither. */
void
config_key_nearest(const char *path, bool is_section,
		   char out[static CONFIG_PATH_BYTES]);

/*
 * shape:  why a file of a repository must not set it, or name it: a noun;
 *         *option is the one to give instead, or OPTION_NR. NULL: it is not
 *         refused
 */
const char *
config_key_refused(const char *path, enum option_id *option);

/* Whether `path` is `section` and a dot and more. */
bool
config_path_is_below(const char *path, const char *section);

/* What stands behind the last dot. */
const char *
config_last_word(const char *path);

#endif
