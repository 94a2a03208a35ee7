/* SPDX-License-Identifier: MIT */
/*
 * fence.h - a text as data, between lines of backticks.
 */
#ifndef CLI_FENCE_H
#define CLI_FENCE_H

#include <stddef.h>
#include <stdio.h>

/* Prints a text between fences, longer than any in it. */
void
fence_print(FILE *out, const char *text, size_t bytes);

#endif
