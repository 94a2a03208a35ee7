/* SPDX-License-Identifier: MIT */
/*
 * config_apart.c - libyaml in a child; its parent looks at what it has left.
 */
#include "cli/config_apart.h"

#include <errno.h>
#include <stdio.h>

#include "supervisor/sandbox.h"
#include "base/exit_code.h"

/* What the child has to do. */
struct parse_ctx {
	const char *text;
	size_t bytes;
	struct config_entries *out;
};

/* calls: the child */
static int
parse(void *context)
{
	const struct parse_ctx *ctx = context;

	config_yaml_read(ctx->text, ctx->bytes, ctx->out);
	return EXIT_COMPLETE;
}

/* What the child has left, whatever that is; it has ended. */
static int
take_result(struct config_entries *out)
{
	if (out->result == 0 && config_entries_valid(out))
		return 0;
	out->nr = 0;
	out->fault.text[sizeof(out->fault.text) - 1] = '\0';
	if (out->result == -ENOMEM || out->result == -EBADMSG)
		return out->result;
	return -EPROTO;
}

int
config_yaml_read_apart(unsigned layers, const char *text, size_t bytes,
		       struct config_entries *out)
{
	struct parse_ctx ctx = { .text = text, .bytes = bytes, .out = out };
	const struct sandbox_child child = {
		.active = layers,
		.what = "the configuration file",
		.work = parse,
		.context = &ctx,
	};
	int error = -EPROTO;

	if (layers == 0)
		return config_yaml_read(text, bytes, out);
	if (sandbox_run_child(&child) == EXIT_COMPLETE)
		error = take_result(out);
	if (error != -EPROTO)
		return error;
	out->nr = 0;
	out->fault.place = (struct config_place){ .line = 0 };
	snprintf(out->fault.text, sizeof(out->fault.text),
		 "the process that parses it did not finish");
	return -EBADMSG;
}
