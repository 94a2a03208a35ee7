#!/bin/bash
# SPDX-License-Identifier: MIT
#
# Each lint has to be able to fail: feeds every one a good example, which it
# must pass, and bad ones, which it must refuse with the words expected.

set -u

lints=$PWD/tests/lint
scratch=$(mktemp -d "${TMPDIR:-/tmp}/bale-lint.XXXXXX") || exit 1
trap 'rm -rf "$scratch"' EXIT
export BUILD=build MODE=release PURE_SYMBOLS=$lints/pure_symbols.txt
n=0 failed=0

# put FILE: writes its input to FILE of the example, with an SPDX line.
put() {
	mkdir -p "$(dirname "$1")"
	{
		echo '// SPDX-License-Identifier: MIT'
		cat
	} >"$1"
}

# example NAME: starts a new, good example.
example() {
	cd "$scratch" && rm -rf tree && mkdir tree && cd tree || exit 1
	name=$1
	echo '#include <fcntl.h>' | put shm/ring.c
	printf '#include "%s.h"\n' base/base catalogue/desc | put stages/chunk/chunk_cut.c
	echo '#include "stages/worker.h"' | put stages/chunk/chunk_worker.c
	echo '#include <liburing.h>' | put stages/collect/collect_io_uring.c
	printf 'int\ncut(void)\n{\n\treturn 0;\n}\n' |
		put rank/rank.c
	echo '#include "stages/stage.h"' | put cli/main.c
}

compile() {
	local c
	for c in $(find stages tokenizer rank -name '*.c' 2>/dev/null); do
		mkdir -p "build/release/$(dirname "$c")"
		# The headers do not exist; only what a file calls matters.
		grep -v '^#include "' "$c" | gcc -O1 -w -c -x c \
			-o "build/release/${c%.c}.o" - || exit 1
	done
}

ok() {
	n=$((n + 1))
	echo "ok $n - $1"
}

not_ok() {
	n=$((n + 1)) failed=$((failed + 1))
	echo "not ok $n - $1"
	printf '%s\n' "${2:-}" | sed 's/^/# /'
}

# passes LINT: the example is fine.
passes() {
	local said
	if said=$("$lints/$1.sh" 2>&1); then
		ok "$1 passes $name"
	else
		not_ok "$1 refuses $name" "$said"
	fi
}

# refuses LINT WORDS: the example is not, for the reason with these words.
refuses() {
	local said
	if said=$("$lints/$1.sh" 2>&1); then
		not_ok "$1 does not see $name"
	elif ! grep -qF -- "$2" <<<"$said"; then
		not_ok "$1 on $name does not say: $2" "$said"
	else
		ok "$1 sees $name"
	fi
}

example 'a good tree'
rm stages/collect/collect_io_uring.c # liburing need not be here
compile
passes lint_includes
passes lint_purity
passes lint_sizes
passes lint_words
passes lint_complexity
passes lint_comments

# include FILE HEADER: FILE may not include HEADER.
include() {
	example "$1 with $2"
	echo "#include $2" | put "$1"
	refuses lint_includes "$1:2: may not include $2"
}
include shm/ring.c '"stages/stage.h"'
include shm/ring.c '<zstd.h>'
include tokenizer/bpe.c '"shm/ring.h"'
include tokenizer/bpe.c '<unistd.h>'
include stages/chunk/chunk_cut.c '"stages/dedup/dedup.h"'
include stages/chunk/chunk_cut.c '"shm/ring.h"'
include stages/chunk/chunk_cut.c '<sys/stat.h>'
include stages/chunk/chunk_cut.c '<stdatomic.h>'
include stages/chunk/chunk.h '"stages/worker.h"'
include stages/collect/collect_io_walk.c '<liburing.h>'
include stages/dedup/dedup_io_uring.c '<zstd.h>'
include stages/chunk/chunk_worker.c '"stages/count/count.h"'
include stages/chunk/chunk_worker.c '<yaml.h>'
include stages/worker.c '"stages/chunk/chunk.h"'
include stages/stage_table.c '"supervisor/spawn.h"'
include window/window.c '"shm/ring.h"'
include supervisor/spawn.c '"stages/worker.h"'
include supervisor/spawn.c '"tokenizer/bpe.h"'
example 'an include relative to its folder'
echo '#include "ring.h"' | put shm/ring.c
refuses lint_includes 'from the root'
example 'units of a folder that include each other'
echo '#include "rank/points.h"' | put rank/query.h
echo '#include "rank/query.h"' | put rank/points.c
refuses lint_includes 'circle rank/points rank/query'

example 'logic that makes a system call'
printf 'int getpid(void);\nint f(void);\nint f(void) { return getpid(); }\n' |
	put stages/chunk/chunk_cut.c
compile
refuses lint_purity 'stages/chunk/chunk_cut.c: plain logic calls getpid'
example 'a tokenizer that sorts with libc'
printf 'void qsort();\nvoid f(void) { qsort(); }\n' | put tokenizer/bpe.c
compile
refuses lint_purity 'tokenizer/bpe.c: plain logic calls qsort'
example 'logic that was not built'
compile
rm build/release/stages/chunk/chunk_cut.o
refuses lint_purity 'build first'

example 'a file of 801 lines'
yes '/* */' | head -n 800 | put shm/ring.c
refuses lint_sizes 'shm/ring.c: 801 lines'
example 'a long file that says why'
{
	echo '/* lint: long because it is a table */'
	yes '/* */' | head -n 800
} | put shm/ring.c
passes lint_sizes

example 'a unit without a test'
mkdir -p tests/unit/{shm,rank}
refuses lint_units 'shm/ring.c: has no test of its name'
example 'units with tests'
for test in shm/test_ring chunk/test_chunk_cut chunk/test_chunk_worker \
	collect/test_collect_io_uring rank/test_rank cli/test_main; do
	echo 'int x;' | put "tests/unit/$test.c"
done
echo 'int x;' | put rank/rank_avx2.c
passes lint_units

function_of() {
	printf 'int\nlong_one(void)\n{\n%s' "$2"
	yes '	;' | head -n "$1"
	printf '}\n'
}
example 'a function of 62 lines'
function_of 60 '' | put shm/ring.c
refuses lint_sizes 'function long_one has 62 lines'
example 'a function of 60 lines'
function_of 58 '' | put shm/ring.c
passes lint_sizes
example 'a long function that says why'
{
	yes '/* */' | head -n 60
	function_of 80 '	/* lint: long because it is a switch */
'
} | put shm/ring.c
passes lint_sizes

example 'a function of 6 parameters'
printf 'int\nlong_one(int a, int (*b)(int, int), int c, int d,\n\t int e, int f)\n{\n}\n' |
	put shm/ring.c
refuses lint_sizes 'function long_one has more than 5 parameters'
example 'a worker file of 201 lines'
yes '/* */' | head -n 200 | put stages/chunk/chunk_worker.c
refuses lint_sizes 'stages/chunk/chunk_worker.c: 201 lines'

ways() {
	printf 'int\nwinding(int i)\n{\n'
	yes '	i += i > 3;
	if (i)
		i--;' | head -n $((3 * ($1 - 1)))
	printf '\treturn i;\n}\n'
}
if command -v pmccabe >/dev/null; then
	example 'a function of 20 ways'
	ways 20 | put shm/ring.c
	refuses lint_complexity 'shm/ring.c:3: function winding has 20 ways'
	example 'a function of 19 ways'
	ways 19 | put shm/ring.c
	passes lint_complexity
	example 'what pmccabe does not understand'
	echo 'int f(void) { { return 0; }' | put shm/ring.c
	refuses lint_complexity 'shm/ring.c'
fi

example 'sources that call each other'
printf 'int g(void);\nint f(void) { return g(); }\n' | put rank/one.c
printf 'int h(void);\nint g(void) { return h(); }\n' | put rank/two.c
printf 'int h(void) { return 0; }\n' | put rank/three.c
compile
passes lint_circles
printf 'int f(void);\nint h(void) { return f(); }\n' | put rank/three.c
compile
refuses lint_circles 'in a circle: rank/one rank/three rank/two'

example 'a prototype without a comment'
printf '\n/* Cuts. */\nint\ncut(void);\n\nint\njoin(void);\n' |
	put stages/chunk/chunk.h
refuses lint_comments 'stages/chunk/chunk.h:8: join has no comment'
example 'a function in line without a comment'
printf '\n/* One. */\nint one;\n\nstatic inline int\nf(void)\n{\n}\n' |
	put shm/ring.h
refuses lint_comments 'shm/ring.h:7: f has no comment'
example 'prototypes that share a comment'
printf '\n/* Cuts and joins. */\nint\ncut(void);\nint\njoin(void);\n' |
	put stages/chunk/chunk.h
passes lint_comments

# In two halves, for these words are not to be found here either.
word() {
	example "the words $2$3"
	printf '/* %s%s */\n' "$2" "$3" | put shm/ring.c
	refuses lint_words "$1: shm/ring.c:2:"
}
word 'path of a machine' /wo rk/x
word 'path of a machine' '"/ho' 'me/me"'
word 'number of an issue' 'see issue' ' 12'
word 'number of an issue' 'Issue' ' #7'
word 'host of a registry' registry.npmjs .org
word 'host of a registry' deb.debian .org
word 'left to do' TO 'DO: later'
word 'left to do' FIX ME
wait_in() {
	example "$3"
	printf '\n%s\n' "$3" | put "$2"
	refuses lint_words "$1: $2:3:"
}
wait_in 'a wait for time to pass' tests/test_x.sh 'sleep 0.5'
wait_in 'a wait for time to pass' tests/kill/x.sh "program 'sleep 10'"
wait_in 'a limit by the clock' tests/test_x.sh 'timeout 20 bale'
wait_in 'a limit by the clock' tests/test_x.sh '	x || timeout -k 5 20 bale'
wait_in 'a wait for time to pass' tests/test_x.c '	usleep(100);'
wait_in 'a wait for time to pass' tests/test_x.c '	alarm(100);'
example 'a wait for what is to happen'
printf '\nuntil [ -e f ]; do\n\tsleep 0.02\ndone\n' | put tests/test_x.sh
passes lint_words
example 'a name that was given up'
echo 'int twin_''of;' | put shm/ring.c
refuses lint_words 'name that was given up: shm/ring.c:2:'
example 'the same word in prose'
printf '/* it was\n * told so */\nchar *s = "told"; /* told */\n' | put shm/ring.c
passes lint_words
example 'a source without SPDX line'
echo 'int x;' >shm/ring.c
refuses lint_words 'no SPDX line: shm/ring.c'
example 'a marker table'
echo '/* TO''DO */' | put stages/chunk/chunk_markers.c
passes lint_words

echo "1..$n"
[ $failed = 0 ]
