#!/bin/bash
# SPDX-License-Identifier: MIT
#
# The manual and the completions that the build writes name every option of
# every command, and the programs they are for take them.

# shellcheck source=tests/support/lib.sh
. tests/support/lib.sh
doc=${BALE%/*}/doc

# skip NAME WHY
skip() {
	n=$((n + 1))
	echo "ok $n - $1 # SKIP $2"
}

# checked PROGRAM NAME COMMAND...
checked() {
	local program=$1 name=$2
	shift 2
	if ! command -v "$program" >/dev/null; then
		skip "$name" "no $program"
		return
	fi
	is "$("$@" 2>&1)" "" "$name"
}

checked mandoc 'the manual is clean' mandoc -Tlint "$doc/bale.1"
checked bash 'bash takes its completion' bash -n "$doc/bale.bash"
checked zsh 'zsh takes its completion' zsh -n "$doc/_bale"
checked fish 'fish takes its completion' fish -n "$doc/bale.fish"

# Every option that the help of a command has.
commands=$("$BALE" help | sed -n '/^Commands:/,/^$/s/^  \([a-z]*\) .*/\1/p')
is "$(($(wc -w <<<"$commands") > 10))" 1 "the help has its commands"
for command in $commands; do
	"$BALE" help "$command" >"$dir/help"
	sed -n '/^\.Ss bale '"$command"'\>/,/^\.S[sh] [^b]/p' "$doc/bale.1" |
		sed '1b;/^\.Ss/,$d' >"$dir/section"
	lost=
	for option in $(grep -o '^ \{2,6\}\(-., \)\?--[a-z0-9-]*' "$dir/help" |
		grep -o -- '--[a-z0-9-]*'); do
		[ "$option" = --help ] && continue
		grep -q -- "Fl .-${option#--}\>" "$dir/section" ||
			lost+=" man:$option"
		grep -q -- "^complete .*from $command' -l ${option#--}\>" \
			"$doc/bale.fish" || lost+=" fish:$option"
	done
	is "$lost" "" "$command: the manual and fish have all its options"
done

# bash: what stands at the end of a line.
# shellcheck disable=SC1091
. "$doc/bale.bash"
completed() {
	COMP_WORDS=("$@")
	COMP_CWORD=$(($# - 1))
	_bale 2>/dev/null
	echo "${COMPREPLY[*]}"
}
is "$(completed bale pa)" "pack" "a command"
is "$(completed bale pack --bud)" "--budget" "an option"
is "$(completed bale pack --io '')" "auto uring read" "a choice"
is "$(completed bale pack --io u)" "uring" "a part of a choice"
is "$(completed bale pack --budget '')" "" "a number: nothing"
touch "$dir/some-file"
is "$(completed bale pack -o "$dir/some")" "$dir/some-file" "a file"
is "$(completed bale config v)" "validate" "an action"
is "$(completed bale window f.json com)" "compact" "an action behind a file"
is "$(completed bale help rou)" "rounds" "a command behind help"
if command -v fish >/dev/null; then
	is "$(HOME=$dir fish -c "source $doc/bale.fish
		complete -C 'bale pack --bud'" 2>/dev/null | cut -f 1)" \
		"--budget" "fish completes an option"
fi

"$BALE" --version --verbose >"$dir/version"
is "$? $(grep -cE '^(bale|sandbox|kernel|io_uring|libyaml|libzstd|libcrypto):? ' \
	"$dir/version")" "0 7" "--version --verbose"
is "$("$BALE" version | wc -l)" 2 "version alone is short"
is "$("$BALE" help window | head -n 1)" \
	"Usage: bale window FILE ACTION [OPTIONS] [ARGUMENTS]" \
	"help of a command with a table of its own"
is "$("$BALE" help pack | sed -nE 's/^  ([0-9]) .*/\1/p')" \
	"$(sed -nE 's/^\| ([0-9]) \|.*/\1/p' docs/exit-codes.md)" \
	'the help has each exit code of docs/'

# Each code of an error stands in docs/, and there is no other there.
# verifies: NFR-016-54
codes() {
	grep -rhoE 'BALE-[A-Z]{3}-[0-9]{3}' "$@" | sort -u
}
codes --include='*.[ch]' --include='*.def' base shm catalogue tokenizer markup lang \
	git rank sources stages supervisor report window cli >"$dir/told"
codes docs >"$dir/documented"
# verifies: NFR-016-54
is "$(diff "$dir/told" "$dir/documented")" '' 'docs/ has each code of an error'

# verifies: NFR-016-53
is "$(sed -n 's/^NAME(.*"\(.*\)")$/\1/p' markup/templated.def |
	while read -r name; do
		grep -q "^|.*\`$name\`.*|.*|" docs/formats.md || echo "$name"
	done)" '' 'docs/ has each name of a template'
is "$(($(wc -l <"$dir/told") > 50))" 1 'there are codes to look for'

# The formula of a score, with the weights that a run has.
# verifies: NFR-016-52
weight() {
	"$BALE" config show --no-config |
		awk -v key="context.ranking.$1_weight" '$1 == key { print $2 }'
}
is "$(grep -c "score = ($(weight relevance) relevance + $(weight recency)\
 recency + $(weight source) source)" docs/ranking.md)" 1 \
	'docs/ has the formula of a score'

# Each key of a report.
is "$(grep -oE '"[a-z_0-9]+": \{' docs/report.schema.json | tr -d '":{ ' |
	grep -vxE 'properties|number_or_null' | sort -u | while read -r key; do
	grep -qE "\`[^\`]*\b$key\b" docs/report.md docs/ranking.md || echo "$key"
done)" '' 'docs/ has each key of a report'

# The words of the arena, and no others, stand in the table of the protocol.
is "$(sed -n '/^| word |/,/^$/p' docs/protocol.md | cut -d '|' -f 2 |
	grep -o '`[a-z_]*`' | tr -d '\`' | while read -r word; do
	grep -qE "\b$word;" shm/layout.h || echo "$word"
done)" '' 'docs/ has words of the arena that are there'

# Each name that a template can have. verifies: NFR-016-53
names=$(sed -nE 's/^NAME\(.*"([a-z_]+)"\)$/\1/p' markup/templated.def)
is "$(for name in $names; do
	grep -qw "$name" docs/formats.md || echo "$name"
done)$(($(wc -w <<<"$names") > 20))" 1 'docs/ has each name of a template'

done_testing
