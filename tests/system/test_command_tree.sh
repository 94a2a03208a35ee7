#!/bin/bash
# SPDX-License-Identifier: MIT
#
# `bale tree`: its sums are those of `bale count` over the same files.

# shellcheck source=tests/support/lib.sh
. tests/support/lib.sh

# Tokens of the files below a directory, by `bale count`.
count() {
	find "$1" -type f -exec "$BALE" count {} + | awk 'END { print $1 }'
}

# The figure that `bale tree` has for a directory.
tree() {
	awk -v name="$1" '$NF == name { gsub(",", "", $1); print $1 }' \
		"$dir/tree"
}

mkdir -p "$dir/in/light" "$dir/in/heavy/deep/er" "$dir/in/heavy/two"
for i in $(seq 400); do echo "line $i of a file with some words"; done \
	>"$dir/in/heavy/deep/er/a.txt"
for i in $(seq 9000); do echo "$i;"; done >"$dir/in/heavy/two/long.txt"
cp "$dir/in/heavy/two/long.txt" "$dir/in/heavy/two/same.txt"
echo hello >"$dir/in/light/b.txt"
echo top >"$dir/in/c.txt"
: >"$dir/in/empty.txt"

cd "$dir" || exit 1
"$BALE" tree in >"$dir/tree"
is "$?" 0 "it succeeds"
is "$(tree total)" "$(count in)" "the total is that of bale count"
is "$(tree heavy/)" "$(count in/heavy)" "so is that of a directory"
is "$(tree er/)" "$(count in/heavy/deep/er)" "so is that of a deep one"
is "$(awk '{ print $NF }' "$dir/tree" | tr '\n' ' ')" \
	"in/ heavy/ two/ deep/ er/ light/ total " "the heaviest come first"
"$BALE" tree in --threshold 1k >"$dir/tree"
is "$(awk '{ print $NF }' "$dir/tree" | tr '\n' ' ')" \
	"in/ heavy/ two/ deep/ er/ total " "a threshold leaves out the light"
"$BALE" tree in --depth 2 >"$dir/tree"
is "$(awk '{ print $NF }' "$dir/tree" | tr '\n' ' ')" \
	"in/ heavy/ light/ total " "a depth leaves out the deep"
for more in '' '--depth 2' '--threshold 1k'; do
	# shellcheck disable=SC2086
	is "$("$BALE" tree in --json $more | sed -n \
		's/.*"path":"\([^"]*\)".*"tokens":\([0-9]*\).*/\2 \1/p')" \
		"$("$BALE" tree in $more | awk '$NF != "total" {
			name = substr($0, index($0, "%") + 3)
			depth = (match(name, /[^ ]/) - 1) / 2
			at[depth] = $NF
			path = ""
			for (i = 0; i <= depth; i++)
				path = path at[i]
			gsub(",", "", $1)
			print $1, path }')" "--json $more has the same"
done
is "$("$BALE" tree in --workers 1 | cksum)" "$("$BALE" tree in --workers 3 |
	cksum)" "the same with any number of workers"
"$BALE" tree nowhere >"$dir/out" 2>"$dir/err"
is "$? $(grep -c 'nowhere' "$dir/err")" "2 1" "a missing directory is named"
done_testing
