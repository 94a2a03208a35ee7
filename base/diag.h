/* SPDX-License-Identifier: MIT */
/*
 * diag.h - what bale says to people: log lines, and last words.
 *
 * Does: one line, one write(2), shorter than PIPE_BUF, escaped, so that no
 *       name can inject a line or a control sequence; panic slots.
 * Does not: use stdio; write content of a file, ever.
 * Runs in: the supervisor and the worker files.
 */
#ifndef BASE_DIAG_H
#define BASE_DIAG_H

#include "base/base.h"

#define DIAG_LINE_MAX 2048 /* bytes, newline included; PIPE_BUF is 4096 */

enum diag_level { DIAG_ERROR = 0, DIAG_WARN, DIAG_INFO, DIAG_DEBUG };

/*
 * shape:  sets up the process's log
 * units:  fd: where lines go; json: one JSON object a line
 * owner:  run_id is copied; it stands in every JSON line
 * calls:  the supervisor, once; forked workers inherit it
 */
void
diag_init(int fd, enum diag_level level, bool json, const char *run_id);

/* The run_id given to diag_init(). */
const char *
diag_run_id(void);

/* Lines are for people from now on: whoever reads them has a form of its own. */
void
diag_in_words(void);

/* Sets the first word of each line: "bale", or a stage and its number. */
void
diag_set_name(const char *name);

/* Whether messages of this level are written. */
bool
diag_is_on(enum diag_level level);

/* Called with the formatted text of a warning. */
typedef void
diag_keep_fn(const char *text);

/*
 * shape:  from now on warnings are given to `keep` as well, whatever level is
 *         logged; NULL: no longer
 * calls:  the supervisor; a forked worker turns it off
 */
void
diag_keep_warnings(diag_keep_fn *keep);

/*
 * shape:  one line "bale: text"; format as printf(3), what comes from a
 *         repository is given through diag_quote() first
 */
void
diag_log(enum diag_level level, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* Logs an error and exits with `code`. */
_Noreturn void
diag_fatal(int code, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/*
 * shape:  a name as people and terminals may see it: unchanged if it is
 *         printable UTF-8 without quote, backslash, control, bidi or
 *         zero-width characters; else in double quotes with C escapes
 * owner:  writes at most `size` bytes to `out`, NUL included; a longer name
 *         ends in "..."
 */
const char *
diag_quote(char *out, size_t size, const uint8_t *name, size_t bytes);

/* The same for a text that ends with a NUL. */
const char *
diag_quote_text(char *out, size_t size, const char *text);

#define DIAG_QUOTED_BYTES 1024

/* The same in memory of its own, valid until the end of the block. */
#define QUOTED(text) \
	diag_quote_text((char[DIAG_QUOTED_BYTES]){ 0 }, DIAG_QUOTED_BYTES, text)

/*
 * shape:  as strerror(3); of -ENOMEM, -EFBIG and -EMFILE, where the process has a
 *         limit that causes them, that limit and what to do about it
 * units:  error: an errno, negative or not
 * owner:  this unit, until the next call
 */
const char *
diag_errno(int error);

/*
 * shape:  where base_assert_failed() leaves its words
 * owner:  `slot` lies in the arena and outlives the process
 */
void
diag_set_panic_slot(char *slot, size_t bytes);

#endif
