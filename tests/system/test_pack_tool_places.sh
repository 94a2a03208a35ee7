#!/bin/bash
# SPDX-License-Identifier: MIT
#
# Logs of tools that were at work elsewhere: a directory of the tree, one beside
# it, the same tree on another machine. What they name is found by the end of
# its path, if that is one file; what could be several is said.
#
# verifies: FR-016-20, FR-016-24, AC-016-003

# shellcheck source=tests/support/lib.sh
. tests/support/lib.sh

# taken LOG [PATH...]: files that are packed because of it, on one line
taken() {
	"$BALE" pack --tool "$1" "${@:2}" --no-config --no-last -q \
		2>"$dir/err" | sed -n 's/^## File: //p' | sed 's/ (lines.*//' |
		grep -v "^$dir" | tr '\n' ' '
}

# file PATH... : with content of their own
file() {
	for path in "$@"; do
		mkdir -p "$(dirname "$path")"
		for i in $(seq 20); do
			echo "int at_${path//[^a-z]/_}_$i(void);"
		done >"$path"
	done
}

repo=$dir/repo
log=$dir/log
mkdir "$repo" && cd "$repo" || exit 1
file crates/one/src/lib.rs crates/one/tests/it.rs crates/two/src/lib.rs \
	crates/two/src/only.rs packages/a/t/same.test.js \
	packages/b/t/same.test.js lib/x.c lib/deep/y.c src/x.c src/main.c \
	svc/pkg/inner/inner_test.go build/lib/y.c
echo '/build/' >.gitignore

# As cargo, npm, go and others have printed it, kept here.
printf '%s\n' '     Running unittests src/lib.rs (/w/target/debug/deps/one-c1)' \
	"thread 'tests::t' panicked at crates/one/tests/it.rs:5:10:" \
	'   4: two::tests::t' '             at ./src/only.rs:5:10' >"$log"
is "$(taken "$log")" "crates/one/tests/it.rs crates/two/src/only.rs " \
	"a backtrace names a file from its crate"
is "$(wc -c <"$dir/err")" 0 "and there is nothing to say of it"
printf '%s\n' '             at ./src/lib.rs:5:10' ' at ./src/lib.rs:7:1' >"$log"
is "$(taken "$log" .gitignore) $(grep -c 'warning: .*/log: ./src/lib.rs could be crates/one/src/lib.rs or crates/two/src/lib.rs, so it is ignored' \
	"$dir/err")" ".gitignore  0" "of one file as PATH there is nothing else to be found"
is "$(taken "$log") $(grep -c './src/lib.rs could be crates/one/src/lib.rs or crates/two/src/lib.rs, so it is ignored; name' \
	"$dir/err") $(wc -l <"$dir/err")" " 1 1" \
	"what could be two files is said, once, and not guessed"
{
	printf '   Compiling %s v0.1.0 (%s)\n' two "$repo/crates/two"
	echo '     Running unittests src/lib.rs (target/debug/deps/two-98fa70)'
	cat "$log"
} >"$log.2"
is "$(taken "$log.2") $(wc -c <"$dir/err")" "crates/two/src/lib.rs  0" \
	"cargo says which crate it is"
printf '%s\n' '' '> @x/b@1.0.0 test' '> jest' \
	'    at Object.<anonymous> (t/same.test.js:4:10)' \
	'npm error code 1' "npm error path /srv/ci/repo/packages/b" >"$log"
is "$(taken "$log") $(wc -c <"$dir/err")" "packages/b/t/same.test.js  0" \
	"npm says which workspace it is, of another machine"
sed -i '/npm error/d' "$log"
is "$(taken "$log") $(grep -c 'could be packages/a/t/same.test.js or packages/b' \
	"$dir/err")" " 1" "where it does not, nothing is guessed"
printf '%s\n' '--- FAIL: TestAdd (0.00s)' '    inner_test.go:7: bad' \
	'FAIL	example.com/org/svc/pkg/inner	0.007s' >"$log"
is "$(taken "$log")" "svc/pkg/inner/inner_test.go " \
	"go test in a module in a directory"
printf '%s\n' 'ninja: Entering directory `build'"'" \
	'../src/main.c:12:3: warning: unused' >"$log"
is "$(taken "$log")" "src/main.c " "ninja -C build"
echo '../src/main.c:12:3: warning: unused' >"$log"
is "$(taken "$log")" "src/main.c " "and ninja in it"
printf '%s\n' 'rootdir: /srv/ci/repo/svc' 'pkg/inner/inner_test.go:4: E' \
	>"$log"
is "$(taken "$log")" "svc/pkg/inner/inner_test.go " "pytest's rootdir"
printf '%s\n' '/srv/ci/repo/repo/src/main.c:4:1: error: x' \
	'/usr/lib/src/x.c:3: y' >"$log"
is "$(taken "$log")" "src/main.c " \
	"the same tree elsewhere, by its name; what is not of it stays away"
is "$(cd lib && "$BALE" pack "$repo" --tool "$log" --no-config --no-last -q \
	--explain 2>&1 >/dev/null | grep -c '^ [0-9.]* 1.000 .*/src/main.c:')" 1 \
	"whatever the directory is"
printf '%s\n' 'D:\a\repo\repo\src\main.c(12,3): error C2065: x' \
	'lib\x.c:3:1: error' '{"file":"svc\/pkg\/inner\/inner_test.go:4"}' >"$log"
is "$(taken "$log")" "lib/x.c src/main.c svc/pkg/inner/inner_test.go " \
	"a machine with other slashes"
printf '%s\n' 'deep/y.c:3:1: error' >"$log"
is "$(taken "$log")" "lib/deep/y.c " "what make says in a directory"
printf '%s\n' 'y.c:3:1: error' >"$log"
is "$(taken "$log")" "lib/deep/y.c " "what the ignore rules leave out is no other"
is "$(taken "$log" . --no-ignore --budget 2k >/dev/null
	grep -c 'y.c could be build/lib/y.c or lib/deep/y.c' "$dir/err")" 1 \
	"but for --no-ignore"
file app/com/x/Foo.java lib/org/y/Foo.java app/Thread.java app/Only.kt
printf '%s\n' '	at com.x.Foo.run(Foo.java:12)' '	at z.Only.run(Only.kt:3)' \
	'	at java.base/java.lang.Thread.run(Thread.java:1583)' >"$log"
is "$(taken "$log")" "app/Only.kt app/com/x/Foo.java " \
	"a stack trace of Java, by its packages"
printf '%s\n' 'repo/src/x.c:3:int' 'deep/y.c:4:int' >"$log"
is "$("$BALE" pack --search "$log" --no-config --no-last -q |
	grep -c '^## File: \(src/x.c\|lib/deep/y.c\) ')" 2 \
	"a search from above, and from below"
printf 'none/x.c:3:int\n' >"$log"
"$BALE" pack --search "$log" --no-config -q 2>"$dir/err"
is "$? $(grep -c 'none/x.c: No such file' "$dir/err")" "9 1" \
	"of which what is nowhere is said"
"$BALE" pack --reference deep/y.c -q 2>"$dir/err"
is "$? $(grep -c 'deep/y.c: No such file' "$dir/err")" "9 1" \
	"what the user names himself is not looked for"
if command -v make >/dev/null && command -v gcc >/dev/null; then
	printf 'all:\n\t-@gcc -fsyntax-only ../src/main.c deep/y.c 2>&1\n' \
		>lib/Makefile
	echo 'int f(void) { return missing; }' >lib/deep/y.c
	for more in "-C lib" "-C lib --no-print-directory"; do
		# shellcheck disable=SC2086  # words
		make $more >"$log" 2>&1
		is "$(taken "$log")" "lib/deep/y.c " "make $more"
	done
fi

mkdir -p "$dir/all/deep" && echo '*' >"$dir/all/.gitignore"
file "$dir/all/deep/z.c" && echo 'z.c:3: error' >"$log"
is "$("$BALE" pack --tool "$log" "$dir/all" --no-config --no-last -q --explain \
	2>&1 >/dev/null | grep -c '^ [0-9.]* 1.000 .*/deep/z.c:')" 1 \
	"where the ignore rules leave nothing, as without them"

is "$(cd "$dir/all" && echo int >other.c && taken "$log" .)" \
	".gitignore deep/z.c other.c " "and the tree is packed with it"

# Random trees and logs, beside the rule written down once more.
mkdir "$dir/many" && cd "$dir/many" || exit 1
python3 - "$log" <<'END'
import os, random, sys
random.seed(7)
parts = ["a", "b", "src", "many", "x.c", "y.c", "lib"]
files = set()
while len(files) < 120:
    path = "/".join(random.choices(parts, k=random.randint(1, 5))) + ".h"
    files.add(path)
for path in files:
    os.makedirs(os.path.dirname("./" + path), exist_ok=True)
    with open(path, "w") as f:
        f.write("int f%d;\n" % random.getrandbits(64))
named = set()
while len(named) < 150:
    path = random.choice(sorted(files))
    while "/" in path and random.random() < .4:
        path = path.split("/", 1)[1]
    if random.random() < .4:
        path = "/".join(random.choices(["home", "ci", "many", "b"],
                                       k=random.randint(1, 3))) + "/" + path
        if random.random() < .5:
            path = "/" + path
    named.add(path)
want = set()
several = set()
for path in named:
    if path in files:
        want.add(path)
        continue
    found = {f for f in files if ("/" + path).endswith("/many/" + f) or
             (path[0] != "/" and f.endswith("/" + path))}
    if len(found) == 1:
        want |= found
    if len(found) > 1:
        several.add(path)
with open(sys.argv[1], "w") as f:
    for path in sorted(named, key=lambda p: random.random()):
        f.write("%s:1: said\n%s:1: again\n" % (path, path))
open(sys.argv[1] + ".want", "w").write(" ".join(sorted(want)) + " ")
open(sys.argv[1] + ".several", "w").write("%d" % len(several))
END
is "$(taken "$log" | tr ' ' '\n' | LC_ALL=C sort | tr '\n' ' ' |
	sed 's/^ //')" "$(cat "$log.want")" \
	"150 names of 120 files: what a loop over all finds"
is "$(($(grep -c ' could be .*; name' "$dir/err") + $(sed -n \
	's/.* \([0-9]*\) more places.*/\1/p' "$dir/err") / 2))" \
	"$(cat "$log.several")" "each that could be several is counted"
is "$(taken "$log" --workers 1 | cksum)" "$(taken "$log" --workers 3 | cksum)" \
	"whatever the number of workers"

# Names that make each other hard to find: time grows with them, no faster.
cd "$dir" || exit 1
for i in 1 8; do
	awk -v nr="$((i * 2000))" 'BEGIN {
		for (k = 0; k < 300; k++) deep = deep "many/"
		for (i = 0; i < nr; i++) print deep i ".h:1: x" }' >"hard.$i"
done
TIMEFORMAT=%U
hard() {
	{ time "$BALE" pack many/b many --tool "hard.$1" --budget all -q \
		>out 2>err; } 2>&1
}
small=$(hard 1) large=$(hard 8)
is "$(awk -v s="$small" -v l="$large" 'BEGIN { print (l < 20 * s + 0.5) }')" \
	1 "eight times as many names: $small s and $large s"
# What is remembered of a long log is given back before the run begins.
if ! grep -aq __asan_init "$BALE"; then
	awk 'BEGIN { for (i = 0; i < 60000; i++)
		printf "none/of/them/is/there_%d.c:%d: x\n", i, i + 1 }' >"$log"
	"$BALE" pack "$repo" --tool "$log" --no-config --no-last -q -o out \
		--report r.json
	is "$(sed -n 's/.*"peak_pss_bytes":\([0-9]*\).*/\1/p' r.json | awk '{
		print ($1 > 0 && $1 < 40 * 1048576) }')" 1 \
		"60,000 names that are nowhere are not kept in memory"
fi

# Names with blanks, as gcc, node and rustc print them; with numbers between
# colons, as grep -n does.
mkdir "$dir/odd" && cd "$dir/odd" || exit 1
file 'a dir/b c.c' 'a dir/d e f.js' 'odd dir/na:me:12:x.c' 'plain.c' 'p q/r.rs'
printf "a dir/b c.c: In function 'f':\na dir/b c.c:4:9: error: bad\n" >"$log"
is "$(taken "$log")" "a dir/b c.c " "a name with blanks at the beginning"
printf '    at f (%s/a dir/d e f.js:2:9)\n  --> p q/r.rs:3:5\n' "$PWD" >"$log"
is "$(taken "$log")" "a dir/d e f.js p q/r.rs " "in brackets, behind an arrow"
printf 'error: see the file plain.c:3: and no such dir/b c.c:4\n' >"$log"
is "$(taken "$log")" "plain.c " "words that are no part of a name"
printf './odd dir/na:me:12:x.c:7:int at(void);\n./plain.c:3:int x: 1:2\n' >"$log"
is "$("$BALE" pack --search "$log" --no-config --no-last -q 2>"$dir/err" |
	sed -n 's/^## File: //p' | sed 's/ (lines.*//' | tr '\n' ' ')" \
	"odd dir/na:me:12:x.c plain.c " "a name that looks like a hit of another"
is "$(cat "$dir/err")" "" "and nothing is refused"
awk 'BEGIN { for (i = 0; i < 90000; i++)
	printf "some more words before none/of/them_%d.c:%d: x\n", i, i + 1 }' \
	>"$log"
"$within" 20 "$BALE" pack --tool "$log" --no-config --no-last -q -o ../out
is "$?" 0 "tries have an end"
done_testing
