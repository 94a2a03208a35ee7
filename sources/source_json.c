/* SPDX-License-Identifier: MIT */
/*
 * source_json.c - a line of --sources: JSON of a closed shape.
 */
#include "sources/source_parse.h"

#include <errno.h>
#include <jansson.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "base/clock.h"
#include "base/json_values.h"
#include "sources/source.h"
#include "sources/source_scan.h"

#define JSON_VALUES_MAX 100000 /* a value takes far more than its bytes */
#define TIMEOUT_MS_MAX 86400000.0
#define SECONDS_MAX 9e9 /* since 1970, or before it: the year 2255 */

static int
fail(char *error, size_t size, const char *what)
{
	snprintf(error, size, "%s", what);
	return -EINVAL;
}

static int
take_type(const json_t *root, struct source_json *wish, char *error,
	  size_t size)
{
	const char *type = json_string_value(json_object_get(root, "type"));

	for (uint8_t i = 0; type != NULL && i < CATEGORY_TREE; i++) {
		if (strcmp(type, category_type(i)) == 0 ||
		    strcmp(type, category_name(i)) == 0) {
			wish->category = i;
			return 0;
		}
	}
	return fail(error, size,
		    "\"type\" is one of tool_result, open_file, "
		    "search_result, reference");
}

/* "12", "12-40", [12, 40] or {"start": 12, "end": 40}. */
static bool
take_lines(const json_t *lines, struct source_place *place)
{
	json_int_t first = 0;
	json_int_t last = 0;

	if (json_is_string(lines))
		return source_parse_lines(json_string_value(lines), place);
	if (json_is_integer(lines)) {
		first = last = json_integer_value(lines);
	} else if (json_is_array(lines) && json_array_size(lines) == 2) {
		first = json_integer_value(json_array_get(lines, 0));
		last = json_integer_value(json_array_get(lines, 1));
	} else if (json_is_object(lines)) {
		first = json_integer_value(json_object_get(lines, "start"));
		last = json_integer_value(json_object_get(lines, "end"));
	}
	place->line_first = (uint64_t)first;
	place->line_last = (uint64_t)last;
	place->is_exact = !json_is_integer(lines);
	return first > 0 && last >= first && last <= UINT32_MAX;
}

/* Whether so many seconds since 1970 are nanoseconds that can be said. */
static bool
is_time(double seconds)
{
	return seconds > -SECONDS_MAX && seconds < SECONDS_MAX;
}

/* Behind the zone of a time, which tm then is without; NULL: it is none. */
static const char *
take_zone(const char *at, struct tm *tm)
{
	int hours;
	int minutes;

	if (*at == 'Z')
		return at + 1;
	if (*at != '+' && *at != '-')
		return at;
	if (sscanf(at + 1, "%2d:%2d", &hours, &minutes) != 2)
		return NULL;
	tm->tm_hour += *at == '+' ? -hours : hours;
	tm->tm_min += *at == '+' ? -minutes : minutes;
	return at + strlen(at);
}

/* A date and time as ISO 8601 has them, UTC where no zone is said. */
static bool
parse_time(const char *text, int64_t *out_seconds)
{
	struct tm tm = { 0 };
	const char *end = strptime(text, "%Y-%m-%d", &tm);

	if (end != NULL && (*end == 'T' || *end == ' '))
		end = strptime(end + 1, "%H:%M:%S", &tm);
	if (end != NULL && *end == '.')
		end += 1 + strspn(end + 1, "0123456789");
	if (end != NULL)
		end = take_zone(end, &tm);
	if (end == NULL || *end != '\0')
		return false;
	*out_seconds = timegm(&tm);
	return is_time((double)*out_seconds);
}

/* Seconds since 1970, or a date and time. */
static bool
take_time(const json_t *value, int64_t *out_ns)
{
	int64_t seconds;

	if (json_is_number(value)) {
		double number = json_number_value(value);

		if (!is_time(number))
			return false;
		*out_ns = (int64_t)(number * (double)NS_PER_S);
		return true;
	}
	if (!json_is_string(value) ||
	    !parse_time(json_string_value(value), &seconds))
		return false;
	*out_ns = seconds * (int64_t)NS_PER_S;
	return true;
}

static int
take_numbers(const json_t *root, struct source_json *wish, char *error,
	     size_t size)
{
	const json_t *relevance = json_object_get(root, "relevance");
	const json_t *time = json_object_get(root, "timestamp");
	const json_t *timeout = json_object_get(root, "timeout");

	wish->relevance = SOURCE_ONE;
	wish->time_ns = SOURCE_TIME_NONE;
	if (relevance != NULL) {
		double value = json_number_value(relevance);

		if (!json_is_number(relevance) || !(value >= 0 && value <= 1))
			return fail(error, size,
				    "\"relevance\" is a number from 0 to 1");
		wish->relevance = (uint32_t)(value * SOURCE_ONE + 0.5);
	}
	if (time != NULL && !take_time(time, &wish->time_ns))
		return fail(error, size,
			    "\"timestamp\" is a number of seconds since 1970, "
			    "or such as \"2026-01-31T12:00:00Z\"");
	if (timeout != NULL) {
		double ms = json_number_value(timeout) * 1000;

		if (!json_is_number(timeout) ||
		    !(ms >= 1 && ms <= TIMEOUT_MS_MAX))
			return fail(error, size,
				    "\"timeout\" is a number of seconds, "
				    "greater than 0, at most 86400");
		wish->timeout_ms = (uint64_t)ms;
	}
	return 0;
}

static int
take_content(const json_t *root, struct source_json *wish, char *error,
	     size_t size)
{
	const json_t *path = json_object_get(root, "path");
	const json_t *content = json_object_get(root, "content");
	const json_t *lines = json_object_get(root, "lines");

	wish->name = json_string_value(json_object_get(root, "name"));
	if (content != NULL) {
		if (!json_is_string(content))
			return fail(error, size, "\"content\" is a text");
		wish->content = json_string_value(content);
		wish->content_bytes = json_string_length(content);
		if (wish->name == NULL)
			wish->name = json_string_value(path);
		return 0;
	}
	if (!json_is_string(path) || json_string_length(path) == 0)
		return fail(error, size,
			    "it needs a \"path\" or a \"content\"");
	wish->place.path = json_string_value(path);
	wish->place.path_bytes = json_string_length(path);
	if (lines != NULL && !take_lines(lines, &wish->place))
		return fail(error, size,
			    "\"lines\" is such as \"10-20\" or [10, 20]");
	return 0;
}

json_t *
scan_json(const char *line, size_t bytes, size_t flags)
{
	return json_values_within(line, bytes, JSON_VALUES_MAX)
		       ? json_loadb(line, bytes, flags, NULL)
		       : NULL;
}

int
source_parse_json(const char *line, size_t bytes, struct source_json *wish,
		  char *error, size_t error_size)
{
	json_t *root = scan_json(line, bytes, JSON_REJECT_DUPLICATES);
	int result;

	*wish = (struct source_json){ .json = root };
	if (root == NULL)
		return fail(error, error_size,
			    "it is not JSON, or has too many values");
	if (!json_is_object(root))
		return fail(error, error_size, "it is not a JSON object");
	result = take_type(root, wish, error, error_size);
	if (result == 0)
		result = take_content(root, wish, error, error_size);
	if (result == 0)
		result = take_numbers(root, wish, error, error_size);
	return result;
}

void
source_json_fini(struct source_json *wish)
{
	json_decref(wish->json);
	wish->json = NULL;
}
