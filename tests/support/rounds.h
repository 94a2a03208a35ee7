/* SPDX-License-Identifier: MIT */
/*
 * rounds.h - how often a test repeats what it computes.
 *
 * Under a sanitizer, which makes each round several times slower and looks
 * for a fault of any of them, a fourth of the rounds is run.
 */
#ifndef TESTS_SUPPORT_ROUNDS_H
#define TESTS_SUPPORT_ROUNDS_H

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define ROUNDS(nr) (((nr) + 3) / 4)
#else
#define ROUNDS(nr) (nr)
#endif

#endif
