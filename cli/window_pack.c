/* SPDX-License-Identifier: MIT */
/*
 * window_pack.c - an output of bale pack as items of a window, a file each.
 *
 * Does: names an item by the SHA-256 of its path. An item has no line numbers,
 *       which change with whatever stands before.
 */
#include "cli/window_pack.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/diag.h"
#include "base/number_format.h"
#include "base/sha256.h"
#include "cli/fence.h"
#include "markup/read.h"

#define ID_PREFIX "pack-"
#define ID_BYTES 12 /* of the SHA-256 */
#define GAP "...\n"

/* A file of the pack. */
struct section {
	char id[sizeof(ID_PREFIX) + 2 * ID_BYTES];
	char *path; /* quoted where need be: an item is UTF-8 */
	char *content;
	size_t content_bytes;
};

/* An item that the window has of an earlier pack. */
struct earlier {
	char id[WINDOW_ID_BYTES];
	uint8_t sha256[SHA256_BYTES]; /* of its content */
	uint64_t tokens;
	uint32_t priority;
	bool pinned;
};

struct packing {
	struct section *sections;
	size_t nr;
	size_t room;
	struct earlier *earlier;
	size_t earlier_nr;
	/* of the file that is being read */
	FILE *out;
	char *text;
	size_t text_bytes;
};

/* What became of the files of the last pack, and of those of this one. */
struct packed {
	size_t kept;
	size_t changed;
	size_t added;
	size_t removed;
	uint64_t
		prefix_tokens; /* of the items in front of the first other one */
	uint64_t tokens;       /* of all of them now */
};

static void
free_packing(struct packing *packing)
{
	for (size_t i = 0; i < packing->nr; i++) {
		free(packing->sections[i].path);
		free(packing->sections[i].content);
	}
	if (packing->out != NULL)
		fclose(packing->out);
	free(packing->text);
	free(packing->sections);
	free(packing->earlier);
}

/* ---- the pack ------------------------------------------------------------ */

/* Owner: free(); NULL: no memory */
static char *
quote_path(const uint8_t *path, size_t bytes)
{
	size_t size = 4 * bytes + 64; /* each byte as an octal escape */
	char *out = malloc(size);

	if (out != NULL)
		diag_quote(out, size, path, bytes);
	return out;
}

static int
on_file(void *context, const struct markup_file *file)
{
	struct packing *packing = context;
	uint8_t sha256[SHA256_BYTES];
	struct section *section;

	if (ARRAY_RESERVE(packing->sections, packing->room, packing->nr + 1) !=
	    0)
		return ENOMEM;
	section = &packing->sections[packing->nr++];
	*section = (struct section){
		.path = quote_path(file->path, file->path_bytes),
	};
	sha256_of(file->path, file->path_bytes, sha256);
	memcpy(section->id, ID_PREFIX, sizeof(ID_PREFIX));
	figure_hex(section->id + sizeof(ID_PREFIX) - 1, sha256, ID_BYTES);
	packing->out = open_memstream(&packing->text, &packing->text_bytes);
	if (section->path == NULL || packing->out == NULL)
		return ENOMEM;
	if (file->same_as_bytes > 0) {
		char *same_as = quote_path(file->same_as, file->same_as_bytes);

		if (same_as == NULL)
			return ENOMEM;
		fprintf(packing->out, "the same as %s\n", same_as);
		free(same_as);
	}
	return 0;
}

static int
on_text(void *context, const uint8_t *text, size_t nr)
{
	const struct packing *packing = context;

	return fwrite(text, 1, nr, packing->out) == nr ? 0 : ENOMEM;
}

static int
on_gap(void *context)
{
	const struct packing *packing = context;

	return fputs(GAP, packing->out) >= 0 ? 0 : ENOMEM;
}

/* The item's content: the path, and the text as data. */
static int
on_end(void *context)
{
	struct packing *packing = context;
	struct section *section = &packing->sections[packing->nr - 1];
	int error = fclose(packing->out) == 0 ? 0 : ENOMEM;
	FILE *out = open_memstream(&section->content, &section->content_bytes);

	packing->out = NULL;
	if (out == NULL)
		return ENOMEM;
	fprintf(out, "File: %s\n", section->path);
	fence_print(out, packing->text, packing->text_bytes);
	free(packing->text);
	packing->text = NULL;
	return fclose(out) == 0 ? error : ENOMEM;
}

/* Why it is none: the place of the mistake, if there is one. */
static void
say_no_pack(const uint8_t *text, size_t bytes, const struct markup_error *where,
	    struct window_error *error)
{
	static const uint8_t zstd[] = { 0x28, 0xb5, 0x2f, 0xfd };
	char line[32] = "";

	if (where->line > 0)
		snprintf(line, sizeof(line),
			 "line %ju: ", (uintmax_t)where->line);
	snprintf(error->text, sizeof(error->text),
		 "BALE-WIN-022 no output of bale pack: %s%s", line,
		 bytes >= sizeof(zstd) && memcmp(text, zstd, sizeof(zstd)) == 0
			 ? "it is compressed; give what zstd -dc makes of it"
			 : where->what);
}

static int
read_pack(struct packing *packing, const char *text, size_t bytes,
	  struct window_error *error)
{
	const struct markup_sink sink = {
		.context = packing,
		.file = on_file,
		.text = on_text,
		.gap = on_gap,
		.end = on_end,
	};
	struct markup_error where = { .what = "it has no file" };
	const uint8_t *start = (const uint8_t *)text;
	enum markup_kind kind;
	int result = markup_detect(start, bytes, &kind);

	if (result == 0)
		result = markup_read(kind, start, bytes, &sink, &where);
	if (result == -EBADMSG)
		say_no_pack(start, bytes, &where, error);
	else if (result != 0)
		snprintf(error->text, sizeof(error->text), "out of memory");
	return result > 0 ? -result : result;
}

/* ---- the window ---------------------------------------------------------- */

static bool
is_of_pack(const struct window_item *item)
{
	return item->type == WINDOW_RETRIEVED_DOCUMENT &&
	       strncmp(item->id, ID_PREFIX, strlen(ID_PREFIX)) == 0;
}

/* The items of packs, in their order; -ENOMEM. Owner: free() */
static int
list_items(struct window *window, struct earlier **out, size_t *nr)
{
	const struct window_filter all = { .by_type = false };
	struct window_list list;

	*nr = 0;
	if (window_list(window, &all, &list) != 0)
		return -ENOMEM;
	*out = calloc(list.nr + 1, sizeof(**out));
	for (size_t i = 0; i < list.nr && *out != NULL; i++) {
		const struct window_item *item = &list.items[i];
		struct earlier *one = &(*out)[*nr];

		if (!is_of_pack(item))
			continue;
		snprintf(one->id, sizeof(one->id), "%s", item->id);
		sha256_of(item->content, item->content_bytes, one->sha256);
		one->tokens = item->tokens;
		one->priority = item->priority;
		one->pinned = item->pinned;
		++*nr;
	}
	window_list_free(&list);
	return *out == NULL ? -ENOMEM : 0;
}

static const struct section *
section_of(const struct packing *packing, const char *id)
{
	for (size_t i = 0; i < packing->nr; i++)
		if (strcmp(packing->sections[i].id, id) == 0)
			return &packing->sections[i];
	return NULL;
}

/* The item that a file was before; NULL: none. */
static const struct earlier *
earlier_of(const struct packing *packing, const char *id)
{
	for (size_t i = 0; i < packing->earlier_nr; i++)
		if (strcmp(packing->earlier[i].id, id) == 0)
			return &packing->earlier[i];
	return NULL;
}

static bool
is_same(const struct section *section, const struct earlier *item)
{
	uint8_t sha256[SHA256_BYTES];

	sha256_of(section->content, section->content_bytes, sha256);
	return memcmp(sha256, item->sha256, sizeof(sha256)) == 0;
}

/* Removes what is not as it was, and takes what is out of the pack. */
static void
remove_others(struct window *window, struct packing *packing,
	      struct packed *out)
{
	for (size_t i = 0; i < packing->earlier_nr; i++) {
		const struct earlier *item = &packing->earlier[i];
		struct section *section =
			(struct section *)(uintptr_t)section_of(packing,
								item->id);

		if (section != NULL && is_same(section, item)) {
			out->kept++;
			section->id[0] = '\0';
			continue;
		}
		out->removed += section == NULL;
		out->changed += section != NULL;
		window_remove(window, item->id);
	}
}

/* Which file it was. */
static int
blame(const struct section *section, int result, struct window_error *error)
{
	size_t bytes = strlen(error->text);

	if (result != 0)
		snprintf(error->text + bytes, sizeof(error->text) - bytes,
			 " (file %s)", section->path);
	return result;
}

static int
add_sections(struct window *window, const struct packing *packing,
	     const struct window_item *like, struct packed *out,
	     struct window_error *error)
{
	int result = 0;

	for (size_t i = 0; i < packing->nr && result == 0; i++) {
		const struct section *section = &packing->sections[i];
		const struct earlier *before = earlier_of(packing, section->id);
		struct window_item item = {
			.id = section->id,
			.content = section->content,
			.content_bytes = section->content_bytes,
			.type = WINDOW_RETRIEVED_DOCUMENT,
			.priority = like->priority,
			.pinned = like->pinned,
			.source_ref = section->path,
		};
		char id[WINDOW_ID_BYTES];

		if (section->id[0] == '\0')
			continue;
		out->added += before == NULL;
		/* what was said of it holds for its new text as well */
		if (before != NULL) {
			item.pinned |= before->pinned;
			if (like->priority == WINDOW_PRIORITY_DEFAULT)
				item.priority = before->priority;
		}
		result = blame(section, window_add(window, &item, id, error),
			       error);
	}
	return result;
}

/* How much is in front as it was. */
static int
measure(struct window *window, const struct packing *packing,
	struct packed *out)
{
	struct earlier *now = NULL;
	size_t nr;
	bool is_prefix = true;
	int result = list_items(window, &now, &nr);

	for (size_t i = 0; result == 0 && i < nr; i++) {
		is_prefix = is_prefix && i < packing->earlier_nr &&
			    strcmp(now[i].id, packing->earlier[i].id) == 0 &&
			    memcmp(now[i].sha256, packing->earlier[i].sha256,
				   SHA256_BYTES) == 0;
		out->tokens += now[i].tokens;
		out->prefix_tokens += is_prefix ? now[i].tokens : 0;
	}
	free(now);
	return result;
}

int
window_pack_add(struct window *window, const struct window_item *item,
		FILE *out, struct window_error *error)
{
	struct packing packing = { .nr = 0 };
	struct packed packed = { .kept = 0 };
	int result =
		read_pack(&packing, item->content, item->content_bytes, error);

	if (result == 0) {
		snprintf(error->text, sizeof(error->text), "out of memory");
		result = list_items(window, &packing.earlier,
				    &packing.earlier_nr);
	}
	if (result == 0) {
		remove_others(window, &packing, &packed);
		result = add_sections(window, &packing, item, &packed, error);
	}
	if (result == 0)
		result = measure(window, &packing, &packed);
	if (result == 0)
		fprintf(out,
			"{\"kept\":%zu,\"changed\":%zu,\"new\":%zu,"
			"\"removed\":%zu,\"prefix_tokens\":%ju,"
			"\"tokens\":%ju}\n",
			packed.kept, packed.changed, packed.added,
			packed.removed, (uintmax_t)packed.prefix_tokens,
			(uintmax_t)packed.tokens);
	free_packing(&packing);
	return result;
}
