#!/bin/bash
# SPDX-License-Identifier: MIT
#
# Every unit has a test of its name: stages/chunk/chunk_cut.c is tested by
# tests/unit/chunk/test_chunk_cut.c. Units that have none yet are listed in
# lint_units_open.txt, which may only become shorter. What a unit has for some
# processors (x_avx2.c) is tested with what it has for all (test_x.c).

set -u

open=$(sed '/^#/d' tests/lint/lint_units_open.txt 2>/dev/null)
bad=0

say() {
	echo "$1"
	bad=1
}

missing=$(for c in $(find base shm catalogue tokenizer markup lang git rank \
	sources stages supervisor report window cli -name '*.c' \
	2>/dev/null | sort); do
	name=${c##*/} folder=${c%/*}
	name=${name%.c} name=${name%_avx2} name=${name%_avx512}
	[ -e "tests/unit/${folder##*/}/test_$name.c" ] || echo "$c"
done)

for c in $missing; do
	grep -qxF "$c" <<<"$open" || say "$c: has no test of its name"
done
for c in $open; do
	grep -qxF "$c" <<<"$missing" ||
		say "$c: is gone or has a test; strike it from the list"
done
exit $bad
