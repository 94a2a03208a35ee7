/* SPDX-License-Identifier: MIT */
/*
 * command.c - a summariser and an embedder that are commands of the user's.
 *
 * The embedder gets {"input": [QUERY, TEXT...]} and gives back one vector for
 * each: {"embeddings": [[...], ...]}, or {"data": [{"embedding": [...]},
 * ...]} as embedding interfaces answer.
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "window/child.h"
#include "window/window_impl.h"
#include "window/summary.h"
#include "window/text.h"

#define EMBEDDING_BYTES_MAX (256u << 20)

int
window_command_summarize(void *arg, const char *text, size_t bytes,
			 uint64_t max_tokens, char **summary,
			 struct window_error *error)
{
	const struct window_commands *commands = arg;
	struct summary_spec spec = {
		.command = commands->summarizer,
		.transcript = text,
		.transcript_bytes = bytes,
		.max_tokens = max_tokens,
		.time_limit_ms = commands->time_limit_ms,
		.output_max_bytes = commands->output_max_bytes,
	};

	return summary_make(&spec, summary, error);
}

static char *
embedder_input(const char *query, const struct window_item *items, size_t nr)
{
	json_t *input = json_array();
	json_t *json;
	char *text;
	int failed = input == NULL;

	if (!failed)
		failed = json_array_append_new(input, json_string(query));
	for (size_t i = 0; failed == 0 && i < nr; i++)
		failed = json_array_append_new(
			input,
			json_stringn(items[i].content, items[i].content_bytes));
	if (failed != 0) {
		json_decref(input);
		return NULL;
	}
	json = json_pack("{s:o}", "input", input);
	text = json_dumps(json, JSON_COMPACT);
	json_decref(json);
	return text;
}

/* Vector number i of an answer in either form, NULL if there is none. */
static const json_t *
vector_of(const json_t *answer, size_t i)
{
	const json_t *list = json_object_get(answer, "embeddings");

	if (json_is_array(list))
		return json_array_get(list, i);
	list = json_object_get(answer, "data");
	return json_object_get(json_array_get(list, i), "embedding");
}

/* The cosine of the angle between two vectors; false: they do not match. */
static bool
similarity(const json_t *a, const json_t *b, double *out)
{
	size_t nr = json_array_size(a);
	double product = 0;
	double a_square = 0;
	double b_square = 0;

	if (nr == 0 || json_array_size(b) != nr)
		return false;
	for (size_t i = 0; i < nr; i++) {
		const json_t *x = json_array_get(a, i);
		const json_t *y = json_array_get(b, i);

		if (!json_is_number(x) || !json_is_number(y))
			return false;
		product += json_number_value(x) * json_number_value(y);
		a_square += json_number_value(x) * json_number_value(x);
		b_square += json_number_value(y) * json_number_value(y);
	}
	*out = a_square > 0 && b_square > 0
		       ? product / (sqrt(a_square) * sqrt(b_square))
		       : 0;
	return isfinite(*out);
}

static int
read_scores(const char *output, size_t bytes, size_t nr, double *scores,
	    struct window_error *error)
{
	json_t *answer =
		json_loadb(output, bytes, JSON_REJECT_DUPLICATES, NULL);
	bool is_good = answer != NULL;

	for (size_t i = 0; is_good && i < nr; i++)
		is_good = similarity(vector_of(answer, 0),
				     vector_of(answer, i + 1), &scores[i]);
	json_decref(answer);
	if (is_good)
		return 0;
	return window_fail(error, -EBADMSG,
			   "BALE-WIN-012 the embedder did not answer with %zu "
			   "vectors of one length; it is given {\"input\": "
			   "[...]} and has to print {\"embeddings\": [[...], "
			   "...]}",
			   nr + 1);
}

int
window_command_relevance(void *arg, const char *query,
			 const struct window_item *items, size_t nr,
			 double *scores, struct window_error *error)
{
	const struct window_commands *commands = arg;
	char *input = embedder_input(query, items, nr);
	struct child_spec spec = {
		.command = commands->embedder,
		.input = input,
		.time_limit_ms = commands->time_limit_ms,
		.output_max_bytes = EMBEDDING_BYTES_MAX,
	};
	struct child_result result;
	char why[128];
	int failed;

	if (input == NULL)
		return window_fail(error, -ENOMEM, "out of memory");
	spec.input_bytes = strlen(input);
	child_run(&spec, &result);
	free(input);
	if (result.end != CHILD_DONE)
		return window_fail(
			error, -EPIPE,
			"BALE-WIN-012 the embedder %s; nothing was "
			"changed",
			child_explain(why, sizeof(why), &spec, &result));
	failed = read_scores(result.output, result.output_bytes, nr, scores,
			     error);
	free(result.output);
	return failed;
}
