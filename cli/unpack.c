/* SPDX-License-Identifier: MIT */
/*
 * unpack.c - what a sink of markup/read.h does with files.
 */
#include "cli/unpack.h"

#include <errno.h>
#include <search.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/charset.h"
#include "base/diag.h"
#include "base/fault.h"
#include "base/fd_io.h"
#include "base/utf8.h"
#include "base/windows1252.h"
#include "markup/markup.h"

#define PART_BYTES 4096
#define COPY_BYTES (64u << 10)
#define NAME_BYTES 1024

/*
 * The set of that name; CHARSET_NR: none is called so. *is_repaired: what was
 * no character in it has been replaced, so that there is no way back.
 */
static enum charset
charset_of_name(const char *name, bool *is_repaired)
{
	for (unsigned i = 0; i < 2 * CHARSET_NR; i++) {
		enum charset charset = (enum charset)(i / 2);
		const char *known = charset_text(charset, i % 2 == 1);

		*is_repaired = i % 2 == 1;
		if (known != NULL && strcmp(known, name) == 0)
			return charset;
	}
	return CHARSET_NR;
}

static void
put_unit(struct charset_back *back, uint8_t **to, uint32_t unit)
{
	bool big =
		back->to == CHARSET_UTF16_BE || back->to == CHARSET_UNMARKED_BE;

	*(*to)++ = (uint8_t)(big ? unit >> 8 : unit);
	*(*to)++ = (uint8_t)(big ? unit : unit >> 8);
}

static int
put_windows1252(uint8_t **to, uint32_t c)
{
	for (unsigned i = 0; i < ARRAY_LEN(western_high); i++) {
		if (western_high[i] == c && c != 0) {
			*(*to)++ = (uint8_t)(0x80 + i);
			return 0;
		}
	}
	if (c > 0xff || (c >= 0x80 && c < 0xa0 && western_high[c - 0x80] != 0))
		return -EILSEQ;
	*(*to)++ = (uint8_t)c;
	return 0;
}

static int
put_in_set(enum charset charset, uint8_t **to, uint32_t c)
{
	size_t nr;

	if (charset == CHARSET_CYRILLIC) {
		**to = charset_cyrillic_byte(c);
		nr = **to != 0 || c == 0;
	} else {
		nr = charset_bytes(
			(enum charset_pairs)(charset - CHARSET_GB18030), c,
			*to);
	}
	*to += nr;
	return nr > 0 ? 0 : -EILSEQ;
}

static int
put_character(struct charset_back *back, uint8_t **to, uint32_t c)
{
	if (back->to == CHARSET_WESTERN)
		return put_windows1252(to, c);
	if (back->to >= CHARSET_GB18030 && back->to <= CHARSET_CYRILLIC)
		return put_in_set(back->to, to, c);
	if (c < 0x10000) {
		put_unit(back, to, c);
	} else {
		put_unit(back, to, 0xd800 + ((c - 0x10000) >> 10));
		put_unit(back, to, 0xdc00 + (c & 0x3ff));
	}
	return 0;
}

/*
 * shape:  converts the next part, cut anywhere; UTF-16 begins with its mark
 * units:  `to` has room for 2 * (bytes + 4) + 2; *put of it are written
 * errors: -EILSEQ: no UTF-8, or a character that the set does not have
 */
static int
charset_back_run(struct charset_back *back, const uint8_t *from, size_t bytes,
		 uint8_t *to, size_t *put)
{
	const uint8_t *end = from + bytes;
	uint8_t *at = to;

	if (!back->begun &&
	    (back->to == CHARSET_UTF16_LE || back->to == CHARSET_UTF16_BE))
		put_unit(back, &at, 0xfeff);
	back->begun = true;
	while (from < end || back->held_nr > 0) {
		size_t held = back->held_nr;
		uint8_t window[4];
		size_t more = min_size(4 - held, (size_t)(end - from));
		uint32_t c = 0;
		size_t used;

		memcpy(window, back->held, held);
		memcpy(window + held, from, more);
		used = utf8_decode(window, held + more, &c);
		if (used == 0 && utf8_is_cut(window, window + held + more)) {
			memcpy(back->held, window, held + more);
			back->held_nr = (uint8_t)(held + more);
			break;
		}
		if (used <= held || put_character(back, &at, c) != 0)
			return -EILSEQ;
		from += used - held;
		back->held_nr = 0;
	}
	*put = (size_t)(at - to);
	return 0;
}

static int
by_name(const void *a, const void *b)
{
	return strcmp(a, b);
}

/* The file in work is not written: why, for the user. */
static void
give_up(struct unpack *unpack, enum unpack_state state, const char *why)
{
	if (unpack->state < state)
		diag_log(state == UNPACK_FAILED ? DIAG_ERROR : DIAG_WARN,
			 "%s: %s: not written", QUOTED(unpack->path), why);
	unpack->state = unpack->state > state ? unpack->state : state;
	unpack_file_drop(&unpack->file);
}

/* It cannot be. */
static void
refuse(struct unpack *unpack, const char *why)
{
	give_up(unpack, UNPACK_FAILED, why);
}

/* The same for an error of the system or of unpack_dir.h. */
static void
refuse_for(struct unpack *unpack, int error)
{
	static const char not_below[] =
		"a symbolic link or a file stands where a directory should be";
	static const struct {
		int error;
		const char *why;
	} rows[] = {
		{ -ELOOP, not_below },
		{ -ENOTDIR, not_below },
		{ -EKEYREJECTED,
		  "git would take its directory for a repository" },
		{ -EEXIST, "it is there already; --force replaces it" },
		{ -EISDIR, "a directory has that name" },
		{ -ENOTUNIQ, "on this file system it has the name of another "
			     "file of this output" },
	};
	const char *why = diag_errno(error);

	for (size_t i = 0; i < ARRAY_LEN(rows); i++)
		if (rows[i].error == error)
			why = rows[i].why;
	refuse(unpack, why);
}

/* It is not all there. */
static void
leave_out(struct unpack *unpack, const char *why)
{
	give_up(unpack, UNPACK_PARTIAL, why);
}

static void
count_file(struct unpack *unpack)
{
	unpack->partial_nr += unpack->state == UNPACK_PARTIAL;
	unpack->failed_nr += unpack->state == UNPACK_FAILED;
}

/* 0, or -E2BIG: no more may be written, of this file or another. */
static int
write_bytes(struct unpack *unpack, const uint8_t *bytes, size_t nr)
{
	int error;

	if (unpack->state != UNPACK_WRITES)
		return 0;
	if (nr > unpack->bytes_max - unpack->bytes)
		return -E2BIG;
	unpack->bytes += nr;
	error = fd_write_all(unpack->file.file.fd, bytes, nr);
	if (error != 0)
		refuse_for(unpack, error);
	return 0;
}

/* ---- references ---- */

static int
copy_bytes(struct unpack *unpack, int fd)
{
	static uint8_t bytes[COPY_BYTES];
	ssize_t got = 0;
	int error = 0;

	while (error == 0 && unpack->state == UNPACK_WRITES &&
	       (got = fd_read_some(fd, bytes, sizeof(bytes))) > 0)
		error = write_bytes(unpack, bytes, (size_t)got);
	if (got < 0)
		refuse_for(unpack, (int)got);
	return error;
}

/* The content of an earlier file of this run. */
static int
copy_same(struct unpack *unpack, const struct markup_file *file)
{
	char why[NAME_BYTES + 128];
	char *same = unpack_path_plain(file->same_as, file->same_as_bytes);
	int error = 0;
	int fd;

	if (same == NULL)
		return -ENOMEM;
	snprintf(why, sizeof(why),
		 "it is the same as %s, which was not written%s", QUOTED(same),
		 unpack->lacks_parts ? ": give all parts at once" : "");
	if (unpack_path_wrong(file->same_as, file->same_as_bytes) != NULL ||
	    tfind(same, &unpack->written, by_name) == NULL) {
		leave_out(unpack, why);
	} else {
		fd = unpack_file_open(unpack->dir, same);
		if (fd < 0)
			refuse_for(unpack, fd);
		else
			error = copy_bytes(unpack, fd);
		fd_close(fd);
	}
	free(same);
	return error;
}

/* ---- a file begins ---- */

static void
only_lines(struct unpack *unpack, const struct markup_file *file)
{
	char why[96];

	snprintf(why, sizeof(why), "only lines %ju-%ju of %ju",
		 file->line_first, file->line_last, file->line_nr);
	leave_out(unpack, why);
}

/* Whether what this output has of a file is all that is missing of it. */
static void
judge(struct unpack *unpack, const struct markup_file *file)
{
	bool continues = file->continued != MARKUP_STARTS;
	bool mid_line = file->continued == MARKUP_CONTINUED_MID;
	uint64_t first = 1;

	if (file->empty || file->same_as_bytes > 0)
		return;
	if (continues)
		first = unpack->line_last + !mid_line;
	unpack->has_signatures |= file->is_signatures;
	if (file->is_signatures)
		leave_out(unpack, "only its signatures");
	else if (file->is_stripped)
		leave_out(unpack, "without its comments (--strip-comments)");
	else if (file->line_first != first ||
		 (!file->goes_on && file->line_last != file->line_nr))
		only_lines(unpack, file);
	else if (continues && file->line_nr != unpack->line_nr)
		leave_out(unpack, "its parts disagree on the number of lines");
	else if (continues && mid_line != unpack->mid_line)
		leave_out(unpack, "a part of it does not begin where the one "
				  "before ends");
	else if (file->is_changed)
		leave_out(unpack, "some characters were escaped or removed");
	else if (strcmp(unpack->charset, file->charset) != 0)
		leave_out(unpack, "its parts are in different character sets");
}

/* The file in work is not gone on with. */
static void
give_up_rest(struct unpack *unpack)
{
	if (!unpack->goes_on)
		return;
	leave_out(unpack, "the rest is in a part that was not given");
	count_file(unpack);
	unpack->goes_on = false;
}

static int
create_file(struct unpack *unpack, const struct markup_file *file)
{
	int error =
		unpack_file_create(unpack->dir, unpack->path, &unpack->file);

	if (error != 0)
		refuse_for(unpack, error);
	else if (file->same_as_bytes > 0)
		return copy_same(unpack, file);
	return 0;
}

static void
warn_of_device(struct unpack *unpack, const struct markup_file *file)
{
	if (unpack->said_device ||
	    !unpack_path_is_device(file->path, file->path_bytes))
		return;
	unpack->said_device = true;
	diag_log(DIAG_WARN,
		 "%s: Windows takes such names for devices; here it is a file",
		 QUOTED(unpack->path));
}

static int
begin_new(struct unpack *unpack, const struct markup_file *file)
{
	const char *wrong = unpack_path_wrong(file->path, file->path_bytes);
	bool converts = file->charset[0] != '\0';
	bool is_repaired = false;

	free(unpack->path);
	unpack->path = unpack_path_plain(file->path, file->path_bytes);
	if (unpack->path == NULL)
		return -ENOMEM;
	unpack->state = UNPACK_WRITES;
	unpack->back = (struct charset_back){ 0 };
	memcpy(unpack->charset, file->charset, sizeof(unpack->charset));
	if (converts)
		unpack->back.to = charset_of_name(file->charset, &is_repaired);
	unpack->has_hash = false;
	sha256_init(&unpack->sha256);
	if (wrong != NULL)
		refuse(unpack, wrong);
	else if (tfind(unpack->path, &unpack->written, by_name) != NULL)
		refuse(unpack, "it is given twice");
	else if (converts && unpack->back.to == CHARSET_NR)
		refuse(unpack, "an unknown character set");
	else if (converts && unpack->back.to == CHARSET_WITH_SECRETS)
		leave_out(unpack, "its secrets were replaced (pack "
				  "--secrets=off packs them)");
	else if (converts && charset_elides(unpack->back.to))
		leave_out(unpack, "some of its content was left out (pack "
				  "--no-default-excludes packs all of it)");
	else if (is_repaired)
		leave_out(unpack,
			  unpack->back.to == CHARSET_UTF8
				  ? "bytes that are no UTF-8 were replaced "
				    "(pack --invalid-utf8 keep leaves them)"
				  : "what is no character was replaced");
	else if (file->continued != MARKUP_STARTS)
		leave_out(unpack,
			  "its beginning is in a part that was not given");
	else
		judge(unpack, file);
	if (unpack->state != UNPACK_WRITES)
		return 0;
	warn_of_device(unpack, file);
	return create_file(unpack, file);
}

/* The number of slashes that a path begins with. */
static size_t
path_slashes(const uint8_t *path, size_t nr)
{
	size_t slashes = 0;

	while (slashes < nr && path[slashes] == '/')
		slashes++;
	return slashes;
}

/* As tar does: what was packed by an absolute path comes below DIR, too. */
static struct markup_file
below_root(struct unpack *unpack, const struct markup_file *file)
{
	struct markup_file below = *file;

	below.path_bytes -= path_slashes(file->path, file->path_bytes);
	below.path += file->path_bytes - below.path_bytes;
	below.same_as_bytes -= path_slashes(file->same_as, file->same_as_bytes);
	below.same_as += file->same_as_bytes - below.same_as_bytes;
	if (below.path_bytes != file->path_bytes && !unpack->said_absolute)
		diag_log(DIAG_WARN, "stripping the leading / of paths");
	unpack->said_absolute |= below.path_bytes != file->path_bytes;
	return below;
}

/* Whether a piece is the next one of the file in work. */
static bool
is_gone_on_with(const struct unpack *unpack, const struct markup_file *file)
{
	char *path;
	bool is_same;

	if (!unpack->goes_on || file->continued == MARKUP_STARTS)
		return false;
	path = unpack_path_plain(file->path, file->path_bytes);
	is_same = path != NULL && strcmp(path, unpack->path) == 0;
	free(path);
	return is_same;
}

static int
begin_file(void *context, const struct markup_file *as_written)
{
	struct unpack *unpack = context;
	const struct markup_file below = below_root(unpack, as_written);
	const struct markup_file *file = &below;
	int error = 0;

	if (is_gone_on_with(unpack, file)) {
		judge(unpack, file);
	} else {
		give_up_rest(unpack);
		error = begin_new(unpack, file);
	}
	unpack->goes_on = file->goes_on;
	unpack->line_last = file->line_last;
	unpack->line_nr = file->line_nr;
	if (file->has_hash && unpack->has_hash && file->hash != unpack->hash)
		leave_out(unpack, "its parts have different hashes");
	if (file->has_hash && !unpack->has_hash) {
		unpack->has_hash = true;
		unpack->hash = file->hash;
	}
	return error;
}

/* ---- its content ---- */

static int
take_text(void *context, const uint8_t *text, size_t nr)
{
	struct unpack *unpack = context;
	uint8_t out[2 * (PART_BYTES + 4) + 2];
	int error = 0;

	if (unpack->state != UNPACK_WRITES)
		return 0;
	if (nr > 0)
		unpack->mid_line = text[nr - 1] != '\n';
	if (unpack->has_hash)
		sha256_add(&unpack->sha256, text, nr);
	if (unpack->charset[0] == '\0')
		return write_bytes(unpack, text, nr);
	while (nr > 0 && error == 0 && unpack->state == UNPACK_WRITES) {
		size_t part = min_size(nr, PART_BYTES);
		size_t put = 0;

		if (charset_back_run(&unpack->back, text, part, out, &put) != 0)
			refuse(unpack, "a character that its set does not "
				       "have");
		else
			error = write_bytes(unpack, out, put);
		text += part;
		nr -= part;
	}
	return error;
}

static int
take_gap(void *context)
{
	leave_out(context, "lines of it are left out");
	return 0;
}

static int
take_mismatch(void *context, const char *why)
{
	leave_out(context, why);
	return 0;
}

/* ---- a file ends ---- */

static bool
has_other_hash(struct unpack *unpack)
{
	uint8_t digest[SHA256_BYTES];

	if (!unpack->has_hash)
		return false;
	sha256_end(&unpack->sha256, digest);
	return markup_hash(digest) != unpack->hash;
}

/* What only the end of a content can tell. */
static void
judge_content(struct unpack *unpack)
{
	if (unpack->state != UNPACK_WRITES)
		return;
	if (has_other_hash(unpack))
		leave_out(unpack, "its text is not what was packed: it has "
				  "another hash");
	else if (unpack->back.held_nr > 0)
		refuse(unpack, "it ends within a character");
}

static int
end_file(void *context)
{
	struct unpack *unpack = context;
	int error = 0;

	FAULT("unpacked");
	if (unpack->goes_on)
		return 0;
	judge_content(unpack);
	if (unpack->state == UNPACK_WRITES)
		error = unpack_file_commit(unpack->dir, &unpack->file,
					   unpack->force);
	if (error != 0)
		refuse_for(unpack, error);
	count_file(unpack);
	if (unpack->state != UNPACK_WRITES)
		return 0;
	unpack->written_nr++;
	if (tsearch(unpack->path, &unpack->written, by_name) == NULL)
		return -ENOMEM;
	unpack->path = NULL; /* the tree keeps it, to the end */
	return 0;
}

/* ---- all of it ---- */

void
unpack_init(struct unpack *unpack, struct unpack_dir *dir)
{
	*unpack = (struct unpack){
		.dir = dir,
		.bytes_max = UINT64_MAX,
		.file = UNPACK_FILE_NONE,
	};
}

int
unpack_read(struct unpack *unpack, const uint8_t *bytes, size_t nr,
	    struct markup_error *error)
{
	const struct markup_sink sink = {
		.context = unpack,
		.file = begin_file,
		.text = take_text,
		.gap = take_gap,
		.mismatch = take_mismatch,
		.end = end_file,
	};
	enum markup_kind kind;
	int result = markup_detect(bytes, nr, &kind);

	*error = (struct markup_error){ 1, "not an output of bale pack" };
	if (result != 0)
		return result;
	result = markup_read(kind, bytes, nr, &sink, error);
	if (result != 0) {
		/* what was in work is not whole, and has no end */
		unpack_file_drop(&unpack->file);
		unpack->goes_on = false;
	}
	return result;
}

void
unpack_fini(struct unpack *unpack)
{
	give_up_rest(unpack);
	unpack_file_drop(&unpack->file);
	free(unpack->path);
	tdestroy(unpack->written, free);
	unpack->path = NULL;
	unpack->written = NULL;
}
