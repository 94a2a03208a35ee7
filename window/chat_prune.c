/* SPDX-License-Identifier: MIT */
/*
 * chat_prune.c - old results of tools, cut to their two ends.
 */
#include "window/chat_impl.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "window/window_impl.h"

#define HEAD_PERCENT 60 /* of what stays: errors are at either end */

static const char image_note[] =
	"[an image of an old tool result was left out]";

/* Going through all results, or pruning those in front. */
struct pruning {
	struct chat *chat;
	size_t results; /* seen so far */
	size_t old_nr;  /* so many of them are old */
	bool changed;   /* the message that is looked at */
	size_t pruned;
};

/* What stays of a long text: free(); NULL: no memory. */
static char *
shorten(const char *bytes, size_t nr, uint64_t keep, size_t *out_nr)
{
	size_t chars = utf8_chars(bytes, nr);
	size_t keep_chars = (size_t)min_u64(keep, chars);
	size_t head_chars = keep_chars * HEAD_PERCENT / 100;
	size_t tail_chars = keep_chars - head_chars;
	size_t head = utf8_offset(bytes, nr, head_chars);
	size_t tail = utf8_offset(bytes, nr, chars - tail_chars);
	char *text;
	FILE *out = open_memstream(&text, out_nr);

	if (out == NULL)
		return NULL;
	fwrite(bytes, 1, head, out);
	fprintf(out,
		"\n[... %zu characters of an old tool result were left out "
		"...]\n",
		chars - keep_chars);
	fwrite(bytes + tail, 1, nr - tail, out);
	return text_end(out, &text);
}

/* Shortens object[key], if it is a long text; 1: it was. */
static int
prune_text(const struct pruning *pruning, json_t *object, const char *key)
{
	json_t *value = json_object_get(object, key);
	const char *bytes = json_string_value(value);
	size_t nr = json_string_length(value);
	uint64_t keep = pruning->chat->options->prune_over;
	char *shorter;
	size_t shorter_nr;
	int failed;

	if (bytes == NULL || utf8_chars(bytes, nr) <= keep)
		return 0;
	/* what is said about it takes room, too */
	keep = keep > 200 ? keep - 100 : keep / 2;
	shorter = shorten(bytes, nr, keep, &shorter_nr);
	if (shorter == NULL)
		return -ENOMEM;
	if (shorter_nr >= nr) {
		free(shorter);
		return 0;
	}
	failed = json_object_set_new(object, key,
				     json_stringn(shorter, shorter_nr));
	free(shorter);
	return failed != 0 ? -ENOMEM : 1;
}

static bool
is_image(const json_t *part)
{
	return text_is(part, "type", "image") ||
	       text_is(part, "type", "input_image") ||
	       text_is(part, "type", "image_url");
}

/* One part of a result; 1: it was changed. */
static int
prune_part(const struct pruning *pruning, json_t *parts, size_t i)
{
	json_t *part = json_array_get(parts, i);
	json_t *note;

	if (!is_image(part))
		return prune_text(pruning, part, "text");
	note = json_pack("{s:s, s:s}", "type", pruning->chat->ops->text_part,
			 "text", image_note);
	if (note == NULL || json_array_set_new(parts, i, note) != 0)
		return -ENOMEM;
	return 1;
}

/* Number i of what may be a result in a message: that itself, then the parts of
 * its content; *key NULL: it is none. NULL: there are no more. */
static json_t *
holder_at(const struct chat *chat, json_t *message, size_t i, const char **key)
{
	json_t *content = json_object_get(message, "content");
	json_t *holder = i == 0 ? message : json_array_get(content, i - 1);

	*key = holder != NULL ? chat->ops->result_key(holder) : NULL;
	return holder;
}

static int
prune_result(struct pruning *pruning, json_t *holder, const char *key)
{
	json_t *content = json_object_get(holder, key);
	bool changed = false;
	int result = 0;

	if (pruning->results++ >= pruning->old_nr)
		return 0;
	if (json_is_string(content)) {
		result = prune_text(pruning, holder, key);
		changed = result == 1;
	}
	for (size_t i = 0; result >= 0 && i < json_array_size(content); i++) {
		result = prune_part(pruning, content, i);
		changed |= result == 1;
	}
	pruning->changed |= changed;
	pruning->pruned += changed;
	return result < 0 ? result : 0;
}

static size_t
results_nr(const struct chat *chat, json_t *message)
{
	const char *key;
	size_t nr = 0;

	for (size_t i = 0; holder_at(chat, message, i, &key) != NULL; i++)
		nr += key != NULL;
	return nr;
}

/* Counts a message as it is pruned; keeps that only if it has fewer tokens: a
 * long run of one character has few, what is said about it more. */
static int
take_pruned(struct chat *chat, size_t i, json_t *pruned,
	    struct window_error *error)
{
	struct message *message = &chat->messages[i];
	uint64_t before = message->tokens;
	int result;

	message->pruned = pruned;
	result = chat_count_message(chat, i, error);
	if (result != 0 || message->tokens < before)
		return result;
	json_decref(pruned);
	message->pruned = NULL;
	return chat_count_message(chat, i, error);
}

/* Works on a copy; keeps it only if something has changed. */
static int
prune_message(struct pruning *pruning, size_t i, struct window_error *error)
{
	struct chat *chat = pruning->chat;
	size_t pruned_before = pruning->pruned;
	json_t *copy = json_deep_copy(chat->messages[i].json);
	json_t *holder;
	const char *key;
	int result = 0;

	if (copy == NULL)
		return -ENOMEM;
	pruning->changed = false;
	for (size_t n = 0;
	     result == 0 && (holder = holder_at(chat, copy, n, &key)) != NULL;
	     n++)
		if (key != NULL)
			result = prune_result(pruning, holder, key);
	if (result != 0 || !pruning->changed) {
		json_decref(copy);
		return result;
	}
	result = take_pruned(chat, i, copy, error);
	if (chat->messages[i].pruned == NULL)
		pruning->pruned = pruned_before;
	return result;
}

int
chat_prune(struct chat *chat, size_t *nr, struct window_error *error)
{
	struct pruning pruning = { .chat = chat };
	uint64_t keep = chat->options->keep_recent;
	size_t all = 0;
	int result = 0;

	for (size_t i = 0; i < chat->nr; i++)
		all += results_nr(chat, chat->messages[i].json);
	pruning.old_nr = keep < all ? all - (size_t)keep : 0;
	for (size_t i = 0; result == 0 && i < chat->nr; i++) {
		if (results_nr(chat, chat->messages[i].json) == 0)
			continue;
		if (pruning.results >= pruning.old_nr)
			break;
		result = prune_message(&pruning, i, error);
	}
	*nr = pruning.pruned;
	return result == -ENOMEM ? window_fail(error, result, "out of memory")
				 : result;
}
