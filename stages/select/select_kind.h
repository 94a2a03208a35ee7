/* SPDX-License-Identifier: MIT */
/*
 * select_kind.h - what a file is, told by its path alone.
 *
 * Does: tests, texts, vendored and generated files, entry points, settings:
 *       select_kind.def has the names.
 * Does not: look into it.
 */
#ifndef SELECT_SELECT_KIND_H
#define SELECT_SELECT_KIND_H

#include "shm/base.h"

enum select_kind {
	SELECT_KIND_TEST = 1 << 0,
	SELECT_KIND_DOC = 1 << 1, /* texts, data, settings */
	SELECT_KIND_VENDORED = 1 << 2,
	SELECT_KIND_GENERATED = 1 << 3,
	SELECT_KIND_ENTRY = 1 << 4,
	SELECT_KIND_CONFIG = 1 << 5 /* of the project: a part of DOC, mostly */
};

/*
 * shape:  bits of enum select_kind
 * units:  the path below the root, no NUL
 */
uint32_t
select_kinds(const uint8_t *path, size_t bytes);

#endif
