/* SPDX-License-Identifier: MIT */
/*
 * key.h - private keys, line by line.
 *
 *	-----BEGIN RSA PRIVATE KEY-----      the head
 *	Proc-Type: 4,ENCRYPTED               fields, which stay
 *
 *	"MIIEowIBAAKCAQEAtm...\n"            runs of base64, and between them
 *	"s4Hx2Bq=\n"                         what belongs to the text around it
 *	-----END RSA PRIVATE KEY-----
 *
 * Invariants:
 * 1. Between two runs stands nothing of the key.
 */
#ifndef SECRETS_KEY_H
#define SECRETS_KEY_H

#include "base/base.h"
#include "secrets/pattern.h"

#define KEY_FIELDS_MAX 512 /* bytes of a head's fields */
#define KEY_GAP_MAX 160    /* bytes between two runs */

/*
 * shape:  whether a private key begins at `at`, with "-----BEGIN"; its head's
 *         end
 */
enum pattern_result
key_begins(const uint8_t *text, size_t bytes, bool at_end, size_t at,
	   size_t *end);

/* A run of a key's body. */
struct key_place {
	size_t at;       /* where to look from */
	bool has_body;   /* a run was before */
	bool is_wrapped; /* all of the key is in base64, its head as well, and
			  * nothing says where it ends */
	size_t start;    /* of the run; if there is none, the end of the key */
	size_t end;
};

/*
 * shape:  the next run of a key's body; NO: the key has ended
 * errors: OPEN: more of the text is needed
 */
enum pattern_result
key_next_run(const uint8_t *text, size_t bytes, bool at_end,
	     struct key_place *place);

#endif
