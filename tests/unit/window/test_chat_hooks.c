/* SPDX-License-Identifier: MIT */
/*
 * test_chat_hooks.c - the commands before and after a compaction.
 */
#include "tests/support/test_compact.h"

#include <unistd.h>

/* What a file holds: free(); "" if there is none. */
static char *
read_file(const char *path)
{
	FILE *file = fopen(path, "r");
	char *text = calloc(1, 4096);

	assert_non_null(text);
	if (file != NULL) {
		(void)!fread(text, 1, 4095, file);
		fclose(file);
	}
	return text;
}

/* A hook was given one object: it ran once. Takes that away. */
static void
heard(const char *dir, const char *hook, const char *event, const char *key,
      const char *value)
{
	char path[SCRATCH_BYTES + 16];
	json_t *parsed;
	char *text;

	snprintf(path, sizeof(path), "%s/%s", dir, hook);
	text = read_file(path);
	parsed = load(text);
	assert_string_equal(
		json_string_value(json_object_get(parsed, "hook_event_name")),
		event);
	assert_string_equal(json_string_value(json_object_get(parsed, key)),
			    value);
	json_decref(parsed);
	free(text);
	unlink(path);
}

/* verifies: CMP-09 */
static void
test_compact_fires_one_hook_before_and_one_after(void **state)
{
	struct warnings warnings;
	struct chat_options options = options_of(10000, &warnings);
	struct chat_report report;
	char dir[SCRATCH_BYTES];
	char pre[SCRATCH_BYTES + 16];
	char post[SCRATCH_BYTES + 16];
	char *json = exchanges(200, 40);
	char share[40];
	char *text;

	assert_non_null(mkdtemp(scratch_name(dir, "hooks")));
	snprintf(pre, sizeof(pre), "cat >>%s/pre", dir);
	snprintf(post, sizeof(post), "cat >>%s/post", dir);
	options.hook_pre = pre;
	options.hook_post = post;
	options.session = "s-2";
	free(compact(json, &options, &report));

	/* of the room, a tenth less than the limit: to six figures */
	snprintf(share, sizeof(share), "\"utilization\":%.6g,",
		 (double)report.before.used / 9000);
	text = read_file(pre + strlen("cat >>"));
	assert_non_null(strstr(text, share));
	free(text);
	heard(dir, "pre", "PreCompact", "trigger", "auto");
	heard(dir, "post", "SessionStart", "source", "compact");
	assert_int_equal(warnings.nr, 0);

	/* not due: no hook; one that fails: a warning, no more */
	options.limit_tokens = 100000;
	free(compact(json, &options, &report));
	text = read_file(post + strlen("cat >>"));
	assert_string_equal(text, "");
	free(text);
	options.limit_tokens = 10000;
	options.hook_pre = "exit 2";
	options.hook_post = NULL;
	free(compact(json, &options, &report));
	assert_int_equal(report.method, CHAT_TRUNCATED);
	assert_begins(warnings.text, "BALE-CMP-011 ");
	rmdir(dir);
	free(json);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
			test_compact_fires_one_hook_before_and_one_after),
	};

	return cmocka_run_group_tests_name("window/chat_hooks", tests, NULL,
					   NULL);
}
