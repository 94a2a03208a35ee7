/* SPDX-License-Identifier: MIT */
/*
 * tool_tree.c - trees for tests, the same ones each time.
 *
 *   tool_tree hostile DIR SEED   names and contents that break programs
 *   tool_tree edges DIR SLAB     files and lines as long as a slab, about
 *   tool_tree many DIR NR SEED   so many files that look like sources
 *   tool_tree text FILE BYTES    one file that looks like a source
 *   tool_tree line FILE BYTES    the same without a newline
 *   tool_tree socket PATH        a socket that nobody listens on
 *
 * No file holds a NUL, so that all of them are text.
 */
#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#define HOSTILE_FILES 260
#define PATH_BYTES 4096
#define RUNS_MAX 40

static uint64_t seed = 1;

static uint64_t
pick(uint64_t nr)
{
	seed ^= seed << 13;
	seed ^= seed >> 7;
	seed ^= seed << 17;
	return (seed * 0x2545f4914f6cdd1dull >> 16) % nr;
}

static _Noreturn void
give_up(const char *what)
{
	fprintf(stderr, "tool_tree: %s: %s\n", what, strerror(errno));
	exit(1);
}

static FILE *
create(const char *dir, const char *name)
{
	char path[3 * PATH_BYTES];
	FILE *file;

	snprintf(path, sizeof(path), "%s/%s", dir, name);
	file = fopen(path, "w");
	if (file == NULL)
		give_up(path);
	return file;
}

static void
finish(FILE *file)
{
	if (fclose(file) != 0)
		give_up("a file");
}

static void
put_run(FILE *file, int byte, size_t nr)
{
	while (nr-- > 0)
		putc(byte, file);
}

/* ---- text like that of a source ---- */

static void
put_word(FILE *file)
{
	static const char *const words[] = {
		"if",     "(",      ")",       "{",        "}",      "return",
		"struct", "length", " = ",     "buffer",   "->",     "0x1f",
		";",      "static", "/* a */", "\"text\"", "size_t", "next",
		"\t",     "\t\t",   "value",   "+= 1;",    "naïve",  "世界",
	};

	fputs(words[pick(sizeof(words) / sizeof(words[0]))], file);
	if (pick(3) == 0)
		fprintf(file, "_%llu", (unsigned long long)pick(100000));
	if (pick(2) == 0)
		putc(' ', file);
}

static void
put_text(FILE *file, uint64_t bytes, bool newlines)
{
	uint64_t begun = (uint64_t)ftello(file);

	while ((uint64_t)ftello(file) - begun < bytes) {
		for (int i = 0; i < 8; i++)
			put_word(file);
		if (newlines)
			putc('\n', file);
	}
}

static void
write_text(const char *path, uint64_t bytes, bool newlines)
{
	static char block[1 << 16];
	FILE *file = fopen(path, "w");
	FILE *memory = fmemopen(block, sizeof(block), "w");

	if (file == NULL || memory == NULL)
		give_up(path);
	/* one block again and again: a large file is to be made quickly */
	put_text(memory, sizeof(block) - 4096, newlines);
	if (fflush(memory) != 0)
		give_up("memory");
	for (uint64_t left = bytes; left > 0;) {
		size_t nr = strlen(block);

		if (nr > left)
			nr = (size_t)left;
		fprintf(file, "%llx%c", (unsigned long long)left,
			newlines ? '\n' : ' ');
		if (fwrite(block, 1, nr, file) != nr)
			give_up(path);
		left -= nr;
	}
	fclose(memory);
	finish(file);
}

static void
make_many(const char *dir, uint64_t nr)
{
	char path[PATH_BYTES];

	for (uint64_t i = 0; i < nr; i++) {
		FILE *file;

		snprintf(path, sizeof(path), "%s/d%02llu", dir,
			 (unsigned long long)(i % 37));
		if (mkdir(path, 0777) != 0 && errno != EEXIST)
			give_up(path);
		snprintf(path, sizeof(path), "d%02llu/f%05llu.c",
			 (unsigned long long)(i % 37), (unsigned long long)i);
		file = create(dir, path);
		if (i % 11 == 10)
			fputs("int the_same_as_many_others;\n", file);
		else
			put_text(file, 200 + pick(i % 97 == 0 ? 300000 : 9000),
				 true);
		finish(file);
	}
}

/* ---- what breaks programs ---- */

static void
put_random(FILE *file)
{
	for (uint64_t n = pick(5000); n > 0; n--)
		putc(1 + (int)pick(255), file);
}

static void
put_fences(FILE *file)
{
	for (size_t run = 1; run < RUNS_MAX; run++) {
		put_run(file, pick(5) == 0 ? '~' : '`', run);
		fputs(pick(2) == 0 ? "c\n" : "\n", file);
	}
	put_run(file, '`', pick(3) == 0 ? pick(5000) : pick(9));
	if (pick(2) == 0)
		putc('\n', file);
}

/* Text that looks like our own output. */
static void
put_mimicry(FILE *file)
{
	static const char *const lines[] = {
		"## File: a.c (lines 1-2)\n",
		"```c\n",
		"```\n\n",
		"## File: b.c (empty)\n\n",
		"// ... (lines 1-9)\n",
		"## File: b.c (same as a.c)\n\n",
		"<|endoftext|>",
		"````\n",
	};

	for (uint64_t n = 1 + pick(12); n > 0; n--)
		fputs(lines[pick(sizeof(lines) / sizeof(lines[0]))], file);
}

static void
put_lines(FILE *file)
{
	for (uint64_t n = pick(400); n > 0; n--) {
		put_run(file, 'a' + (int)pick(3), pick(90));
		fputs(pick(4) == 0 ? "\r\n" : "\n", file);
	}
	if (pick(2) == 0)
		fputs("the end", file);
}

static void
put_content(FILE *file)
{
	switch (pick(8)) {
	case 0:
		break; /* empty */
	case 1:
		put_random(file);
		break;
	case 2:
		put_fences(file);
		break;
	case 3:
		put_mimicry(file);
		break;
	case 4:
		put_run(file, '\n', 1 + pick(3000));
		break;
	case 5:
		put_run(file, " `a\n\x1b\xff\r"[pick(7)], 1 + pick(2));
		break;
	case 6:
		put_text(file, pick(20000), true);
		break;
	default:
		put_lines(file);
		break;
	}
}

/* A name of up to 255 bytes, in which anything may stand but '/' and NUL. */
static void
make_name(char *name, size_t nr)
{
	static const char *const odd[] = {
		"\n",
		"\"",
		" ",
		"\x1b[31m",
		"\xff",
		"\\",
		" (empty)",
		" (lines 1-2)",
		" (same as x)",
		"\t",
		"\xe2\x80\xae",
		"é",
		"`",
		"#",
		"\r",
		"*",
		"[",
		"$(a)",
		"\xc3",
		"-",
	};
	size_t n = (size_t)snprintf(name, nr, "%llu",
				    (unsigned long long)pick(10));
	size_t parts = 1 + pick(6);

	if (pick(20) == 0)
		parts = 100;
	if (pick(3) == 0)
		n = 0;
	while (parts-- > 0) {
		const char *part = odd[pick(sizeof(odd) / sizeof(odd[0]))];

		if (pick(2) == 0)
			part = "name.c";
		if (n + strlen(part) > 255)
			break;
		memcpy(name + n, part, strlen(part));
		n += strlen(part);
	}
	while (parts < 90 && n < 255 && pick(60) == 0)
		name[n++] = 'x';
	name[n] = '\0';
}

static void
make_hostile(const char *top)
{
	char path[3 * PATH_BYTES];
	char dir[2 * PATH_BYTES];
	char name[300];
	uint64_t nr = 0;

	snprintf(dir, sizeof(dir), "%s", top);
	while (nr < HOSTILE_FILES) {
		struct stat st;
		FILE *file;

		make_name(name, sizeof(name));
		snprintf(path, sizeof(path), "%s/%s", dir, name);
		if (name[0] == '\0' || strlen(path) >= PATH_BYTES - 2 ||
		    lstat(path, &st) == 0)
			continue;
		if (pick(12) == 0) {
			if (mkdir(path, 0777) != 0)
				give_up(path);
			snprintf(dir, sizeof(dir), "%.*s", PATH_BYTES,
				 pick(4) == 0 ? top : path);
			continue;
		}
		file = create(dir, name);
		put_content(file);
		finish(file);
		nr++;
	}
}

static void
put_words(FILE *file, size_t bytes)
{
	while (bytes >= 6) {
		fprintf(file, " %c%04u", 'a' + (char)pick(26),
			(unsigned)pick(10000));
		bytes -= 6;
	}
	put_run(file, '.', bytes);
}

/* What such a file holds, the line that is as long as a slab in it. */
static void
put_edge(FILE *file, size_t bytes, unsigned kind)
{
	if (kind == 4)
		fputs("a\n", file);
	if (kind == 3)
		put_words(file, bytes - 60);
	else
		put_words(file, bytes - (kind & 1));
	for (int i = 0; kind == 3 && i < 29; i++)
		fputs("\nb", file);
	if (kind == 2)
		put_run(file, '`', 5);
	if (kind == 3)
		putc('c', file);
	if (kind & 1)
		putc('\n', file);
}

/* Lines and files that end where a slab does, or a byte or two beside it. */
static void
make_edges(const char *dir, uint64_t slab)
{
	for (unsigned times = 1; times <= 2; times++) {
		for (unsigned beside = 0; beside < 5; beside++) {
			size_t bytes = slab * times + beside - 2;

			for (unsigned kind = 0; kind < 5; kind++) {
				char name[64];
				FILE *file;

				snprintf(name, sizeof(name), "%u-%u-%u", times,
					 beside, kind);
				file = create(dir, name);
				put_edge(file, bytes, kind);
				finish(file);
			}
		}
	}
}

static void
make_socket(const char *path)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	int fd = socket(AF_UNIX, SOCK_STREAM, 0);

	snprintf(address.sun_path, sizeof(address.sun_path), "%s", path);
	if (fd < 0 ||
	    bind(fd, (const struct sockaddr *)&address, sizeof(address)) != 0)
		give_up(path);
}

int
main(int argc, char **argv)
{
	const char *what = argc > 2 ? argv[1] : "";
	uint64_t number = argc > 3 ? strtoull(argv[3], NULL, 10) : 0;

	if (argc > 2)
		seed = 0x9e3779b97f4a7c15ull *
		       (strtoull(argv[argc - 1], NULL, 10) + 1);
	if (strcmp(what, "hostile") == 0 && argc == 4)
		make_hostile(argv[2]);
	else if (strcmp(what, "edges") == 0 && argc == 4)
		make_edges(argv[2], number);
	else if (strcmp(what, "many") == 0 && argc == 5)
		make_many(argv[2], number);
	else if (strcmp(what, "text") == 0 && argc == 4)
		write_text(argv[2], number, true);
	else if (strcmp(what, "line") == 0 && argc == 4)
		write_text(argv[2], number, false);
	else if (strcmp(what, "socket") == 0 && argc == 3)
		make_socket(argv[2]);
	else
		return 2;
	return 0;
}
