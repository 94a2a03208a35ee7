/* SPDX-License-Identifier: MIT */
/*
 * chunk_export.c - which definitions are names that their file exports.
 */
#include <string.h>

#include "stages/chunk/chunk_facts.h"

bool
chunk_is_header(const uint8_t *path, size_t bytes)
{
	const uint8_t *dot = bytes == 0 ? NULL : memrchr(path, '.', bytes);

	return dot != NULL &&
	       chunk_lang_word("h hh hpp hxx cuh inl ipp", dot + 1,
			       (size_t)(path + bytes - dot) - 1, NULL);
}

bool
chunk_is_export(uint32_t lang, bool is_header, const struct chunk_def *def)
{
	const uint8_t wanted = CHUNK_DEF_EXPORTED | CHUNK_DEF_OUTER;
	const struct chunk_lang *row = chunk_lang_get(lang);
	bool is_c = row != NULL && row->family == CHUNK_BRACE &&
		    (row->traits & TRAIT_C);

	switch (def->kind) {
	case CHUNK_KIND_METHOD:
	case CHUNK_KIND_PROPERTY:
	case CHUNK_KIND_IMPL:
	case CHUNK_KIND_TEST:
	case CHUNK_KIND_SECTION: /* headings and keys */
		return false;
	case CHUNK_KIND_MODULE:
		/* a namespace is of many files */
		if (is_c || lang == CHUNK_LANG_CSHARP || lang == CHUNK_LANG_PHP)
			return false;
		break;
	case CHUNK_KIND_FUNCTION:
		break;
	default:
		if (is_c && !is_header)
			return false;
		break;
	}
	/* static inline in a header is for whoever includes it */
	if (is_c && is_header)
		return (def->flags & CHUNK_DEF_OUTER) != 0;
	return (def->flags & wanted) == wanted;
}
