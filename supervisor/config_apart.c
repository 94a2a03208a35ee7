/* SPDX-License-Identifier: MIT */
/*
 * config_apart.c - entries through memory that is shared with a child.
 *
 *   | head | records, CONFIG_ENTRIES_MAX of them | texts, each with a NUL |
 *
 * Keys are repeated in the path of each entry below them, so that texts may
 * take more than the file; what has no room is no configuration.
 */
#include "supervisor/config_apart.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "supervisor/sandbox.h"
#include "supervisor/supervisor.h"

#define PATHS_BYTES (1u << 20)
#define NO_TEXT UINT32_MAX

struct record {
	uint32_t path_off;
	uint32_t value_off; /* NO_TEXT: it has none */
	uint32_t kind;
	uint32_t depth;
	uint32_t parent;
	struct config_place place;
};

struct config_crossing {
	int32_t result; /* of config_yaml_read() */
	uint32_t nr;
	uint32_t texts_bytes;
	struct config_fault fault;
	struct record records[CONFIG_ENTRIES_MAX];
	char texts[];
};

struct config_crossing *
config_crossing_new(size_t bytes, size_t *size)
{
	void *memory;

	*size = sizeof(struct config_crossing) + bytes + PATHS_BYTES;
	memory = mmap(NULL, *size, PROT_READ | PROT_WRITE,
		      MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	return memory == MAP_FAILED ? NULL : memory;
}

void
config_crossing_free(struct config_crossing *crossing, size_t size)
{
	munmap(crossing, size);
}

/* Where a text is put; NO_TEXT: there is no room. */
static uint32_t
put_text(struct config_crossing *crossing, size_t room, const char *text)
{
	size_t bytes = strlen(text) + 1;
	uint32_t off = crossing->texts_bytes;

	if (bytes > room - off)
		return NO_TEXT;
	memcpy(crossing->texts + off, text, bytes);
	crossing->texts_bytes += (uint32_t)bytes;
	return off;
}

bool
config_crossing_put(struct config_crossing *crossing, size_t size,
		    const struct config_entries *entries)
{
	size_t room = size - sizeof(*crossing);

	for (size_t i = 0; i < entries->nr; i++) {
		const struct config_entry *entry = &entries->items[i];
		struct record *record = &crossing->records[i];

		*record = (struct record){
			.path_off = put_text(crossing, room, entry->path),
			.value_off = NO_TEXT,
			.kind = entry->kind,
			.depth = entry->depth,
			.parent = entry->parent,
			.place = entry->place,
		};
		if (entry->value != NULL)
			record->value_off =
				put_text(crossing, room, entry->value);
		if (record->path_off == NO_TEXT ||
		    (entry->value != NULL && record->value_off == NO_TEXT))
			return false;
	}
	crossing->nr = (uint32_t)entries->nr;
	return true;
}

/* A copy; -EPROTO: it is not within the texts, or too long. */
static int
take_text(const struct config_crossing *crossing, size_t room, uint32_t off,
	  size_t bytes_max, const char **out)
{
	const char *text = crossing->texts + off;
	size_t bytes;

	if (off >= room)
		return -EPROTO;
	bytes = strnlen(text, min_size(room - off, bytes_max + 1));
	if (bytes > bytes_max || bytes == room - off)
		return -EPROTO;
	*out = strndup(text, bytes);
	return *out == NULL ? -ENOMEM : 0;
}

static int
take_entry(const struct config_crossing *crossing, size_t room, uint32_t i,
	   struct config_entry *out)
{
	const struct record record = crossing->records[i];
	int error;

	*out = (struct config_entry){
		.kind = (enum config_kind)record.kind,
		.depth = record.depth,
		.parent = record.parent,
		.place = record.place,
	};
	if (record.kind > CONFIG_LIST || record.depth > CONFIG_DEPTH_MAX ||
	    (i == 0 ? record.parent != 0 : record.parent >= i))
		return -EPROTO;
	error = take_text(crossing, room, record.path_off,
			  CONFIG_PATH_BYTES - 1, &out->path);
	if (error == 0 && record.value_off != NO_TEXT)
		error = take_text(crossing, room, record.value_off,
				  CONFIG_VALUE_BYTES, &out->value);
	return error;
}

int
config_crossing_take(const struct config_crossing *crossing, size_t size,
		     struct config_entries *out)
{
	size_t room = size - sizeof(*crossing);
	uint32_t nr = crossing->nr;
	int error = 0;

	*out = (struct config_entries){ .nr = 0 };
	if (nr > CONFIG_ENTRIES_MAX)
		return -EPROTO;
	out->items = calloc(nr + 1ul, sizeof(*out->items));
	if (out->items == NULL)
		return -ENOMEM;
	out->room = nr + 1ul;
	for (uint32_t i = 0; i < nr && error == 0; i++) {
		error = take_entry(crossing, room, i, &out->items[i]);
		out->nr++; /* from here on config_entries_free() knows it */
	}
	return error;
}

/* What the child has to do. */
struct reading {
	const char *text;
	size_t bytes;
	struct config_crossing *crossing;
	size_t size;
};

/* calls: the child */
static int
read_yaml(void *context)
{
	const struct reading *reading = context;
	struct config_crossing *crossing = reading->crossing;
	struct config_entries entries;
	int result = config_yaml_read(reading->text, reading->bytes, &entries,
				      &crossing->fault);

	if (result == 0 &&
	    !config_crossing_put(crossing, reading->size, &entries)) {
		snprintf(crossing->fault.text, sizeof(crossing->fault.text),
			 "its keys are too long, or too deep in each other");
		result = -EBADMSG;
	}
	crossing->result = result;
	return EXIT_COMPLETE;
}

/* What the child has left. */
static int
take_result(const struct reading *reading, struct config_entries *out,
	    struct config_fault *fault)
{
	const struct config_crossing *crossing = reading->crossing;
	int result = crossing->result;

	if (result == 0)
		return config_crossing_take(crossing, reading->size, out);
	if (result != -EBADMSG)
		return result == -ENOMEM ? -ENOMEM : -EPROTO;
	*fault = crossing->fault;
	fault->text[sizeof(fault->text) - 1] = '\0';
	return -EBADMSG;
}

int
config_yaml_read_apart(unsigned layers, const char *text, size_t bytes,
		       struct config_entries *out, struct config_fault *fault)
{
	struct reading reading = { .text = text, .bytes = bytes };
	const struct sandbox_child child = {
		.active = layers,
		.what = "the configuration file",
		.work = read_yaml,
		.context = &reading,
	};
	int error = -EPROTO;

	if (layers == 0)
		return config_yaml_read(text, bytes, out, fault);
	*out = (struct config_entries){ .nr = 0 };
	reading.crossing = config_crossing_new(bytes, &reading.size);
	if (reading.crossing == NULL)
		return -ENOMEM;
	if (sandbox_run_child(&child) == EXIT_COMPLETE)
		error = take_result(&reading, out, fault);
	config_crossing_free(reading.crossing, reading.size);
	if (error != -EPROTO)
		return error;
	snprintf(fault->text, sizeof(fault->text),
		 "the process that parses it did not come to its end");
	return -EBADMSG;
}
