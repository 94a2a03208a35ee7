/* SPDX-License-Identifier: MIT */
/*
 * table.c - mapped, unlinked files.
 */
#include "shm/table.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/diag.h"
#include "base/new_file.h"

#define EXTENT_BYTES (1u << 20) /* reserved, and mapped, at a time */
/* A fault maps a group at most, and between two looks there are touches. */
#define FAULTS_MAX(bytes) ((bytes) / TABLE_GROUP_BYTES - TABLE_TOUCHES_MAX)
/* What a touch of a group may map: it, what its caller goes on to, and more
 * where they are not aligned as the kernel's groups are. */
#define TOUCH_GROUPS 3
#define GROUP_SLOTS 1024 /* of a set; more than ever are in it */

static_assert(EXTENT_BYTES % TABLE_GROUP_BYTES == 0, "whole groups");

/* Of this process; a forked child goes on with a copy. */
static struct {
	struct table_view *views;
	uint32_t touched;      /* groups since the last look */
	uint64_t unlooked;     /* since the faults were asked for, */
	uint64_t touches_max;  /* which is due at so many */
	uint64_t faults;       /* of the process at the last trim */
	uint64_t faults_max;   /* since then, more than there may be */
	uint64_t faults_known; /* since then, when they were asked for; */
	uint64_t unplaced;     /* groups after that, not said which */
	uint32_t group_nr;     /* of those that are known, each once */
	uint64_t groups[GROUP_SLOTS]; /* which they are; 0: none */
	_Atomic uint64_t *beat;       /* or NULL */
	int exit_code;
	int lost_code; /* -1: none was set */
} process = { .touches_max = TABLE_TOUCHES_MAX,
	      .faults_max = FAULTS_MAX(TABLE_RESIDENT_BYTES),
	      .exit_code = EXIT_FAILURE,
	      .lost_code = -1 };

void
table_beat(_Atomic uint64_t *heartbeat)
{
	process.beat = heartbeat;
}

void
table_set_resident(uint64_t bytes)
{
	process.faults_max = FAULTS_MAX(max_u64(bytes, TABLE_RESIDENT_BYTES));
}

uint64_t
table_memory_bytes(void)
{
	uint64_t bytes = 0;
	struct stat st;

	for (const struct table_view *v = process.views; v != NULL; v = v->next)
		if (v->is_in_memory && fstat(v->fd, &st) == 0)
			bytes += (uint64_t)st.st_blocks * 512;
	return bytes;
}

void
table_end_with(int exit_code)
{
	process.exit_code = exit_code;
}

static bool
is_within(const uint8_t *base, uint64_t bytes, const void *address)
{
	return (uintptr_t)address - (uintptr_t)base < bytes;
}

/* Where a page of an opened table is gone, the process is, too; all else ends it
 * as if nobody looked: a fault happens again, what was sent is sent again. */
static void
on_bus_error(int signal_nr, siginfo_t *info, void *context)
{
	(void)context;
	for (const struct table_view *v = process.views; v != NULL;
	     v = v->next) {
		bool is_here =
			is_within(v->base, v->mapped_bytes, info->si_addr);

		for (uint32_t i = 0; i < v->old_nr; i++)
			is_here |= is_within(v->old[i].base, v->old[i].bytes,
					     info->si_addr);
		if (is_here && v->is_opened)
			_exit(process.lost_code);
	}
	signal(signal_nr, SIG_DFL);
	if (info->si_code <= 0)
		raise(signal_nr);
}

void
table_lost_with(int exit_code)
{
	struct sigaction action = { .sa_sigaction = on_bus_error,
				    .sa_flags = SA_SIGINFO };

	process.lost_code = exit_code;
	sigaction(SIGBUS, &action, NULL);
}

/* ---- making ------------------------------------------------------------- */

static uint64_t
head_bytes(const struct table *table)
{
	return min_u64(table->span_bytes, TABLE_HEAD_BYTES);
}

/* Random access by several processes: no read-ahead around faults, and no two
 * megabytes of a large folio mapped by one of them. */
static void
advise(uint8_t *base, uint64_t bytes)
{
	madvise(base, bytes, MADV_RANDOM);
	madvise(base, bytes, MADV_NOHUGEPAGE);
}

/* A mapping of the first bytes, more than the head; NULL: errno says why. */
static uint8_t *
map(const struct table *table, uint64_t bytes)
{
	int prot =
		table->view->is_read_only ? PROT_READ : PROT_READ | PROT_WRITE;
	uint8_t *base = mmap(NULL, bytes, prot, MAP_SHARED | MAP_NORESERVE,
			     table->view->fd, (off_t)table->file_off);

	if (base == MAP_FAILED)
		return NULL;
	/* of no old bytes: the same memory at a second place */
	if (mremap(table->view->base, 0, head_bytes(table),
		   MREMAP_MAYMOVE | MREMAP_FIXED, base) == MAP_FAILED) {
		munmap(base, bytes);
		return NULL;
	}
	advise(base, bytes);
	return base;
}

static uint8_t *
map_heads(uint64_t bytes)
{
	uint8_t *base = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
			     MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	if (base == MAP_FAILED)
		return NULL;
	advise(base, bytes);
	return base;
}

int
table_heads_open(struct table_heads *heads, uint32_t nr)
{
	*heads = (struct table_heads){
		.base = map_heads((uint64_t)nr * TABLE_HEAD_BYTES), .nr = nr
	};
	return heads->base == NULL ? -ENOMEM : 0;
}

void
table_heads_close(struct table_heads *heads)
{
	if (heads->used < heads->nr)
		munmap(heads->base + (uint64_t)heads->used * TABLE_HEAD_BYTES,
		       (uint64_t)(heads->nr - heads->used) * TABLE_HEAD_BYTES);
	*heads = (struct table_heads){ 0 };
}

/* The next of them, or one alone. */
static uint8_t *
take_head(struct table_heads *heads, uint64_t bytes)
{
	if (heads == NULL)
		return map_heads(bytes);
	ASSERT(heads->used < heads->nr && bytes == TABLE_HEAD_BYTES);
	return heads->base + (uint64_t)heads->used++ * TABLE_HEAD_BYTES;
}

/* The view of an empty table: its head. 0 or -ENOMEM. */
static int
open_view(struct table *table, int fd, struct table_heads *heads)
{
	struct table_view *view = calloc(1, sizeof(*view));

	if (view == NULL)
		return -ENOMEM;
	view->mapped_bytes = head_bytes(table);
	view->backed_bytes = view->mapped_bytes;
	view->base = take_head(heads, view->mapped_bytes);
	if (view->base == NULL) {
		free(view);
		return -ENOMEM;
	}
	view->fd = fd;
	view->next = process.views;
	process.views = view;
	table->view = view;
	return 0;
}

static void
close_view(struct table_view *view)
{
	struct table_view **at = &process.views;

	while (*at != NULL && *at != view)
		at = &(*at)->next;
	if (*at != NULL)
		*at = view->next;
	munmap(view->base, view->mapped_bytes);
	for (uint32_t i = 0; i < view->old_nr; i++)
		munmap(view->old[i].base, view->old[i].bytes);
	free(view);
}

/* The file of a table: open, or the error that there is instead. */
static int
take_file(struct table_view *view, int fd)
{
	if (fd < 0)
		return fd;
	view->fd = fd;
	view->is_in_memory = temp_file_is_in_memory(fd);
	return 0;
}

int
table_create(struct table *table, uint64_t span_bytes)
{
	struct table made = { .span_bytes = span_bytes };
	int error = open_view(&made, -1, NULL);

	if (error == 0)
		*table = made;
	return error;
}

int
table_create_among(struct table *table, struct table_heads *heads,
		   uint64_t span_bytes)
{
	struct table made = { .span_bytes = span_bytes };
	int error = open_view(&made, -1, heads);

	if (error == 0)
		error = take_file(made.view, temp_file_open());
	if (error != 0)
		table_close(&made);
	else
		*table = made;
	return error;
}

int
table_open(struct table *table, int fd, uint64_t bytes)
{
	struct table opened = { .span_bytes = bytes };
	int error = open_view(&opened, fd, NULL);

	if (error != 0)
		return error;
	opened.view->is_read_only = true;
	opened.view->is_opened = true;
	*table = opened;
	return 0;
}

void
table_close(struct table *table)
{
	if (table->view == NULL)
		return;
	if (table_fd(table) >= 0 && !table->is_part)
		close(table_fd(table));
	close_view(table->view);
	*table = (struct table){ .view = NULL };
}

int
table_part(struct table *part, struct table *of, uint64_t off,
	   struct table_heads *heads)
{
	struct table made = { .span_bytes = of->span_bytes - off,
			      .file_off = of->file_off + off,
			      .is_part = true };
	int error;

	ASSERT(off < of->span_bytes && off >= of->view->mapped_bytes &&
	       of->view->reserved_bytes == 0);
	error = open_view(&made, table_fd(of), heads);
	if (error != 0)
		return error;
	*part = made;
	of->span_bytes = off;
	return 0;
}

/* Neighbouring mappings, to be protected by one call. */
struct mapping {
	uint8_t *base;
	uint64_t bytes;
};

/* Protects what was gathered, unless `next` goes on where it ends. */
static int
gather(struct mapping *gathered, uint8_t *next, uint64_t bytes)
{
	struct mapping done = *gathered;

	if (done.bytes > 0 && done.base + done.bytes == next) {
		gathered->bytes += bytes;
		return 0;
	}
	*gathered = (struct mapping){ next, bytes };
	return done.bytes == 0 ||
			       mprotect(done.base, done.bytes, PROT_READ) == 0
		       ? 0
		       : -errno;
}

int
table_protect(const struct table *tables, uint32_t nr, uint32_t writable)
{
	struct mapping heads = { NULL, 0 };
	struct mapping others = { NULL, 0 };
	int error = 0;

	for (uint32_t i = 0; i < nr && error == 0; i++) {
		struct table_view *view = tables[i].view;

		if (view == NULL || (writable & 1u << i))
			continue;
		view->is_read_only = true;
		for (uint32_t j = 0; j < view->old_nr && error == 0; j++)
			error = gather(j == 0 ? &heads : &others,
				       view->old[j].base, view->old[j].bytes);
		if (error == 0)
			error = gather(view->old_nr == 0 ? &heads : &others,
				       view->base, view->mapped_bytes);
	}
	if (error == 0)
		error = gather(&heads, NULL, 0);
	return error != 0 ? error : gather(&others, NULL, 0);
}

/* ---- growing ------------------------------------------------------------ */

/* What was mapped stays: what table_at() gave lies in it. */
static void
move_view(struct table_view *view, uint8_t *base, uint64_t bytes)
{
	ASSERT(view->old_nr < ARRAY_LEN(view->old));
	view->old[view->old_nr].base = view->base;
	view->old[view->old_nr++].bytes = view->mapped_bytes;
	view->base = base;
	view->mapped_bytes = bytes;
}

/* Maps the first `bytes` of the table at least: 0 or -ENOMEM. */
static int
grow_view(const struct table *table, uint64_t bytes)
{
	struct table_view *view = table->view;
	/* twice as much each time; where there is not so much, what it takes */
	uint64_t wanted[2] = { max_u64(2 * view->mapped_bytes, bytes), bytes };

	for (size_t i = 0; i < ARRAY_LEN(wanted); i++) {
		uint64_t more =
			min_u64(round_up_u64(wanted[i], EXTENT_BYTES),
				round_up_u64(table->span_bytes, EXTENT_BYTES));
		uint64_t head = head_bytes(table);
		uint8_t *base;

		if (view->mapped_bytes > head &&
		    mremap(view->base + head, view->mapped_bytes - head,
			   more - head, 0) != MAP_FAILED) {
			view->mapped_bytes = more;
			return 0;
		}
		base = map(table, more);
		if (base != NULL) {
			move_view(view, base, more);
			return 0;
		}
	}
	return -ENOMEM;
}

uint64_t
table_backed_bytes(const struct table *table)
{
	off_t end;

	if (table->view == NULL)
		return 0;
	if (table_fd(table) < 0)
		return head_bytes(table);
	end = lseek(table_fd(table), 0, SEEK_END);
	if (end < 0)
		diag_fatal(process.exit_code, "a temporary file: %s",
			   diag_errno(-errno));
	if ((uint64_t)end <= table->file_off + head_bytes(table))
		return head_bytes(table);
	return min_u64((uint64_t)end - table->file_off, table->span_bytes);
}

/* Of the head there is nothing to reserve. */
static int
reserve(const struct table *table, uint64_t from, uint64_t bytes)
{
	struct table_view *view = table->view;
	uint64_t end = from + bytes;
	int error = 0;

	from = max_u64(from, head_bytes(table));
	if (end <= from)
		return 0;
	if (view->fd < 0)
		error = take_file(view, temp_file_open());
	if (error != 0)
		return error;
	do
		error = posix_fallocate(view->fd,
					(off_t)(table->file_off + from),
					(off_t)(end - from));
	while (error == EINTR);
	if (error == 0 && end > view->mapped_bytes)
		error = -grow_view(table, end);
	if (error != 0)
		return -error;
	view->backed_bytes = max_u64(view->backed_bytes, end);
	return 0;
}

int
table_reserve(const struct table *table, uint64_t bytes)
{
	struct table_view *view = table->view;
	uint64_t want;
	int error;

	if (bytes <= max_u64(view->reserved_bytes, head_bytes(table)))
		return 0;
	if (bytes > table->span_bytes)
		return -EFBIG;
	/* an eighth more each time, so that the calls stay few */
	want = round_up_u64(bytes + bytes / 8, EXTENT_BYTES);
	want = min_u64(want, table->span_bytes);
	error = reserve(table, 0, want);
	if (error == 0)
		view->reserved_bytes = want;
	return error;
}

int
table_reserve_at(const struct table *table, uint64_t from, uint64_t bytes)
{
	if (from > table->span_bytes || bytes > table->span_bytes - from)
		return -EFBIG;
	return reserve(table, from, bytes);
}

/* ---- touching ----------------------------------------------------------- */

static void
drop_pages(struct table_view *view)
{
	/* shared file pages: only the mapping goes, the bytes stay */
	madvise(view->base, view->mapped_bytes, MADV_DONTNEED);
	for (uint32_t i = 0; i < view->old_nr; i++)
		madvise(view->old[i].base, view->old[i].bytes, MADV_DONTNEED);
	view->is_touched = false;
	view->near = 0;
}

static uint64_t
faults_now(void)
{
	struct rusage usage;

	if (getrusage(RUSAGE_SELF, &usage) != 0)
		return UINT64_MAX;
	return (uint64_t)usage.ru_minflt + (uint64_t)usage.ru_majflt;
}

/* So many faults there were since the last trim, and no touch since then. */
static void
forget_groups(uint64_t faults)
{
	process.faults_known = faults;
	process.unplaced = 0;
	process.group_nr = 0;
	memset(process.groups, 0, sizeof(process.groups));
}

void
table_trim_all(void)
{
	for (struct table_view *v = process.views; v != NULL; v = v->next)
		if (v->is_touched)
			drop_pages(v);
	process.faults = faults_now();
	process.touched = 0;
	forget_groups(0);
}

/* A group of a view is among those that are mapped; of more than fit it is not
 * said which they are. */
static void
note_group(const struct table_view *view, uint64_t off)
{
	uint64_t group = (uint64_t)(uintptr_t)view->base / TABLE_GROUP_BYTES +
			 off / TABLE_GROUP_BYTES + 1;
	uint64_t slot = group % GROUP_SLOTS;

	if (process.group_nr >= GROUP_SLOTS / 2) {
		process.unplaced++;
		return;
	}
	while (process.groups[slot] != 0 && process.groups[slot] != group)
		slot = (slot + 1) % GROUP_SLOTS;
	process.group_nr += process.groups[slot] == 0;
	process.groups[slot] = group;
}

/* How many more touches there can be until all that may be mapped could be: what
 * was when the faults were asked for, and what was touched since then, one fault
 * or many, the same groups again and again. */
static uint64_t
touches_left(void)
{
	uint64_t mapped = process.faults_known +
			  (uint64_t)process.group_nr * TOUCH_GROUPS +
			  process.unplaced;

	return (process.faults_max - min_u64(mapped, process.faults_max)) /
	       TOUCH_GROUPS;
}

/*
 * What was touched may be mapped. Where that could be all that may be, the faults
 * that there were say how much is: more than three quarters of what may be, and
 * it is dropped, or they would be asked for after every few touches.
 */
static void
look(void)
{
	uint64_t faults;

	process.unlooked += process.touched;
	process.touched = 0;
	if (process.beat != NULL)
		/* relaxed: a sign of life, nothing else */
		add_relaxed(process.beat, 1);
	if (process.unlooked < process.touches_max)
		return;
	process.unlooked = 0;
	process.touches_max = touches_left();
	if (process.touches_max > 0)
		return;
	faults = faults_now() - process.faults;
	if (faults >= process.faults_max / 4 * 3)
		table_trim_all();
	else
		forget_groups(faults);
	process.touches_max = touches_left();
}

/* Bytes up to `end` lie in the file and in the view. */
static void
back(const struct table *table, uint64_t end)
{
	struct table_view *view = table->view;
	uint64_t bytes = table_backed_bytes(table);

	if (end > bytes && view->is_opened && process.lost_code >= 0)
		_exit(process.lost_code);
	ASSERT(end <= bytes);
	if (end > view->mapped_bytes && grow_view(table, end) != 0)
		diag_fatal(process.exit_code,
			   "no address space for %llu bytes of what is known "
			   "of the files: raise the limit (ulimit -v), or "
			   "pack fewer files",
			   (unsigned long long)end);
	view->backed_bytes = min_u64(bytes, view->mapped_bytes);
}

static void
count_touched(const struct table *table, uint32_t groups)
{
	process.touched += groups;
	if (process.touched >= TABLE_TOUCHES_MAX)
		look();
	/* what was touched may be mapped still, by a pointer */
	table->view->is_touched = true;
}

void
table_touched(const struct table *table, uint32_t groups)
{
	process.unplaced += groups;
	count_touched(table, groups);
}

void *
table_touch(const struct table *table, uint64_t off, uint64_t bytes)
{
	struct table_view *view = table->view;

	ASSERT(view != NULL && off <= table->span_bytes &&
	       bytes <= table->span_bytes - off);
	if (off + bytes > view->backed_bytes)
		back(table, off + bytes);
	note_group(view, off);
	count_touched(table, 1);
	view->near = off / TABLE_GROUP_BYTES + 1;
	return view->base + off;
}

void
table_clear(const struct table *table, uint64_t off, uint64_t bytes)
{
	uint64_t end = off + bytes;

	while (off < end) {
		uint64_t nr = min_u64(end - off, TABLE_GROUP_BYTES);

		memset(table_at(table, off, nr), 0, nr);
		off += nr;
	}
}
