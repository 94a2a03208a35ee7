/* SPDX-License-Identifier: MIT */
/*
 * test_pack.c - heads of entries and differences, whole and damaged.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <errno.h>
#include <cmocka.h>

#include "git/pack.h"

static void
test_pack_entry_heads(void **state)
{
	static const struct {
		const char *bytes;
		size_t nr;
		uint64_t off;
		int want;
		enum pack_type type;
		uint64_t size;
		uint64_t base_off;
		size_t head_bytes;
	} rows[] = {
		{ "\x15", 1, 12, 0, PACK_COMMIT, 5, 0, 1 },
		{ "\xa7\x81\x01", 3, 12, 0, PACK_TREE, 7 + 16 + 2048, 0, 3 },
		{ "\x64\x03", 2, 12, 0, PACK_OFF_DELTA, 4, 9, 2 },
		{ "\x64\x80\x00", 3, 200, 0, PACK_OFF_DELTA, 4, 72, 3 },
		{ "\x74"
		  "abcdefghijklmnopqrst",
		  21, 12, 0, PACK_NAME_DELTA, 4, 0, 21 },
		/* a base at the entry itself, before the pack, cut off */
		{ "\x64\x00", 2, 12, -EINVAL, 0, 0, 0, 0 },
		{ "\x64\x0c", 2, 12, -EINVAL, 0, 0, 0, 0 },
		{ "\x64\x80", 2, 12, -EINVAL, 0, 0, 0, 0 },
		{ "\x74"
		  "abcdefghijklmnopqrs",
		  20, 12, -EINVAL, 0, 0, 0, 0 },
		{ "\x95", 1, 12, -EINVAL, 0, 0, 0, 0 },
		/* no such type, too large a number, nothing */
		{ "\x05", 1, 12, -EINVAL, 0, 0, 0, 0 },
		{ "\x55", 1, 12, -EINVAL, 0, 0, 0, 0 },
		{ "\x9f\xff\xff\xff\xff\xff\xff\xff\xff\x7f", 10, 12, -EINVAL,
		  0, 0, 0, 0 },
		{ "", 0, 12, -EINVAL, 0, 0, 0, 0 },
	};

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct pack_entry entry;
		uint8_t *in = malloc(rows[i].nr + 1);

		memcpy(in, rows[i].bytes, rows[i].nr);
		assert_int_equal(
			pack_entry_parse(&entry, in, rows[i].nr, rows[i].off),
			rows[i].want);
		if (rows[i].want == 0) {
			assert_int_equal(entry.type, rows[i].type);
			assert_int_equal(entry.bytes, rows[i].size);
			assert_int_equal(entry.base_off, rows[i].base_off);
			assert_int_equal(entry.head_bytes, rows[i].head_bytes);
		}
		free(in);
	}
}

static void
test_pack_deltas(void **state)
{
	/* of "0123456789": what a difference makes, NULL: nothing */
	static const struct {
		const char *delta;
		size_t nr;
		const char *want;
	} rows[] = {
		{ "\x0a\x05\x90\x05", 4, "01234" },
		{ "\x0a\x05\x91\x05\x05", 5, "56789" },
		{ "\x0a\x06\x02xy\x91\x08\x02\x02zz", 11, "xy89zz" },
		/* beyond the base, more and less than there is to be */
		{ "\x0a\x05\x91\x06\x05", 5, NULL },
		{ "\x0a\x05\x91\x0b\x01", 5, NULL },
		{ "\x0a\x04\x90\x05", 4, NULL },
		{ "\x0a\x06\x90\x05", 4, NULL },
		/* of another base, reserved, cut off */
		{ "\x0b\x05\x90\x05", 4, NULL },
		{ "\x0a\x05\x00\x90\x05", 5, NULL },
		{ "\x0a\x05\x91\x05", 4, NULL },
		{ "\x0a\x05\x05xxxx", 7, NULL },
		{ "\x0a\x05\x80", 3, NULL },
		{ "\x0a", 1, NULL },
		{ "", 0, NULL },
	};

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		uint8_t *in = malloc(rows[i].nr + 1);
		uint64_t before = 0;
		uint64_t after = 0;
		uint8_t *out;
		int error;

		memcpy(in, rows[i].delta, rows[i].nr);
		in = realloc(in, rows[i].nr > 0 ? rows[i].nr : 1);
		error = pack_delta_sizes(in, rows[i].nr, &before, &after);
		out = malloc(after + 1);
		assert_int_equal(error, rows[i].nr < 2 ? -EINVAL : 0);
		error = pack_delta_apply((struct pack_bytes){ in, rows[i].nr }, (struct pack_bytes){ (const uint8_t *)"0123456789", 10 }, out, after);
		assert_int_equal(error, rows[i].want == NULL ? -EINVAL : 0);
		if (error == 0)
			assert_memory_equal(out, rows[i].want, after);
		free(out);
		free(in);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_pack_entry_heads),
		cmocka_unit_test(test_pack_deltas),
	};

	return cmocka_run_group_tests_name("git/pack", tests, NULL, NULL);
}
