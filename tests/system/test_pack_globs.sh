#!/bin/bash
# SPDX-License-Identifier: MIT
#
# --include, --exclude and --pin: the patterns that people write.

# shellcheck source=tests/support/lib.sh
. tests/support/lib.sh

# The paths that a preview of everything would pack, on one line.
packed() {
	"$BALE" preview --budget all -q "$@" 2>"$dir/err" |
		awk -F '\t' '$2 == "packed" { sub(/:[0-9-]*$/, "", $3); print $3 }' |
		tr '\n' ' '
}

mkdir -p "$dir/in/app/(group)/[id]" "$dir/in/src" "$dir/in/docs"
cd "$dir/in" || exit 1
for name in src/a.c src/b.h src/i.ts docs/d.md 'app/(group)/[id]/page.tsx' \
	'app/(group)/i,j.tsx' '{x,y}.c' x.c; do
	echo "$name" >"$name"
done

is "$(packed --include 'src/*.{c,h}')" "src/a.c src/b.h " "braces"
is "$(packed --include '*.h,docs')" "docs/d.md src/b.h " "commas"
is "$(packed --include '*.h , docs')" "docs/d.md src/b.h " \
	"commas with blanks"
is "$(packed --include './src/*.h,./x.c')" "src/b.h x.c " "from the top"
is "$(packed --include './a.c')" "" "and only there"
is "$(packed --exclude 'src/*.{c,h},*.tsx,docs/')" "src/i.ts x.c {x,y}.c " \
	"the same left out"
is "$(packed --include 'app/(group)/[id]/page.tsx')" \
	"app/(group)/[id]/page.tsx " "a name with brackets, as it is"
is "$(packed --include '[a-h].[ch]')" "src/a.c src/b.h " "a class"
is "$(packed --include 'i\,j.tsx')" "app/(group)/i,j.tsx " "a comma in a name"
is "$(packed --include '\{x\,y\}.c')" "{x,y}.c " "braces in a name"
is "$(BALE_INCLUDE=$'*.{h,ts}\n*.md' packed)" "docs/d.md src/b.h src/i.ts " \
	"in the environment, a list a line"
"$BALE" pack --include "$(printf '{a,b}%.0s' {1..13})" >"$dir/out" 2>"$dir/err"
is "$? $(grep -c 'stands for more than 4096 patterns' "$dir/err")" "2 1" \
	"a pattern that explodes is refused"
is "$("$BALE" pack --pin 'src/{i.ts,none.c}' --budget 10k -q \
	-o "$dir/out" 2>&1)" \
	"bale: warning: --pin src/none.c matched no file; patterns are matched below each PATH" \
	"the alternative that matched no file is named"

# ---- what matches nothing -----------------------------------------------------

# warns ARGS: the warnings of a run, without what they begin with
warns() {
	"$BALE" preview --budget 20k -q "$@" 2>&1 >/dev/null |
		sed -n 's/^bale: warning: //p'
}

is "$(warns --include 'scr/*.c,docs')" \
	"--include scr/*.c matched no file; did you mean src/*.c?" \
	"a pattern with a slip in its directory"
is "$(warns --include '*.mdd' --exclude '*.tsc')" \
	"--include *.mdd matched no file; did you mean *.md?
--exclude *.tsc matched no file; did you mean *.tsx?" "or in its suffix"
is "$(warns --include 'app/*.tzx')" \
	"--include app/*.tzx matched no file; did you mean app/**/*.tsx?" \
	"or in its suffix, of files further below"
is "$(warns --exclude 'src/b.h,docs/,*.tsx')" "" "patterns that left something out"
echo 'context: {include: ["*.none"]}' >config.yml
is "$(warns --config config.yml)" "" "those of a configuration need not match"
rm config.yml
is "$(printf 'src/a.cc\nx.c\n' | "$BALE" preview -q --files-from - 2>&1 >/dev/null |
	grep -c 'files-from src/a.cc matched no file; did you mean src/a.c?')" 1 \
	"a file of a list"

# ---- what ignore rules leave out ----------------------------------------------

mkdir -p ignored/sub node_modules/x .hidden
echo '*.log
ignored/' >.gitignore
for name in a.log ignored/sub/x.c ignored/y.c node_modules/x/index.js \
	.hidden/z.c src/jquery.min.js src/id_rsa; do
	echo "$name" >$name
done
is "$(packed --include '*.log')" "" "--include does not bring back what is ignored"
is "$(warns --pin a.log)" "--pin a.log matched no file but a.log: an ignore file \
leaves it out, or it is in a hidden directory; --force-include includes it" \
	"nor does --pin"
is "$(warns --pin a.log --exclude '*.log')" \
	"--pin a.log matched no file but a.log: --exclude leaves it out" \
	"what another option leaves out"
is "$(warns --boost src/a.c --include '*.md')" "--boost src/a.c matched no file \
but src/a.c: it is not among what --include names" "or does not name"
is "$(warns --exclude '*.log,node_modules')" "" \
	"--exclude of what is left out anyway"
is "$(packed --exclude '*.c,*.tsx,*.md,*.h,*.ts' --force-include a.log)" \
	".gitignore a.log " "--force-include does"
is "$(packed --include '*.md' --force-include 'ignored/sub/*.c')" \
	"docs/d.md ignored/sub/x.c " "below a directory that is ignored"
is "$(packed --include '*.md' --force-include 'ignored')" \
	"docs/d.md ignored/sub/x.c ignored/y.c " "and all of it"
is "$(packed --include '*.md' --force-include 'node_modules/**,*.min.js')" \
	"docs/d.md node_modules/x/index.js src/jquery.min.js " \
	"what is left out by default"
mkdir -p node_modules/y
echo y >node_modules/y/index.js
is "$("$BALE" preview -q --force-include 'node_modules/x' --include '*.md' |
	awk -F '\t' '$2 != "packed" { print $2, $3 }')" \
	"dependency node_modules/y/" "and the rest of it is left out with its reason"
rm -r node_modules/y
is "$(warns --include '*.md,node_modules/**')" "--include node_modules/** \
matched no file: node_modules/ is left out: installed packages, such as \
node_modules; --force-include includes what it names there, \
--no-default-excludes all of it" "--include does not, and says so"
is "$(packed --include '*.md' --force-include '.hidden/')" \
	".hidden/z.c docs/d.md " "a hidden directory"
is "$(packed --include '*.md' --force-include '*' --exclude 'src,app' | wc -w)" 9 \
	"everything but what --exclude names"
is "$(packed --include '*.md' --force-include 'id_rsa')" "docs/d.md " \
	"a secret is left out all the same"
is "$(warns --force-include id_rsa)" "--force-include id_rsa matched no file: \
src/id_rsa is left out: name or content of a secret" "and that is said"
is "$(echo a.c | "$BALE" preview -q --files-from - 2>&1 >/dev/null |
	sed -n 's/^bale: warning: //p')" \
	"--files-from a.c matched no file; did you mean src/a.c?" \
	"a listed path is not a pattern"
git init -q . && git add -f ignored/y.c && git -c user.name=x \
	-c user.email=x commit -qm x
is "$(packed --include '*.md' --force-include 'ignored/sub')" \
	"docs/d.md ignored/sub/x.c " "beside a file that git tracks"

done_testing
