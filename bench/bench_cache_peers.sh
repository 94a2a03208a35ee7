#!/bin/bash
# SPDX-License-Identifier: MIT
#
# The kept survey beside programs that keep an index, and one that keeps none.
#
#   bench/bench_cache_peers.sh TREE FILE WORD...
#
# Clones TREE, or copies what is no repository; FILE, a path in it, is what is
# edited. Peers are rg, and zoekt with zoekt-index and zoekt-git-index, where PATH
# has them. Of each, medians of ROUNDS (5) runs, in turn: seconds of the clock and
# of the processor to build the index, its size, a query when nothing has changed,
# and one after an edit, with what brings the index up to date. zoekt-index always
# builds anew; zoekt-git-index sees commits, so that the edit is one, which is not
# timed.
set -eu
bale=$(realpath "${BALE:-build/release/bale}")
tree=$(realpath "$1") file=$2
shift 2
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"
export XDG_CACHE_HOME=$scratch/cache BALE_PATHS=cwd
if [ -e "$tree/.git" ]; then
	git clone -q --depth 2 "file://$tree" tree
else
	cp -r "$tree" tree
fi
patterns=() any=
for word in "$@"; do
	patterns+=(-e "$word")
	any+=${any:+ or }$word
done

query_bale_find() { "$bale" find "$*" tree --cache on; }
query_bale_pack() {
	"$bale" pack tree --query "$*" --budget 32k --cache on -q --no-last
}
query_rg() { rg -i -n "${patterns[@]}" tree; }
query_zoekt_index() { zoekt -index_dir zoekt_index "$any"; }
query_zoekt_git() { zoekt -index_dir zoekt_git "$any"; }

# What brings an index up to date; bale does so when it answers.
update() {
	case $1 in
	zoekt_index) zoekt-index -index zoekt_index tree ;;
	zoekt_git) zoekt-git-index -delta -submodules=false -index zoekt_git tree ;;
	esac
}

first() { # of a program that has kept nothing
	case $1 in
	bale_*) query "$@" ;;
	*) update "$1" ;;
	esac
}

query() { "query_$1" "${@:2}"; }

after_edit() {
	update "$1"
	query "$@"
}

edit() {
	printf '%s\n' "# $RANDOM" >>"tree/$file"
	[ "$1" != zoekt_git ] ||
		git -C tree -c user.name=a -c user.email=a@b commit -qam edit
	sleep 0.2 # so that the next run may keep it
}

# timed PROGRAM WHAT COMMAND...: adds a line "clock processor"
timed() {
	local to=$scratch/$1.$2
	local TIMEFORMAT='%R %U %S'

	{ time "${@:3}" >answer 2>errors; } 2>>"$to" ||
		{ cat errors >&2; exit 1; }
}

median() { # FILE
	awk '{ print $1, $2 + $3 }' "$1" | sort -n |
		awk '{ clock[NR] = $1; cpu[NR] = $2 }
		END { m = int((NR + 1) / 2); printf "%.2f %.2f", clock[m], cpu[m] }'
}

programs="bale_find bale_pack"
[ -z "$(command -v rg)" ] || programs+=" rg"
[ -z "$(command -v zoekt)" ] || programs+=" zoekt_index"
[ -z "$(command -v zoekt)" ] || [ ! -e tree/.git ] || programs+=" zoekt_git"
find tree -type f -exec cat {} + >/dev/null # into the page cache
for ((i = 0; i < ${ROUNDS:-5}; i++)); do
	for p in $programs; do
		index=$p
		[[ $p != bale_* ]] || index=cache
		rm -rf "$index"
		timed "$p" build first "$p" "$@"
		sleep 0.2
		[[ $p != bale_* ]] || query "$p" "$@" >/dev/null
		[ ! -d "$index" ] || du -sb "$index" | cut -f 1 >"$p.size"
		timed "$p" again query "$p" "$@"
		edit "$p"
		timed "$p" edited after_edit "$p" "$@"
	done
done
echo "program  build: clock processor  bytes  unchanged  edited"
for p in $programs; do
	echo "$p  $(median "$p.build")  $(cat "$p.size" 2>/dev/null || echo 0)" \
		" $(median "$p.again")  $(median "$p.edited")"
done
