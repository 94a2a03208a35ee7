#!/bin/bash
# SPDX-License-Identifier: MIT
#
# An output in parts: each holds its limit, counted again from its bytes; all
# together they give back what went in; and they appear together or not at all.

BALE=${BALE:-$PWD/${BUILD:-build}/${MODE:-release}/bale}
# shellcheck source=tests/system/lib.sh
. tests/system/lib.sh
tree=$tools/tool_tree
everything=(--no-ignore --hidden -q)
formats=(markdown xml json jsonl plain)

# split N ARGS...: the tree in parts, and what they have to be.
split() {
	local tokens=$1 part line number=0 nr

	shift
	rm -rf parts back && mkdir parts
	run 0 pack tree --split "$tokens" -o parts/out.md --report report.json \
		"${everything[@]}" "$@"
	is "$BALE" verify parts/* --budget "$tokens" --against report.json
	is [ -f parts/out.md.manifest.json ]
	nr=$(find parts -type f -name 'out-*' | wc -l)
	is [ "$(ls -A parts | wc -l)" = $((nr + 1)) ]
	for part in parts/out-*; do
		number=$((number + 1))
		printf -v line 'parts/out-%03d.md' $number
		[ "$part" = "$line" ] || complain "$part is none of them"
		read -rN 40 line <"$part"
		case $line in
		"Part $number of $nr"$'\n'*) ;;
		"<bale part=\"$number\" of=\"$nr\">"*) ;;
		"{\"bale\":1,\"part\":$number,\"of\":$nr"[,}]*) ;;
		*) complain "$part begins with $line" ;;
		esac
	done
}

# gives_back: what went in comes out of all parts.
gives_back() {
	run 0 unpack -q -C back parts/*
	is diff -r tree back/tree
}

# ------------------------------------------------------------ what is in it --

mkdir tree
"$tree" many tree 25 3
rm -r tree/d00 # 250 KB: half of all parts were its own
"$tree" text tree/large.c 30000
"$tree" line tree/line.txt 5000
printf 'a]]>\r\n"\033\342\200\256\n// .... (lines 1-2)\nx' >tree/odd
printf '\\\\\n\360\237\230\200\360\237\230\200\n```\n' >tree/odder
cp tree/large.c tree/large-again.c
: >tree/empty

# verifies: FR-016-11, FR-016-138, AC-016-012
for format in "${formats[@]}"; do
	for tokens in 500 4000; do
		begin "$format: parts of $tokens tokens"
		split $tokens --budget all --format "$format"
		gives_back
		end
	done
	begin "$format: parts with numbers, a tree and a header"
	split 3000 --budget all --format "$format" --line-numbers --tree \
		--header 'a header' --instructions tree/odder
	gives_back
	end
done

begin 'all in one part'
split 10M --budget all
is [ "$(echo parts/out-*)" = parts/out-001.md ]
gives_back
end

begin 'a budget holds for all parts together'
split 4000 --budget 15000
tokens=$(grep -oE '"output":\{"tokens":[0-9]+' report.json |
	grep -oE '[0-9]+$')
is [ "$tokens" -le 15000 ]
is [ "$tokens" -gt 13000 ]
sum=0
for part in parts/out-*; do
	read -r part _ < <("$BALE" count "$part")
	sum=$((sum + part))
done
is [ "$sum" = "$tokens" ]
end

begin 'the parts are the same with any number of workers'
split 3000 --budget all --workers 1
mv parts one
split 3000 --budget all --workers 8
is diff -r one parts
rm -rf one
end

begin 'parts that are compressed'
split 3000 --budget all
mv parts plain
mkdir parts
run 0 pack tree --split 3000 --budget all -o parts/out.md.zst "${everything[@]}"
is [ "$(ls plain)" = "$(ls parts | sed 's/\.zst//')" ]
if command -v zstd >/dev/null; then
	for part in plain/out-*; do
		is cmp <(zstd -dc "parts/${part#plain/}.zst") "$part"
	done
fi
run 0 unpack -q -C zback parts/*
is diff -r tree zback/tree
rm -rf plain zback
end

for ((seed = 1; seed <= 3 + 100 * ${LONG:-0}; seed++)); do
	mv tree kept && mkdir tree
	"$tree" hostile tree $seed
	begin "hostile names and contents in parts, tree $seed"
	split $((700 + 900 * seed)) --budget all \
		--format "${formats[seed % 5]}"
	run 0 pack tree --budget all -o whole "${everything[@]}" \
		--format "${formats[seed % 5]}"
	"$BALE" unpack -q -C want whole 2>want.err
	code=$?
	run $code unpack -q -C back parts/*
	is diff -r want back
	rm -rf want tree && mv kept tree
	end
done

# ------------------------------------------------------- whole or not at all --

begin 'parts in any order; one that is missing'
split 3000 --budget all
# shellcheck disable=SC2046  # names without blanks
run 0 unpack -q -C back $(printf '%s\n' parts/* | sort -r)
is diff -r tree back/tree
rm -rf back parts/out-002.md
run 3 unpack -q -C back parts/*
says 'not written'
run 3 verify parts/* --against report.json
is grep -q 'the report lists' out
end

begin 'one part without the others is told'
run 3 unpack -q -C other parts/out-003.md
says 'in a part that was not given'
end

begin 'what is there stays if they cannot all be written'
rm -rf parts && mkdir parts parts/out-002.md
echo old >parts/out-001.md
run 4 pack tree --split 3000 --budget all -o parts/out.md "${everything[@]}"
says 'parts/out-002.md: Is a directory'
is [ "$(cat parts/out-001.md)" = old ]
is [ "$(find parts -type f | wc -l)" = 1 ]
end

begin 'parts of an earlier run are not packed, and go if there are fewer'
rm -rf parts && mkdir parts
(cd tree && "$BALE" pack --split 3000 --budget all -o out.md "${everything[@]}")
many=$(ls tree/out-*.md | wc -l)
(cd tree && "$BALE" pack --split 4000 --budget all -o out.md \
	"${everything[@]}") 2>err
is [ ! -s err ]
few=$(ls tree/out-*.md | wc -l)
is [ "$few" -lt "$many" ]
is "$BALE" verify tree/out.md.manifest.json
is [ "$(grep -lE 'File: out[-.]' tree/out-*.md | wc -l)" = 0 ]
end

begin 'what is left over and may be somebody else'\''s is named and stays'
# parts without a manifest, one that was written to, one that is none
printf -v mine 'tree/out-%03d.md' $((few + 1))
printf -v other 'tree/out-%03d.md' $((few + 2))
(cd tree && "$BALE" pack --split 3000 --budget all -o out.md "${everything[@]}")
echo mine >>"$mine"
cp "$other" kept
echo notes >tree/out-notes.md
(cd tree && "$BALE" pack --split 4000 --budget all -o out.md \
	"${everything[@]}") 2>err
says "^bale: warning: ${mine#tree/} is left over from an earlier run and none"
is [ "$(tail -n 1 "$mine")" = mine ]
is [ ! -e "$other" ]
is [ -e tree/out-notes.md ]
cp kept "$other"
(cd tree && "$BALE" pack --split 4000 --budget all -o out.md \
	"${everything[@]}") 2>err
says "^bale: warning: ${mine#tree/} and 1 more are left over .* remove them"
is "$BALE" verify tree/out.md.manifest.json
rm tree/out-*.md tree/out.md.manifest.json
end

begin 'more digits than before: none of fewer is left'
mkdir digits
seq 30000 >digits.txt
run 0 pack digits.txt -q --budget all --split 10k -o digits/out.md
is [ -e digits/out-001.md ]
run 0 pack digits.txt -q --budget all --split 110 -o digits/out.md
is [ -e digits/out-0001.md ]
is [ ! -e digits/out-001.md ]
is "$BALE" verify digits/out.md.manifest.json
run 0 pack digits.txt -q --budget all --split 10k -o digits/out.md
is [ ! -e digits/out-0001.md ]
is [ "$(ls digits/out-0*.md | wc -l)" -lt 20 ]
end

begin 'a part alone, parts that are missing, parts of two runs'
mkdir refs
for i in 1 2 3 4 5 6; do
	seq $((i * 100)) $((i * 100 + 300)) >refs/a$i.txt
done
cp refs/a1.txt refs/same.txt
run 0 pack refs -q --budget all --split 1500 -o ref.md
parts=$(echo ref-*.md | wc -w)
last=$(printf 'ref-%03d.md' "$parts")
run 0 unpack ref-*.md -C refs.all
is diff -r refs refs.all/refs
run 3 unpack "$last" -C refs.one
says "missing parts: $((parts - 1)) of $parts, the first is part 1"
says 'same.txt: it is the same as refs/a1.txt, which was not written'
is [ ! -e refs.one/refs/same.txt ]
is cmp refs/a6.txt refs.one/refs/a6.txt
run 3 unpack ref-001.md "$last" -C refs.two
says "missing parts: $((parts - 2)) of $parts, the first is part 2"
is cmp refs/same.txt refs.two/refs/same.txt
cp ref-001.md old.md
seq 9000 >refs/b.txt
run 0 pack refs -q --budget all --split 1500 -o ref.md
run 2 unpack ref-*.md old.md -C refs.mixed
says 'they are parts of different outputs'
is [ ! -e refs.mixed/refs ]
end

begin 'what --split cannot do'
run 2 pack tree --split 3000 --budget all
says 'BALE-CLI-005 --split writes several files'
run 2 pack tree --split 3000 --budget all -o /dev/null
says 'parts are files'
run 8 pack tree --split 12 --budget all -o parts/out.md
says 'BALE-BUD-006: --split 12: a part cannot hold even one character of tree/'
is [ -z "$(ls parts)" ]
end

# ---------------------------------------------------------------- with deaths --

if grep -aq BALE_FAULT "$BALE"; then
	for budget in all 25000; do
		begin "killed while it cuts, budget $budget"
		split 3000 --budget $budget --tree
		mv parts want
		for point in format:part_written:1 format:part_written:5 \
			format:step_written:2 format:committed:2 \
			format:told:2 format:turn:3; do
			export BALE_FAULT=$point:kill
			split 3000 --budget $budget --tree --log-level error
			unset BALE_FAULT
			is [ "$(deaths report.json)" -gt 0 ]
			is diff -r want parts
		done
		rm -rf want
		end
	done
fi

begin 'memory is bounded, with parts of a large file'
"$tree" text tree/large.c 12000000
split 30000 --budget all --memory 64M
is [ "$(figure report.json peak_pss_bytes)" -le 67108864 ]
gives_back
end
finish
