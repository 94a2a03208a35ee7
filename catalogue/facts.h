/* SPDX-License-Identifier: MIT */
/*
 * facts.h - what dedup knows of each file: a record a file.
 */
#ifndef CATALOGUE_FACTS_H
#define CATALOGUE_FACTS_H

#include "catalogue/catalogue.h"
#include "catalogue/desc.h"

struct file_facts {
	/* of its bytes if everything is packed, else of its normal form */
	uint8_t sha256[SHA256_BYTES];
	uint64_t bytes;
	uint64_t tokens; /* sum over its chunks; for the file an estimate */
	uint64_t chunk_first; /* in chunks */
	uint32_t chunk_nr;
	uint32_t line_nr;
	uint32_t mark_run;  /* the longest run of the format's mark */
	uint32_t same_as;   /* the duplicate that is kept instead; FILE_NONE */
	uint8_t reason;     /* enum reason: why it is left out */
	uint8_t no_newline; /* 1: does not end with one */
	uint8_t traits;     /* enum markup_trait */
	uint8_t has_duplicates;  /* 1: it is duplicate_of of other files */
	uint32_t dot_run;        /* of dots where a gap mark has them */
	uint32_t outline_tokens; /* of its signatures, if they were derived */
	uint32_t signature_line_first; /* in signature_lines */
	uint32_t hash;                 /* of its text, for its header */
	uint8_t outline_fingerprint[FINGERPRINT_BYTES];
	uint64_t word_first;       /* in words */
	uint32_t word_nr;          /* 0: not known which it has */
	uint32_t signatures_bytes; /* kept behind its names; 0: none */
	uint64_t names_off;        /* 1 + where they begin, or names_surveyed();
			     * 0: there are none */
	uint32_t duplicate_of; /* the first file of this content; FILE_NONE */
	union {
		/* among its twins, until it is known which of them is kept; of
		 * the first: the best rank */
		uint32_t duplicate_rank;
		/* then: the next that is left out for the same one; of the one
		 * that is kept, the first; FILE_NONE */
		uint32_t next_copy;
	};
};

/* The facts of a file, by its index. */
CATALOGUE_RECORDS(facts, file_facts, 144, catalogue_facts);

#endif
