/* SPDX-License-Identifier: MIT */
/*
 * collect_tree_worker.c - batches of files of the walk, a slab at a time.
 *
 * Does: takes entries off the walk, opens them, writes them into the
 *       catalogue, reads as many as fit into one slab, tells of each in turn.
 * Runs in: collect.
 * Invariants:
 * 1. A file is told of in the order of the walk, also one that is left out.
 * 2. A file is whole or left out: what it was like is compared after reading.
 */
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "base/diag.h"
#include "base/fault.h"
#include "shm/slab.h"
#include "stages/collect/collect_worker.h"

/* A batch in the making. */
struct batch {
	struct worker *worker;
	struct collect_item *items;
	uint32_t item_nr;
	uint32_t read_nr;
	uint32_t slab_idx;
	uint32_t room; /* bytes of a slab for files */
	uint32_t used;
	uint32_t lane;
};

/* Room in the tables for one more record; 0 or -errno. */
static int
reserve_record(struct worker *worker, uint32_t file_idx, size_t path_bytes)
{
	struct collect_scratch *scratch = worker->scratch;
	int error =
		table_reserve(&worker->catalogue.files,
			      (file_idx + 1ull) * sizeof(struct file_record));

	if (error == 0)
		error = table_reserve(&worker->catalogue.paths,
				      scratch->next_path_off + path_bytes);
	return error;
}

static int
write_record(struct worker *worker, const struct collect_entry *entry,
	     const struct collect_item *item)
{
	struct collect_scratch *scratch = worker->scratch;
	const char *hint = lang_row(entry->lang)->hint;
	size_t hint_bytes = strlen(hint);
	int error = reserve_record(worker, item->file_idx,
				   entry->path_bytes + hint_bytes);
	struct file_record *record;
	uint8_t *path;

	if (error != 0)
		return error;
	record = catalogue_file(&worker->catalogue, item->file_idx);
	*record = (struct file_record){
		.path_off = scratch->next_path_off,
		.path_bytes = (uint32_t)entry->path_bytes,
		.root_bytes = (uint32_t)entry->root_bytes,
		.size_bytes = item->file.bytes,
		.mtime_ns = item->file.mtime_ns,
		.ctime_ns = item->file.ctime_ns,
		.ino = item->file.identity.ino,
		.dev = item->file.identity.dev,
		.root_idx = (uint16_t)entry->root,
		.language = entry->lang,
		.reason = item->reason,
		.flags = entry->marks,
		.hint_bytes = (uint8_t)hint_bytes,
	};
	if (collect_is_rev(worker))
		memcpy(record->object, item->object, sizeof(item->object));
	path = table_at(&worker->catalogue.paths, record->path_off,
			entry->path_bytes + hint_bytes);
	memcpy(path, entry->path, entry->path_bytes);
	memcpy(path + entry->path_bytes, hint, hint_bytes);
	scratch->next_path_off += entry->path_bytes + hint_bytes;
	return 0;
}

static void
log_timeout(const struct collect_entry *entry)
{
	char name[512];

	diag_log(DIAG_WARN, "%s: no answer within --stage-timeout; left out",
		 diag_quote(name, sizeof(name), (const uint8_t *)entry->path,
			    entry->path_bytes));
}

/* Opens what an entry names, unless it is left out already. */
static int
open_entry(struct worker *worker, const struct collect_entry *entry,
	   struct collect_item *item)
{
	const struct run *run = worker->run;
	struct collect_scratch *scratch = worker->scratch;

	item->fd = -1;
	item->charset = CHARSET_UTF8;
	item->has_mistakes = false;
	item->reason = entry->reason;
	memset(&item->file, 0, sizeof(item->file));
	if (scratch->skip_file == item->file_idx + 1ull)
		item->reason = scratch->skip_reason;
	if (item->reason == REASON_TIMEOUT)
		log_timeout(entry);
	if (item->reason != REASON_NONE)
		return 0;
	worker_position(worker, item->file_idx);
	FAULT("open");
	if (collect_is_rev(worker)) {
		item->reason = collect_rev_look(worker, entry, item);
		return 0;
	}
	item->fd =
		item->of_source
			? collect_open_source(worker, entry, &item->file)
			: open_regular(entry->dir_fd, entry->name, &item->file);
	if (item->fd == -EMFILE || item->fd == -ENFILE)
		return item->fd;
	if (item->fd < 0)
		item->reason = (uint8_t)collect_error_reason(item->fd);
	else if (item->is_text)
		return 0; /* whatever its size */
	else if (collect_walk_is_output(scratch->walk, &item->file.identity))
		item->reason = REASON_OUTPUT;
	else if (item->file.bytes > run->options.max_file_bytes)
		item->reason = REASON_TOO_LARGE;
	if (item->fd >= 0 && item->reason != REASON_NONE)
		close(item->fd);
	if (item->reason != REASON_NONE)
		item->fd = -1;
	return 0;
}

/* A replacement goes on behind the last file that was dispatched. */
static int
find_place(struct worker *worker)
{
	struct collect_state *state = worker->state;
	struct collect_scratch *scratch = worker->scratch;
	const struct file_record *last;

	if (scratch->at_place)
		return 0;
	scratch->at_place = true;
	collect_queue_clear(worker);
	collect_forget_sources(scratch);
	if (state->tree_over || worker->run->options.sources_only) {
		collect_walk_set_counts(scratch->walk, &state->counts);
		return 0;
	}
	scratch->way_base = 0;
	if (state->file_nr == 0) {
		collect_walk_rewind(scratch->walk, false);
		return 0;
	}
	last = catalogue_file(&worker->catalogue, state->file_nr - 1);
	collect_walk_set_counts(scratch->walk, &state->counts);
	return collect_walk_seek(
		scratch->walk, last->root_idx,
		(const char *)catalogue_path(&worker->catalogue, last),
		last->path_bytes);
}

/* The next entry: of the walk, and when that is over, of the sources. */
static int
next_entry(struct worker *worker, uint32_t file_idx, struct collect_item *item,
	   struct collect_entry *entry)
{
	const struct collect_state *state = worker->state;
	struct collect_scratch *scratch = worker->scratch;
	int result = 0;

	item->of_source = false;
	item->is_text = false;
	if (!state->tree_over && !worker->run->options.sources_only) {
		result = collect_walk_next(scratch->walk, entry);
		/* it begins again before the sources: rules_leave_nothing() */
		if (result == 0 && file_idx == 0 && !state->rules_off &&
		    collect_ignores_all(worker->run, scratch->walk,
					collect_walk_counts(scratch->walk)))
			return 0;
	}
	if (result != 0)
		return result;
	result = collect_next_source(worker, file_idx, entry);
	item->of_source = true;
	item->is_text = result > 0 && entry->root == SOURCE_ROOT_TEXT;
	return result;
}

/*
 * The next file, written down: 1, *item is it; 0, there are no more; -errno,
 * -EAGAIN for want of descriptors.
 */
static int
next_item(struct worker *worker, uint32_t file_idx, struct collect_item *item)
{
	struct collect_scratch *scratch = worker->scratch;
	struct collect_entry entry;
	int result;

	if (collect_queue_first(&scratch->queue) != NULL) {
		ASSERT(collect_queue_first(&scratch->queue)->file_idx ==
		       file_idx);
		return collect_queue_take(worker, item);
	}
	scratch->next_file = file_idx;
	result = next_entry(worker, file_idx, item, &entry);
	if (result <= 0)
		return result;
	if (entry.path_bytes > UINT32_MAX / 2 || file_idx >= FILE_NONE - 1)
		return -EFBIG;
	item->file_idx = file_idx;
	result = open_entry(worker, &entry, item);
	/* not taken: the walk has to come by again */
	if (result == -EMFILE || result == -ENFILE)
		scratch->at_place = false;
	if (result == 0)
		result = write_record(worker, &entry, item);
	item->counts = *collect_walk_counts(scratch->walk);
	item->entered_nr = collect_walk_entered(scratch->walk);
	return result < 0 ? result : 1;
}

static void
add_read(struct batch *batch, struct collect_item *item)
{
	struct collect_scratch *scratch = batch->worker->scratch;
	uint8_t *slab =
		slab_at(&batch->worker->run->segment.slabs, batch->slab_idx);

	item->slab_off = SLAB_HEAD_BYTES + batch->used;
	scratch->watched[batch->read_nr] = item->file_idx;
	scratch->reads[batch->read_nr++] = (struct collect_read){
		.to = slab + item->slab_off,
		.off = collect_base_off(
			batch->worker, catalogue_file(&batch->worker->catalogue,
						      item->file_idx)),
		.bytes = item->file.bytes,
		.fd = item->fd,
	};
	batch->used += (uint32_t)item->file.bytes;
}

/*
 * Fills the batch with items until the slab, the batch or the tree ends.
 * 0, or -errno.
 */
static int
fill(struct batch *batch, uint32_t limit)
{
	struct worker *worker = batch->worker;
	struct collect_state *state = worker->state;
	struct collect_scratch *scratch = worker->scratch;

	while (batch->item_nr < limit) {
		struct collect_item *item = &batch->items[batch->item_nr];
		uint64_t file_idx = state->file_nr + batch->item_nr;
		int result = next_item(worker, (uint32_t)file_idx, item);

		if (result < 0) {
			/* short of descriptors: read what is open first */
			if (result != -EMFILE && result != -ENFILE)
				return result;
			return batch->item_nr > 0 ? 0 : result;
		}
		if (result == 0) {
			state->walk_over = 1;
			return 0;
		}
		if (item->reason == REASON_NONE &&
		    (item->file.bytes > batch->room - batch->used ||
		     scratch->alone_file == file_idx + 1)) {
			collect_queue_put_first(&scratch->queue, item, 1);
			return 0;
		}
		batch->item_nr++;
		if (item->reason == REASON_NONE)
			add_read(batch, item);
	}
	return 0;
}

/* Reads a file again that changed while it was read, if it still fits. */
static uint8_t
read_again(struct batch *batch, struct collect_item *item)
{
	struct worker *worker = batch->worker;
	struct collect_scratch *scratch = worker->scratch;
	struct file_record *record =
		catalogue_file(&worker->catalogue, item->file_idx);
	uint64_t room = item->file.bytes;
	struct collect_read read = { 0 };
	uint8_t reason = REASON_NONE;
	int fd = collect_file_reopen(
		scratch->walk, record->root_idx,
		(const char *)catalogue_path(&worker->catalogue, record),
		record->path_bytes, &item->file);

	if (fd < 0)
		return (uint8_t)collect_error_reason(fd);
	read.fd = fd;
	read.to = slab_at(&worker->run->segment.slabs, batch->slab_idx) +
		  item->slab_off;
	read.bytes = item->file.bytes;
	if (item->file.bytes <= room)
		collect_reader_run(scratch->reader, &read, 1);
	if (item->file.bytes > room || read.error != 0 ||
	    read.got != read.bytes || file_is_unchanged(fd, &item->file) != 0)
		reason = REASON_CHANGED;
	close(fd);
	record->size_bytes = item->file.bytes;
	record->mtime_ns = item->file.mtime_ns;
	record->ctime_ns = item->file.ctime_ns;
	record->ino = item->file.identity.ino;
	record->dev = item->file.identity.dev;
	return reason;
}

/* What has been read of a file: text, in what, and of which language? */
static void
look_at(struct batch *batch, struct collect_item *item, const uint8_t *text)
{
	const struct collect_part whole = { .text = text,
					    .bytes = item->file.bytes };
	uint32_t carried = 0;

	stat_add(batch->worker->shm, STAT_bytes, item->file.bytes);
	item->reason =
		collect_probe(text, item->file.bytes, true, &item->charset);
	if (item->reason == REASON_NONE && item->charset == CHARSET_UTF8)
		collect_find_language(batch->worker, item->file_idx, text,
				      item->file.bytes);
	item->has_mistakes = item->reason == REASON_NONE &&
			     collect_has_mistakes(batch->worker, item->charset,
						  &whole, &carried);
	if (item->reason == REASON_NONE)
		item->reason =
			collect_label(batch->worker, item->file_idx,
				      item->charset, text, item->file.bytes);
}

/* What has been read of a file: its reason, if it cannot be taken. */
static void
check(struct batch *batch, struct collect_item *item,
      const struct collect_read *read)
{
	struct worker *worker = batch->worker;
	const uint8_t *text = read->to;

	if (read->error != 0) {
		item->reason = (uint8_t)collect_error_reason(read->error);
		stat_add(worker->shm, STAT_read_errors, 1);
	} else if (!item->is_text &&
		   (read->got != read->bytes ||
		    file_is_unchanged(item->fd, &item->file) != 0)) {
		item->reason = read_again(batch, item);
	}
	if (item->reason == REASON_NONE)
		look_at(batch, item, text);
}

static void
read_objects(struct batch *batch)
{
	struct worker *worker = batch->worker;
	uint8_t *slab = slab_at(&worker->run->segment.slabs, batch->slab_idx);

	for (uint32_t i = 0; i < batch->item_nr; i++) {
		struct collect_item *item = &batch->items[i];
		uint8_t *to = slab + item->slab_off;

		if (item->reason != REASON_NONE)
			continue;
		worker_position(worker, item->file_idx);
		worker_beat(worker);
		item->reason = collect_rev_read(worker, item, to);
		if (item->reason == REASON_NONE)
			look_at(batch, item, to);
	}
}

static void
read_all(struct batch *batch)
{
	struct collect_scratch *scratch = batch->worker->scratch;
	uint32_t at = 0;

	if (batch->read_nr == 0)
		return;
	FAULT("read");
	if (collect_is_rev(batch->worker)) {
		read_objects(batch);
		return;
	}
	scratch->watched_nr = batch->read_nr;
	collect_reader_run(scratch->reader, scratch->reads, batch->read_nr);
	scratch->watched_nr = 0;
	for (uint32_t i = 0; i < batch->item_nr; i++) {
		struct collect_item *item = &batch->items[i];

		if (item->reason != REASON_NONE)
			continue;
		check(batch, item, &scratch->reads[at++]);
		collect_close_fd(batch->worker, item->fd);
		item->fd = -1;
	}
}

/*
 * The item that the slab goes back with: the last one that has bytes in it.
 * One without any is done with as soon as it is counted, before what else is
 * in the slab is written. item_nr: nothing of the batch is sent.
 */
static uint32_t
last_with_content(const struct batch *batch)
{
	uint32_t last = batch->item_nr;

	for (uint32_t i = batch->item_nr; i-- > 0;) {
		if (batch->items[i].reason != REASON_NONE)
			continue;
		if (batch->items[i].file.bytes > 0)
			return i;
		if (last == batch->item_nr)
			last = i;
	}
	return last;
}

static void
emit_batch(struct batch *batch)
{
	struct worker *worker = batch->worker;
	uint8_t kind = run_takes_all(worker->run) ? DESC_EMIT : DESC_SCAN;
	uint32_t last = last_with_content(batch);

	if (job_outlines(worker->run))
		kind |= DESC_OUTLINE;
	for (uint32_t i = 0; i < batch->item_nr; i++) {
		const struct collect_item *item = &batch->items[i];
		struct desc whole = {
			.kind = DESC_WHOLE,
			.flags = (uint8_t)(kind | DESC_LAST |
					   (i == last ? DESC_RELEASE : 0)),
			.file_idx = item->file_idx,
			.slab_idx = batch->slab_idx,
			.slab_off = item->slab_off,
			.bytes = (uint32_t)item->file.bytes,
		};

		if (item->reason != REASON_NONE) {
			collect_emit_left_out(worker, item->file_idx,
					      item->reason);
			continue;
		}
		collect_emit_turn(worker, item->file_idx, batch->lane);
		worker_emit(worker, EDGE_CONTENT, batch->lane, &whole);
	}
	if (last != batch->item_nr)
		collect_use_slab(worker, batch->slab_idx);
}

static bool
is_to_convert(const struct collect_item *item)
{
	return item->reason == REASON_NONE &&
	       (item->charset != CHARSET_UTF8 || item->has_mistakes);
}

/*
 * A file that has to be converted cannot stay in the batch: it grows. The
 * batch ends before it, and the rest is queued. Where there is one there may
 * be more, and each would have a batch read again: the next ones are small.
 */
static void
part_batch(struct batch *batch)
{
	struct worker *worker = batch->worker;
	struct collect_state *state = worker->state;
	struct collect_scratch *scratch = worker->scratch;
	uint32_t i = 0;

	while (i < batch->item_nr && !is_to_convert(&batch->items[i]))
		i++;
	scratch->batch_most = (uint32_t)min_u64(2ull * scratch->batch_most,
						COLLECT_BATCH_MAX);
	if (i == batch->item_nr)
		return;
	scratch->batch_most = 1;
	scratch->alone_file = batch->items[i].file_idx + 1ull;
	collect_queue_put_first(&scratch->queue, &batch->items[i],
				batch->item_nr - i);
	batch->item_nr = i;
	state->walk_over = 0;
}

/* Whether what comes next is read by itself, part by part. */
static bool
is_large_next(const struct worker *worker)
{
	const struct collect_scratch *scratch = worker->scratch;
	const struct collect_item *item = collect_queue_first(&scratch->queue);

	return item != NULL && item->reason == REASON_NONE &&
	       (item->file.bytes > run_whole_bytes(worker->run) ||
		scratch->alone_file == item->file_idx + 1ull);
}

/* Its turn begins. */
static int
begin_large(struct worker *worker)
{
	struct collect_state *state = worker->state;
	struct collect_scratch *scratch = worker->scratch;
	const struct collect_item *item = collect_queue_first(&scratch->queue);
	uint32_t lane = collect_pick_lane(worker, 1, NULL);
	/* of everything: when it is read again, to be written */
	bool signs = job_outlines(worker->run) && !run_takes_all(worker->run);

	if (lane == LANES_MAX)
		return STEP_AGAIN;
	collect_close(worker);
	if (item->fd >= 0) {
		scratch->open_fd = item->fd;
		scratch->open_file = item->file_idx + 1;
	}
	scratch->queue.next++;
	collect_emit_turn(worker, item->file_idx, lane);
	state->large = (struct collect_large){ .file = item->file_idx + 1,
					       .lane = lane,
					       .signs = signs };
	state->file_nr++;
	state->path_bytes = scratch->next_path_off;
	state->counts = item->counts;
	state->tree_over |= item->of_source;
	scratch->way_base = item->entered_nr;
	return STEP_DONE;
}

bool
collect_ignores_all(const struct run *run, const struct collect_walk *walk,
		    const struct collect_counts *counts)
{
	const struct pack_options *options = &run->options;

	return !options->no_ignore && options->include_nr == 0 &&
	       options->exclude_nr == 0 &&
	       counts->ignored_files + counts->ignored_dirs > 0 &&
	       collect_walk_is_outside_git(walk);
}

static bool
rules_leave_nothing(const struct worker *worker)
{
	const struct collect_state *state = worker->state;
	const struct collect_scratch *scratch = worker->scratch;

	return state->file_nr == 0 && !state->rules_off &&
	       collect_ignores_all(worker->run, scratch->walk, &state->counts);
}

static int
start_without_rules(struct worker *worker)
{
	struct collect_state *state = worker->state;
	struct collect_scratch *scratch = worker->scratch;

	state->rules_off = 1;
	state->walk_over = 0;
	collect_walk_rewind(scratch->walk, true);
	diag_log(DIAG_WARN, "the ignore rules leave nothing of what was named, "
			    "outside of a git work tree: packing as with "
			    "--no-ignore");
	return STEP_DONE;
}

/* The walk is over: what it did not read, and the user may think it did. Once:
 * this is the last step until what it has written is flushed. */
static int
end_tree(struct collect_scratch *scratch)
{
	const char *link = collect_walk_git_link(scratch->walk);

	if (link != NULL && !scratch->reported_link)
		diag_log(DIAG_WARN,
			 "git: %s is a symbolic link, and in a repository none "
			 "is read, for it can lead to another one; put in its "
			 "place what it stands for",
			 QUOTED(link));
	scratch->reported_link = true;
	return STEP_END;
}

int
collect_step_tree(struct worker *worker)
{
	struct collect_state *state = worker->state;
	struct collect_scratch *scratch = worker->scratch;
	/* acquire: set by the supervisor before this process was forked */
	bool retry =
		atomic_load_explicit(&worker->shm->retry, memory_order_acquire);
	struct batch batch = { .worker = worker,
			       .items = scratch->items,
			       .room = run_whole_bytes(worker->run) };
	int error;

	if (worker_room(worker, EDGE_ORDER, 0) < COLLECT_TURN_ROOM)
		return STEP_AGAIN;
	if (scratch->at_place && is_large_next(worker))
		return begin_large(worker);
	batch.lane =
		collect_pick_lane(worker, COLLECT_BATCH_MAX, &batch.slab_idx);
	if (batch.lane == LANES_MAX)
		return STEP_AGAIN;
	error = collect_is_rev(worker) ? collect_rev_begin(worker) : 0;
	if (error == 0)
		error = find_place(worker);
	if (error == 0 && !state->walk_over)
		error = fill(&batch, retry ? 1 : scratch->batch_most);
	if (error != 0)
		return error;
	read_all(&batch);
	part_batch(&batch);
	if (batch.item_nr == 0) {
		if (collect_queue_first(&scratch->queue) != NULL)
			return begin_large(worker);
		state->counts = *collect_walk_counts(scratch->walk);
		if (rules_leave_nothing(worker))
			return start_without_rules(worker);
		return run_reads_git(worker->run) && !state->history_known
			       ? collect_step_history(worker)
			       : end_tree(scratch);
	}
	emit_batch(&batch);
	state->file_nr += batch.item_nr;
	state->path_bytes = scratch->next_path_off;
	state->counts = batch.items[batch.item_nr - 1].counts;
	state->tree_over |= batch.items[batch.item_nr - 1].of_source;
	scratch->way_base = batch.items[batch.item_nr - 1].entered_nr;
	return STEP_DONE;
}
