/* SPDX-License-Identifier: MIT */
/*
 * read_json.c - our JSON and JSON lines read back.
 *
 * Does: any layout and any order of keys. An object is gone through twice:
 *       once for what it says of a file, then for the texts of its chunks,
 *       which go on to the sink as they are read.
 */
#include <errno.h>
#include <string.h>

#include "base/ascii.h"
#include "base/utf8.h"
#include "markup/reader.h"

#define DEPTH_MAX 64
#define KEY_BYTES 32
#define PART_BYTES 4096 /* of a string, told together */

/* Where the bytes of a string go. */
struct target {
	int (*put)(struct markup_reader *reader, struct target *target,
		   const uint8_t *bytes, size_t nr);
	uint8_t *to;
	size_t room;
	size_t nr;
};

/* A sign, and blanks before it; what is not there takes nothing. */
static bool
take_sign(struct markup_reader *reader, const char *sign)
{
	const uint8_t *from = reader->at;

	markup_skip_blanks(reader);
	if (markup_take(reader, sign))
		return true;
	reader->at = from;
	return false;
}

static int
put_memory(struct markup_reader *reader, struct target *target,
	   const uint8_t *bytes, size_t nr)
{
	if (nr > target->room - target->nr)
		return markup_fail(reader, "a string that is too long");
	memcpy(target->to + target->nr, bytes, nr);
	target->nr += nr;
	return 0;
}

static int
put_text(struct markup_reader *reader, struct target *target,
	 const uint8_t *bytes, size_t nr)
{
	(void)target;
	return markup_emit_text(reader, bytes, nr);
}

static int
put_nowhere(struct markup_reader *reader, struct target *target,
	    const uint8_t *bytes, size_t nr)
{
	(void)reader;
	(void)target;
	(void)bytes;
	(void)nr;
	return 0;
}

/* Four hexadecimal digits; -1: they are none. */
static int32_t
take_hex(struct markup_reader *reader)
{
	int32_t value = 0;

	if (reader->end - reader->at < 4)
		return -1;
	for (int i = 0; i < 4; i++) {
		uint8_t c = reader->at[i];
		int digit = c >= '0' && c <= '9'   ? c - '0'
			    : c >= 'a' && c <= 'f' ? c - 'a' + 10
			    : c >= 'A' && c <= 'F' ? c - 'A' + 10
						   : -1;

		if (digit < 0)
			return -1;
		value = value << 4 | digit;
	}
	reader->at += 4;
	return value;
}

/* Behind "\u": bytes; 0: malformed. A lone U+DC80 to U+DCFF is a byte. */
static size_t
take_unit(struct markup_reader *reader, char bytes[4])
{
	int32_t unit = take_hex(reader);
	int32_t low;

	if (unit >= 0xdc80 && unit <= 0xdcff) {
		bytes[0] = (char)unit;
		return 1;
	}
	if (unit < 0 || (unit >= 0xdc00 && unit < 0xe000))
		return 0;
	if (unit < 0xd800 || unit >= 0xe000)
		return utf8_put(bytes, (uint32_t)unit);
	if (!markup_take(reader, "\\u"))
		return 0;
	low = take_hex(reader);
	if (low < 0xdc00 || low >= 0xe000)
		return 0;
	return utf8_put(bytes, 0x10000u + ((uint32_t)(unit - 0xd800) << 10) +
				       (uint32_t)(low - 0xdc00));
}

/* Behind a backslash: bytes; 0: malformed. */
static size_t
take_escape(struct markup_reader *reader, char bytes[4])
{
	static const char letters[] = "bfnrt\"\\/";
	static const char meant[] = "\b\f\n\r\t\"\\/";
	const char *letter;

	if (reader->at == reader->end)
		return 0;
	if (*reader->at == 'u') {
		reader->at++;
		return take_unit(reader, bytes);
	}
	letter = *reader->at == 0 ? NULL : strchr(letters, *reader->at);
	if (letter == NULL)
		return 0;
	reader->at++;
	bytes[0] = meant[letter - letters];
	return 1;
}

/* A string, whose bytes go to the target. */
static int
take_string(struct markup_reader *reader, struct target *target)
{
	uint8_t part[PART_BYTES + 4];
	size_t nr = 0;
	int result = 0;

	if (!take_sign(reader, "\""))
		return markup_fail(reader, "no string");
	while (result == 0 && !markup_take(reader, "\"")) {
		if (reader->at == reader->end || *reader->at < 0x20)
			return markup_fail(reader, "a string without end");
		if (*reader->at == '\\') {
			size_t got;

			reader->at++;
			got = take_escape(reader, (char *)part + nr);
			if (got == 0)
				return markup_fail(reader,
						   "an escape of no kind");
			nr += got;
		} else {
			part[nr++] = *reader->at++;
		}
		if (nr >= PART_BYTES) {
			result = target->put(reader, target, part, nr);
			nr = 0;
		}
	}
	return result == 0 && nr > 0 ? target->put(reader, target, part, nr)
				     : result;
}

/* As much of a key as matters: none of ours is longer. */
static int
put_key(struct markup_reader *reader, struct target *target,
	const uint8_t *bytes, size_t nr)
{
	(void)reader;
	/* what is longer, or holds a NUL, is a key that we do not know */
	if (nr > target->room - target->nr || memchr(bytes, '\0', nr) != NULL)
		target->room = target->nr = 0;
	memcpy(target->to + target->nr, bytes, min_size(nr, target->room));
	target->nr += min_size(nr, target->room);
	return 0;
}

static int
take_key(struct markup_reader *reader, char key[KEY_BYTES])
{
	struct target target = { .put = put_key,
				 .to = (uint8_t *)key,
				 .room = KEY_BYTES - 1 };
	int result = take_string(reader, &target);

	key[target.nr] = '\0';
	if (result == 0 && !take_sign(reader, ":"))
		result = markup_fail(reader, "no colon");
	return result;
}

static int
skip_string(struct markup_reader *reader)
{
	struct target target = { .put = put_nowhere };

	return take_string(reader, &target);
}

static size_t
skip_digits(struct markup_reader *reader)
{
	const uint8_t *from = reader->at;

	while (reader->at < reader->end && ascii_is_digit(*reader->at))
		reader->at++;
	return (size_t)(reader->at - from);
}

static int
skip_number(struct markup_reader *reader)
{
	bool good;

	markup_take(reader, "-");
	good = markup_take(reader, "0") || skip_digits(reader) > 0;
	if (good && markup_take(reader, "."))
		good = skip_digits(reader) > 0;
	if (good && (markup_take(reader, "e") || markup_take(reader, "E"))) {
		if (!markup_take(reader, "+"))
			markup_take(reader, "-");
		good = skip_digits(reader) > 0;
	}
	return good ? 0 : markup_fail(reader, "a value of no kind");
}

static int
skip_value(struct markup_reader *reader, unsigned depth);

/* Members or items, behind the sign that opens them. */
static int
skip_all(struct markup_reader *reader, bool members, unsigned depth)
{
	const char *end = members ? "}" : "]";
	int result = 0;

	if (depth >= DEPTH_MAX)
		return markup_fail(reader, "too deep");
	if (take_sign(reader, end))
		return 0;
	do {
		if (members)
			result = skip_string(reader);
		if (result == 0 && members && !take_sign(reader, ":"))
			result = markup_fail(reader, "no colon");
		if (result == 0)
			result = skip_value(reader, depth + 1);
	} while (result == 0 && take_sign(reader, ","));
	if (result == 0 && !take_sign(reader, end))
		result = markup_fail(reader, "a value without end");
	return result;
}

/* Any value, of no interest. */
static int
skip_value(struct markup_reader *reader, unsigned depth)
{
	markup_skip_blanks(reader);
	if (reader->at == reader->end)
		return markup_fail(reader, "a value without end");
	if (*reader->at == '"')
		return skip_string(reader);
	if (markup_take(reader, "{"))
		return skip_all(reader, true, depth);
	if (markup_take(reader, "["))
		return skip_all(reader, false, depth);
	if (markup_take(reader, "true") || markup_take(reader, "false") ||
	    markup_take(reader, "null"))
		return 0;
	return skip_number(reader);
}

/* Whether what comes next says that something is not so. */
static bool
is_denied(struct markup_reader *reader)
{
	const uint8_t *from = reader->at;
	bool denied = take_sign(reader, "false") || take_sign(reader, "null");

	reader->at = from;
	return denied;
}

typedef int
member_fn(struct markup_reader *reader, const char *key);

/* An object, a call for the value of each member. */
static int
take_object(struct markup_reader *reader, member_fn *member)
{
	char key[KEY_BYTES];
	int result = 0;

	if (!take_sign(reader, "{"))
		return markup_fail(reader, "no object");
	if (take_sign(reader, "}"))
		return 0;
	do {
		result = take_key(reader, key);
		if (result == 0)
			result = member(reader, key);
	} while (result == 0 && take_sign(reader, ","));
	if (result == 0 && !take_sign(reader, "}"))
		result = markup_fail(reader, "an object without end");
	return result;
}

typedef int
item_fn(struct markup_reader *reader);

static int
take_array(struct markup_reader *reader, item_fn *item)
{
	int result = 0;

	if (!take_sign(reader, "["))
		return markup_fail(reader, "no array");
	if (take_sign(reader, "]"))
		return 0;
	do
		result = item(reader);
	while (result == 0 && take_sign(reader, ","));
	if (result == 0 && !take_sign(reader, "]"))
		result = markup_fail(reader, "an array without end");
	return result;
}

static int
take_number(struct markup_reader *reader, uint64_t *number)
{
	markup_skip_blanks(reader);
	return markup_take_number(reader, number)
		       ? 0
		       : markup_fail(reader, "no number");
}

/* "[1,50]"; *first 0: it has not been there before */
static int
take_range(struct markup_reader *reader, uint64_t *first, uint64_t *last)
{
	int result = 0;

	if (!take_sign(reader, "["))
		return markup_fail(reader, "no lines");
	result = take_number(reader, first);
	if (result == 0 && !take_sign(reader, ","))
		return markup_fail(reader, "no lines");
	if (result == 0)
		result = take_number(reader, last);
	if (result == 0 &&
	    (!take_sign(reader, "]") || *first == 0 || *last < *first))
		return markup_fail(reader, "no lines");
	return result;
}

/* Keys that we know, of each kind of object; a bit each, by its place. */
static const char *const file_keys[] = {
	"path",        "same_as",   "from",       "lines",
	"of",          "hash",      "chunks",     "empty",
	"goes_on",     "continued", "escaped",    "signatures_of",
	"removed",     "numbered",  "without",    "end",
	"language",    "in_part",   "characters", "also",
	"also_others", NULL,
};
static const char *const chunk_keys[] = { "line", "text", "gap", "broken",
					  NULL };
static const char *const top_keys[] = { "files", "part", "of", "end", NULL };

/* Bits of these. */
#define HAS_PATH 1u
#define HAS_END (1u << 15)
#define HAS_PART 6u

/* -EBADMSG: the object has had this key; two of it would mean anything. */
static int
take_once(struct markup_reader *reader, const char *key,
	  const char *const *known)
{
	return markup_note_key(reader, key, known)
		       ? 0
		       : markup_fail(reader, "a key that is given twice");
}

static int
take_chunk_member(struct markup_reader *reader, const char *key)
{
	struct target text = { .put = put_text };
	uint64_t first = 0;
	uint64_t last = 0;
	int result = take_once(reader, key, chunk_keys);

	if (result != 0)
		return result;
	if (strcmp(key, "text") == 0)
		return take_string(reader, &text);
	if (strcmp(key, "line") == 0) {
		result = take_number(reader, &first);
		if (result == 0 && first != reader->chunk_line)
			markup_mismatch(
				reader,
				"a chunk says line %llu, and is of %llu",
				(unsigned long long)first,
				(unsigned long long)reader->chunk_line);
		return result;
	}
	if (strcmp(key, "gap") == 0) {
		result = take_range(reader, &first, &last);
		return result == 0 ? markup_emit_gap(reader, first, last)
				   : result;
	}
	if (reader->has_unknown)
		markup_mismatch(reader, "a chunk has a word that this version "
					"does not know");
	result = skip_value(reader, 0);
	if (result == 0 && strcmp(key, "broken") == 0)
		result = markup_emit_gap(reader, 0, 0);
	return result;
}

static int
take_chunk(struct markup_reader *reader)
{
	reader->keys = 0;
	reader->chunk_line = reader->line;
	return take_object(reader, take_chunk_member);
}

static int
take_hash(struct markup_reader *reader)
{
	const uint8_t *from;

	markup_skip_blanks(reader);
	from = reader->at;
	if (markup_take_hash(reader))
		return 0;
	return markup_fail(reader, reader->at == from ? "no number"
						      : "a hash of no kind");
}

static int
take_continued(struct markup_reader *reader)
{
	reader->file.continued = MARKUP_CONTINUED;
	if (take_sign(reader, "true"))
		return 0;
	reader->file.continued = MARKUP_CONTINUED_MID;
	return take_sign(reader, "\"within-line\"")
		       ? 0
		       : markup_fail(reader, "continued in no way");
}

/* A string of a file into its memory. */
static int
take_name(struct markup_reader *reader, void *to, size_t room, size_t *nr)
{
	struct target target = { .put = put_memory, .to = to, .room = room };
	int result = take_string(reader, &target);

	*nr = target.nr;
	return result;
}

static int
take_file_member(struct markup_reader *reader, const char *key)
{
	struct markup_file *file = &reader->file;
	size_t nr;
	int result = take_once(reader, key, file_keys);

	if (result != 0)
		return result;
	if (strcmp(key, "path") == 0)
		return take_name(reader, reader->path, MARKUP_PATH_BYTES_MAX,
				 &file->path_bytes);
	if (is_denied(reader))
		return skip_value(reader, 0);
	if (strcmp(key, "same_as") == 0)
		return take_name(reader, reader->same_as, MARKUP_PATH_BYTES_MAX,
				 &file->same_as_bytes);
	if (strcmp(key, "from") == 0)
		return take_name(reader, file->charset,
				 sizeof(file->charset) - 1, &nr);
	if (strcmp(key, "lines") == 0)
		return take_range(reader, &file->line_first, &file->line_last);
	if (strcmp(key, "of") == 0) {
		file->has_line_nr = true;
		return take_number(reader, &file->line_nr);
	}
	if (strcmp(key, "hash") == 0)
		return take_hash(reader);
	if (strcmp(key, "end") == 0)
		return take_number(reader, &reader->number);
	if (strcmp(key, "continued") == 0)
		return take_continued(reader);
	if (strcmp(key, "chunks") == 0) {
		markup_skip_blanks(reader);
		reader->chunks = reader->at;
		return skip_value(reader, 0);
	}
	markup_set_word(reader, key);
	return skip_value(reader, 0);
}

/* The texts, when all is known of the file; goes back to its end. */
static int
take_chunks(struct markup_reader *reader)
{
	const uint8_t *end = reader->at;
	int result;

	if (reader->chunks == NULL)
		return 0;
	reader->at = reader->chunks;
	result = take_array(reader, take_chunk);
	if (result == 0)
		reader->at = end;
	return result;
}

/* Whether an object of JSON lines says anything that only a file has. */
static bool
is_of_file(const struct markup_reader *reader)
{
	return (reader->keys & HAS_PATH) != 0 || reader->chunks != NULL ||
	       reader->file.line_first > 0 || reader->file.same_as_bytes > 0 ||
	       reader->file.empty;
}

/* needs_path: an object without one is a mistake, not of another kind */
static int
take_file_object(struct markup_reader *reader, bool needs_path)
{
	int result;

	markup_begin_file(reader);
	result = take_object(reader, take_file_member);
	if (result != 0)
		return result;
	if (!needs_path && !is_of_file(reader))
		return reader->keys & HAS_END
			       ? markup_take_end(reader, reader->number)
			       : 0;
	if (reader->has_end && !needs_path)
		return markup_fail(reader, "a file behind the end");
	if ((reader->chunks == NULL) != (reader->file.line_first == 0))
		return markup_fail(reader, "a file of no kind");
	result = markup_emit_file(reader);
	if (result == 0)
		result = take_chunks(reader);
	return result == 0 ? markup_emit_end(reader) : result;
}

static int
take_file(struct markup_reader *reader)
{
	return take_file_object(reader, true);
}

static int
take_document_member(struct markup_reader *reader, const char *key)
{
	int result = take_once(reader, key, top_keys);
	uint32_t keys = reader->keys;
	uint64_t nr;

	if (result != 0)
		return result;
	if (strcmp(key, "end") == 0) {
		result = take_number(reader, &nr);
		return result == 0 ? markup_take_end(reader, nr) : result;
	}
	if (strcmp(key, "files") != 0)
		return skip_value(reader, 0);
	result = take_array(reader, take_file);
	reader->keys = keys;
	return result;
}

int
markup_read_json(struct markup_reader *reader, bool lines)
{
	int result = 0;

	if (!lines) {
		result = take_object(reader, take_document_member);
		markup_skip_blanks(reader);
		if (result == 0 && reader->at < reader->end)
			result = markup_fail(reader, "text behind the end");
		return result;
	}
	markup_skip_blanks(reader);
	while (result == 0 && reader->at < reader->end) {
		result = take_file_object(reader, false);
		if (result == 0)
			markup_skip_blanks(reader);
	}
	return result;
}

/* ---- what stands at the start ---- */

static int
look_for_kind(struct markup_reader *reader, const char *key)
{
	/* both end the search */
	if (strcmp(key, "files") == 0)
		return -EEXIST;
	if (strcmp(key, "path") == 0)
		return -ENOENT;
	reader->keys |= strcmp(key, "bale") == 0;
	return skip_value(reader, 0);
}

int
markup_json_kind(struct markup_reader *reader, enum markup_kind *kind)
{
	int result = take_object(reader, look_for_kind);

	*kind = result == -EEXIST ? MARKUP_JSON : MARKUP_JSONL;
	return result == -EEXIST || result == -ENOENT || reader->keys != 0
		       ? 0
		       : -EBADMSG;
}

static int
take_part_member(struct markup_reader *reader, const char *key)
{
	struct markup_part *part = &reader->part;
	int result = take_once(reader, key, top_keys);

	/* a file of JSON lines has an "of", which is another */
	if (strcmp(key, "path") == 0)
		return -ENOENT;
	if (result == 0 && strcmp(key, "part") == 0)
		result = take_number(reader, &part->number);
	else if (result == 0 && strcmp(key, "of") == 0)
		result = take_number(reader, &part->nr);
	else
		return result == 0 ? skip_value(reader, 0) : result;
	if (result != 0)
		return -EPROTO;
	/* both, as we write them: nothing behind has to be looked at */
	return (reader->keys & HAS_PART) == HAS_PART ? -EEXIST : 0;
}

int
markup_part_json(struct markup_reader *reader)
{
	struct markup_part part;
	int result = take_object(reader, take_part_member);

	part = reader->part;
	reader->part = (struct markup_part){ 0, 0 };
	if (result == -EPROTO)
		return markup_fail(reader, "a part of no kind");
	/* what is broken elsewhere is found when it is read */
	if (result == -ENOENT || (reader->keys & HAS_PART) == 0)
		return 0;
	return markup_set_part(reader, part.number, part.nr);
}
