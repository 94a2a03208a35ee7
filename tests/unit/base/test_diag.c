/* SPDX-License-Identifier: MIT */
/*
 * test_diag.c - log lines that nobody can inject into, and last words.
 */
#include "tests/support/test_shm.h"

#include <jansson.h>
#include <limits.h>
#include <sys/resource.h>

#include "base/diag.h"

/* A pipe that keeps each write apart, so that writes can be counted. */
static int pipe_fds[2];

static int
setup(void **state)
{
	if (pipe2(pipe_fds, O_DIRECT | O_NONBLOCK | O_CLOEXEC) != 0)
		return -1;
	diag_init(pipe_fds[1], DIAG_INFO, false, "run-1");
	diag_set_name("bale");
	return 0;
}

static int
teardown(void **state)
{
	diag_init(STDERR_FILENO, DIAG_WARN, false, "");
	close(pipe_fds[0]);
	close(pipe_fds[1]);
	return 0;
}

/* What the next write(2) wrote; "" if there was none. */
static const char *
next_write(void)
{
	static char text[PIPE_BUF + 1];
	ssize_t n = read(pipe_fds[0], text, PIPE_BUF);

	text[n > 0 ? n : 0] = '\0';
	return text;
}

/* One line, short enough to be written whole, and nothing else. */
static void
check_one_line(const char *text)
{
	size_t bytes = strlen(text);

	ASSERT_TRUE(bytes > 0 && bytes < PIPE_BUF);
	ASSERT_TRUE(bytes <= DIAG_LINE_MAX);
	ASSERT_EQ(text[bytes - 1], '\n');
	for (size_t i = 0; i + 1 < bytes; i++)
		ASSERT_TRUE((unsigned char)text[i] >= 0x20 && text[i] != 0x7f);
}

/* verifies: FR-016c-49 */
static void
test_diag_quote_of_names(void **state)
{
	static const struct {
		const char *name;
		const char *want;
	} cases[] = {
		{ "src/main.c", "src/main.c" },
		{ "a b", "a b" },
		{ "\xc3\xa4rger/\xe6\x97\xa5", "\xc3\xa4rger/\xe6\x97\xa5" },
		{ "\xf0\x9f\x98\x80", "\xf0\x9f\x98\x80" },
		{ "", "\"\"" },
		{ " a", "\" a\"" },
		{ "a ", "\"a \"" },
		{ "a\nb", "\"a\\nb\"" },
		{ "a\tb\rc", "\"a\\tb\\rc\"" },
		{ "\x1b[31mred", "\"\\033[31mred\"" },
		{ "\x7f", "\"\\177\"" },
		{ "say \"x\"", "\"say \\\"x\\\"\"" },
		{ "a\\b", "\"a\\\\b\"" },
		{ "\xff\xfe", "\"\\377\\376\"" },
		/* C1 control, bidi override, isolate, zero width, BOM, tag */
		{ "\xc2\x9b", "\"\\302\\233\"" },
		{ "\xe2\x80\xae", "\"\\342\\200\\256\"" },
		{ "\xe2\x81\xa6", "\"\\342\\201\\246\"" },
		{ "a\xe2\x80\x8b"
		  "b",
		  "\"a\\342\\200\\213b\"" },
		{ "\xef\xbb\xbf", "\"\\357\\273\\277\"" },
		{ "\xf3\xa0\x81\x81", "\"\\363\\240\\201\\201\"" },
		/* cut short, overlong, surrogate, beyond the last */
		{ "\xe6\x97", "\"\\346\\227\"" },
		{ "\xc0\xaf", "\"\\300\\257\"" },
		{ "\xe0\x80\xaf", "\"\\340\\200\\257\"" },
		{ "\xed\xa0\x80", "\"\\355\\240\\200\"" },
		{ "\xf4\x90\x80\x80", "\"\\364\\220\\200\\200\"" },
	};
	char out[256];

	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		const char *got =
			diag_quote_text(out, sizeof(out), cases[i].name);

		if (strcmp(got, cases[i].want) != 0)
			fail_msg("case %zu: got %s, want %s", i, got,
				 cases[i].want);
	}
}

static void
test_diag_quote_of_a_nul_byte(void **state)
{
	char out[64];

	diag_quote(out, sizeof(out), (const uint8_t *)"a\0b", 3);
	assert_string_equal(out, "\"a\\000b\"");
}

/* Every size of room: never more than that, never a character cut in two. */
static void
test_diag_quote_of_long_names_ends_in_dots(void **state)
{
	static const char *const pieces[] = { "a",
					      "\n",
					      "\xff",
					      "\xe2\x80\xae",
					      "\xe6\x97\xa5",
					      "\xf3\xa0\x81\x81" };
	char name[600];
	char out[600];

	for (size_t p = 0; p < ARRAY_LEN(pieces); p++) {
		size_t len = strlen(pieces[p]);
		size_t bytes = 0;

		while (bytes + len <= sizeof(name)) {
			memcpy(name + bytes, pieces[p], len);
			bytes += len;
		}
		for (size_t size = 25; size < 300; size++) {
			json_t *json;
			size_t n;

			memset(out, 0x55, sizeof(out));
			diag_quote(out, size, (uint8_t *)name, bytes);
			n = strlen(out);
			ASSERT_TRUE(n < size);
			ASSERT_TRUE(strstr(out, "...") != NULL);
			ASSERT_EQ(out[size], 0x55);
			json = json_stringn(out, n); /* refuses bad UTF-8 */
			ASSERT_TRUE(json != NULL);
			json_decref(json);
		}
	}
}

/* Whatever the bytes are, what comes out is text that a terminal may see. */
static void
test_diag_quote_of_random_bytes_is_printable(void **state)
{
	uint64_t seed = 3;

	for (int i = 0; i < 20000; i++) {
		uint8_t name[24];
		char out[128];
		size_t bytes = random_next(&seed) % (sizeof(name) + 1);
		json_t *json;

		for (size_t j = 0; j < bytes; j++)
			name[j] = (uint8_t)(random_next(&seed) >> 13);
		diag_quote(out, sizeof(out), name, bytes);
		for (const char *c = out; *c != '\0'; c++)
			ASSERT_TRUE((unsigned char)*c >= 0x20 && *c != 0x7f);
		json = json_string(out);
		ASSERT_TRUE(json != NULL);
		json_decref(json);
	}
}

/* verifies: NFR-016-57 */
static void
test_diag_log_is_one_line_and_one_write(void **state)
{
	diag_log(DIAG_ERROR, "cannot read %s: %s", "x", "no such file");
	assert_string_equal(next_write(),
			    "bale: cannot read x: no such file\n");
	diag_log(DIAG_WARN, "%d files", 3);
	assert_string_equal(next_write(), "bale: warning: 3 files\n");
	diag_set_name("count.0");
	diag_log(DIAG_INFO, "hello");
	assert_string_equal(next_write(), "count.0: hello\n");
	diag_log(DIAG_DEBUG, "not wanted");
	assert_string_equal(next_write(), "");
}

/* verifies: FR-016c-49 */
static void
test_diag_log_of_control_characters_stays_one_line(void **state)
{
	diag_log(DIAG_ERROR, "a\nbale: forged\r\x1b[31m\x7f");
	assert_string_equal(next_write(), "bale: a?bale: forged??[31m?\n");
	diag_log(DIAG_ERROR, "\xe2\x80\xae, \xc2\x9b, \xff");
	assert_string_equal(next_write(), "bale: ?, ?, ?\n");
	assert_string_equal(next_write(), "");
}

static void
test_diag_log_of_too_much_is_cut_to_one_line(void **state)
{
	char text[8000];

	for (size_t bytes = 900; bytes < sizeof(text); bytes += 53) {
		memset(text, 'x', bytes);
		text[bytes] = '\0';
		diag_log(DIAG_ERROR, "%s", text);
		check_one_line(next_write());
		assert_string_equal(next_write(), "");
	}
}

static void
check_json(const char *line, const char *level)
{
	json_error_t error;
	json_t *json;

	check_one_line(line);
	json = json_loads(line, JSON_REJECT_DUPLICATES, &error);
	if (json == NULL)
		fail_msg("got %s in %s, want JSON", error.text, line);
	assert_string_equal(json_string_value(json_object_get(json, "level")),
			    level);
	assert_string_equal(json_string_value(json_object_get(json, "run")),
			    "run-1");
	assert_string_equal(json_string_value(json_object_get(json, "from")),
			    "bale");
	ASSERT_TRUE(json_is_string(json_object_get(json, "message")));
	json_decref(json);
}

/* verifies: NFR-016-64, NFR-016-65 */
static void
test_diag_json_lines_parse(void **state)
{
	static const char *const texts[] = {
		"",
		"plain",
		"quote \" and \\",
		"a\nb\tc\x01\x1f",
		"\x7f",
		"\xe6\x97\xa5",
		"{\"level\":\"forged\"}\n{",
	};

	diag_init(pipe_fds[1], DIAG_DEBUG, true, "run-1");
	for (size_t i = 0; i < ARRAY_LEN(texts); i++) {
		diag_log(DIAG_DEBUG, "%s", texts[i]);
		check_json(next_write(), "debug");
		assert_string_equal(next_write(), "");
	}
}

/* Cut anywhere, in the middle of a character or of an escape. */
static void
test_diag_json_of_too_much_still_parses(void **state)
{
	static const char *const pieces[] = { "x", "\"", "\n", "\xe6\x97\xa5",
					      "\xf0\x9f\x98\x80" };
	char text[4000];

	diag_init(pipe_fds[1], DIAG_DEBUG, true, "run-1");
	for (size_t p = 0; p < ARRAY_LEN(pieces); p++) {
		size_t len = strlen(pieces[p]);
		size_t n = 0;

		for (; n + len < sizeof(text); n += len)
			memcpy(text + n, pieces[p], len);
		text[n] = '\0';
		for (size_t skip_nr = 0; skip_nr < 8; skip_nr++) {
			diag_log(DIAG_ERROR, "%.*s%s", (int)skip_nr, "aaaaaaaa",
				 text);
			check_json(next_write(), "error");
		}
	}
}

static void
test_diag_json_of_invalid_utf8_still_parses(void **state)
{
	diag_init(pipe_fds[1], DIAG_DEBUG, true, "run-1");
	diag_log(DIAG_ERROR, "bytes \xff\xfe, \xe6\x97 cut, \xed\xa0\x80");
	check_json(next_write(), "error");
}

static void
child_is_fatal(void *arg)
{
	diag_fatal(42, "the end of %s", "it");
}

static void
test_diag_fatal_logs_and_exits_with_the_code(void **state)
{
	ASSERT_EQ(run_child(child_is_fatal, NULL), 42);
	assert_string_equal(next_write(), "bale: the end of it\n");
}

static void
child_fails_an_assertion(void *arg)
{
	diag_set_panic_slot(arg, 64);
	ASSERT(2 + 2 == 5);
}

static void
test_diag_last_words_outlive_their_process(void **state)
{
	char *slot = mmap(NULL, 4096, PROT_READ | PROT_WRITE,
			  MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	assert_ptr_not_equal(slot, MAP_FAILED);
	memset(slot, 'x', 4096);
	ASSERT_EQ(run_child(child_fails_an_assertion, slot), -SIGABRT);
	ASSERT_TRUE(strstr(slot, "tests/unit/base/test_diag.c:") == slot);
	ASSERT_TRUE(strstr(slot, ": 2 + 2 == 5") != NULL);
	ASSERT_TRUE(strlen(slot) < 64);
	ASSERT_EQ(slot[64], 'x');
	munmap(slot, 4096);
}

static void
child_fails_without_a_slot(void *arg)
{
	diag_set_panic_slot(NULL, 0);
	ASSERT(arg != NULL);
}

static void
test_diag_last_words_without_a_slot_are_logged(void **state)
{
	const char *line;

	ASSERT_EQ(run_child(child_fails_without_a_slot, NULL), -SIGABRT);
	line = next_write();
	check_one_line(line);
	ASSERT_TRUE(strstr(line,
			   "assertion failed: tests/unit/base/test_diag.c:") !=
		    NULL);
}

/* Of an error that a limit may have caused: the limit, if there is one. */
static void
test_diag_errno_names_the_limit_behind_it(void **state)
{
	static const struct {
		__rlimit_resource_t resource;
		rlim_t limit;
		int error;
		const char *want;
	} cases[] = {
		{ RLIMIT_FSIZE, RLIM_INFINITY, -EFBIG, "File too large" },
		{ RLIMIT_FSIZE, 1536 << 10, -EFBIG,
		  "File too large: files are limited to 1536 KiB; raise the "
		  "limit (ulimit -f)" },
		{ RLIMIT_FSIZE, 1536 << 10, -ENOSPC,
		  "No space left on device" },
		{ RLIMIT_AS, RLIM_INFINITY, ENOMEM, "Cannot allocate memory" },
		{ RLIMIT_AS, 1ull << 45, ENOMEM,
		  "Cannot allocate memory: address space is limited to "
		  "34359738368 KiB; raise the limit (ulimit -v)" },
		{ RLIMIT_NOFILE, 40, -EMFILE,
		  "Too many open files: open files are limited to 40; raise "
		  "the limit (ulimit -n)" },
	};

	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct rlimit before;
		struct rlimit now;

		ASSERT_EQ(getrlimit(cases[i].resource, &before), 0);
		now = before;
		now.rlim_cur = cases[i].limit;
		ASSERT_EQ(setrlimit(cases[i].resource, &now), 0);
		diag_init(pipe_fds[1], DIAG_INFO, false, "run-1");
		assert_string_equal(diag_errno(cases[i].error), cases[i].want);
		ASSERT_EQ(setrlimit(cases[i].resource, &before), 0);
	}
}

#define DIAG_TEST(test) cmocka_unit_test_setup_teardown(test, setup, teardown)

int
main(void)
{
	const struct CMUnitTest tests[] = {
		DIAG_TEST(test_diag_quote_of_names),
		DIAG_TEST(test_diag_quote_of_a_nul_byte),
		DIAG_TEST(test_diag_quote_of_long_names_ends_in_dots),
		DIAG_TEST(test_diag_quote_of_random_bytes_is_printable),
		DIAG_TEST(test_diag_log_is_one_line_and_one_write),
		DIAG_TEST(test_diag_log_of_control_characters_stays_one_line),
		DIAG_TEST(test_diag_log_of_too_much_is_cut_to_one_line),
		DIAG_TEST(test_diag_json_lines_parse),
		DIAG_TEST(test_diag_json_of_too_much_still_parses),
		DIAG_TEST(test_diag_json_of_invalid_utf8_still_parses),
		DIAG_TEST(test_diag_fatal_logs_and_exits_with_the_code),
		DIAG_TEST(test_diag_errno_names_the_limit_behind_it),
		DIAG_TEST(test_diag_last_words_outlive_their_process),
		DIAG_TEST(test_diag_last_words_without_a_slot_are_logged),
	};

	return cmocka_run_group_tests_name("base/diag", tests, NULL, NULL);
}
