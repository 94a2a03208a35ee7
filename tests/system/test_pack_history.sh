#!/bin/bash
# SPDX-License-Identifier: MIT
#
# What past commits say of the files: points for each commit that changed a
# file, as many as `git log` counts, and messages that a query is found in.

# shellcheck source=tests/support/lib.sh
. tests/support/lib.sh
command -v git >/dev/null || skip_all git is not installed
export HOME=$dir GIT_CONFIG_NOSYSTEM=1 GIT_AUTHOR_NAME=a GIT_AUTHOR_EMAIL=a@b
export GIT_COMMITTER_NAME=a GIT_COMMITTER_EMAIL=a@b

# "path points" of all files, by what the report says: points ARGUMENT...
points() {
	"$BALE" preview --budget 500k -q --report "$dir/points" "$@" \
		>"$dir/out" 2>"$dir/err" || cat "$dir/err" >&2
	python3 - "$dir/points" <<-'END'
		import json, sys
		seen = {}
		for it in json.load(open(sys.argv[1]))["selected"]:
		    seen[it["path"]] = it["factors"].get("git_activity", 0)
		print("\n".join(f"{p} {int(v)}" for p, v in sorted(seen.items())))
	END
}

# The same by git, which follows renames of one file at a time: log ARGUMENT...
# in the work tree
log() {
	local path
	while read -r path; do
		echo "$path $(git log --no-merges --follow -M100% --format=%h \
			"$@" -- "$path" | wc -l)"
	done <"$dir/want.names" | awk '$2 > 0 { print $1, ($2 > 10 ? 10 : $2) }'
}

# What git counts of those files alone that stand in a list.
of_those() {
	join -a 1 -o 0,2.2 -e 0 <(cut -d ' ' -f 1 "$dir/want.names") "$1"
}

clock=1700000000
# commit MESSAGE: all that is there, a minute later than the one before
commit() {
	clock=$((clock + 60))
	git add -A . && GIT_AUTHOR_DATE="$clock +0000" \
		GIT_COMMITTER_DATE="$clock +0000" git commit -q -m "$1"
}

cd "$dir" || exit 1
git init -q -b main r
cd r || exit 1
mkdir -p src/deep lib
RANDOM=7
for i in 1 2 3 4 5 6 7 8 9; do
	echo "int a$i;" >src/a$i.c
	echo "int b$i;" >lib/b$i.c
done
echo 'int deep;' >src/deep/d.c
commit 'all of it'
for ((i = 0; i < 60; i++)); do
	for f in src/a$((RANDOM % 9 + 1)).c lib/b$((RANDOM % 4 + 1)).c; do
		echo "int x${RANDOM}_$i;" >>$f
	done
	[ $((i % 7)) = 3 ] && echo "int d$i;" >>src/deep/d.c
	commit "change $i"
	case $i in
	20) git checkout -q -b side HEAD~3 ;;
	25)
		git checkout -q main
		echo 'int m;' >>lib/b9.c
		commit 'on main'
		clock=$((clock + 60))
		GIT_AUTHOR_DATE="$clock +0000" \
			GIT_COMMITTER_DATE="$clock +0000" \
			git merge -q -X ours -m 'a merge' side >/dev/null 2>&1 ||
			exit 1
		;;
	esac
done
echo 'int b8_too;' >>lib/b8.c
commit 'more of it'
git mv lib/b8.c lib/renamed.c
commit 'a new name'
rm lib/b7.c
commit 'one less'

# verifies: CTX-02.4
git ls-files | sort >"$dir/want.names"
log | sort >"$dir/want.log"
is "$(points .)" "$(of_those "$dir/want.log")" \
	'a point for each commit that changed a file, up to ten'
cd src && is "$(points .)" \
	"$(cd .. && of_those "$dir/want.log" | sed -n 's|^src/||p')" \
	'the same from a directory below the top'
cd .. && is "$(points lib src/a1.c)" \
	"$(of_those "$dir/want.log" | grep -E '^(lib/|src/a1.c )')" \
	'the same of several roots'
is "$(points --no-history . | grep -cv ' 0$')" 0 '--no-history: none at all'

git rev-parse HEAD~30 >"$dir/old"
git ls-tree -r --name-only HEAD~30 | sort >"$dir/want.names"
log HEAD~30 | sort >"$dir/old.log"
is "$(points --rev HEAD~30 .)" "$(of_those "$dir/old.log")" \
	'--rev: the commits before that one'
cd .. && git clone -q --bare r bare.git && cd bare.git || exit 1
is "$(points --rev "$(cat "$dir/old")" .)" "$(of_those "$dir/old.log")" \
	'the same of a repository without a work tree'

cd ../r || exit 1
git ls-files | sort >"$dir/want.names"
cd .. && git clone -q --depth 5 "file://$dir/r" shallow && cd shallow || exit 1
log HEAD~4.. | sort >"$dir/shallow.log"
is "$(points .)" "$(of_those "$dir/shallow.log")" \
	'a shallow clone: what its commits changed; its first one is not known'
cd ../r && git worktree add -q ../linked && cd ../linked || exit 1
is "$(points .)" "$(of_those "$dir/want.log")" 'a linked work tree'

# A change of everything says nothing of anything.
cd ../r || exit 1
mkdir many
for ((i = 0; i < 1001; i++)); do echo "int m$i;" >many/$i.c; done
commit 'a thousand files and one'
is "$(points many | grep -cv ' 0$')" 0 \
	'a commit of more than a thousand files does not count'
rm -rf many
commit 'and away'

# A message about a file that has none of its words.
echo 'int zebra;' >src/a5.c
commit 'Flow control of the quokka pipeline'
want=$(git log --format=%s -1)
first() {
	"$BALE" preview --order rank --budget 1k -q --query "$@" . |
		head -1 | cut -f 3 | cut -d : -f 1
}
is "$(first 'quokka pipeline')" src/a5.c "found by its message: $want"
is "$("$BALE" preview --order rank --budget 1k -q --explain --no-history \
	--query 'quokka pipeline' . 2>&1 >/dev/null | awk '/src.a5/ { print $8 }')" \
	0.000 'and not without'
for w in 1 2 8; do
	"$BALE" pack . --budget 4k -q --workers $w --query 'quokka zebra x1' \
		-o "$dir/w$w" 2>/dev/null
done
# said of four files at once it says half as much of each
git init -q -b main spread
cd spread || exit 1
for i in 0 1 2 3 4; do seq $i 30 >"x$i.c"; done
commit 'all of them'
echo more >>x0.c
commit 'numbat enclosure'
for i in 1 2 3 4; do echo more >>"x$i.c"; done
commit 'numbat enclosure'
"$BALE" preview -q --query 'numbat enclosure' --budget 40k --explain \
	--report "$dir/report.json" . >/dev/null 2>&1
is "$(python3 -c "import json
print(*['%s %.2f %.2f' % (x['path'], x['factors']['message_match'],
	x['factors']['history_match'])
	for x in json.load(open('$dir/report.json'))['selected']])")" \
	"x0.c 1.00 1.00 x1.c 0.50 0.50 x2.c 0.50 0.50 x3.c 0.50 0.50 x4.c 0.50 0.50" \
	'a commit of many files says less of each'
cd ..
rm -rf spread

is "$(cmp "$dir/w1" "$dir/w2" 2>&1)$(cmp "$dir/w1" "$dir/w8" 2>&1)" '' \
	'the same bytes by 1, 2 and 8 workers'

# What there is none of, or what is damaged, costs the history alone.
cd .. && git init -q empty && echo 'int e;' >empty/e.c
is "$(points empty)" 'empty/e.c 0' 'a repository without a commit'
cp -r r broken
object=$(git -C r rev-parse HEAD~2)
is "$(git -C broken repack -q -d -A 2>&1)" '' 'packed'
cp -r r loose && rm loose/.git/objects/"${object:0:2}/${object:2}" || exit 1
"$BALE" preview --budget 500k -q loose >/dev/null 2>"$dir/err"
is "$?" 0 'a commit is missing: the run goes on'
for f in broken/.git/objects/pack/*.pack; do
	chmod +w "$f"
	printf 'rubbish rubbish rubbish' |
		dd of="$f" bs=1 seek=600 conv=notrunc status=none
done
"$BALE" preview --budget 500k -q broken >/dev/null 2>"$dir/err"
is "$? $(grep -c 'history of git is damaged' "$dir/err")" '0 1' \
	'a damaged pack: one line, and the run goes on'
for f in broken/.git/objects/pack/*.pack; do : >"$f"; done
"$BALE" preview --budget 500k -q broken >/dev/null 2>"$dir/err"
is "$?" 0 'a pack that was cut short'
done_testing
