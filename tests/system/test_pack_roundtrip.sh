#!/bin/bash
# SPDX-License-Identifier: MIT
#
# What goes in comes out: trees made to break programs are packed whole, read
# back from the output by a program that shares nothing with bale, and
# compared byte by byte. LONG=1: more trees, and larger files.

BALE=${BALE:-$PWD/${BUILD:-build}/${MODE:-release}/bale}
# shellcheck source=tests/system/lib.sh
. tests/system/lib.sh
check=$tools/tool_pack
tree=$tools/tool_tree
everything=(--no-ignore --hidden -q)

# round_trip DIR ARGS...: all of it, and a part, with more than one worker.
round_trip() {
	local dir=$1
	shift
	run 0 pack --budget all "${everything[@]}" -o all.md "$@" "$dir"
	is "$check" check all all.md "$dir"
	run 0 pack --budget all "${everything[@]}" -o other.md --io read \
		--workers 1 "$@" "$dir"
	same other.md all.md
}

# round_trip_budget DIR N: some of it, in full, in part, or by signatures
round_trip_budget() {
	run 0 pack --budget "$2" --order path "${everything[@]}" -o part.md \
		--report report.json "$1"
	is "$check" check budget part.md "$1"
	is [ "$(grep -o '"output":{"tokens":[0-9]*' report.json |
		grep -oE '[0-9]+$')" -le "$2" ]
}

for ((seed = 1; seed <= 3 + 203 * ${LONG:-0}; seed++)); do
	mkdir tree
	"$tree" hostile tree $seed
	begin "hostile names and contents, tree $seed"
	round_trip tree
	round_trip_budget tree $((12000 + seed * 9000 % 70000))
	end
	rm -rf tree
done

mkdir tree
"$tree" edges tree 262144
begin 'files and lines that end where a slab does'
round_trip tree
round_trip tree --memory 64M --workers 1
end
begin 'files and lines that end where a slab does, to a budget'
round_trip_budget tree 200000
round_trip_budget tree 2000000
end
rm -rf tree

mkdir tree
"$tree" line tree/line.txt 3000000
"$tree" text tree/text.c 3000000
"$tree" text tree/text-again.c 3000000
printf '\n' | cat tree/line.txt - tree/text.c >tree/both.c
cat tree/text.c tree/line.txt >tree/no-newline.c
begin 'files and lines of megabytes'
round_trip tree
is [ "$(grep -ac '^## File: .* (same as ' all.md)" = 1 ]
end
begin 'files and lines of megabytes, to a budget'
round_trip_budget tree 500000
round_trip_budget tree 3000000
end
rm -rf tree

mkdir tree
for i in $(seq 1 400); do
	echo "one of many" >"tree/$i.txt"
	echo "one of $((i % 7))" >"tree/$i.c"
	: >"tree/$i.empty"
done
begin 'many duplicates are told as such'
round_trip tree
is [ "$(grep -ac '^## File: .* (same as ' all.md)" = 792 ]
is [ "$(grep -ac '^## File: .* (empty)$' all.md)" = 400 ]
end
rm -rf tree

mkdir tree
for i in $(seq 1 60); do
	printf 'file %s\n%060000d\n' "$i" 0 | tr 0 '`' >"tree/$i.md"
done
begin 'many files with long runs of backticks'
round_trip tree
end
rm -rf tree

mkdir tree
echo x >tree/after.md
head -c 700000 /dev/zero | tr '\0' '`' >tree/backticks.md
begin 'one file that is a single run of backticks'
round_trip tree
end
rm -rf tree

# A header of such a name is longer than that of most files.
mkdir tree
long=$(printf '\001%.0s' {1..250})
(
	cd tree || exit 1
	for ((i = 0; i < 14; i++)); do
		mkdir "$long" && cd "$long" || exit 1
	done
	for ((i = 0; i < 40; i++)); do
		echo same >"s$i"
		: >"e$i"
	done
)
begin 'paths almost as long as the system allows'
round_trip tree
end

# Deeper than any path can be told to open(2); only a walk gets there.
(
	cd tree || exit 1
	while cd "$long" 2>/dev/null; do :; done
	for ((i = 0; i < 14; i++)); do
		mkdir "$long" && cd "$long" || exit 1
	done
	echo 'at the bottom' >bottom
)
begin 'a path longer than the system allows'
run 0 pack --budget all "${everything[@]}" -o all.md --report report.json tree
is [ "$(grep -ac '^at the bottom$' all.md)" = 1 ]
end
rm -rf tree

mkdir tree
echo 'not too deep' >tree/file
deep=tree$(printf '/d%.0s' {1..400})
mkdir -p "$deep"
echo 'too deep' >"$deep/file"
begin 'directories deeper than the limit are named, not passed in silence'
run 3 pack --budget all "${everything[@]}" -o all.md --report report.json tree
is grep -q '"reason":"depth"' report.json
end
rm -rf tree

if [ "${LONG:-0}" != 0 ]; then
	mkdir tree
	limit=600
	"$tree" text tree/text.c 300000000
	"$tree" line tree/line.txt 200000000
	begin '300 MB of text and a line of 200 MB'
	run 0 pack --budget all "${everything[@]}" -o all.md \
		--report report.json tree
	is "$check" check all all.md tree
	is [ "$(figure report.json peak_pss_bytes)" -le 100663296 ]
	run 0 pack --budget all "${everything[@]}" -o all.md \
		--memory 64M --report report.json tree
	is "$check" check all all.md tree
	is [ "$(figure report.json peak_pss_bytes)" -le 67108864 ]
	run 0 pack --budget 1M --max-file-size 1G "${everything[@]}" -o all.md \
		tree
	is "$check" check budget all.md tree
	end
fi

finish
