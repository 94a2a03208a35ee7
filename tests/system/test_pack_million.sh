#!/bin/bash
# SPDX-License-Identifier: MIT
#
# A million empty files: in bounded memory, and in time that grows as their
# number does. LONG=1 runs it; a twenty-fifth of it is run otherwise.

set -u
BALE=${BALE:-build/release/bale}
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT
n=0
most=40000
[ "${LONG:-0}" = 0 ] || most=1000000

# ok CODE NAME WHY
ok() {
	n=$((n + 1))
	if [ "$1" = 0 ]; then
		echo "ok $n - $2"
	else
		echo "not ok $n - $2"
		echo "# $3"
	fi
}

# make NR: empty files, a thousand in each of some folders, the rest in one
make_tree() {
	rm -rf "$dir/in"
	mkdir -p "$dir/in/flat"
	(cd "$dir/in" && seq -f 'd%.0f' 1 100 | xargs mkdir &&
		for i in {1..100}; do
			seq -f "d$i/%07.0f.c" 1 $(($1 / 200))
		done | xargs touch &&
		seq -f 'flat/%07.0f.c' 1 $(($1 / 2)) | xargs touch &&
		echo text >text.txt)
}

# user and system time of all processes, in ms
spent() {
	local TIMEFORMAT='%U %S'
	{ time "$BALE" pack --budget all -q -o "$dir/out" \
		--report "$dir/report" "$dir/in" 2>"$dir/err"; } 2>&1 |
		awk '{ printf "%d\n", ($1 + $2) * 1000 + 1 }'
}

make_tree $((most / 4))
few_ms=$(spent)
make_tree $most
all_ms=$(spent)
[ -s "$dir/out" ]
ok $? "$most empty files are packed" "$(head -3 "$dir/err")"
seen=$(grep -o '"seen":[0-9]*' "$dir/report" | head -1)
[ "$seen" = "\"seen\":$((most + 1))" ]
ok $? "each of them is seen" "$seen"
peak=$(sed -n 's/.*"peak_pss_bytes":\([0-9]*\).*/\1/p' "$dir/report")
[ "${peak:-0}" -gt 0 ] && [ "$peak" -lt $((96 << 20)) ]
ok $? "in less than 96 MiB: $((${peak:-0} >> 20)) MiB" "peak $peak bytes"
[ "$all_ms" -lt $((few_ms * 7)) ]
ok $? "four times as many take $((all_ms * 10 / few_ms)) tenths of the time" \
	"$few_ms ms, then $all_ms ms"

# Files that include each other, from all over the tree: what is known of them
# is looked at in no order, and has to be given back all the same.
if [ "${LONG:-0}" != 0 ]; then
	rm -rf "$dir/in"
	mkdir -p "$dir/in"
	awk -v top="$dir/in" 'BEGIN {
		srand(1)
		for (i = 0; i < 400000; i++) {
			folder = sprintf("%s/%03d", top, i % 400)
			if (i < 400)
				system("mkdir " folder)
			file = sprintf("%s/a_name_of_some_length_%06d.h",
				folder, i)
			for (j = 0; j < 6; j++) {
				of = int(rand() * 400000)
				printf "#include \"%03d/%s%06d.h\"\n", of % 400,
					"a_name_of_some_length_", of > file
			}
			printf "int number_%d;\n", i > file
			close(file)
		}
	}'
	"$BALE" pack --budget 118k -q -o "$dir/out" --report "$dir/report" \
		"$dir/in" 2>"$dir/err"
	peak=$(sed -n 's/.*"peak_pss_bytes":\([0-9]*\).*/\1/p' "$dir/report")
	[ "${peak:-0}" -gt 0 ] && [ "$peak" -lt $((96 << 20)) ]
	ok $? "400000 files that include others: $((${peak:-0} >> 20)) MiB" \
		"peak $peak bytes; $(head -3 "$dir/err")"
fi
echo "1..$n"
