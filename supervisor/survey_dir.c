/* SPDX-License-Identifier: MIT */
/*
 * survey_dir.c - the surveys that are kept.
 */
#include "supervisor/survey_dir.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/absolute_path.h"
#include "base/fd_io.h"
#include "base/user_file.h"
#include "catalogue/survey.h"

#define SECOND_NS 1000000000

int
survey_dir_path(char *out, size_t size)
{
	return user_file_path(out, size, USER_FILE_CACHE, SURVEYS);
}

static bool
is_survey_name(const char *name)
{
	return strlen(name) == SURVEY_NAME_BYTES &&
	       strspn(name, "0123456789abcdef") == SURVEY_NAME_BYTES;
}

static int
open_file(const struct survey_dir *dir, const char *name)
{
	int fd = openat(dir->fd, name,
			O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);

	return fd < 0 ? -errno : fd;
}

/* Adds what a name stands for, if it is a survey: 0 or -ENOMEM. */
static int
add_name(struct survey_dir *dir, const char *name)
{
	struct survey_file *files;
	struct stat st;

	if (!is_survey_name(name) ||
	    fstatat(dir->fd, name, &st, AT_SYMLINK_NOFOLLOW) != 0 ||
	    !S_ISREG(st.st_mode))
		return 0;
	files = reallocarray(dir->files, dir->nr + 1, sizeof(*files));
	if (files == NULL)
		return -ENOMEM;
	dir->files = files;
	files += dir->nr++;
	*files = (struct survey_file){
		.state = SURVEY_DAMAGED,
		.bytes = (uint64_t)st.st_blocks * 512,
		.used_ns = st.st_mtim.tv_sec * SECOND_NS + st.st_mtim.tv_nsec,
	};
	memcpy(files->name, name, SURVEY_NAME_BYTES);
	return 0;
}

static int
by_use(const void *a, const void *b)
{
	const struct survey_file *one = a;
	const struct survey_file *other = b;

	if (one->used_ns != other->used_ns)
		return one->used_ns > other->used_ns ? -1 : 1;
	return strcmp(one->name, other->name);
}

int
survey_dir_open(struct survey_dir *dir, const char *path)
{
	const struct dirent *entry;
	DIR *stream = opendir(path);
	int error = 0;

	*dir = SURVEY_DIR_NONE;
	if (stream == NULL)
		return -errno;
	dir->fd = fcntl(dirfd(stream), F_DUPFD_CLOEXEC, 0);
	if (dir->fd < 0)
		error = -errno;
	errno = 0;
	while (error == 0 && (entry = readdir(stream)) != NULL)
		error = add_name(dir, entry->d_name);
	if (error == 0)
		error = -errno;
	closedir(stream);
	if (error != 0)
		survey_dir_close(dir);
	else if (dir->nr > 0)
		qsort(dir->files, dir->nr, sizeof(*dir->files), by_use);
	return error;
}

/* The head and the label of a file, if they are whole. */
static void
read_head(struct survey_file *file, int fd)
{
	uint8_t build[SHA256_BYTES];
	int error = survey_read_head(fd, &file->head);

	if (error == -EPROTO)
		file->state = SURVEY_OTHER_BUILD;
	else if (error == 0 &&
		 survey_read_label(fd, &file->head, &file->label) == 0)
		file->state =
			survey_build(build) && memcmp(build, file->head.build,
						      sizeof(build)) == 0
				? SURVEY_WHOLE
				: SURVEY_OTHER_BUILD;
}

void
survey_dir_read(struct survey_dir *dir)
{
	for (size_t i = 0; i < dir->nr; i++) {
		int fd = open_file(dir, dir->files[i].name);

		if (fd < 0)
			continue;
		read_head(&dir->files[i], fd);
		close(fd);
	}
}

void
survey_dir_close(struct survey_dir *dir)
{
	for (size_t i = 0; i < dir->nr; i++)
		free(dir->files[i].label);
	free(dir->files);
	fd_close(dir->fd);
	*dir = SURVEY_DIR_NONE;
}

int
survey_file_open(const struct survey_dir *dir, const struct survey_file *file,
		 struct survey *survey)
{
	int fd = open_file(dir, file->name);
	int error;

	if (fd < 0)
		return fd;
	error = survey_open(survey, fd, file->head.key);
	if (error != 0)
		close(fd);
	return error;
}

int
survey_file_check(const struct survey_dir *dir, struct survey_file *file)
{
	struct survey survey;
	int error;

	/* the records of another program may be others */
	if (file->state != SURVEY_WHOLE)
		return 0;
	error = survey_file_open(dir, file, &survey);
	if (error != 0)
		return error;
	file->damaged_nr = 0;
	for (uint64_t i = 0; i < survey.head.entry_nr; i++)
		file->damaged_nr +=
			!survey_entry_is_whole(&survey, (uint32_t)i) ||
			!survey_signatures_are_whole(&survey, (uint32_t)i);
	file->damaged_nr += !survey_past_is_whole(&survey);
	if (file->damaged_nr > 0)
		file->state = SURVEY_DAMAGED;
	table_close(&survey.table);
	return 0;
}

const char *
survey_file_settings(const struct survey_file *file)
{
	return file->label;
}

const char *
survey_file_root(const struct survey_file *file, size_t i)
{
	const char *at = file->label;

	if (at == NULL)
		return NULL;
	for (size_t passed = 0; passed <= i; passed++) {
		at += strlen(at) + 1;
		if (at >= file->label + file->head.label_bytes)
			return NULL;
	}
	return at;
}

bool
survey_file_is_of(const struct survey_file *file, const char *path)
{
	const char *root;

	for (size_t i = 0; (root = survey_file_root(file, i)) != NULL; i++)
		if (absolute_path_holds(path, root))
			return true;
	return false;
}

void
survey_dir_make_room(const char *path, uint64_t limit_bytes)
{
	struct survey_dir dir;
	uint64_t bytes = 0;

	if (survey_dir_open(&dir, path) != 0)
		return;
	for (size_t i = 0; i < dir.nr; i++)
		bytes += dir.files[i].bytes;
	for (size_t i = dir.nr; i-- > 0 && bytes > limit_bytes;)
		if (unlinkat(dir.fd, dir.files[i].name, 0) == 0)
			bytes -= dir.files[i].bytes;
	survey_dir_close(&dir);
}

int
survey_place(struct survey_writer *writer, uint64_t limit_bytes)
{
	char path[PATH_MAX];
	mode_t mask;
	int error = survey_path(path, sizeof(path), writer->head.key);

	if (error == 0)
		error = survey_measure(writer);
	if (error == 0 && writer->head.bytes > limit_bytes)
		error = -EFBIG;
	if (error == 0)
		error = user_file_make_parents(path);
	if (error != 0)
		return error;
	mask = umask(0077);
	error = survey_write(writer, path);
	umask(mask);
	*strrchr(path, '/') = '\0';
	survey_dir_make_room(path, limit_bytes);
	return error;
}
