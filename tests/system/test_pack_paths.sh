#!/bin/bash
# SPDX-License-Identifier: MIT
#
# Paths in outputs: the same for the same tree, wherever it lies and however it
# was named; with several PATHs what tells them apart; messages name files as
# they are found.

BALE=${BALE:-$PWD/${BUILD:-build}/${MODE:-release}/bale}
# shellcheck source=tests/system/lib.sh
. tests/system/lib.sh
unset BALE_PATHS
common=(-q --no-config --no-last --budget all)

for tree in x y/x; do
	mkdir -p $tree/src/deep $tree/doc
	echo 'int a;' >$tree/src/a.c
	echo 'int b;' >$tree/src/deep/b.c
	echo text >$tree/doc/c.md
	echo top >$tree/README
done
ln -s x link

# paths ARGS...: of the files of an output
paths() {
	"$BALE" pack "${common[@]}" "$@" 2>err |
		sed -n 's/^## File: \(.*\) (\(lines\|same\).*/\1/p' | tr '\n' ' '
}

# of WANT ARGS...
of() {
	local want=$1 got

	shift
	got=$(paths "$@")
	[ "$got" = "$want " ] || complain "$*: $got, not $want: $(head -n 3 err)"
}

begin "a tree is the same bytes, however it is named and wherever it lies"
for options in '--budget all' '--budget 20000' '--budget all --format xml' \
	'--budget 20000 --format json --tree --query text'; do
	rm -f want
	for named in 'x .' 'x ./' '. x' 'y ../x' 'x ../x/' '. link' '. ./x//' \
		"/ $PWD/x" "y $PWD/x/" 'y/x .' ". $PWD/y/x" 'y x'; do
		# shellcheck disable=SC2086
		(cd "${named% *}" && exec "$BALE" pack -q --no-config --no-last \
			$options "${named#* }") >got 2>err
		[ -s want ] || cp got want
		same got want
		[ -s err ] && complain "$(cat err)"
	done
	grep -q "$PWD\|bale-system" want && complain "the machine is in it"
done
end

begin "unpack of any of them"
run 0 pack "${common[@]}" "$PWD/y/x" -o any.md
run 0 unpack any.md -C back -q
is diff -r back x
end

begin "several PATHs begin with what tells them apart"
of 'src/a.c src/deep/b.c doc/c.md' x/src x/doc
of 'src/a.c src/deep/b.c doc/c.md' "$PWD/x/src" "$PWD/x/doc"
of 'x/src/a.c x/src/deep/b.c y/x/src/a.c y/x/src/deep/b.c' x/src y/x/src
of 'README doc/c.md src/a.c src/deep/b.c' x x/src
of 'deep/b.c doc/c.md' x/src/deep x/doc
of 'x/doc/c.md y/x/README' x/doc y/x/README
of 'README src/a.c src/deep/b.c doc/c.md' x x/doc/c.md
run 0 pack "${common[@]}" x/src y/x/src -o several.md
run 0 unpack several.md -C apart -q
is diff -r apart/y/x/src x/src
end

begin "a file that is named by itself has the same name as in its tree"
cd x || exit 1
for args in 'src/a.c' './src/a.c' "$PWD/src/a.c" '../x/src/a.c' \
	'. --include src/a.c' '--open src/a.c' "--open $PWD/src/a.c" \
	"--files-from ../list"; do
	echo 'src/a.c' >../list
	# shellcheck disable=SC2086
	of 'src/a.c' $args
done
printf 'src/a.c:1: error\n' >../log
is grep -qF '"path":"src/a.c"' <("$BALE" pack "${common[@]}" --format jsonl \
	--tool ../log 2>err)
of 'src/a.c README' src/a.c README
of 'c.md' ../y/x/doc/c.md
cd .. || exit 1
end

begin "who wants it otherwise"
cd y || exit 1
of '../x/src/a.c ../x/src/deep/b.c' --paths cwd ../x/src
of 'x/src/a.c x/src/deep/b.c' --paths cwd "$PWD/x/src"
of "$T/x/src/a.c $T/x/src/deep/b.c" --paths absolute ../x/src
cd .. || exit 1
cat >config.yml <<'EOF'
context:
  formatting:
    paths: absolute
EOF
[ "$("$BALE" pack -q --no-last --config config.yml --budget all x/doc |
	grep -c "^## File: $T/x/doc/c.md")" = 1 ] || complain "by configuration"
run 0 pack "${common[@]}" --paths absolute x/doc -o absolute.md
run 0 unpack absolute.md -C stripped -q
same "stripped$T/x/doc/c.md" x/doc/c.md
end

begin "a message names a file as it is found"
mkdir z
seq 9000 >z/large.c
cd y || exit 1
for named in '../z' '../z/large.c' "$T/z"; do
	"$BALE" pack -q --no-config --no-last --reserve-response 0 \
		--reserve-system 0 --budget 500 --pin large.c "$named" \
		>out 2>err
	says "^bale: .* ${named%/large.c}/large\.c is pinned"
done
cd .. || exit 1
end
finish
