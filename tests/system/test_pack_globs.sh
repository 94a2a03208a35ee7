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
is "$("$BALE" pack --pin 'src/{i.ts,none.c}' --budget 20k -q \
	-o "$dir/out" 2>&1)" \
	"bale: warning: --pin src/none.c matched no file; patterns are matched below each PATH" \
	"the alternative that matched no file is named"

done_testing
