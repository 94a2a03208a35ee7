/* SPDX-License-Identifier: MIT */
/*
 * report_read.c - a report that was written before.
 */
#include "report/report_read.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/json_values.h"
#include "report/report.h"

/*
 * A report has no value in fewer bytes than this, on an average, and no more
 * values than these besides: a parsed one takes about 150 bytes.
 */
#define VALUE_BYTES_LEAST 8
#define VALUES_FREE 100000

int
report_check(const json_t *root, char *why, size_t why_size)
{
	const json_t *version = json_object_get(root, "version");

	if (!json_is_integer(version) ||
	    !json_is_array(json_object_get(root, "selected")) ||
	    !json_is_array(json_object_get(root, "excluded"))) {
		snprintf(why, why_size, "it is not a report of bale");
		return -EPROTO;
	}
	if (json_integer_value(version) != REPORT_VERSION) {
		snprintf(why, why_size,
			 "it is a report of version %lld; this bale knows %d",
			 (long long)json_integer_value(version),
			 REPORT_VERSION);
		return -EPROTO;
	}
	return 0;
}

/* A file on its way to the parser. */
struct reading {
	FILE *file;
	struct json_values values;
};

static bool
has_far_too_many(const struct json_values *values)
{
	return values->nr > VALUES_FREE + values->bytes / VALUE_BYTES_LEAST;
}

/* A json_load_callback_t. */
static size_t
read_some(void *buffer, size_t size, void *context)
{
	struct reading *reading = context;
	size_t nr = fread(buffer, 1, size, reading->file);

	json_values_add(&reading->values, buffer, nr);
	return has_far_too_many(&reading->values) ? (size_t)-1 : nr;
}

int
report_load(FILE *file, json_t **out, char *why, size_t why_size)
{
	struct reading reading = { .file = file };
	json_error_t wrong;
	json_t *root;
	int error;

	errno = 0;
	root = json_load_callback(read_some, &reading, 0, &wrong);
	error = ferror(file) ? (errno != 0 ? errno : EIO) : 0;
	if (error == 0 && root != NULL) {
		*out = root;
		return 0;
	}
	json_decref(root);
	if (error != 0)
		return -error;
	if (has_far_too_many(&reading.values))
		snprintf(why, why_size, "it has far too many values");
	else
		snprintf(why, why_size, "not JSON: line %d, column %d: %s",
			 wrong.line, wrong.column, wrong.text);
	return -EPROTO;
}

int
report_read(const char *path, json_t **out, char *why, size_t why_size)
{
	bool is_stdin = strcmp(path, "-") == 0;
	FILE *file = is_stdin ? stdin : fopen(path, "re");
	json_t *root = NULL;
	int error;

	if (file == NULL)
		return -errno;
	error = report_load(file, &root, why, why_size);
	if (!is_stdin)
		fclose(file);
	if (error == 0)
		error = report_check(root, why, why_size);
	if (error != 0)
		json_decref(root);
	else
		*out = root;
	return error;
}

/* What a path of keys with dots in between leads to; NULL: nothing. */
static const json_t *
find(const json_t *root, const char *path)
{
	size_t key = strcspn(path, ".");

	for (; path[key] == '.'; key = strcspn(path, ".")) {
		root = json_object_getn(root, path, key);
		path += key + 1;
	}
	return json_object_get(root, path);
}

uint64_t
report_u64(const json_t *root, const char *path)
{
	json_int_t value = json_integer_value(find(root, path));

	return value < 0 ? 0 : (uint64_t)value;
}

bool
report_has(const json_t *root, const char *path)
{
	return json_is_integer(find(root, path));
}

bool
report_is(const json_t *root, const char *path)
{
	return json_is_true(find(root, path));
}

size_t
report_list(const json_t *root, const char *path, json_t **list)
{
	*list = (json_t *)(uintptr_t)find(root, path);
	return json_array_size(*list);
}

const char *
report_text(const json_t *root, const char *path)
{
	const char *text = json_string_value(find(root, path));

	return text == NULL ? "" : text;
}
