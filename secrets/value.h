/* SPDX-License-Identifier: MIT */
/*
 * value.h - whether a text looks like a secret, by its bytes alone.
 *
 * Invariants:
 * 1. Integers only: the same on every machine.
 */
#ifndef SECRETS_VALUE_H
#define SECRETS_VALUE_H

#include "base/base.h"

/*
 * shape:  whether a text has so much entropy, in tenths of a bit a byte
 * units:  of its first VALUE_LOOKED_AT bytes
 * source: Shannon (1948), of the bytes of the text as gitleaks takes it
 */
bool
value_has_entropy(const uint8_t *text, size_t bytes, uint8_t tenths);

/* Whether a text has a digit. */
bool
value_has_digit(const uint8_t *text, size_t bytes);

/* Whether a text says itself that it is no secret: "changeme", "your-token". */
bool
value_is_placeholder(const uint8_t *text, size_t bytes);

/* Whether a text looks as if it was made at random: letters and digits change
 * as often as they do in no name. */
bool
value_is_random(const uint8_t *text, size_t bytes);

/*
 * shape:  whether the rest of a name, behind `key` or `token`, says that its
 *         value is no secret: key_sha256, credentialsId
 */
bool
value_is_named_public(const uint8_t *rest, size_t bytes);

#endif
