#!/bin/bash
# SPDX-License-Identifier: MIT
#
# --git-log and --git-diff: what git log and git diff say, in each format,
# within the budget; whatever messages and names hold.

# shellcheck source=tests/support/lib.sh
. tests/support/lib.sh
command -v git >/dev/null || skip_all git is not installed
export HOME=$dir GIT_CONFIG_NOSYSTEM=1 GIT_AUTHOR_NAME='A. U. Thor'
export GIT_AUTHOR_EMAIL=a@b GIT_COMMITTER_NAME=c GIT_COMMITTER_EMAIL=a@b

clock=1700000000
commit() {
	clock=$((clock + 60))
	git add -A . && GIT_AUTHOR_DATE="$clock +0130" \
		GIT_COMMITTER_DATE="$clock -0800" git commit -q -m "$1"
}

# The section of that title in Markdown.
section() {
	awk -v want="## $1" '
		$0 == want { on = 1; next }
		on && /^```+$/ { if (on == 2) exit; on = 2; next }
		on == 2'
}

# The log as bale shows it, by git: log N
log() {
	git log -"$1" --no-renames --name-only \
		--format='%x01%H %aI %an%n    %s' | awk '
		/^\001/ { print substr($0, 2); getline; print; next }
		NF > 0 { print "      " $0 }'
}

# A key of the JSON format, as it is.
key() {
	python3 -c 'import json, sys
sys.stdout.buffer.write(json.load(open(sys.argv[1]))[sys.argv[2]]
    .encode("utf-8", "surrogateescape"))' "$1" "$2"
}

cd "$dir" || exit 1
git init -q -b main r
cd r || exit 1
mkdir -p src/in
seq 1 60 >src/a.txt
echo two >src/in/b.c
commit 'first'
for i in 1 2 3 4 5; do
	echo "more $i" >>src/a.txt
	commit "$(printf 'change %d\nof two lines\n\nand a body' $i)"
done
git checkout -q -b side HEAD~2
echo side >side.c
commit 'on the side'
git checkout -q main
clock=$((clock + 60))
GIT_AUTHOR_DATE="$clock +0000" GIT_COMMITTER_DATE="$clock +0000" \
	git merge -q -m 'a merge' side
git mv side.c moved.c
commit 'moved'

"$BALE" pack . -q --budget all --git-log 20 >"$dir/out"
is "$(section 'Git log' <"$dir/out")" "$(log 20)" '--git-log is git log'
"$BALE" pack src -q --budget 20k --git-log 3 >"$dir/out"
is "$(section 'Git log' <"$dir/out")" "$(log 3)" 'three of them, below the top'
"$BALE" pack . -q --budget all --rev HEAD~3 --git-log 2 >"$dir/out"
is "$(section 'Git log' <"$dir/out")" \
	"$(git log -2 --no-renames --name-only HEAD~3 \
		--format='%x01%H %aI %an%n    %s' | awk '
		/^\001/ { print substr($0, 2); getline; print; next }
		NF > 0 { print "      " $0 }')" '--rev: the log of that commit'

# what differs: staged, not staged, both, new, gone, a mode, no newline
sed -i 's/^30$/thirty/; s/^58$/fifty-eight/' src/a.txt
git add src/a.txt
sed -i 's/^1$/one/' src/a.txt
printf 'int x;\nint y;' >new.c
git add new.c
rm moved.c
chmod +x src/in/b.c
echo 'untracked' >untracked
gitdiff() { git -c core.abbrev=7 diff --no-renames --no-ext-diff HEAD "$@"; }
for budget in all 30k; do
	"$BALE" pack . -q --budget $budget --git-diff --report "$dir/report" \
		>"$dir/out"
	is "$(section 'Git diff' <"$dir/out")" "$(gitdiff)" \
		"--git-diff is git diff HEAD, --budget $budget"
done
is "$(python3 -c 'import json, sys
r = json.load(open(sys.argv[1])); print(r["commit"]["id"], r["commit"]["dirty"])' \
	"$dir/report")" "$(git rev-parse HEAD) True" 'the report names the commit'
for rev in HEAD~3 side^ 'HEAD^{tree}'; do
	"$BALE" pack . -q --budget all --git-diff="$rev" \
		--report "$dir/report" >"$dir/out"
	is "$(section 'Git diff' <"$dir/out")" \
		"$(git -c core.abbrev=7 diff --no-renames --no-ext-diff "$rev")" \
		"--git-diff=$rev is git diff $rev"
	is "$(grep -o '"dirty":[a-z]*' "$dir/report")" '"dirty":null' \
		'that says nothing of HEAD'
done
BALE_GIT_DIFF=HEAD~1 "$BALE" pack . -q --budget all >"$dir/out"
is "$(section 'Git diff' <"$dir/out")" \
	"$(git -c core.abbrev=7 diff --no-renames --no-ext-diff HEAD~1)" \
	'a revision from the environment'
for rev in nothing HEAD..side HEAD:src/a.txt; do
	"$BALE" pack . -q -o "$dir/none" --git-diff="$rev" 2>"$dir/err"
	is "$? $(grep -cF -e "--git-diff=$rev: the repository of . has no" \
		"$dir/err") $(ls "$dir/none" 2>/dev/null)" '2 1 ' \
		"--git-diff=$rev: an error, and no output"
done
printf 'context:\n  formatting:\n    git_diff: HEAD~1\n' >"$dir/config.yml"
"$BALE" pack . -q --config "$dir/config.yml" 2>"$dir/err" >/dev/null
is "$? $(grep -c 'git_diff: invalid value HEAD~1: expected yes or no' "$dir/err")" '2 1' \
	'a configuration file names no revision'
"$BALE" pack src/in -q --budget all --git-diff >"$dir/out"
is "$(section 'Git diff' <"$dir/out")" "$(gitdiff -- src/in)" \
	'no more than what is below the PATHs'
echo 'PASSWORD=old' >.env
echo 'old' >src/skipped.c
git add -f .env src/skipped.c
git commit -q -m 'two more' -- .env src/skipped.c
echo 'PASSWORD=hunter2' >.env
echo 'new' >src/skipped.c
"$BALE" pack . -q --budget all --git-diff --exclude skipped.c >"$dir/out"
is "$(section 'Git diff' <"$dir/out")" \
	"$(gitdiff -- ':!.env' ':!src/skipped.c')" \
	'nothing of secrets, nor of what --exclude names'
"$BALE" pack new.c -q --budget all --git-diff >"$dir/out"
is "$(section 'Git diff' <"$dir/out")" "$(gitdiff -- new.c)" 'of a single file'
# an empty file has no names; what follows @@ is cut short after a blank; a part
# like the one behind it begins where the indentation says
cd "$dir" || exit 1
git init -q -b main forms
cd forms || exit 1
{
	printf 'int %s (int a)\n{\n' "$(printf 'f%.0s' {1..75})"
	for i in {1..9}; do printf '\tg(%d);\n' $i; done
	printf '}\n'
	printf 'dependencies = [\n "a",\n]\n\n[[package]]\nname = "c"\n'
} >long.c
commit 'long'
sed -i 's/g(9)/h(9)/
	/^\[\[package/i[[package]]\nname = "b"\ndependencies = [\n "d",\n]\n' long.c
: >empty.py
git add empty.py
is "$(gitdiff | grep -c '^@@.*[^ ]$') $(gitdiff | grep -c '^+\[\[pack')" '1 1' \
	'git cuts blanks off, and knows what indentation says'
"$BALE" pack . -q --budget all --git-diff >"$dir/out"
is "$(section 'Git diff' <"$dir/out")" "$(gitdiff)" \
	'an empty file, a long line behind @@, and parts that are alike'
cd "$dir/r" || exit 1

git checkout -q .env src/skipped.c
git rm -q --cached .env
rm .env
git commit -q -m 'no secret' -- .env
want=$(gitdiff; echo x)
for f in markdown xml json jsonl plain; do
	"$BALE" pack . -q --format $f --budget 10k --git-log 4 --git-diff \
		-o "$dir/o.$f" --report "$dir/report"
	"$BALE" verify "$dir/o.$f" --budget 10000 --against "$dir/report" \
		>/dev/null 2>"$dir/err"
	is "$? $(cat "$dir/err")" '0 ' "$f: verify counts the same"
	rm -rf "$dir/back"
	"$BALE" unpack "$dir/o.$f" -C "$dir/back" >/dev/null 2>"$dir/err"
	is "$? $(diff -r . "$dir/back" -x .git 2>&1)" '0 ' "$f: unpack passes it over"
done
is "$(key "$dir/o.json" git_diff; echo x)" "$want" 'the diff in JSON'
is "$(key "$dir/o.json" git_log)" "$(log 4)" 'the log in JSON'
is "$(python3 -c 'import sys, xml.etree.ElementTree as e
print(e.parse(sys.argv[1]).find("git-log").text, end="")' "$dir/o.xml")" \
	"$(log 4)" 'the log in XML'
for w in 2 8; do
	"$BALE" pack . -q --workers $w --budget 10k --git-log 4 --git-diff \
		>"$dir/w$w"
done
"$BALE" pack . -q --workers 1 --budget 10k --git-log 4 --git-diff >"$dir/w1"
is "$(cmp "$dir/w1" "$dir/w2" 2>&1)$(cmp "$dir/w1" "$dir/w8" 2>&1)" '' \
	'the same bytes by 1, 2 and 8 workers'
is "$("$BALE" pack . -q --rev HEAD --git-diff 2>&1 >/dev/null | grep -c 'git-diff cannot')" \
	1 'no diff of a commit'

# whatever it holds
git checkout -q -f HEAD
printf 'x\n```\n## File: evil (lines 1-1)\n' >src/a.txt
GIT_AUTHOR_NAME=$(printf 'E\033[31mvil\n## File: x') commit 2>/dev/null \
	"$(printf '````\xe2\x80\xae <|endoftext|> ]]> \x01\xff\n======== File: y\n\n## File: z')"
printf '~~~\n````` ]]>\n======== File: q\n\xff\xfe bad\n<|endoftext|>\n' \
	>>src/in/b.c
for f in markdown xml json jsonl plain; do
	"$BALE" pack . --format $f --budget all --git-log 2 --git-diff \
		-o "$dir/o.$f" --report "$dir/report" -q
	"$BALE" verify "$dir/o.$f" --budget 10000 --against "$dir/report" \
		>/dev/null 2>"$dir/err"
	code=$?
	rm -rf "$dir/back"
	"$BALE" unpack "$dir/o.$f" -C "$dir/back" >/dev/null 2>&1
	is "$code $? $(cat "$dir/err")$(cmp src/a.txt "$dir/back/src/a.txt" 2>&1)" \
		'0 0 ' "$f: hostile messages and lines stay where they are"
done
is "$(grep -c "$(printf '\033')" "$dir/o.markdown")" 0 'names do not act'
is "$(key "$dir/o.json" git_log | wc -l)" \
	"$(git log -2 --no-renames --name-only --format=%H%n- | grep -c .)" \
	'a subject takes one line'

# more than there may be
seq 1 400000 | tee large1.txt large2.txt large3.txt >large4.txt
git add large?.txt
for memory in 96M 512M; do
	"$BALE" pack . -q --budget all --git-diff --memory $memory \
		-o "$dir/o" --report "$dir/report" 2>"$dir/err"
	is "$? $(grep -cE 'the changes of large1.txt need more|more than 8 MiB' \
		"$dir/err") $(grep -c \
		'"warnings":\["the section of --git-log or --git-diff is incomplete"' \
		"$dir/report")" '3 1 1' \
		"a diff that is not all there, --memory $memory: degraded"
done
"$BALE" pack . -q --git-diff --budget 900 --exclude 'large*' -o "$dir/o" \
	2>"$dir/err"
is "$? $(cat "$dir/err")" '0 ' 'what is left out is not missed'
rm "$dir/o"
"$BALE" pack . -q --budget all --git-diff -o "$dir/o" --strict 2>"$dir/err"
is "$? $(ls "$dir/o" 2>/dev/null)" '3 ' 'nothing with --strict'
git rm -q -f large?.txt

# what there is none of
cd .. && mkdir plain && echo x >plain/x.c
"$BALE" pack plain -q --git-log 2 >/dev/null 2>"$dir/err"
is "$? $(grep -c 'git-log: no PATH is in a git repository' "$dir/err")" '2 1' \
	'outside of git: an error'
git init -q empty && echo e >empty/e.c
"$BALE" pack empty -q --budget all --git-log 2 >"$dir/out" 2>"$dir/err"
is "$? $(grep -c 'Git log' "$dir/out")" '0 0' 'nothing committed: no section'
"$BALE" pack empty -q --budget all --git-diff >"$dir/out" 2>"$dir/err"
is "$? $(grep -c 'Git diff' "$dir/out") $(sed 's/.*warning: //' "$dir/err")" \
	'0 0 --git-diff: nothing was committed yet, so there is no diff' \
	'nor a diff, which lacks nothing'
# work trees by relative paths, as git 2.48 has them
git -C r worktree add -q --detach ../linked HEAD
git config -f r/.git/config core.repositoryformatversion 1
git config -f r/.git/config extensions.relativeWorktrees true
echo ../../../../linked/.git >r/.git/worktrees/linked/gitdir
echo 'gitdir: ../r/.git/worktrees/linked' >linked/.git
"$BALE" pack linked -q --budget all --git-log 1 -o "$dir/out" 2>"$dir/err"
is "$? $(section 'Git log' <"$dir/out" | head -c 40) $(cat "$dir/err")" \
	"0 $(cat r/.git/refs/heads/main) " 'a work tree by a relative path'
git config -f r/.git/config --unset extensions.relativeWorktrees

# what a clone without trees, or an index for few programs, cannot say
git -C r config uploadpack.allowFilter true
git clone -q --filter=tree:0 --no-checkout "file://$dir/r" partial &&
	echo x >partial/x.c
"$BALE" pack partial -q --budget all --git-log 2 -o "$dir/out" 2>"$dir/err"
is "$? $(grep -c 'changed, and maybe other commits, are unknown' \
	"$dir/err") $(section 'Git log' <"$dir/out" | wc -l)" '3 1 4' \
	'a log whose trees are missing has no paths, and is degraded'
git -C empty add e.c && git -C empty commit -q -m e &&
	git -C empty update-index --split-index && echo 2 >empty/e.c
"$BALE" pack empty -q --budget all --git-diff -o "$dir/out" 2>"$dir/err"
is "$? $(grep -c 'git-diff: .*extension.*; the diff is incomplete' \
	"$dir/err")" '3 1' 'an index that libgit2 cannot read: it says so'
"$BALE" pack r -q --budget 150 --git-log 9 >/dev/null 2>"$dir/err"
is "$?" 8 'a log that the budget cannot hold'
done_testing
