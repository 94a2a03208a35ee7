#!/bin/bash
# SPDX-License-Identifier: MIT
#
# What bale costs, in instructions: these are the same on a busy machine and on
# an idle one. valgrind counts them, of the program alone and not of the kernel,
# of tests/support/tool_cost.c, which packs in one process.
#
#   costs.sh            what was promised is kept, and nothing has grown
#   costs.sh --update   writes the lines of bench/costs.txt anew
#
# Promises are in milliseconds. A processor does several instructions in a
# nanosecond, so that one a nanosecond is a limit on the safe side: 50 ms are
# 50,000,000. bench/limits.sh measures the times themselves.
#
# bench/costs.txt has the instructions of parts and of whole runs, as this
# compiler makes them; GROWTH (3) per cent more than a line is a failure. Who
# means it writes the lines anew, and says why in the message of the change.

. tests/support/lib.sh

command -v valgrind >/dev/null && command -v callgrind_annotate >/dev/null ||
	skip_all 'there is no valgrind: make deps-dev'
tool=$PWD/$BUILD/$MODE/tests/support/tool_cost
tree=$PWD/$BUILD/$MODE/tests/support/tool_tree
lines=$PWD/bench/costs.txt
growth=${GROWTH:-3}
cd "$dir" || exit 1
export GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_SYSTEM=/dev/null BALE_CACHE=off

# measure NAME ARGUMENT...: NAME.facts and, in NAME.costs, what the functions of
# tool_cost.c cost.
measure() {
	local name=$1

	shift
	valgrind --tool=callgrind --callgrind-out-file="$name.counts" \
		"$tool" "$@" >"$name.facts" 2>"$name.said" || return
	callgrind_annotate --inclusive=yes --threshold=100 "$name.counts" |
		sed -n 's/^ *\([0-9,]*\) .*:cost_\([a-z0-9_]*\) \[.*/\2 \1/p' |
		tr -d , >"$name.costs"
}

# pack NAME TREE OPTION...
pack() {
	measure "$1" pack "${@:2}" --max-chunk-tokens 300 --io read -q \
		--no-last -o "$1.out"
}

# functions DIR FILES LINES: C, so many files of ten functions. The times of
# files are what recency goes by, so they are the same each time.
functions() {
	mkdir -p "$1"
	awk -v dir="$1" -v files="$2" -v lines="$3" 'BEGIN {
		for (i = 0; i < files; i++) {
			file = dir "/file_" i ".c"
			for (k = 0; k < 10; k++) {
				printf "static int\nfn_%d_%d(int a)\n{\n",
					i, k >file
				for (l = 0; l < lines; l++)
					printf "\tif (a == %d)\n\t\ta += " \
						"%d * %d;\n", l, i, k >file
				print "\treturn a;\n}\n" >file
			}
			close(file)
		}
	}'
	find "$1" -exec touch -d @1700000000 {} +
}

# words DIR NR: so many files of the words of sources.
words() {
	mkdir -p "$1"
	"$tree" many "$1" "$2" 22
	find "$1" -exec touch -d @1700000000 {} +
}

# history DIR COMMITS: as many, each of three of the files of DIR.
history() {
	(
		cd "$1" || exit 1
		git init -q -b main
		awk -v commits="$2" 'BEGIN {
			for (i = 0; i < commits; i++) {
				print "commit refs/heads/main"
				printf "committer A <a@b> %d +0000\n",
					1600000000 + 3600 * i
				printf "data <<.\nchange %d\n.\n", i
				for (k = 0; k < 3; k++) {
					printf "M 644 inline file_%d.c\n",
						(i * 7 + k * 11) % 200
					printf "data <<.\nint v%d_%d;\n.\n",
						i, k
				}
			}
		}' | git fast-import --quiet
	)
}

# 110 files of ten functions, a chunk each: somewhat more tokens than the budget
# has, so that there is something to choose.
functions tree 110 10
pack promised tree --budget 100k || {
	if grep -q 'Unrecognised instruction\|unhandled instr' promised.said; then
		skip_all 'valgrind does not know this processor'
	fi
	cat promised.said >&2
	exit 1
}
measure parts parts || exit 1
cat promised.costs parts.costs >costs
cat promised.facts parts.facts >facts

fact() {
	awk -v name="$1" '$1 == name { print $2 }' facts
}

# keeps NAME MS WHAT: its instructions are at most so many milliseconds'.
keeps() {
	local cost

	cost=$(awk -v name="$1" '$1 == name { print $2 }' costs)
	is "$([ "${cost:-0}" -gt 0 ] && [ "$cost" -le $(($2 * 1000000)) ] &&
		echo yes || echo "${cost:-nothing} instructions")" yes \
		"$3: $2 ms (${cost:-no} instructions)"
}

# at_least NAME NUMBER: there was so much to do.
at_least() {
	is "$(($(fact "$1") >= $2))" 1 "$(fact "$1") $1, at least $2"
}

at_least files 100
at_least chunks 1000
at_least planned 400
at_least tokens 80000
# verifies: NFR-016-01
keeps pack 500 'a whole pack'
# verifies: NFR-016-02
keeps count 50 'counting them, in both passes'
# verifies: NFR-016-05
keeps dedup 50 'finding what is there twice'
# verifies: NFR-016-06, NFR-016c-03, AC-016c-054
keeps select 25 'choosing among 1000 chunks'
# verifies: NFR-016-07
keeps format 50 'formatting'
# verifies: NFR-016-03
keeps rank_100 50 'ranking 100 chunks'
# verifies: NFR-016-04
keeps rank_1000 100 'ranking 1000 chunks'
is "$(fact duplicates)" 100 'each of 100 chunks is found again'
# verifies: NFR-016c-02
keeps duplicates 20 'digests of 100 chunks, looked for twice'
at_least cut 10
# verifies: NFR-016-08
keeps megabyte 200 'cutting a megabyte of source text'
# verifies: AC-016c-007
at_least counted 100000
keeps texts 50 'counting 100 texts'
# verifies: NFR-016c-01
is "$(awk -v counted="$(fact counted)" '$1 == "texts" {
	print $2 / counted * 1000 < 10e6
}' costs)" 1 'counting 1000 tokens: 10 ms'

# ---- nothing grows ----------------------------------------------------------

# 10 MB; 200 files with and without the commits that changed them; one file.
functions ten 500 30
words ten/words 1000
functions files 200 10
functions commits 200 10
history commits 400
functions one 1 10
{
	pack ten_megabytes ten --budget 128k || echo ten_megabytes >>failed
} &
pack one_file one --budget 64k || echo one_file >>failed
pack 200_files files --budget 64k || echo 200_files >>failed
pack history commits --budget 64k || echo history >>failed
pack query files --budget 64k --query 'fn_17 file_3' || echo query >>failed
wait
is "$(cat failed 2>/dev/null)" '' 'all runs come to their end'

# A line for each part, for the stages of the largest run, and for each run.
now() {
	sed 's/^/part /' parts.costs
	sed '/^pack /d; s/^/stage /' ten_megabytes.costs
	for run in one_file 200_files history query ten_megabytes; do
		sed -n "s/^pack /run $run /p" "$run.costs"
	done
}
made_by=$(
	"${CC:-gcc}" --version | head -n 1
	ldd --version | head -n 1
	grep -o -m 1 -w avx2 /proc/cpuinfo
)
now | sort >now
if [ "${1:-}" = --update ]; then
	{
		echo '# Instructions; make costs-update writes this file.'
		sed 's/^/# by /' <<<"$made_by"
		cat now
	} >"$lines"
elif [ "$(sed -n 's/^# by //p' "$lines")" != "$made_by" ]; then
	echo "ok $((++n)) - lines # SKIP they are of another compiler or libc"
else
	# NAME NOW LINE, of what is there once, too
	join -a 1 -a 2 -o 0,1.2,2.2 -e 0 \
		<(sed 's/ /_/' now) <(sed '/^#/d; s/ /_/' "$lines") >both
	while read -r name cost line; do
		is "$([ "$cost" -gt 0 ] && [ "$line" -gt 0 ] &&
			[ $((cost * 100)) -le $((line * (100 + growth))) ] &&
			echo yes || echo "$cost instructions")" yes \
			"$name: $line ($((line > 0 ? cost * 1000 / line - 1000 \
				: 0)) per mille more; make costs-update)"
	done <both
fi
done_testing
