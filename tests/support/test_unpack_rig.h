/* SPDX-License-Identifier: MIT */
/*
 * test_unpack_rig.h - outputs of files that are made up, by the code that
 * writes them, and what comes of unpacking one.
 *
 * Runs in: test_supervisor_unpack.c, fuzz_supervisor_unpack.c.
 */
#ifndef TESTS_SUPPORT_TEST_UNPACK_RIG_H
#define TESTS_SUPPORT_TEST_UNPACK_RIG_H

#include <errno.h>
#include <fcntl.h>
#include <openssl/sha.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "markup/markup.h"
#include "base/diag.h"
#include "cli/unpack.h"

#define RIG_PATH_BYTES 300

struct rig_file {
	char path[RIG_PATH_BYTES];
	const uint8_t *text;
	size_t nr;
	const char *same_as; /* NULL: it has content, or is empty */
};

/* The longest run of a byte. */
static inline uint32_t
rig_run(const uint8_t *text, size_t nr, char c)
{
	uint32_t longest = 0;
	uint32_t run = 0;

	for (size_t i = 0; i < nr; i++) {
		run = text[i] == (uint8_t)c ? run + 1 : 0;
		longest = run > longest ? run : longest;
	}
	return longest;
}

static inline uint64_t
rig_lines(const uint8_t *text, size_t nr)
{
	uint64_t lines = nr > 0 && text[nr - 1] != '\n';

	for (size_t i = 0; i < nr; i++)
		lines += text[i] == '\n';
	return lines;
}

static inline struct markup_section
rig_section(const struct markup_format *format, const struct rig_file *file,
	    char quoted[4 * RIG_PATH_BYTES], char other[4 * RIG_PATH_BYTES])
{
	uint8_t digest[SHA256_BYTES];
	struct markup_section section = {
		.name = (const uint8_t *)file->path,
		.name_bytes = strlen(file->path),
		.path = diag_quote_text(quoted, 4 * RIG_PATH_BYTES, file->path),
		.hint = "",
		.line_first = 1,
		.line_last = rig_lines(file->text, file->nr),
		.mark_run = rig_run(file->text, file->nr, format->mark),
		.dot_run = rig_run(file->text, file->nr, '.'),
		.empty = file->nr == 0 && file->same_as == NULL,
		.no_newline = file->nr > 0 && file->text[file->nr - 1] != '\n',
		.is_whole = true,
	};

	section.line_nr = section.line_last;
	SHA256(file->text, file->nr, digest);
	section.hash = markup_hash(digest);
	if (file->same_as != NULL) {
		section.same_path = diag_quote_text(other, 4 * RIG_PATH_BYTES,
						    file->same_as);
		section.same_as = (const uint8_t *)file->same_as;
		section.same_as_bytes = strlen(file->same_as);
	}
	return section;
}

/* An output of these files: its bytes; 0: there is no room for it. */
static inline size_t
rig_pack(const struct markup_options *options, const struct rig_file *files,
	 size_t nr, char *out, size_t room)
{
	const struct markup_format *format = markup_table[options->kind];
	struct markup_text text = { .at = out,
				    .room = room,
				    .options = options };
	struct markup_rules rules;
	char quoted[4 * RIG_PATH_BYTES];
	char other[4 * RIG_PATH_BYTES];

	markup_rules_init(&rules, options);
	format->begin(&text, options, NULL);
	for (size_t i = 0; i < nr; i++) {
		struct markup_section section =
			rig_section(format, &files[i], quoted, other);

		section.is_first = i == 0;
		format->open(&text, options, &section);
		if (section.empty || section.same_path != NULL)
			continue;
		markup_add_escaped(&text, &rules, files[i].text, files[i].nr);
		markup_close(&text, format, &section, section.no_newline);
	}
	format->files_end(&text, options, nr);
	markup_end(&text, format);
	return text.short_of_room ? 0 : (size_t)(text.at - out);
}

/* Unpacks below an open directory, in silence: what unpack_read() says. */
static inline int
rig_unpack(struct unpack *unpack, const void *bytes, size_t nr)
{
	struct markup_error error;
	int result = unpack_read(unpack, bytes, nr, &error);

	unpack_fini(unpack);
	return result;
}

/* What a file below a directory holds: its bytes, or -1: there is none. */
static inline ssize_t
rig_read(int dir_fd, const char *path, uint8_t *out, size_t room)
{
	int fd = openat(dir_fd, path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
	ssize_t got = fd < 0 ? -1 : read(fd, out, room);

	if (fd >= 0)
		close(fd);
	return got;
}

#endif
