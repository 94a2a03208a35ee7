/* SPDX-License-Identifier: MIT */
/*
 * number_format.h - numbers as people read them.
 *
 * Does: "1,234", "12.3k", "410k", "4.5 MiB", "1:02", "62 ms".
 * Does not: depend on the locale.
 * Runs in: the supervisor.
 */
#ifndef BASE_NUMBER_FORMAT_H
#define BASE_NUMBER_FORMAT_H

#include "base/base.h"

#define FIGURE_BYTES 32

/* All functions write to `out`, FIGURE_BYTES of the caller's unless they say
 * otherwise, and return it. */

/* "78,579" */
const char *
figure_count(char *out, uint64_t n);

/* "999", "12.3k", "4.5M" */
const char *
figure_short(char *out, uint64_t n);

/* "999", "12k", "4.5M", rounded down: of many, each as short as it can be */
const char *
figure_brief(char *out, uint64_t n);

/* "999 B", "12.3 KiB", "4.5 MiB" */
const char *
figure_bytes(char *out, uint64_t bytes);

/* "0:07", "12:34", "1:02:03" */
const char *
figure_clock(char *out, uint64_t ns);

/* "850 us", "62 ms", "3.21 s", "2 min 5 s" */
const char *
figure_duration(char *out, uint64_t ns);

/* "12.3 %"; "-" where `of` is 0 */
const char *
figure_share(char *out, uint64_t part, uint64_t of);

/* "00ff": two digits a byte; out: 2 * nr + 1 bytes of the caller's */
const char *
figure_hex(char *out, const uint8_t *bytes, size_t nr);

/* The same in memory of their own, which lives as long as the block does. */
#define COUNT_TEXT(n) figure_count((char[FIGURE_BYTES]){ 0 }, n)
#define BRIEF_TEXT(n) figure_brief((char[FIGURE_BYTES]){ 0 }, n)
#define BYTES_TEXT(n) figure_bytes((char[FIGURE_BYTES]){ 0 }, n)
#define DURATION_TEXT(ns) figure_duration((char[FIGURE_BYTES]){ 0 }, ns)
#define SHARE_TEXT(part, of) figure_share((char[FIGURE_BYTES]){ 0 }, part, of)

#endif
