/* SPDX-License-Identifier: MIT */
/*
 * hf_merges.h - finds the merge that produces each token of a tokenizer.json.
 *
 * A file may list several merges that make the same token, and may list a merge
 * before those that make its parts. Merging the bytes of a token alone, by all
 * merges, ends with one merge, and in any text this merge produces the token:
 * merging within the bytes of a token does not depend on the bytes around them,
 * as long as nothing is merged across.
 */
#ifndef TOKENIZER_HF_MERGES_H
#define TOKENIZER_HF_MERGES_H

#include <stddef.h>
#include <stdint.h>

#define HF_MERGE_NONE UINT32_MAX

/* The file's own token ids. */
struct hf_merge {
	uint32_t left;
	uint32_t right;
	uint32_t made;
};

struct hf_merges {
	const struct hf_merge *list; /* in the order of the file */
	uint32_t nr;
	uint32_t *slots; /* place in the list + 1, by left and right; 0: free */
	uint32_t mask;
};

/*
 * shape:  makes merges findable; of equal ones the last counts
 * owner:  the caller keeps list, gives back what this takes by
 *         hf_merges_fini()
 * errors: -ENOMEM
 */
int
hf_merges_init(struct hf_merges *merges, const struct hf_merge *list,
	       uint32_t nr);

/* Frees the index. */
void
hf_merges_fini(struct hf_merges *merges);

/*
 * shape:  merges single bytes completely: the index in the list of the merge
 *         that leaves one token, HF_MERGE_NONE if more are left
 * units:  len is 2 to VOCAB_TOKEN_BYTES; byte_ids has an id for each byte
 */
uint32_t
hf_merges_last(const struct hf_merges *merges, const uint32_t byte_ids[256],
	       const uint8_t *bytes, size_t len);

#endif
