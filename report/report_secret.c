/* SPDX-License-Identifier: MIT */
/*
 * report_secret.c - where secrets were found, and by which rule.
 *
 * Invariants:
 * 1. Nothing says what a secret is.
 */
#include "report/render.h"

#include <stdio.h>
#include <string.h>

#include "base/diag.h"
#include "base/emit.h"
#include "catalogue/findings.h"
#include "secrets/secrets.h"

#define NAMED_MAX 20 /* findings, in messages */

/* The word for what was done. */
static const char *
action_text(uint8_t action)
{
	static const char *const texts[] = {
		[FINDING_REDACTED] = "redacted",
		[FINDING_EXCLUDED] = "excluded",
		[FINDING_WARNED] = "warned",
	};

	return action < ARRAY_LEN(texts) ? texts[action] : "";
}

/* Where it is, if not in a file; NULL. */
static const char *
text_of_git(const struct finding *finding)
{
	if (finding->file_idx == FINDING_IN_GIT_LOG)
		return "git-log";
	return finding->file_idx == FINDING_IN_GIT_DIFF ? "git-diff" : NULL;
}

static const struct finding *
finding_at(const struct report *report, uint64_t idx)
{
	return catalogue_finding(&report->run->catalogue, idx);
}

/* Whether a reader of the catalogue can name its file. */
static bool
is_known(const struct report *report, const struct finding *finding)
{
	return finding->file_idx < report->files_seen ||
	       text_of_git(finding) != NULL;
}

void
report_emit_secrets(const struct report *report, struct emitter *out)
{
	emit_begin(out, "secrets", '[');
	for (uint64_t i = 0; i < report->finding_nr; i++) {
		const struct finding *finding = finding_at(report, i);
		const char *in = text_of_git(finding);

		if (!is_known(report, finding))
			continue;
		emit_begin(out, NULL, '{');
		emit_text(out, "in", in == NULL ? "file" : in);
		if (in == NULL)
			report_emit_path(report, finding->file_idx, "path",
					 out);
		emit_u64(out, "line", finding->line);
		emit_text(out, "rule", secrets_rule_name(finding->rule));
		emit_text(out, "action", action_text(finding->action));
		emit_end(out, '}');
	}
	emit_end(out, ']');
	emit_u64(out, "secrets_left_out", report->findings_left_out);
}

/* A line on a finding. */
static void
log_one(const struct report *report, const struct finding *finding,
	enum diag_level level)
{
	char place[DIAG_QUOTED_BYTES];
	const char *in = text_of_git(finding);

	if (in == NULL)
		in = report_quote_place(report, finding->file_idx, place,
					sizeof(place));
	diag_log(level, "BALE-SEC-001 %s:%ju: a secret, by the rule %s", in,
		 (uintmax_t)finding->line, secrets_rule_name(finding->rule));
}

/* Those that would end a run with --secrets=fail, or all others. */
static uint64_t
log_some(const struct report *report, bool fails, enum diag_level level)
{
	uint64_t nr = 0;

	for (uint64_t i = 0; i < report->finding_nr; i++) {
		const struct finding *finding = finding_at(report, i);

		if (finding->action != FINDING_WARNED ||
		    !is_known(report, finding) ||
		    secrets_rule_warns(finding->rule) == fails)
			continue;
		if (nr++ < NAMED_MAX)
			log_one(report, finding, level);
	}
	if (nr > NAMED_MAX)
		diag_log(level,
			 "BALE-SEC-001 %ju more secrets; --report FILE lists "
			 "them",
			 (uintmax_t)(nr - NAMED_MAX));
	return nr;
}

bool
report_secrets_fail(const struct report *report)
{
	bool fails = report->run->job.secrets == SECRETS_FAIL;
	uint64_t nr = log_some(report, true, fails ? DIAG_ERROR : DIAG_WARN);

	log_some(report, false, DIAG_WARN);
	return fails && nr + report->findings_left_out > 0;
}

/* How many findings there are of an action; files: in how many files. */
static uint64_t
count(const struct report *report, uint8_t action, uint64_t *files)
{
	uint32_t last = FILE_NONE;
	uint64_t nr = 0;

	*files = 0;
	for (uint64_t i = 0; i < report->finding_nr; i++) {
		const struct finding *finding = finding_at(report, i);

		if (finding->action != action)
			continue;
		nr++;
		/* those of a file lie side by side */
		*files += finding->file_idx != last;
		last = finding->file_idx;
	}
	return nr;
}

/* ": 2 github-pat, 1 jwt": how many of an action are of each rule. */
static void
print_rules(const struct report *report, uint8_t action, FILE *out)
{
	const char *separator = ": ";

	for (uint32_t rule = 0; rule < secrets_rule_nr(); rule++) {
		uint64_t nr = 0;

		/* several rows of the table may be of one name */
		if (rule > 0 && strcmp(secrets_rule_name(rule - 1),
				       secrets_rule_name(rule)) == 0)
			continue;
		for (uint64_t i = 0; i < report->finding_nr; i++)
			nr += finding_at(report, i)->action == action &&
			      strcmp(secrets_rule_name(
					     finding_at(report, i)->rule),
				     secrets_rule_name(rule)) == 0;
		if (nr == 0)
			continue;
		fprintf(out, "%s%ju %s", separator, (uintmax_t)nr,
			secrets_rule_name(rule));
		separator = ", ";
	}
}

void
report_print_secrets(const struct report *report, FILE *out)
{
	for (uint8_t action = 0; action <= FINDING_WARNED; action++) {
		uint64_t files;
		uint64_t nr = count(report, action, &files);

		if (nr == 0)
			continue;
		fprintf(out, "secrets     %ju %s in %ju file%s", (uintmax_t)nr,
			action_text(action), (uintmax_t)files,
			files == 1 ? "" : "s");
		print_rules(report, action, out);
		fprintf(out, "\n");
	}
}
