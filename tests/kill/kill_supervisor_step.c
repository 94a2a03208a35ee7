/* SPDX-License-Identifier: MIT */
/*
 * kill_supervisor_step.c - a signal between any two system calls of the
 * supervisor.
 *
 * Runs `bale pack` by ptrace(2), one system call of the supervisor at a time,
 * and sends a signal at the k-th stop: SIGINT, two of them, or SIGKILL. After
 * SIGINT all is as it was, or, if the result stood already, as after a quiet
 * run. After SIGKILL every file is one of before or one of after, and the next
 * run leaves what a quiet run does, no hidden name among it. Nothing of the
 * process group is left, nor of shared memory.
 *
 * verifies: NFR-016-40
 *
 * Environment: BALE   the program
 *              STEPS  about how many places are tried for each signal and
 *                     scene (40); 0: all of them
 */
#include <dirent.h>
#include <errno.h>
#include <poll.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/base.h"
#include "base/hash.h"

#define FILES_MAX 256
#define NAME_BYTES 256
#define GONE_MS 2000
#define NEVER UINT64_MAX

/* ---- directories --------------------------------------------------------- */

struct entry {
	char name[NAME_BYTES];
	uint64_t bytes;
	uint64_t hash;
};

/* What lies in the directory of the output, by names. */
struct listing {
	size_t nr;
	struct entry entries[FILES_MAX];
};

static int
by_name(const void *a, const void *b)
{
	return strcmp(((const struct entry *)a)->name,
		      ((const struct entry *)b)->name);
}

static void
read_entry(struct entry *entry, int dir_fd)
{
	char block[65536];
	int fd = openat(dir_fd, entry->name, O_RDONLY);
	ssize_t got;

	entry->hash = HASH64_BEGIN;
	entry->bytes = 0;
	while (fd >= 0 && (got = read(fd, block, sizeof(block))) > 0) {
		entry->hash = hash64(entry->hash, block, (size_t)got);
		entry->bytes += (uint64_t)got;
	}
	if (fd >= 0)
		close(fd);
}

static void
list(struct listing *listing, const char *path)
{
	DIR *dir = opendir(path);
	const struct dirent *found;

	listing->nr = 0;
	ASSERT(dir != NULL);
	while ((found = readdir(dir)) != NULL) {
		struct entry *entry = &listing->entries[listing->nr];

		if (strcmp(found->d_name, ".") == 0 ||
		    strcmp(found->d_name, "..") == 0)
			continue;
		ASSERT(++listing->nr < FILES_MAX);
		snprintf(entry->name, sizeof(entry->name), "%s", found->d_name);
		read_entry(entry, dirfd(dir));
	}
	closedir(dir);
	qsort(listing->entries, listing->nr, sizeof(struct entry), by_name);
}

static bool
is_same_entry(const struct entry *a, const struct entry *b)
{
	return strcmp(a->name, b->name) == 0 && a->bytes == b->bytes &&
	       a->hash == b->hash;
}

static bool
is_same(const struct listing *a, const struct listing *b)
{
	for (size_t i = 0; i < a->nr && a->nr == b->nr; i++)
		if (!is_same_entry(&a->entries[i], &b->entries[i]))
			return false;
	return a->nr == b->nr;
}

static bool
has(const struct listing *listing, const struct entry *entry)
{
	for (size_t i = 0; i < listing->nr; i++)
		if (is_same_entry(&listing->entries[i], entry))
			return true;
	return false;
}

static bool
has_name(const struct listing *listing, const char *ending)
{
	for (size_t i = 0; i < listing->nr; i++) {
		const char *name = listing->entries[i].name;
		size_t nr = strlen(name);

		if (nr >= strlen(ending) &&
		    strcmp(name + nr - strlen(ending), ending) == 0)
			return true;
	}
	return false;
}

/* What each file is of; a manifest only where all are of one run. */
static bool
is_of_either(const struct listing *now, const struct listing *before,
	     const struct listing *after)
{
	bool all_before = true;
	bool all_after = true;

	for (size_t i = 0; i < now->nr; i++) {
		const struct entry *entry = &now->entries[i];

		if (entry->name[0] == '.')
			continue;
		if (!has(before, entry) && !has(after, entry))
			return false;
		all_before &= has(before, entry);
		all_after &= has(after, entry);
	}
	return !has_name(now, ".manifest.json") || all_before || all_after;
}

static void
describe(const struct listing *listing)
{
	for (size_t i = 0; i < listing->nr; i++)
		printf("#   %s, %llu bytes\n", listing->entries[i].name,
		       (unsigned long long)listing->entries[i].bytes);
}

/* ---- runs ---------------------------------------------------------------- */

/* What is run, and what for the file that it finds there. */
struct scene {
	const char *name;
	const char *before; /* arguments; NULL: the directory is empty */
	const char *args;
	bool is_nameless; /* the file system has nameless files */
};

static char bale[PATH_MAX];
static char wrapper[PATH_MAX]; /* that takes nameless files away */

static _Noreturn void
be_bale(const struct scene *scene, const char *args, bool traced)
{
	char *argv[24] = { wrapper, bale };
	char **own = scene->is_nameless ? argv + 1 : argv;
	int null = open("/dev/null", O_RDWR);
	char *text = strdup(args);
	size_t nr = 2;

	for (char *at = strtok(text, " "); at != NULL; at = strtok(NULL, " ")) {
		ASSERT(nr + 1 < ARRAY_LEN(argv));
		argv[nr++] = at;
	}
	/* a job in the background has it ignored */
	signal(SIGINT, SIG_DFL);
	dup2(null, STDOUT_FILENO);
	dup2(null, STDERR_FILENO);
	if (traced && ptrace(PTRACE_TRACEME, 0, NULL, NULL) != 0)
		_exit(99);
	execv(own[0], own);
	_exit(98);
}

static pid_t
start(const struct scene *scene, const char *args, bool traced)
{
	pid_t pid = fork();

	ASSERT(pid >= 0);
	if (pid == 0)
		be_bale(scene, args, traced);
	return pid;
}

static int
run_quietly(const struct scene *scene, const char *args)
{
	pid_t pid = start(scene, args, false);
	int status = 0;

	ASSERT(waitpid(pid, &status, 0) == pid);
	return status;
}

/*
 * Sends `signal_nr` at the k-th stop, again at the one after if `twice`; how it
 * ended. *stops: how many there were.
 */
static int
run_by_steps(const struct scene *scene, uint64_t k, int signal_nr, bool twice,
	     uint64_t *stops)
{
	pid_t pid = start(scene, scene->args, true);
	int status = 0;
	int deliver = 0;

	*stops = 0;
	ASSERT(waitpid(pid, &status, 0) == pid && WIFSTOPPED(status));
	ptrace(PTRACE_SETOPTIONS, pid, NULL,
	       (void *)(PTRACE_O_TRACESYSGOOD | PTRACE_O_EXITKILL));
	for (;;) {
		ptrace(PTRACE_SYSCALL, pid, NULL, (void *)(intptr_t)deliver);
		deliver = 0;
		if (waitpid(pid, &status, 0) < 0 && errno == EINTR)
			continue;
		if (!WIFSTOPPED(status))
			return status;
		if (WSTOPSIG(status) != (SIGTRAP | 0x80)) {
			/* SIGTRAP: the wrapper becomes the program */
			deliver = WSTOPSIG(status) == SIGTRAP
					  ? 0
					  : WSTOPSIG(status);
			continue;
		}
		++*stops;
		if (*stops == k || (twice && *stops == k + 1))
			kill(pid, signal_nr);
	}
}

/* ---- what has to be ------------------------------------------------------ */

static unsigned failed_nr;

static void
empty(const char *path)
{
	char command[128];

	/* a hidden directory of parts may be there */
	snprintf(command, sizeof(command), "rm -rf %s && mkdir %s", path, path);
	ASSERT(system(command) == 0);
}

static void
complain(const struct scene *scene, uint64_t k, const char *what,
	 const struct listing *now)
{
	failed_nr++;
	printf("# %s, stop %llu: %s\n", scene->name, (unsigned long long)k,
	       what);
	if (now != NULL)
		describe(now);
}

static void
set_up(const struct scene *scene)
{
	empty("made");
	if (scene->before != NULL)
		ASSERT(run_quietly(scene, scene->before) == 0);
}

struct trial {
	const struct scene *scene;
	int signal_nr;
	bool twice;
	struct listing before;
	struct listing after;
	uint64_t died_nr;
};

static void
judge(struct trial *trial, uint64_t k, int status)
{
	static struct listing now;
	const struct scene *scene = trial->scene;

	list(&now, "made");
	if (WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL) {
		if (!is_of_either(&now, &trial->before, &trial->after))
			complain(scene, k, "files of no run", &now);
		/* its workers go with it, and so do their locks */
		if (run_quietly(scene, scene->args) != 0)
			complain(scene, k, "the next run fails", NULL);
		list(&now, "made");
		if (!is_same(&now, &trial->after))
			complain(scene, k, "the next run left this", &now);
		trial->died_nr++;
	} else if (WIFSIGNALED(status) &&
		   WTERMSIG(status) == trial->signal_nr) {
		if (!is_same(&now, &trial->before))
			complain(scene, k, "not as it was", &now);
		trial->died_nr++;
	} else if (status == 0) {
		if (!is_same(&now, &trial->after))
			complain(scene, k, "exit code 0, and not done", &now);
	} else {
		complain(scene, k, "ended in another way", &now);
	}
}

/* Workers go by the death of their parent; they are children of ours then. */
static void
expect_nobody(const struct scene *scene, uint64_t k)
{
	for (int ms = 0; ms < GONE_MS; ms += 5) {
		pid_t pid;

		while ((pid = waitpid(-1, NULL, WNOHANG)) > 0)
			;
		if (pid < 0 && errno == ECHILD)
			return;
		poll(NULL, 0, 5);
	}
	complain(scene, k, "processes are left", NULL);
}

/* That of somebody who begins has its name for a moment. */
static bool
is_left(int dir_fd, const char *name)
{
	for (int i = 0; i < 40; i++) {
		if (faccessat(dir_fd, name, F_OK, 0) != 0)
			return false;
		poll(NULL, 0, 5);
	}
	return true;
}

static void
expect_no_shared_memory(const struct scene *scene, uint64_t k)
{
	DIR *dir = opendir("/dev/shm");
	const struct dirent *entry;

	while (dir != NULL && (entry = readdir(dir)) != NULL)
		if (strncmp(entry->d_name, "bale.", 5) == 0) {
			if (is_left(dirfd(dir), entry->d_name))
				complain(scene, k, "shared memory is left",
					 NULL);
		}
	if (dir != NULL)
		closedir(dir);
}

static void
try_at(struct trial *trial, uint64_t k)
{
	uint64_t stops;
	int status;

	set_up(trial->scene);
	status = run_by_steps(trial->scene, k, trial->signal_nr, trial->twice,
			      &stops);
	expect_nobody(trial->scene, k);
	expect_no_shared_memory(trial->scene, k);
	judge(trial, k, status);
}

static void
try_all(const struct scene *scene, int signal_nr, bool twice)
{
	static struct trial trial;
	const char *text = getenv("STEPS");
	uint64_t want = text == NULL ? 40 : strtoull(text, NULL, 10);
	uint64_t stops;
	uint64_t stride;
	unsigned before_nr = failed_nr;
	static unsigned test_nr;

	trial = (struct trial){ .scene = scene,
				.signal_nr = signal_nr,
				.twice = twice };
	set_up(scene);
	list(&trial.before, "made");
	ASSERT(run_by_steps(scene, NEVER, 0, false, &stops) == 0);
	list(&trial.after, "made");
	stride = want == 0 || stops < want ? 1 : stops / want;
	/* some more: how often it wakes up meanwhile is never the same */
	for (uint64_t k = 1 + test_nr % stride; k < stops + stops / 8;
	     k += stride)
		try_at(&trial, k);
	if (trial.died_nr < 10)
		complain(scene, 0, "too few died for this to mean much", NULL);
	printf("%s %u - %s: %s%s between any two of %llu stops, each %llu: "
	       "%llu deaths\n",
	       failed_nr == before_nr ? "ok" : "not ok", ++test_nr, scene->name,
	       twice ? "twice " : "", strsignal(signal_nr),
	       (unsigned long long)stops, (unsigned long long)stride,
	       (unsigned long long)trial.died_nr);
	fflush(stdout);
}

/* ---- scenes -------------------------------------------------------------- */

#define OPTIONS " -q --no-last --workers 1 "
#define OLD "pack old --budget all" OPTIONS
#define ALL "pack tree --budget all" OPTIONS
#define RANKED "pack tree --budget 10k" OPTIONS
#define TO "-o made/o.md"

static const struct scene scenes[] = {
	{ "a file", OLD TO, ALL TO, true },
	{ "a file, the first", NULL, RANKED TO, true },
	{ "a file, no nameless ones", OLD TO, ALL TO, false },
	{ "compressed, no nameless ones", NULL, ALL TO ".zst", false },
	{ "parts", OLD "--split 2000 " TO, ALL "--split 3000 " TO, true },
	{ "parts, the first, no nameless files", NULL, ALL "--split 3000 " TO,
	  false },
};

static void
write_tree(const char *dir, unsigned files, unsigned lines)
{
	char path[64];

	mkdir(dir, 0777);
	for (unsigned i = 0; i < files; i++) {
		FILE *file;

		snprintf(path, sizeof(path), "%s/f%02u.c", dir, i);
		file = fopen(path, "w");
		ASSERT(file != NULL);
		for (unsigned k = 0; k < lines; k++)
			fprintf(file, "int f%u_%u(void) { return %u; }\n", i, k,
				i * k);
		fclose(file);
	}
}

int
main(void)
{
	static const struct {
		int signal_nr;
		bool twice;
	} ways[] = { { SIGINT, false }, { SIGINT, true }, { SIGKILL, false } };
	const char *program = getenv("BALE");
	const char *tmp = getenv("TMPDIR");
	char scratch[PATH_MAX];

	ASSERT(realpath(program == NULL ? "build/release/bale" : program,
			bale) != NULL);
	snprintf(wrapper, sizeof(wrapper), "%.*s/tests/support/tool_no_tmpfile",
		 (int)(strrchr(bale, '/') - bale), bale);
	snprintf(scratch, sizeof(scratch), "%s/bale-step.XXXXXX",
		 tmp == NULL ? "/tmp" : tmp);
	prctl(PR_SET_CHILD_SUBREAPER, 1);
	ASSERT(mkdtemp(scratch) != NULL && chdir(scratch) == 0);
	write_tree("tree", 12, 60);
	write_tree("old", 9, 50);
	printf("1..%zu\n", ARRAY_LEN(scenes) * ARRAY_LEN(ways));
	for (size_t i = 0; i < ARRAY_LEN(scenes); i++)
		for (size_t k = 0; k < ARRAY_LEN(ways); k++)
			try_all(&scenes[i], ways[k].signal_nr, ways[k].twice);
	empty("made");
	return failed_nr == 0 ? 0 : 1;
}
