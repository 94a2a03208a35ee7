/* SPDX-License-Identifier: MIT */
/*
 * room.c - making room: who has to go, and what takes its place.
 *
 * A plan is made first and carried out when everything that can fail has not,
 * so that a strategy which fails in the middle removes nothing.
 */
#include "window/window_impl.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "window/relevance.h"
#include "window/summary.h"

#define SUMMARY_SHARE 10 /* the part of the target a summary may take */
#define SUMMARY_TOKENS_MOST 2048
#define SUMMARY_TOKENS_LEAST 16

/* Somebody who could go. */
struct candidate {
	double score; /* the lowest goes first */
	uint64_t added_ms;
	uint64_t seq;
	size_t place; /* in window->entries */
};

/* Sorted by what the strategy looks at. */
struct candidates {
	struct candidate *all;
	size_t nr;
};

static int
candidate_order(const void *left, const void *right)
{
	const struct candidate *a = left;
	const struct candidate *b = right;

	if (a->score < b->score || a->score > b->score)
		return a->score < b->score ? -1 : 1;
	if (a->added_ms != b->added_ms)
		return a->added_ms < b->added_ms ? -1 : 1;
	return a->seq < b->seq ? -1 : a->seq > b->seq;
}

bool
window_tier_allows(enum window_tier tier, enum window_strategy strategy)
{
	static const bool allows_all[] = {
#define TIER(id, name, allows) [WINDOW_TIER_##id] = (allows),
#include "window/window.def"
	};

	return allows_all[tier] ||
	       (strategy != WINDOW_SUMMARIZE && strategy != WINDOW_SELECTIVE);
}

/* Whether the tier allows a strategy: 0, or -EPERM with a sentence. */
static int
room_check_tier(const struct window *window, enum window_strategy strategy,
		struct window_error *error)
{
	enum window_tier tier = window->options.tier;

	if (window_tier_allows(tier, strategy))
		return 0;
	return window_fail(error, -EPERM,
			   "BALE-WIN-010 the policy tier \"%s\" does not allow "
			   "the strategy %s; remove_oldest and "
			   "remove_low_priority work, or use the tier "
			   "all",
			   window_tier_name(tier),
			   window_strategy_name(strategy));
}

/* The relevance to a query of everybody in `candidates`. */
static int
score_relevance(struct window *window, const char *query,
		const struct candidates *candidates, struct window_error *error)
{
	size_t nr = candidates->nr;
	const struct window_commands *commands = &window->options.commands;
	struct relevance_text *texts = calloc(nr + 1, sizeof(*texts));
	double *scores = calloc(nr + 1, sizeof(*scores));
	int result = -ENOMEM;

	if (texts == NULL || scores == NULL)
		goto out;
	for (size_t i = 0; i < nr; i++) {
		const struct window_item *item =
			&window->entries[candidates->all[i].place]->item;

		texts[i].bytes = item->content;
		texts[i].nr = item->content_bytes;
	}
	if (commands->embedder != NULL)
		result = embedder_score(
			commands,
			&(struct embedder_request){ query, texts, nr, scores },
			error);
	else
		result = relevance_score(query, texts, nr, scores);
	for (size_t i = 0; result == 0 && i < nr; i++)
		candidates->all[i].score = scores[i];
out:
	if (result == -ENOMEM)
		window_fail(error, result, "out of memory");
	free(texts);
	free(scores);
	return result;
}

/* Everybody who is not pinned, in the order in which they go. */
static int
rank(struct window *window, const struct window_compact_options *options,
     struct candidates *candidates, struct window_error *error)
{
	int result = 0;

	for (size_t i = 0; i < window->nr; i++) {
		const struct entry *entry = window->entries[i];

		if (entry->item.pinned)
			continue;
		candidates->all[candidates->nr++] = (struct candidate){
			.score = options->strategy == WINDOW_REMOVE_OLDEST
					 ? 0
					 : entry->item.priority,
			.added_ms = entry->item.added_ms,
			.seq = entry->seq,
			.place = i,
		};
	}
	if (options->strategy == WINDOW_SELECTIVE && candidates->nr > 0)
		result = score_relevance(window, options->query, candidates,
					 error);
	if (result == 0)
		qsort(candidates->all, candidates->nr, sizeof(*candidates->all),
		      candidate_order);
	return result;
}

/* What is left if the plan is carried out. */
static uint64_t
tokens_left(const struct window *window, const struct eviction_plan *plan)
{
	return window->tokens - plan->removed_tokens +
	       (plan->summary != NULL ? plan->summary->item.tokens : 0);
}

/* One after the other, until at most target_tokens are left. */
static void
evict_until(const struct window *window, struct eviction_plan *plan,
	    const struct candidates *candidates, uint64_t target_tokens)
{
	for (size_t i = 0;
	     i < candidates->nr && tokens_left(window, plan) > target_tokens;
	     i++) {
		size_t place = candidates->all[i].place;

		if (plan->evicted[place])
			continue;
		plan->evicted[place] = true;
		plan->removed_nr++;
		plan->removed_tokens += window->entries[place]->item.tokens;
	}
}

/* Those that go, as a summariser is shown them, in the order of the window. */
static char *
render_evicted(const struct window *window, const struct eviction_plan *plan,
	       size_t *bytes)
{
	char *text;
	FILE *out = open_memstream(&text, bytes);

	if (out == NULL)
		return NULL;
	for (size_t i = 0; i < window->nr; i++) {
		const struct window_item *item = &window->entries[i]->item;

		if (!plan->evicted[i])
			continue;
		fprintf(out, "[%s%s%s]\n", window_type_name(item->type),
			item->role != NULL ? " " : "",
			item->role != NULL ? item->role : "");
		fwrite(item->content, 1, item->content_bytes, out);
		fputs("\n\n", out);
	}
	return text_end(out, &text);
}

static int
make_summary(struct window *window, struct eviction_plan *plan,
	     uint64_t max_tokens, struct window_error *error)
{
	struct window_item item = {
		.type = WINDOW_WORKING_MEMORY,
		.priority = WINDOW_PRIORITY_DEFAULT,
		.source_ref = "summary",
	};
	char metadata[64];
	char *summary = NULL;
	size_t bytes = 0;
	char *text = render_evicted(window, plan, &bytes);
	const struct summary_spec spec = {
		.command = window->options.commands.summarizer,
		.transcript = text,
		.transcript_bytes = bytes,
		.max_tokens = max_tokens,
		.time_limit_ms = window->options.commands.time_limit_ms,
		.output_max_bytes = window->options.commands.output_max_bytes,
	};
	int result;

	if (text == NULL)
		return window_fail(error, -ENOMEM, "out of memory");
	result = summary_make(&spec, &summary, error);
	free(text);
	if (result != 0)
		return result;
	snprintf(metadata, sizeof(metadata), "{\"items\": %zu}",
		 plan->removed_nr);
	item.content = summary;
	item.content_bytes = strlen(summary);
	item.metadata = metadata;
	result = entry_create(window, &item, &plan->summary, error);
	free(summary);
	if (result == 0 && plan->summary->item.tokens >= plan->removed_tokens) {
		result = window_fail(
			error, -EMSGSIZE,
			"BALE-WIN-012 the summary has %ju tokens, what it "
			"replaces has %ju; nothing was changed",
			plan->summary->item.tokens, plan->removed_tokens);
	}
	return result;
}

static int
plan_summary(struct window *window, const struct candidates *candidates,
	     uint64_t target_tokens, struct eviction_plan *plan,
	     struct window_error *error)
{
	uint64_t allowed =
		min_u64(target_tokens / SUMMARY_SHARE, SUMMARY_TOKENS_MOST);
	uint64_t aim;
	int result;

	allowed = max_u64(allowed, SUMMARY_TOKENS_LEAST);
	aim = target_tokens > allowed ? target_tokens - allowed : 0;
	evict_until(window, plan, candidates, aim);
	if (plan->removed_nr == 0)
		return 0;
	result = make_summary(window, plan, allowed, error);
	/* longer than asked for: others have to go without one */
	if (result == 0)
		evict_until(window, plan, candidates, target_tokens);
	return result;
}

static int
check_strategy(const struct window *window,
	       const struct window_compact_options *options,
	       struct window_error *error)
{
	int result = room_check_tier(window, options->strategy, error);

	if (result != 0)
		return result;
	if (options->strategy == WINDOW_SUMMARIZE &&
	    window->options.commands.summarizer == NULL)
		return window_fail(error, -ENOTSUP,
				   "BALE-WIN-011 the strategy summarize needs "
				   "a command that makes summaries; give one "
				   "with --summarizer CMD");
	if (options->strategy == WINDOW_SELECTIVE &&
	    (options->query == NULL ||
	     text_is_blank(options->query, strlen(options->query))))
		return window_fail(error, -EINVAL,
				   "BALE-WIN-011 the strategy selective needs "
				   "to know what matters; give it with --query "
				   "TEXT");
	return 0;
}

int
eviction_plan(struct window *window,
	      const struct window_compact_options *options,
	      uint64_t target_tokens, struct eviction_plan *plan,
	      struct window_error *error)
{
	struct window_error unseen; /* callbacks always have one to fill */
	struct candidates candidates = { .nr = 0 };
	int result;

	if (error == NULL)
		error = &unseen;
	memset(plan, 0, sizeof(*plan));
	plan->strategy = options->strategy;
	plan->summary = NULL;
	result = check_strategy(window, options, error);
	if (result != 0 || window->tokens <= target_tokens)
		return result;
	candidates.all = calloc(window->nr + 1, sizeof(*candidates.all));
	if (candidates.all == NULL)
		return window_fail(error, -ENOMEM, "out of memory");
	result = rank(window, options, &candidates, error);
	if (result == 0 && options->strategy == WINDOW_SUMMARIZE)
		result = plan_summary(window, &candidates, target_tokens, plan,
				      error);
	else if (result == 0)
		evict_until(window, plan, &candidates, target_tokens);
	free(candidates.all);
	if (result != 0)
		eviction_plan_fini(plan);
	return result;
}

/* What the newest message of the user is about. */
static const char *
newest_question(const struct window *window)
{
	const struct entry *newest = NULL;

	for (size_t i = 0; i < window->nr; i++) {
		const struct entry *entry = window->entries[i];

		if (entry->item.type == WINDOW_USER_MESSAGE &&
		    (newest == NULL ||
		     entry->item.added_ms > newest->item.added_ms ||
		     (entry->item.added_ms == newest->item.added_ms &&
		      entry->seq > newest->seq)))
			newest = entry;
	}
	return newest != NULL ? newest->item.content : NULL;
}

int
eviction_plan_automatic(struct window *window, uint64_t target_tokens,
			struct eviction_plan *plan, struct window_error *error)
{
	struct window_compact_options options = {
		.strategy = window->options.strategy,
		.query = window->options.query,
	};
	int result;

	if (options.query == NULL)
		options.query = newest_question(window);
	result = eviction_plan(window, &options, target_tokens, plan, NULL);
	if (result == 0 || result == -ENOMEM)
		return result == 0
			       ? 0
			       : window_fail(error, result, "out of memory");
	options.strategy = WINDOW_REMOVE_LOW_PRIORITY;
	result = eviction_plan(window, &options, target_tokens, plan, error);
	plan->fell_back = true;
	return result;
}

void
eviction_plan_fini(struct eviction_plan *plan)
{
	free(plan->summary);
	plan->summary = NULL;
	memset(plan->evicted, 0, sizeof(plan->evicted));
	plan->removed_nr = 0;
	plan->removed_tokens = 0;
}

uint64_t
eviction_plan_frees(const struct eviction_plan *plan)
{
	return plan->removed_tokens -
	       (plan->summary != NULL ? plan->summary->item.tokens : 0);
}

void
room_carry_out(struct window *window, struct eviction_plan *plan,
	       struct events *events)
{
	double before = window_usage(window, window->tokens);
	uint64_t freed = eviction_plan_frees(plan);
	struct window_event *event;

	window_evict(window, plan->evicted, WINDOW_BY_COMPACTION, events);
	if (plan->summary != NULL) {
		plan->summary->seq = window->next_seq++;
		window_insert(window, plan->summary);
		plan->summary = NULL; /* the window's now */
	}
	window->compactions++;
	window->freed_tokens += freed;
	event = events_add(window, events, WINDOW_EVENT_COMPACTED);
	if (event == NULL)
		return;
	event->strategy = plan->strategy;
	event->fell_back = plan->fell_back;
	event->items = (uint32_t)plan->removed_nr;
	event->tokens = freed;
	event->total_tokens = window->tokens;
	event->usage_before = before;
	event->usage_after = window_usage(window, window->tokens);
}

int
window_compact(struct window *window,
	       const struct window_compact_options *options, uint64_t *freed,
	       struct window_error *error)
{
	struct events events = { 0 };
	struct eviction_plan plan;
	uint64_t gained = 0;
	int result;

	if (!(options->target >= 0 && options->target <= 100) ||
	    (unsigned)options->strategy >= WINDOW_STRATEGY_NR)
		return window_fail(error, -EINVAL,
				   "BALE-WIN-009 a target of %g %% is not 0 to "
				   "100; the default is %g",
				   options->target, WINDOW_TARGET_DEFAULT);
	pthread_mutex_lock(&window->lock);
	result = eviction_plan(window, options,
			       (uint64_t)((double)window->options.max_tokens *
					  options->target / 100),
			       &plan, error);
	if (result == 0 && plan.removed_nr > 0) {
		gained = eviction_plan_frees(&plan);
		room_carry_out(window, &plan, &events);
	}
	pthread_mutex_unlock(&window->lock);
	events_send(window, &events);
	if (result == 0 && freed != NULL)
		*freed = gained;
	return result;
}
