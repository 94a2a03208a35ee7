/* SPDX-License-Identifier: MIT */
/*
 * sandbox_layers.h - the layers of the sandbox, between their files alone.
 */
#ifndef SUPERVISOR_SANDBOX_LAYERS_H
#define SUPERVISOR_SANDBOX_LAYERS_H

#include "stages/stage.h"

/* The version of Landlock that the kernel speaks; 0: none. */
int
landlock_version(void);

/*
 * shape:  takes the file system away, but for reading below the roots and
 *         what is in reach where the stage is collect
 * errors: -errno; a root that cannot be opened is passed over, so that it
 *         cannot be read
 */
int
landlock_shut_in(const struct run *run, enum stage_id stage,
		 const struct reach *reach);

/* Whether the kernel takes filters that can end the whole process. */
bool
seccomp_is_there(void);

/* Loads the filter of a stage; 0 or -errno. */
int
seccomp_shut_in(const struct run *run, enum stage_id stage);

#endif
