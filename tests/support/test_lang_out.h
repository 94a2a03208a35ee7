/* SPDX-License-Identifier: MIT */
/*
 * test_lang_out.h - what is written of a text, as text.
 */
#ifndef TESTS_SUPPORT_TEST_LANG_OUT_H
#define TESTS_SUPPORT_TEST_LANG_OUT_H

#include "tests/support/test_shm.h"

#include "tests/support/test_lang_whole.h"

struct out {
	char text[1024];
	size_t nr;
};

static inline void
out_put(void *context, const uint8_t *text, size_t bytes)
{
	struct out *out = context;

	assert_true(out->nr + bytes < sizeof(out->text));
	memcpy(out->text + out->nr, text, bytes);
	out->nr += bytes;
	out->text[out->nr] = '\0';
}

#endif
