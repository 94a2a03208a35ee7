/* SPDX-License-Identifier: MIT */
/*
 * json_text.h - JSON as text, with numbers as people write them.
 *
 * Does: what json_dumps(3) does, but that 0.1 stays 0.1: a real number has the
 *       fewest digits that give it back, where the library writes all 17.
 */
#ifndef WINDOW_JSON_TEXT_H
#define WINDOW_JSON_TEXT_H

#include <jansson.h>

/*
 * shape:  the text of a value, NULL: it cannot be, or there is no memory
 * units:  flags: as json_dumps(3), but no precision
 * owner:  free(3)
 */
char *
json_text(const json_t *json, size_t flags);

#endif
