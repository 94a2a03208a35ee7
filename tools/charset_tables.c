/* SPDX-License-Identifier: MIT */
/*
 * charset_tables.c - the tables of base/charset.c, as the C library has them.
 *
 * Does: writes arrays of C to stdout: what each two bytes of a set are in
 *       Unicode, and what each high byte of another is.
 * Does not: know characters beyond the first plane; they are 0, as is what is
 *           no character.
 * Runs in: the build.
 */
#include <iconv.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/charset.h"

/* The first plane's character that the bytes are; 0: none. */
static unsigned
convert(iconv_t set, char *bytes, size_t nr)
{
	uint8_t code[8];
	char *to = (char *)code;
	size_t room = sizeof(code);

	iconv(set, NULL, NULL, NULL, NULL);
	if (iconv(set, &bytes, &nr, &to, &room) != 0 || nr != 0 ||
	    room != sizeof(code) - 2)
		return 0;
	return (unsigned)(code[0] | code[1] << 8);
}

static iconv_t
open_set(const char *name)
{
	iconv_t set = iconv_open("UTF-16LE", name);

	if (set == (iconv_t)-1) {
		fprintf(stderr,
			"iconv(3) does not know %s: its modules are missing\n",
			name);
		exit(1);
	}
	return set;
}

static void
write_pairs(const char *name)
{
	iconv_t set = open_set(name);

	printf("{\n");
	for (unsigned lead = CHARSET_LEAD_MIN; lead <= 0xfe; lead++) {
		printf("{");
		for (unsigned trail = CHARSET_TRAIL_MIN; trail <= 0xfe;
		     trail++) {
			char bytes[2] = { (char)lead, (char)trail };

			printf("%u,", convert(set, bytes, 2));
		}
		printf("},\n");
	}
	printf("},\n");
	iconv_close(set);
}

int
main(void)
{
	iconv_t cyrillic = open_set("CP1251");

	printf("static const uint16_t pairs[CHARSET_PAIRS_NR]"
	       "[CHARSET_LEAD_NR][CHARSET_TRAIL_NR] = {\n");
	write_pairs("GB18030");
	write_pairs("CP932");
	write_pairs("CP949");
	printf("};\nstatic const uint16_t cyrillic[128] = {\n");
	for (unsigned byte = 0x80; byte <= 0xff; byte++) {
		char bytes[1] = { (char)byte };

		printf("%u,", convert(cyrillic, bytes, 1));
	}
	printf("};\n");
	iconv_close(cyrillic);
	return fflush(stdout) != 0;
}
