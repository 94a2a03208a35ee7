/* SPDX-License-Identifier: MIT */
/*
 * file.c - a window that lives in a file.
 */
#include "window/window_impl.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "window/store.h"

struct window_file {
	struct store store;
	struct window *window;
};

/* What a file that is not there yet holds. */
static char *
initial_text(const struct window_options *options, struct window_error *error)
{
	struct window *window;
	char *text;

	if (window_create(&window, options, error) != 0)
		return NULL;
	text = window_save(window);
	window_destroy(window);
	if (text == NULL)
		window_fail(error, -ENOMEM, "out of memory");
	return text;
}

static int
read_window(struct window_file *file, const struct window_options *options,
	    struct window_error *error)
{
	char *text;
	size_t bytes;
	int result = store_read(&file->store, &text, &bytes, error);

	if (result != 0)
		return result;
	result = window_load(&file->window, options, text, bytes, error);
	free(text);
	return result;
}

int
window_file_open(struct window_file **out, const char *path,
		 const struct window_options *options, bool create,
		 struct window_error *error)
{
	struct window_file *file = calloc(1, sizeof(*file));
	char *initial = NULL;
	int result = 0;

	if (file == NULL)
		return window_fail(error, -ENOMEM, "out of memory");
	file->store.fd = -1;
	if (create) {
		initial = initial_text(options, error);
		if (initial == NULL)
			result = -EINVAL;
	}
	if (result == 0)
		result = store_open(&file->store, path, initial,
				    options->wait_ms, error);
	if (result == 0)
		result = read_window(file, options, error);
	free(initial);
	if (result != 0) {
		window_file_close(file);
		return result;
	}
	*out = file;
	return 0;
}

struct window *
window_file_window(struct window_file *file)
{
	return file->window;
}

int
window_file_commit(struct window_file *file, struct window_error *error)
{
	char *text = window_save(file->window);
	int result;

	if (text == NULL)
		return window_fail(error, -ENOMEM, "out of memory");
	result = store_replace(&file->store, text, strlen(text), error);
	free(text);
	return result;
}

void
window_file_close(struct window_file *file)
{
	if (file == NULL)
		return;
	window_destroy(file->window);
	store_close(&file->store);
	free(file);
}
