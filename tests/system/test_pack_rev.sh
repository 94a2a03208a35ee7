#!/bin/bash
# SPDX-License-Identifier: MIT
#
# --rev: the files of a commit, as git has them, without a checkout; and what
# is said about repositories that are not what they seem.

# shellcheck source=tests/support/lib.sh
. tests/support/lib.sh
command -v git >/dev/null || skip_all git is not installed
export HOME=$dir GIT_CONFIG_NOSYSTEM=1 GIT_AUTHOR_NAME=a GIT_AUTHOR_EMAIL=a@b
export GIT_COMMITTER_NAME=a GIT_COMMITTER_EMAIL=a@b
export GIT_AUTHOR_DATE='1700000000 +0000' GIT_COMMITTER_DATE='1700000000 +0000'

# The paths that a preview of everything would pack, on one line.
packed() {
	"$BALE" preview --budget all -q "$@" 2>"$dir/err" |
		awk -F '\t' '$2 == "packed" { sub(/:[0-9-]*$/, "", $3); print $3 }' |
		uniq | tr '\n' ' '
}

# What bale says to these arguments: exit code, and the lines that match $1.
refused() {
	local pattern=$1
	shift
	"$BALE" pack -o "$dir/none" "$@" 2>"$dir/err" </dev/null
	echo "$? $(grep -c -- "$pattern" "$dir/err")"
}

# reason REPORT PATH
reason() {
	tr '{' '\n' <"$1" | sed -n "s|^\"path\":\"$2\".*\"reason\":\"\([a-z-]*\)\".*|\1|p"
}

cd "$dir" || exit 1
git init -q -b main r
cd r || exit 1
mkdir -p src/in deep/er .hidden
echo 'int main(void);' >src/a.c
echo two >src/in/b.txt
echo ignored >src/x.log
echo hidden >.hidden/h
echo '*.log' >.gitignore
printf 'a\r\nb\r\n' >crlf.txt
echo '$Id$' >ident.txt
printf '%s\n' '*.txt text eol=crlf ident filter=bad diff=bad' >.gitattributes
printf '\xff\xfeh\0i\0\n\0' >wide.txt
seq 1 120000 >large.txt
ln -s src/a.c link
echo "x" >yarn.lock
git add -f . 2>/dev/null
git update-index --add --cacheinfo 160000,1111111111111111111111111111111111111111,module
git commit -q -m one
git tag -a v1 -m v1
echo later >later.txt
git add later.txt
git commit -q -m two
git branch old v1
rm -rf src later.txt
cd .. || exit 1

# ---- the files --------------------------------------------------------------

all='.gitattributes .gitignore .hidden/h crlf.txt ident.txt large.txt src/a.c src/in/b.txt src/x.log wide.txt '
is "$(cd r && packed --rev v1 .)" "$all" \
	"a tag: all that the commit has, ignored, hidden and deleted since"
is "$(cd r && packed --rev HEAD .)" \
	"${all/large.txt/large.txt later.txt}" "HEAD has one more"
is "$(cd r && packed --rev old .)" "$all" "a branch"
is "$(cd r && packed --rev HEAD~1)" "$all" "an ancestor"
is "$(cd r && packed --rev 'v1:src' .)" "a.c in/b.txt x.log " "a tree by its path"
git clone -q --bare r bare.git
is "$(packed --rev v1 bare.git)" "$(for f in $all; do printf 'bare.git/%s ' $f; done)" \
	"a repository without a work tree"
is "$(packed --rev v1 r/deep)" "" "a directory that the commit has not"
is "$(grep -c 'has no directory deep/' err)" 1 "is said to be missing"
mkdir -p r/src/in
is "$(packed --rev v1 r/src)" "r/src/a.c r/src/in/b.txt r/src/x.log " \
	"a directory within the work tree"
is "$(packed --rev v1 r/src/in r/src)" "r/src/in/b.txt r/src/a.c r/src/x.log " \
	"what lies in two directories that are named is there once"
is "$(packed --rev v1 r/crlf.txt)" "r/crlf.txt " "a file that is named"
is "$(cd r && packed --rev v1 --include '*.txt' --exclude 'src/**' .)" \
	"crlf.txt ident.txt large.txt wide.txt " "--include and --exclude"
is "$(cd r && packed --rev v1 --max-file-size 100 .)" "${all/large.txt /}" \
	"--max-file-size"
is "$(printf 'src/a.c\nnone\n.gitignore\n' | (cd r && packed --rev v1 --files-from -))" \
	".gitignore src/a.c " "--files-from"
git -C r worktree add -q "$dir/tree" old
is "$(cd tree && packed --rev main .)" "${all/large.txt/large.txt later.txt}" \
	"from a worktree of the repository"

"$BALE" pack --rev v1 --budget all -q -o out.md --report out.json bare.git
is "$?" 0 "leaving out what is not a file is no fault"
is "$(reason out.json bare.git/link)" symlink "a symbolic link is named"
is "$(reason out.json bare.git/module/)" repository "a submodule is named"
is "$(reason out.json bare.git/yarn.lock)" lock-file "a lock file is named"

# ---- the bytes: those of git cat-file ----------------------------------------

mkdir files
cp r/.git/config config
git -C r config filter.bad.smudge "touch $dir/RAN; cat"
git -C r config filter.bad.required true
git -C r config diff.bad.textconv "touch $dir/RAN; cat"
git -C r config core.hooksPath "$dir"
git -C r config include.path "$dir/no-such-config"
git -C r config core.fsmonitor "touch $dir/RAN"
git -C r ls-tree -r -z v1 | while IFS=$'\t' read -r -d '' what path; do
	# shellcheck disable=SC2086  # three words
	set -- $what
	mkdir -p "files/$(dirname "$path")"
	case $1 in
	120000) ln -s "$(git -C r cat-file blob "$3")" "files/$path" ;;
	100*) git -C r cat-file blob "$3" >"files/$path" ;;
	esac
done
find files -type f -exec touch -d @1700000000 {} +
for budget in all 30k; do
	(cd files && "$BALE" pack -q --no-preamble --no-ignore --hidden --budget $budget \
		-o ../want.md .)
	for workers in 1 2 8; do
		(cd r && "$BALE" pack -q --no-preamble --rev v1 \
			--no-default-excludes --budget $budget \
			--workers $workers -o ../got.md .)
		is "$(cmp got.md want.md 2>&1)" "" \
			"same bytes as from files: --budget $budget, $workers workers"
	done
done
is "$([ -e RAN ] && echo ran)" "" "no filter, textconv, hook or monitor has run"
cp config r/.git/config

# ---- repositories that are not what they seem ---------------------------------

is "$(refused '--rev none' --rev none r)" "2 1" "a revision that is not there"
is "$(refused '--rev v1:crlf.txt: it names a file' --rev v1:crlf.txt r)" "2 1" \
	"one that is a file"
is "$(refused 'not in a git repository' --rev HEAD files)" "2 1" "no repository"
mkdir thief
echo "gitdir: $dir/r/.git" >thief/.git
is "$(refused 'does not name it as its work tree' --rev HEAD thief)" "2 1" \
	"a .git that leads to somebody else's repository"
git clone -q -s r shared
is "$(refused 'borrows objects from' --rev HEAD shared)" "2 1" \
	"objects that are borrowed from elsewhere"
"$BALE" pack shared --budget 1k -q -o out 2>err
is "$? $(grep -c 'warning: git: it borrows .*; ranked without its history$' err)" \
	"0 1" "a pack says why it has no history, also with -q"
is "$(packed --rev v1:src shared r/.git)" \
	"shared/a.c shared/in/b.txt shared/x.log " \
	"unless that is named, too"
if git init -q --object-format=sha256 long 2>err; then
	is "$(refused 'SHA-1' --rev HEAD long)" "2 1" "names by another sum"
fi
git init -q empty
is "$(refused '--rev HEAD' --rev HEAD empty)" "2 1" "a repository without commits"

git clone -q --bare r hurt.git
blob=$(git -C hurt.git rev-parse v1:src/a.c)
rm -f "hurt.git/objects/${blob:0:2}/${blob:2}"
"$BALE" pack --rev v1 --budget all -q -o out.md --report out.json hurt.git 2>err
is "$? $(reason out.json hurt.git/src/a.c) $(grep -c 'not in the repository' err)" \
	"3 unreadable 1" "an object that is missing"
mkdir -p "hurt.git/objects/${blob:0:2}"
echo rubbish >"hurt.git/objects/${blob:0:2}/${blob:2}"
"$BALE" pack --rev v1 --budget all -q -o out.md --report out.json hurt.git 2>err
is "$? $(reason out.json hurt.git/src/a.c) $(grep -c 'damaged' err)" \
	"3 unreadable 1" "an object that is damaged"

# as a clone without blobs that has fetched none
git init -q lost
for i in {10..29}; do echo $i >lost/$i.c; done
git -C lost add .
git -C lost commit -qm one
for i in {10..29}; do
	blob=$(git -C lost rev-parse HEAD:$i.c)
	[ $i = 20 ] || rm -f "lost/.git/objects/${blob:0:2}/${blob:2}"
done
"$BALE" pack --rev HEAD --budget all -q -o out.md --report out.json lost 2>err
is "$? $(grep -c 'not in the repository' err) $(grep -c 'more objects' err) $(
	grep -o '"reason":"unreadable"' out.json | wc -l)" "3 5 1 19" \
	"many objects that are missing are not a line each"

git clone -q --bare r bare.git
for what in preview pack; do
	"$BALE" $what bare.git --budget all -q 2>err >out
	is "$? $(grep -c 'git: bare.git is a repository without a work tree' \
		err)" "0 1" "$what: a bare repository without --rev is named"
	"$BALE" $what bare.git --rev v1 --budget all -q 2>err >out
	is "$? $(cat err)" "0 " "$what: not with it"
done

# The library waits for ever for the rest of an object that is cut short.
git init -q cut
echo x >cut/a.c
git -C cut add a.c
git -C cut commit -qm one
head=$(git -C cut rev-parse HEAD)
head=cut/.git/objects/${head:0:2}/${head:2}
cp "$head" whole
for bytes in 1 2 3 20 60 $(($(wc -c <whole) - 5)); do
	chmod 644 "$head"
	head -c $bytes whole >"$head"
	codes=
	for what in '--budget 10000' '--git-log 1' --git-diff '--rev HEAD'; do
		# shellcheck disable=SC2086  # words are wanted
		"$within" 20 "$BALE" pack cut -q -o out.md $what 2>err
		codes+=" $? $(grep -c 'no sign of life' err)"
	done
	is "$codes" ' 0 0 3 0 3 0 2 0' "a commit cut to $bytes bytes"
done

# a tree that git would not write: "../../x" as one name
cd r || exit 1
blob=$(git rev-parse v1:src/a.c)
raw=$(printf '%s' "$blob" | sed 's/../\\x&/g')
# shellcheck disable=SC2059  # the format is the data
bad=$(printf "100644 ../../x\\0$raw" | git hash-object -t tree -w --stdin --literally)
good=$(printf '040000 tree %s\tbad\n100644 blob %s\tgood.c\n' "$bad" "$blob" | git mktree)
"$BALE" pack --rev "$good" --budget all -q -o ../out.md --report ../out.json . 2>../err
is "$? $(reason ../out.json bad/) $(grep -c '^## File: good.c' ../out.md)" \
	"3 unreadable 1" \
	"a tree whose names lead out of it is left out"
is "$(grep -c '\.\./x' ../out.md)" 0 "and none of its names is shown"

# 10^12 files in 13 trees
tree=$(printf '100644 blob %s\tf\n' "$blob" | git mktree)
for _ in 1 2 3 4 5 6 7 8 9 10 11 12; do
	tree=$(for i in 0 1 2 3 4 5 6 7 8 9; do
		printf '040000 tree %s\t%s\n' "$tree" $i
	done | git mktree)
done
# in one step, which shows that it gets on: a second of it is no second of calm
"$BALE" pack --rev "$tree" --include 0/0/0/0/0/0/0/0/0/0/0/0/f --budget all \
	--stage-timeout 1 -q -o ../out.md --report ../out.json .
is "$? $(grep -c '^## File' ../out.md) $(reason ../out.json 9/)" "3 1 depth" \
	"of a tree of 10^12 files a million directories are looked at"
git replace -f "$blob" "$(git rev-parse v1:src/in/b.txt)"
is "$("$BALE" pack --rev v1:src --budget all -q . | grep -c 'int main')" 0 \
	"an object that is replaced (git replace) is read as its replacement"
cd .. || exit 1
# The library keeps what it has made of a pack until nobody has it open: the walk
# and the history both do, and each is read with the memory of both.
git init -q -b main s
cd s || exit 1
python3 - <<'EOF'
import subprocess
p = subprocess.Popen(['git', 'fast-import', '--quiet'], stdin=subprocess.PIPE)
texts = [[f'int f{i}_{k}; /* {k:0>90} */\n' for k in range(900)]
         for i in range(16)]
for v in range(40):
    p.stdin.write(b'commit refs/heads/main\ncommitter a <a@b> %d +0000\n'
                  b'data 2\nv\n' % (1700000000 + v))
    for i, text in enumerate(texts):
        for k in range(3):
            text[(v * 37 + k * 11 + i) % 900] = f'int g{i}_{v}_{k};\n'
        t = ''.join(text).encode()
        p.stdin.write(b'M 100644 inline f%d.c\ndata %d\n%s\n' % (i, len(t), t))
p.stdin.close()
p.wait()
EOF
git repack -adfq --depth=50 --window=10
"$BALE" pack --rev HEAD --budget 8000 -q -o ../out.md . 2>../err
"$BALE" pack --rev HEAD --budget 8000 -q -o ../small.md --memory 48M . 2>>../err
is "$? $(cmp ../out.md ../small.md) $(cat ../err)" "0  " \
	"what the history has left in memory is not in the way"
cd .. || exit 1
head -c 60000000 /dev/zero | tr '\0' 'a' >r/huge.txt
git -C r add huge.txt
git -C r commit -q -m huge >/dev/null
"$BALE" pack --rev HEAD --budget all -q -o out.md --report out.json r 2>err
is "$? $(reason out.json r/huge.txt) $(grep -c 'raise --memory' err)" "0 too-large 1" \
	"an object larger than the memory for objects"
# written COMMAND...: an object of some 60 MB that begins as it prints
written() {
	{ "${@:2}" && head -c 60000000 /dev/zero | tr '\0' m; } |
		git -C r hash-object -t "$1" -w --literally --stdin
}
git -C r update-ref refs/heads/large "$(written commit git -C r cat-file commit v1)"
git -C r update-ref refs/tags/large-tag "$(written tag printf \
	'object %s\ntype commit\ntag large-tag\ntagger a <a@b> 0 +0000\n\n' \
	"$(git -C r rev-parse v1^0)")"
for rev in large large~0 large:src large-tag; do
	"$BALE" pack --rev $rev -q -o none r 2>err
	is "$? $(grep -c 'needs more than the .* of --memory' err) $(wc -l <err)" \
		"5 1 1" "--rev $rev is larger than the memory for objects"
	"$BALE" pack --rev $rev -q -o more --budget all --memory 1G r 2>err
	is "$?" 0 "and --rev $rev with more of it"
done
is "$([ -e none ] && echo there)" "" "no output of what was refused"
done_testing
