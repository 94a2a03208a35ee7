#!/bin/bash
# SPDX-License-Identifier: MIT
#
# Twice as much of anything takes twice the instructions, not four times: files,
# chunks a file, copies of the same files, commits of the history; files and
# commits with a query as well. As in costs.sh valgrind counts them, of a pack in
# one process: they do not depend on how busy the machine is. What 2n more than n
# takes, and 4n more than 2n, leaves out what a run takes whatever its input.

. tests/support/lib.sh

command -v valgrind >/dev/null && command -v callgrind_annotate >/dev/null ||
	skip_all 'there is no valgrind: make deps-dev'
tool=$PWD/$BUILD/$MODE/tests/support/tool_cost
cd "$dir" || exit 1
export GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_SYSTEM=/dev/null BALE_CACHE=off

# The second difference may be so many tenths of the first, as where something
# is sorted; a stage where it is less than so many instructions is passed over.
most=30
least=100000

# make_files DIR FILES FUNCTIONS: each includes four others of its directory
make_files() {
	mkdir -p "$1"
	awk -v dir="$1" -v files="$2" -v functions="$3" 'BEGIN {
		for (i = 0; i < files; i++) {
			file = dir "/file_" i ".c"
			for (k = 1; k < 5; k++)
				printf "#include <file_%d.c>\n",
					(i * 7 + k) % files >file
			for (k = 0; k < functions; k++) {
				printf "int\nfn_%d_%d(int a)\n{\n", i, k >file
				for (l = 0; l < 10; l++)
					printf "\tif (a == %d)\n\t\ta += %d;\n",
						l, i * k >file
				print "\treturn a;\n}\n" >file
			}
			close(file)
		}
	}'
}

make_many() {
	make_files "$1" "$2" 4
}

make_large() {
	make_files "$1" 20 "$2"
}

make_copies() {
	local i

	for ((i = 0; i < $2; i++)); do
		make_files "$1/copy_$i" 12 4
	done
}

make_commits() {
	make_files "$1" 60 2
	git -C "$1" init -q -b main
	# by one process, as many as there are
	awk -v nr="$2" 'BEGIN {
		for (i = 1; i <= nr; i++) {
			printf "commit refs/heads/main\n"
			printf "committer a <a@b> %d +0000\n", 1700000000 + i
			text = "file " i % 60 " has a parser"
			printf "data %d\n%s\n", length(text), text
			text = "int v = " i ";"
			for (k = 0; k < 3; k++)
				printf "M 644 inline file_%d.c\ndata %d\n%s\n",
					(i * 3 + k) % 60, length(text), text
		}
	}' | git -C "$1" fast-import --quiet
}

# counts TREE OPTIONS...: "stage instructions" a line, in TREE.costs
counts() {
	local tree=$1
	shift
	# by their times files rank, and how often an output is made
	find "$tree" -name '*.c' -exec touch -d @1700000000 {} +
	valgrind --tool=callgrind --callgrind-out-file="$tree.counts" \
		--toggle-collect=cost_pack "$tool" pack "$tree" --budget 12k \
		--max-chunk-tokens 200 --io read -q --no-last -o "$tree.out" \
		"$@" >"$tree.facts" 2>"$tree.said" || return
	callgrind_annotate --inclusive=yes --threshold=100 "$tree.counts" |
		sed -n 's/^ *\([0-9,]*\) .*:cost_\([a-z]*\) \[.*/\2 \1/p' |
		tr -d , >"$tree.costs"
}

# grows NAME MAKE N OPTIONS...: each stage takes what grows as its input does
grows() {
	local name=$1 make=$2 nr=$3 i
	shift 3
	rm -rf ./[124] ./[124].*
	for i in 1 2 4; do
		{ "$make" $i $((nr * i)) && counts $i "$@"; } &
	done
	wait
	is "$(awk -v most=$most -v least=$least '
		{ of[$1, FILENAME] = $2; stages[$1] }
		END {
			for (stage in stages) {
				one = of[stage, "./2.costs"] - of[stage, "./1.costs"]
				two = of[stage, "./4.costs"] - of[stage, "./2.costs"]
				nr++
				if (two > least && two * 10 > one * most)
					printf "%s %d, then %d; ", stage, one, two
			}
			if (nr < 7)
				print "nothing counted"
		}' ./[124].costs 2>&1)" '' \
		"$name: twice as much takes twice the instructions"
}

query='fn 7 parser'
make_many 1 1
counts 1 --no-history || {
	if grep -q 'Unrecognised instruction' 1.said; then
		skip_all 'valgrind does not know this processor'
	fi
	cat 1.said >&2
	exit 1
}
# an overview is made once to three times, as its tokens fall, and of some sizes
# all signatures fit, of others a part: twice as many files or chunks may take
# three times as much for that alone. Of so many commits it is made as often as of
# twice and four times as many, with 14,000 tokens and with 6,000.
grows files make_many 50 --no-history --tiers off
grows 'files, with a query' make_many 50 --no-history --query "$query"
grows 'chunks a file' make_large 40 --no-history --tiers off
grows 'copies of a tree' make_copies 6 --no-history
grows commits make_commits 300 --budget 14k
grows 'commits, with a query' make_commits 240 --budget 6k --query "$query"
done_testing
