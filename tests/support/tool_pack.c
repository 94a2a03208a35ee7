/* SPDX-License-Identifier: MIT */
/*
 * tool_pack.c - a second opinion on what `bale pack` writes.
 *
 *   tool_pack check all|budget OUTPUT ROOT...
 *       reads OUTPUT back into files and compares each with the file it
 *       names, byte for byte, or as iconv(3) converts it where the header
 *       says so. all: every UTF-8 file below ROOT is in it, a whole file that
 *       repeats an earlier one as a reference. budget: what is in it is
 *       right; files and lines may be left out, and a file may be there by
 *       its signatures: words of its lines, in their order, and what it
 *       imports.
 *
 * Does not: share a line with the program. Names in OUTPUT are opened as they
 *           stand, from the current directory.
 * Says `files N same N empty N` and 0, or the first mistake and 1.
 */
#include <errno.h>
#include <fcntl.h>
#include <fts.h>
#include <iconv.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/hash.h"
#include "tests/support/tool_pack_header.h"
#include "tests/support/tool_pack_names.h"
#include "tests/support/tool_pack_text.h"
#include "tests/support/tool_pack_utf8.h"
#include "tests/support/tool_pack_words.h"

#define SHOWN_BYTES 60

/* A file of the output, or of the tree. */
struct entry {
	char *name;
	uint64_t hash; /* of the content */
	uint64_t size;
	bool full; /* its content stands in the output */
	bool must; /* it is text beyond doubt */
};

struct entries {
	struct entry *at;
	size_t nr;
	size_t max;
};

struct check {
	struct bytes whole;
	struct bytes left;
	struct entries found;
	bool all;
	uint64_t same_nr;
	uint64_t empty_nr;
};

static const char open_word[] = "## File: ";
static const char short_word[] = "### "; /* of signatures */

static _Noreturn void
fail(const struct check *check, const char *what, const char *name)
{
	struct bytes near = check->left;
	size_t shown = near.nr < SHOWN_BYTES ? near.nr : SHOWN_BYTES;

	printf("at byte %zu: %s", (size_t)(near.at - check->whole.at), what);
	if (name != NULL)
		printf(": %s", name);
	printf("; there: ");
	for (size_t i = 0; i < shown; i++)
		printf(near.at[i] >= ' ' && near.at[i] < 127 ? "%c" : "\\%03o",
		       (unsigned char)near.at[i]);
	printf("\n");
	exit(1);
}

static void *
grow(void *at, size_t nr, size_t *max, size_t size)
{
	if (nr < *max)
		return at;
	*max = *max == 0 ? 64 : 2 * *max;
	at = realloc(at, *max * size);
	if (at == NULL)
		abort();
	return at;
}

static struct entry *
add(struct entries *entries, char *name)
{
	entries->at = grow(entries->at, entries->nr, &entries->max,
			   sizeof(*entries->at));
	entries->at[entries->nr] = (struct entry){ .name = name };
	return &entries->at[entries->nr++];
}

static int
by_name(const void *a, const void *b)
{
	return strcmp(((const struct entry *)a)->name,
		      ((const struct entry *)b)->name);
}

static int
by_content(const void *a, const void *b)
{
	const struct entry *x = a;
	const struct entry *y = b;

	if (x->hash != y->hash)
		return x->hash < y->hash ? -1 : 1;
	return x->size == y->size ? 0 : x->size < y->size ? -1 : 1;
}

static uint64_t
hash_of(struct bytes text)
{
	return hash64(HASH64_BEGIN, text.at, text.nr);
}

/* ---- files ---- */

/* A regular file, not through a link; false: it is not one. */
static bool
map_file(const char *name, struct bytes *out)
{
	struct stat st;
	int fd = open(name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	void *at;

	if (fd < 0)
		return false;
	if (fstat(fd, &st) != 0 || !S_ISREG(st.st_mode)) {
		close(fd);
		return false;
	}
	*out = (struct bytes){ "", (size_t)st.st_size };
	if (out->nr > 0) {
		at = mmap(NULL, out->nr, PROT_READ, MAP_PRIVATE, fd, 0);
		if (at == MAP_FAILED)
			abort();
		out->at = at;
	}
	close(fd);
	return true;
}

static void
unmap_file(struct bytes text)
{
	union {
		const char *from;
		void *to;
	} at = { .from = text.at };

	if (text.nr > 0)
		munmap(at.to, text.nr);
}

static uint64_t
lines_of(struct bytes text)
{
	uint64_t lines = 0;

	for (size_t i = 0; i < text.nr; i++)
		lines += text.at[i] == '\n';
	return lines + (text.nr > 0 && text.at[text.nr - 1] != '\n');
}

/* ---- reading the output ---- */

static void
skip(struct check *check, size_t nr)
{
	if (nr > check->left.nr)
		fail(check, "the output ends early", NULL);
	check->left.at += nr;
	check->left.nr -= nr;
}

static void
expect(struct check *check, const char *text, const char *name)
{
	if (!begins(check->left, text, strlen(text)))
		fail(check, text[0] == '\n' ? "no blank line" : text, name);
	skip(check, strlen(text));
}

/*
 * A name in quotes ends with them. One without can hold what looks like the
 * rest of a header: then the tree says what is meant.
 */
static struct header
parse_header(struct check *check)
{
	struct header header = { 0 };
	struct bytes line = line_of(check->left);
	bool is_short = begins(line, short_word, strlen(short_word));
	const char *word = is_short ? short_word : open_word;
	bool good = false;
	size_t at;

	if (!begins(line, word, strlen(word)))
		fail(check, "no header", NULL);
	line.at += strlen(word);
	line.nr -= strlen(word);
	at = name_length(line);
	for (size_t i = at; i <= line.nr && !good && (at == 0 || i == at);
	     i++) {
		static const struct bytes nothing = { " (signatures)", 13 };
		struct bytes rest = { line.at + i, line.nr - i };

		if (is_short && i == line.nr)
			rest = nothing;
		if (!begins(rest, " (", 2) || !parse_rest(rest, &header) ||
		    (is_short && !header.signatures))
			continue;
		free(header.name);
		header.name = unquote((struct bytes){ line.at, i });
		good = is_there(header.name);
	}
	if (!good)
		fail(check, "a header of no kind", NULL);
	skip(check, strlen(word) + line.nr);
	expect(check, "\n", header.name);
	return header;
}

/* ---- character sets ---- */

/* The text as UTF-8, by iconv(3) or repaired. Owner: nobody. */
static struct bytes
convert(struct check *check, struct bytes text, const struct header *header)
{
	bool repairs = strcmp(header->charset, "invalid UTF-8") == 0;
	iconv_t set = iconv_open("UTF-8", repairs ? "UTF-8" : header->charset);
	size_t room = text.nr * 3 + 16;
	char *whole = malloc(room);
	char *copy = malloc(text.nr + 1);
	char *from = copy;
	char *to = whole;

	if (whole == NULL || copy == NULL)
		abort();
	if (set == (iconv_t)-1)
		fail(check, "an unknown character set", header->charset);
	if (repairs)
		return (struct bytes){ whole,
				       utf8_repaired(text.at, text.nr, whole) };
	memcpy(copy, text.at, text.nr);
	iconv(set, &from, &text.nr, &to, &room);
	iconv_close(set);
	free(copy);
	text = (struct bytes){ whole, (size_t)(to - whole) };
	if (begins(text, "\xef\xbb\xbf", 3)) {
		text.nr -= 3;
		memmove(whole, whole + 3, text.nr);
	}
	return text;
}

/* ---- comparing ---- */

/* Moves over `lines` lines of the text. */
static struct bytes
after_lines(struct bytes text, uint64_t lines)
{
	while (lines-- > 0 && text.nr > 0) {
		struct bytes line = line_of(text);
		size_t nr = line.nr + (line.nr < text.nr);

		text.at += nr;
		text.nr -= nr;
	}
	return text;
}

/* A gap mark for lines that begin with `line`: the line after it, or 0. */
static uint64_t
gap_after(struct check *check, const struct header *header, uint64_t line)
{
	struct bytes mark = line_of(check->left);
	unsigned long long first;
	unsigned long long last;
	char text[80];
	size_t dots = 0;

	if (mark.nr >= sizeof(text) - 1)
		return 0;
	snprintf(text, sizeof(text), "%.*s", (int)mark.nr, mark.at);
	if (strncmp(text, "// ", 3) != 0)
		return 0;
	while (text[3 + dots] == '.')
		dots++;
	if (dots != header->dots ||
	    sscanf(text + 3 + dots, " (lines %llu-%llu)", &first, &last) != 2 ||
	    first != line || last < first)
		return 0;
	return last + 1;
}

static size_t
common(struct bytes a, struct bytes b)
{
	size_t nr = a.nr < b.nr ? a.nr : b.nr;
	size_t i = 0;

	if (memcmp(a.at, b.at, nr) == 0)
		return nr;
	while (a.at[i] == b.at[i])
		i++;
	return i;
}

/* The content of one section, with gaps if there may be some. */
static void
compare_lines(struct check *check, const struct header *header,
	      struct bytes file)
{
	uint64_t line = header->first;

	file = after_lines(file, line - 1);
	while (line <= header->last) {
		struct bytes want = line_of(file);
		uint64_t next = check->all ? 0 : gap_after(check, header, line);

		want.nr += want.nr < file.nr;
		if (next > 0 && !begins(check->left, want.at, want.nr)) {
			file = after_lines(file, next - line);
			skip(check, line_of(check->left).nr + 1);
			line = next;
			continue;
		}
		if (!begins(check->left, want.at, want.nr)) {
			skip(check, common(check->left, want));
			fail(check, "a line differs", header->name);
		}
		skip(check, want.nr);
		file.at += want.nr;
		file.nr -= want.nr;
		line++;
	}
}

static void
compare_section(struct check *check, const struct header *header,
		struct bytes file)
{
	size_t fence = 0;
	bool no_newline = file.nr > 0 && file.at[file.nr - 1] != '\n';
	uint64_t lines = lines_of(file);

	if (header->first < 1 || header->last < header->first ||
	    header->last > lines ||
	    (check->all && (header->first != 1 || header->last != lines)))
		fail(check, "wrong lines", header->name);
	if (header->no_newline != (no_newline && header->last == lines))
		fail(check, "wrong about the last newline", header->name);
	while (fence < check->left.nr && check->left.at[fence] == '`')
		fence++;
	if (fence < 3)
		fail(check, "no fence", header->name);
	skip(check, line_of(check->left).nr);
	expect(check, "\n", header->name);
	compare_lines(check, header, file);
	if (header->no_newline)
		expect(check, "\n", header->name);
	for (size_t i = 0; i < fence; i++)
		expect(check, "`", header->name);
	expect(check, "\n", header->name);
}

/* Whether each name of "imports: a, b" stands somewhere in the file. */
static bool
imports_are_there(struct bytes line, struct bytes file)
{
	static const char word[] = "imports: ";
	size_t at = strlen(word);

	if (!begins(line, word, at))
		return false;
	while (at < line.nr) {
		size_t nr = 0;

		while (at + nr < line.nr && line.at[at + nr] != ',')
			nr++;
		if (memmem(file.at, file.nr, line.at + at, nr) == NULL &&
		    (nr != 3 || memcmp(line.at + at, "...", 3) != 0))
			return false;
		at += nr + 2;
	}
	return true;
}

/* The last line that a gap mark names; 0: the line is none. */
static uint64_t
gap_end(const struct header *header, struct bytes line)
{
	unsigned long long first;
	unsigned long long last;
	char text[80];
	int nr = -1;

	if (line.nr <= 3 + header->dots || line.nr >= sizeof(text) ||
	    memcmp(line.at, "// ", 3) != 0 ||
	    strspn(line.at + 3, ".") != header->dots)
		return 0;
	snprintf(text, sizeof(text), "%.*s", (int)(line.nr - 3 - header->dots),
		 line.at + 3 + header->dots);
	if (sscanf(text, " (lines %llu-%llu)%n", &first, &last, &nr) != 2 ||
	    nr != (int)strlen(text) || first > last)
		return 0;
	return last;
}

/* Signatures, and lines between marks: words of the file, none before the one
 * before it; behind a mark, from where it says. */
static void
compare_signatures(struct check *check, const struct header *header,
		   struct bytes file)
{
	struct bytes left = file;
	struct bytes base = file; /* behind the last mark */
	size_t fence = 0;

	while (fence < check->left.nr && check->left.at[fence] == '`')
		fence++;
	if (fence < 3)
		fail(check, "no fence", header->name);
	skip(check, line_of(check->left).nr);
	expect(check, "\n", header->name);
	for (;;) {
		struct bytes line = line_of(check->left);
		uint64_t gap = gap_end(header, line);
		struct bytes behind = after_lines(file, gap);

		if (line.nr == fence && begins(line, check->left.at, fence) &&
		    strspn(line.at, "`") == fence)
			break;
		if (gap > 0) {
			left = behind;
			base = behind;
		}
		/* members of a signature may be from behind what follows it */
		if (gap == 0 && !words_are_there(line, &left) &&
		    !words_are_there(line, &base) &&
		    !imports_are_there(line, file))
			fail(check, "a signature that the file does not have",
			     header->name);
		skip(check, line.nr);
		expect(check, "\n", header->name);
	}
	skip(check, fence);
	expect(check, "\n", header->name);
}

/* A fence must not be within the content, wherever a line of it begins. */
static void
check_fence(struct check *check, struct bytes section, size_t fence,
	    const char *name)
{
	size_t run = 0;

	for (size_t i = 0; i < section.nr; i++) {
		run = section.at[i] == '`' ? run + 1 : 0;
		if (run >= fence)
			fail(check, "the content can end its fence", name);
	}
}

static void
check_reference(struct check *check, const struct header *header,
		struct bytes file)
{
	struct bytes other;
	bool earlier = false;

	for (size_t i = 0; i < check->found.nr && !earlier; i++)
		earlier = check->found.at[i].full &&
			  strcmp(check->found.at[i].name, header->same_as) == 0;
	if (!earlier || !map_file(header->same_as, &other))
		fail(check, "a reference to what is not there", header->name);
	if (other.nr != file.nr || memcmp(other.at, file.at, file.nr) != 0)
		fail(check, "a reference to other content", header->name);
	unmap_file(other);
	check->same_nr++;
}

/* The section of a file with content, converted as its header says. */
static void
check_content(struct check *check, const struct header *header,
	      struct bytes file)
{
	struct bytes body = check->left;
	struct bytes text = file;
	size_t fence = 0;

	while (fence < body.nr && body.at[fence] == '`')
		fence++;
	if (header->charset[0] != '\0') {
		if (is_plain_text(file))
			fail(check, "it was UTF-8 before", header->name);
		text = convert(check, file, header);
	}
	if (header->signatures && check->all)
		fail(check, "signatures of what is to be whole", header->name);
	if (header->signatures)
		compare_signatures(check, header, text);
	else
		compare_section(check, header, text);
	if (check->all)
		check_fence(check, text, fence, header->name);
}

static void
check_section(struct check *check)
{
	struct header header = parse_header(check);
	struct bytes file;
	struct entry *entry;

	if (!map_file(header.name, &file))
		fail(check, "no such file", header.name);
	if (header.empty && file.nr > 0)
		fail(check, "it is not empty", header.name);
	if (header.empty)
		check->empty_nr++;
	else if (header.same_as != NULL)
		check_reference(check, &header, file);
	else
		check_content(check, &header, file);
	expect(check, "\n", header.name);
	entry = add(&check->found, header.name);
	/* of one that was repaired its text does not tell the bytes */
	entry->full = header.same_as == NULL && !header.empty &&
		      !header.signatures &&
		      strncmp(header.charset, "invalid", 7) != 0;
	entry->size = file.nr;
	entry->hash = hash_of(file);
	free(header.same_as);
	unmap_file(file);
}

/* ---- the tree ---- */

static bool
is_text(const char *name)
{
	struct bytes file;
	bool text;

	if (!map_file(name, &file))
		return false;
	text = is_plain_text(file);
	unmap_file(file);
	return text;
}

static struct entries
list_tree(char *const *roots, const struct stat *output)
{
	struct entries entries = { 0 };
	FTS *fts = fts_open(roots, FTS_PHYSICAL | FTS_NOCHDIR, NULL);
	const FTSENT *node;

	if (fts == NULL)
		abort();
	while ((node = fts_read(fts)) != NULL) {
		const char *name = node->fts_path;

		if (node->fts_info == FTS_D &&
		    strcmp(node->fts_name, ".git") == 0)
			fts_set(fts, (FTSENT *)(uintptr_t)node, FTS_SKIP);
		if (node->fts_info != FTS_F ||
		    (node->fts_statp->st_ino == output->st_ino &&
		     node->fts_statp->st_dev == output->st_dev))
			continue;
		while (strncmp(name, "./", 2) == 0)
			name += 2;
		add(&entries, strdup(name))->must = is_text(node->fts_path);
	}
	fts_close(fts);
	return entries;
}

static void
check_names(struct check *check)
{
	qsort(check->found.at, check->found.nr, sizeof(struct entry), by_name);
	for (size_t i = 1; i < check->found.nr; i++)
		if (by_name(&check->found.at[i - 1], &check->found.at[i]) == 0)
			fail(check, "it is there twice",
			     check->found.at[i].name);
}

static void
check_complete(struct check *check, struct entries tree)
{
	size_t t = 0;
	size_t f = 0;

	qsort(tree.at, tree.nr, sizeof(struct entry), by_name);
	while (t < tree.nr || f < check->found.nr) {
		int order = 1;

		if (f == check->found.nr)
			order = -1;
		else if (t < tree.nr)
			order = by_name(&tree.at[t], &check->found.at[f]);
		if (order < 0 && tree.at[t].must)
			fail(check, "it is missing", tree.at[t].name);
		if (order > 0)
			fail(check, "it should not be there",
			     check->found.at[f].name);
		t++;
		f += order == 0;
	}
}

static void
check_duplicates(struct check *check)
{
	const struct entry *before = NULL;

	qsort(check->found.at, check->found.nr, sizeof(struct entry),
	      by_content);
	for (size_t i = 0; i < check->found.nr; i++) {
		const struct entry *entry = &check->found.at[i];

		if (!entry->full)
			continue;
		if (before != NULL && by_content(before, entry) == 0)
			fail(check, "it is not told to be a duplicate",
			     entry->name);
		before = entry;
	}
}

/* Files come in the order of their paths, byte by byte, within a root. */
static void
check_order(struct check *check, size_t root_nr)
{
	for (size_t i = 1; root_nr == 1 && i < check->found.nr; i++) {
		const struct entry *before = &check->found.at[i - 1];
		const struct entry *it = &check->found.at[i];

		if (by_name(before, it) >= 0)
			fail(check, "it is out of order", it->name);
	}
}

/* How many files there were, with hashes; nothing stands behind it here. */
static void
check_end(struct check *check)
{
	char end[80];

	if (check->left.nr == 0)
		return;
	snprintf(end, sizeof(end), "## End of files: %zu\n\n", check->found.nr);
	expect(check, end, NULL);
	if (check->left.nr > 0)
		fail(check, "something behind the end", NULL);
}

/* What it says of itself: two or three lines, and an empty one. */
static void
skip_preamble(struct check *check)
{
	static const char word[] = "Packed by bale: ";

	if (!begins(check->left, word, strlen(word)))
		return;
	for (unsigned nr = 0; line_of(check->left).nr > 0; nr++) {
		if (nr == 3)
			fail(check, "more than a preamble has", NULL);
		skip(check, line_of(check->left).nr + 1);
	}
	skip(check, 1);
	/* the tree of an overview: in a fence, lines that begin with a blank */
	if (begins(check->left, "## Directories\n", 15)) {
		skip(check, 16);
		while (line_of(check->left).nr > 0)
			skip(check, line_of(check->left).nr + 1);
		skip(check, 1);
	}
}

static int
check_output(char **args, int nr)
{
	struct check check = { .all = strcmp(args[0], "all") == 0 };
	struct stat st;

	if (stat(args[1], &st) != 0 || !map_file(args[1], &check.whole)) {
		printf("%s: %s\n", args[1], strerror(errno));
		return 1;
	}
	check.left = check.whole;
	skip_preamble(&check);
	while (check.left.nr > 0 && !begins(check.left, "## End of", 9))
		check_section(&check);
	check_end(&check);
	check_order(&check, (size_t)nr - 2);
	check_names(&check);
	if (check.all) {
		check_complete(&check, list_tree(args + 2, &st));
		check_duplicates(&check);
	}
	printf("files %zu same %llu empty %llu\n", check.found.nr,
	       (unsigned long long)check.same_nr,
	       (unsigned long long)check.empty_nr);
	return 0;
}

/* It ends when it has judged; what it holds goes with it: no leaks. */
int
__lsan_is_turned_off(void);

int
__lsan_is_turned_off(void)
{
	return 1;
}

int
main(int argc, char **argv)
{
	if (argc >= 5 && strcmp(argv[1], "check") == 0)
		return check_output(argv + 2, argc - 2);
	fprintf(stderr, "usage: tool_pack check all|budget OUTPUT ROOT...\n");
	return 2;
}
