#!/bin/bash
# SPDX-License-Identifier: MIT
#
# A program whose vocabulary is damaged: counts are a quarter of the bytes, and
# every command says that they are estimates.
#
# verifies: FR-016c-44

# shellcheck source=tests/support/lib.sh
. tests/support/lib.sh

# damage MAGIC NUMBER OFFSET: changes a byte in each of the first NUMBER images
# of bale that begin with MAGIC
damage() {
	grep -obUaP "$1\\x00" "$dir/bale" | cut -d: -f1 |
		while read -r at; do
			used=$(od -An -tu4 -j $((at + 8)) -N4 "$dir/bale")
			[ "$used" -gt 0 ] || continue
			printf '\377\125' | dd of="$dir/bale" bs=1 conv=notrunc \
				seek=$((at + $2)) status=none
		done
}

mkdir "$dir/in"
seq 1 4000 | sed 's/$/ lines of text, and more/' >"$dir/in/a.txt"
bytes=$(wc -c <"$dir/in/a.txt")
quarter=$(((bytes + 3) / 4))
want=$(((quarter * 135 + 99) / 100))
cp "$BALE" "$dir/bale"
damage balevoc 900000
cd "$dir" || exit 1

is "$(./bale count in/a.txt 2>err | awk '{ print $1 }')" "$want" \
	"a quarter of the bytes and the margin"
is "$? $(grep -c 'damaged (checksum).*estimated' err)" "0 1" "and a warning"
is "$(./bale count --encoding gpt2 <in/a.txt 2>/dev/null)" "$want" \
	"the same by another name, from a pipe"
is "$(./bale count --model claude-3 <in/a.txt 2>/dev/null)" "$want" \
	"a model has the greater of the two margins"
./bale count --ids in/a.txt >out 2>err
is "$? $(wc -c <out) $(grep -c 'none' err)" "6 0 1" "ids cannot be estimated"

./bale pack in --budget 20k --reserve-system 0 --reserve-response 0 -q \
	-o out --report report 2>err
is "$? $(grep -c 'damaged (checksum)' err)" "0 1" "pack warns and goes on"
is "$(grep -c '"estimated":true' report) $(grep -c 'checksum' report)" "1 1" \
	"the report has the mark and the warning"
size=$(wc -c <out)
is "$(grep -o '"used":[0-9]*' report | head -n 1)" \
	"\"used\":$((((size + 3) / 4 * 135 + 99) / 100))" "the output is estimated"
is "$((size > 50000 && (size + 3) / 4 * 135 / 100 <= 20000))" 1 \
	"and stays within the budget"
for workers in 1 2 3; do
	./bale pack in --budget 20k --workers $workers -q -o out.$workers \
		2>/dev/null
done
is "$(cmp out.1 out.2 && cmp out.2 out.3 && echo same)" same \
	"the same bytes for any number of workers"
./bale preview in --budget 20k >out 2>err
is "$? $(grep -c 'damaged (checksum)' err) $(grep -c 'about' err)" "0 1 1" \
	"preview says so"
total=$(./bale tree in 2>err | awk '/total/ { gsub(",", ""); print $1 }')
is "$((total >= want && total < want + 10))" 1 \
	"tree has what count has, rounded up for each part of a file"
is "$(grep -c 'damaged (checksum)' err)" 1 "and says so"
is "$(./bale models | grep -c exact)" \
	"$(./bale models | grep -c 'exact with')" "models calls nothing exact"
printf '[{"role":"user","content":"hello world"}]' |
	./bale compact --model gpt-4o >out 2>err
is "$(grep -c 'BALE-CMP-014' err)" 1 "compact warns"
./bale window w add --type other <in/a.txt >out 2>err
is "$(grep -c 'BALE-WIN-021' err)" 1 "window warns"

cp "$BALE" bale
damage balenfc 30000
is "$(./bale count in/a.txt 2>/dev/null | awk '{ print $1 }')" "$want" \
	"the tables of Unicode count as well"
echo '{}' >x.json
./bale count --encoding x.json in/a.txt >out 2>err
is "$? $(grep -c 'tables of Unicode' err)" "2 1" "for a tokenizer.json, too"
done_testing
