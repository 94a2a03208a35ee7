/* SPDX-License-Identifier: MIT */
/*
 * broker.c - requests and answers through a pair of sockets.
 */
#include "window/broker.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/diag.h"
#include "base/fd_io.h"
#include "base/child_process.h"
#include "window/child.h"
#include "window/outside.h"
#include "window/store.h"

#define BYTES_MAX (512ull << 20) /* of a request or an answer */

enum op { OP_OPEN = 0, OP_READ, OP_REPLACE, OP_CLOSE, OP_APPEND, OP_RUN };

/* What is asked for; bytes of text follow. */
struct request {
	uint32_t op;
	uint32_t number; /* OPEN: whether there is a text; RUN: which command */
	uint64_t time_ms;
	uint64_t output_max_bytes;
	uint64_t bytes;
};

/* What came of it; bytes of text follow. */
struct answer {
	int32_t result; /* 0, -errno; RUN: enum child_end */
	int32_t detail;
	uint64_t bytes;
};

/* Where the parent's half lies; pid 0: there is no broker. */
static struct {
	pid_t pid;
	int fd; /* requests go there, answers come from there */
	struct helper process;
	const struct broker_names *names;
} broker;

/* ---- both sides ---------------------------------------------------------- */

static int
read_exactly(int fd, void *to, size_t bytes)
{
	char *at = to;

	while (bytes > 0) {
		ssize_t got = fd_read_some(fd, at, bytes);

		if (got <= 0)
			return got == 0 || got == -ECONNRESET ? -EPIPE
							      : (int)got;
		at += got;
		bytes -= (size_t)got;
	}
	return 0;
}

/* A text with a NUL behind it; NULL in *text if it could not be read. */
static int
read_text(int fd, uint64_t bytes, char **text)
{
	int error;

	*text = bytes > BYTES_MAX ? NULL : malloc(bytes + 1);
	if (*text == NULL)
		return -ENOMEM;
	error = read_exactly(fd, *text, bytes);
	(*text)[error == 0 ? bytes : 0] = '\0';
	if (error != 0) {
		free(*text);
		*text = NULL;
	}
	return error;
}

/* ---- the broker's side --------------------------------------------------- */

struct serving {
	const struct broker_names *names;
	struct store store;
	int fd;
};

static int
answer(const struct serving *serving, int result, int detail, const char *text,
       size_t bytes)
{
	const struct answer head = { result, detail, bytes };
	int error = fd_write_all(serving->fd, &head, sizeof(head));

	return error == 0 && bytes > 0 ? fd_write_all(serving->fd, text, bytes)
				       : error;
}

/* With the sentence of an error. */
static int
answer_store(const struct serving *serving, int result,
	     const struct window_error *error)
{
	return answer(serving, result, 0, error->text,
		      result == 0 ? 0 : strlen(error->text));
}

static int
serve_open(struct serving *serving, const struct request *request,
	   const char *initial)
{
	struct window_error error = { .text = "" };
	int result;

	if (serving->names->store == NULL || serving->store.fd >= 0)
		return answer(serving, -EPROTO, 0, NULL, 0);
	result = store_open(&serving->store, serving->names->store,
			    request->number != 0 ? initial : NULL,
			    request->time_ms, &error);
	return answer_store(serving, result, &error);
}

static int
serve_read(struct serving *serving)
{
	struct window_error error = { .text = "" };
	char *text = NULL;
	size_t bytes = 0;
	int result = store_read(&serving->store, &text, &bytes, &error);

	if (result == 0)
		result = answer(serving, 0, 0, text, bytes);
	else
		result = answer_store(serving, result, &error);
	free(text);
	return result;
}

static int
serve_replace(struct serving *serving, const char *text, size_t bytes)
{
	struct window_error error = { .text = "" };
	int result = serving->store.fd < 0 ? -EPROTO
					   : store_replace(&serving->store,
							   text, bytes, &error);

	return answer_store(serving, result, &error);
}

/* Each line by one write(2). */
static int
append(const char *path, const char *text, size_t bytes)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
	int error = fd < 0 ? -errno : 0;

	while (error == 0 && bytes > 0) {
		const char *end = memchr(text, '\n', bytes);
		size_t line = end == NULL ? bytes : (size_t)(end - text) + 1;
		ssize_t written = write(fd, text, line);

		if (written != (ssize_t)line)
			error = written < 0 ? -errno : -ENOSPC;
		text += line;
		bytes -= line;
	}
	fd_close(fd);
	return error;
}

static int
serve_run(const struct serving *serving, const struct request *request,
	  const char *input)
{
	struct child_spec spec = {
		.input = input,
		.input_bytes = request->bytes,
		.time_limit_ms = request->time_ms,
		.output_max_bytes = request->output_max_bytes,
		.cancel_fd = serving->fd,
	};
	struct child_result result;
	int error;

	if (request->number < BROKER_COMMANDS_MAX)
		spec.command = serving->names->commands[request->number];
	if (spec.command == NULL)
		return answer(serving, CHILD_NOT_RUN, EPROTO, NULL, 0);
	child_run(&spec, &result);
	error = answer(serving, (int)result.end, result.detail, result.output,
		       result.end == CHILD_DONE ? result.output_bytes : 0);
	free(result.output);
	return error;
}

static int
serve_one(struct serving *serving, const struct request *request,
	  const char *text)
{
	const char *path = serving->names->append;

	switch (request->op) {
	case OP_OPEN:
		return serve_open(serving, request, text);
	case OP_READ:
		return serve_read(serving);
	case OP_REPLACE:
		return serve_replace(serving, text, request->bytes);
	case OP_CLOSE:
		store_close(&serving->store);
		return answer(serving, 0, 0, NULL, 0);
	case OP_APPEND:
		return answer(serving,
			      path == NULL ? -EPROTO
					   : append(path, text, request->bytes),
			      0, NULL, 0);
	case OP_RUN:
		return serve_run(serving, request, text);
	default:
		return -EPROTO;
	}
}

/* Until the parent ends, or says what makes no sense; or a signal ends it. */
static _Noreturn void
serve(const struct broker_names *names, int fd)
{
	struct serving serving = { names, STORE_NONE, fd };
	int null = open("/dev/null", O_RDWR | O_CLOEXEC);
	struct request request;

	prctl(PR_SET_NAME, "bale:broker");
	signal(SIGPIPE, SIG_IGN);
	/* whoever reads what the parent writes must see its end */
	dup2(null, STDIN_FILENO);
	dup2(null, STDOUT_FILENO);
	while (read_exactly(fd, &request, sizeof(request)) == 0) {
		char *text;
		int error = read_text(fd, request.bytes, &text);

		if (error == 0)
			error = serve_one(&serving, &request, text);
		free(text);
		if (error != 0)
			break;
	}
	store_close(&serving.store);
	_exit(0);
}

/* ---- the parent's side --------------------------------------------------- */

/* A broker that is no more is an error to be said, and no SIGPIPE. */
static int
send_request(const struct request *request, const char *text)
{
	const struct sigaction ignored = { .sa_handler = SIG_IGN };
	struct sigaction before;
	int error;

	sigaction(SIGPIPE, &ignored, &before);
	error = fd_write_all(broker.fd, request, sizeof(*request));
	if (error == 0 && request->bytes > 0)
		error = fd_write_all(broker.fd, text, request->bytes);
	sigaction(SIGPIPE, &before, NULL);
	return error;
}

/* Sends a request, and waits for the answer's head. */
static int
ask(const struct request *request, const char *text, struct answer *out)
{
	int error = send_request(request, text);

	return error == 0 ? read_exactly(broker.fd, out, sizeof(*out)) : error;
}

static int
fail_broker(struct window_error *error, int result)
{
	snprintf(error->text, sizeof(error->text),
		 "BALE-WIN-015 the process that opens and writes the file has "
		 "ended: %s; try again, or with --sandbox=off",
		 diag_errno(result));
	return result;
}

/* The same, with the sentence of an error or a text that is wanted. */
static int
ask_store(const struct request *request, const char *text, char **out,
	  size_t *out_bytes, struct window_error *error)
{
	struct answer head = { .result = 0 };
	char *got = NULL;
	int result = ask(request, text, &head);

	if (result == 0)
		result = read_text(broker.fd, head.bytes, &got);
	if (result != 0)
		return fail_broker(error, result);
	if (head.result != 0)
		snprintf(error->text, sizeof(error->text), "%s", got);
	if (head.result == 0 && out != NULL) {
		*out = got;
		*out_bytes = head.bytes;
	} else {
		free(got);
	}
	return head.result;
}

static int
open_outside(const char *initial, uint64_t wait_ms, struct window_error *error)
{
	const struct request request = {
		.op = OP_OPEN,
		.number = initial != NULL,
		.time_ms = wait_ms,
		.bytes = initial != NULL ? strlen(initial) : 0,
	};

	return ask_store(&request, initial, NULL, NULL, error);
}

static int
read_outside(char **text, size_t *bytes, struct window_error *error)
{
	const struct request request = { .op = OP_READ };

	return ask_store(&request, NULL, text, bytes, error);
}

static int
replace_outside(const char *text, size_t bytes, struct window_error *error)
{
	const struct request request = { .op = OP_REPLACE, .bytes = bytes };

	return ask_store(&request, text, NULL, NULL, error);
}

static void
close_outside(void)
{
	const struct request request = { .op = OP_CLOSE };
	struct window_error error;

	ask_store(&request, NULL, NULL, NULL, &error);
}

static void
run_outside(const struct child_spec *spec, struct child_result *out)
{
	struct request request = {
		.op = OP_RUN,
		.time_ms = spec->time_limit_ms,
		.output_max_bytes = spec->output_max_bytes,
		.bytes = spec->input_bytes,
	};
	struct answer head;
	int error;

	while (request.number < BROKER_COMMANDS_MAX &&
	       broker.names->commands[request.number] != spec->command)
		request.number++;
	*out = (struct child_result){ .end = CHILD_NOT_RUN, .detail = EPIPE };
	error = ask(&request, spec->input, &head);
	if (error == 0)
		error = read_text(broker.fd, head.bytes, &out->output);
	if (error == 0) {
		out->end = (enum child_end)head.result;
		out->detail = head.detail;
		out->output_bytes = head.bytes;
	}
	if (error == 0 && out->end != CHILD_DONE) {
		free(out->output);
		out->output = NULL;
	}
}

static const struct outside through_broker = {
	.open = open_outside,
	.read = read_outside,
	.replace = replace_outside,
	.close = close_outside,
	.run = run_outside,
};

static bool
has_names(const struct broker_names *names)
{
	bool any = (names->store != NULL && !names->reads_only) ||
		   names->append != NULL;

	for (size_t i = 0; i < BROKER_COMMANDS_MAX; i++)
		any |= names->commands[i] != NULL;
	return any;
}

int
broker_begin(const struct broker_names *names)
{
	int ends[2];
	pid_t pid;

	if (!has_names(names))
		return 0;
	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
		return -errno;
	pid = helper_fork(&broker.process, true);
	if (pid == 0) {
		close(ends[0]);
		serve(names, ends[1]);
	}
	close(ends[1]);
	if (pid < 0) {
		close(ends[0]);
		return pid;
	}
	broker.pid = pid;
	broker.fd = ends[0];
	broker.names = names;
	outside = &through_broker;
	return 0;
}

int
broker_append(const char *path, const char *text, size_t bytes)
{
	const struct request request = { .op = OP_APPEND, .bytes = bytes };
	struct answer head;
	int error;

	if (broker.pid == 0)
		return append(path, text, bytes);
	error = ask(&request, text, &head);
	return error != 0 ? error : head.result;
}

void
broker_end(void)
{
	int status;

	if (broker.pid == 0)
		return;
	close(broker.fd);
	helper_wait(&broker.process, &status);
}
