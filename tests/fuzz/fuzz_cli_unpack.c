/* SPDX-License-Identifier: MIT */
/*
 * fuzz_supervisor_unpack.c - what `bale unpack` writes, of outputs that nobody
 * can trust, below a scratch directory in memory.
 *
 * Input: a byte for the format. 5: the rest is the output. Else a program that
 * makes one: files with paths of parts that matter (.git, .., HEAD) and texts,
 * written by the code that pack writes with, then edits of its bytes.
 *
 * Invariants:
 * 1. Nothing outside of the directory changes, links in it or not.
 * 2. Nothing in it is what git would take for a repository, or a part of one.
 * 3. Only files and directories appear, and none under a temporary name.
 * 4. What was not edited comes back, byte for byte, where nothing is in the way.
 * 5. Where headers have hashes and one byte was edited, each file that appears
 *    has a content that was packed.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/support/test_unpack_rig.h"

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t bytes_nr);

#define FILES_MAX 12
#define OUTPUT_BYTES (256u << 10)
#define DEPTH_MAX 600

static char base[512]; /* holds "in" and "outside" */
static char output[OUTPUT_BYTES];
static struct rig_file files[FILES_MAX];

static void
expect(bool so, const char *what, const char *name)
{
	if (so)
		return;
	fprintf(stderr, "%s: %s\n", what, name);
	abort();
}

/* ---- the program ---- */

/* Bytes of the input, one after the other; 0 behind its end. */
struct program {
	const uint8_t *at;
	const uint8_t *end;
};

static uint8_t
take(struct program *program)
{
	return program->at < program->end ? *program->at++ : 0;
}

static const char *const names[] = {
	"a",
	"b",
	"A",
	"c.txt",
	".git",
	"..",
	".",
	"",
	"HEAD",
	"objects",
	"refs",
	"commondir",
	"config",
	"link",
	"out",
	"git~1",
	".GIT ",
	".g\xe2\x80\x8cit",
	".git::$INDEX_ALLOCATION",
	"x\\.git",
	"new\nline",
	" (lines 1-2)",
	"\"q\"",
	"\xff",
	"aux.c",
	".bale-unpack.0",
	"e\xcc\x81",
	".hg",
	"refs ",
	"a b",
	"&<>'",
	"d",
};

static void
take_path(struct program *program, char path[RIG_PATH_BYTES])
{
	size_t nr = 0;
	unsigned parts = 1 + take(program) % 4;

	for (unsigned i = 0; i < parts; i++) {
		const char *name = names[take(program) % ARRAY_LEN(names)];

		nr += (size_t)snprintf(path + nr, RIG_PATH_BYTES - nr, "%s%s",
				       i == 0 ? "" : "/", name);
	}
	/* no output has a file without a name */
	if (nr == 0)
		strcpy(path, "a");
}

static size_t
take_files(struct program *program)
{
	size_t nr = 1 + take(program) % FILES_MAX;

	for (size_t i = 0; i < nr; i++) {
		struct rig_file *file = &files[i];
		uint8_t kind = take(program);
		size_t left;

		*file = (struct rig_file){ .text = program->at };
		take_path(program, file->path);
		if (kind % 8 == 0 && i > 0) {
			file->same_as = files[take(program) % i].path;
			continue;
		}
		file->nr = take(program);
		left = (size_t)(program->end - program->at);
		file->nr = file->nr < left ? file->nr : left;
		file->text = program->at;
		program->at += file->nr;
	}
	return nr;
}

/* Edits of the output: how many, and how long it is then. */
static unsigned
take_edits(struct program *program, size_t *nr)
{
	unsigned edits = take(program) % 4;

	for (unsigned i = 0; i<edits && * nr> 1; i++) {
		uint8_t kind = take(program);
		size_t at = (size_t)(take(program) << 16 | take(program) << 8 |
				     take(program)) %
			    *nr;
		uint8_t byte = take(program);

		if (kind % 3 == 0) {
			output[at] = (char)byte;
		} else if (kind % 3 == 1) {
			memmove(output + at, output + at + 1, *nr - at - 1);
			--*nr;
		} else if (*nr < sizeof(output)) {
			memmove(output + at + 1, output + at, *nr - at);
			output[at] = (char)byte;
			++*nr;
		}
	}
	return edits;
}

/* ---- the scratch directory ---- */

/* Removes all that is in a directory, however deep. */
static void
empty(int dir_fd, unsigned depth)
{
	DIR *dir = fdopendir(dup(dir_fd));
	const struct dirent *entry;

	expect(dir != NULL && depth < DEPTH_MAX, "cannot look", "into it");
	rewinddir(dir);
	while ((entry = readdir(dir)) != NULL) {
		const char *name = entry->d_name;
		int fd;

		if (strcmp(name, ".") == 0 || strcmp(name, "..") == 0)
			continue;
		if (unlinkat(dir_fd, name, 0) == 0)
			continue;
		fd = openat(dir_fd, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
		expect(fd >= 0, "cannot open", name);
		empty(fd, depth + 1);
		close(fd);
		expect(unlinkat(dir_fd, name, AT_REMOVEDIR) == 0,
		       "cannot remove", name);
	}
	closedir(dir);
}

static void
remove_base(void)
{
	int fd = open(base, O_RDONLY | O_DIRECTORY);

	if (fd < 0)
		return;
	empty(fd, 0);
	close(fd);
	rmdir(base);
}

static void
make_base(void)
{
	const char *tmp = getenv("TMPDIR");

	if (base[0] != '\0')
		return;
	diag_init(open("/dev/null", O_WRONLY | O_CLOEXEC), DIAG_ERROR, false,
		  "");
	/* in memory, if nobody says where */
	if (tmp == NULL)
		tmp = access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp";
	snprintf(base, sizeof(base), "%s/fuzz.XXXXXX", tmp);
	expect(mkdtemp(base) != NULL, "no scratch directory", base);
	atexit(remove_base);
}

/* in/link and in/out lead to outside/, which holds one file. */
static int
make_scratch(void)
{
	int base_fd = open(base, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	int fd;

	expect(base_fd >= 0, "gone", base);
	mkdirat(base_fd, "in", 0700);
	mkdirat(base_fd, "outside", 0700);
	fd = openat(base_fd, "outside/kept", O_CREAT | O_WRONLY | O_TRUNC,
		    0600);
	expect(fd >= 0 && write(fd, "kept", 4) == 4, "cannot write", "kept");
	close(fd);
	expect(symlinkat("../outside", base_fd, "in/link") == 0 &&
		       symlinkat("../outside/kept", base_fd, "in/out") == 0,
	       "cannot make", "links");
	return base_fd;
}

/* ---- what must not be there ---- */

/* As git tells .git on NTFS and by HFS+, written anew after its sources. */
static bool
is_dotgit_ntfs(const char *name)
{
	size_t at = strncasecmp(name, ".git", 4) == 0    ? 4
		    : strncasecmp(name, "git~1", 5) == 0 ? 5
							 : 0;

	if (at == 0)
		return false;
	at += strspn(name + at, ". ");
	return name[at] == '\0' || name[at] == ':' || name[at] == '\\';
}

static bool
is_dotgit_hfs(const char *name)
{
	char left[256];
	size_t nr = 0;

	while (*name != '\0' && nr < sizeof(left) - 1) {
		const uint8_t *c = (const uint8_t *)name;

		if (c[0] == 0xe2 &&
		    ((c[1] == 0x80 && c[2] >= 0x8c && c[2] <= 0x8f) ||
		     (c[1] == 0x80 && c[2] >= 0xaa && c[2] <= 0xae) ||
		     (c[1] == 0x81 && c[2] >= 0xaa && c[2] <= 0xaf)))
			name += 3;
		else if (c[0] == 0xef && c[1] == 0xbb && c[2] == 0xbf)
			name += 3;
		else
			left[nr++] = *name++;
	}
	left[nr] = '\0';
	return strcasecmp(left, ".git") == 0;
}

static void
check_name(const char *name)
{
	/* an edit may make a name that is nearly one */
	expect(strncmp(name, ".bale-unpack.", 13) != 0 ||
		       strspn(name + 13, "0123456789abcdef") != 16 ||
		       name[29] != '\0',
	       "a temporary file is left", name);
	expect(!is_dotgit_hfs(name), "git on HFS+ would take it", name);
	for (const char *at = name; at != NULL; at = strchr(at, '\\')) {
		at += *at == '\\';
		expect(!is_dotgit_ntfs(at), "git on NTFS would take it", name);
	}
}

/* ---- what may be there ---- */

struct check {
	size_t file_nr; /* of these outputs; 0: nobody knows */
	bool contents;  /* each file has one of theirs */
	uint64_t found;
};

static void
check_content(const struct check *check, int dir_fd, const char *name)
{
	static uint8_t got[OUTPUT_BYTES];
	ssize_t nr = rig_read(dir_fd, name, got, sizeof(got));

	expect(nr >= 0, "cannot read", name);
	if (!check->contents || nr == 0)
		return;
	for (size_t i = 0; i < check->file_nr; i++)
		if (files[i].nr == (size_t)nr &&
		    memcmp(files[i].text, got, (size_t)nr) == 0)
			return;
	expect(false, "nobody packed what is in", name);
}

static void
check_dir(struct check *check, int dir_fd, unsigned depth)
{
	DIR *dir = fdopendir(dup(dir_fd));
	const struct dirent *entry;
	struct stat st;

	expect(dir != NULL && depth < DEPTH_MAX, "cannot look", "into it");
	expect(fstatat(dir_fd, "HEAD", &st, 0) != 0 || S_ISDIR(st.st_mode) ||
		       ((faccessat(dir_fd, "objects", F_OK, 0) != 0 ||
			 faccessat(dir_fd, "refs", F_OK, 0) != 0) &&
			faccessat(dir_fd, "commondir", F_OK, 0) != 0),
	       "git would take it for a repository", "a directory");
	rewinddir(dir);
	while ((entry = readdir(dir)) != NULL) {
		const char *name = entry->d_name;
		int fd;

		if (strcmp(name, ".") == 0 || strcmp(name, "..") == 0)
			continue;
		expect(fstatat(dir_fd, name, &st, AT_SYMLINK_NOFOLLOW) == 0,
		       "cannot look at", name);
		if (S_ISLNK(st.st_mode)) {
			expect(depth == 0, "a link that was made", name);
			continue;
		}
		check_name(name);
		if (S_ISREG(st.st_mode)) {
			check->found++;
			check_content(check, dir_fd, name);
			continue;
		}
		expect(S_ISDIR(st.st_mode), "what is it", name);
		fd = openat(dir_fd, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
		expect(fd >= 0, "cannot open", name);
		check_dir(check, fd, depth + 1);
		close(fd);
	}
	closedir(dir);
}

/* Nothing but what make_scratch() has put there. */
static void
check_outside(int base_fd)
{
	DIR *dir = fdopendir(dup(base_fd));
	uint8_t got[8];
	int nr = 0;

	expect(dir != NULL, "cannot look", base);
	rewinddir(dir);
	while (readdir(dir) != NULL)
		nr++;
	closedir(dir);
	expect(nr == 4, "something new beside", "the directory");
	expect(rig_read(base_fd, "outside/kept", got, sizeof(got)) == 4 &&
		       memcmp(got, "kept", 4) == 0,
	       "changed", "outside/kept");
	nr = openat(base_fd, "outside", O_RDONLY | O_DIRECTORY);
	dir = fdopendir(nr);
	expect(dir != NULL, "cannot look", "outside");
	for (nr = 0; readdir(dir) != NULL;)
		nr++;
	closedir(dir);
	expect(nr == 3, "something new", "outside");
}

/* ---- what has to be there ---- */

/* Whether nothing can be said against a path but what others say. */
static bool
is_plain(const char *path)
{
	static const char *const bad[] = { "",        ".",    "..",
					   "link",    "out",  "HEAD",
					   "objects", "refs", "commondir" };
	char copy[RIG_PATH_BYTES];
	char *part = copy;

	snprintf(copy, sizeof(copy), "%s", path);
	while (part != NULL) {
		char *slash = strchr(part, '/');

		if (slash != NULL)
			*slash++ = '\0';
		for (size_t i = 0; i < ARRAY_LEN(bad); i++)
			if (strcasecmp(part, bad[i]) == 0)
				return false;
		if (is_dotgit_hfs(part) || is_dotgit_ntfs(part) ||
		    strcasestr(part, "git") != NULL || strcmp(part, ".hg") == 0)
			return false;
		part = slash;
	}
	return true;
}

static bool
is_below(const char *path, const char *dir)
{
	size_t nr = strlen(dir);

	return strncmp(path, dir, nr) == 0 &&
	       (path[nr] == '/' || path[nr] == '\0');
}

/* Whether no other file of the output can be in the way of one. */
static bool
stands_alone(size_t nr, size_t i)
{
	for (size_t j = 0; j < nr; j++)
		if (j != i && (!is_plain(files[j].path) ||
			       is_below(files[i].path, files[j].path) ||
			       is_below(files[j].path, files[i].path)))
			return false;
	return is_plain(files[i].path);
}

static void
check_written(int in_fd, size_t nr)
{
	static uint8_t got[OUTPUT_BYTES];

	for (size_t i = 0; i < nr; i++) {
		ssize_t bytes;

		if (files[i].same_as != NULL || !stands_alone(nr, i))
			continue;
		bytes = rig_read(in_fd, files[i].path, got, sizeof(got));
		expect(bytes >= 0, "it was not written", files[i].path);
		expect((size_t)bytes == files[i].nr &&
			       memcmp(got, files[i].text, files[i].nr) == 0,
		       "it came back as another", files[i].path);
	}
}

/* A text with an output in it may come to light when its fence is edited. */
static bool
holds_header(size_t nr)
{
	for (size_t i = 0; i < nr; i++)
		if (memmem(files[i].text, files[i].nr, " File: ", 7) != NULL)
			return true;
	return false;
}

/* ---- all of it ---- */

/* Unpacks an output; is_whole: nobody has edited it. */
static void
run(const void *bytes, size_t nr, struct check *check, bool is_whole)
{
	int base_fd = make_scratch();
	struct unpack_dir dir;
	struct unpack unpack;
	char path[sizeof(base) + 4];
	int result;

	snprintf(path, sizeof(path), "%s/in", base);
	expect(unpack_dir_open(&dir, path) == 0, "cannot open", path);
	unpack_init(&unpack, &dir);
	unpack.force = nr % 2;
	unpack.bytes_max = 16u << 20;
	result = rig_unpack(&unpack, bytes, nr);
	check_outside(base_fd);
	check_dir(check, dir.fd, 0);
	expect(unpack.written_nr == check->found, "others are there than were",
	       "written");
	if (is_whole) {
		expect(result == 0, "it cannot be read", "back");
		check_written(dir.fd, check->file_nr);
	}
	unpack_dir_close(&dir, path);
	empty(base_fd, 0);
	close(base_fd);
}

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t bytes_nr)
{
	struct program program = { bytes, bytes + bytes_nr };
	struct markup_options options = { 0 };
	struct check check = { 0 };
	unsigned edits;
	uint8_t flags;
	size_t nr;

	if (bytes_nr < 2)
		return 0;
	make_base();
	options.kind = (enum markup_kind)(take(&program) % (MARKUP_NR + 1));
	if (options.kind == MARKUP_NR) {
		run(program.at, bytes_nr - 1, &check, false);
		return 0;
	}
	flags = take(&program);
	options.hashes = flags & 1;
	options.numbers = flags & 2;
	options.unicode =
		flags & 4 ? MARKUP_UNICODE_ESCAPE : MARKUP_UNICODE_MARK;
	check.file_nr = take_files(&program);
	nr = rig_pack(&options, files, check.file_nr, output, sizeof(output));
	if (nr == 0)
		return 0;
	edits = take_edits(&program, &nr);
	check.contents = options.hashes && edits <= 1 &&
			 options.unicode == MARKUP_UNICODE_MARK &&
			 !holds_header(check.file_nr);
	run(output, nr, &check,
	    edits == 0 && options.unicode == MARKUP_UNICODE_MARK);
	return 0;
}
