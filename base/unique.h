/* SPDX-License-Identifier: MIT */
/*
 * unique.h - numbers for names that nobody else should choose.
 */
#ifndef BASE_UNIQUE_H
#define BASE_UNIQUE_H

#include <stdint.h>

/*
 * shape:  a number that is hardly drawn twice, by this process or another.
 *         Not for secrets: where the kernel gives no randomness, it is made of
 *         the time, the process and a counter
 */
uint64_t
unique_u64(void);

#endif
