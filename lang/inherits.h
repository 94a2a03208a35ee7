/* SPDX-License-Identifier: MIT */
/*
 * inherits.h - whether a name is one that a type is derived from.
 *
 * Does: tells `class A(Base):`, `class A extends Base`, `struct A : Base`,
 *       `impl Base for A` and the like from other uses of the name, by the line
 *       that it stands in and by up to three lines before it.
 * Does not: know a language, or interfaces that a type has without naming them,
 *       as in Go.
 * Invariants:
 * 1. All input is foreign: any bytes are read, at most INHERITS_REACH of them
 *    before the name and behind it.
 */
#ifndef LANG_INHERITS_H
#define LANG_INHERITS_H

#include "base/base.h"

#define INHERITS_REACH 1024u

/*
 * shape:  whether a type is derived from what stands at text[at, at +
 *         name_bytes)
 * units:  bytes; the name has one at least and lies in the text
 * calls:  rank/query_declared.c
 */
bool
lang_inherits(const uint8_t *text, size_t bytes, size_t at, size_t name_bytes);

#endif
