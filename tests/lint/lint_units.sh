#!/bin/bash
# SPDX-License-Identifier: MIT
#
# Every unit has a test of its name: stages/chunk/chunk_cut.c is tested by
# tests/unit/chunk/test_chunk_cut.c. What a unit has for some processors
# (x_avx2.c, x_shani.c) is tested with what it has for all (test_x.c).

set -u
bad=0

while read -r unit; do
	name=${unit##*/} folder=${unit%/*}
	name=${name%.c} name=${name%_avx2} name=${name%_avx512} name=${name%_shani}
	[ -e "tests/unit/${folder##*/}/test_$name.c" ] && continue
	echo "$unit: has no test of its name"
	bad=1
done < <(find base shm catalogue tokenizer markup lang git rank secrets sources stages \
	supervisor report window cli -name '*.c' 2>/dev/null | sort)
exit $bad
