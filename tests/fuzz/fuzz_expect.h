/* SPDX-License-Identifier: MIT */
/*
 * fuzz_expect.h - what fuzz targets have in common.
 */
#ifndef TESTS_FUZZ_FUZZ_EXPECT_H
#define TESTS_FUZZ_FUZZ_EXPECT_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t bytes_nr);

/* Says what is not so, and ends the target there. */
static inline void
expect(bool so, const char *what)
{
	if (so)
		return;
	fprintf(stderr, "%s\n", what);
	abort();
}

#endif
