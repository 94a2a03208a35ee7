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

# files stand among the directories, the heaviest first
"$BALE" tree in --files >"$dir/tree"
is "$(awk '{ print $NF }' "$dir/tree" | tr '\n' ' ')" \
	"in/ heavy/ two/ long.txt same.txt deep/ er/ a.txt c.txt light/ b.txt empty.txt total " \
	"--files: files as well"
is "$(tree a.txt) $(tree total)" "$(count in/heavy/deep/er) $(count in)" \
	"--files: their tokens"
"$BALE" tree in --files --json >"$dir/json"
is "$(grep -c '"is_file":true' "$dir/json")" 6 "--files --json marks files"

# bale count of a directory is of the same files
is "$("$BALE" count in)" "$(count in) in" "bale count of a directory"
is "$("$BALE" count in/light in/heavy/deep | tr -s ' ' | sed 's/^ //' |
	tr '\n' '|')" "$(count in/light) in/light|$(count in/heavy/deep) \
in/heavy/deep|$(($(count in/light) + $(count in/heavy/deep))) total|" \
	"of several PATHs, and their total"
is "$("$BALE" count in/light in/light --json | tr -d '\n' |
	grep -c '"path":"in/light","tokens":2}.*"tokens":2}$')" 1 \
	"the same as JSON"
echo '*.txt' >in/.gitignore
is "$("$BALE" count in)" "$(count in/.gitignore) in" "without what is ignored"
rm in/.gitignore

# a limit for CI: exit 8, and nothing is written
total=$(count in)
for command in count tree 'preview --budget all' 'pack --budget all' \
	'pack --budget all -o over.md' 'count in/light'; do
	# shellcheck disable=SC2086
	"$BALE" $command in --fail-over 4 >"$dir/out" 2>"$dir/err"
	is "$? $(wc -c <"$dir/out") $(grep -c 'BALE-BUD-008.*--fail-over 4; nothing' \
		"$dir/err") $([ -e over.md ] && echo there)" "8 0 1 " \
		"$command: more than --fail-over"
done
"$BALE" pack in --fail-over 4 -o "$dir/never" >"$dir/out" 2>"$dir/err"
is "$? $(grep -c '^output' "$dir/err") $(ls "$dir/never" 2>/dev/null)" \
	"8 0 " "the summary has no output where none is written"
"$BALE" count in/c.txt --fail-over 1 >"$dir/out" 2>"$dir/err"
is "$? $(wc -c <"$dir/out")" "8 0" "a file that has more"
for command in count tree; do
	"$BALE" $command in --fail-over "$total" >"$dir/out" 2>"$dir/err"
	is "$? $(wc -c <"$dir/err")" "0 0" "$command: not more"
done
"$BALE" pack in --budget all --fail-over 1M >"$dir/out" 2>"$dir/err"
is "$? $(grep -c '^## File: ' "$dir/out")" "0 6" "pack: not more"
"$BALE" tree nowhere >"$dir/out" 2>"$dir/err"
is "$? $(grep -c 'nowhere' "$dir/err")" "2 1" "a missing directory is named"
done_testing
