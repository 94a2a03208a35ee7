/* SPDX-License-Identifier: MIT */
/*
 * config_key.h - the file of a configuration, and what its keys mean.
 *
 * Does: finds the file in the working directory or beside the .git above it,
 *       and opens it without following a link out of that directory; says
 *       which option a path of it means: both spellings of the documents,
 *       paths without the sections in front, the nearest to one that is not
 *       known, and what no file may set.
 */
#ifndef CLI_CONFIG_KEY_H
#define CLI_CONFIG_KEY_H

#include "cli/config_yaml.h"
#include "cli/command_line.h"

#define CONFIG_FILE ".agent/config.yml"
#define CONFIG_LEVELS_MAX 64
#define CONFIG_SHOWN_BYTES (3 * CONFIG_LEVELS_MAX + 32)

/*
 * shape:  the text of .agent/config.yml of the repository bale is started in,
 *         and its path relative to the working directory
 * owner:  *text: free(); ended by NUL, which *bytes does not count
 * errors: -ENOENT: there is none; else -errno, `shown` says of which file
 */
int
config_file_find(char shown[static CONFIG_SHOWN_BYTES], char **text,
		 size_t *bytes);

/* The same for a file that the user named; links are followed. */
int
config_file_read(const char *path, char **text, size_t *bytes);

/* A negative errno in words. */
const char *
config_file_error(int error);

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

#endif
