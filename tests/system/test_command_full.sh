#!/bin/bash
# SPDX-License-Identifier: MIT
#
# A full disk under what is printed: every command says so, with the kernel's
# own reason, and ends with 4, however little or much there was to print.

# shellcheck source=tests/support/lib.sh
. tests/support/lib.sh
[ -w /dev/full ] || skip_all there is no /dev/full

cd "$dir" || exit 1
mkdir tree
for i in $(seq 300); do
	echo "int a$i;" >"tree/a_file_with_a_name_that_is_long_$i.c"
done
"$BALE" pack tree --no-config -q -o out.md --report r.json || exit 1
"$BALE" pack tree --shard 0/1 -q -o part || exit 1
echo '[{"path":"a","lines":"1-2","rank":2,"content":"x\ny\n"}]' >chunks.json
for i in $(seq 80); do
	"$BALE" window w.json add --content "number $i of them all" >/dev/null
done
echo '{"messages":[{"role":"user","content":"hello"}]}' >chat.json
"$BALE" rounds usage u.json record --round 1 --input 1 --budget 9 >/dev/null

# What each command prints, a line each; of pack it is tested with the output.
cat >runs <<'END'
help
help pack
help window
version
version --verbose
models
models --json
count chunks.json out.md
count --json out.md chunks.json
count --ids out.md
find name tree
find name tree --json
tree tree
tree tree --json
preview tree
preview tree --json
preview tree -o /dev/full
preview tree --json -o /dev/full
pack tree
pack tree --budget all
pack tree -o /dev/full
pack tree -o kept.md --report /dev/full
pack tree -o kept.md --metrics /dev/full
pack tree -o kept.md --audit-log /dev/full
pack tree --shard 0/1 -o /dev/full
merge part tree
merge part tree -o /dev/full
bench tree --runs 1
bench tree --runs 1 --json
report r.json
report r.json --json
report r.json --selection-detail --chunk-detail
report r.json --html -
report r.json --html /dev/full
dedup chunks.json
dedup chunks.json --json
config show
config show --json
config validate
config validate --json
config init
verify out.md
verify out.md --against r.json
window --help
window w.json list
window w.json list --json
window w.json stats
window w.json stats --json
window w.json build
window w.json snapshot
compact --help
rounds --help
rounds usage u.json report
cache size
cache size --json
cache clear
END

bad=
while read -r -a run; do
	printf 'as it was' >kept.md
	rm -rf .agent
	"$BALE" "${run[@]}" >/dev/full 2>err </dev/null
	code=$?
	[ $code = 4 ] || bad+="$code: ${run[*]}"$'\n'
	grep -q 'No space left on device$' err ||
		bad+="${run[*]}: $(head -c 200 err)"$'\n'
done <runs
is "$bad" "" "each says that there is no space left"

for command in $("$BALE" help |
	sed -n '/^Commands:/,/^$/s/^  \([a-z]*\) .*/\1/p'); do
	# these print nothing
	[ "$command" = unpack ] || [ "$command" = mcp ] || [ "$command" = batch ] ||
		is "$(grep -c "^$command" runs | sed 's/^[1-9].*/some/')" some \
			"$command is among them"
done
done_testing
