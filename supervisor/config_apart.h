/* SPDX-License-Identifier: MIT */
/*
 * config_apart.h - a configuration file is parsed by a process of its own.
 *
 * Does: has libyaml run in a child that can do nothing but compute, and takes
 *       over the entries that it found, each looked at.
 * Does not: know any key; trust the child: the file is whoever's the
 *           repository is.
 * Runs in: the supervisor, after sandbox_begin().
 */
#ifndef SUPERVISOR_CONFIG_APART_H
#define SUPERVISOR_CONFIG_APART_H

#include "supervisor/config_yaml.h"

/*
 * shape:  as config_yaml_read()
 * units:  layers: of sandbox_begin(); 0: it is done here
 * errors: likewise; -EBADMSG also for a child that did not live to its end
 */
int
config_yaml_read_apart(unsigned layers, const char *text, size_t bytes,
		       struct config_entries *out, struct config_fault *fault);

/* What crosses over; for tests. */
struct config_crossing;

/*
 * shape:  a place for the entries of a text of that many bytes; NULL: none
 * owner:  config_crossing_free()
 */
struct config_crossing *
config_crossing_new(size_t bytes, size_t *size);

/* Unmaps it; size: as config_crossing_new() gave it. */
void
config_crossing_free(struct config_crossing *crossing, size_t size);

/* Writes entries into it; false: there is no room. calls: the child */
bool
config_crossing_put(struct config_crossing *crossing, size_t size,
		    const struct config_entries *entries);

/*
 * shape:  the entries that are in it
 * owner:  *out: config_entries_free(), also after an error
 * errors: -EPROTO: what is there cannot be; -ENOMEM
 */
int
config_crossing_take(const struct config_crossing *crossing, size_t size,
		     struct config_entries *out);

#endif
