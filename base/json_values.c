/* SPDX-License-Identifier: MIT */
/*
 * json_values.c - how many values JSON has, before it is parsed.
 */
#include "base/json_values.h"

void
json_values_add(struct json_values *values, const char *bytes, size_t nr)
{
	for (size_t i = 0; i < nr; i++) {
		if (values->escaped)
			values->escaped = false;
		else if (values->in_string && bytes[i] == '\\')
			values->escaped = true;
		else if (bytes[i] == '"')
			values->in_string = !values->in_string;
		else if (!values->in_string)
			values->nr += bytes[i] == '[' || bytes[i] == '{' ||
				      bytes[i] == ',';
	}
	values->bytes += nr;
}

bool
json_values_within(const char *bytes, size_t nr, uint64_t max)
{
	struct json_values values = { .nr = 0 };

	json_values_add(&values, bytes, nr);
	return values.nr <= max;
}
