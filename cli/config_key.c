/* SPDX-License-Identifier: MIT */
/*
 * config_key.c - where a configuration file lies, on the way up to .git; and
 *                its paths, looked up in the tables.
 */
#include "cli/config_key.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/openat2.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/fd_io.h"
#include "base/nearest.h"
#include "base/open_below.h"

/* A FIFO does not hold us up, a terminal does not become ours. */
#define OPEN_FLAGS (O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK)

/* All of an open file; -errno. Closes it. */
static int
read_whole(int fd, char **text, size_t *bytes)
{
	int error = fd_read_regular(fd, CONFIG_BYTES_MAX, text, bytes);

	close(fd);
	return error;
}

/* The file below a directory; links may not lead out of it. */
static int
open_below(const char *directory)
{
	const struct open_how how = {
		.flags = OPEN_FLAGS,
		.resolve = RESOLVE_BENEATH | RESOLVE_NO_MAGICLINKS,
	};
	int dir_fd = open(directory, O_PATH | O_DIRECTORY | O_CLOEXEC);
	struct file_state file;
	long fd;

	if (dir_fd < 0)
		return -errno;
	fd = syscall(SYS_openat2, dir_fd, CONFIG_FILE, &how, sizeof(how));
	if (fd < 0)
		fd = -errno;
	/* EPERM: a sandbox that has not heard of openat2(): then through no
	 * link at all */
	if (fd == -ENOSYS || fd == -EPERM)
		fd = open_regular_deep(dir_fd, CONFIG_FILE, strlen(CONFIG_FILE),
				       &file);
	close(dir_fd);
	return fd == -ENOTDIR                  ? -ENOENT
	       : fd == -ENXIO || fd == -EISDIR ? -EINVAL
					       : (int)fd;
}

/*
 * The directory above the working directory that has a .git, as "../.."; false:
 * there is none, or it is the working directory itself.
 */
static bool
find_root(char *out, size_t size)
{
	struct stat here;
	struct stat st;
	char path[CONFIG_SHOWN_BYTES + 8];
	size_t n = 0;

	if (stat(".git", &st) == 0 || stat(".", &here) != 0)
		return false;
	for (int i = 0; i < CONFIG_LEVELS_MAX; i++) {
		n += (size_t)snprintf(out + n, size - n, "%s..",
				      i > 0 ? "/" : "");
		if (stat(out, &st) != 0 ||
		    (st.st_dev == here.st_dev && st.st_ino == here.st_ino))
			return false; /* the root of all */
		here = st;
		snprintf(path, sizeof(path), "%s/.git", out);
		if (stat(path, &st) == 0)
			return true;
	}
	return false;
}

int
config_file_find(char shown[static CONFIG_SHOWN_BYTES], char **text,
		 size_t *bytes)
{
	char root[3 * CONFIG_LEVELS_MAX + 1];
	int fd = open_below(".");

	snprintf(shown, CONFIG_SHOWN_BYTES, "%s", CONFIG_FILE);
	if (fd == -ENOENT && find_root(root, sizeof(root))) {
		snprintf(shown, CONFIG_SHOWN_BYTES, "%s/%s", root, CONFIG_FILE);
		fd = open_below(root);
	}
	return fd < 0 ? fd : read_whole(fd, text, bytes);
}

int
config_file_read(const char *path, char **text, size_t *bytes)
{
	int fd = open(path, OPEN_FLAGS);

	return fd < 0 ? -errno : read_whole(fd, text, bytes);
}

const char *
config_file_error(int error)
{
	switch (error) {
	case -EFBIG:
		return "it is larger than 256 KiB";
	case -EINVAL:
		return "it is not a regular file";
	case -EXDEV:
	case -ELOOP:
		return "a link on the way leads out of its directory";
	default:
		return strerror(-error);
	}
}

#define FAR 256 /* more than any edit distance */

static const struct {
	const char *path;
	const char *other;
} also_table[] = {
#define ALSO(path, other) { path, other },
#include "cli/config.def"
};

static const struct {
	const char *word;
	const char *what;
} refused_table[] = {
#define REFUSED(word, what) { word, what },
#include "cli/config.def"
};

bool
config_path_is_below(const char *path, const char *section)
{
	size_t bytes = strlen(section);

	return strncmp(path, section, bytes) == 0 && path[bytes] == '.';
}

/* A path as it is written out in the tables. */
static struct config_key
find_exactly(const char *path)
{
	struct config_key key = { .option = -1 };

	for (size_t i = 0; i < ARRAY_LEN(also_table); i++) {
		key.is_section |=
			config_path_is_below(also_table[i].path, path);
		if (strcmp(also_table[i].path, path) == 0)
			path = also_table[i].other;
	}
	for (int i = 0; i < OPTION_NR; i++) {
		if (option_table[i].key == NULL)
			continue;
		key.is_section |=
			config_path_is_below(option_table[i].key, path);
		if (strcmp(option_table[i].key, path) == 0)
			key.option = i;
	}
	return key;
}

/* What may be left out in front. */
static const char *const fronts[] = { "", "context.", "context.budget." };

struct config_key
config_key_find(const char *path)
{
	struct config_key key = { .option = -1 };

	for (size_t i = 0; i < ARRAY_LEN(fronts); i++) {
		char whole[CONFIG_PATH_BYTES + 32];

		snprintf(whole, sizeof(whole), "%s%s", fronts[i], path);
		key = find_exactly(whole);
		if (key.option >= 0 || key.is_section)
			break;
	}
	return key;
}

/* What stands behind the last dot. */
static const char *
config_last_word(const char *path)
{
	const char *dot = strrchr(path, '.');

	return dot == NULL ? path : dot + 1;
}

/* How many words of the last name the other has too, and how many it has. */
static unsigned
words_of(const char *path, const char *known, unsigned *all)
{
	char name[CONFIG_PATH_BYTES + 2];
	unsigned common = 0;

	snprintf(name, sizeof(name), "_%s_", config_last_word(known));
	*all = 0;
	for (const char *at = config_last_word(path); *at != '\0';) {
		size_t bytes = strcspn(at, "_");
		char word[CONFIG_PATH_BYTES + 2];

		snprintf(word, sizeof(word), "_%.*s_", (int)bytes, at);
		common += bytes > 2 && strstr(name, word) != NULL;
		(*all)++;
		at += bytes + (at[bytes] == '_');
	}
	return common;
}

/* Whether they lie below the same section, as it may be written. */
static bool
is_same_section(const char *path, const char *known)
{
	size_t path_bytes = (size_t)(config_last_word(path) - path);
	size_t known_bytes = (size_t)(config_last_word(known) - known);

	return known_bytes >= path_bytes && path_bytes > 0 &&
	       memcmp(known + known_bytes - path_bytes, path, path_bytes) ==
		       0 &&
	       (known_bytes == path_bytes ||
		known[known_bytes - path_bytes - 1] == '.');
}

/*
 * How far a path is from one that is known: little for a part of the right
 * word, and for the right word in the wrong section; else a word that both
 * have counts, then the same section, then letters.
 */
static unsigned
distance_to(const char *path, const char *known)
{
	const char *word = config_last_word(path);
	const char *other = config_last_word(known);
	bool is_in = is_same_section(path, known);
	unsigned all;
	unsigned common = words_of(path, known, &all);

	if (is_in && common == all)
		return 0;
	if (strcmp(word, other) == 0)
		return 1;
	return 1 + edit_distance(word, other) + (common > 0 ? 0 : FAR) +
	       (is_in ? 0 : FAR);
}

/* Path number i of all that are known; NULL: an option without one. */
static const char *
known_at(size_t i)
{
	return i < OPTION_NR ? option_table[i].key
			     : also_table[i - OPTION_NR].path;
}

void
config_key_nearest(const char *path, bool is_section,
		   char out[static CONFIG_PATH_BYTES])
{
	unsigned best = UINT_MAX;

	for (size_t i = 0; i < OPTION_NR + ARRAY_LEN(also_table); i++) {
		const char *known = known_at(i);
		char part[CONFIG_PATH_BYTES];
		char *end;

		if (known == NULL)
			continue;
		snprintf(part, sizeof(part), "%s", known);
		end = part + strlen(part);
		do {
			unsigned distance;

			*end = '\0';
			distance = distance_to(path, part);
			if (distance < best &&
			    (end == part + strlen(known)) != is_section) {
				best = distance;
				snprintf(out, CONFIG_PATH_BYTES, "%s", part);
			}
			end = strrchr(part, '.');
		} while (is_section && end != NULL);
	}
}

/* Sections of ours; what else a file has is for other programs. */
static bool
is_ours(const char *path)
{
	return strchr(path, '.') == NULL || strncmp(path, "context.", 8) == 0 ||
	       strncmp(path, "window.", 7) == 0 ||
	       strncmp(path, "compaction.", 11) == 0 ||
	       strncmp(path, "policy.", 7) == 0;
}

/* What only other commands take is no key that anybody could miss. */
static bool
is_for_a_run(enum option_id id, const char *why)
{
	return option_is_of(COMMAND_PACK, id) ||
	       option_is_of(COMMAND_PREVIEW, id) ||
	       option_is_of(COMMAND_TREE, id) ||
	       option_is_of(COMMAND_COUNT, id) || strstr(why, "path") != NULL;
}

const char *
config_key_refused(const char *path, enum option_id *option)
{
	const char *word = config_last_word(path);
	char name[CONFIG_KEY_BYTES * 2];

	*option = OPTION_NR;
	if (!is_ours(path))
		return NULL;
	for (size_t i = 0; i < ARRAY_LEN(refused_table); i++) {
		if (strcmp(refused_table[i].word, word) == 0)
			return refused_table[i].what;
	}
	for (int i = 0; i < OPTION_NR; i++) {
		const char *why = option_table[i].no_key;

		if (why == NULL || !is_for_a_run((enum option_id)i, why))
			continue;
		config_snake_case(name, sizeof(name), option_table[i].name);
		if (strcmp(name, word) != 0)
			continue;
		*option = (enum option_id)i;
		return why;
	}
	return NULL;
}
