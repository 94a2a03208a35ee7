#!/bin/bash
# SPDX-License-Identifier: MIT
#
# A repository whose parts are links to those of another one, or name them:
# nothing of the other one is read, whatever the kernel can do, and the link is
# named. Each of these is a way in for git itself, or was one for bale. LONG=1:
# each by each way of reading it, else by one or two, in turns.

# shellcheck source=tests/support/lib.sh
. tests/support/lib.sh
command -v git >/dev/null || skip_all git is not installed
export HOME=$dir GIT_CONFIG_NOSYSTEM=1 GIT_AUTHOR_NAME=a GIT_AUTHOR_EMAIL=a@b
export GIT_COMMITTER_NAME=a GIT_COMMITTER_EMAIL=a@b
deny=${BALE%/*}/tests/support/tool_deny

cd "$dir" || exit 1
# Somebody else's: one with packs, the same with loose objects.
git init -q -b main theirs
echo 'SECRET text' >theirs/theirs.c
git -C theirs add .
git -C theirs commit -q -m 'SECRET message'
echo 'more SECRET text' >>theirs/theirs.c
git -C theirs commit -qa -m 'SECRET again'
git clone -q --no-local --bare theirs loose.git
git -C theirs repack -qad && git -C theirs pack-refs --all
git -C theirs multi-pack-index write
mkdir unpacked && mv loose.git/objects/pack/* unpacked
for pack in unpacked/*.pack; do
	git -C loose.git unpack-objects -q <"$pack"
done
echo "$dir/theirs/.git/objects" >list
mkdir info && cp list info/alternates
theirs=$dir/theirs/.git
commit=$(git -C theirs rev-parse HEAD)
echo "$commit" >loose.git/refs/heads/main

# What a stranger made: it has the branch, and none of the objects.
make() {
	rm -rf evil
	git init -q -b main evil
	echo 'int own;' >evil/theirs.c
	echo "$commit" >evil/.git/refs/heads/main
	own=$dir/evil/.git
}

linked_pack() {
	rmdir "$own/objects/pack"
	ln -s "$theirs/objects/pack" "$own/objects/pack"
}

linked_pack_files() {
	ln -s "$theirs"/objects/pack/* "$own/objects/pack"
}

linked_pack_alone() {
	cp "$theirs"/objects/pack/*.idx "$own/objects/pack"
	ln -s "$theirs"/objects/pack/*.pack "$own/objects/pack"
}

linked_folders() {
	ln -s "$dir"/loose.git/objects/?? "$own/objects"
}

linked_loose() {
	(cd loose.git/objects && find ?? -type f) | while read -r object; do
		mkdir -p "$own/objects/${object%/*}"
		ln -s "$dir/loose.git/objects/$object" "$own/objects/$object"
	done
}

linked_objects() {
	rm -rf "$own/objects"
	ln -s "$theirs/objects" "$own/objects"
}

linked_by_steps() {
	ln -s "$dir" "$own/elsewhere"
	rm -rf "$own/objects"
	ln -s elsewhere/theirs/.git/objects "$own/objects"
}

linked_alternates() {
	ln -s "$dir/list" "$own/objects/info/alternates"
}

linked_info() {
	rm -rf "$own/objects/info"
	ln -s "$dir/info" "$own/objects/info"
}

named_alternates() {
	cp list "$own/objects/info/alternates"
}

named_alternates_by_dots() {
	echo "../../../theirs/.git/objects" >"$own/objects/info/alternates"
}

named_common() {
	echo "$theirs" >"$own/commondir"
}

linked_common() {
	echo "$theirs" >common
	ln -s "$dir/common" "$own/commondir"
}

named_git() {
	rm -rf "$own"
	echo "gitdir: $theirs" >evil/.git
}

linked_git() {
	rm -rf "$own"
	ln -s "$theirs" evil/.git
}

# With their objects, but one of the branch: what is secret is where that is.
make_clone() {
	rm -rf evil
	git clone -q --no-local theirs evil
	own=$dir/evil/.git
	git -C evil reset -q --hard HEAD~1
	git -C evil pack-refs --all
	rm -rf "$own"/logs "$own"/refs/remotes "$own"/ORIG_HEAD
	echo "# pack-refs with: peeled fully-peeled sorted" >"$own/packed-refs"
	git -C evil rev-parse HEAD~1 2>/dev/null >"$own/refs/heads/main" ||
		git -C theirs rev-parse HEAD~1 >"$own/refs/heads/main"
}

linked_refs() {
	rm -rf "$own/refs"
	ln -s "$dir/loose.git/refs" "$own/refs"
}

linked_heads() {
	rm -rf "$own/refs/heads"
	ln -s "$dir/loose.git/refs/heads" "$own/refs/heads"
}

linked_branch() {
	ln -sf "$dir/loose.git/refs/heads/main" "$own/refs/heads/main"
}

linked_packed_refs() {
	rm "$own/refs/heads/main"
	ln -sf "$theirs/packed-refs" "$own/packed-refs"
}

linked_head() {
	echo "$commit" >detached
	ln -sf "$dir/detached" "$own/HEAD"
}

linked_config() {
	ln -sf "$theirs/config" "$own/config"
}

# run WAY: what pack says in all there is to read of it, and its exit code
run() {
	local way=$1
	shift
	rm -f out err report
	case $way in
	rev) set -- "$@" pack --rev HEAD ;;
	commit) set -- "$@" pack --rev "$commit" ;;
	log) set -- "$@" pack --git-log=9 ;;
	diff) set -- "$@" pack "--git-diff=$commit" ;;
	rank) set -- "$@" pack --log-level info ;;
	esac
	"$within" 60 "$@" --budget 90k -q --no-last --no-sandbox \
		--report report evil >out 2>err
	code=$?
	cat out err report >all 2>/dev/null
}

# try KIND CODE WAYS NAMED: each way of reading it; CODE is that of the log
tried=0
try() {
	local kind=$1 of_log=$2 ways=$3 named=$4 way want all

	read -ra all <<<"$ways"
	if [ "${LONG:-0}" = 0 ]; then
		ways=${all[tried++ % ${#all[@]}]}
	fi
	$kind
	for way in $ways; do
		run $way "$BALE"
		is "$(grep -acE "$secret" all)" 0 "$kind, $way: nothing of it is read"
		is "$(grep -c "$named" err)" 1 "$kind, $way: it is named"
		case $way in
		rev | commit) want=2 ;;
		rank) want=0 ;;
		*) want=$of_log ;;
		esac
		is $code $want "$kind, $way: the exit code"
	done
}

# what is said of a file, and of the commits that changed it
secret='SECRET|"git_activity":[1-9]'
ways='rev commit log diff rank'
link='is a symbolic link, and bale follows none in a repository'
while read -r kind code named; do
	make
	if [ "${LONG:-0}" != 0 ]; then
		$kind
		is "$(git -C evil log 2>&1 | grep -c SECRET)" 2 \
			"$kind: git itself reads it"
		make
	fi
	try $kind $code "$ways" "$named"
done <<END
linked_pack 3 evil/.git/objects/pack $link
linked_pack_files 3 evil/.git/objects/pack/[a-z0-9.-]* $link
linked_pack_alone 3 evil/.git/objects/pack/[a-z0-9.-]*.pack $link
linked_folders 3 evil/.git/objects/[0-9a-f]* $link
linked_loose 3 evil/.git/objects/[0-9a-f/]* $link
linked_objects 3 evil/.git/objects $link
linked_by_steps 3 evil/.git/objects $link
linked_alternates 3 evil/.git/objects/info/alternates $link
linked_info 3 evil/.git/objects/info $link
named_alternates 2 it borrows objects from
named_alternates_by_dots 2 it borrows objects from
named_common 2 does not name it as its work tree
linked_common 3 evil/.git/commondir $link
named_git 2 does not name it as its work tree
linked_git 2 does not name it as its work tree
END

secret='again|more SECRET'
while read -r kind code named; do
	make_clone
	if [ "${LONG:-0}" != 0 ]; then
		is "$(git -C evil log --format=%s main)" 'SECRET message' \
			"$kind: by itself the branch is at the first commit"
		$kind
		is "$(git -C evil log 2>&1 | grep -c 'again')" 1 \
			"$kind: git itself is led to the second"
		make_clone
	fi
	try $kind $code 'rev log rank' "$named"
done <<END
linked_refs 3 evil/.git/refs $link
linked_heads 3 evil/.git/refs/heads $link
linked_branch 3 evil/.git/refs/heads/main $link
linked_packed_refs 3 evil/.git/packed-refs $link
END

# Without its HEAD it is no repository at all.
make_clone
linked_head
for way in rev log; do
	run $way "$BALE"
	is "$code $(grep -acE "$secret" all) $(grep -c 'in a git repository' err)" \
		'2 0 1' "HEAD, $way: it is no repository"
done

# What is read of it besides objects: settings, the index, rules.
make_clone
linked_config
run rev "$BALE"
is "$code $(grep -c "evil/.git/config $link" err)" '2 1' 'config, rev: it is named'
make_clone
echo 'theirs.c' >rules
ln -sf "$dir/rules" evil/.git/info/exclude
git -C evil rm -q --cached theirs.c
run rank "$BALE"
is "$code $(grep -c "evil/.git/info/exclude $link" err)" '0 1' \
	'info/exclude: it is named'
is "$(grep -c '^## File: evil/theirs.c' out)" 1 \
	'and whether a line is in it cannot be told'
make_clone
echo 'theirs.c' >evil/.gitignore
rm evil/.git/index
ln -s "$theirs/index" evil/.git/index
run rank "$BALE"
is "$code $(grep -c "evil/.git/index $link" err)" '0 1' 'index: it is named'
is "$(grep -c '^## File: evil/theirs.c' out)" 0 'and not what is tracked there'
run diff "$BALE"
is "$code $(grep -c "evil/.git/index $link.*--git-diff is incomplete" err)" '3 1' \
	'index, diff: it is named'

# A setting that leads out is as if the file was not there.
make_clone
printf '[a]\n\tb = SECRET\n' >settings
git -C evil config include.path "$dir/settings"
git -C evil config core.attributesFile "$dir/settings"
for way in log diff; do
	run $way "$BALE"
	is "$code $(grep -c 'SECRET message' out)" \
		"0 $([ $way = log ] && echo 1 || echo 0)" \
		"include.path, $way: the repository is read without it"
done

# ---- what is not there to keep a process in ----------------------------------

if [ -x "$deny" ] && "$deny" EPERM seccomp true; then
	secret='SECRET'
	some=0
	for error in EPERM ENOSYS; do
		for calls in landlock_create_ruleset landlock_add_rule,seccomp \
			openat2,landlock_create_ruleset; do
			for kind in linked_pack linked_loose; do
				some=$((some + 1))
				[ "${LONG:-0}" != 0 ] || [ $((some % 5)) = 1 ] || continue
				make
				$kind
				for way in commit log; do
					run $way "$deny" $error $calls "$BALE"
					is "$(grep -ac "$secret" all) $(grep -c \
						"evil/.git/objects[/0-9a-z]* $link" err)" \
						'0 1' \
						"$kind, $way, $error of $calls: nothing of it is read"
				done
			done
		done
	done
fi

# ---- put there while it is read ------------------------------------------------

# The folder of packs is theirs every now and then, and its own in between.
make
git -C evil commit-tree -m own "$(git -C evil write-tree)" >evil/.git/refs/heads/main
git -C evil repack -qad
python3 - evil/.git/objects "$theirs/objects/pack" <<'END' &
import os, sys
os.chdir(sys.argv[1])
while not os.path.exists("stop"):
    os.rename("pack", "own")
    os.symlink(sys.argv[2], "pack")
    os.stat("pack")
    os.unlink("pack")
    os.rename("own", "pack")
END
for ((i = 0; i < 5 + 35 * ${LONG:-0}; i++)); do
	run commit "$BALE"
	mv all "all.$i"
	run log "$BALE"
	cat all >>"all.$i"
done
touch evil/.git/objects/stop
wait
is "$(cat all.* | grep -ac SECRET)" 0 'a link that comes and goes is never followed'
done_testing
