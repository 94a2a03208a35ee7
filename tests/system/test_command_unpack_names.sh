#!/bin/bash
# SPDX-License-Identifier: MIT
#
# `bale unpack` makes nothing that git, or another system, would act on: what
# git itself refuses to check out is refused here, and no directory becomes a
# repository whose configuration the next `git status` would run. LONG=1: each
# name in each format, and more names that git is asked about.
#
# verifies: FR-016-136

# shellcheck source=tests/support/lib.sh
. tests/support/lib.sh
command -v git >/dev/null || skip_all 'no git'
export GIT_CONFIG_NOSYSTEM=1 GIT_CONFIG_GLOBAL=/dev/null HOME=$dir
unset GIT_DIR GIT_WORK_TREE
cd "$dir" || exit 1

# pack FORMAT PATH=TEXT...: an output with these files, without hashes.
pack() {
	python3 - "$@" <<'END'
import json
import sys

def quoted(path):
    if all(32 <= b < 127 and b not in b'"\\' for b in path) and b' (' not in path:
        return path.decode()
    return '"' + ''.join('\\%03o' % b for b in path) + '"'

form, files = sys.argv[1], []
for pair in sys.argv[2:]:
    path, text = pair.split('=', 1)
    files.append((path.encode('utf-8', 'surrogateescape'), text + '\n'))
if form == 'json':
    print(json.dumps({'bale': 1, 'files': [
        {'path': p.decode('utf-8', 'surrogateescape'),
         'lines': [1, t.count('\n')],
         'chunks': [{'line': 1, 'text': t}]} for p, t in files]}))
elif form == 'xml':
    print('<bale>\n<files>')
    for p, t in files:
        print('<file path-quoted="%s" lines="1-%d"><![CDATA[%s]]></file>' % (
            ('"' + ''.join('\\%03o' % b for b in p) + '"').replace(
                '"', '&quot;'), t.count('\n'), t))
    print('</files>\n</bale>')
else:
    for p, t in files:
        head = 'File: %s (lines 1-%d)\n' % (quoted(p), t.count('\n'))
        print('## %s```\n%s```\n' % (head, t) if form == 'markdown' else
              '======== %s%s========\n' % (head, t))
END
}

formats='markdown xml json plain'
asked=120
[ "${LONG:-0}" = 0 ] || asked=3000
run_it="[core]
	repositoryformatversion = 0
	fsmonitor = touch $dir/ran; false"

# ran: whether git status runs what the configuration below back says.
ran() {
	rm -f "$dir/ran"
	(cd back && git status >/dev/null 2>&1)
	if [ -e "$dir/ran" ]; then echo ran; else echo not; fi
}

# The attacks work, where nobody refuses them.
mkdir -p back/.git/objects back/.git/refs
echo 'ref: refs/heads/main' >back/.git/HEAD
echo "$run_it" >back/.git/config
is "$(ran)" ran 'git runs what a .git/config says'
mv back/.git bare && rm -rf back && mv bare back
sed -i 's/^	repo/	bare = false\n	worktree = .\n&/' back/config
is "$(ran)" ran 'and what the config of a bare repository says'

for f in $formats; do
	for git in .git .GIT 'sub/.git' '.git ' '.git...' 'git~1' \
		$'.g\342\200\214it' '.git::$INDEX_ALLOCATION'; do
		# names are judged alike, whatever format they come from
		[ "$f" = json ] || [ "$git" = .git ] || [ "${LONG:-0}" != 0 ] ||
			continue
		rm -rf back
		pack "$f" "$git/HEAD=ref: refs/heads/main" \
			"$git/config=$run_it" "$git/objects/info/x=x" \
			"$git/refs/x=x" 'README=text' >out
		"$BALE" unpack out -C back 2>err
		is "$? $(find back -type f | sort | tr '\n' ' ')" \
			'4 back/README ' "$f, $git: nothing of it is written"
		is "$(grep -c 'belongs to a repository' err)" 4 "$f, $git: and said"
		is "$(ran)" not "$f, $git: git status runs nothing"
	done
	rm -rf back
	pack "$f" 'HEAD=ref: refs/heads/main' \
		"config=$run_it
	bare = false
	worktree = ." 'objects/info/x=x' 'refs/heads/x=x' >out
	"$BALE" unpack out -C back 2>err
	is "$? $(grep -c 'take its directory for a repository' err)" '4 1' \
		"$f: a bare repository is not made"
	is "$(ran)" not "$f: git status runs nothing of it"
	is "$(git -C back rev-parse --is-bare-repository 2>&1 |
		grep -c 'not a git repository')" 1 \
		"$f: git sees no repository there"
done

# A repository of a worktree, whose objects are elsewhere.
rm -rf back
pack json 'w/HEAD=ref: refs/heads/main' 'w/commondir=../c' "c/config=$run_it" \
	'c/objects/x=x' 'c/refs/x=x' >out
"$BALE" unpack out -C back 2>err
is $? 4 'a common directory is one as well'
is "$(git -C back/w rev-parse --git-dir 2>&1 |
	grep -c 'not a git repository')" 1 'git sees none there'

# What is a repository already gets nothing.
rm -rf back && git init -q --bare back/r.git
pack json "r.git/config.worktree=$run_it" 'r.git/hooks/post-checkout=x' \
	'beside=x' >out
"$BALE" unpack --force out -C back 2>err
is "$? $(find back -newer out -type f)" '4 back/beside' \
	'files for a repository that is there are refused'

# ---- what git refuses -------------------------------------------------------

# Names as git sees them, each in a folder of its own: it says which it takes.
git init -q oracle
git -C oracle config core.protectHFS true
git -C oracle config core.protectNTFS true
python3 - "$asked" >names <<'END'
import random
import sys

rng = random.Random(7)
ignored = ['\u200c', '\u200d', '\u200e', '\u200f', '\u202a', '\u202b',
           '\u202c', '\u202d', '\u202e', '\u206a', '\u206b', '\u206c',
           '\u206d', '\u206e', '\u206f', '\ufeff']
names = ['.git', 'git~1', '.git/config', 'a/.git/x', '..', 'a/../b', '.', 'a/.',
         './a', 'a//b', 'a/', '/a', '.gitx', 'a.git', '.gi', 'git~2', 'git',
         '.gitmodules', 'x/.gitignore', 'a\\.git\\x', 'a\\git~1', '.git\\x']
for _ in range(int(sys.argv[1])):
    base = rng.choice(['.git', '.git', 'git~1', '.gitx', 'git~', '.gi', 'gitt'])
    s = ''.join(rng.choice([c, c.upper()]) for c in base)
    for _ in range(rng.choice([0, 0, 1, 2])):
        at = rng.randrange(len(s) + 1)
        s = s[:at] + rng.choice(ignored) + s[at:]
    s += rng.choice(['', '', '.', ' ', '. .', ' ..', ':', '::$X', ':x', 'x',
                     '\\', '\\x'])
    s = rng.choice(['', '', 'a/', 'a/b/', 'a\\']) + s
    s += rng.choice(['', '', '/config', '/b/c'])
    names.append(s)
sys.stdout.write(''.join('%d/%s\0' % (i, name) for i, name in enumerate(names)))
END
blob=$(echo x | git -C oracle hash-object -w --stdin)
while IFS= read -r -d '' name; do
	printf '100644 %s\t%s\0' "$blob" "$name"
done <names | git -C oracle update-index -z --index-info 2>/dev/null
git -C oracle ls-files -z | sort -z >taken
sort -z names | comm -z -23 - taken >refused
args=()
while IFS= read -r -d '' name; do
	args+=("$name=x")
done <names
pack json "${args[@]}" >out
rm -rf back
"$BALE" unpack -q out -C back 2>err
missed=0
while IFS= read -r -d '' name; do
	case ${name#*/} in
	./a | a//b | /a) continue ;; # another way to say "a/b": written so
	esac
	if [ -f "back/$name" ]; then
		missed=$((missed + 1))
		printf '# written, and git would not: %q\n' "$name"
	fi
done <refused
is "$missed" 0 'no name that git refuses is written'
is "$(($(tr -dc '\0' <refused | wc -c) > 30))" 1 'and there are some'
is "$(find back -type f -name '.gitx' -o -type f -name .gitmodules |
	wc -l | grep -c '^[2-9]')" 1 'names that only look like it are'

# ---- names that fall together ----------------------------------------------

rm -rf back
pack json 'a=1' 'a=2' 'b/c=1' 'b=2' 'd=1' 'd/e=2' './/a=3' >out
"$BALE" unpack --force out -C back 2>err
is "$? $(cat back/a back/b/c back/d | tr '\n' ' ')" '4 1 1 1 ' \
	'the first of two that cannot both be is written'
is "$(grep -c 'it is given twice\|a directory has that name\|stands where a' err)" \
	4 'the others are named'

# A name that folds into another: here by a mount, as by a file system.
fold() {
	unshare -rm bash -c 'mount --bind back/A back/a && exec "$@"' fold "$@"
}
rm -rf back && mkdir -p back/A back/a
if fold true 2>/dev/null; then
	pack json 'A/x=first' 'a/x=second' >out
	fold "$BALE" unpack --force out -C back 2>err
	is "$? $(cat back/A/x)" '4 first' \
		'of two names of one file the first is written, --force or not'
	is "$(grep -c "the name of another file" err)" 1 'and it is said'
fi

# ---- others -----------------------------------------------------------------

rm -rf back
pack json 'src/aux.c=x' 'NUL=x' >out
"$BALE" unpack out -C back 2>err
is "$? $(find back -type f | wc -l) $(grep -c 'Windows takes such names' err)" \
	'0 2 1' 'names of devices are files here, and it is said once'
rm -rf back
pack json "$(printf 'n%.0s' {1..256})=x" "$(printf 'd/%.0s' {1..513})f=x" \
	"$(printf 'n%.0s' {1..255})=x" >out
"$BALE" unpack out -C back 2>err
is "$? $(find back -type f | wc -l)" '4 1' 'names and paths beyond the limits'
is "$(grep -c 'more than 255 bytes' err) $(grep -c 'more than 512' err)" '1 1' \
	'are named'
"$BALE" unpack out -C new/er 2>err
is "$? $(ls -d new 2>/dev/null)" '4 ' 'a DIR in no directory is an error'
pack json '.git/x=x' >out
"$BALE" unpack out -C new 2>err
is "$? $(ls -d new 2>/dev/null)" '4 ' 'a DIR that stays empty is not made'
done_testing
