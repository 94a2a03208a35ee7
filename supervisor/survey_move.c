/* SPDX-License-Identifier: MIT */
/*
 * survey_move.c - surveys to other machines, and from them.
 */
#include "supervisor/survey_move.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "supervisor/survey_write.h"

/* Whether the roots of a survey are these, in this order. */
static bool
has_roots(const struct survey_file *file, const struct text_list *roots)
{
	for (size_t i = 0; i < roots->nr; i++) {
		const char *root = survey_file_root(file, i);

		if (root == NULL || strcmp(root, roots->items[i]) != 0)
			return false;
	}
	return survey_file_root(file, roots->nr) == NULL;
}

const struct survey_file *
survey_find_of_roots(const struct survey_dir *dir,
		     const struct text_list *roots)
{
	for (size_t i = 0; i < dir->nr; i++)
		if (dir->files[i].state == SURVEY_WHOLE &&
		    survey_past_bytes(&dir->files[i].head) == 0 &&
		    has_roots(&dir->files[i], roots))
			return &dir->files[i];
	return NULL;
}

/* A survey_next_fn: the files of a list, less the signatures: a text is made only of
 * what this machine has derived. */
static bool
next_to_move(const void *context, uint64_t *at, struct survey_item *item)
{
	if (!survey_next_of_list(context, at, item))
		return false;
	item->entry.facts.signatures_bytes = 0;
	return true;
}

/* Writes the files of a survey again, with the head and label of a writer. */
static int
write_again(struct survey_writer *writer, const struct survey *survey,
	    const char *path)
{
	const struct survey_list list = { survey, 1 };
	int error;

	writer->context = &list;
	error = survey_measure(writer);
	return error == 0 ? survey_write(writer, path) : error;
}

static bool
is_whole(const struct survey *survey)
{
	for (uint64_t i = 0; i < survey->head.entry_nr; i++)
		if (!survey_entry_is_whole(survey, (uint32_t)i))
			return false;
	return true;
}

int
survey_export(const struct survey_dir *dir, const struct survey_file *file,
	      const char *path)
{
	struct survey_writer writer = {
		.head = file->head,
		.label = file->label,
		.label_bytes = file->head.label_bytes,
		.next = next_to_move,
	};
	struct survey survey;
	int error = survey_file_open(dir, file, &survey);

	if (error != 0)
		return error;
	if (!is_whole(&survey))
		error = -EINVAL;
	if (error == 0)
		error = write_again(&writer, &survey, path);
	table_close(&survey.table);
	return error;
}

/* The label of a survey with other roots: the settings stay. */
static int
name_roots(const char *label, const struct text_list *roots, char **out,
	   size_t *bytes)
{
	FILE *text = open_memstream(out, bytes);

	if (text == NULL)
		return -ENOMEM;
	fwrite(label, 1, strlen(label) + 1, text);
	for (size_t i = 0; i < roots->nr; i++)
		fwrite(roots->items[i], 1, strlen(roots->items[i]) + 1, text);
	return fclose(text) == 0 ? 0 : -ENOMEM;
}

size_t
survey_count_roots(const char *label, size_t bytes)
{
	size_t nr = 0;

	for (size_t i = 0; i < bytes; i++)
		nr += label[i] == '\0';
	return nr - 1;
}

/* A survey_next_fn: the files of a survey that are possible. */
static bool
next_possible(const void *context, uint64_t *at, struct survey_item *item)
{
	const struct survey_list *list = context;

	while (*at < list->surveys->head.entry_nr &&
	       !survey_entry_is_possible(list->surveys, (uint32_t)*at))
		(*at)++;
	return next_to_move(list, at, item);
}

/* Into the directory, by the name that its key gives it. */
static int
put(struct survey_writer *writer, const struct survey *survey,
    const char *directory)
{
	char path[PATH_MAX];
	char name[SURVEY_NAME_BYTES + 1];
	mode_t mask = umask(0077);
	int error;

	survey_name(name, writer->head.key);
	error = (size_t)snprintf(path, sizeof(path), "%s/%s", directory, name) <
				sizeof(path)
			? write_again(writer, survey, path)
			: -ENAMETOOLONG;
	umask(mask);
	return error;
}

/* A file that is taken over. */
struct incoming {
	int fd;
	struct survey_head head;
	char *label;
};

/* With its head and label read. */
static int
import_read(const struct incoming *in, const struct text_list *roots,
	    const char *directory, uint64_t *files)
{
	struct survey_writer writer = { .head = in->head,
					.next = next_possible };
	struct survey survey;
	char *own_label = NULL;
	int fd;
	int error;

	if (survey_count_roots(in->label, in->head.label_bytes) != roots->nr)
		return -EDOM;
	fd = fcntl(in->fd, F_DUPFD_CLOEXEC, 0);
	if (fd < 0)
		return -errno;
	error = survey_open(&survey, fd, in->head.key);
	if (error != 0) {
		close(fd);
		return error;
	}
	if (!is_whole(&survey))
		error = -EINVAL;
	if (error == 0)
		error = name_roots(in->label, roots, &own_label,
				   &writer.label_bytes);
	writer.label = own_label;
	writer.head.flags |= SURVEY_IMPORTED;
	survey_key_of_roots(roots->items, roots->nr, writer.head.key);
	if (error == 0)
		error = put(&writer, &survey, directory);
	*files = writer.head.entry_nr;
	free(own_label);
	table_close(&survey.table);
	return error;
}

int
survey_import(int fd, const struct text_list *roots, const char *directory,
	      uint64_t *files)
{
	uint8_t build[SHA256_BYTES];
	struct incoming in = { .fd = fd };
	int error = survey_read_head(fd, &in.head);

	if (error == 0)
		error = survey_read_label(fd, &in.head, &in.label);
	if (error == 0 && (!survey_build(build) ||
			   memcmp(build, in.head.build, sizeof(build)) != 0))
		error = -EPROTO;
	if (error == 0)
		error = import_read(&in, roots, directory, files);
	free(in.label);
	return error;
}
