#!/bin/bash
# SPDX-License-Identifier: MIT
#
# `bale count` as a user has it. The ids are those that OpenAI's own library
# gives for these texts.
#
# verifies: FR-016-72, FR-016-73, FR-016c-02

# shellcheck source=tests/support/lib.sh
. tests/support/lib.sh

printf 'hello world' >"$dir/a"
printf '<|endoftext|>' >"$dir/special"
: >"$dir/empty"
head -c 300000 /dev/zero | tr '\0' 'a' >"$dir/long"

is "$("$BALE" count --ids "$dir/a" | tr '\n' ' ')" "24912 2375 " \
	"ids of o200k_base"
is "$("$BALE" count --encoding cl100k_base --ids "$dir/a" | tr '\n' ' ')" \
	"15339 1917 " "ids of cl100k_base"
printf '%s\n' 'The quick brown fox jumps over the lazy dog.' \
	'This is a test of the token counter.' >"$dir/fox"
is "$("$BALE" count --model gpt-4 <"$dir/fox")" 19 \
	"the documents' example: 18 within 1"
is "$("$BALE" count <"$dir/a")" 2 "stdin without a name"
is "$("$BALE" count - <"$dir/a" | tr -s ' ')" " 2 -" "stdin by its name"
is "$("$BALE" count "$dir/empty" | cut -d' ' -f1)" 0 "an empty file"
is "$("$BALE" count --encoding cl100k_base --ids "$dir/special" | wc -l)" 7 \
	"what looks like a special token is text"
is "$("$BALE" count "$dir/a" "$dir/special" | tail -n 1 | tr -s ' ')" \
	" 9 total" "the total of several files"
is "$("$BALE" count <"$dir/long")" \
	"$("$BALE" count --ids "$dir/long" | wc -l)" \
	"a piece longer than a block counts the same both ways"
"$BALE" count "$dir/none" "$dir/a" >"$dir/out" 2>"$dir/err"
is "$? $(grep -c 'No such file' "$dir/err") $(grep -c ' total' "$dir/out")" \
	"3 1 1" "a missing file is named, the others are counted"
"$BALE" count "$dir/a" "$dir" >"$dir/out" 2>"$dir/err"
is "$? $(grep -c 'Is a directory' "$dir/err")" "3 1" \
	"a directory among files is refused"
"$BALE" count --encoding nonsense "$dir/a" >"$dir/out" 2>"$dir/err"
is "$?" 2 "an encoding that is not there"

# refused FILE TEXT NAME: a file that cannot be used is an error that says why
refused() {
	"$BALE" count --encoding "$dir/$1" "$dir/a" >"$dir/out" 2>"$dir/err"
	is "$? $(wc -c <"$dir/out") $(grep -c "$1.*$2" "$dir/err")" "2 0 1" "$3"
}
printf '{"model":' >"$dir/cut.json"
printf '{"model":{"type":"Unigram"}}' >"$dir/unigram.json"
printf '{"normalizer":{"type":"NFKC"},"model":{"vocab":{},"merges":[]}}' \
	>"$dir/nfkc.json"
refused none.json 'No such file' "a tokenizer.json that is not there"
refused cut.json 'not JSON' "a damaged one"
refused unigram.json 'not BPE' "one with another model"
refused nfkc.json 'normalizer' "one with another normaliser"

# as JSON, the same figures
key() {
	grep -o "\"$1\":[0-9]*" | cut -d : -f 2 | tr '\n' ' '
}
is "$("$BALE" count --json "$dir/a" "$dir/special" "$dir/long" | key tokens)" \
	"$("$BALE" count "$dir/a" "$dir/special" "$dir/long" |
		awk '{ print $1 }' | tr '\n' ' ')" "--json has the same counts"
is "$("$BALE" count --json --ids <"$dir/a" | grep -o '"ids":[^]]*]')" \
	'"ids":[24912,2375]' "--json --ids"
is "$("$BALE" count --json --ids <"$dir/long" | grep -o ',' | wc -l)" \
	"$(($("$BALE" count <"$dir/long") + 5))" "--json --ids of a long piece"

if [ -w /dev/full ]; then
	"$BALE" count --json "$dir/a" >/dev/full 2>"$dir/err"
	is "$?" 4 "a full disk behind JSON"
	"$BALE" count "$dir/a" >/dev/full 2>"$dir/err"
	is "$?" 4 "a full disk behind stdout"
fi
# Several files with enough text are counted by several processes.
mkdir "$dir/many"
for i in 1 2 3 4 5 6; do
	for f in cli/options.def cli/help.c tokenizer/bpe.c docs/*.md; do
		cat "$f" "$f" "$f" "$f"
		printf 'int part_%d;\n\xff\xf0\x9f' "$i"
	done >"$dir/many/$i"
done
mkdir "$dir/many/3dir"
ln -s nowhere "$dir/many/4link"
# what is invalid, missing or a directory stands among the others
one=$(taskset -c 0 "$BALE" count "$dir"/many/* 2>&1)
for i in 1 2 3; do
	is "$("$BALE" count "$dir"/many/* 2>&1)" "$one" \
		"the same with one process and with several ($i)"
done
is "$("$BALE" count --json "$dir"/many/* 2>"$dir/err" | sha256sum)" \
	"$(taskset -c 0 "$BALE" count --json "$dir"/many/* 2>/dev/null |
		sha256sum)" "the same as JSON"
is "$(grep -c . "$dir/err")" 2 "each error is said once"

large=("$dir"/{,}{,}{,}large)
# helper: the helper of a count of large files, once it has read some; "": none
for i in 1 2; do
	cat "$dir"/many/[1-6] "$dir"/many/[1-6] "$dir"/many/[1-6]
done >"$dir/large"
helper() {
	local pid=
	"$BALE" count "${large[@]}" \
		>"$dir/out" 2>"$dir/err" &
	count=$!
	while [ -z "$pid" ] && kill -0 "$count"; do
		read -r pid <"/proc/$count/task/$count/children"
	done 2>/dev/null
	pid=${pid%% *}
	while [ -n "$pid" ] && [ "$(awk '$1 == "rchar:" { print $2 }' \
		"/proc/$pid/io" 2>/dev/null || echo 9999999)" -lt 1000000 ]; do
		:
	done
	echo "$pid" >"$dir/pid"
	grep -hE '^(Seccomp|NoNewPrivs):' "/proc/$count/status" >"$dir/own"
	grep -hE '^(Seccomp|NoNewPrivs):' "/proc/$pid/status" >"$dir/its"
}
if [ "$(nproc)" -gt 1 ]; then
	helper
	is "$(cat "$dir/its")" "$(cat "$dir/own")" \
		"a helper is confined as the command is"
	kill -KILL "$(cat "$dir/pid")"
	wait "$count"
	is "$? $(grep -c "large: .* killed by signal 9 (Killed)" "$dir/err")" \
		"3 1" "a helper that is killed is an error of its file"
	is "$(grep -c 'large$' "$dir/out") $(grep -c ' total$' "$dir/out")" \
		"7 1" "the others are counted"
	helper
	kill -TERM "$count"
	wait "$count"
	is "$?" 143 "a signal ends it"
	is "$(ls -d "/proc/$(cat "$dir/pid")" 2>/dev/null)" "" \
		"and its helper with it"
fi

# roots within each other: each line is what it is alone, a file is in the total
# once
mkdir -p "$dir/nested/in/side"
for name in a in/b in/side/c; do
	seq "${#name}00" >"$dir/nested/$name"
done
cd "$dir/nested" || exit 1
for name in . in in/side; do
	"$BALE" count --no-config $name
done >"$dir/alone"
is "$("$BALE" count --no-config . in in/side | awk '{ print $1, $2 }')" \
	"$(awk '{ print $1, $2 } NR == 1 { all = $1 } END { print all, "total" }' \
		"$dir/alone")" "directories within each other"
is "$("$BALE" count --no-config in/side in in/side | awk '{ print $1 }' | xargs)" \
	"$(awk 'NR == 3 { c = $1 } NR == 2 { b = $1 } END { print c, b, c, b }' \
		"$dir/alone")" "in any order, and twice"
"$BALE" count --no-config --ids in 2>"$dir/err"
is "$? $(cat "$dir/err")" "3 bale: in: Is a directory; --ids is for files" \
	"--ids is for files"
"$BALE" count --no-config <in 2>"$dir/err"
is "$? $(cat "$dir/err")" \
	"3 bale: stdin: Is a directory; name it: bale count DIR" \
	"a directory as stdin"

done_testing
