#!/bin/bash
# SPDX-License-Identifier: MIT
#
# Every option works with every other, or says why not: each pair of them is
# tried on one small repository. A run that succeeds is the same with another
# number of workers, within its budget, and counted again by bale verify, and a
# preview has foretold its tokens; one that is refused names an option. LONG=1
# tries all pairs, every 40th is tried otherwise; WITH=--split only those with
# an option.

# shellcheck source=tests/lib.sh
. tests/lib.sh
command -v git >/dev/null || skip_all git is not installed
step=40
[ "${LONG:-0}" = 0 ] || step=1
cd "$dir" || exit 1
export HOME=$dir GIT_CONFIG_NOSYSTEM=1 TMPDIR=$dir/tmp
mkdir tmp

mkdir -p tree/src tree/tests tree/.hidden
for i in 1 2 3 4; do
	{
		printf '/* Part %d. */\n#include "part.h"\n\n' $i
		for k in $(seq 12); do
			printf '/* Turns wheel %d. */\nint\nturn_%d_%d(int a)\n' $k $i $k
			printf '{\n\tif (a < %d) /* less */\n\t\treturn %d;\n' $k $i
			printf '\treturn a + wheel(%d);\n}\n\n' $((i * k))
		done
	} >tree/src/part_$i.c
	printf 'def gear_%d(n):\n    # more\n    return n * %d\n' $i $i \
		>tree/src/gear_$i.py
done
cp tree/src/part_1.c tree/src/copy.c
printf 'int wheel(int);\n' >tree/src/part.h
printf '#include "../src/part.h"\nint main(void) { return turn_1_1(2); }\n' \
	>tree/tests/check.c
printf '\303\274ber \342\200\213nothing\n<|endoftext|> ```\n' >tree/notes.md
printf 'caf\351\n' >tree/latin.txt
echo secret >tree/.hidden/file
echo '*.log' >tree/.gitignore
echo log >tree/run.log
echo 'text of the task' >task
echo 'Please look at it.' >instructions.md
echo 'src/part_1.c:9:return' >hits
printf 'src/part_2.c:5: error: wheel\n' >tool.log
echo '{"type":"open_file","path":"src/part_3.c"}' >sources
printf 'src/part_1.c\nnotes.md\n' >files
cat >template <<'END'
{{header}}
{{#files}}
{{path}}
{{#content}}
{{{content}}}
{{/content}}
{{/files}}
{{tree}}
{{instructions}}
END
(cd tree && git init -q . && git add -A && git -c user.name=a \
	-c user.email=a@b commit -qm 'Wheels turn') >/dev/null 2>&1

# One option a line, with its value. What is only about logs and limits of the
# machine is here too: it must not change what is written.
cat >options <<'END'
--strict
--format xml
--format json
--format jsonl
--format plain
--line-numbers
--tree
--git-log 2
--git-diff
--git-diff=HEAD^{tree}
--split 900
--template ../template
--no-history
--order rank
--pin src/gear_2.py
--boost tests/*
--source-priority tool_results=10
--tiers on
--header @../task
--instructions ../instructions.md
--unicode escape
--unicode strip
--compress
--doc
--strip-comments
--budget 1200
--budget all
--encoding cl100k_base
--model gpt-4o
--model claude-sonnet-4
--reserve-response 100
--reserve-system 50
--categories none
--categories tool_results=70,open_files=10,search_results=10,references=10
--balance
--no-redistribute
--min-chunks 5
--relevance-weight 1
--recency-weight 0
--source-weight 0.9
--query wheel turns
--query @../task
--include *.c
--exclude *.h
--files-from ../files
--rev HEAD
--no-ignore
--hidden
--max-file-size 1K
--no-dedup
--dedup-normalize none
--dedup-normalize whitespace
--overlap-threshold 0.5
--no-merge
--open src/part_2.c
--search ../hits
--search-context 3
--tool ../tool.log
--reference src/part_4.c:4-12
--sources ../sources
--source-timeout 5
--memory 64M
--count-cache 1
--io read
--stage-timeout 20
--no-sandbox
--no-config
--explain
--progress always
--log-level debug
--log-json
--chunk lines:5
--chunk tokens:120
--max-chunk-tokens 150
--min-chunk-tokens 1
--no-history
END

# Arguments of a line: the option, and the rest of it as one value.
args_of() {
	args+=("${1%% *}")
	[ "${1#* }" = "$1" ] || args+=("${1#* }")
}

# pack WORKERS OUT: the pair in $args; its exit code. A budget and reserves are
# there for those that bring none.
pack() {
	local code

	base=(--budget 3000)
	case " ${args[*]} " in *' --budget '*) base=() ;; esac
	case " ${args[*]} " in
	*' --reserve-response '*) ;;
	*) base+=(--reserve-response 100) ;;
	esac
	case " ${args[*]} " in
	*' --reserve-system '*) ;;
	*) base+=(--reserve-system 100) ;;
	esac
	rm -f "../$2" "../$2"-*
	timeout 60 "$BALE" pack "${base[@]}" "${args[@]}" --workers "$1" -q \
		-o "../$2" --report ../report --no-last . 2>"../$2.err"
	code=$?
	[ -e "../$2-001" ] && cat "../$2"-* >"../$2"
	return $code
}

# Counts what was written again; the parts of --split have a limit each.
verified() {
	local available encoding

	encoding=$(sed -n 's/.*"encoding":"\([^"]*\)".*/\1/p' ../report | head -1)
	available=$(sed -n 's/.*"available":\([0-9]*\).*/\1/p' ../report | head -1)
	set -- ../out
	if [ -e ../out-001 ]; then
		set -- ../out-*
		available=900
	fi
	"$BALE" verify "$@" --encoding "$encoding" \
		--budget "${available:-100000000}"
}

# What a preview with the pair says that pack comes to, to the token.
foretold() {
	local said

	"$BALE" preview "${base[@]}" "${args[@]}" -q --no-last . \
		--report ../plan >../plan.out 2>&1
	said=$(sed -n 's/.*"output":{"tokens":\([0-9]*\).*/\1/p' ../plan)
	# of everything a preview makes no output
	[ -n "$said" ] || said=$(sed -n 's/.*"output":\(null\).*/\1/p' ../plan)
	case " ${args[*]} " in
	*' --budget all '*) [ "$said" != null ] || return 0 ;;
	esac
	grep -q "\"output\":{\"tokens\":$said," ../report ||
		echo "preview says $said tokens: $(head -c 300 ../plan.out)"
}

# Why the last pair is wrong, if it is.
judge() {
	local code=$1

	case $code in
	0 | 3) ;;
	2 | 8 | 9)
		grep -q -e -- -e PATH -e 'nothing to pack' ../out.err ||
			echo "code $code without a reason: $(head -c 300 ../out.err)"
		return
		;;
	*)
		echo "code $code: $(head -c 300 ../out.err)"
		return
		;;
	esac
	pack 3 other
	[ $? = "$code" ] || echo "another code with 3 workers"
	cmp -s ../out ../other || echo "another output with 3 workers"
	verified >../verified 2>&1 || echo "verify: $(head -c 300 ../verified)"
	foretold
	[ -z "$(ls ../tmp)" ] || echo "left in TMPDIR: $(ls ../tmp)"
}

mapfile -t options <options
cd tree || exit 1
pairs=0 packed=0 wrong=
for ((i = 0; i < ${#options[@]}; i++)); do
	for ((j = i; j < ${#options[@]}; j++)); do
		(((i * 71 + j) % step == 0)) || continue
		# the same option twice is not a pair
		[ $i = $j ] || [ "${options[i]%% *}" != "${options[j]%% *}" ] ||
			continue
		args=()
		args_of "${options[i]}"
		[ $i = $j ] || args_of "${options[j]}"
		case " ${args[*]} " in
		*" ${WITH:-}"*) ;;
		*) continue ;;
		esac
		pack 1 out
		code=$?
		pairs=$((pairs + 1))
		[ $code != 0 ] || packed=$((packed + 1))
		why=$(judge $code)
		[ -z "$why" ] || wrong+="bale pack ${args[*]}: $why"$'\n'
	done
done
cd ..
is "$wrong" "" "$pairs pairs of options: each works, or says why not"
is "$((packed * 10 > pairs * 8))" 1 "most of them work"
done_testing
