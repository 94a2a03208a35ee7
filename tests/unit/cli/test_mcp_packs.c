/* SPDX-License-Identifier: MIT */
/*
 * test_mcp_packs.c - packs that are kept, found and let go.
 */
#include "tests/support/test_command.h"

#include <fcntl.h>
#include <unistd.h>

#include "base/new_file.h"
#include "cli/mcp.h"

static struct mcp_packs packs;

/* Keeps a file of so many bytes; its descriptor. */
static int
keep(const char *id, off_t bytes)
{
	int fd = temp_file_open();

	assert_true(fd >= 0);
	assert_int_equal(ftruncate(fd, bytes), 0);
	mcp_packs_add(&packs, id, fd, NULL);
	return fd;
}

static bool
is_open(int fd)
{
	return fcntl(fd, F_GETFD) >= 0;
}

static bool
finds(const char *place, uint64_t want)
{
	uint64_t offset;

	return mcp_packs_find(&packs, place, &offset) != NULL && offset == want;
}

static void
test_mcp_packs_finds_ids_and_places_in_them(void **state)
{
	keep("00c0ffee", 100);
	assert_true(finds("00c0ffee", 0));
	assert_true(finds("00c0ffee-0", 0));
	assert_true(finds("00c0ffee-100", 100));
	assert_false(finds("00c0ffee-101", 101));
	assert_false(finds("00c0ffee-", 0));
	assert_false(finds("00c0ffee-1x", 1));
	assert_false(finds("00c0ffe", 0));
	assert_false(finds("", 0));
	assert_false(finds("00c0ffeeb", 0));
	mcp_packs_free(&packs);
	assert_false(finds("00c0ffee", 0));
}

static void
test_mcp_packs_lets_the_oldest_go(void **state)
{
	char id[MCP_PACK_ID_BYTES];
	int first = keep("00000000", 10);
	int again;

	for (int i = 1; i < MCP_PACKS_MAX; i++) {
		snprintf(id, sizeof(id), "%08x", (unsigned)i);
		keep(id, 10);
	}
	assert_true(finds("00000000", 0));
	again = keep("00000000", 20); /* the newest now */
	assert_true(!is_open(first) || first == again);
	assert_int_equal(packs.nr, MCP_PACKS_MAX);
	keep("ffffffff", 10);
	assert_int_equal(packs.nr, MCP_PACKS_MAX);
	assert_false(finds("00000001", 0));
	assert_true(finds("00000000-20", 20));
	assert_int_equal(packs.bytes, 10 * (MCP_PACKS_MAX - 1) + 20);
	/* one that takes the room of all */
	keep("eeeeeeee", MCP_PACKS_BYTES);
	assert_int_equal(packs.nr, 1);
	mcp_packs_free(&packs);
	assert_int_equal(packs.bytes, 0);
}

static void
test_mcp_packs_keeps_nothing_without_an_id_or_too_large(void **state)
{
	assert_false(is_open(keep(NULL, 1)));
	assert_false(is_open(keep("", 1)));
	assert_false(is_open(keep("0123456X", 1)));
	assert_false(is_open(keep("../../..", 1)));
	assert_false(is_open(keep("01234567", MCP_PACKS_BYTES + 1)));
	assert_int_equal(packs.nr, 0);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		COMMAND_TEST(mcp_packs_finds_ids_and_places_in_them),
		COMMAND_TEST(mcp_packs_lets_the_oldest_go),
		COMMAND_TEST(mcp_packs_keeps_nothing_without_an_id_or_too_large),
	};

	return cmocka_run_group_tests_name("cli/mcp_packs", tests, NULL, NULL);
}
