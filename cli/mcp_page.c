/* SPDX-License-Identifier: MIT */
/*
 * mcp_page.c - parts of a pack that is kept: what follows a place, or the lines
 *              with a pattern.
 */
#include "cli/mcp.h"

#include <string.h>

#include "base/ascii.h"
#include "base/fd_io.h"
#include "cli/fence.h"
#include "tokenizer/tokenizer.h"

#define TOKEN_BYTES_MOST 128 /* so that no more text is looked at */
#define NOTE_WHOLE "All of pack %s. " MCP_DATA
#define ID_WIDEST "0a0a0a0a" /* none has more tokens */
#define NO_HEADING SIZE_MAX

/* A line of the pack, or what of it fits. */
struct part {
	size_t off;
	size_t bytes;
	size_t heading; /* the line that names its file, as an offset */
};

struct page {
	const char *id;
	const char *text;
	size_t bytes;
	size_t end; /* where what follows the last part begins */
	bool has_pattern;
	struct part *parts;
	size_t nr;
	size_t room;
};

/* ---- answers ------------------------------------------------------------ */

/* As a tool answers, or as a resource is read. */
static json_t *
text_result(const struct mcp_call *call, const char *text, size_t bytes)
{
	json_t *result;

	if (call->tool != MCP_RESOURCE)
		return mcp_text_result(call, text, bytes);
	result = json_pack("{s:[{s:s+, s:s, s:s%}]}", "contents", "uri",
			   MCP_PACK_URI, call->place, "mimeType", "text/plain",
			   "text", text, bytes);
	mcp_private_finish(result, call->is_modern);
	return result;
}

/* Whether programs read the answer. */
static bool
is_structured(const struct mcp_call *call)
{
	return call->scope->is_structured && call->tool != MCP_RESOURCE;
}

/* All of a pack; a tool says its id before. */
static json_t *
whole_result(const struct mcp_call *call, const char *id, const char *text,
	     size_t bytes)
{
	char note[sizeof(NOTE_WHOLE) + MCP_PACK_ID_BYTES];
	json_t *result;

	if (is_structured(call))
		return mcp_structured_text(call, json_pack("{s:s}", "pack", id),
					   text, bytes);
	result = text_result(call, text, bytes);

	snprintf(note, sizeof(note), NOTE_WHOLE, id);
	if (call->tool != MCP_RESOURCE)
		json_array_insert_new(
			json_object_get(result, "content"), 0,
			json_pack("{s:s, s:s}", "type", "text", "text", note));
	return result;
}

uint64_t
mcp_page_tokens(const struct mcp_call *call)
{
	json_t *empty = whole_result(call, ID_WIDEST, "", 0);
	uint64_t tokens = mcp_result_tokens(call->scope, empty);

	json_decref(empty);
	return tokens;
}

static void
print_heading(FILE *out, const struct page *page, size_t idx)
{
	const struct part *part = &page->parts[idx];
	const char *line = page->text + part->heading;
	const char *newline;

	if (part->heading == NO_HEADING || part->heading == part->off ||
	    (idx > 0 && part->heading == part[-1].heading))
		return;
	newline = memchr(line, '\n', page->bytes - part->heading);
	fwrite(line, 1, (size_t)(newline - line) + 1, out);
}

/* The text of the parts, and its length. Owner: free(); NULL: no memory. */
static char *
join_parts(const struct page *page, size_t nr, size_t *bytes)
{
	char *text = NULL;
	FILE *out = open_memstream(&text, bytes);

	if (out == NULL)
		return NULL;
	for (size_t i = 0; i < nr; i++) {
		const struct part *part = &page->parts[i];

		if (page->has_pattern) {
			print_heading(out, page, i);
			fprintf(out, "%zu: ", part->off);
		}
		fwrite(page->text + part->off, 1, part->bytes, out);
	}
	if (fclose(out) == 0)
		return text;
	free(text);
	return NULL;
}

static json_t *
structured_parts(const struct mcp_call *call, const struct page *page,
		 size_t next, const char *text, size_t bytes)
{
	json_t *value = json_pack("{s:s}", "pack", page->id);
	char place[MCP_PACK_ID_BYTES + 24];

	snprintf(place, sizeof(place), "%s-%zu", page->id, next);
	if (next < page->bytes)
		json_object_set_new(value, "next", json_string(place));
	return mcp_structured_text(call, value, text, bytes);
}

static json_t *
first_parts(const struct mcp_call *call, void *context, size_t nr)
{
	const struct page *page = context;
	size_t next = nr < page->nr ? page->parts[nr].off : page->end;
	size_t joined_bytes;
	char *joined = join_parts(page, nr, &joined_bytes);
	char *text = NULL;
	size_t bytes;
	FILE *out = NULL;
	json_t *result = NULL;

	if (joined != NULL && is_structured(call))
		result = structured_parts(call, page, next, joined,
					  joined_bytes);
	else if (joined != NULL)
		out = open_memstream(&text, &bytes);
	if (out == NULL)
		goto done;
	fprintf(out, "Pack %s, ", page->id);
	if (page->has_pattern)
		fprintf(out,
			"lines with the pattern, each after its byte in the pack.");
	else
		fprintf(out, "bytes %zu-%zu of %zu.", page->parts[0].off, next,
			page->bytes);
	if (next < page->bytes)
		fprintf(out, " Go on with pack \"%s-%zu\".", page->id, next);
	fprintf(out, " " MCP_DATA "\n");
	fence_print(out, joined, joined_bytes);
	fflush(out);
	result = text_result(call, text, bytes);
done:
	if (out != NULL)
		fclose(out);
	free(text);
	free(joined);
	return result;
}

/* The same with the first bytes of the first part alone. */
static json_t *
first_bytes(const struct mcp_call *call, void *context, size_t nr)
{
	const struct page *page = context;
	struct part part = page->parts[0];
	struct page cut = *page;

	part.bytes =
		tokenizer_valid_len((const uint8_t *)page->text + part.off, nr);
	if (part.bytes == 0)
		return NULL;
	cut.parts = &part;
	cut.nr = 1;
	cut.end = part.off + part.bytes;
	return first_parts(call, &cut, 1);
}

static json_t *
answer(const struct mcp_call *call, struct page *page)
{
	json_t *result = mcp_fit(call, 1, page->nr, first_parts, page);

	if (result == NULL)
		result = mcp_fit(call, 1, page->parts[0].bytes, first_bytes,
				 page);
	if (result == NULL)
		result = mcp_tool_error(call->is_modern,
					"%ju tokens hold nothing of it",
					call->tokens);
	return result;
}

/* ---- which lines -------------------------------------------------------- */

static bool
begins_with(const struct page *page, size_t at, const char *word)
{
	return page->bytes - at >= strlen(word) &&
	       memcmp(page->text + at, word, strlen(word)) == 0;
}

/* The length of the fence that the line at `at` begins with; below 3: none. */
static size_t
fence_at(const struct page *page, size_t at)
{
	size_t nr = 0;

	while (at + nr < page->bytes && page->text[at + nr] == '`')
		nr++;
	return nr;
}

/* Whether the line at `at`, before `end`, names a file, in a format that has
 * such lines. That of signatures is short, and a fence follows it. */
static bool
is_heading(const struct page *page, size_t at, size_t end)
{
	return begins_with(page, at, "## File: ") ||
	       begins_with(page, at, "======== File: ") ||
	       begins_with(page, at, "<file path=") ||
	       (begins_with(page, at, "### ") && fence_at(page, end) >= 3);
}

/* Where in a pack lines are read. */
struct heading {
	size_t at;    /* of the last heading, or NO_HEADING */
	size_t fence; /* of the file in Markdown, as long as it is open, or 0 */
	size_t opens; /* where it begins */
};

/* Takes the line at `at`, before `end`: what is within fences is no heading. */
static void
follow_headings(struct heading *heading, const struct page *page, size_t at,
		size_t end)
{
	if (heading->fence > 0) {
		if (at > heading->opens && end - at == heading->fence + 1 &&
		    fence_at(page, at) == heading->fence)
			heading->fence = 0;
	} else if (is_heading(page, at, end)) {
		heading->at = at;
		heading->opens = end;
		heading->fence =
			page->text[at] == '#' ? fence_at(page, end) : 0;
	}
}

/* The first place of a word in a line, or NULL. */
static const char *
find_word(const char *line, const char *end, const char *word, size_t bytes,
	  bool folds)
{
	for (; (size_t)(end - line) >= bytes; line++) {
		size_t same = 0;

		while (same < bytes &&
		       (folds ? ascii_lower((uint8_t)line[same])
			      : (uint8_t)line[same]) == (uint8_t)word[same])
			same++;
		if (same == bytes)
			return line;
	}
	return NULL;
}

/* Whether a line has all words of a pattern in their order, * between them. */
static bool
has_pattern(const char *line, size_t bytes, const char *pattern, bool folds)
{
	const char *end = line + bytes;

	for (;;) {
		size_t word = strcspn(pattern, "*");

		line = find_word(line, end, pattern, word, folds);
		if (line == NULL || pattern[word] == '\0')
			return line != NULL;
		line += word;
		pattern += word + 1;
	}
}

static bool
has_capital(const char *pattern)
{
	while (*pattern != '\0' && !ascii_is_upper((uint8_t)*pattern))
		pattern++;
	return *pattern != '\0';
}

/* The lines from a place on, as far as an answer may want them; -errno. */
static int
find_parts(const struct mcp_call *call, struct page *page, size_t from,
	   const char *pattern)
{
	size_t most = (size_t)min_u64(call->tokens, SIZE_MAX / 256) *
		      TOKEN_BYTES_MOST;
	struct heading heading = { .at = NO_HEADING };
	size_t taken = 0;
	size_t at = 0;
	bool folds = pattern != NULL && !has_capital(pattern);

	while (at < page->bytes && taken <= most) {
		const char *line = page->text + at;
		const char *newline = memchr(line, '\n', page->bytes - at);
		size_t end = newline == NULL
				     ? page->bytes
				     : (size_t)(newline - page->text) + 1;
		size_t off = at > from ? at : from;

		follow_headings(&heading, page, at, end);
		at = end;
		if (end <= from ||
		    (pattern != NULL &&
		     !has_pattern(page->text + off,
				  (size_t)(end - off) - (newline != NULL),
				  pattern, folds)))
			continue;
		if (ARRAY_RESERVE(page->parts, page->room, page->nr + 1) != 0)
			return -ENOMEM;
		page->parts[page->nr++] = (struct part){
			.off = off,
			.bytes = end - off,
			.heading = heading.at,
		};
		taken += end - off;
	}
	page->end = at;
	return 0;
}

/* From a place on, which is moved to the next whole character. */
static json_t *
page_from(const struct mcp_call *call, struct page *page, size_t from,
	  const char *pattern)
{
	json_t *result;

	while (from < page->bytes && (page->text[from] & 0xc0) == 0x80)
		from++;
	page->has_pattern = pattern != NULL;
	if (find_parts(call, page, from, pattern) != 0)
		result = NULL;
	else if (page->nr == 0)
		result = mcp_tool_error(call->is_modern, "%s",
					pattern != NULL
						? "no line has this pattern"
						: "the pack ends here");
	else
		result = answer(call, page);
	free(page->parts);
	return result;
}

json_t *
mcp_page_of(const struct mcp_call *call, const char *id, const char *text,
	    size_t bytes)
{
	struct page page = { .id = id, .text = text, .bytes = bytes };
	json_t *whole = NULL;

	if (bytes / TOKEN_BYTES_MOST <= call->tokens)
		whole = whole_result(call, id, text, bytes);
	if (whole != NULL &&
	    mcp_result_tokens(call->scope, whole) <= call->tokens)
		return whole;
	json_decref(whole);
	return page_from(call, &page, 0, NULL);
}

json_t *
mcp_page(const struct mcp_call *call)
{
	const char *pattern =
		json_string_value(json_object_get(call->arguments, "pattern"));
	uint64_t from;
	const struct mcp_pack *pack =
		mcp_packs_find(call->packs, call->place, &from);
	json_t *result;
	char *text;

	if (!mcp_call_confine(call))
		return mcp_tool_error(call->is_modern,
				      "the call cannot be confined");
	if (pack == NULL)
		return mcp_tool_error(
			call->is_modern,
			"%s: no such pack is kept; make it again with pack",
			WORD_QUOTED(call->place));
	text = malloc(pack->bytes + 1);
	if (text == NULL || fd_pread_all(pack->fd, text, pack->bytes, 0) != 0) {
		result = mcp_tool_error(call->is_modern,
					"the pack cannot be read");
	} else {
		struct page page = {
			.id = pack->id,
			.text = text,
			.bytes = pack->bytes,
		};

		result =
			from == 0 && pattern == NULL
				? mcp_page_of(call, pack->id, text, pack->bytes)
				: page_from(call, &page, from, pattern);
	}
	free(text);
	return result;
}
