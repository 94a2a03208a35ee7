/* SPDX-License-Identifier: MIT */
/*
 * manifest.c - names of parts, and the JSON that lists them.
 */
#include "supervisor/manifest.h"

#include <errno.h>
#include <fcntl.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/array.h"
#include "supervisor/output.h"
#include "base/emit.h"
#include "base/fd_io.h"

#define SUFFIX ".manifest.json"
#define PARTS_MAX 1000000000ull   /* as many as have names */
#define FILE_BYTES_MAX (4u << 20) /* some 30,000 parts, parsed as JSON */
#define LINE_BYTES 32768          /* the longest path, all of it escaped */
#define DIGITS_MIN 3
#define DIGITS_MAX 9

/* ---- names --------------------------------------------------------------- */

static int
digits_of(uint64_t nr)
{
	int digits = 1;

	while (nr >= 10) {
		nr /= 10;
		digits++;
	}
	return digits < DIGITS_MIN ? DIGITS_MIN : digits;
}

/* Where the number of a part goes: before the ending, .zst not counted. */
static size_t
stem_bytes(const char *name)
{
	const char *base = basename(name);
	const char *end = name + strlen(name);
	const char *dot = NULL;

	if (output_is_zstd(base))
		end -= strlen(".zst");
	for (const char *at = base + 1; at < end; at++)
		if (*at == '.')
			dot = at;
	return (size_t)((dot == NULL ? end : dot) - name);
}

char *
manifest_part_name(const char *name, uint64_t number, uint64_t nr)
{
	size_t stem = stem_bytes(name);
	char *out;

	if (asprintf(&out, "%.*s-%0*llu%s", (int)stem, name, digits_of(nr),
		     (unsigned long long)number, name + stem) < 0)
		return NULL;
	return out;
}

bool
manifest_is_part_name(const char *name, const char *file)
{
	size_t stem = stem_bytes(name);
	const char *ending = name + stem;
	size_t digits;

	if (strncmp(file, name, stem) != 0 || file[stem] != '-')
		return false;
	file += stem + 1;
	digits = strspn(file, "0123456789");
	return digits >= DIGITS_MIN && digits <= DIGITS_MAX &&
	       strcmp(file + digits, ending) == 0;
}

uint64_t
manifest_part_number(const char *name, const char *file, uint64_t nr)
{
	const char *digits = file + stem_bytes(name) + 1;
	uint64_t number;

	if (!manifest_is_part_name(name, file) ||
	    strspn(digits, "0123456789") != (size_t)digits_of(nr))
		return 0;
	number = strtoull(digits, NULL, 10);
	return number <= nr ? number : 0;
}

char *
manifest_name(const char *name)
{
	char *out;

	return asprintf(&out, "%s" SUFFIX, name) < 0 ? NULL : out;
}

char *
manifest_owner(const char *file)
{
	size_t nr = strlen(file);
	size_t suffix = strlen(SUFFIX);

	if (nr <= suffix || strcmp(file + nr - suffix, SUFFIX) != 0)
		return NULL;
	return strndup(file, nr - suffix);
}

char *
manifest_output_name(const char *part)
{
	size_t stem = stem_bytes(part);
	size_t end = stem;
	char *name;

	/* "-001" is the end of its stem */
	while (end > 0 && part[end - 1] >= '0' && part[end - 1] <= '9')
		end--;
	if (end < 2 || part[end - 1] != '-' || part[end - 2] == '/' ||
	    stem - end < DIGITS_MIN || stem - end > DIGITS_MAX)
		return NULL;
	if (asprintf(&name, "%.*s%s", (int)end - 1, part, part + stem) < 0)
		return NULL;
	return name;
}

/* ---- writing ------------------------------------------------------------- */

int
manifest_init(struct manifest *manifest, uint64_t nr)
{
	*manifest = (struct manifest){ 0 };
	manifest->parts = calloc(nr, sizeof(*manifest->parts));
	if (manifest->parts == NULL)
		return -ENOMEM;
	manifest->nr = nr;
	return 0;
}

void
manifest_fini(struct manifest *manifest)
{
	free(manifest->parts);
	*manifest = (struct manifest){ 0 };
}

static int
write_part(struct emitter *out, const struct manifest *manifest, uint64_t i,
	   const char *name)
{
	const struct manifest_part *part = &manifest->parts[i];
	char *file = manifest_part_name(name, i + 1, manifest->nr);

	if (file == NULL)
		return -ENOMEM;
	emit_begin(out, NULL, '{');
	emit_text(out, "file", file);
	emit_u64(out, "bytes", part->bytes);
	emit_u64(out, "tokens", part->tokens);
	emit_hex(out, "sha256", part->sha256, SHA256_BYTES);
	emit_end(out, '}');
	free(file);
	return 0;
}

int
manifest_write(const struct manifest *manifest, const char *name,
	       const char *encoding, int fd)
{
	struct emitter out;
	int error = 0;

	emit_init(&out, fd);
	emit_begin(&out, NULL, '{');
	emit_u64(&out, "bale_manifest", MANIFEST_VERSION);
	emit_text(&out, "encoding", encoding);
	emit_begin(&out, "parts", '[');
	for (uint64_t i = 0; i < manifest->nr && error == 0; i++)
		error = write_part(&out, manifest, i, name);
	emit_end(&out, ']');
	emit_end(&out, '}');
	emit_end(&out, '\n');
	return error != 0 ? error : emit_finish(&out);
}

/* ---- reading ------------------------------------------------------------- */

/*
 * Line by line, in the form that manifest_write() gives it and no other: so it
 * takes no memory to speak of, however many parts there are.
 */

static bool
read_first_line(const char *line)
{
	const char want[] = "{\"bale_manifest\":1,";
	const char end[] = "\"parts\":[\n";
	size_t nr = strlen(line);

	return strncmp(line, want, sizeof(want) - 1) == 0 &&
	       nr >= sizeof(end) - 1 &&
	       strcmp(line + nr - (sizeof(end) - 1), end) == 0;
}

/* Lower-case hexadecimal digits; false: they are none. */
static bool
read_sha256(const char *hex, uint8_t out[static SHA256_BYTES])
{
	if (strspn(hex, "0123456789abcdef") != 2 * (size_t)SHA256_BYTES)
		return false;
	for (size_t i = 0; i < SHA256_BYTES; i++) {
		unsigned byte;

		if (sscanf(hex + 2 * i, "%2x", &byte) != 1)
			return false;
		out[i] = (uint8_t)byte;
	}
	return true;
}

static int
add_part(struct manifest *manifest, const struct manifest_part *part)
{
	if (manifest->nr >= PARTS_MAX)
		return -EPROTO;
	if (ARRAY_RESERVE(manifest->parts, manifest->room, manifest->nr + 1) !=
	    0)
		return -ENOMEM;
	manifest->parts[manifest->nr++] = *part;
	return 0;
}

static int
take_part(struct manifest *manifest, json_t *object)
{
	struct manifest_part part;
	const char *hex;
	json_int_t bytes;
	json_int_t tokens;

	if (json_unpack(object, "{s:I, s:I, s:s}", "bytes", &bytes, "tokens",
			&tokens, "sha256", &hex) != 0 ||
	    bytes < 0 || tokens < 0 || !read_sha256(hex, part.sha256))
		return -EPROTO;
	part.bytes = (uint64_t)bytes;
	part.tokens = (uint64_t)tokens;
	return add_part(manifest, &part);
}

/* One part and nothing else; *is_last: the end is behind it. */
static int
read_part_line(struct manifest *manifest, const char *line, bool *is_last)
{
	const char *end = strrchr(line, '}');
	json_t *object;
	int error;

	*is_last = end != NULL && strcmp(end, "}\n") == 0 && end > line + 1 &&
		   end[-1] == ']';
	if (*is_last)
		end -= 2;
	if (end == NULL || (!*is_last && strcmp(end, "},\n") != 0))
		return -EPROTO;
	object = json_loadb(line, (size_t)(end + 1 - line),
			    JSON_REJECT_DUPLICATES, NULL);
	error = json_is_string(json_object_get(object, "file"))
			? take_part(manifest, object)
			: -EPROTO;
	json_decref(object);
	return error;
}

static int
read_lines(struct manifest *manifest, FILE *file)
{
	char line[LINE_BYTES];
	bool is_whole = false;
	int error = 0;

	if (fgets(line, sizeof(line), file) == NULL || !read_first_line(line))
		return -EPROTO;
	while (error == 0 && !is_whole &&
	       fgets(line, sizeof(line), file) != NULL)
		error = read_part_line(manifest, line, &is_whole);
	if (error == 0 && (!is_whole || fgetc(file) != EOF))
		error = -EPROTO;
	return error;
}

static int
open_regular_file(int dir_fd, const char *file, struct stat *st)
{
	int fd = openat(dir_fd, file,
			O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	int error = 0;

	if (fd < 0)
		return -errno;
	if (fstat(fd, st) != 0)
		error = -errno;
	else if (!S_ISREG(st->st_mode))
		error = -EPROTO;
	if (error == 0)
		return fd;
	close(fd);
	return error;
}

int
manifest_read(struct manifest *manifest, int dir_fd, const char *file)
{
	struct stat st;
	int fd = open_regular_file(dir_fd, file, &st);
	FILE *stream = fd < 0 ? NULL : fdopen(fd, "r");
	int error;

	*manifest = (struct manifest){ 0 };
	if (fd < 0)
		return fd;
	if (stream == NULL) {
		close(fd);
		return -ENOMEM;
	}
	error = read_lines(manifest, stream);
	fclose(stream);
	return error;
}

/* What manifest_read() refuses is parsed as JSON, which takes a multiple of it
 * in memory. */

static int
take_all(struct manifest *manifest, json_t *root)
{
	json_t *parts = json_object_get(root, "parts");
	json_int_t version;
	int error = 0;

	if (json_unpack(root, "{s:I}", "bale_manifest", &version) != 0 ||
	    version != MANIFEST_VERSION || json_array_size(parts) == 0)
		return -EPROTO;
	for (size_t i = 0; i < json_array_size(parts) && error == 0; i++)
		error = take_part(manifest, json_array_get(parts, i));
	return error;
}

static int
parse(struct manifest *manifest, const char *text, size_t bytes)
{
	json_t *root = json_loadb(text, bytes, JSON_REJECT_DUPLICATES, NULL);
	int error = root == NULL ? -EPROTO : take_all(manifest, root);

	json_decref(root);
	return error;
}

int
manifest_read_any(struct manifest *manifest, int dir_fd, const char *file)
{
	struct stat st;
	int error = manifest_read(manifest, dir_fd, file);
	size_t bytes;
	char *text;
	int fd;

	if (error != -EPROTO)
		return error;
	manifest_fini(manifest);
	fd = open_regular_file(dir_fd, file, &st);
	if (fd < 0)
		return fd;
	error = fd_read_regular(fd, FILE_BYTES_MAX, &text, &bytes);
	close(fd);
	if (error != 0)
		return error;
	error = parse(manifest, text, bytes);
	free(text);
	return error;
}

int
manifest_hash(int fd, struct manifest_part *out)
{
	int64_t bytes = output_sha256(fd, 0, UINT64_MAX, out->sha256);

	out->bytes = bytes < 0 ? 0 : (uint64_t)bytes;
	return bytes < 0 ? (int)bytes : 0;
}

bool
manifest_matches(const struct manifest_part *part, int dir_fd, const char *file)
{
	struct manifest_part there;
	struct stat st;
	int fd = open_regular_file(dir_fd, file, &st);
	bool is_same;

	if (fd < 0)
		return false;
	is_same = (uint64_t)st.st_size == part->bytes &&
		  manifest_hash(fd, &there) == 0 &&
		  there.bytes == part->bytes &&
		  memcmp(there.sha256, part->sha256, SHA256_BYTES) == 0;
	close(fd);
	return is_same;
}
