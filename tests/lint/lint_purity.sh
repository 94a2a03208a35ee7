#!/bin/bash
# SPDX-License-Identifier: MIT
#
# Plain logic calls nothing but plain logic: the undefined symbols of every
# logic object (tokenizer/, markup/, lang/, rank/, and in git/ and stages/S/ all that is neither _io_ nor
# _worker) are in tests/lint/pure_symbols.txt or defined by another logic object or
# a data image. Reads the objects of $BUILD/$MODE; needs them built.

set -u

obj=${BUILD:-build}/${MODE:-release}
allowed=${PURE_SYMBOLS:-tests/lint/pure_symbols.txt}

# tokenizer_hf.c reads foreign JSON by a library, once, before any counting.
sources=$(find tokenizer markup lang git rank secrets stages -mindepth 1 -name '*.c' \
	! -name '*_io_*' ! -name 'io_*' ! -name '*_worker.c' ! -name 'tokenizer_hf.c' \
	2>/dev/null |
	grep -E '^(tokenizer|markup|lang|git|rank|secrets|stages/[^/]+)/' | sort)
[ -n "$sources" ] || exit 0

objects=
for c in $sources; do
	if [ ! -e "$obj/${c%.c}.o" ]; then
		echo "$c: no object $obj/${c%.c}.o; build first"
		exit 1
	fi
	objects+=" $obj/${c%.c}.o"
done
images=$(find "${BUILD:-build}/data" -name '*.o' 2>/dev/null)

# Weak ones (w) may stay unresolved, such as the linker's own.
# shellcheck disable=SC2086  # words are wanted
{
	sed -e 's/#.*//' -e 's/[[:space:]]//g' -e '/^$/d' \
		-e 's/^/allow /' "$allowed"
	nm -g --defined-only $objects $images </dev/null |
		awk 'NF == 3 { print "allow", $3 }'
	nm -A -u $objects </dev/null |
		awk '{ f = $1; sub(/:$/, "", f); print "use", $NF, f }'
} | awk -v root="$obj/" '
# A line of pure_symbols.txt that ends in * allows all that begins so.
$1 == "allow" && $2 ~ /\*$/ { prefix[substr($2, 1, length($2) - 1)]; next }
$1 == "allow" { allow[$2]; next }
{
	if ($2 in allow)
		next
	for (p in prefix)
		if (index($2, p) == 1)
			next
	sub(root, "", $3)
	sub(/\.o$/, ".c", $3)
	printf "%s: plain logic calls %s\n", $3, $2
	bad = 1
}
END { exit bad }'
