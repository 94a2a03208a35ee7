/* SPDX-License-Identifier: MIT */
/*
 * config_yaml.h - a small, plain part of YAML as a flat list of entries.
 *
 * Does: mappings, lists and scalars, each with its place; keys in snake case.
 * Does not: know any key; take anchors, aliases, tags, several documents or
 *           keys that are no text: a configuration needs none of them, and
 *           each is a way to make much of little.
 * Runs in: the supervisor; the text may be a stranger's.
 * Limits: those below; time is linear but for a sort of the keys.
 */
#ifndef SUPERVISOR_CONFIG_YAML_H
#define SUPERVISOR_CONFIG_YAML_H

#include "shm/base.h"

#define CONFIG_BYTES_MAX (256u << 10)
#define CONFIG_DEPTH_MAX 16
#define CONFIG_ENTRIES_MAX 4096
#define CONFIG_KEY_BYTES 64
#define CONFIG_PATH_BYTES 512
#define CONFIG_VALUE_BYTES 4096

/* Line and column of a file, from 1; 0: nowhere. */
struct config_place {
	uint32_t line;
	uint32_t column;
};

enum config_kind {
	CONFIG_SCALAR = 0, /* the value of a key */
	CONFIG_ITEM,       /* a scalar in a list */
	CONFIG_MAP,
	CONFIG_LIST
};

struct config_entry {
	const char *path;  /* keys joined by dots; "" for the root */
	const char *value; /* text of a scalar; NULL: null, or no scalar */
	enum config_kind kind;
	uint32_t depth;  /* entries with more belong to this one */
	uint32_t parent; /* number of the mapping or list it stands in */
	struct config_place place;
};

/* What a text says, in its order. */
struct config_entries {
	struct config_entry *items;
	size_t nr;
	size_t room;
};

#define CONFIG_TEXT_BYTES 384

struct config_fault {
	struct config_place place;
	char text[CONFIG_TEXT_BYTES];
};

/*
 * shape:  the entries of a text; nothing or only comments: none
 * owner:  *out: config_entries_free(), also after an error
 * errors: -EBADMSG: *fault says what and where; -ENOMEM
 * calls:  config_load(), the fuzzer
 */
int
config_yaml_read(const char *text, size_t bytes, struct config_entries *out,
		 struct config_fault *fault);

/* Frees all entries. */
void
config_entries_free(struct config_entries *entries);

/*
 * shape:  a key in snake case: maxTokens and max-tokens become max_tokens
 * owner:  writes at most `size` bytes to `out`, NUL included
 */
void
config_snake_case(char *out, size_t size, const char *key);

#endif
