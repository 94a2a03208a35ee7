/* SPDX-License-Identifier: MIT */
/*
 * test_survey_rig.h - a run made up by hand, with a directory for what is kept of it.
 */
#ifndef TESTS_SUPPORT_TEST_SURVEY_RIG_H
#define TESTS_SUPPORT_TEST_SURVEY_RIG_H

#include "tests/support/test_report_rig.h"

#include <limits.h>

#include "supervisor/survey_place.h"

static char place[PATH_MAX]; /* of the survey that is kept */

/* A run of one root, by which nothing is kept yet. */
static void
set_up_run(void **state)
{
	static const char *const roots[] = { "src" };

	set_up(state);
	setenv("XDG_CACHE_HOME", dir, 1);
	run.job.roots = roots;
	run.job.root_nr = 1;
}

static int
tear_down_cache(void **state)
{
	char path[sizeof(dir) + 20];

	unlink(place);
	snprintf(path, sizeof(path), "%s/bale/surveys", dir);
	rmdir(path);
	snprintf(path, sizeof(path), "%s/bale", dir);
	rmdir(path);
	return tear_down(state);
}

#endif
