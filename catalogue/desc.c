/* SPDX-License-Identifier: MIT */
/*
 * desc.c - words for the reasons, and the range check of a descriptor.
 */
#include "catalogue/desc.h"

#include <string.h>

static const struct {
	const char *text;
	const char *reported;
	bool degrades;
} reasons[] = {
#define REASON(name, text, reported, degrades) { text, reported, degrades },
#include "catalogue/reason.def"
#undef REASON
};

static const char *const mark_texts[] = {
#define MARK(name, text) text,
#include "catalogue/label.def"
#undef MARK
};

const char *
mark_text(unsigned idx)
{
	return idx < MARK_NR ? mark_texts[idx] : "unknown";
}

const char *
reason_text(uint8_t reason)
{
	return reason < REASON_NR ? reasons[reason].text : "unknown";
}

const char *
reason_message(uint8_t reason)
{
	return reason < REASON_NR ? reasons[reason].reported : "unknown reason";
}

bool
reason_degrades(uint8_t reason)
{
	return reason < REASON_NR && reasons[reason].degrades;
}

struct desc_file
desc_end_of_lane(const struct desc *in, uint8_t reason)
{
	return (struct desc_file){
		.kind = DESC_FILE,
		.flags = (uint8_t)((in->flags & (DESC_SCAN | DESC_EMIT)) |
				   DESC_LAST),
		.reason = reason,
		.file_idx = in->file_idx,
		.slab_idx = SLAB_NONE,
	};
}

struct desc
desc_slab_back(uint32_t file_idx, uint32_t slab_idx, uint8_t flags)
{
	return (struct desc){
		.kind = DESC_SLAB,
		.flags = (uint8_t)(DESC_RELEASE | flags),
		.file_idx = file_idx,
		.slab_idx = slab_idx,
	};
}

/* Whether it may lead to no slab. */
static bool
may_lack_slab(const struct desc *desc)
{
	switch (desc->kind) {
	case DESC_SLAB:
		return false;
	case DESC_WHOLE:
	case DESC_PART:
	case DESC_RANGE:
		return desc->bytes == 0;
	case DESC_RUN:
		/* what was looked at is facts; what is written is content */
		return desc->bytes == 0 || !(desc->flags & DESC_EMIT);
	default:
		return true;
	}
}

/* Whether it may lead to a slab. */
static bool
may_have_slab(const struct desc *desc)
{
	return desc->kind != DESC_LANE && desc->kind != DESC_TERMS &&
	       desc->kind != DESC_NAMES && desc->kind != DESC_WORDS &&
	       desc->kind != DESC_SURVEYED;
}

/* Whether its words of the query are no more than it has room for. */
static bool
terms_fit(const struct desc *desc)
{
	struct desc_terms terms;

	memcpy(&terms, desc, sizeof(terms));
	return terms.nr <= TERMS_OF_RUN;
}

/* The same of words that a file may have. */
static bool
words_fit(const struct desc *desc)
{
	struct desc_words words;

	memcpy(&words, desc, sizeof(words));
	return words.nr <= WORDS_OF_DESC;
}

bool
desc_valid(const struct desc *desc, uint32_t slab_nr, uint32_t slab_bytes,
	   uint32_t growth)
{
	if (desc->kind == DESC_NONE || desc->kind >= DESC_KIND_NR)
		return false;
	if (desc->reason >= REASON_NR)
		return false;
	if (desc->kind == DESC_TERMS && !terms_fit(desc))
		return false;
	if (desc->kind == DESC_WORDS && !words_fit(desc))
		return false;
	if (desc->slab_idx == SLAB_NONE)
		return may_lack_slab(desc) && !(desc->flags & DESC_RELEASE);
	if (!may_have_slab(desc))
		return false;
	if (desc->slab_idx >= slab_nr || desc->slab_off > slab_bytes ||
	    desc->bytes > slab_bytes - desc->slab_off)
		return false;
	if (desc->kind == DESC_RUN && (desc->flags & DESC_EMIT))
		return desc->span_head <= desc->span_tail &&
		       desc->span_tail <= (uint64_t)desc->bytes * growth;
	return true;
}
