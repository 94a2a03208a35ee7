/* SPDX-License-Identifier: MIT */
/*
 * sandbox_layers.h - the layers of the sandbox, between their files alone.
 */
#ifndef SUPERVISOR_SANDBOX_LAYERS_H
#define SUPERVISOR_SANDBOX_LAYERS_H

#include "stages/stage.h"
#include "stages/run.h"

/* Whether all calls are let through that landlock_confine() makes: 0, -errno. */
int
landlock_probe(void);

/* Whether it lets files be moved between directories where they may be
 * written: not before Linux 5.19. */
bool
landlock_lets_move(void);

/* Whether the kernel takes filters, and such that can end the whole process:
 * 0, -errno. */
int
seccomp_probe(void);

/* The access of a confined process to files; as root, also to those that
 * others may not read, or write. */
enum files_kept { FILES_NONE = 0, FILES_READ, FILES_WRITE };

/* Whether capabilities can be given up, or there are none: 0, -errno. */
int
caps_probe(void);

/* Gives up all capabilities but those for such files; 0 or -errno. */
int
caps_keep(enum files_kept kept);

struct sandbox_place;

/*
 * shape:  takes the file system away, except these places
 * errors: -errno; a place that cannot be opened is skipped
 */
int
landlock_confine(const struct sandbox_place *places, size_t nr);

/* What a process keeps. */
struct sandbox_keeps {
	enum files_kept files;
	const struct sandbox_place *places;
	size_t place_nr;
	const struct run *run; /* NULL: it is no worker */
	enum stage_id stage;
};

/* Enables these layers, in their order; 0 or -errno. */
int
sandbox_put_on(unsigned active, const struct sandbox_keeps *keeps);

/* Loads the filter of a command; 0 or -errno. */
int
seccomp_confine_command(enum files_kept files);

/* Loads the filter of a stage; 0 or -errno. */
int
seccomp_confine(const struct run *run, enum stage_id stage);

#endif
