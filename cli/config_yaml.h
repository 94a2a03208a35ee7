/* SPDX-License-Identifier: MIT */
/*
 * config_yaml.h - a small, plain part of YAML as a flat list of entries.
 *
 * Does: reads a text, in a process of its own if it is asked to; says what is wrong
 *       with it, and where.
 * Does not: know keys (config_key.h) or options.
 */
#ifndef CLI_CONFIG_YAML_H
#define CLI_CONFIG_YAML_H

#include "base/base.h"

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

#define CONFIG_TEXT_BYTES 384

struct config_fault {
	struct config_place place;
	char text[CONFIG_TEXT_BYTES];
};

#define CONFIG_TEXTS_BYTES (CONFIG_BYTES_MAX + (1u << 20))
#define CONFIG_NO_TEXT UINT32_MAX

struct config_entry {
	uint32_t path_off;  /* in texts: keys joined by dots; "" for the root */
	uint32_t value_off; /* CONFIG_NO_TEXT: null, or no scalar */
	uint32_t kind;      /* enum config_kind */
	uint32_t depth;     /* entries with more belong to this one */
	uint32_t parent;    /* number of the mapping or list it stands in */
	struct config_place place;
};

/*
 * The entries of a text, in its order. Keys are repeated in the path of each
 * entry below them, so texts may take more than the file; a text without room
 * is not a configuration. It lies in memory of its own that a child may fill.
 */
struct config_entries {
	int32_t result; /* of config_yaml_read() */
	uint32_t nr;
	uint32_t texts_bytes;
	struct config_fault fault; /* of -EBADMSG */
	struct config_entry items[CONFIG_ENTRIES_MAX];
	char texts[CONFIG_TEXTS_BYTES];
};

/*
 * shape:  room for entries, shared with children forked later; NULL: none
 * owner:  config_entries_free()
 */
struct config_entries *
config_entries_new(void);

/* Accepts NULL. */
void
config_entries_free(struct config_entries *entries);

/*
 * shape:  whether all of it is within its bounds, whoever has written it
 * calls:  config_yaml_read_apart(), tests
 */
bool
config_entries_valid(const struct config_entries *entries);

/* Keys joined by dots. */
static inline const char *
config_entry_path(const struct config_entries *entries, size_t i)
{
	return entries->texts + entries->items[i].path_off;
}

/* NULL: null, or no scalar. */
static inline const char *
config_entry_value(const struct config_entries *entries, size_t i)
{
	uint32_t off = entries->items[i].value_off;

	return off == CONFIG_NO_TEXT ? NULL : entries->texts + off;
}

/*
 * shape:  the entries of a text; nothing or only comments: none
 * errors: -EBADMSG: out->fault says what and where; -ENOMEM; out->result is
 *         the same
 * calls:  config_yaml_read_apart(), tests
 */
int
config_yaml_read(const char *text, size_t bytes, struct config_entries *out);

/*
 * shape:  as config_yaml_read(); out: config_entries_new()
 * units:  layers: of sandbox_begin(); 0: it is done here
 * errors: likewise; -EBADMSG also for a child that did not live to its end
 */
int
config_yaml_read_apart(unsigned layers, const char *text, size_t bytes,
		       struct config_entries *out);

/*
 * shape:  a key in snake case: maxTokens and max-tokens become max_tokens
 * owner:  writes at most `size` bytes to `out`, NUL included
 */
void
config_snake_case(char *out, size_t size, const char *key);

#endif
