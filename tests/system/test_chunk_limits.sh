#!/bin/bash
# SPDX-License-Identifier: MIT
#
# --max-chunk-tokens, --min-chunk-tokens and --chunk: every range of lines that
# is selected is cut out of its file and counted again, by `bale count`.
#
# verifies: AC-016-007
# verifies: FR-016-42, FR-016-43, FR-016-44, FR-016-45, FR-016-46, FR-016-48
# verifies: AC-016-006

BALE=${BALE:-$PWD/${BUILD:-build}/${MODE:-release}/bale}
# shellcheck source=tests/system/lib.sh
. tests/system/lib.sh

mkdir tree
cp "$repository"/{lang,stages/chunk}/*.c "$repository"/docs/*.md \
	"$repository"/tests/oracle/*.json tree/
# dense, without spaces; Chinese, in lines and without; one long line
head -c 60000 "$BALE" | od -An -tx1 | tr -d ' ' | fold -w 71 >tree/dense.txt
for i in $(seq 900); do
	printf '第%s行：内核通过环形缓冲区把描述符交给下一个进程。\n' "$i"
done >tree/chinese.md
tr -d '\n' <tree/chinese.md >tree/chinese.txt
seq 9000 | tr '\n' ';' >tree/minified.js
printf '\nvar a;\n' >>tree/minified.js

# What was cut out before is written over: the first of them are counted alone.
mkdir pieces

# ranges ARGS...: what preview selects, as lines of "tokens first last path";
# counted is what `bale count` makes of the same lines.
ranges() {
	run 0 preview "${ranges_of:-tree}" --budget 5M --no-dedup --json "$@"
	python3 - out >ranges <<'END'
import json, sys
lines = {}
for i, x in enumerate(json.load(open(sys.argv[1]))["selected"]):
    path, first, last = x["path"], x["start_line"], x["end_line"]
    if path not in lines:
        lines[path] = open(path, "rb").read().split(b"\n")
    text = b"\n".join(lines[path][first - 1:last])
    with open("pieces/%d" % i, "wb") as out:
        out.write(text + b"\n" if last < len(lines[path]) else text)
    print(x["tokens"], first, last, path)
END
	nr=$(wc -l <ranges)
	(cd pieces && seq 0 $((nr - 1)) | xargs "$BALE" count --no-config) |
		awk '$2 != "total" { print $1 }' >counted
	is [ "$(wc -l <counted)" = "$nr" ]
}

# within MAX: no range of more than one line has more; figures are true.
within() {
	paste -d ' ' counted ranges | awk -v max="$1" '
		$1 != $2 { print "counted " $0; bad = 1 }
		$1 > max && $3 != $4 { print "too many " $0; bad = 1 }
		END { exit bad }' >wrong
	is [ ! -s wrong ]
	[ ! -s wrong ] || complain "$(head -n 3 wrong)"
}

for max in 2000 300 50; do
	begin "no chunk has more than $max tokens"
	ranges --max-chunk-tokens $max
	within $max
	is [ "$(wc -l <ranges)" -gt 60 ]
	end
done

begin 'the one line that has is counted in the report'
is [ "$(python3 -c 'import json
print(json.load(open("out"))["chunks"]["long_lines"])')" -ge 2 ]
end

# roomy MAX MIN: no chunk has fewer than MIN whose neighbour has room for it,
# lines apart that have more than MAX themselves.
roomy() {
	python3 - ranges "$1" "$2" <<'END' >pairs
import sys
most, least = int(sys.argv[2]), int(sys.argv[3])
nr, last = 0, None
for x in sorted((p, int(a), int(b), int(n)) for n, a, b, p in
                (line.split() for line in open(sys.argv[1]))):
    if last and last[0] == x[0] and last[2] + 1 == x[1] and \
            min(last[3], x[3]) < least and max(last[3], x[3]) <= most:
        lines = open(x[0], "rb").read().split(b"\n")
        text = b"\n".join(lines[last[1] - 1:x[2]])
        with open("pieces/%d" % nr, "wb") as out:
            out.write(text + b"\n" if x[2] < len(lines) else text)
        print(*last, *x)
        nr += 1
    last = x
END
	: >wrong
	[ ! -s pairs ] ||
		(cd pieces && seq 0 $(($(wc -l <../pairs) - 1)) |
			xargs "$BALE" count --no-config) |
		awk '$2 != "total" { print $1 }' | paste -d ' ' - pairs |
			awk -v max="$1" '$1 <= max' >wrong
	is [ ! -s wrong ]
	[ ! -s wrong ] || complain "$(head -n 3 wrong)"
}

begin 'small neighbours are joined'
ranges --min-chunk-tokens 600 --chunk structure
within 2000
few=$(awk '$1 < 600' ranges | wc -l)
# one for each file may be what is left at its end
is [ "$few" -le "$(find tree -type f | wc -l)" ]
rm -rf code && mkdir code
cp "$repository"/lang/[a-l]*.c "$repository"/docs/*.md code
ranges_of=code ranges --max-chunk-tokens 700
roomy 700 100
end

begin 'a definition that is no more than a chunk is one'
{
	printf 'int f(void)\n{\n'
	for i in $(seq 105); do
		printf '\tprintf("value %%d of %%s\\n", %d, name);\n' "$i"
	done
	printf '\treturn 0;\n}\n'
} >one.c
{
	printf 'class A:\n    def big(self):\n'
	for i in $(seq 120); do
		printf '        self.values.append(compute(%d, "x"))\n' "$i"
	done
	printf '\n    def other(self):\n        return 3\n'
} >one.py
for file in one.c one.py; do
	ranges_of=$file ranges
	is [ "$(awk '$1 > 1400 && $1 < 2000 { print $2 }' ranges)" = 1 ]
done
for i in $(seq 40); do
	printf 'int f%s(void)\n{\n' "$i"
	seq -f '	call(%g);' $((i * 7 % 90 + 1))
	printf '}\n\n'
done >many.c
ranges_of=many.c ranges --max-chunk-tokens 400
# all that begin a function within a chunk end it there
awk '{ print $2, $3 }' ranges | sort -n >chunks
awk 'NR == FNR { end[$1] = $2; for (i = $1; i <= $2; i++) of[i] = $1; next }
	/^int f/ { from = FNR; lines = 0 }
	/call/ { lines++ }
	/^}/ && lines * 4 < 390 && of[from] != of[FNR] { print from }' \
	chunks many.c >torn
is [ ! -s torn ]
end

begin 'by lines'
ranges --chunk lines:20
within 2000
is [ -z "$(awk '$3 - $2 > 19' ranges)" ]
is grep -qE '^[0-9]+ 21 40 tree/lex.c$' ranges
end

begin 'by tokens'
ranges --chunk tokens:200
within 200
end

begin 'the configuration file says it as well'
mkdir -p .agent
printf 'context:\n  chunking:\n    max_chunk_tokens: 120\n    min_chunk_tokens: 20\n' \
	>.agent/config.yml
ranges
within 120
printf 'context:\n  chunking:\n    mode: lines:7\n' >.agent/config.yml
ranges
is [ -z "$(awk '$3 - $2 > 6' ranges)" ]
printf 'context:\n  chunking:\n    mode: pages\n' >.agent/config.yml
run 2 preview tree
says "--chunk: invalid value pages: expected structure"
rm -r .agent
end

begin 'the same bytes for any number of workers'
for w in 1 2 8; do
	run 0 pack tree -q --budget 20k --chunk lines:9 --workers $w -o "file.$w"
	same "file.$w" file.1
	run 0 pack tree -q --budget 20k --max-chunk-tokens 90 --query scanner \
		--strip-comments --workers $w -o "strip.$w"
	same "strip.$w" strip.1
done
end

finish
