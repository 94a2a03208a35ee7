/* SPDX-License-Identifier: MIT */
/*
 * findings.h - secrets that were found, by collect: where, and by which rule;
 * never what they are.
 */
#ifndef CATALOGUE_FINDINGS_H
#define CATALOGUE_FINDINGS_H

#include "catalogue/catalogue.h"
#include "catalogue/files.h"

#define FINDINGS_MAX 65536 /* of more only their number is known */

/* Where a finding is that is in no file. */
#define FINDING_IN_GIT_LOG (FILE_NONE - 1)
#define FINDING_IN_GIT_DIFF (FILE_NONE - 2)

enum finding_action {
	FINDING_REDACTED = 0,
	FINDING_EXCLUDED, /* its file is left out */
	FINDING_WARNED    /* it is in the output, if its line is */
};

struct finding {
	uint32_t file_idx;
	uint32_t line;   /* 1-based, of the text as it is packed */
	uint32_t digest; /* secrets_piece.digest */
	uint16_t rule;   /* secrets_rule_name() */
	uint8_t action;  /* enum finding_action */
	uint8_t pad[1];
};

/* A finding, by its index: those of a file lie side by side. */
CATALOGUE_RECORDS(findings, finding, 16, catalogue_finding);

#endif
