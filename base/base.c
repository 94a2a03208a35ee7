/* SPDX-License-Identifier: MIT */
/*
 * base.c - the death of a failed assertion.
 */
#include "base/base.h"

#include <stdlib.h>

static base_assert_fn *on_assert;

void
base_on_assert(base_assert_fn *fn)
{
	on_assert = fn;
}

_Noreturn void
base_assert_failed(const char *what, const char *file, int line)
{
	if (on_assert != NULL)
		on_assert(what, file, line);
	abort();
}
