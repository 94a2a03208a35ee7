#!/bin/bash
# SPDX-License-Identifier: MIT
#
# --files-from: the files that a list names, and no others.

# shellcheck source=tests/support/lib.sh
. tests/support/lib.sh

# The paths that a preview of everything would pack, on one line.
packed() {
	"$BALE" preview --budget all -q "$@" 2>"$dir/err" |
		awk -F '\t' '$2 == "packed" { sub(/:[0-9-]*$/, "", $3); print $3 }' |
		tr '\n' ' '
}

mkdir -p "$dir/in/sub"
cd "$dir/in" || exit 1
for name in a b sub/c sub/d; do echo "$name" >$name; done
printf 'x\n' >$'odd\nname'
echo b >.gitignore

is "$(printf 'sub/c\na\n' | packed --files-from -)" "a sub/c " \
	"what is listed, in canonical order"
is "$(printf 'a\n\na\n./a\n' | packed --files-from -)" "a " \
	"what is listed twice is there once"
is "$(printf 'sub/c\r\na\r\n\r\n"odd\\nname"\r\n' | packed --files-from -)" \
	'a "odd\nname" sub/c ' "lines that end as on Windows"
is "$(printf '\xef\xbb\xbfsub/c\r\na\r\n' | packed --files-from -)" \
	'a sub/c ' "and begin with a byte order mark"
printf 'a\0odd\nname\0' >"$dir/list"
is "$(packed --files-from "$dir/list" -0)" 'a "odd\nname" ' \
	"names that are ended by NUL"
is "$(printf 'sub/d\n' | packed --files-from - "$dir/in")" \
	"sub/d " "below the directory that is named"
ln -s in "$dir/link"
is "$(printf "$dir/in/a\n$dir/link/b\n$PWD//sub/./c\n" |
	packed --files-from - "$dir/link")" \
	"a b sub/c " \
	"absolute names below it, also through a link"
printf 'a\nnone\n' | "$BALE" pack --files-from - --budget all -q \
	-o "$dir/out" --report "$dir/report" 2>"$dir/err"
is "$? $(grep -c '"reason":"vanished"' "$dir/report")" "3 1" \
	"a file that is not there is named, and the run is degraded"
is "$(printf 'sub/../a\n./sub/../sub/c\n' | packed --files-from -)" \
	"a sub/c " "names that go up and down again"
echo /etc/passwd | "$BALE" pack --files-from - -o "$dir/none" 2>"$dir/err"
is "$? $(grep -c /etc/passwd "$dir/err")" "2 1" "nothing above the directory"
echo ../list | "$BALE" pack --files-from - -o "$dir/none" 2>"$dir/err"
is "$?" 2 "and nothing beside it"
: | "$BALE" pack --files-from - -o "$dir/none" 2>"$dir/err"
is "$?" 9 "an empty list is nothing to pack"
"$BALE" pack --files-from "$dir/nolist" -o "$dir/none" 2>"$dir/err"
is "$? $(grep -c nolist "$dir/err")" "2 1" "a list that is not there is named"
mkfifo fifo && ln -s a link
printf 'a\nsub\nfifo\nlink\n' | "$BALE" pack --files-from - --budget all -q \
	-o "$dir/out" --report "$dir/report" 2>"$dir/err"
is "$? $(grep -o '"path":"[a-z]*".*"reason":"[a-z]*"' "$dir/report" |
	sed 's/"path":"\([a-z]*\)".*"reason":"\([a-z]*\)"/\1=\2/' | xargs)" \
	"0 fifo=special link=symlink sub=directory" "what is no file, by its kind"
rm fifo link
(git init -q && git add . && git -c user.name=x -c user.email=x commit -qm x)
is "$(printf 'a\nsub\n' | "$BALE" pack --rev HEAD --files-from - --budget all \
	-q --report /dev/stdout -o "$dir/out" | grep -o '"reason":"[a-z]*"')" \
	'"reason":"directory"' "a directory of a commit, too"
mkdir named && echo 1 >named/é.c && echo 2 >$'named/t\tb' && echo 3 >'named/"q"'
git add named
is "$(git ls-files named | packed --files-from - | wc -w)" "$(
	git ls-files -z named | packed -0 --files-from - | wc -w)" \
	"names as git ls-files quotes them"
is "$(git ls-files named | "$BALE" pack . --files-from - --budget all 2>&1 \
	>/dev/null | grep -c 'matched no file')" 0 "all of them"
rm -rf .git named
# two copies and 40 bytes a name: 300,000 short ones take 16 MB
seq 300000 | "$BALE" pack --files-from - -q --memory 48M --workers 1 \
	--budget all -o "$dir/none" 2>"$dir/err"
is "$? $(grep -c BALE-CTX-004 "$dir/err")" "9 1" "as many names as have room"
seq 600000 | "$BALE" pack --files-from - -q --memory 48M --workers 1 \
	--budget all -o "$dir/none" 2>"$dir/err"
is "$? $(grep -c 'names take more than half of --memory' "$dir/err")" "5 1" \
	"more of them are refused"
is "$(grep -c 'peak memory' "$dir/err")" 0 "before they take it"
is "$([ -e "$dir/none" ] && echo there)" "" "no output of what failed"
done_testing
