/* SPDX-License-Identifier: MIT */
/*
 * test_batch_stats.c - sums of lines of a manifest.
 */
#include "tests/support/test_dir.h"

#include <fcntl.h>
#include <jansson.h>

#include "cli/batch.h"

static void
test_batch_stats_are_sums(void **state)
{
	static const char manifest[] =
		"{\"class\":\"done\",\"files\":2,\"files_seen\":3,\"tokens\":10,"
		"\"bytes\":40,\"left_out\":{\"binary\":1},\"seconds\":0.5,"
		"\"peak_bytes\":7}\n"
		"{\"class\":\"failed\",\"seconds\":0.25}\n"
		"no JSON\n"
		"{\"class\":\"degraded\",\"files\":1,\"files_seen\":4,"
		"\"tokens\":5,\"bytes\":2,\"left_out\":{\"binary\":2,"
		"\"changed\":1},\"seconds\":1,\"peak_bytes\":9}\n"
		"{\"class\":\"done\",\"files\":99";
	int dir_fd = open(".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	json_t *want = json_loads(
		"[{\"name\":\"bale batch\",\"time_stats\":{\"total\":1.75,"
		"\"n\":3,\"mean\":0.583333333,\"min\":0.25,"
		"\"max\":1.0,\"unit\":\"line\"},\"stats\":{\"lines\":3,"
		"\"done\":1,\"degraded\":1,\"failed\":1,\"retry\":0,"
		"\"files_seen\":7,\"files\":3,\"tokens\":15,\"bytes\":42,"
		"\"left_out_binary\":3,\"left_out_changed\":1,"
		"\"peak_bytes\":{\"total\":16.0,\"n\":2,\"mean\":8.0,"
		"\"min\":7.0,\"max\":9.0,\"unit\":\"line\"}}}]",
		0, NULL);
	json_t *got;

	ASSERT_EQ(batch_stats_write(dir_fd, manifest, sizeof(manifest) - 1), 0);
	got = json_load_file("stats.json", 0, NULL);
	assert_non_null(want);
	assert_true(json_equal(got, want));
	json_decref(got);
	json_decref(want);
	close(dir_fd);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_batch_stats_are_sums,
						dir_set_up, dir_tear_down),
	};

	return cmocka_run_group_tests_name("cli/batch_stats", tests, NULL,
					   NULL);
}
