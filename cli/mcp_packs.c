/* SPDX-License-Identifier: MIT */
/*
 * mcp_packs.c - the packs that the server keeps for page and as resources.
 *
 * Does: keeps them in files without names, which end with the server.
 * Does not: read them: that does the process of a call.
 */
#include "cli/mcp.h"

#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tokenizer/tokenizer.h"

#define LIST_PAGE 16 /* of resources/list */

static void
remove_at(struct mcp_packs *packs, size_t idx)
{
	struct mcp_pack *pack = &packs->items[idx];

	close(pack->fd);
	packs->bytes -= pack->bytes;
	packs->nr--;
	memmove(pack, pack + 1, (packs->nr - idx) * sizeof(*pack));
}

static struct mcp_pack *
find_id(const struct mcp_packs *packs, const char *id, size_t bytes)
{
	for (size_t i = 0; i < packs->nr; i++)
		if (bytes == MCP_PACK_ID_BYTES - 1 &&
		    memcmp(packs->items[i].id, id, bytes) == 0)
			return (struct mcp_pack *)(uintptr_t)&packs->items[i];
	return NULL;
}

static bool
is_id(const char *id)
{
	return id != NULL && strlen(id) == MCP_PACK_ID_BYTES - 1 &&
	       strspn(id, "0123456789abcdef") == MCP_PACK_ID_BYTES - 1;
}

void
mcp_packs_add(struct mcp_packs *packs, const char *id, int fd,
	      const char *query)
{
	struct mcp_pack *same;
	struct mcp_pack *pack;
	struct stat st;

	if (!is_id(id) || fstat(fd, &st) != 0 || st.st_size > MCP_PACKS_BYTES) {
		close(fd);
		return;
	}
	same = find_id(packs, id, strlen(id));
	if (same != NULL)
		remove_at(packs, (size_t)(same - packs->items));
	while (packs->nr == MCP_PACKS_MAX ||
	       packs->bytes + (uint64_t)st.st_size > MCP_PACKS_BYTES)
		remove_at(packs, 0);
	pack = &packs->items[packs->nr++];
	*pack = (struct mcp_pack){
		.fd = fd,
		.bytes = (uint64_t)st.st_size,
		.number = ++packs->last_number,
	};
	memcpy(pack->id, id, sizeof(pack->id));
	snprintf(pack->title, sizeof(pack->title), "%s",
		 query == NULL ? "overview" : query);
	packs->bytes += pack->bytes;
}

void
mcp_packs_free(struct mcp_packs *packs)
{
	while (packs->nr > 0)
		remove_at(packs, packs->nr - 1);
}

const struct mcp_pack *
mcp_packs_find(const struct mcp_packs *packs, const char *place,
	       uint64_t *offset)
{
	size_t bytes = strcspn(place, "-");
	const struct mcp_pack *pack = find_id(packs, place, bytes);

	*offset = 0;
	if (pack == NULL || place[bytes] == '\0')
		return pack;
	return option_read_number(place + bytes + 1, strlen(place + bytes + 1),
				  0, pack->bytes, offset)
		       ? pack
		       : NULL;
}

static json_t *
resource_of(const struct mcp_pack *pack)
{
	return json_pack(
		"{s:s+, s:s+, s:s%, s:s, s:I}", "uri", MCP_PACK_URI, pack->id,
		"name", "pack ", pack->id, "title", pack->title,
		tokenizer_valid_len((const uint8_t *)pack->title,
				    strlen(pack->title)),
		"mimeType", "text/plain", "size", (json_int_t)pack->bytes);
}

json_t *
mcp_packs_list(const struct mcp_packs *packs, const struct mcp_request *request)
{
	const json_t *cursor = json_object_get(request->params, "cursor");
	const char *text = json_string_value(cursor);
	json_t *list = json_array();
	json_t *result = json_pack("{s:o}", "resources", list);
	uint64_t last = 0;
	char next[24] = "";

	if (cursor != NULL &&
	    (text == NULL || !option_read_number(text, strlen(text), 1,
						 packs->last_number, &last))) {
		json_decref(result);
		return mcp_error(request->id, MCP_INVALID_PARAMS,
				 "Invalid cursor");
	}
	for (size_t i = 0; i < packs->nr; i++) {
		const struct mcp_pack *pack = &packs->items[i];

		if (pack->number <= last)
			continue;
		if (json_array_size(list) == LIST_PAGE) {
			json_object_set_new(result, "nextCursor",
					    json_string(next));
			break;
		}
		json_array_append_new(list, resource_of(pack));
		snprintf(next, sizeof(next), "%ju", (uintmax_t)pack->number);
	}
	mcp_private_finish(result, request->is_modern);
	return mcp_answer(request->id, result);
}

json_t *
mcp_packs_templates(bool is_modern)
{
	json_t *result = json_pack(
		"{s:[{s:s, s:s, s:s, s:s, s:s}]}", "resourceTemplates",
		"uriTemplate", MCP_PACK_URI "{pack}", "name", "pack", "title",
		"A pack", "description",
		"A pack that the tool pack has made, by its id or a cursor in "
		"it",
		"mimeType", "text/plain");

	mcp_list_finish(result, is_modern);
	return result;
}
