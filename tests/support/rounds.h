/* SPDX-License-Identifier: MIT */
/*
 * rounds.h - how often a test repeats what it computes.
 *
 * Under a sanitizer, which makes each round several times slower and looks
 * for a fault of any of them, a fourth of the rounds is run. What is random
 * is tried several times as often with LONG=1: times_long().
 */
#ifndef TESTS_SUPPORT_ROUNDS_H
#define TESTS_SUPPORT_ROUNDS_H

#include <stdlib.h>
#include <string.h>

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define ROUNDS(nr) (((nr) + 3) / 4)
#else
#define ROUNDS(nr) (nr)
#endif

/* times with LONG=1, else 1 */
static inline unsigned
times_long(unsigned times)
{
	const char *text = getenv("LONG");

	return text != NULL && text[0] != '\0' && strcmp(text, "0") != 0 ? times
									 : 1;
}

#endif
