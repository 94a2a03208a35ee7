/* SPDX-License-Identifier: MIT */
/*
 * build.c - the context that a window makes.
 *
 * Items are chosen by what each costs alone, pinned ones first; the text of
 * those chosen is then counted as a whole, and as long as that is too much the
 * last one chosen goes. What is chosen is decided in the order of the window;
 * the text may have another one.
 */
#include "window/window_impl.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "window/dialogue.h"
#include "window/relevance.h"

/* What an interface puts around a message, and around all of them. */
#define MESSAGE_TOKENS 4
#define REQUEST_TOKENS 32

enum choice {
	CHOICE_NOT_ASKED = 0, /* its kind is switched off */
	CHOICE_EXCLUDED,
	CHOICE_CANDIDATE,
	CHOICE_INCLUDED
};

struct build {
	struct window *window;
	const struct window_build_options *options;
	uint64_t budget;
	enum choice choices[WINDOW_ITEMS_MAX];
	uint32_t places[WINDOW_ITEMS_MAX]; /* items in the order of the text */
	bool pinned[WINDOW_ITEMS_MAX];     /* with what belongs to them */
	struct dialogue *dialogue;         /* with a format, else NULL */
	bool counts; /* what items say of their tokens is too little */
	char *content;
	size_t content_bytes;
	uint64_t total_tokens;
	struct window_built *out;
};

struct window_build_options
window_build_defaults(void)
{
	return (struct window_build_options){
		.system_prompt = true,
		.instructions = true,
		.history = true,
		.history_max = 10,
		.memory = true,
		.separator = "\n\n---\n\n",
		.message_format = "[{role}]: {content}",
		.reserve_tokens = 1000,
	};
}

static bool
is_history(enum window_type type)
{
	return type == WINDOW_USER_MESSAGE || type == WINDOW_ASSISTANT_MESSAGE;
}

/* ---- the order of the text ---------------------------------------------- */

/* Where an item stands in a text in the order of time. */
enum section {
	SECTION_FRAME = 0, /* what the conversation is to follow */
	SECTION_PINNED_TALK,
	SECTION_OTHER,
	SECTION_TALK
};

static enum section
section_of(const struct window_item *item)
{
	if (dialogue_has(item))
		return item->pinned ? SECTION_PINNED_TALK : SECTION_TALK;
	return item->pinned || item->type == WINDOW_SYSTEM_PROMPT ||
			       item->type == WINDOW_INSTRUCTION
		       ? SECTION_FRAME
		       : SECTION_OTHER;
}

/* arg: struct window */
static int
compare_by_time(const void *left, const void *right, void *arg)
{
	const struct window *window = arg;
	const uint32_t at[2] = { *(const uint32_t *)left,
				 *(const uint32_t *)right };
	const struct entry *a = window->entries[at[0]];
	const struct entry *b = window->entries[at[1]];
	enum section section = section_of(&a->item);

	if (section != section_of(&b->item))
		return section < section_of(&b->item) ? -1 : 1;
	if (dialogue_has(&a->item)) {
		if (a->item.added_ms != b->item.added_ms)
			return a->item.added_ms < b->item.added_ms ? -1 : 1;
		return a->seq < b->seq ? -1 : a->seq > b->seq;
	}
	return at[0] < at[1] ? -1 : at[0] > at[1];
}

static void
order_text(struct build *build)
{
	struct window *window = build->window;

	for (uint32_t i = 0; i < window->nr; i++)
		build->places[i] = i;
	if (build->options->order == WINDOW_ORDER_TIME)
		qsort_r(build->places, window->nr, sizeof(build->places[0]),
			compare_by_time, window);
}

/* ---- what is in it -------------------------------------------------------- */

static bool
is_requested_for(const struct window_build_options *options,
		 enum window_type type)
{
	switch (type) {
	case WINDOW_SYSTEM_PROMPT:
		return options->system_prompt;
	case WINDOW_INSTRUCTION:
		return options->instructions;
	case WINDOW_WORKING_MEMORY:
		return options->memory;
	default:
		return !is_history(type) || options->history;
	}
}

/* Calls that an interface has as messages of their own, and what was said with
 * them, are one message of the assistant's, as in the other interfaces. */
static bool
is_one_message(const struct window_item *older, const struct window_item *newer)
{
	return older->type == WINDOW_ASSISTANT_MESSAGE &&
	       newer->type == WINDOW_ASSISTANT_MESSAGE &&
	       older->metadata != NULL && newer->metadata != NULL &&
	       older->pinned == newer->pinned;
}

/* Messages that are not pinned, but for the newest ones, stay out. */
static void
exclude_history(struct build *build)
{
	const struct window *window = build->window;
	const struct window_item *newer = NULL;
	uint32_t places[WINDOW_ITEMS_MAX];
	uint32_t nr = 0;

	for (uint32_t i = 0; i < window->nr; i++)
		places[i] = i;
	qsort_r(places, window->nr, sizeof(places[0]), entry_compare_age,
		build->window);
	for (size_t i = window->nr; i-- > 0;) {
		const struct window_item *item =
			&window->entries[places[i]]->item;

		if (!dialogue_has(item))
			continue;
		if (is_history(item->type) && !item->pinned &&
		    (newer == NULL || !is_one_message(item, newer)))
			nr++;
		if (is_history(item->type) && !item->pinned &&
		    nr > build->options->history_max &&
		    build->choices[places[i]] == CHOICE_CANDIDATE)
			build->choices[places[i]] = CHOICE_EXCLUDED;
		newer = item;
	}
}

/* Memory without a term of the query stays out. */
static int
exclude_memory(struct build *build)
{
	const struct window *window = build->window;
	struct relevance_text *texts = calloc(window->nr + 1, sizeof(*texts));
	double *scores = calloc(window->nr + 1, sizeof(*scores));
	int result = -ENOMEM;

	if (texts == NULL || scores == NULL)
		goto out;
	for (size_t i = 0; i < window->nr; i++) {
		texts[i].bytes = window->entries[i]->item.content;
		texts[i].nr = window->entries[i]->item.content_bytes;
	}
	result = relevance_score(build->options->memory_query, texts,
				 window->nr, scores);
	for (size_t i = 0; result == 0 && i < window->nr; i++) {
		const struct window_item *item = &window->entries[i]->item;

		if (item->type == WINDOW_WORKING_MEMORY && !item->pinned &&
		    build->choices[i] == CHOICE_CANDIDATE && scores[i] <= 0)
			build->choices[i] = CHOICE_EXCLUDED;
	}
out:
	free(texts);
	free(scores);
	return result;
}

static int
find_candidates(struct build *build)
{
	const struct window *window = build->window;

	for (size_t i = 0; i < window->nr; i++)
		build->choices[i] =
			is_requested_for(build->options,
					 window->entries[i]->item.type)
				? CHOICE_CANDIDATE
				: CHOICE_NOT_ASKED;
	exclude_history(build);
	if (build->options->memory_query == NULL)
		return 0;
	return exclude_memory(build);
}

/* One pass, so that a {role} in the content is content. */
static void
add_formatted(FILE *out, const char *format, const struct window_item *item)
{
	while (*format != '\0') {
		size_t bytes = strcspn(format, "{");

		fwrite(format, 1, bytes, out);
		format += bytes;
		if (strncmp(format, "{role}", 6) == 0) {
			fputs(item->role, out);
			format += 6;
		} else if (strncmp(format, "{content}", 9) == 0) {
			fwrite(item->content, 1, item->content_bytes, out);
			format += 9;
		} else if (*format != '\0') {
			fputc(*format++, out);
		}
	}
}

static void
add_item(const struct build *build, FILE *out, const struct window_item *item)
{
	if (item->role != NULL)
		add_formatted(out, build->options->message_format, item);
	else
		fwrite(item->content, 1, item->content_bytes, out);
}

/* What an item costs if it stands alone behind a separator, or as a message. */
static int
cost_of(const struct build *build, const struct window_item *item,
	uint64_t *tokens)
{
	char *text;
	size_t bytes;
	FILE *out;

	if (build->dialogue != NULL) {
		*tokens = item->tokens;
		if (build->counts)
			*tokens = max_u64(*tokens,
					  window_count(build->window,
						       item->content,
						       item->content_bytes));
		*tokens += MESSAGE_TOKENS;
		return 0;
	}
	out = open_memstream(&text, &bytes);

	if (out == NULL)
		return -ENOMEM;
	fputs(build->options->separator, out);
	add_item(build, out, item);
	if (text_end(out, &text) == NULL)
		return -ENOMEM;
	*tokens = window_count(build->window, text, bytes);
	free(text);
	return 0;
}

/* Takes candidates in order as long as they fit; smaller ones may follow. */
static int
choose(struct build *build, bool pinned, uint64_t *sum)
{
	const struct window *window = build->window;

	for (size_t i = 0; i < window->nr; i++) {
		const struct window_item *item = &window->entries[i]->item;
		uint64_t tokens = 0;
		int result;

		if (build->choices[i] != CHOICE_CANDIDATE ||
		    build->pinned[i] != pinned)
			continue;
		result = cost_of(build, item, &tokens);
		if (result != 0)
			return result;
		if (!pinned && *sum + tokens > build->budget) {
			build->choices[i] = CHOICE_EXCLUDED;
			continue;
		}
		build->choices[i] = CHOICE_INCLUDED;
		*sum += tokens;
	}
	return 0;
}

/* Whether a part of the conversation is missing, of those asked for. */
static bool
is_talk_cut(const struct build *build)
{
	const struct window *window = build->window;
	bool is_cut = window->compactions > 0;

	for (size_t i = 0; i < window->nr; i++)
		is_cut = is_cut || (build->choices[i] == CHOICE_EXCLUDED &&
				    dialogue_has(&window->entries[i]->item));
	return is_cut;
}

/* A call without all of its results is out, and so are they. */
static void
drop_halves(struct build *build, bool included[])
{
	bool excluded[WINDOW_ITEMS_MAX] = { false };

	for (size_t i = 0; i < build->window->nr; i++)
		excluded[i] = !included[i];
	dialogue_spread(build->dialogue, excluded);
	for (size_t i = 0; i < build->window->nr; i++) {
		if (included[i] && excluded[i])
			build->choices[i] = CHOICE_EXCLUDED;
		included[i] = !excluded[i];
	}
}

static int
compose_request(struct build *build, struct window_error *error)
{
	bool included[WINDOW_ITEMS_MAX] = { false };
	struct dialogue_request request;
	int result;

	for (size_t i = 0; i < build->window->nr; i++)
		included[i] = build->choices[i] == CHOICE_INCLUDED;
	drop_halves(build, included);
	result = dialogue_compose(build->dialogue,
				  &(struct dialogue_choice){
					  .places = build->places,
					  .included = included,
					  .is_cut = is_talk_cut(build),
				  },
				  &request, error);
	build->content = request.text;
	build->content_bytes = request.bytes;
	build->total_tokens = request.tokens;
	return result;
}

static int
compose_text(struct build *build)
{
	const struct window *window = build->window;
	bool is_first = true;
	FILE *out = open_memstream(&build->content, &build->content_bytes);

	if (out == NULL)
		return -ENOMEM;
	for (size_t i = 0; i < window->nr; i++) {
		uint32_t at = build->places[i];

		if (build->choices[at] != CHOICE_INCLUDED)
			continue;
		if (!is_first)
			fputs(build->options->separator, out);
		is_first = false;
		add_item(build, out, &window->entries[at]->item);
	}
	if (text_end(out, &build->content) == NULL)
		return -ENOMEM;
	build->total_tokens =
		window_count(window, build->content, build->content_bytes);
	return 0;
}

static int
compose(struct build *build, struct window_error *error)
{
	int result;

	free(build->content);
	build->content = NULL;
	if (build->dialogue != NULL)
		return compose_request(build, error);
	result = compose_text(build);
	return result == 0 ? 0 : window_fail(error, result, "out of memory");
}

/* The last one that may go; false: only pinned ones are left. */
static bool
drop_last(struct build *build)
{
	for (size_t i = build->window->nr; i-- > 0;) {
		if (build->choices[i] == CHOICE_INCLUDED && !build->pinned[i]) {
			build->choices[i] = CHOICE_EXCLUDED;
			return true;
		}
	}
	return false;
}

static int
fail_pinned(const struct build *build, struct window_error *error)
{
	return window_fail(error, -E2BIG,
			   "BALE-WIN-013 the pinned items alone have %ju "
			   "tokens, but only %ju are available (limit %ju less "
			   "the reserve of %ju); unpin some, or lower the "
			   "reserve",
			   build->total_tokens, build->budget,
			   build->window->options.max_tokens,
			   build->options->reserve_tokens);
}

/* Everything that choosing needs to know of the items that are there now. */
static int
prepare(struct build *build)
{
	struct window *window = build->window;
	enum chat_format format = build->options->format;
	int result = find_candidates(build);

	order_text(build);
	for (size_t i = 0; i < window->nr; i++)
		build->pinned[i] = window->entries[i]->item.pinned;
	if (result != 0 || format == CHAT_AUTO)
		return result;
	result = dialogue_create(&build->dialogue, window, format);
	if (result != 0)
		return result;
	dialogue_spread(build->dialogue, build->pinned);
	for (size_t i = 0; i < window->nr; i++)
		if (build->pinned[i] && build->choices[i] == CHOICE_EXCLUDED)
			build->choices[i] = CHOICE_CANDIDATE;
	return 0;
}

static int
choose_all(struct build *build, uint64_t *sum)
{
	int result;

	*sum = 0;
	for (size_t i = 0; i < build->window->nr; i++)
		if (build->choices[i] == CHOICE_INCLUDED)
			build->choices[i] = CHOICE_CANDIDATE;
	result = choose(build, true, sum);
	return result == 0 ? choose(build, false, sum) : result;
}

/* The tokens of an item are whoever's who added it: if they are too few by far,
 * it takes too long to leave out one after the other. */
static int
choose_counted(struct build *build, uint64_t sum, struct window_error *error)
{
	int result;

	if (build->dialogue == NULL || build->total_tokens <= build->budget ||
	    build->total_tokens - build->budget < sum / 16)
		return 0;
	build->counts = true;
	result = choose_all(build, &sum);
	return result == 0 ? compose(build, error)
			   : window_fail(error, result, "out of memory");
}

static int
fill(struct build *build, struct window_error *error)
{
	uint64_t sum;
	int result = prepare(build);

	if (result == 0)
		result = choose_all(build, &sum);
	if (result != 0)
		return window_fail(error, result, "out of memory");
	result = compose(build, error);
	if (result == 0)
		result = choose_counted(build, sum, error);
	while (result == 0 && build->total_tokens > build->budget) {
		if (!drop_last(build))
			return fail_pinned(build, error);
		result = compose(build, error);
	}
	return result;
}

/* Adds the ids of a choice, in the order of the text, to those that are
 * there. */
static int
list_ids(const struct build *build, enum choice choice,
	 char (**ids)[WINDOW_ID_BYTES], size_t *nr)
{
	const struct window *window = build->window;
	char(*more)[WINDOW_ID_BYTES] =
		realloc(*ids, (*nr + window->nr + 1) * sizeof(**ids));

	if (more == NULL)
		return -ENOMEM;
	*ids = more;
	for (size_t i = 0; i < window->nr; i++) {
		uint32_t at = build->places[i];

		if (build->choices[at] == choice)
			snprintf(more[(*nr)++], sizeof(*more), "%s",
				 window->entries[at]->item.id);
	}
	return 0;
}

/* If everything together is over the budget: down to 70 per cent. */
static int
make_room(struct build *build, struct eviction_plan *plan,
	  struct events *events, struct window_error *error)
{
	struct window *window = build->window;
	struct window_built *out = build->out;
	uint64_t target = (uint64_t)((double)window->options.max_tokens *
				     WINDOW_TARGET_DEFAULT / 100);
	uint64_t needed = window->tokens;
	int result;

	if (build->options->format != CHAT_AUTO)
		needed += window->nr * MESSAGE_TOKENS + REQUEST_TOKENS;
	if (needed <= build->budget)
		return 0;
	result = eviction_plan_automatic(window, target, plan, error);
	if (result != 0 || plan->removed_nr == 0)
		return result;
	/* those that go are excluded, too: to be listed while they are here */
	order_text(build);
	for (size_t i = 0; i < window->nr; i++)
		build->choices[i] =
			plan->evicted[i] ? CHOICE_EXCLUDED : CHOICE_NOT_ASKED;
	result = list_ids(build, CHOICE_EXCLUDED, &out->excluded,
			  &out->excluded_nr);
	if (result != 0) {
		eviction_plan_fini(plan);
		return window_fail(error, result, "out of memory");
	}
	out->was_compacted = true;
	out->freed_tokens = eviction_plan_frees(plan);
	room_carry_out(window, plan, events);
	return 0;
}

static void
emit_built(const struct build *build, uint64_t ns, struct events *events)
{
	const struct window_built *out = build->out;
	struct window_event *event =
		events_add(build->window, events, WINDOW_EVENT_BUILT);

	if (event == NULL)
		return;
	event->items = (uint32_t)out->included_nr;
	event->items_excluded = (uint32_t)out->excluded_nr;
	event->total_tokens = out->total_tokens;
	event->was_compacted = out->was_compacted;
	event->build_ns = ns;
}

static int
build_locked(struct build *build, struct events *events,
	     struct window_error *error)
{
	struct window_built *out = build->out;
	uint64_t begun = clock_now_ns();
	struct eviction_plan plan = { .summary = NULL };
	int result = make_room(build, &plan, events, error);

	if (result == 0)
		result = fill(build, error);
	if (result != 0)
		return result;
	result = list_ids(build, CHOICE_INCLUDED, &out->included,
			  &out->included_nr);
	if (result == 0)
		result = list_ids(build, CHOICE_EXCLUDED, &out->excluded,
				  &out->excluded_nr);
	if (result != 0)
		return window_fail(error, -ENOMEM, "out of memory");
	out->content = build->content;
	out->content_bytes = build->content_bytes;
	build->content = NULL;
	out->total_tokens = build->total_tokens;
	latency_add(&build->window->build, clock_now_ns() - begun);
	emit_built(build, clock_now_ns() - begun, events);
	return 0;
}

int
window_build(struct window *window, const struct window_build_options *options,
	     struct window_built *out, struct window_error *error)
{
	const struct window_build_options defaults = window_build_defaults();
	struct build *build = calloc(1, sizeof(*build));
	struct events events = { 0 };
	int result;

	*out = (struct window_built){ 0 };
	if (build == NULL)
		return window_fail(error, -ENOMEM, "out of memory");
	build->window = window;
	build->options = options != NULL ? options : &defaults;
	build->out = out;
	pthread_mutex_lock(&window->lock);
	if (build->options->reserve_tokens >= window->options.max_tokens) {
		result = window_fail(
			error, -EINVAL,
			"BALE-WIN-009 a reserve of %ju tokens leaves nothing "
			"of a window of %ju; lower --reserve-response",
			build->options->reserve_tokens,
			window->options.max_tokens);
	} else {
		build->budget = window->options.max_tokens -
				build->options->reserve_tokens;
		result = build_locked(build, &events, error);
	}
	pthread_mutex_unlock(&window->lock);
	if (result != 0)
		window_built_free(out);
	dialogue_destroy(build->dialogue);
	free(build->content);
	free(build);
	events_send(window, &events);
	return result;
}

void
window_built_free(struct window_built *built)
{
	free(built->content);
	free(built->included);
	free(built->excluded);
	*built = (struct window_built){ 0 };
}
