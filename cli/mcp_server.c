/* SPDX-License-Identifier: MIT */
/*
 * mcp_server.c - waits for lines and for calls, and writes answers.
 */
#include "cli/mcp.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/child_process.h"
#include "base/exit_code.h"
#include "base/fd_io.h"
#include "base/new_file.h"
#include "supervisor/progress.h"

#define READ_BYTES 65536
#define WAITING_MAX 1000 /* calls that have no process yet */
#define PACK_KEY "pack"  /* of a result that its process hands over */

/* Answers to messages that came as one array: 2025-03-26 knows such. */
struct batch {
	json_t *answers;
	size_t open; /* requests without an answer; and 1 while it is read */
};

/* A call that waits for a process. */
struct waiting {
	struct mcp_request request;
	struct batch *batch;
	struct waiting *next;
};

/* One that has it. */
struct running {
	struct helper helper;
	struct mcp_request request;
	struct batch *batch;
	int result_fd;
	int pack_fd;     /* of a pack; -1 */
	int progress_fd; /* of what its command says of itself; -1 */
	uint64_t progress;
	bool is_busy;
	bool is_cancelled;
};

static struct server {
	const struct mcp_scope *scope;
	struct mcp_packs packs;
	struct running running[MCP_CALLS_MAX];
	struct waiting *first;
	struct waiting **last;
	size_t waiting_nr;
	char *buffer;
	size_t used;
	size_t room;
	bool is_overlong; /* the line at hand is passed over */
	bool is_session;  /* after `initialize` */
	bool at_end;      /* of stdin */
	int write_error;  /* -errno; 0 */
} server;

/* ---- answers ------------------------------------------------------------ */

static void
send_message(json_t *message)
{
	char *text = json_dumps(message, MCP_JSON);
	size_t bytes = text == NULL ? 0 : strlen(text);

	json_decref(message);
	if (text == NULL)
		return;
	text[bytes] = '\n'; /* in the place of its NUL */
	if (server.write_error == 0)
		server.write_error =
			fd_write_all(STDOUT_FILENO, text, bytes + 1);
	server.at_end |= server.write_error != 0;
	free(text);
}

static void
close_batch(struct batch *batch)
{
	if (batch == NULL || --batch->open > 0)
		return;
	if (json_array_size(batch->answers) > 0)
		send_message(batch->answers);
	else
		json_decref(batch->answers);
	free(batch);
}

/* An answer, or NULL where there is to be none. */
static void
reply(json_t *answer, struct batch *batch)
{
	if (batch == NULL && answer != NULL)
		send_message(answer);
	else if (answer != NULL)
		json_array_append_new(batch->answers, answer);
	close_batch(batch);
}

/* ---- calls -------------------------------------------------------------- */

static uint64_t
tokens_of(const json_t *arguments)
{
	const json_t *wanted = json_object_get(arguments, "max_tokens");
	uint64_t most = server.scope->result_tokens;

	return wanted == NULL
		       ? most
		       : min_u64(most, (uint64_t)json_integer_value(wanted));
}

/* The tool that a request calls, or the resource that it reads. */
static enum mcp_tool
tool_of(const struct mcp_request *request)
{
	const char *name =
		json_string_value(json_object_get(request->params, "name"));

	if (strcmp(request->method, "resources/read") == 0)
		return MCP_RESOURCE;
	return name == NULL ? MCP_TOOL_NONE : mcp_tool_named(name);
}

/* The place of a pack that a request names; NULL: none. */
static const char *
place_of(const struct mcp_request *request)
{
	const json_t *arguments = json_object_get(request->params, "arguments");
	const char *uri =
		json_string_value(json_object_get(request->params, "uri"));

	if (tool_of(request) != MCP_RESOURCE)
		return json_string_value(json_object_get(arguments, "pack"));
	if (uri == NULL ||
	    strncmp(uri, MCP_PACK_URI, strlen(MCP_PACK_URI)) != 0)
		return NULL;
	return uri + strlen(MCP_PACK_URI);
}

/* In a process of its own: the result goes to the descriptor. */
static _Noreturn void
be_call(const struct running *slot, const struct mcp_request *request,
	int progress_fd)
{
	const json_t *arguments = json_object_get(request->params, "arguments");
	char pack_id[MCP_PACK_ID_BYTES] = "";
	const struct mcp_call call = {
		.scope = server.scope,
		.tool = tool_of(request),
		.arguments = arguments,
		.is_modern = request->is_modern,
		.tokens = tokens_of(arguments),
		.packs = &server.packs,
		.place = place_of(request),
		.pack_fd = slot->pack_fd,
		.pack_id = pack_id,
		.progress_fd = progress_fd,
	};
	int nothing = open("/dev/null", O_RDWR | O_CLOEXEC);
	json_t *result;
	char *text;
	int error = -ENOMEM;

	dup2(nothing, STDIN_FILENO);
	dup2(nothing, STDOUT_FILENO);
	result = mcp_call_run(&call);
	if (*pack_id != '\0')
		json_object_set_new(result, PACK_KEY, json_string(pack_id));
	text = json_dumps(result, MCP_JSON);
	if (text != NULL)
		error = fd_write_all(slot->result_fd, text, strlen(text));
	_exit(error == 0 ? EXIT_COMPLETE : EXIT_INTERNAL);
}

static struct running *
free_slot(void)
{
	for (size_t i = 0; i < MCP_CALLS_MAX; i++)
		if (!server.running[i].is_busy)
			return &server.running[i];
	return NULL;
}

/* Of a request that asks for progress; NULL: it does not. */
static const json_t *
progress_token(const struct mcp_request *request)
{
	const json_t *token = json_object_get(
		json_object_get(request->params, "_meta"), "progressToken");

	return json_is_string(token) || json_is_integer(token) ? token : NULL;
}

/* Says how far a call is; what is no progress since is not said. */
static void
send_progress(struct running *slot)
{
	struct progress_numbers numbers[32];
	ssize_t got = fd_read_some(slot->progress_fd, numbers, sizeof(numbers));
	const struct progress_numbers *last;
	json_t *params;

	if (got < (ssize_t)sizeof(numbers[0])) {
		close(slot->progress_fd);
		slot->progress_fd = -1;
		return;
	}
	last = &numbers[(size_t)got / sizeof(numbers[0]) - 1];
	if (slot->is_cancelled || last->files_done <= slot->progress)
		return;
	slot->progress = last->files_done;
	params = json_pack("{s:O, s:I}", "progressToken",
			   progress_token(&slot->request), "progress",
			   (json_int_t)last->files_done);
	if (last->files_total >= last->files_done)
		json_object_set_new(
			params, "total",
			json_integer((json_int_t)last->files_total));
	send_message(json_pack("{s:s, s:s, s:o}", "jsonrpc", "2.0", "method",
			       "notifications/progress", "params", params));
}

static void
start_call(struct running *slot, const struct waiting *waiting)
{
	const struct mcp_request *request = &waiting->request;
	int ends[2] = { -1, 0 };
	pid_t pid = -1;

	slot->result_fd = memfd_create("bale-mcp-result", MFD_CLOEXEC);
	slot->pack_fd =
		tool_of(request) == MCP_TOOL_PACK ? temp_file_open() : -1;
	if (progress_token(request) != NULL &&
	    pipe2(ends, O_CLOEXEC | O_NONBLOCK) != 0)
		ends[0] = -1; /* then nothing is said of it */
	slot->progress_fd = ends[0];
	if (slot->result_fd >= 0)
		pid = helper_fork(&slot->helper, false);
	if (pid == 0)
		be_call(slot, request, ends[1]);
	if (ends[0] >= 0)
		close(ends[1]);
	if (pid < 0) {
		close(slot->result_fd);
		close(slot->pack_fd);
		close(slot->progress_fd);
		reply(mcp_answer(request->id,
				 mcp_tool_error(request->is_modern,
						"there is no process for this "
						"call now")),
		      waiting->batch);
		json_decref(request->message);
		return;
	}
	slot->request = *request;
	slot->batch = waiting->batch;
	slot->progress = 0;
	slot->is_busy = true;
	slot->is_cancelled = false;
}

static void
start_waiting(void)
{
	struct running *slot;

	while (server.first != NULL && (slot = free_slot()) != NULL) {
		struct waiting *waiting = server.first;

		server.first = waiting->next;
		if (server.first == NULL)
			server.last = &server.first;
		server.waiting_nr--;
		start_call(slot, waiting);
		free(waiting);
	}
}

/* What the process of a call has left. */
static json_t *
result_of(const struct running *slot, int status)
{
	bool is_modern = slot->request.is_modern;
	json_t *result = NULL;
	char *text = NULL;
	size_t bytes;

	if (WIFSIGNALED(status))
		return mcp_tool_error(is_modern,
				      "the process of this call was killed by "
				      "signal %d",
				      WTERMSIG(status));
	if (WEXITSTATUS(status) == EXIT_COMPLETE &&
	    lseek(slot->result_fd, 0, SEEK_SET) == 0 &&
	    fd_read_all(slot->result_fd, MCP_RESULT_MAX, &text, &bytes) == 0)
		result = json_loadb(text, bytes, 0, NULL);
	free(text);
	if (json_is_object(result))
		return result;
	json_decref(result);
	return mcp_tool_error(is_modern, "the process of this call failed");
}

/* The answer of its result; what was packed is kept. */
static json_t *
answer_of(const struct running *slot, json_t *result)
{
	const struct mcp_request *request = &slot->request;
	const json_t *arguments = json_object_get(request->params, "arguments");
	json_t *answer;

	if (slot->pack_fd >= 0)
		mcp_packs_add(
			&server.packs,
			json_string_value(json_object_get(result, PACK_KEY)),
			slot->pack_fd,
			json_string_value(json_object_get(arguments, "query")));
	json_object_del(result, PACK_KEY);
	if (tool_of(request) != MCP_RESOURCE ||
	    json_object_get(result, "isError") == NULL)
		return mcp_answer(request->id, result);
	answer = mcp_error(
		request->id, MCP_INTERNAL_ERROR, "%s",
		json_string_value(json_object_get(
			json_array_get(json_object_get(result, "content"), 0),
			"text")));
	json_decref(result);
	return answer;
}

static void
end_call(struct running *slot)
{
	json_t *answer = NULL;
	int status = 0;

	helper_wait(&slot->helper, &status);
	if (!slot->is_cancelled)
		answer = answer_of(slot, result_of(slot, status));
	else
		close(slot->pack_fd);
	close(slot->result_fd);
	close(slot->progress_fd);
	slot->is_busy = false;
	reply(answer, slot->batch);
	json_decref(slot->request.message);
}

/* What is wrong with a call, as its answer; NULL: nothing. */
static json_t *
refusal_of(const struct mcp_request *request)
{
	const json_t *arguments = json_object_get(request->params, "arguments");
	const char *name =
		json_string_value(json_object_get(request->params, "name"));
	const char *place = place_of(request);
	enum mcp_tool tool = tool_of(request);
	uint64_t offset;
	char why[256];

	if (tool == MCP_RESOURCE)
		return place != NULL && mcp_packs_find(&server.packs, place,
						       &offset) != NULL
			       ? NULL
			       : mcp_error(request->id,
					   request->is_modern
						   ? MCP_INVALID_PARAMS
						   : MCP_NO_RESOURCE,
					   "Resource not found");
	if (tool == MCP_TOOL_NONE)
		return mcp_error(request->id, MCP_INVALID_PARAMS,
				 "Unknown tool: %s",
				 name == NULL ? "" : WORD_QUOTED(name));
	if (arguments != NULL && !json_is_object(arguments) &&
	    !json_is_null(arguments))
		return mcp_error(request->id, MCP_INVALID_PARAMS,
				 "arguments is not an object");
	if (mcp_tool_refuses(tool, arguments, why, sizeof(why)))
		return mcp_answer(
			request->id,
			mcp_tool_error(request->is_modern, "%s", why));
	return NULL;
}

/* Takes over the request. */
static void
begin_call(const struct mcp_request *request, struct batch *batch)
{
	json_t *params = json_object_get(request->message, "params");
	struct waiting *waiting = NULL;
	json_t *answer;

	mcp_tool_tidy(json_object_get(params, "arguments"));
	answer = refusal_of(request);
	if (answer == NULL && server.waiting_nr < WAITING_MAX)
		waiting = malloc(sizeof(*waiting));
	if (waiting != NULL) {
		*waiting =
			(struct waiting){ .request = *request, .batch = batch };
		*server.last = waiting;
		server.last = &waiting->next;
		server.waiting_nr++;
		return;
	}
	if (answer == NULL)
		answer = mcp_error(request->id, MCP_INTERNAL_ERROR,
				   "too many calls are waiting");
	reply(answer, batch);
	json_decref(request->message);
}

/* ---- cancellation ------------------------------------------------------- */

static void
drop_waiting(const json_t *id)
{
	for (struct waiting **at = &server.first; *at != NULL;
	     at = &(*at)->next) {
		struct waiting *it = *at;

		if (!json_equal(it->request.id, id))
			continue;
		*at = it->next;
		if (*at == NULL)
			server.last = at;
		server.waiting_nr--;
		reply(NULL, it->batch);
		json_decref(it->request.message);
		free(it);
		return;
	}
}

/* Ends the process of a call, and with it all that it has begun. */
static void
cancel(const json_t *id)
{
	if (id == NULL)
		return;
	for (size_t i = 0; i < MCP_CALLS_MAX; i++) {
		struct running *slot = &server.running[i];

		if (!slot->is_busy || !json_equal(slot->request.id, id))
			continue;
		slot->is_cancelled = true;
		kill(slot->helper.pid, SIGTERM);
		return;
	}
	drop_waiting(id);
}

/* ---- requests ----------------------------------------------------------- */

static json_t *
list_tools(bool is_modern)
{
	return mcp_tools_list(server.scope, is_modern);
}

/* To what asks for a list that is always the same, in one page. */
static json_t *
list_for(const struct mcp_request *request)
{
	static const struct {
		const char *method;
		json_t *(*list)(bool is_modern);
	} lists[] = {
		{ "tools/list", list_tools },
		{ "prompts/list", mcp_prompts_list },
		{ "resources/templates/list", mcp_packs_templates },
	};

	for (size_t i = 0; i < ARRAY_LEN(lists); i++) {
		if (strcmp(request->method, lists[i].method) != 0)
			continue;
		if (json_object_get(request->params, "cursor") != NULL)
			return mcp_error(
				request->id, MCP_INVALID_PARAMS,
				"Invalid cursor: the list is one page");
		return mcp_answer(request->id,
				  lists[i].list(request->is_modern));
	}
	return mcp_error(request->id, MCP_UNKNOWN_METHOD,
			 "Method not found: %s", WORD_QUOTED(request->method));
}

/* All but calls of tools, and what is read of packs. */
static json_t *
answer_to(const struct mcp_request *request)
{
	const char *method = request->method;

	if (strcmp(method, "server/discover") == 0)
		return mcp_answer(request->id, mcp_discover());
	if (!request->is_modern && strcmp(method, "initialize") == 0) {
		server.is_session = true;
		return mcp_initialize(request);
	}
	if (!request->is_modern && strcmp(method, "ping") == 0)
		return mcp_answer(request->id, json_object());
	if (strcmp(method, "prompts/get") == 0)
		return mcp_prompts_get(request);
	if (strcmp(method, "resources/list") == 0)
		return mcp_packs_list(&server.packs, request);
	return list_for(request);
}

/* Whether a request says, or a session has said, how it is to be understood. */
static bool
is_understood(const struct mcp_request *request)
{
	return request->is_modern || server.is_session ||
	       strcmp(request->method, "initialize") == 0 ||
	       strcmp(request->method, "ping") == 0;
}

static void
take_message(json_t *message, struct batch *batch)
{
	struct mcp_request request;
	json_t *answer = mcp_request_read(&request, message);

	if (answer == NULL && (request.method == NULL || request.id == NULL)) {
		if (request.method != NULL &&
		    strcmp(request.method, "notifications/cancelled") == 0)
			cancel(json_object_get(request.params, "requestId"));
		json_decref(message);
		return;
	}
	if (batch != NULL)
		batch->open++;
	if (answer == NULL && !is_understood(&request))
		answer = mcp_error(request.id, MCP_INVALID_REQUEST,
				   "a session begins with initialize; without "
				   "one, _meta says the protocol version");
	if (answer == NULL && (strcmp(request.method, "tools/call") == 0 ||
			       strcmp(request.method, "resources/read") == 0)) {
		begin_call(&request, batch);
		return;
	}
	if (answer == NULL)
		answer = answer_to(&request);
	reply(answer, batch);
	json_decref(message);
}

static void
take_batch(json_t *messages)
{
	struct batch *batch = calloc(1, sizeof(*batch));

	if (batch != NULL) {
		*batch = (struct batch){ .answers = json_array(), .open = 1 };
		for (size_t i = 0; i < json_array_size(messages); i++)
			take_message(json_incref(json_array_get(messages, i)),
				     batch);
		close_batch(batch);
	}
	json_decref(messages);
}

static void
take_line(char *line, size_t bytes)
{
	json_t *message = mcp_message_parse(line, bytes);

	if (message == NULL)
		send_message(
			mcp_error(NULL, MCP_PARSE_ERROR,
				  "Parse error: a line is not JSON, or has "
				  "too many values"));
	else if (json_is_array(message) && json_array_size(message) > 0)
		take_batch(message);
	else
		take_message(message, NULL);
}

/* ---- lines -------------------------------------------------------------- */

static bool
is_blank(const char *line, size_t bytes)
{
	while (bytes > 0 &&
	       (line[bytes - 1] == ' ' || line[bytes - 1] == '\r' ||
		line[bytes - 1] == '\t'))
		bytes--;
	return bytes == 0;
}

/* All lines that are whole. */
static void
take_lines(void)
{
	size_t at = 0;
	char *newline;

	while ((newline = memchr(server.buffer + at, '\n', server.used - at)) !=
	       NULL) {
		size_t bytes = (size_t)(newline - server.buffer) - at;

		if (!server.is_overlong && !is_blank(server.buffer + at, bytes))
			take_line(server.buffer + at, bytes);
		server.is_overlong = false;
		at += bytes + 1;
	}
	server.used -= at;
	memmove(server.buffer, server.buffer + at, server.used);
	if (server.used <= MCP_LINE_MAX)
		return;
	if (!server.is_overlong)
		send_message(mcp_error(NULL, MCP_PARSE_ERROR,
				       "Parse error: a line is too long"));
	server.is_overlong = true;
	server.used = 0;
}

static void
read_stdin(void)
{
	ssize_t got;

	if (ARRAY_RESERVE(server.buffer, server.room,
			  server.used + READ_BYTES) != 0) {
		server.at_end = true;
		return;
	}
	got = fd_read_some(STDIN_FILENO, server.buffer + server.used,
			   READ_BYTES);
	server.at_end = got <= 0;
	/* the last line may have no end */
	if (server.at_end && server.used > 0)
		server.buffer[server.used++] = '\n';
	else if (!server.at_end)
		server.used += (size_t)got;
	take_lines();
}

static bool
is_busy(void)
{
	for (size_t i = 0; i < MCP_CALLS_MAX; i++)
		if (server.running[i].is_busy)
			return true;
	return server.first != NULL;
}

static void
wait_and_serve(void)
{
	while (!server.at_end || is_busy()) {
		/* stdin; and of each call its process, and its progress */
		struct pollfd polled[1 + 2 * MCP_CALLS_MAX];

		polled[0].fd = server.at_end ? -1 : STDIN_FILENO;
		for (size_t i = 0; i < MCP_CALLS_MAX; i++) {
			const struct running *slot = &server.running[i];

			polled[1 + 2 * i].fd =
				slot->is_busy ? slot->helper.pidfd : -1;
			polled[2 + 2 * i].fd =
				slot->is_busy ? slot->progress_fd : -1;
		}
		for (size_t i = 0; i < ARRAY_LEN(polled); i++)
			polled[i].events = POLLIN;
		if (poll(polled, ARRAY_LEN(polled), -1) < 0 && errno != EINTR)
			return;
		for (size_t i = 0; i < MCP_CALLS_MAX; i++) {
			if (polled[2 + 2 * i].revents != 0)
				send_progress(&server.running[i]);
			if (polled[1 + 2 * i].revents != 0)
				end_call(&server.running[i]);
		}
		if (polled[0].revents != 0)
			read_stdin();
		start_waiting();
	}
}

int
mcp_serve(const struct mcp_scope *scope)
{
	json_object_seed(0);
	server.scope = scope;
	server.last = &server.first;
	wait_and_serve();
	free(server.buffer);
	mcp_packs_free(&server.packs);
	return server.write_error;
}
