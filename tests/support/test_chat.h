/* SPDX-License-Identifier: MIT */
/*
 * test_chat.h - what the tests of conversations share.
 */
#ifndef TESTS_SUPPORT_TEST_CHAT_H
#define TESTS_SUPPORT_TEST_CHAT_H

#include "window/chat.h"

/* Options as the command line has them where nothing is given. */
static inline struct chat_options
chat_defaults(void)
{
	return (struct chat_options){
		.reserve_tokens = 16384,
		.threshold = 0.80,
		.critical = 0.95,
		.preserve = 0.40,
		.prune_over = 1000,
		.keep_recent = 5,
	};
}

#endif
