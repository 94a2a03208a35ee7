#!/bin/bash
# SPDX-License-Identifier: MIT
#
# A kept survey never changes an output: after random edits of a tree, in ways
# that keep times and sizes too, and with random options, a run with --cache
# writes the bytes of one without. Nor does a survey that is damaged, of other
# settings, or that several runs write at once.
#
# With LONG=1 each of these is tried more often, as well.
#
#   ROUNDS=10000 SEED=3 tests/system/test_pack_cache.sh  goes on for longer
#
# tests/support/pack_edits.py also takes a repository that it is to clone.

# what is mounted goes with the test, however it ends
if [ -z "${OWN_MOUNTS:-}" ] && unshare -m true 2>/dev/null; then
	OWN_MOUNTS=1 exec unshare -m "$0"
fi
# shellcheck source=tests/support/lib.sh
. tests/support/lib.sh
repository=$PWD
case ${MODE:-release} in
release | debug) clock=${BALE%/*}/tests/support/wrong_clock.so ;;
*) clock= ;; # what is preloaded would come before the sanitizer
esac
cd "$dir" || exit 1
rounds=${ROUNDS:-20} damages=12
[ "${LONG:-0}" = 0 ] || rounds=${ROUNDS:-40} damages=40
PATH=$PATH:/usr/sbin:/sbin
# what each run keeps is said by itself
export XDG_CACHE_HOME=$dir/cache BALE_CACHE=off

clean_up() {
	cd / && umount "$dir/seconds" 2>/dev/null
}
edits() { # rounds, seed
	rm -rf tree origin
	BALE=$BALE CLOCK=$clock python3 "$repository/tests/support/pack_edits.py" \
		"$@" >failed
}
edits "$rounds" "${SEED:-7}"
is "$(cat failed)" 0 "random edits and options: the same with the cache"
kept=(cache/bale/surveys/*)
is "$([ "${#kept[@]}" -gt 3 ]; echo $?)" 0 "each of several settings has one"
is "$(stat -c %a cache/bale cache/bale/surveys "${kept[0]}" | tr '\n' ' ')" \
	"700 700 600 " "the user alone can read it"

# where times are whole seconds, what is written in the second of a run looks as
# it did: the inodes of such a file system have no room for more
mkdir seconds
truncate -s 64M image
if [ -n "${OWN_MOUNTS:-}" ] && mkfs.ext4 -q -I 128 image 2>/dev/null &&
	mount -o loop image seconds 2>/dev/null; then
	cd seconds || exit 1
	edits "$((rounds * 3 / 4))" "${SEED:-7}"
	is "$(cat failed)" 0 "the same where times are whole seconds"
	is "$(stat -c %y failed | grep -c '\.0* ')" 1 "which they are there"
	cd "$dir" || exit 1
fi

# that it is used: a file whose facts are kept is read only to be written
rm -rf cache
edits 0 7
wait_until_old tree
find tree | sort >before
for i in 1 2; do
	"$BALE" pack tree --budget 6k -q -o out$i --cache on --no-last \
		--report r$i.json || exit 1
done
is "$(find tree | sort | cmp - before)" "" "nothing is kept in the tree"
read_bytes() {
	stage_count "$1" collect bytes
}
is "$(cmp out1 out2; echo $?)" 0 "the second run writes the same"
saved=$(($(read_bytes r1.json) - $(read_bytes r2.json)))
all=$(find tree -name .git -prune -o -type f -printf '%s\n' |
	awk '{ n += $1 } END { print n }')
is "$((saved * 2 > all))" 1 "and reads less by half of the tree at least"

# with a query all is read, for its words, and no more than these are looked for
export XDG_CACHE_HOME=$dir/of_queries
for i in 1 2; do
	"$BALE" pack tree --budget 2k -q -o q$i --cache on --no-last \
		--query 'read the next line' --report qr$i.json || exit 1
done
counted_bytes() {
	stage_count "$1" count bytes
}
is "$(cmp q1 q2; echo $?)" 0 "the second run of a query writes the same"
saved=$(($(counted_bytes qr1.json) - $(counted_bytes qr2.json)))
is "$((saved * 2 > all))" 1 "and counts less by half of the tree at least"
"$BALE" pack tree --budget 2k -q -o q1 --cache on --no-last \
	--query 'open a queue' --report qr1.json
"$BALE" pack tree --budget 2k -q -o q2 --no-last --query 'open a queue' \
	--report qr2.json
is "$(cmp q1 q2; echo $?)" 0 "another query writes the same as without"
saved=$(($(counted_bytes qr2.json) - $(counted_bytes qr1.json)))
is "$((saved * 2 > all))" 1 "and has the same survey"

# what is counted where the survey has an estimate, or the other way round, is
# read again, but once: files that follow each other, each of which has a word of
# the query
mkdir many
python3 -c 'for i in range(4500):
    with open("many/f%04d.txt" % i, "w") as f:
        for j in range(120):
            f.write("needle %d of the file number %d, in line %d\n" % (j, i, j))'
wait_until_old many
for how in --no-exact-report --exact-report; do
	"$BALE" pack many --budget 8k -q -o out --cache on --no-last \
		--query needle --report many.json ${how#--no-exact-report}
done
"$BALE" pack many --budget 8k -q -o want --no-last --query needle \
	--exact-report
all=$(cat many/* | wc -c)
is "$(cmp out want; echo $?)" 0 "counts instead of estimates are the same"
is "$(($(read_bytes many.json) < all * 2))" 1 \
	"files that are counted instead are read once"
export XDG_CACHE_HOME=$dir/cache

# twice DIR WHAT OPTION...: the same as without, by a run that kept all of it
# and by one that reads none
twice() {
	wait_until_old "$1"
	"$BALE" pack "$1" "${@:3}" -q -o want --no-last
	for i in 1 2; do
		XDG_CACHE_HOME=$dir/twice "$BALE" pack "$1" "${@:3}" \
			-q -o out --no-last --cache on
		is "$?$(cmp want out)" 0 "$2, run $i"
	done
}
mkdir comments
python3 -c 'for i in range(900):
    print("int g%d(int a)\n{\n\treturn a; /* c */\n}\n" % i)
print("int f(int a /* x */, int b)\n{\n\treturn a + b + 1000 * a * b;\n}")
' >comments/a.c
printf '/* x */\n{"a": 1}\n' >comments/b.json
twice comments "signatures without comments" --budget 20k --compress \
	--strip-comments

# what is counted at first lies behind more of what competes for the budget then:
# it is to be estimated, and is the first that is read behind a large file
mkdir grows
python3 -c 'for i in range(900):
    if i % 100 == 50:
        print("#include \"h%d.h\"" % i)
    print("/* What number %d is for, and why it is there. */\n"
          "int function_number_%d(int a, int b)\n{\n\tif (a > %d)\n"
          "\t\treturn b;\n\treturn a;\n}\n" % (i, i, i))' >grows/b.c
yes 'int x;' | head -c 300000 >grows/a.txt
twice grows "a file that is counted" --budget 3000
yes 'int y;' | head -c 200000 >grows/aa.txt
twice grows "and then estimated" --budget 3000

# data that the default excludes leave out is there without them
mkdir data
python3 -c 'import base64, random
for i in range(40):
    print(f"const a{i} = read({i})")
print("//# sourceMappingURL=data:application/json;base64," +
      base64.b64encode(random.Random(1).randbytes(600)).decode())' >data/a.js
twice data "with base64" --budget 20k --no-default-excludes
twice data "without base64" --budget 20k

# bale cache: what there is, as the file system has it
# beside what is known of past commits
survey=$(grep -aL "past commits" cache/bale/surveys/*)
"$BALE" cache list --json >list.json
is "$(python3 -c 'import json, os, sys
s, = [s for s in json.load(open("list.json"))["surveys"]
      if s["settings"] != "past commits"]
st = os.stat(sys.argv[1])
print(s["name"] == os.path.basename(sys.argv[1]),
      s["bytes"] == st.st_blocks * 512,
      s["roots"] == [os.path.abspath("tree")], s["state"],
      0 < s["files"] <= sum(len(n) for _, _, n in os.walk("tree")))' "$survey")" \
	"True True True whole True" "bale cache list says what is kept"
"$BALE" pack ./tree/ --budget 6k -q -o out --cache read --no-last \
	--report r3.json
is "$(cmp out1 out)$(($(read_bytes r3.json) - $(read_bytes r2.json)))" 0 \
	"a tree that is named in another way is the same one"

# verify: reads all and compares
"$BALE" pack tree --budget 6k -q -o out --cache verify --no-last \
	--report r4.json 2>err
is "$?$(cmp out1 out)$(cat err)" 0 "verify finds nothing where nothing differs"
is "$(($(read_bytes r1.json) - $(read_bytes r4.json)))" 0 \
	"and has read all of it"
is "$("$BALE" cache check >/dev/null; echo $?)" 0 "what is kept is whole"
cp "$survey" whole
printf x | dd of="$survey" bs=1 seek=$(($(stat -c %s whole) - 42000)) \
	conv=notrunc 2>/dev/null
"$BALE" cache check >checked
is "$?$(grep -c damaged checked)" 31 "bale cache check names what is damaged"
is "$([ -e "$survey" ]; echo $?)" 0 "and leaves it"
"$BALE" pack tree --budget 6k -q -o out --cache verify --no-last \
	--report r4.json 2>err
is "$?$(cmp out1 out)" 0 "verify beside a damaged one"
is "$("$BALE" cache check >/dev/null; echo $?)" 0 "puts a whole one in its place"

# what is only as it was by its content is read, and not cut and counted again
cut_chunks() {
	stage_count "$1" chunk items
}
find tree -type f -exec touch {} +
mv tree/d1 moved
mkdir -p tree/other/place
mv moved tree/other/place/
wait_until_old tree
"$BALE" pack tree --budget 6k -q -o want --no-last --report r.json
for i in 5 6; do
	"$BALE" pack tree --budget 6k -q -o out --cache on --no-last \
		--report r$i.json
	is "$?$(cmp want out)" 0 "times and places of files are others, run $i"
done
cut=$(($(cut_chunks r.json) - $(cut_chunks r5.json)))
is "$((cut * 2 > $(cut_chunks r.json) - $(cut_chunks r6.json)))" 1 \
	"and most is not cut again"
is "$(($(read_bytes r6.json) < $(read_bytes r5.json)))" 1 \
	"the next run does not read it"
cp want out2
cp r.json r1.json

# signatures of a file that comes in parts are taken over, part by part
mkdir large
python3 -c 'for i in range(500):
    print(f"/* the {i}th */\nint number_{i}(int a)\n{{")
    for j in range(30):
        print(f"\ta = a * {j} + {i};")
    print("\treturn a;\n}\n")' >large/all.c
cp large/all.c large/again.c
printf 'int another(void);\n' >>large/again.c
wait_until_old large
"$BALE" pack large --budget 8k -q -o wantl --no-last
is "$(($(stat -c %s large/all.c) > 131072 && $(grep -c 'int number_' wantl) > 400))" \
	1 "signatures of parts"
for i in 1 2 3; do
	"$BALE" pack large --budget 8k -q -o out --cache on --no-last
	is "$?$(cmp wantl out)" 0 "the same of a kept survey, run $i"
done

# damage: any byte of it may be another, or missing
cp "$survey" whole
"$BALE" pack tree --budget 6k -q -o want --report r.json --no-last
# Prints a line for each run: its exit code, and whether it writes another output.
cat >runs.py <<'EOF'
import os, random, shutil, subprocess, sys, time
survey = sys.argv[1]
pack = [os.environ['BALE'], 'pack', 'tree', '--budget', '6k', '-q', '--no-last']

def read(path):
    with open(path, 'rb') as f:
        return f.read()

def report(code, want, out='out'):
    print(code, 'differs' if read(want) != read(out) else '', flush=True)
EOF
{ cat runs.py - <<'EOF'
for i in range(1, int(sys.argv[2]) + 1):
    shutil.copyfile('whole', survey)
    rng = random.Random(i)
    size = os.path.getsize(survey)
    with open(survey, 'r+b') as f:
        if rng.random() < 0.2:
            f.truncate(rng.randrange(size))
        else:
            # what is data, not the hole before it
            data = size - len(f.read()[4096:].lstrip(b'\0'))
            for _ in range(rng.choice((1, 1, 30))):
                f.seek(rng.choice((rng.randrange(160),
                                   rng.randrange(data, size))))
                f.write(bytes([rng.randrange(256)]))
    report(subprocess.call(pack + ['-o', 'out', '--report', 'r.json',
                                   '--cache', 'read']), 'want')
EOF
} >damage.py
each() { # PROGRAM TRIES WHAT: all its runs are right
	local i=0 said

	while [ $i -lt "$2" ]; do
		i=$((i + 1)) said=
		IFS= read -r said <&3
		is "$said" "0 " "$3 $i"
	done 3< <(python3 "$1" "$survey" "$2")
}
export BALE
each damage.py $damages "damaged, try"
cp whole "$survey"
: >"$survey"
"$BALE" pack tree --budget 6k -q -o out --report r.json --no-last --cache on \
	--log-level info 2>err
is "$?$(cmp want out)" 0 "an empty file"
is "$(grep -c 'no survey of these files, or damaged' err)" 1 "which -v names"
is "$(cmp -n 131072 whole "$survey" >/dev/null; [ -s "$survey" ]; echo $?)" 0 \
	"and a new one takes its place"

# where nothing can be kept, a run is as good
for place in /proc/none "$dir/file" relative; do
	: >file
	XDG_CACHE_HOME=$place HOME=$place "$BALE" pack tree --budget 6k -q \
		-o out --no-last --cache on 2>err
	is "$?$(cmp out2 out)$(cat err)" 0 "no cache in $(basename "$place")"
done

# killed at any time, a run leaves a whole survey, or none
rm -rf cache
cat runs.py - >kills.py <<'EOF'
for i in range(1, int(sys.argv[2]) + 1):
    rng = random.Random(i)
    for _ in range(5):
        run = subprocess.Popen(pack + ['-o', 'killed', '--cache', 'on'],
                               stderr=subprocess.DEVNULL)
        time.sleep(rng.uniform(0.01, 0.1))
        run.kill()
        run.wait()
    after = subprocess.run(pack + ['-o', 'out', '--cache', 'on', '--log-level',
                                   'info'], stderr=subprocess.PIPE)
    report(after.stderr.decode() or after.returncode, 'out2')
EOF
each kills.py 6 "after kill"

# cut off at any time while it is read, as where a file system goes away
survey=$(grep -aL "past commits" cache/bale/surveys/*)
cp "$survey" whole
cat runs.py - >cuts.py <<'EOF'
for i in range(1, int(sys.argv[2]) + 1):
    shutil.copyfile('whole', survey)
    rng = random.Random(i)
    run = subprocess.Popen(pack + ['-o', 'out', '--cache', 'read'])
    time.sleep(rng.uniform(0.003, 0.03))
    os.truncate(survey, rng.choice((0, 131072, 140000)))
    report(run.wait(), 'out2')
EOF
each cuts.py 6 "cut off while it is read, try"

# eight runs that write one survey
rm -rf cache
for i in $(seq 8); do
	"$BALE" pack tree --budget 6k -q -o "at_once$i" --no-last --cache on &
done
wait
"$BALE" pack tree --budget 6k -q -o want --no-last
for i in $(seq 8); do
	is "$(cmp "at_once$i" want)" "" "at once, run $i"
done
is "$(find cache -name '.*.tmp' | wc -l)" 0 "and they leave nothing else behind"

# a limit: what is unused for longest goes
rm -rf cache
python3 -c 'import os
os.mkdir("wide")
for i in range(1900):
    with open(f"wide/f{i}.c", "w") as f:
        f.write(f"int f{i}(void) {{ return {i}; }}\n")'
wait_until_old wide
keep_wide() { # lines of a chunk, options
	"$BALE" pack wide --budget 6k --chunk "lines:$1" -q -o out --no-last \
		--cache "${@:2}"
}
kept_lines() {
	"$BALE" cache list --json | grep -o 'chunks of [0-9]*' | tr -dc '0-9\n' |
		sort | tr '\n' ' '
}
keep_wide 21 on
keep_wide 22 on
keep_wide 21 read
keep_wide 23 on --cache-limit 2M
is "$(kept_lines)" "21 23 " "what is unused for longest is removed"
keep_wide 24 on --cache-limit 1M
is "$(kept_lines)" "24 " "and more than that, if the limit is less"
is "$("$BALE" cache size --json | python3 -c 'import json, sys
print(0 < json.load(sys.stdin)["bytes"] <= 1 << 20)')" True \
	"no more than the limit is kept"
"$BALE" cache clear "$dir" >cleared
is "$(kept_lines)$(grep -c 'removed 1 survey,' cleared)" 1 \
	"bale cache clear removes all below a path"
keep_wide 21 on --no-cache
is "$(kept_lines)" "" "--no-cache keeps nothing"

# what is kept if nothing is said
unset BALE_CACHE
mkdir small
head -c 60000 /dev/zero | tr '\0' x | fold >small/a.txt
echo alpha >small/c.txt
cp -r small large
head -c 8000 /dev/zero | tr '\0' y | fold >large/b.txt
echo '{"path": "large"}' >list
wait_until_old large
kept_trees() {
	"$BALE" cache list --json | python3 -c 'import json, os, sys
for survey in json.load(sys.stdin)["surveys"]:
    print(" ".join(os.path.basename(root) for root in survey["roots"]))' |
		sort | tr '\n' ' '
}
for command in "pack small" "find alpha small" "pack large --no-cache" \
	"find alpha large --cache read" "batch list -d outputs" \
	"bench large --runs 4"; do
	# shellcheck disable=SC2086
	"$BALE" $command >out 2>err || cat err
	is "$(kept_trees)" "" "bale $command keeps nothing"
done
"$BALE" find alpha large >out
"$BALE" preview small large >out 2>err
is "$(kept_trees)" "large small large " "find and preview keep a larger tree"

# What past commits changed is kept by itself, and what is known of it changes
# nothing either.
"$BALE" cache clear >out
mkdir repo && cd repo || exit 1
git init -q .
git config user.name a && git config user.email a@b
for i in $(seq 20); do
	mkdir -p "src/d$((i % 3))"
	for j in $(seq $((i * 7))); do
		echo "int f${i}_$j(int n) { return n * $((i % (j + 1))); }"
	done >"src/d$((i % 3))/f$((i % 7)).c"
	git add . && git commit -qm "change $i of f$((i % 7))"
done
same_as_without() { # what, options
	local what=$1
	shift
	for run in first second; do
		"$BALE" pack . --cache on --budget 4k -q -o ../with "$@"
		"$BALE" pack . --no-cache --budget 4k -q -o ../without "$@"
		is "$(cmp ../with ../without && echo same)" same \
			"past commits, $what, the $run run"
	done
}
past_file() { # where what is kept of them lies
	"$BALE" cache list --json | python3 -c 'import json, sys
kept = json.load(sys.stdin)
print(*[kept["directory"] + "/" + s["name"] for s in kept["surveys"]
	if s["settings"] == "past commits"])'
}
same_as_without "as they are"
is "$(past_file | wc -w)" 1 "they are kept in a file"
kept=$(past_file)
before=$(stat -c %i "$kept")
same_as_without "with a query" --query "change f3"
same_as_without "with a log" --git-log=5
is "$(stat -c %i "$kept")" "$before" "which is left alone while it knows them all"
echo 'int g;' >>src/d1/f1.c && git commit -qam new
same_as_without "and a new one"
is "$([ "$(stat -c %i "$kept")" = "$before" ] || echo new)" new \
	"and is written again for a new one"
git commit -q --amend -m other
same_as_without "and one that is amended"
git reset -q --hard HEAD~4
same_as_without "and some that are gone"
git replace HEAD~2 HEAD~5
same_as_without "and one that another replaces"
git replace -d "$(git replace -l)" >out
same_as_without "and nothing replaced"
size=$(stat -c %s "$kept")
for i in 1 2 3 4; do
	printf '\377' | dd of="$kept" bs=1 conv=notrunc status=none \
		seek=$((131200 + i * 200))
	"$BALE" pack . --cache read --budget 4k -q -o ../with
	is "$(cmp ../with ../without && echo same)" same "damaged: $i"
done
"$BALE" cache check >out 2>err
is "$?" 3 "damage is found"
same_as_without "what is damaged"
"$BALE" cache check >out 2>err
is "$?" 0 "and written anew"
truncate -s $((size / 2)) "$kept"
same_as_without "what is cut off"
# trees that are known need not be there
git cat-file --batch-all-objects --batch-check='%(objecttype) %(objectname)' |
	while read -r type o; do
		[ "$type" != tree ] ||
			rm -f ".git/objects/${o%"${o#??}"}/${o#??}"
	done
"$BALE" pack . --cache on --budget 4k -q -o ../with 2>err
is "$(cmp ../with ../without && echo same)" same "they are not read again"
"$BALE" pack . --no-cache --budget 4k -q -o ../with 2>err
is "$(cmp -s ../with ../without || echo another)" another \
	"and would be missed where they are read"
cd ..
done_testing
