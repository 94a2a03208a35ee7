/* SPDX-License-Identifier: MIT */
/*
 * test_log.h - what a test's process logs, kept to be looked at.
 */
#ifndef TESTS_SUPPORT_TEST_LOG_H
#define TESTS_SUPPORT_TEST_LOG_H

#include "tests/support/test_shm.h"

#include "base/diag.h"

static int log_fd = -1;

/* From now on lines are kept, and none before. */
static inline void
log_begin(enum diag_level level)
{
	if (log_fd < 0)
		log_fd = memfd_create("log", MFD_CLOEXEC);
	ASSERT_TRUE(log_fd >= 0);
	ASSERT_EQ(ftruncate(log_fd, 0), 0);
	ASSERT_EQ(lseek(log_fd, 0, SEEK_SET), 0);
	diag_init(log_fd, level, false, "test");
}

static inline const char *
log_text(void)
{
	static char text[1 << 14];
	ssize_t got = pread(log_fd, text, sizeof(text) - 1, 0);

	text[got < 0 ? 0 : got] = '\0';
	return text;
}

/* It was said, and is forgotten. */
#define ASSERT_SAID(want)                                                     \
	do {                                                                  \
		if (strstr(log_text(), want) == NULL)                         \
			fail_msg("got \"%s\", want \"%s\" in it", log_text(), \
				 want);                                       \
		ASSERT_EQ(ftruncate(log_fd, 0), 0);                           \
		ASSERT_EQ(lseek(log_fd, 0, SEEK_SET), 0);                     \
	} while (0)

#define ASSERT_SILENT() assert_string_equal(log_text(), "")

#endif
