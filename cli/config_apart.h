/* SPDX-License-Identifier: MIT */
/*
 * config_apart.h - a configuration file is parsed by a process of its own.
 *
 * Does: has libyaml run in a child that can do nothing but compute, and looks
 *       at each entry that it found.
 * Does not: know any key; trust the child: the file is whoever's the
 *           repository is.
 * Runs in: the supervisor, after sandbox_begin().
 */
#ifndef CLI_CONFIG_APART_H
#define CLI_CONFIG_APART_H

#include "cli/config_yaml.h"

/*
 * shape:  as config_yaml_read(); out: config_entries_new()
 * units:  layers: of sandbox_begin(); 0: it is done here
 * errors: likewise; -EBADMSG also for a child that did not live to its end
 */
int
config_yaml_read_apart(unsigned layers, const char *text, size_t bytes,
		       struct config_entries *out);

#endif
