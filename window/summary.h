/* SPDX-License-Identifier: MIT */
/*
 * summary.h - runs the user's summariser and embedder.
 *
 * Does: writes the prompt, runs the command, checks the result.
 * Does not: know a model. The command gets the prompt on stdin and prints the
 *           summary; docs/compact.md has the prompt.
 */
#ifndef WINDOW_SUMMARY_H
#define WINDOW_SUMMARY_H

#include "window/relevance.h"
#include "window/window.h"

#define SUMMARY_TIME_LIMIT_MS 120000
#define SUMMARY_OUTPUT_BYTES (256u << 10)

struct summary_spec {
	const char *command;
	const char *transcript;
	size_t transcript_bytes;
	const char *instructions; /* the user's own, NULL: none */
	uint64_t max_tokens;      /* what is asked for; not checked here */
	uint64_t time_limit_ms;
	size_t output_max_bytes;
};

/*
 * shape:  the prompt for a transcript, which stands in it between two marks
 *         that it cannot contain
 * owner:  free()
 * errors: NULL: no memory
 */
char *
summary_prompt(const struct summary_spec *spec, size_t *bytes);

/*
 * shape:  runs the command; the summary without blanks around it
 * owner:  *summary: free()
 * errors: -EPIPE: the command failed, hung, wrote too much; -ENODATA: it wrote
 *         nothing; -EILSEQ: no UTF-8; -ENOMEM; a sentence in *error
 */
int
summary_make(const struct summary_spec *spec, char **summary,
	     struct window_error *error);

/* Texts to be compared with a query. */
struct embedder_request {
	const char *query;
	const struct relevance_text *texts;
	size_t nr;
	double *scores; /* of each text; only their order matters */
};

/*
 * shape:  scores texts against the query by the user's embedder: it reads
 *         {"input": [QUERY, TEXT...]} and returns one vector for each:
 *         {"embeddings": [[...], ...]}, or {"data": [{"embedding": [...]},
 *         ...]} as embedding interfaces answer
 * errors: -errno with a sentence
 */
int
embedder_score(const struct window_commands *commands,
	       const struct embedder_request *request,
	       struct window_error *error);

#endif
