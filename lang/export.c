/* SPDX-License-Identifier: MIT */
/*
 * export.c - which definitions are names that their file exports.
 */
#include <string.h>

#include "lang/facts.h"

bool
lang_is_header(const uint8_t *path, size_t bytes)
{
	const uint8_t *dot = bytes == 0 ? NULL : memrchr(path, '.', bytes);

	return dot != NULL && lang_word("h hh hpp hxx cuh inl ipp", dot + 1,
					(size_t)(path + bytes - dot) - 1, NULL);
}

bool
lang_is_export(uint32_t lang, bool is_header, const struct lang_def *def)
{
	const uint8_t wanted = LANG_DEF_EXPORTED | LANG_DEF_OUTER;
	const struct lang *row = lang_get(lang);
	bool is_c = row != NULL && row->family == FAMILY_BRACE &&
		    (row->traits & TRAIT_C);

	switch (def->kind) {
	case LANG_KIND_METHOD:
	case LANG_KIND_PROPERTY:
	case LANG_KIND_IMPL:
	case LANG_KIND_TEST:
	case LANG_KIND_SECTION: /* headings and keys */
		return false;
	case LANG_KIND_MODULE:
		/* a namespace is of many files */
		if (is_c || lang == LANG_CSHARP || lang == LANG_PHP)
			return false;
		break;
	case LANG_KIND_FUNCTION:
		break;
	default:
		if (is_c && !is_header)
			return false;
		break;
	}
	/* static inline in a header is for whoever includes it */
	if (is_c && is_header)
		return (def->flags & LANG_DEF_OUTER) != 0;
	return (def->flags & wanted) == wanted;
}
