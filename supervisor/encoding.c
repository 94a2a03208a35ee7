/* SPDX-License-Identifier: MIT */
/*
 * encoding.c - built-in encodings, and tokenizer.json files.
 */
#include "supervisor/encoding.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "shm/diag.h"
#include "supervisor/supervisor.h"
#include "tokenizer/tokenizer.h"
#include "tokenizer/tokenizer_hf.h"

#define JSON_BYTES_MAX (128u << 20)
#define NAME_BYTES 512

static bool
is_json(const char *name)
{
	size_t bytes = strlen(name);

	return bytes > 5 && strcmp(name + bytes - 5, ".json") == 0;
}

/* All of a file, ended by NUL; *bytes without it. -errno */
static int
read_whole(const char *path, char **text, size_t *bytes)
{
	struct stat st;
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
	ssize_t got = 1;
	int error = 0;

	if (fd < 0)
		return -errno;
	*text = NULL;
	*bytes = 0;
	if (fstat(fd, &st) != 0)
		error = -errno;
	else if (!S_ISREG(st.st_mode))
		error = -EINVAL;
	else if (st.st_size > JSON_BYTES_MAX)
		error = -EFBIG;
	else if ((*text = malloc((size_t)st.st_size + 1)) == NULL)
		error = -ENOMEM;
	while (error == 0 && got != 0 && *bytes < (size_t)st.st_size) {
		got = read(fd, *text + *bytes, (size_t)st.st_size - *bytes);
		if (got < 0 && errno != EINTR)
			error = -errno;
		else if (got > 0)
			*bytes += (size_t)got;
	}
	close(fd);
	if (error != 0)
		free(*text);
	else
		(*text)[*bytes] = '\0';
	return error;
}

static const char *
what_is_wrong(int error)
{
	switch (error) {
	case -ENOENT:
		return "no such encoding or file; see bale help count";
	case -EBADMSG:
		return "not a tokenizer.json, or damaged";
	case -ENOTSUP:
		return "a tokenizer.json of a kind that bale does not know: it "
		       "knows byte-level BPE with the usual patterns";
	default:
		return strerror(-error);
	}
}

static int
open_json(const struct tokenizer **out, const char *path)
{
	struct tokenizer *made;
	size_t bytes = 0;
	char *text = NULL;
	int error = read_whole(path, &text, &bytes);

	if (error != 0)
		return error;
	error = tokenizer_hf_load(&made, text, bytes);
	free(text);
	if (error != 0)
		return error;
	*out = made;
	return 0;
}

int
encoding_open(const struct tokenizer **out, const char *name)
{
	char quoted[NAME_BYTES];
	int error = is_json(name) ? open_json(out, name)
				  : tokenizer_open(out, name);

	if (error == 0)
		return EXIT_COMPLETE;
	diag_log(DIAG_ERROR, "--encoding %s: %s",
		 diag_quote(quoted, sizeof(quoted), (const uint8_t *)name,
			    strlen(name)),
		 what_is_wrong(error));
	return error == -ENOMEM ? EXIT_RESOURCES : EXIT_USAGE;
}
