/* SPDX-License-Identifier: MIT */
/*
 * cmd_window_log.c - the events of one action of `bale window`.
 */
#include "cli/cmd_window_log.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "window/broker.h"
#include "base/exit_code.h"

void
window_log_keep(void *arg, const struct window_event *event)
{
	struct window_run *run = arg;

	if (event->kind == WINDOW_EVENT_COMPACTED)
		run->compacted = *event;
	if (ARRAY_RESERVE(run->events, run->event_room, run->event_nr + 1) !=
	    0) {
		diag_log(DIAG_WARN, "an event is lost: out of memory");
		return;
	}
	run->events[run->event_nr++] = *event;
}

void
window_log_open(const struct window_run *run)
{
	struct window_stats stats;

	if (!diag_is_on(DIAG_INFO))
		return;
	window_stats(run->window, &stats);
	diag_log(DIAG_INFO,
		 "window: %zu items, %ju of %ju tokens, compacted beyond "
		 "%g %% by %s",
		 stats.items, stats.tokens, stats.max_tokens, stats.threshold,
		 window_strategy_name(stats.strategy));
}

static void
log_item(const struct window_event *event)
{
	static const char *const reasons[] = {
		[WINDOW_BY_HAND] = "manual",
		[WINDOW_BY_COMPACTION] = "compaction",
		[WINDOW_BY_CLEAR] = "clear",
	};
	bool is_added = event->kind == WINDOW_EVENT_ADDED;

	diag_log(DIAG_DEBUG, "%s item %s: %s, %ju tokens%s%s",
		 is_added ? "added" : "removed", QUOTED(event->id),
		 window_type_name(event->type), event->tokens,
		 is_added ? "" : ", by ",
		 is_added ? "" : reasons[event->reason]);
}

static void
log_event(const struct window_event *event)
{
	switch (event->kind) {
	case WINDOW_EVENT_ADDED:
	case WINDOW_EVENT_REMOVED:
		log_item(event);
		break;
	case WINDOW_EVENT_COMPACTED:
		diag_log(DIAG_INFO,
			 "compacted by %s: %u items, %ju tokens freed, usage "
			 "from %.1f%% to %.1f%%",
			 window_strategy_name(event->strategy), event->items,
			 event->tokens, event->usage_before,
			 event->usage_after);
		break;
	case WINDOW_EVENT_CLEARED:
		diag_log(DIAG_INFO, "cleared: %u items, %ju tokens",
			 event->items, event->tokens);
		break;
	default: /* WINDOW_EVENT_BUILT */
		diag_log(DIAG_DEBUG,
			 "built the context: %u items, %ju tokens; %u left "
			 "out",
			 event->items, event->total_tokens,
			 event->items_excluded);
		break;
	}
}

/* All of them as lines, one after the other; NULL: no memory. */
static char *
join_events(const struct window_run *run, size_t *bytes)
{
	char *text = NULL;
	FILE *out = open_memstream(&text, bytes);
	bool is_whole = out != NULL;

	for (size_t i = 0; i < run->event_nr && is_whole; i++) {
		char *line = window_event_json(&run->events[i]);

		is_whole = line != NULL && fputs(line, out) >= 0;
		free(line);
	}
	if (out != NULL && fclose(out) == 0 && is_whole)
		return text;
	free(text);
	return NULL;
}

int
window_log_emit(struct window_run *run)
{
	size_t bytes = 0;
	char *text;
	int error;

	for (size_t i = 0; i < run->event_nr; i++)
		log_event(&run->events[i]);
	if (run->line->window.events == NULL || run->event_nr == 0)
		return EXIT_COMPLETE;
	text = join_events(run, &bytes);
	error = text == NULL
			? -ENOMEM
			: broker_append(run->line->window.events, text, bytes);
	free(text);
	if (error == 0)
		return EXIT_COMPLETE;
	return exit_with(
		EXIT_OUTPUT,
		"BALE-WIN-017 the events cannot be written to %s: %s; the "
		"window is as it should be",
		QUOTED(run->line->window.events), strerrordesc_np(-error));
}

void
window_log_free(struct window_run *run)
{
	free(run->events);
	run->events = NULL;
	run->event_nr = run->event_room = 0;
}
