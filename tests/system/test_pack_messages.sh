#!/bin/bash
# SPDX-License-Identifier: MIT
#
# What a run says so that its user can go on: which files are missing, what was
# not written, where to get a tree from, how to see what no terminal wants.

BALE=${BALE:-$PWD/${BUILD:-build}/${MODE:-release}/bale}
# shellcheck source=tests/system/lib.sh
. tests/system/lib.sh
unset BALE_PATHS
common=(-q --no-config --no-last)

mkdir -p tree/sub
for i in 1 2 3 4 5 6 7; do
	printf 'int\nf%d(int a)\n{\n\treturn a + %d;\n}\n' $i $i >tree/sub/$i.c
done
seq 3000 >tree/large.txt
cp -r tree here

begin 'an address is no PATH, and how it becomes one'
run 2 pack https://example.org/a/b.git
says 'clone it first: git clone --depth 100 https://example\.org/a/b\.git && bale pack b$'
run 2 tree git@example.org:a/c
says 'git clone --depth 100 git@example\.org:a/c && bale tree c$'
run 2 pack https://example.org/a/d/tree/main/lib#readme
says 'git clone --depth 100 https://example\.org/a/d && bale pack d$'
run 2 find 'a query' https://example.org/a/e/-/blob/main/f.c
says 'git clone --depth 100 https://example\.org/a/e && bale find QUERY e$'
run 2 count https://example.org/a/f/
says 'git clone --depth 100 https://example\.org/a/f && bale count f$'
run 2 pack github.com/a/g/tree/main
says 'git clone --depth 100 https://github\.com/a/g && bale pack g$'
mkdir -p gitlab.com/a/h && echo x >gitlab.com/a/h/x
run 0 pack "${common[@]}" gitlab.com/a/h --budget all
mkdir -p 'odd:/'
mkdir 'odd:/x' && echo x >'odd:/x/x'
run 0 pack "${common[@]}" 'odd://x' --budget all
run 2 pack nowhere:x
says 'nowhere:x: No such file'
end

begin 'the size of what does not fit is that of the files, not of signatures'
run 0 pack "${common[@]}" tree --compress --budget 150 --report report.json \
	-o out.md
all=$("$BALE" count --no-config tree | awk '{ gsub(",", ""); print $1 }')
said=$(grep -o 'content ([0-9,]* tokens)' report.json | tr -dc 0-9)
[ "$((said - all))" -ge -10 ] && [ "$((said - all))" -le 10 ] ||
	complain "$said tokens, not $all: $(grep -o 'content ([^"]*' report.json)"
mkdir both # signatures and, of some of their files, text as well
for i in 1 2 3 4 5 6; do
	for j in $(seq $((i * 60))); do
		printf 'int\nf%d_%d(int a)\n{\n\treturn a + %d;\n}\n\n' $i $j $j
	done >both/$i.c
done
run 0 pack "${common[@]}" both --budget 9k --report report.json -o out.md
head -n 1 out.md | grep -q '[1-9] in part, [1-9]* by signatures' ||
	complain "$(head -n 1 out.md)"
all=$("$BALE" count --no-config both | awk '{ gsub(",", ""); print $1 }')
said=$(grep -o 'content ([0-9,]* tokens)' report.json | tr -dc 0-9)
[ "$((said - all))" -ge -99 ] && [ "$((said - all))" -le 99 ] ||
	complain "$said tokens, not $all: $(grep -o 'content ([^"]*' report.json)"
end

begin 'why there is nothing to pack'
mkdir -p skipped/node_modules skipped/src
echo x >skipped/node_modules/x.js
echo x >skipped/src/x.js
run 9 pack "${common[@]}" skipped --include '*.tss' -o out.md
says 'nothing to pack: --include matches no file that can be packed$'
printf 'x\0y' >skipped/src/x.bin
run 9 pack "${common[@]}" skipped --include '*.bin' -o out.md
says 'nothing to pack: skipped/src/x.bin: not text, and 1 more'
end

begin 'verify takes the budget from the report'
run 0 pack "${common[@]}" tree --budget 2k --report report.json -o out.md
run 0 verify out.md --against report.json
grep -q '^  budget     2000: holds, [0-9]* left$' out || complain "$(cat out)"
run 8 verify out.md --against report.json --budget 9
run 0 verify out.md
if grep budget out; then complain 'nobody has said one'; fi
seq 3000 >>out.md
run 8 verify out.md --against report.json
end

begin 'unpack says why there are signatures, and what to do about it'
run 0 pack "${common[@]}" tree --compress --budget all -o signs.md
run 3 unpack signs.md -C back
says 'sub/1.c: only its signatures: not written'
is [ "$(grep -c 'signatures cannot be unpacked; pack without --compress' err)" = 1 ]
end

begin 'an output that is the same keeps its time'
for options in '--budget all' '--budget 2k' '--budget 2k --format json' \
	'--budget all -o out.md.zst'; do
	# shellcheck disable=SC2086
	run 0 pack "${common[@]}" here -o out.md $options
	file=out.md
	[ "${options%.zst}" = "$options" ] || file=out.md.zst
	touch -d @1700000000 $file
	# shellcheck disable=SC2086
	run 0 pack "${common[@]}" here -o out.md $options
	[ "$(stat -c %Y $file)" = 1700000000 ] || complain "$options: written again"
	echo 'int more;' >>here/sub/1.c
	# shellcheck disable=SC2086
	run 0 pack "${common[@]}" here -o out.md $options
	[ "$(stat -c %Y $file)" = 1700000000 ] &&
		complain "$options: not written again"
	rm $file
done
end

begin 'a part that is the same keeps its time'
for nr in 1 2 3; do seq "$nr" 1000 >here/"$nr"0.txt; done
run 0 pack "${common[@]}" here -o p.md --budget all --split 3k --no-preamble
touch -d @1700000000 p-*.md p.md.manifest.json
run 0 pack "${common[@]}" here -o p.md --budget all --split 3k --no-preamble
[ "$(stat -c %Y p-*.md p.md.manifest.json | sort -u)" = 1700000000 ] ||
	complain "written again"
sed -i s/^500$/501/ here/30.txt
run 0 pack "${common[@]}" here -o p.md --budget all --split 3k --no-preamble
[ "$(stat -c %Y p-001.md)" = 1700000000 ] || complain "the first one is not"
[ "$(stat -c %Y p.md.manifest.json)" = 1700000000 ] &&
	complain "the manifest is not written again"
run 0 verify p.md.manifest.json
end

begin 'a terminal gets a summary and a hint, unless it is asked for with -o -'
cat >terminal.py <<'EOF'
import os, pty, sys
pid, fd = pty.fork()
if pid == 0:
    os.execv(sys.argv[1], sys.argv[1:])
got = b""
while True:
    try:
        part = os.read(fd, 65536)
    except OSError:
        break
    if not part:
        break
    got += part
sys.stdout.write(got.decode())
sys.exit(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
EOF
python3 terminal.py "$BALE" pack here --no-config --no-last --budget 2k \
	--progress never >said
[ $? = 0 ] || complain "exit code $?"
grep -q '^tokens  .* of 2,000 available' said || complain "$(cat said)"
grep -q 'not written to a terminal; give -o FILE' said || complain "$(cat said)"
if grep -q '## File' said; then complain "it was written"; fi
python3 terminal.py "$BALE" pack here "${common[@]}" --budget all \
	--progress never >said
if grep -q '## File' said; then complain "all of it was written"; fi
python3 terminal.py "$BALE" pack here "${common[@]}" --budget 2k -o - >said
grep -q '## File' said || complain "it was asked for"
if grep -q 'terminal' said; then complain "a hint that nobody needs"; fi
python3 terminal.py "$BALE" pack here "${common[@]}" --budget 2k -o t.md >said
grep -q '## File' t.md || complain "no file"
end
finish
