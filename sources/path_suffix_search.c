/* SPDX-License-Identifier: MIT */
/*
 * path_suffix_search.c - a walk that looks for the ends of paths.
 *
 * Each name is kept under its hash, and under that of each part of it that
 * stands behind the name of a tree; hashes are made from the end, so that one
 * pass over a path gives those of all its ends.
 */
#include "sources/path_suffix_search.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/random.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/array.h"
#include "base/clock.h"
#include "base/fault.h"
#include "base/signals.h"
#include "base/child_process.h"
#include "base/exit_code.h"

#define TEXT_BYTES (32u << 20) /* of paths that are found */
#define HITS_BYTES 64          /* for the counter of a fault point */
#define TRIES 3
#define ANY_ROOT UINT32_MAX
#define BEHIND_MAX 4 /* parts of a name that are called as the tree is */

/* A name, or the part of it from `off` on, to be found. */
struct key {
	uint64_t hash;
	uint32_t name;
	uint32_t off;
	uint32_t root; /* all of a path below it; ANY_ROOT: the end of one */
	uint32_t next; /* index + 1 of one with the same head */
};

/* What the walk finds, in memory that both processes see. */
struct found {
	uint64_t nr;
	struct {
		uint32_t root;
		uint32_t bytes;
		uint64_t off; /* in the text */
	} files[2];
};

struct search_ctx {
	const struct source_list *list;
	uint64_t seed;
	uint32_t *first_equal; /* of each name the first that is the same */
	struct key *keys;
	size_t key_nr;
	size_t key_room;
	uint32_t *heads;
	uint64_t head_mask;
	struct found *found; /* shared: one a name, then the text */
	char *text;
	uint64_t text_bytes;
#ifdef BALE_DEBUG
	_Atomic unsigned long *fault_hits; /* of all tries */
#endif
};

static uint64_t
hash_step(uint64_t hash, char c)
{
	hash = (hash ^ (unsigned char)c) * 0x9e3779b97f4a7c15ull;
	return hash ^ hash >> 29;
}

static uint64_t
hash_of(const struct search_ctx *search_ctx, const char *text, size_t bytes)
{
	uint64_t hash = search_ctx->seed;

	while (bytes > 0)
		hash = hash_step(hash, text[--bytes]);
	return hash;
}

/* ---- names -------------------------------------------------------------- */

static int
add_key(struct search_ctx *search_ctx, uint32_t name, size_t off, uint32_t root)
{
	const char *text = search_ctx->list->names[name] + off;

	if (ARRAY_RESERVE(search_ctx->keys, search_ctx->key_room,
			  search_ctx->key_nr + 1) != 0)
		return -ENOMEM;
	search_ctx->keys[search_ctx->key_nr++] = (struct key){
		.hash = hash_of(search_ctx, text, strlen(text)),
		.name = name,
		.off = (uint32_t)off,
		.root = root,
	};
	return 0;
}

/* The last part of the path of a root; NULL: it has none. */
static const char *
name_of_root(const char *root)
{
	const char *slash = root == NULL ? NULL : strrchr(root, '/');

	return slash == NULL || slash[1] == '\0' ? NULL : slash + 1;
}

/* The parts of a name behind that of a tree, the last few. */
static int
add_keys_behind(struct search_ctx *search_ctx, uint32_t name, uint32_t root,
		const char *of_root)
{
	const char *text = search_ctx->list->names[name];
	size_t bytes = of_root == NULL ? 0 : strlen(of_root);
	size_t offs[BEHIND_MAX];
	size_t nr = 0;
	int error = 0;

	for (const char *at = text; at != NULL && bytes > 0;) {
		const char *part = *at == '/' ? at + 1 : at;

		if (strncmp(part, of_root, bytes) == 0 && part[bytes] == '/')
			offs[nr++ % BEHIND_MAX] =
				(size_t)(part - text) + bytes + 1;
		at = strchr(part, '/');
	}
	for (size_t i = 0; i < min_size(nr, BEHIND_MAX) && error == 0; i++)
		error = add_key(search_ctx, name, offs[i], root);
	return error;
}

static int
add_keys_of(struct search_ctx *search_ctx, uint32_t name)
{
	const struct source_list *list = search_ctx->list;
	int error = 0;

	if (list->names[name][0] != '/')
		error = add_key(search_ctx, name, 0, ANY_ROOT);
	for (uint32_t i = 0; i < list->options->pack.root_nr && error == 0;
	     i++) {
		const char *typed = name_of_root(list->roots[2 * i]);
		const char *real = name_of_root(list->roots[2 * i + 1]);

		if (list->is_file[i])
			continue;
		if (typed != NULL && real != NULL && strcmp(typed, real) == 0)
			real = NULL;
		error = add_keys_behind(search_ctx, name, i, typed);
		if (error == 0)
			error = add_keys_behind(search_ctx, name, i, real);
	}
	return error;
}

static int
compare_names(const void *left, const void *right, void *context)
{
	char *const *names = context;
	uint32_t a = *(const uint32_t *)left;
	uint32_t b = *(const uint32_t *)right;
	int order = strcmp(names[a], names[b]);

	return order != 0 ? order : (a > b) - (a < b);
}

/* A log says the same of one file again and again. */
static int
find_first_equal(struct search_ctx *search_ctx)
{
	const struct source_list *list = search_ctx->list;
	uint32_t *order = calloc(list->name_nr, sizeof(*order));

	search_ctx->first_equal =
		calloc(list->name_nr, sizeof(*search_ctx->first_equal));
	if (order == NULL || search_ctx->first_equal == NULL) {
		free(order);
		return -ENOMEM;
	}
	for (size_t i = 0; i < list->name_nr; i++)
		order[i] = (uint32_t)i;
	qsort_r(order, list->name_nr, sizeof(*order), compare_names,
		list->names);
	for (size_t i = 0; i < list->name_nr; i++) {
		bool is_same = i > 0 && strcmp(list->names[order[i]],
					       list->names[order[i - 1]]) == 0;

		search_ctx->first_equal[order[i]] =
			is_same ? search_ctx->first_equal[order[i - 1]]
				: order[i];
	}
	free(order);
	return 0;
}

static int
add_keys(struct search_ctx *search_ctx)
{
	int error = find_first_equal(search_ctx);

	for (size_t i = 0; i < search_ctx->list->name_nr && error == 0; i++)
		if (search_ctx->first_equal[i] == i)
			error = add_keys_of(search_ctx, (uint32_t)i);
	return error;
}

static int
make_heads(struct search_ctx *search_ctx)
{
	uint64_t nr = 1024;

	while (nr < 2 * search_ctx->key_nr)
		nr *= 2;
	search_ctx->heads = calloc(nr, sizeof(*search_ctx->heads));
	if (search_ctx->heads == NULL)
		return -ENOMEM;
	search_ctx->head_mask = nr - 1;
	for (size_t i = 0; i < search_ctx->key_nr; i++) {
		struct key *key = &search_ctx->keys[i];
		uint32_t *head =
			&search_ctx->heads[key->hash & search_ctx->head_mask];

		key->next = *head;
		*head = (uint32_t)i + 1;
	}
	return 0;
}

/* ---- the walk ----------------------------------------------------------- */

/* A file that a name may be of: 0, or -ENOSPC. */
static int
take_file(struct search_ctx *search_ctx, uint32_t name, uint32_t root,
	  const char *path, size_t bytes)
{
	struct found *found = &search_ctx->found[name];
	uint64_t nr = found->nr;

	if (nr < ARRAY_LEN(found->files)) {
		/* under both names of its root, or behind two of its parts */
		if (nr == 1 && found->files[0].root == root &&
		    found->files[0].bytes == bytes &&
		    memcmp(search_ctx->text + found->files[0].off, path,
			   bytes) == 0)
			return 0;
		if (bytes > TEXT_BYTES - search_ctx->text_bytes)
			return -ENOSPC;
		memcpy(search_ctx->text + search_ctx->text_bytes, path, bytes);
		found->files[nr].root = root;
		found->files[nr].bytes = (uint32_t)bytes;
		found->files[nr].off = search_ctx->text_bytes;
		search_ctx->text_bytes += bytes;
	}
	found->nr++;
	return 0;
}

/* The end of a path that begins at `from`: every name that it is. */
static int
look_up(struct search_ctx *search_ctx, uint64_t hash, uint32_t root,
	const char *path, size_t bytes, size_t from)
{
	uint32_t i = search_ctx->heads[hash & search_ctx->head_mask];
	int error = 0;

	for (; i != 0 && error == 0; i = search_ctx->keys[i - 1].next) {
		const struct key *key = &search_ctx->keys[i - 1];
		const char *text;

		if (key->hash != hash ||
		    (key->root != ANY_ROOT && (key->root != root || from > 0)))
			continue;
		text = search_ctx->list->names[key->name] + key->off;
		if (strlen(text) == bytes - from &&
		    memcmp(text, path + from, bytes - from) == 0)
			error = take_file(search_ctx, key->name, root, path,
					  bytes);
	}
	return error;
}

static int
take_path(void *context, uint32_t root, const char *path, size_t bytes)
{
	struct search_ctx *search_ctx = context;
	uint64_t hash = search_ctx->seed;
	int error = 0;

	FAULT("list");
	for (size_t at = bytes; at > 0 && error == 0;) {
		hash = hash_step(hash, path[--at]);
		if (at == 0 || path[at - 1] == '/')
			error = look_up(search_ctx, hash, root, path, bytes,
					at);
	}
	return error;
}

/* Exits with 0 or an errno: all else is in the shared memory. */
static _Noreturn void
walk(struct search_ctx *search_ctx, pid_t parent)
{
	const struct source_list *list = search_ctx->list;
	int null = open("/dev/null", O_RDWR | O_CLOEXEC);
	struct run run = *list->run;
	int error;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent || null < 0)
		_exit(WORKER_EXIT_ORPHAN);
	prctl(PR_SET_NAME, "bale:find");
#ifdef BALE_DEBUG
	fault_init("find", search_ctx->fault_hits);
#endif
	/* what is wrong with the trees the collector will say */
	for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
		dup2(null, fd);
	/* there is no catalogue yet: no descriptor is one of its tables */
	memset(&run.catalogue, 0xff, sizeof(run.catalogue));
	run.output_fd = -1;
	error = child_process_no_core();
	if (error == 0)
		error = stage_table[STAGE_COLLECT].ops->list(&run, take_path,
							     search_ctx);
	_exit(error < 0 ? -error : 0);
}

/* The process that walks; -1: none does. */
static int walk_fd = -1;

/* Ends it with us. calls: a handler; see base/signals.h */
static void
end_walk(int wait_ms)
{
	struct pollfd end = { .fd = walk_fd, .events = POLLIN };

	syscall(SYS_pidfd_send_signal, walk_fd, SIGKILL, NULL, 0);
	poll(&end, 1, wait_ms);
}

/* Forks the one that walks: its number or -errno. */
static pid_t
fork_walk(struct search_ctx *search_ctx)
{
	pid_t parent = getpid();
	sigset_t before;
	pid_t pid;

	signals_block(&before);
	pid = fork();
	if (pid == 0) {
		signals_reset();
		signals_restore(&before);
		walk(search_ctx, parent);
	}
	if (pid > 0) {
		walk_fd = (int)syscall(SYS_pidfd_open, pid, 0);
		signals_set_hook(end_walk);
	} else {
		pid = -errno;
	}
	signals_restore(&before);
	return pid;
}

/* 0, or -errno; -ECHILD: it has ended by itself, or by another's hand. */
static int
wait_for(pid_t pid, uint64_t deadline_ns)
{
	struct pollfd end = { .fd = walk_fd, .events = POLLIN };
	int status;
	int ready = 0;

	while (end.fd >= 0 && ready <= 0) {
		uint64_t now = clock_now_ns();

		if (now >= deadline_ns)
			break;
		ready = poll(&end, 1,
			     (int)min_u64((deadline_ns - now) / NS_PER_MS + 1,
					  INT32_MAX));
		if (ready < 0 && errno != EINTR)
			break;
	}
	if (ready <= 0)
		kill(pid, SIGKILL);
	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	signals_set_hook(NULL);
	if (walk_fd >= 0)
		close(walk_fd);
	walk_fd = -1;
	if (ready <= 0)
		return -ETIMEDOUT;
	return WIFEXITED(status) ? -WEXITSTATUS(status) : -ECHILD;
}

static int
walk_apart(struct search_ctx *search_ctx, uint64_t deadline_ns)
{
	const struct source_list *list = search_ctx->list;
	int error = -ECHILD;

	for (int i = 0; i < TRIES && error == -ECHILD; i++) {
		pid_t pid;

		memset(search_ctx->found, 0,
		       list->name_nr * sizeof(*search_ctx->found));
		search_ctx->text_bytes = 0;
		pid = fork_walk(search_ctx);
		error = pid < 0 ? pid : wait_for(pid, deadline_ns);
	}
	return error;
}

/* ---- what came of it ----------------------------------------------------- */

/* Copied once and checked: another process has written it. */
static int
take_ends(const struct search_ctx *search_ctx, struct source_end *ends)
{
	const struct source_list *list = search_ctx->list;

	for (size_t i = 0; i < list->name_nr; i++) {
		const struct found found =
			search_ctx->found[search_ctx->first_equal[i]];

		ends[i].nr = found.nr;
		for (size_t k = 0; k < min_u64(found.nr, 2); k++) {
			uint32_t root = found.files[k].root;
			uint32_t bytes = found.files[k].bytes;
			uint64_t off = found.files[k].off;

			if (root >= list->options->pack.root_nr || bytes == 0 ||
			    off > TEXT_BYTES || bytes > TEXT_BYTES - off ||
			    memchr(search_ctx->text + off, '\0', bytes) != NULL)
				return -EPROTO;
			ends[i].files[k] = (struct source_end_file){
				.root = root,
				.bytes = bytes,
				.path = search_ctx->text + off,
			};
		}
	}
	return 0;
}

int
path_suffix_search_find(struct path_suffix_search *ends,
			const struct source_list *list, uint64_t deadline_ns)
{
	struct search_ctx search_ctx = { .list = list };
	size_t found_bytes = list->name_nr * sizeof(struct found);
	int error;

	*ends = (struct path_suffix_search){ 0 };
	if (getrandom(&search_ctx.seed, sizeof(search_ctx.seed), 0) < 0)
		search_ctx.seed = 1; /* what is found does not depend on it */
	ends->ends = calloc(list->name_nr, sizeof(*ends->ends));
	ends->memory_bytes = found_bytes + TEXT_BYTES + HITS_BYTES;
	ends->memory = mmap(NULL, ends->memory_bytes, PROT_READ | PROT_WRITE,
			    MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (ends->memory == MAP_FAILED)
		ends->memory = NULL;
	if (ends->ends == NULL || ends->memory == NULL)
		return -ENOMEM;
	search_ctx.found = ends->memory;
	search_ctx.text = (char *)ends->memory + found_bytes;
#ifdef BALE_DEBUG
	search_ctx.fault_hits = (void *)(search_ctx.text + TEXT_BYTES);
#endif
	error = add_keys(&search_ctx);
	if (error == 0)
		error = make_heads(&search_ctx);
	if (error == 0)
		error = walk_apart(&search_ctx, deadline_ns);
	if (error == 0)
		error = take_ends(&search_ctx, ends->ends);
	free(search_ctx.first_equal);
	free(search_ctx.keys);
	free(search_ctx.heads);
	return error;
}

void
path_suffix_search_fini(struct path_suffix_search *ends)
{
	free(ends->ends);
	if (ends->memory != NULL)
		munmap(ends->memory, ends->memory_bytes);
	*ends = (struct path_suffix_search){ 0 };
}
