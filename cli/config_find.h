/* SPDX-License-Identifier: MIT */
/*
 * config_find.h - where the configuration file lies.
 *
 * Does: looks in the working directory and beside the .git above it; opens
 *       what is there without following a link out of that directory.
 * Does not: parse anything; look anywhere else.
 * Runs in: the supervisor.
 */
#ifndef CLI_CONFIG_FIND_H
#define CLI_CONFIG_FIND_H

#include "base/base.h"

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

#endif
