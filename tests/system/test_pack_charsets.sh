#!/bin/bash
# SPDX-License-Identifier: MIT
#
# Files that are not UTF-8 are packed as UTF-8, and their header says from what;
# iconv is who knows what they should become.
#
# verifies: NFR-016-45, FR-016c-05

# shellcheck source=tests/support/lib.sh
. tests/support/lib.sh

# The content of the section of a file in the output.
section() {
	awk -v head="## File: $1 " 'index($0, head) == 1 { on = 1; next }
		on && /^```/ { if (inside) exit; inside = 1; next }
		inside' "$2"
}

tree=$dir/tree
mkdir "$tree"
text=$dir/text
for i in $(seq 300); do
	echo "Zeile $i: Grüße aus Köln, schöne Straße, déjà vu"
done >"$text"
for i in $(seq 200); do cat "$text"; done >"$dir/long"
cp "$text" "$tree/plain.txt"
{ printf '\377\376'; iconv -f UTF-8 -t UTF-16LE "$text"; } >"$tree/le.txt"
{ printf '\376\377'; iconv -f UTF-8 -t UTF-16BE "$text"; } >"$tree/be.txt"
iconv -f UTF-8 -t ISO-8859-1 "$text" >"$tree/latin.txt"
{ printf '\377\376'; iconv -f UTF-8 -t UTF-16LE "$dir/long"; } >"$tree/long.txt"
printf '\377\376' >"$tree/mark.txt"
iconv -f UTF-8 -t UTF-16LE "$text" >"$tree/unmarked_le.txt"
iconv -f UTF-8 -t UTF-16BE "$text" >"$tree/unmarked_be.txt"
# sets that are told from each other by what is common in them
for i in $(seq 300); do
	echo "# $i このファイルは設定を読み込み、エラーがあれば名前を表示します。"
done >"$dir/ja"
for i in $(seq 300); do
	echo "// $i 这个函数读取配置文件，如果没有找到就返回错误代码。"
done >"$dir/zh"
for i in $(seq 300); do
	echo "/* $i 이 함수는 설정 파일을 읽고 오류가 있으면 이름을 출력합니다. */"
done >"$dir/ko"
for i in $(seq 300); do
	echo "; $i Эта функция читает файл настроек и возвращает ошибку."
done >"$dir/ru"
iconv -f UTF-8 -t CP932 "$dir/ja" >"$tree/ja.txt"
iconv -f UTF-8 -t GB18030 "$dir/zh" >"$tree/zh.txt"
iconv -f UTF-8 -t EUC-KR "$dir/ko" >"$tree/ko.txt"
iconv -f UTF-8 -t CP1251 "$dir/ru" >"$tree/ru.txt"
echo last >"$tree/z.txt"

for workers in 1 2; do
	out=$dir/out.$workers
	(cd "$tree" && "$BALE" pack . --budget all --workers $workers -q \
		-o "$out")
	is "$?" 0 "with $workers workers it packs"
done
is "$(cmp "$dir/out.1" "$dir/out.2" && echo same)" same \
	"the same bytes with 1 and 2 workers"
for name in le.txt be.txt unmarked_le.txt unmarked_be.txt latin.txt plain.txt; do
	is "$(section $name "$dir/out.1" | cksum)" "$(cksum <"$text")" \
		"$name is what iconv makes of it"
done
for name in ja zh ko ru; do
	is "$(section $name.txt "$dir/out.1" | cksum)" "$(cksum <"$dir/$name")" \
		"$name.txt is what iconv makes of it"
done
is "$(sed -n 's/^## File: \(ja\|ko\|ru\|zh\).txt .*from \([^,)]*\).*/\2/p' \
	"$dir/out.1" | xargs)" "Shift_JIS EUC-KR windows-1251 GB18030" \
	"the headers name the sets"
is "$(section long.txt "$dir/out.1" | cksum)" "$(cksum <"$dir/long")" \
	"a file larger than a slab, too"
is "$(grep -c '^## File: .* from ' "$dir/out.1")" 10 \
	"the headers say what they were"
is "$(grep -c ' mark.txt' "$dir/out.1")" 0 "a mark alone is no text"
is "$(section z.txt "$dir/out.1")" last "what follows is there"
rm "$tree/mark.txt"
for format in markdown xml json; do
	rm -rf "$dir/back"
	(cd "$tree" && "$BALE" pack . --budget all --format $format -q) |
		"$BALE" unpack - -C "$dir/back" 2>"$dir/err"
	is "$? $(diff -r "$tree" "$dir/back")" "0 " \
		"unpack gives back the bytes that there were, $format"
done

(cd "$tree" && "$BALE" pack le.txt long.txt --budget 20k -q -o "$dir/part")
is "$?" 0 "chunks of converted files can be planned"
is "$(section long.txt "$dir/part" | grep -v '^// ' | sort -u |
	comm -23 - <(sort -u "$text") | wc -l)" 0 \
	"each line of them is a line of the text"

# Files that are converted are read by themselves; what lies beside them is not
# read over and over for it, however many there are.
mkdir "$dir/beside"
for i in $(seq 400); do
	echo "Zeile $i: Köln" | iconv -f UTF-8 -t ISO-8859-1 \
		>"$dir/beside/$i.txt"
	[ $((i % 3)) != 0 ] || echo "line $i" >"$dir/beside/$i.txt"
done
(cd "$dir/beside" && "$BALE" pack . --budget all -q -o "$dir/beside.md" \
	--report "$dir/report")
size=$(cat "$dir"/beside/* | wc -c)
got=$(grep -o '"name":"collect"[^}]*"bytes":[0-9]*' "$dir/report" |
	grep -o '[0-9]*$')
is "$? $((got >= size)) $((got <= 8 * size))" "0 1 1" \
	"each of many such files is read a few times ($got for $size bytes)"
(ulimit -n 48 && cd "$dir/beside" && "$BALE" pack . --budget all -q \
	-o "$dir/beside.few" --workers 1)
is "$? $(cmp "$dir/beside.md" "$dir/beside.few" 2>&1)" "0 " \
	"with few descriptors, too"
done_testing
