/* SPDX-License-Identifier: MIT */
/*
 * fuzz_chunk_scan.c - any bytes in any language.
 *
 * Input: a language, a size of parts, then the text. The chunks joined are
 * the text, each but the last has its least size, unless the next line does not
 * fit it, and ends behind a newline;
 * definitions lie within the text, their lines are the lines of their bytes;
 * what is cut out of a text that comes in parts is the text as well.
 *
 * verifies: FR-016-47, FR-016-48, NFR-016-26, NFR-016-27
 */
#include <stdlib.h>
#include <string.h>

#include "lang/outline.h"
#include "stages/chunk/chunk_struct.h"
#include "tests/support/test_lang_whole.h"
#include "tests/support/test_cutter.h"

/* By the first byte of an input; new ones come behind the others. */
static const uint8_t langs[] = {
	LANG_NONE,       LANG_C,           LANG_CPP,        LANG_CUDA,
	LANG_OBJC,       LANG_CSHARP,      LANG_JAVA,       LANG_GROOVY,
	LANG_KOTLIN,     LANG_SCALA,       LANG_SWIFT,      LANG_GO,
	LANG_RUST,       LANG_ZIG,         LANG_JAVASCRIPT, LANG_JSX,
	LANG_TYPESCRIPT, LANG_TSX,         LANG_PHP,        LANG_DART,
	LANG_VALA,       LANG_SOLIDITY,    LANG_GLSL,       LANG_THRIFT,
	LANG_GRAPHQL,    LANG_PROTOBUF,    LANG_HCL,        LANG_R,
	LANG_PERL,       LANG_POWERSHELL,  LANG_AWK,        LANG_NIX,
	LANG_CSS,        LANG_SCSS,        LANG_LESS,       LANG_JSON,
	LANG_PYTHON,     LANG_CYTHON,      LANG_GDSCRIPT,   LANG_NIM,
	LANG_YAML,       LANG_HASKELL,     LANG_ELM,        LANG_PURESCRIPT,
	LANG_OCAML,      LANG_SML,         LANG_FSHARP,     LANG_ERLANG,
	LANG_PROLOG,     LANG_RUBY,        LANG_CRYSTAL,    LANG_LUA,
	LANG_JULIA,      LANG_ELIXIR,      LANG_SHELL,      LANG_FISH,
	LANG_CMAKE,      LANG_MARKDOWN,    LANG_MDX,        LANG_RST,
	LANG_ASCIIDOC,   LANG_ORG,         LANG_TOML,       LANG_INI,
	LANG_DOCKERFILE, LANG_MAKEFILE,    LANG_TEX,        LANG_SQL,
	LANG_CLOJURE,    LANG_COMMON_LISP, LANG_EMACS_LISP, LANG_SCHEME,
	LANG_RACKET,     LANG_HTML,        LANG_XML,        LANG_SVG,
	LANG_VUE,        LANG_SVELTE,      LANG_ASTRO,
};

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t bytes_nr);

#define CHECK(cond) ((cond) ? (void)0 : abort())

struct seen {
	const uint8_t *text;
	size_t nr;
	uint64_t comment_end;
};

static uint32_t
line_of(const struct seen *seen, uint64_t off)
{
	uint32_t line = 1;

	for (uint64_t i = 0; i < off; i++)
		line += seen->text[i] == '\n';
	return line;
}

static void
see_def(void *context, const struct lang_def *def)
{
	const struct seen *seen = context;

	CHECK(def->kind > LANG_KIND_NONE && def->kind < LANG_KIND_NR);
	CHECK(def->lead_off <= def->off && def->off <= def->end_off);
	CHECK(def->end_off <= seen->nr);
	CHECK(def->name_off + def->name_bytes <= seen->nr);
	CHECK(def->line >= 1);
	if (seen->nr < 4096)
		CHECK(def->line == line_of(seen, def->off));
}

static void
see_open(void *context, const struct lang_def *def)
{
	const struct seen *seen = context;

	CHECK(def->lead_off <= def->decl_off && def->decl_off <= def->off);
	CHECK(def->off <= def->body_off);
	CHECK(def->body_off <= seen->nr);
}

/* Pieces of the text, or a few bytes that were not in it. */
static void
see_piece(void *context, const uint8_t *text, size_t nr)
{
	size_t *sum = context;
	volatile uint8_t sink = text[0];

	(void)sink;
	sink = text[nr - 1];
	*sum += nr;
}

/* The same of lines that are numbered. */
struct numbered {
	uint64_t line_nr; /* of the text */
	bool in_line;
};

static void
see_numbered(void *context, const uint8_t *text, size_t nr)
{
	struct numbered *numbered = context;
	uint64_t line = 0;
	size_t at = 0;

	if (!numbered->in_line) {
		while (at < nr && text[at] >= '0' && text[at] <= '9')
			line = line * 10 + (uint64_t)(text[at++] - '0');
		CHECK(line >= 1 && line <= numbered->line_nr);
		CHECK(lang_has(text, at, nr, ": "));
	}
	numbered->in_line = text[nr - 1] != '\n';
}

static void
see_import(void *context, uint64_t off, uint32_t nr)
{
	const struct seen *seen = context;

	CHECK(off + nr <= seen->nr);
}

static void
see_comment(void *context, uint64_t off, uint64_t end)
{
	struct seen *seen = context;

	CHECK(off >= seen->comment_end && off <= end && end <= seen->nr);
	seen->comment_end = end;
}

/* Whether a line that begins at `at` ends within so many bytes. */
static bool
fits_behind(const uint8_t *text, size_t at, size_t nr, size_t bytes)
{
	return nr - at <= bytes || memchr(text + at, '\n', bytes) != NULL;
}

static void
cut_all(const uint8_t *text, size_t nr, uint32_t lang,
	const struct chunk_limits *limits)
{
	struct lang_text whole = { text, 0, nr, true };
	struct seen seen = { text, nr, 0 };
	struct lang_sink sink = { .open = see_open,
				  .def = see_def,
				  .declare = see_open,
				  .import = see_import,
				  .comment = see_comment,
				  .context = &seen };
	struct chunk_cutter *cutter = malloc(sizeof(*cutter));
	size_t sum = 0;
	size_t got;

	CHECK(cutter != NULL);
	chunk_cutter_init(cutter, lang, limits);
	while ((got = chunk_cutter_next(cutter, &whole, limits, &sink)) > 0) {
		sum += got;
		CHECK(sum <= nr && cutter->start == sum);
		CHECK(sum == nr || text[sum - 1] == '\n');
		CHECK(sum == nr || got >= limits->min_bytes ||
		      !fits_behind(text, sum, nr, limits->max_bytes - got));
		/* a short rest where no structure is known */
		if (lang == LANG_NONE && sum == nr &&
		    got <= limits->max_bytes + limits->max_bytes / 4)
			continue;
		CHECK(got <= limits->max_bytes ||
		      memchr(text + sum - got, '\n', got - 1) == NULL ||
		      memchr(text + sum - got + limits->max_bytes, '\n',
			     got - limits->max_bytes - 1) == NULL);
	}
	CHECK(sum == nr);
	free(cutter);
}

/* The same in parts: each part is a copy of its own, so that the sanitizer
 * sees who looks beyond. */
static void
cut_parts(const uint8_t *text, size_t nr, uint32_t lang,
	  const struct chunk_limits *limits, size_t part)
{
	struct chunk_cutter *cutter = malloc(sizeof(*cutter));
	size_t end = 0;

	CHECK(cutter != NULL);
	chunk_cutter_init(cutter, lang, limits);
	while (cutter->start < nr) {
		size_t start = (size_t)cutter->start;
		struct lang_text piece = { .off = start };
		uint8_t *copy;

		end = min_size(nr, end + part);
		copy = malloc(end - start + 1);
		CHECK(copy != NULL);
		memcpy(copy, text + start, end - start);
		piece.bytes = copy;
		piece.nr = end - start;
		piece.at_end = end == nr;
		while (chunk_cutter_next(cutter, &piece, limits, NULL) > 0) {
			size_t at = (size_t)cutter->start;

			CHECK(at <= end);
			CHECK(at == nr || text[at - 1] == '\n');
		}
		CHECK(end < nr || cutter->start == nr);
		free(copy);
	}
	free(cutter);
}

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t bytes_nr)
{
	struct chunk_limits limits;
	struct numbered numbered = { 0 };
	struct lang_maker maker = {
		.context = &numbered,
		.doc = true,
		.numbers = true,
		.line.line = 1,
	};
	uint32_t lang;
	size_t sum = 0;
	size_t part;

	if (bytes_nr < 2 || bytes_nr > 1u << 16)
		return 0;
	lang = langs[bytes[0] % ARRAY_LEN(langs)];
	part = (size_t)bytes[1] * 16 + 1;
	chunk_limits_init(&limits, 100, 10);
	cut_all(bytes + 2, bytes_nr - 2, lang, &limits);
	CHECK(lang_outline(lang, bytes + 2, bytes_nr - 2, true, see_piece,
			   &sum) == sum);
	maker.lang = lang;
	numbered.line_nr = 1 + lang_newlines(bytes + 2, bytes_nr - 2);
	lang_outline_of(maker, bytes + 2, bytes_nr - 2, see_numbered);
	sum = 0;
	CHECK(lang_strip(lang, bytes + 2, bytes_nr - 2, see_piece, &sum) ==
	      sum);
	CHECK(sum <= bytes_nr);
	cut_parts(bytes + 2, bytes_nr - 2, lang, &limits, part);
	return 0;
}
