/* SPDX-License-Identifier: MIT */
/*
 * dedup_print.h - what came of a list of chunks, for people and for programs.
 */
#ifndef CLI_DEDUP_PRINT_H
#define CLI_DEDUP_PRINT_H

#include <stdio.h>

#include "cli/dedup_list.h"

/* What dedup_list_run() made of a list. */
struct dedup_result {
	const struct dedup_chunk *chunks;
	uint32_t nr;
	struct dedup_settings settings;
	uint64_t max_tokens; /* of a merged chunk: more are parted */
	dedup_count_fn *count;
	const void *tokenizer; /* for `count` */
};

/* 0 or -errno, as stdio says; both. */
int
dedup_print_text(const struct dedup_result *result, FILE *out);
int
dedup_print_json(const struct dedup_result *result, int fd);

#endif
