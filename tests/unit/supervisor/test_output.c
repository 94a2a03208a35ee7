/* SPDX-License-Identifier: MIT */
/*
 * test_output.c - a file that is whole or as it was; a stream without waiting.
 */
#include "tests/support/test_dir.h"

#include <zstd.h>

#include "base/signals.h"
#include "supervisor/output.h"

static struct run run;
static struct output output;

static int
set_up(void **state)
{
	run = (struct run){ .output_fd = -1 };
	return dir_set_up(state);
}

static int
tear_down(void **state)
{
	free(run.outputs);
	return dir_tear_down(state);
}

static void
put(const char *text)
{
	ASSERT_EQ(pwrite(run.output_fd, text, strlen(text), 0),
		  (ssize_t)strlen(text));
}

static bool
is_packed(const char *path)
{
	struct stat st;

	ASSERT_EQ(stat(path, &st), 0);
	for (uint32_t i = 0; i < run.output_nr; i++)
		if (run.outputs[i].ino == st.st_ino &&
		    run.outputs[i].dev == st.st_dev)
			return false;
	return true;
}

static void
test_output_has_its_name_when_it_is_whole(void **state)
{
	ASSERT_EQ(output_open(&output, "a.md", &run), 0);
	ASSERT_EQ(run.output_fd, output.fd);
	ASSERT_TRUE(!run.output_streams);
	put("new");
	ASSERT_NAMES(".", "");
	ASSERT_EQ(replace_ready(&output.target), 0);
	ASSERT_EQ(replace_commit(&output.target), 0);
	ASSERT_TEXT("a.md", "new");
	ASSERT_TRUE(!is_packed("a.md"));
	output_close(&output);
	ASSERT_NAMES(".", "a.md");
}

/* What is given up leaves what was there, and nothing else. */
static void
test_output_that_is_given_up_changes_nothing(void **state)
{
	dir_write("a.md", "old");
	ASSERT_EQ(output_open(&output, "a.md", &run), 0);
	put("new");
	ASSERT_EQ(replace_ready(&output.target), 0);
	output_close(&output);
	ASSERT_NAMES(".", "a.md");
	ASSERT_TEXT("a.md", "old");
	/* both the old one and the new one are no input */
	ASSERT_EQ(run.output_nr, 2);
	ASSERT_TRUE(!is_packed("a.md"));
	ASSERT_EQ(output.fd, -1);
}

static void
test_output_keeps_the_mode_of_what_it_replaces(void **state)
{
	struct stat st;

	dir_write("a.md", "old");
	ASSERT_EQ(chmod("a.md", 0604), 0);
	ASSERT_EQ(output_open(&output, "a.md", &run), 0);
	put("new");
	ASSERT_EQ(replace_commit(&output.target), 0);
	output_close(&output);
	ASSERT_EQ(stat("a.md", &st), 0);
	ASSERT_EQ(st.st_mode & 07777, 0604);
	ASSERT_TEXT("a.md", "new");
}

static void
test_output_that_cannot_be_is_an_errno(void **state)
{
	ASSERT_EQ(mkdir("d", 0700), 0);
	ASSERT_EQ(output_open(&output, "d", &run), -EISDIR);
	ASSERT_EQ(output.fd, -1);
	ASSERT_EQ(run.output_fd, -1);
	ASSERT_EQ(output_open(&output, "none/a.md", &run), -ENOENT);
	ASSERT_NAMES(".", "d");
}

/* Into a pipe that is read slowly: as much as it holds, then the rest. */
static void
test_output_of_a_pipe_is_pumped_without_waiting(void **state)
{
	enum { BYTES = 300000 };
	static char text[BYTES];
	static char got[BYTES];
	int reader;
	size_t nr = 0;
	int result;

	for (size_t i = 0; i < BYTES; i++)
		text[i] = (char)('a' + i % 23);
	ASSERT_EQ(mkfifo("p", 0600), 0);
	reader = open("p", O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	run.job.takes_all = true;
	ASSERT_EQ(output_open(&output, "p", &run), 0);
	ASSERT_TRUE(output.is_pipe);
	ASSERT_TRUE(run.output_streams);
	ASSERT_EQ(write(run.output_fd, text, BYTES), BYTES);
	ASSERT_EQ(output_pump(&output, 0), 1);
	do {
		ssize_t part;

		result = output_pump(&output, BYTES);
		ASSERT_TRUE(result >= 0);
		while ((part = read(reader, got + nr, BYTES - nr)) > 0)
			nr += (size_t)part;
		ASSERT_TRUE(output.pumped_bytes >= nr);
	} while (result == 0);
	ASSERT_EQ(nr, BYTES);
	assert_memory_equal(got, text, BYTES);
	/* more than was written, and then to nobody */
	ASSERT_EQ(output_pump(&output, BYTES + 1), -EIO);
	close(reader);
	signal(SIGPIPE, SIG_IGN);
	ASSERT_EQ(write(run.output_fd, text, 1), 1);
	ASSERT_EQ(output_pump(&output, BYTES + 1), -EPIPE);
	ASSERT_EQ(replace_ready(&output.target), 0);
	ASSERT_EQ(replace_commit(&output.target), 0);
	output_close(&output);
}

/* A device is written to, not renamed. */
static void
test_output_of_a_device_is_a_stream(void **state)
{
	int stream_fd;

	ASSERT_EQ(output_open(&output, "/dev/null", &run), 0);
	stream_fd = output.stream_fd;
	ASSERT_TRUE(!output.is_pipe && stream_fd >= 0);
	/* of a plan nothing is pumped until it is the one */
	ASSERT_TRUE(!run.output_streams);
	put("some text");
	ASSERT_EQ(output_pump(&output, 9), 1);
	ASSERT_EQ(output.pumped_bytes, 9);
	output_close(&output);
	/* what was opened is closed, what was given is not */
	ASSERT_EQ(fcntl(stream_fd, F_GETFD), -1);
	ASSERT_EQ(output_open(&output, NULL, &run), 0);
	ASSERT_EQ(output.stream_fd, STDOUT_FILENO);
	output_close(&output);
	ASSERT_EQ(output_open(&output, "-", &run), 0);
	ASSERT_EQ(output.stream_fd, STDOUT_FILENO);
	output_close(&output);
	ASSERT_TRUE(fcntl(STDOUT_FILENO, F_GETFD) >= 0);
}

/* Files that this run writes besides, if they are there. */
static void
test_output_of_other_files_is_not_packed(void **state)
{
	dir_write("report.json", "{}");
	ASSERT_EQ(mkdir("d", 0700), 0);
	output_never_pack(&run, NULL);
	output_never_pack(&run, "none");
	ASSERT_EQ(run.output_nr, 0);
	output_never_pack(&run, "d");
	ASSERT_EQ(run.output_nr, 1);
	ASSERT_TRUE(!is_packed("d"));
	ASSERT_TRUE(is_packed("report.json"));
	output_never_pack(&run, "report.json");
	ASSERT_EQ(run.output_nr, 2);
	ASSERT_TRUE(!is_packed("report.json"));
}

/* The examples of FIPS 180-4, from the middle and to the end of a file. */
static void
test_output_sha256_is_of_the_bytes_that_are_asked_for(void **state)
{
	static const uint8_t abc[4] = { 0xba, 0x78, 0x16, 0xbf };
	static const uint8_t none[4] = { 0xe3, 0xb0, 0xc4, 0x42 };
	uint8_t digest[SHA256_BYTES];
	int fd;

	dir_write("f", "xxabc");
	fd = open("f", O_RDONLY | O_CLOEXEC);
	ASSERT_EQ(output_sha256(fd, 2, 3, digest), 3);
	assert_memory_equal(digest, abc, sizeof(abc));
	ASSERT_EQ(output_sha256(fd, 2, UINT64_MAX, digest), 3);
	assert_memory_equal(digest, abc, sizeof(abc));
	ASSERT_EQ(output_sha256(fd, 1, 0, digest), 0);
	assert_memory_equal(digest, none, sizeof(none));
	ASSERT_EQ(output_sha256(fd, 2, 4, digest), -EIO);
	close(fd);
	ASSERT_EQ(output_sha256(fd, 0, 1, digest), -EBADF);
}

/* A compressed file takes the place of what was written. */
static void
test_output_that_is_deflated_is_zstd(void **state)
{
	char packed[200];
	char text[20] = "";
	ssize_t nr;
	int fd;

	ASSERT_EQ(output_open(&output, "a.md.zst", &run), 0);
	put("some text, and more");
	ASSERT_EQ(output_deflate(&output, 9), 0);
	ASSERT_EQ(replace_commit(&output.target), 0);
	output_close(&output);
	ASSERT_NAMES(".", "a.md.zst");
	fd = open("a.md.zst", O_RDONLY | O_CLOEXEC);
	nr = read(fd, packed, sizeof(packed));
	close(fd);
	ASSERT_EQ(ZSTD_decompress(text, sizeof(text), packed, (size_t)nr), 9);
	assert_string_equal(text, "some text");
	/* there is less than that: nothing changes */
	ASSERT_EQ(output_open(&output, "b.zst", &run), 0);
	put("some");
	ASSERT_EQ(output_deflate(&output, 9), -EIO);
	output_close(&output);
	ASSERT_NAMES(".", "a.md.zst");
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int
main(void)
{
	const struct CMUnitTest tests[] = {
		CASE(test_output_has_its_name_when_it_is_whole),
		CASE(test_output_that_is_given_up_changes_nothing),
		CASE(test_output_keeps_the_mode_of_what_it_replaces),
		CASE(test_output_that_cannot_be_is_an_errno),
		CASE(test_output_of_a_pipe_is_pumped_without_waiting),
		CASE(test_output_of_a_device_is_a_stream),
		CASE(test_output_of_other_files_is_not_packed),
		CASE(test_output_sha256_is_of_the_bytes_that_are_asked_for),
		CASE(test_output_that_is_deflated_is_zstd),
	};

	return cmocka_run_group_tests_name("supervisor/output", tests, NULL,
					   NULL);
}
