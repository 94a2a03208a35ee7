#!/bin/bash
# SPDX-License-Identifier: MIT
#
# Every option works with every other, or says why not: each pair of them is
# tried on one small repository. A run that succeeds is the same with another
# number of workers, within its budget, and counted again by bale verify, and a
# preview has foretold its tokens, and what it takes; one that is refused names
# an option. LONG=1 tries all pairs, every 120th is tried otherwise, or as STEP
# says; WITH=--split only those with an option.
#
# verifies: FR-016-12

# shellcheck source=tests/support/lib.sh
. tests/support/lib.sh
# shellcheck source=tests/support/options.sh
. tests/support/options.sh
command -v git >/dev/null || skip_all git is not installed
step=${STEP:-120}
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
option_files
(cd tree && git init -q . && git add -A && git -c user.name=a \
	-c user.email=a@b commit -qm 'Wheels turn') >/dev/null 2>&1

# What is only about logs and limits of the machine is here too: it must not
# change what is written. Left out is what each run is given below.
option_lines pack |
	grep -vE '^--(output|report|workers|quiet|no-last|config)\>' >options
is "$(grep -c ' ?$' options)" 0 "each option has a value to be tried with"

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
	"$within" 60 "$BALE" pack "${base[@]}" "${args[@]}" --workers "$1" -q \
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

# What a report says of files, of ranges and of duplicates, all of it; of a run
# that takes everything, which has no ranges, its files and their fate.
taken() {
	sed -n '/"files":{/,/"count_cache"/p' "$1" |
		sed 's/.*"files":{//; s/"count_cache".*//' |
		case " ${args[*]} " in
		*' --budget all '*)
			sed '/"special_tokens":/{s///;q}' |
				grep -oE '^"seen".*"skipped":[0-9]*|"(path|reason)":"[^"]*"' |
				uniq
			;;
		*) cat ;;
		esac
}

# What a preview with the pair says that pack comes to: the tokens of the
# output, and each range that is packed or left out, with its tokens and why.
foretold() {
	local said

	"$BALE" preview "${base[@]}" "${args[@]}" -q --no-last . \
		--report ../plan >../plan.out 2>&1
	taken ../plan >../plan.taken
	taken ../report >../report.taken
	[ -s ../plan.taken ] || echo "preview tells of no files"
	cmp -s ../plan.taken ../report.taken ||
		echo "preview takes others: $(diff ../plan.taken ../report.taken |
			head -c 600)"
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
	5) # of --sandbox require, where a layer is missing
		grep -q BALE-SBX-002 ../out.err ||
			echo "code 5: $(head -c 300 ../out.err)"
		return
		;;
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
