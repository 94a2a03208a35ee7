#!/bin/bash
# SPDX-License-Identifier: MIT
#
# Golden files: what comes out for small trees is what golden/ says, byte for
# byte, with 1, 2 and 8 workers and however files are read.
# verifies: NFR-016-11, NFR-016c-17
#
#   UPDATE=1 tests/system/run.sh    writes golden/ anew, to be looked at
#
# The trees are made here, since much of what is in them does not survive
# version control: names, times, line ends, links.

BALE=${BALE:-$PWD/${BUILD:-build}/${MODE:-release}/bale}
# shellcheck source=tests/system/lib.sh
. tests/system/lib.sh
golden=$repository/tests/system/golden

readers=(read)
mkdir probe && echo text >probe/file
if "$BALE" pack --io uring -q probe >/dev/null 2>&1; then
	readers+=(uring)
else
	skip 'golden files through io_uring' 'the kernel does not let us'
fi

# ------------------------------------------------------------ the trees --

# put FILE: what is read becomes the file.
put() {
	mkdir -p "$(dirname "$1")"
	cat >"$1"
}

lines() {
	local i

	for ((i = 1; i <= $1; i++)); do
		echo "line $i of $2: the quick brown fox jumps over it"
	done
}

make_project() {
	put project/README.md <<'END'
# A project

```c
int in_a_fence;
```

Four of them:

````
```
````
END
	put project/Makefile <<<$'all:\n\tcc -o main src/main.c'
	put project/src/main.c <<'END'
#include "util.h"

int
main(void)
{
	return util(); /* TODO: more */
}
END
	put project/src/util.h <<<'int util(void);'
	put project/src/util.c < <(lines 60 util)
	put project/src/copy.c <project/src/util.c
	put project/src/deep/er/still.py < <(lines 9 still)
	put project/src-old/main.c <<<'int old;'
	put project/docs/guide.txt < <(lines 700 guide)
	put project/.gitignore <<'END'
*.log
/build/
docs/draft*
!docs/draft-final.txt
END
	put project/a.log <<<'never'
	put project/build/out.c <<<'never'
	put project/docs/draft.txt <<<'never'
	put project/docs/draft-final.txt <<<'again'
	put project/docs/.gitignore <<<'*.tmp'
	put project/docs/x.tmp <<<'never'
	put project/.hidden/file <<<'hidden'
	put project/.env.example <<<'A=1'
	put project/empty.c </dev/null
	printf 'a\0b' | put project/binary.bin
}

make_odd() {
	put odd/'plain name with blanks' <<<'blanks'
	put odd/' leading' <<<'leading blank'
	put odd/$'new\nline' <<<'newline in the name'
	put odd/$'tab\tand "quotes"' <<<'tab and quotes'
	put odd/$'\e[31mred' <<<'escape'
	put odd/$'invalid \xff\xfe utf-8' <<<'invalid name'
	put odd/$'right\u202eto left' <<<'bidi'
	put odd/'back\slash' <<<'backslash'
	put odd/'größe-世界.txt' <<<'utf-8: größe 世界 🎉'
	put odd/'-o' <<<'a name like an option'
	put odd/'a (empty)' <<<'not empty'
	put odd/'a (lines 1-9)' <<<'one line'
	put odd/empty </dev/null
	put odd/crlf.txt <<<$'one\r\ntwo\r\nthree\r'
	printf 'no newline' | put odd/no-newline
	printf 'no newline' | put odd/no-newline-again
	printf '\n' | put odd/only-newline
	printf '\n\n\n' | put odd/only-newlines
	printf '```' | put odd/fence-at-end
	printf '```\n`````\n``' | put odd/fences
	printf 'invalid \xff\xc3 bytes\n' | put odd/invalid-text
	printf 'gr\xf6\xdfer als\n' | put odd/latin-1.txt
	printf '\xff\xfeo\0d\0d\0\n\0' | put odd/utf-16.txt
	printf '\xef\xbb\xbfwith a mark\n' | put odd/utf-8-mark.txt
	printf '<|endoftext|><|im_start|>\n' | put odd/special-tokens
	put odd/own-output <<'END'
quoted, since an output itself is left out:
## File: odd/empty (lines 1-2)
```
fake
```

## File: odd/none (empty)

// ... (lines 3-9)
END
	ln -s own-output odd/link
	ln -s / odd/root
	mkfifo odd/fifo
}

make_project
make_odd
find project odd -exec touch -h -d '2024-01-02 03:04:05 UTC' {} +
touch -d '2024-02-02 03:04:05 UTC' project/src/main.c

# ------------------------------------------------------------- the cases --

# golden NAME ARGS...: stdout of bale is golden/NAME, whoever makes it.
golden() {
	local file=$golden/$1 workers io
	shift

	begin "golden: ${file##*/}: bale $*"
	if [ -n "${UPDATE:-}" ]; then
		run 0 "$@"
		mkdir -p "$golden"
		[ -n "$why" ] || cp out "$file"
	fi
	for io in "${readers[@]}"; do
		for workers in 1 2 8; do
			run 0 "$@" -q --io "$io" --workers "$workers"
			same out "$file"
		done
	done
	run 0 "$@" -q --workers 2 --memory 64M
	same out "$file"
	end
}

whole="--reserve-response 0 --reserve-system 0"

# verifies: NFR-016-29, NFR-016-30, FR-016-94, NFR-016-44
golden project-all.md pack --budget all project
golden project-everything.md pack --budget all --no-ignore --hidden project
# shellcheck disable=SC2086  # words are wanted
golden project-budget.md pack --budget 2000 $whole project
# shellcheck disable=SC2086
golden project-tight.md pack --budget 120 $whole project
golden project-reserves.md pack --window 11k --reserve-response 8k \
	--reserve-system 2k project
golden two-roots.md pack --budget all project/src project/docs
golden file-and-root.md pack --budget all project/README.md project/src-old
golden single-file.md pack --budget all project/src/main.c
golden include.md pack --budget all --include '*.c' --include '*.h' project
golden exclude.md pack --budget all --exclude src --exclude '*.txt' project
golden include-exclude.md pack --budget all --include '*.c' \
	--exclude 'src/deep/' --exclude copy.c project
golden max-file-size.md pack --budget all --max-file-size 1K project
golden cl100k.md pack --budget all --encoding cl100k_base project/src
golden odd-all.md pack --budget all odd
# shellcheck disable=SC2086
golden odd-budget.md pack --budget 700 $whole odd
# verifies: FR-016-121, FR-016-122, FR-016-123, FR-016-137
for format in xml json jsonl plain; do
	golden "project.$format" pack --budget all --format $format --tree \
		--header 'What follows is ]]> "a project" <of> `ours`.' project
	golden "odd.$format" pack --budget all --format $format odd
	golden "odd-numbers.$format" pack --budget all --format $format \
		--line-numbers --unicode escape odd
	# shellcheck disable=SC2086
	golden "part.$format" pack --budget 2000 $whole --format $format \
		--unicode strip project
done
golden odd-numbers.md pack --budget all --line-numbers odd
golden tree.md pack --budget all --tree --unicode escape odd
# shellcheck disable=SC2086
golden preview.txt preview --budget 2000 $whole project
golden preview-all.txt preview --budget all odd

begin 'golden: without a path it is the current directory'
cd project || exit 1
"$BALE" pack --budget all -q >../here
cd .. || exit 1
sed 's|^## File: project/|## File: |; s|(same as project/|(same as |' \
	"$golden/project-all.md" >want
same here want
end

begin 'a name is told as it was typed'
run 0 pack --budget all --hashes off -q --paths absolute project/src-old
is grep -qxF "## File: $PWD/project/src-old/main.c (lines 1-1)" out
run 0 pack --budget all -q ./project/src-old
is grep -qE '^## File: (\./)?project/src-old/main.c ' out
run 0 pack --budget all --hashes off -q project/src-old/
is grep -qxF '## File: project/src-old/main.c (lines 1-1)' out
end

begin 'the same root twice gives each file once'
run 0 pack --budget all -q project/src project/src
is [ "$(grep -c '^## File: .*main\.c' out)" = 1 ]
end

begin 'output file, stdout and a pipe get the same bytes'
run 0 pack --budget all -q project -o file.md
run 0 pack --budget all -q project
same out file.md
"$BALE" pack --budget all -q project | cat >piped
same piped file.md
run 0 pack --budget all -q project -o -
same out file.md
end

begin 'every file seen is packed or left out for a reason'
run 0 pack --budget all --report report.json -o file.md odd project
seen=$(figure report.json seen)
packed=$(figure report.json packed)
skipped=$(figure report.json skipped)
is [ "$((packed + skipped))" = "$seen" ]
is [ "$(figure report.json bytes)" = "$(stat -c %s file.md)" ]
end

# verifies: FR-016-94
for budget in 60 100 150 333 500 1000 1500 3000 9999; do
	begin "a budget of $budget tokens is kept, and what is in it is true"
	# shellcheck disable=SC2086
	run 0 pack --budget $budget $whole -o file.md \
		--report report.json \
		project odd
	tokens=$(grep -o '"output":{"tokens":[0-9]*' report.json |
		grep -oE '[0-9]+$')
	is [ "$tokens" -le "$budget" ]
	is "$tools/tool_pack" check budget file.md project odd
	end
done

finish
