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
#include "report/baseline.h"
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

/* What was done about a secret: with --secrets=fail all but those that are
 * known end the run. */
static uint8_t
action_of(const struct report *report, const struct finding *finding,
	  bool is_known)
{
	if (report->run->job.secrets == SECRETS_FAIL && !is_known)
		return FINDING_WARNED;
	return finding->action;
}

void
report_emit_secrets(const struct report *report, struct emitter *out)
{
	emit_begin(out, "secrets", '[');
	for (uint64_t i = 0; i < report->finding_nr; i++) {
		const struct finding *finding = report_finding(report, i);
		bool is_known;
		const char *in;

		if (finding == NULL)
			continue;
		is_known = baseline_has(report, finding);
		in = report_finding_in(finding);
		emit_begin(out, NULL, '{');
		emit_text(out, "in", in == NULL ? "file" : in);
		if (in == NULL)
			report_emit_path(report, finding->file_idx, "path",
					 out);
		emit_u64(out, "line", finding->line);
		emit_text(out, "rule", secrets_rule_name(finding->rule));
		emit_text(out, "action",
			  action_text(action_of(report, finding, is_known)));
		emit_bool(out, "known", is_known);
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
	const char *in = report_finding_in(finding);

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
		const struct finding *finding = report_finding(report, i);

		if (finding == NULL ||
		    action_of(report, finding, false) != FINDING_WARNED ||
		    secrets_rule_warns(finding->rule) == fails ||
		    baseline_has(report, finding))
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

/* What was found, and is not known, by action and rule. */
struct sums {
	uint64_t nr[FINDING_WARNED + 1];
	uint64_t files[FINDING_WARNED + 1]; /* that they are in */
	uint64_t rules[FINDING_WARNED + 1][SECRETS_RULES_MAX];
	uint64_t known;
};

/* The first row of the table with the name of a rule. */
static uint32_t
first_of_name(uint32_t rule)
{
	while (rule > 0 && strcmp(secrets_rule_name(rule - 1),
				  secrets_rule_name(rule)) == 0)
		rule--;
	return rule;
}

static void
sum_up(const struct report *report, struct sums *sums)
{
	uint32_t last[FINDING_WARNED + 1] = { FILE_NONE, FILE_NONE, FILE_NONE };

	*sums = (struct sums){ 0 };
	for (uint64_t i = 0; i < report->finding_nr; i++) {
		const struct finding *finding = report_finding(report, i);
		uint8_t action;

		if (finding == NULL || finding->rule >= secrets_rule_nr())
			continue;
		if (baseline_has(report, finding)) {
			sums->known++;
			continue;
		}
		action = action_of(report, finding, false);
		sums->nr[action]++;
		sums->rules[action][first_of_name(finding->rule)]++;
		/* those of a file lie side by side */
		sums->files[action] += finding->file_idx != last[action];
		last[action] = finding->file_idx;
	}
}

void
report_print_secrets(const struct report *report, FILE *out)
{
	struct sums sums;

	sum_up(report, &sums);
	for (uint8_t action = 0; action <= FINDING_WARNED; action++) {
		const char *separator = ": ";

		if (sums.nr[action] == 0)
			continue;
		fprintf(out, "secrets     %ju %s in %ju file%s",
			(uintmax_t)sums.nr[action], action_text(action),
			(uintmax_t)sums.files[action],
			sums.files[action] == 1 ? "" : "s");
		for (uint32_t rule = 0; rule < secrets_rule_nr(); rule++) {
			if (sums.rules[action][rule] == 0)
				continue;
			fprintf(out, "%s%ju %s", separator,
				(uintmax_t)sums.rules[action][rule],
				secrets_rule_name(rule));
			separator = ", ";
		}
		fprintf(out, "\n");
	}
	if (sums.known > 0)
		fprintf(out, "secrets     %ju known\n", (uintmax_t)sums.known);
}
